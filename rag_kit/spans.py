"""Arithmetic of spans: start and end (exclusive) in characters, both spans counted in one document."""

from __future__ import annotations

from collections.abc import Iterable

from rag_kit.types import Span


def overlap(one: Span, two: Span) -> bool:
    """Tell whether two spans share a character; two that only meet do not.

    >>> overlap((0, 5), (4, 9)), overlap((0, 5), (5, 9))
    (True, False)
    """
    return one[0] < two[1] and two[0] < one[1]


def contains(outer: Span, inner: Span) -> bool:
    """Tell whether a span holds all of another one.

    >>> contains((0, 9), (4, 9)), contains((0, 9), (4, 10))
    (True, False)
    """
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def shared(one: Span, two: Span) -> int:
    """Count the characters that two spans share.

    >>> shared((0, 5), (3, 9)), shared((0, 5), (7, 9))
    (2, 0)
    """
    return max(0, min(one[1], two[1]) - max(one[0], two[0]))


def share(span: Span, holder: Span) -> float:
    """Return how much of a span another one holds, from 0 to 1; the span must not be empty.

    >>> share((0, 4), (1, 9)), share((1, 9), (0, 4))
    (0.75, 0.375)
    """
    return shared(span, holder) / (span[1] - span[0])


def shift(span: Span, by: int) -> Span:
    """Move a span along: from a part of a text to the whole, or back.

    >>> shift((2, 5), 10), shift((12, 15), -10)
    ((12, 15), (2, 5))
    """
    return span[0] + by, span[1] + by


def merge(spans: Iterable[Span]) -> list[Span]:
    """Sort spans and join those that overlap or meet.

    >>> merge([(8, 9), (0, 3), (3, 5)])
    [(0, 5), (8, 9)]
    """
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
