"""Intervals: how far a share of few cases, or the difference of two systems on them, can be trusted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag_kit.errors import InvalidValue

FEWEST = 6
"""Questions from which a difference can be shown."""
RESAMPLES = 10_000
_BLOCK = 1_000


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better one system is than another on the same questions, with an interval.

    ``better`` is None where the interval holds 0: no difference was shown, which is not to say that there
    is none.
    """

    mean: float
    low: float
    high: float
    better: bool | None


def wilson(successes: float, total: int, z: float = 1.959964) -> tuple[float, float]:
    """Return Wilson's score interval of a share, 95 % by default (Wilson 1927).

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), with p = successes / total. Of no cases: 0 to 1.

    >>> [round(end, 2) for end in wilson(18, 20)]
    [0.7, 0.97]
    """
    if total == 0:
        return 0.0, 1.0
    share, square = successes / total, z * z
    centre = share + square / (2 * total)
    reach = z * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    return (centre - reach) / (1 + square / total), (centre + reach) / (1 + square / total)


def bootstrap_mean(
    values: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0, level: float = 0.95
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of a mean (Efron 1979); the same seed gives the same ends.

    Questions are drawn with replacement, as many as there are; the ends are the quantiles (1 ± level) / 2 of
    the means. Raises InvalidValue for no values, values that are no numbers, or a level outside 0 to 1.

    >>> bootstrap_mean([0.5, 0.5, 0.5])
    (0.5, 0.5)
    """
    held = np.asarray(values, dtype=np.float64)
    if not len(held) or not np.isfinite(held).all():
        raise InvalidValue(f"{len(held)} values make no interval: give one finite number a question")
    if not 0 < level < 1 or resamples < 1:
        raise InvalidValue(
            f"level {level} with {resamples} resamples: choose a level in 0 to 1, resamples from 1"
        )
    low, high = np.quantile(_means(held, resamples, seed), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def paired_bootstrap(
    a: Sequence[float], b: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0, level: float = 0.95
) -> Difference:
    """Compare two systems by their values on the same questions, in the same order.

    What is resampled is each question's difference a - b, so that how hard the questions are does not blur
    the comparison. Of fewer than six questions none is ``better``: with five, chance alone has all five on one
    side in 2 of 2⁵ cases, more than one in twenty. Raises InvalidValue for sequences of two lengths, and as
    `bootstrap_mean` does.

    >>> paired_bootstrap([1.0] * 6, [0.5] * 6)
    Difference(mean=0.5, low=0.5, high=0.5, better=True)
    >>> paired_bootstrap([1.0, 0.0], [0.0, 1.0]).better is None
    True
    """
    if len(a) != len(b):
        raise InvalidValue(f"{len(a)} values against {len(b)}: give both systems the same questions")
    apart = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    low, high = bootstrap_mean(apart.tolist(), resamples=resamples, seed=seed, level=level)
    better = None if len(apart) < FEWEST else True if low > 0 else False if high < 0 else None
    return Difference(float(apart.mean()), low, high, better)


def _means(values: NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    """Return the means of resamples, some at a time, so that many questions need little memory."""
    generator = np.random.default_rng(seed)
    means = [
        values[generator.integers(0, len(values), (min(_BLOCK, resamples - at), len(values)))].mean(axis=1)
        for at in range(0, resamples, _BLOCK)
    ]
    return np.concatenate(means)
