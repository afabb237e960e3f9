"""Fusion: several ranked lists of the same chunks to one.

Ranks can always be added up; scores of two retrievers lie on two scales, and have to be brought to one first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar, get_args

import numpy as np

from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.types import Evidence

K = 60
PLACES = 9
"""Fused scores are rounded to this many decimals, so that sums in two orders are equal."""

Lists = Mapping[str, Sequence[Evidence]]
"""What each retriever found, best first."""
By = Literal["chunk", "document"]
Method = Literal["rrf", "zscore", "minmax"]
Item = TypeVar("Item", bound=Hashable)


def rrf_scores(
    rankings: Mapping[str, Sequence[Item]], *, k: float = K, weights: Mapping[str, float] | None = None
) -> dict[Item, float]:
    """Add up 1 / (k + rank) over the rankings that hold an item; ranks count from 1.

    RRF(d) = sum of w / (k + rank of d), Cormack, Clarke and Büttcher (SIGIR 2009), who took k = 60. An item
    that a ranking names twice has the rank of its best place there, and what follows moves up.

    >>> scores = rrf_scores({"dense": ["A", "A", "B"], "bm25": ["B", "C"]})
    >>> {item: round(score, 6) for item, score in scores.items()}
    {'A': 0.016393, 'B': 0.032522, 'C': 0.016129}
    """
    _check_k(k)
    parts: dict[Item, list[float]] = {}
    for name, ranking in rankings.items():
        weight = _weight(name, weights)
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            parts.setdefault(item, []).append(weight / (k + rank))
    return {item: round(math.fsum(added), PLACES) for item, added in parts.items()}


def reciprocal_rank_fusion(
    lists: Lists,
    *,
    k: float = K,
    weights: Mapping[str, float] | None = None,
    by: By = "chunk",
    top_k: int | None = None,
) -> list[Evidence]:
    """Fuse lists by their ranks alone, with each list's ranks kept in ``ranks``.

    ``by="document"`` fuses documents, each shown by its best chunk, so that a long document does not win by
    having many chunks; the best is the one at the best rank of any list. Equal scores go by the best rank,
    and then by chunk id; ``top_k`` cuts the result. The order of the lists does not matter.

    >>> from rag_kit.testing import make_evidence
    >>> five, six = make_evidence("Five.", "Six.")
    >>> fused = reciprocal_rank_fusion({"dense": [five, six], "bm25": [six]}, k=1)
    >>> [(item.chunk.text, round(item.score, 3)) for item in fused]  # 1/3 + 1/2, and 1/2
    [('Six.', 0.833), ('Five.', 0.5)]
    >>> fused[0].ranks
    {'dense': 2, 'bm25': 1}
    """
    if top_k is not None:
        check_count("top_k", top_k)
    name_of = _naming(by)
    # As lists, because what can be read only once would be empty the second time.
    lists = {name: list(items) for name, items in lists.items()}
    keyed = {name: list(map(name_of, items)) for name, items in lists.items()}
    scores = rrf_scores(keyed, k=k, weights=weights)
    return _best(_merged(lists, by), scores, top_k)


def fuse_scores(
    lists: Lists,
    *,
    normalise: Literal["zscore", "minmax"] = "zscore",
    weights: Mapping[str, float] | None = None,
    by: By = "chunk",
    top_k: int | None = None,
) -> list[Evidence]:
    """Fuse lists by their scores, brought to one scale over all that was found.

    ``zscore`` is (score - mean) / standard deviation, ``minmax`` (score - lowest) / (highest - lowest); each
    is multiplied by its list's weight and added up. A chunk that a retriever did not score, or with no
    number, counts as the lowest that it did. Raises InvalidValue for top_k below 1.

    >>> from rag_kit.testing import make_evidence
    >>> five, six = make_evidence("Five.", "Six.")  # with the scores 1 and 1/2
    >>> fused = fuse_scores({"dense": [five, six], "bm25": [five]}, normalise="minmax")
    >>> [(item.chunk.text, item.score) for item in fused]  # of one score alone min-max makes 0
    [('Five.', 1.0), ('Six.', 0.0)]
    """
    if normalise not in NORMALISED:
        raise InvalidValue.unknown("scale", normalise, NORMALISED)
    if top_k is not None:
        check_count("top_k", top_k)
    merged = _merged(lists, by)
    added = dict.fromkeys(merged, 0.0)
    for name in sorted(lists):
        weight = _weight(name, weights)
        held = {
            key: item.scores[name]
            for key, item in merged.items()
            if math.isfinite(item.scores.get(name, math.nan))
        }
        if held:
            lowest = min(held.values())
            values = NORMALISED[normalise]([held.get(key, lowest) for key in merged])
            for key, value in zip(merged, values, strict=True):
                added[key] += weight * value
    return _best(merged, {key: round(score, PLACES) for key, score in added.items()}, top_k)


def z_scores(values: Sequence[float]) -> list[float]:
    """Bring values to mean 0 and standard deviation 1; where all are equal, to 0.

    >>> z_scores([1.0, 3.0]), z_scores([2.0, 2.0])
    ([-1.0, 1.0], [0.0, 0.0])
    """
    held = np.asarray(values, dtype=np.float64)
    spread = held.std()
    return [0.0] * len(held) if spread < 1e-12 else ((held - held.mean()) / spread).tolist()


def min_max(values: Sequence[float]) -> list[float]:
    """Bring values to 0 for the lowest and 1 for the highest; where all are equal, to 0.

    >>> min_max([2.0, 4.0, 3.0])
    [0.0, 1.0, 0.5]
    """
    held = np.asarray(values, dtype=np.float64)
    reach = held.max() - held.min()
    return [0.0] * len(held) if reach < 1e-12 else ((held - held.min()) / reach).tolist()


NORMALISED: Mapping[str, Callable[[Sequence[float]], list[float]]] = {"zscore": z_scores, "minmax": min_max}


@dataclass(frozen=True, slots=True)
class Fusion:
    """How lists are fused: by ranks (``rrf``, with its k) or by scores (``zscore``, ``minmax``), and how much
    each list counts; one that ``weights`` does not name counts 1.
    """

    method: Method = "rrf"
    k: float = K
    weights: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise InvalidValue.unknown("fusion", self.method, get_args(Method))
        _check_k(self.k)
        for name in self.weights:
            _weight(name, self.weights)

    def fuse(self, lists: Lists, *, by: By = "chunk", top_k: int | None = None) -> list[Evidence]:
        """Fuse some lists, and keep the best ``top_k`` or all."""
        if self.method == "rrf":
            return reciprocal_rank_fusion(lists, k=self.k, weights=self.weights, by=by, top_k=top_k)
        return fuse_scores(lists, normalise=self.method, weights=self.weights, by=by, top_k=top_k)


def _check_k(k: float) -> None:
    if not (k >= 0 and math.isfinite(k)):
        raise InvalidValue(f"k {k} is no number from 0: 60 is usual")


def _weight(name: str, weights: Mapping[str, float] | None) -> float:
    weight = (weights or {}).get(name, 1.0)
    if not (weight >= 0 and math.isfinite(weight)):
        raise InvalidValue(f"the weight {weight} of {name} is no number from 0")
    return weight


FUSED_BY: Mapping[str, Callable[[Evidence], str]] = {
    "chunk": lambda item: item.chunk.chunk_id,
    "document": lambda item: item.chunk.document_id,
}


def _naming(by: str) -> Callable[[Evidence], str]:
    """Return what gives the id that is fused."""
    if by not in FUSED_BY:
        raise InvalidValue.unknown("unit of fusion", by, FUSED_BY)
    return FUSED_BY[by]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one list has an item."""

    name: str
    rank: int
    item: Evidence


