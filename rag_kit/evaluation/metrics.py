"""What a ranking is worth, against the ids that are known to be relevant.

A ranking is ids, best first: ties are the ranker's to break, for its order is what a reader sees. An id that
comes again counts nothing the second time and still takes up its place, so no figure leaves 0 to 1. Gold is a
set, so that an id written twice in it is one. Where nothing is relevant every figure is 0, as in trec_eval:
a mean over questions should leave such a question out. An id that a mapping gives the gain 0 is not relevant.
A ranking shorter than k is as good as one that goes on with ids that are not relevant.

The formulas are those of trec_eval (as pytrec_eval has them: Van Gysel and de Rijke 2018), under the names
that it gives ``recall_k``, ``P_k``, ``success_k``, ``recip_rank``, ``ndcg_cut_k`` and ``map_cut_k``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue


def recall_at_k(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Compute which share of the relevant ids is among the first k.

    |relevant among the first k| / |relevant|. Raises InvalidValue, as all of these do, for k below 1.

    >>> recall_at_k(["A", "A", "C", "B"], {"A", "B"}, 3), recall_at_k(["A", "A", "C", "B"], {"A", "B"}, 4)
    (0.5, 1.0)
    """
    wanted = _gold(relevant)
    return len(_places(ranked, wanted, k)) / len(wanted) if wanted else 0.0


def precision_at_k(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Compute which share of the first k places holds a relevant id.

    |relevant among the first k| / k: k also where fewer came, so that a short ranking is no advantage.

    >>> precision_at_k(["A", "X"], {"A", "B"}, 4)
    0.25
    """
    return len(_places(ranked, _gold(relevant), k)) / k


def hit_at_k(ranked: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Return 1 where a relevant id is among the first k, else 0. Its mean is the hit rate, which is no recall.

    >>> hit_at_k(["X", "A"], {"A", "B"}, 2), hit_at_k(["X", "A"], {"A", "B"}, 1)
    (1.0, 0.0)
    """
    return float(bool(_places(ranked, _gold(relevant), k)))


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str], k: int | None = None) -> float:
    """Compute 1 / the place of the first relevant id, 0 where none is among the first k; its mean is the MRR.

    >>> reciprocal_rank(["X", "B", "A", "Y"], {"A", "B", "C"})
    0.5
    >>> reciprocal_rank(["X", "B", "A", "Y"], {"A", "B", "C"}, 1)
    0.0
    """
    return next((1 / place for place in _places(ranked, _gold(relevant), k)), 0.0)


def average_precision(ranked: Sequence[str], relevant: Collection[str], k: int | None = None) -> float:
    """Compute the mean, over the relevant ids, of the precision at the place of each; its mean is the MAP.

    Σ precision_at(place of a relevant id) / |relevant|: one that is not found, or only after k, adds 0.

    >>> round(average_precision(["X", "B", "A", "Y"], {"A", "B", "C"}), 4)  # (1/2 + 2/3 + 0) / 3
    0.3889
    """
    wanted = _gold(relevant)
    places = _places(ranked, wanted, k)
    return sum(found / place for found, place in enumerate(places, start=1)) / len(wanted) if wanted else 0.0


def ndcg_at_k(ranked: Sequence[str], relevant: Collection[str] | Mapping[str, float], k: int) -> float:
    """Compute the discounted gain of the first k, as a share of what the best ranking would have.

    DCG = Σ gain / log2(1 + place) (Järvelin and Kekäläinen 2002, with the discount of trec_eval), divided by
    the DCG of all gains in falling order, cut at k too. Each gain is 1; a mapping of ids gives them others.
    Raises InvalidValue for a gain below 0, or one that is no finite number.

    >>> round(ndcg_at_k(["A", "A", "C", "B"], {"A", "B"}, 3), 4)  # 1 / (1 + 1/log2(3))
    0.6131
    >>> ndcg_at_k(["B", "A"], {"A": 3.0, "B": 1.0}, 1)  # 1 of the 3 that were to be had
    0.3333333333333333
    """
    gains = {name: 1.0 for name in _gold(relevant)}
    if isinstance(relevant, Mapping):
        gains = {name: float(gain) for name, gain in relevant.items()}
    for name, gain in gains.items():
        if not (math.isfinite(gain) and gain >= 0):
            raise InvalidValue(f"the gain {gain} of {name!r} is none: give 0 or more")
    places = _places(ranked, set(gains), k)
    found = sum(gains[ranked[place - 1]] / math.log2(1 + place) for place in places)
    best = sorted(gains.values(), reverse=True)[:k]
    ideal = sum(gain / math.log2(1 + place) for place, gain in enumerate(best, start=1))
    # Added up in another order, the same gains may come out a hair larger.
    return min(found / ideal, 1.0) if ideal else 0.0


def _places(ranked: Sequence[str], wanted: Collection[str], k: int | None) -> list[int]:
    """Return the places, from 1, at which relevant ids come for the first time."""
    if k is not None:
        check_count("k", k)
    if isinstance(ranked, str):
        raise InvalidValue(f"the ranking {ranked[:40]!r} is one text: give a list of ids")
    first: dict[str, int] = {}
    for place, name in enumerate(ranked[:k], start=1):
        first.setdefault(name, place)
    return [place for name, place in first.items() if name in wanted]


def _gold(relevant: Collection[str]) -> set[str]:
    if isinstance(relevant, str):
        raise InvalidValue(f"the gold {relevant[:40]!r} is one text: give a set of ids")
    if isinstance(relevant, Mapping):
        return {name for name, gain in relevant.items() if gain > 0}
    return set(relevant)
