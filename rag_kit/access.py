"""Who may see a chunk, and which chunks a question is about: one function, :meth:`Filters.admits`.

Filters are applied before anything is scored. There is no default that sees everything:
:meth:`Filters.owner` says in so many words that these are the caller's own files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from rag_kit.conditions import Condition, Filterable, is_number, members, parse_where, read_number
from rag_kit.errors import InvalidValue
from rag_kit.excerpts import one_line
from rag_kit.wording import one_form

_SHOWN = 40

Hidden = Literal["access", "not yet in force", "superseded", "where"]


@dataclass(frozen=True, slots=True)
class Filters:
    """What may be searched: access, metadata and point in time. Make one with `owner` or `for_tags`."""

    access_tags: frozenset[str] | None
    as_of: date
    where: tuple[Condition, ...] = ()
    include_superseded: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.as_of, date) or isinstance(self.as_of, datetime):
            raise InvalidValue(f"as_of {self.as_of!r} is no date: write date(2026, 11, 15)")
        for tag in self.access_tags or ():
            if not isinstance(tag, str):
                raise InvalidValue(f"the tag {tag!r} is no text: write a list, as in ['staff', 'partners']")

    @classmethod
    def owner(
        cls, *, as_of: date | None = None, where: Iterable[str] = (), include_superseded: bool = False
    ) -> Filters:
        """Make filters for the owner of the files, who sees every one of them."""
        conditions = tuple(parse_where(text) for text in where)
        return cls(None, as_of or date.today(), conditions, include_superseded)

    @classmethod
    def for_tags(
        cls,
        tags: Iterable[str],
        *,
        as_of: date | None = None,
        where: Iterable[str] = (),
        include_superseded: bool = False,
    ) -> Filters:
        """Make filters for someone who holds these tags and no others; untagged items stay private.

        Raises InvalidValue for a single text: its letters would be taken for tags.
        """
        if isinstance(tags, str):
            raise InvalidValue(f"tags {tags!r} is one text: write a list, as in ['staff', 'partners']")
        conditions = tuple(parse_where(text) for text in where)
        held = frozenset(one_form(tag) if isinstance(tag, str) else tag for tag in tags)
        return cls(held, as_of or date.today(), conditions, include_superseded)

    def admits(self, item: Filterable) -> bool:
        """Tell whether a document or chunk may be searched."""
        return self.hides(item) is None

    def hides(self, item: Filterable) -> Hidden | None:
        """Say why a document or chunk may not be searched, or None where it may.

        One shared tag is enough. A version superseded by ``as_of`` is left out unless asked for; one dated
        after ``as_of`` is not in force yet. An expired one that nothing replaces stays.
        """
        if self.access_tags is not None and not self.access_tags.intersection(item.access_tags):
            return "access"
        if item.updated_at and item.updated_at > self.as_of:
            return "not yet in force"
        if item.superseded_at and item.superseded_at <= self.as_of and not self.include_superseded:
            return "superseded"
        return None if all(condition.admits(item) for condition in self.where) else "where"


def check_values(filters: Filters, items: Iterable[Filterable]) -> None:
    """Raise InvalidValue where a key holds numbers and is compared with something else.

    Only what whoever asks may see counts. Where one item holds a text there, any value has a sense.

    >>> from rag_kit.testing import make_chunk
    >>> check_values(Filters.owner(where=["n>=4,990"]), [make_chunk("Five.", metadata={"n": 5000})])
    Traceback (most recent call last):
    rag_kit.errors.InvalidValue: --where n>='4,990' is no number, and 'n' holds numbers: write one, as in n>=5000
    """
    seen = [item for item in items if filters.hides(item) != "access"]
    for condition in filters.where:
        wrong = next((value for value in condition.values if read_number(value) is None), None)
        if wrong is None:
            continue
        held = [member for item in seen for member in members(condition.held(item)) if member is not None]
        if held and all(map(is_number, held)):
            key = one_line(condition.key, _SHOWN)
            compared = f"{key}{condition.operator}"
            raise InvalidValue(
                f"--where {compared}{one_line(wrong, _SHOWN)!r} is no number, and {key!r} holds numbers: "
                f"write one, as in {compared}{held[0]}"
            )
