"""A new order from new scores: the one place where a reranker's scores meet its candidates."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.retrieval.fusion import z_scores
from rag_kit.retrieval.selection import PLACES
from rag_kit.types import Evidence


def reorder(candidates: Sequence[Evidence], scores: Sequence[float], *, top_n: int) -> list[Evidence]:
    """Return the ``top_n`` candidates with the highest scores, ranked from 1 and scored anew.

    Equal scores keep the order given, so a reranker that cannot tell candidates apart leaves them as they
    were. A score that is not a finite number comes last, with a warning, and is shown as the lowest of the
    others. Raises InvalidValue where the scores are not one a candidate, and for top_n below 1.

    >>> from rag_kit.testing import make_evidence
    >>> found = reorder(make_evidence("One.", "Two.", "Three."), [0.1, 0.9, 0.1], top_n=2)
    >>> [(item.rank, item.chunk.text, item.score) for item in found]
    [(1, 'Two.', 0.9), (2, 'One.', 0.1)]
    """
    check_count("top_n", top_n)
    if len(scores) != len(candidates):
        raise InvalidValue(
            f"{len(scores)} scores for {len(candidates)} candidates: a reranker gives one score a candidate"
        )
    finite = [math.isfinite(score) for score in scores]
    lowest = min((score for score, good in zip(scores, finite, strict=True) if good), default=0.0)
    if not all(finite):
        warnings.warn(
            f"{finite.count(False)} of {len(scores)} scores are no numbers: these candidates come last",
            stacklevel=3,
        )
    shown = [round(float(s), PLACES) if good else lowest for s, good in zip(scores, finite, strict=True)]
    order = sorted(range(len(candidates)), key=lambda at: (not finite[at], -shown[at], at))[:top_n]
    return [replace(candidates[at], rank=rank, score=shown[at]) for rank, at in enumerate(order, start=1)]


def standardise(values: Sequence[float] | NDArray[np.floating]) -> NDArray[np.float64]:
    """Return z-scores as an array, so that they can be weighed and added up; of no values there are none.

    >>> standardise([1.0, 2.0, 3.0]).round(3).tolist(), standardise([7.0, 7.0]).tolist()
    ([-1.225, 0.0, 1.225], [0.0, 0.0])
    """
    return np.array(z_scores([float(value) for value in values]) if len(values) else [], dtype=np.float64)
