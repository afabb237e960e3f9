"""Intervals: how far a share of few cases can be trusted."""

from __future__ import annotations

import math


def wilson(successes: int, total: int, z: float = 1.959964) -> tuple[float, float]:
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
