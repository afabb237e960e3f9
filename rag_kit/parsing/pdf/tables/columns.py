"""Borders between columns that only blanks part: gaps that go on from row to row."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from rag_kit.parsing.pdf.tables.lines import Line

MOST_GAPS = 60
"""Gaps that are weighed, the widest first."""


def find_cuts(rows: Sequence[Line]) -> tuple[float, ...]:
    """Return the x positions of gaps that go on through the rows and are wide where both sides are filled."""
    high = median(line.high for line in rows)
    usual = median(len(line.phrases) for line in rows)
    body = [line for line in rows if len(line.phrases) >= 0.6 * usual]  # Labels of a header span columns.
    allowed = len(body) * 8 // 100 + (len(body) > 5)
    edges = sorted((x, step) for line in body for w in line.words for x, step in ((w.x0, 1), (w.x1, -1)))
    gaps: list[tuple[float, float]] = []
    depth, free_from = 0, None
    for x, step in edges:
        depth += step
        if depth <= allowed and free_from is None:
            free_from = x
        elif depth > allowed and free_from is not None:
            if x - free_from >= 0.25 * high:
                gaps.append((free_from, x))
            free_from = None
    gaps = sorted(sorted(gaps, key=lambda gap: gap[0] - gap[1])[:MOST_GAPS])
    places = [(_least_crossed(rows, low, top), top - low) for low, top in gaps if low > edges[0][0]]
    while places:
        cuts = [cut for cut, _ in places]
        weak = min((_strength(rows, cuts, at, high), places[at][1], at) for at in range(len(cuts)))
        if weak[0] >= 0.6:
            break
        places.pop(weak[2])
    return tuple(cut for cut, _ in places)


def _strength(rows: Sequence[Line], cuts: Sequence[float], at: int, high: float) -> float:
    """Return the share of lines with words in both columns at a cut whose gap there is wide; 0 where too few."""
    left = cuts[at - 1] if at else float("-inf")
    right = cuts[at + 1] if at + 1 < len(cuts) else float("inf")
    wide = both = 0
    filled = [0, 0]
    for line in rows:
        before = [w for w in line.words if w.x0 < cuts[at] and w.x1 > left]
        after = [w for w in line.words if w.x0 >= cuts[at] and w.x0 < right]
        filled[0] += bool(before)
        filled[1] += bool(after)
        if before and after:
            both += 1
            wide += after[0].x0 - before[-1].x1 >= 0.7 * high
    if min(filled) < max(2, len(rows) // 8) or not both:
        return 0.0
    return wide / both


def _least_crossed(rows: Sequence[Line], low: float, high: float) -> float:
    """Return the middle of the widest part of a gap that the fewest words cross."""
    words = [w for line in rows for w in line.words if w.x1 > low and w.x0 < high]
    places = sorted({low, high, *(min(max(x, low), high) for w in words for x in (w.x0, w.x1))})
    best = min(
        zip(places, places[1:], strict=False),
        key=lambda part: (sum(1 for w in words if w.x0 < part[1] and w.x1 > part[0]), part[0] - part[1]),
        default=(low, high),
    )
    return (best[0] + best[1]) / 2
