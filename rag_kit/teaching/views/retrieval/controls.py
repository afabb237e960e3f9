"""What the controls of the retrieval inspector mean: filters that only narrow, and a balance as weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rag_kit.access import Filters
from rag_kit.conditions import parse_where
from rag_kit.errors import InvalidValue


def narrow_filters(opened: Filters, *, tags: str, where: str, include_superseded: bool) -> Filters:
    """Return the filters that an inspector was opened with, narrowed by what is written in its fields.

    No tags written leaves those it was opened with. Conditions are parted by ``;``. Raises InvalidValue for
    a tag that it was not opened with, so that nobody sees more by typing, and for what is no condition.

    >>> mine = narrow_filters(Filters.owner(), tags="hr, all", where="a=1; b>2", include_superseded=False)
    >>> sorted(mine.access_tags), [condition.key for condition in mine.where]
    (['all', 'hr'], ['a', 'b'])
    """
    access = opened.access_tags
    if tags.strip():
        access = frozenset(tag.strip() for tag in tags.split(",") if tag.strip())
        if opened.access_tags is not None and (foreign := sorted(access - opened.access_tags)):
            raise InvalidValue(
                f"the tag {foreign[0]!r} is not one that the inspector was opened with: leave it out"
            )
    conditions = tuple(parse_where(text) for text in where.split(";") if text.strip())
    return replace(
        opened,
        access_tags=access,
        where=(*opened.where, *conditions),
        include_superseded=include_superseded,
    )


def describe_filters(filters: Filters) -> str:
    """Say in a line who asks and what is left out.

    >>> describe_filters(Filters.for_tags(["sales", "public"], where=["version>=2"]))
    'seen with the tags public, sales; where version>=2'
    """
    if filters.access_tags is None:
        who = "seen by the owner"
    elif filters.access_tags:
        who = f"seen with the tags {', '.join(sorted(filters.access_tags))}"
    else:
        who = "seen without a tag"
    conditions = [f"{c.key}{c.operator}{','.join(c.values)}" for c in filters.where]
    return "; ".join(
        [
            who,
            *([f"where {' and '.join(conditions)}"] if conditions else []),
            *(["superseded versions too"] if filters.include_superseded else []),
        ]
    )


def weights_at(balance: float) -> dict[str, float]:
    """Turn a balance from 0, meaning alone, to 1, words alone, into weights; in the middle both count 1.

    >>> weights_at(0.25), weights_at(0.5), weights_at(1.0)
    ({'dense': 1.0, 'bm25': 0.5}, {'dense': 1.0, 'bm25': 1.0}, {'dense': 0.0, 'bm25': 1.0})
    """
    return {"dense": round(min(1.0, 2 * (1 - balance)), 2), "bm25": round(min(1.0, 2 * balance), 2)}


def balance_of(weights: Mapping[str, float]) -> float:
    """Return the balance that some weights stand for; only how they compare counts.

    >>> balance_of({"dense": 1, "bm25": 0.5}), balance_of({}), balance_of({"dense": 0, "bm25": 3})
    (0.25, 0.5, 1.0)
    """
    dense, bm25 = weights.get("dense", 1.0), weights.get("bm25", 1.0)
    if dense == bm25:
        return 0.5
    return round(bm25 / (2 * dense) if dense > bm25 else 1 - dense / (2 * bm25), 2)