def _merged(lists: Lists, by: By) -> dict[str, Evidence]:
    """Put what the lists say of one item together, by its id in order, whatever the order of the lists."""
    name_of = _naming(by)
    places: dict[str, list[_Place]] = {}
    for name, items in lists.items():
        best: dict[str, Evidence] = {}
        for item in items:
            best.setdefault(name_of(item), item)
        for rank, (key, item) in enumerate(best.items(), start=1):
            places.setdefault(key, []).append(_Place(name, rank, item))
    return {key: _put_together(places[key]) for key in sorted(places)}


def _put_together(places: Sequence[_Place]) -> Evidence:
    """Merge an item's places: shown is what stands at the best rank, and equal ranks go by chunk id.

    A list's own score counts for that list. A score that a list without the item would give, and a similarity
    that is missing, are taken from the best place that knows them.
    """
    order = sorted(places, key=lambda place: (place.rank, place.item.chunk.chunk_id, place.name))
    known = {name: score for place in reversed(order) for name, score in place.item.scores.items()}
    own = {place.name: place.item.scores.get(place.name, place.item.score) for place in places}
    similarities = (place.item.similarity for place in order)
    return replace(
        order[0].item,
        similarity=next((similarity for similarity in similarities if similarity is not None), None),
        ranks={place.name: place.rank for place in places},
        scores=known | own,
    )


def _best(merged: Mapping[str, Evidence], scores: Mapping[str, float], top_k: int | None) -> list[Evidence]:
    def place(key: str) -> tuple[float, int, str]:
        return -scores[key], min(merged[key].ranks.values()), merged[key].chunk.chunk_id

    return [
        replace(merged[key], rank=rank, score=scores[key])
        for rank, key in enumerate(sorted(merged, key=place)[:top_k], start=1)
    ]
