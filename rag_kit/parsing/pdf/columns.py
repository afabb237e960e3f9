<<<<<<< HEAD
"""The pieces of a page to lines: each column's, one below the other, tables between them."""
=======
"""Borders between columns that only blanks part: gaps that go on from row to row."""
>>>>>>> tables

from __future__ import annotations

from collections.abc import Sequence
<<<<<<< HEAD

from rag_kit.parsing.pdf.lists import is_marker
from rag_kit.parsing.pdf.order import reading_order
from rag_kit.parsing.pdf.parts import Line, PlacedTable
from rag_kit.parsing.pdf.segments import Segment, is_rtl

Region = list["Line | PlacedTable"]


def read_regions(segments: Sequence[Segment], tables: Sequence[PlacedTable] = ()) -> list[Region]:
    """Return the regions of a page in reading order, each with its lines and tables from the top down."""
    letters = "".join(segment.text for segment in segments)
    boxes: list[Segment | PlacedTable] = [*_with_markers(segments), *tables]
    groups = reading_order(boxes, right_first=is_rtl(letters))
    return [_lines(group) for group in groups]


def _with_markers(segments: Sequence[Segment]) -> list[Segment]:
    """Put a mark or number that stands alone before a line to that line, so that it makes no column."""
    rows = sorted(segments, key=lambda each: (round(each.base), each.x0))
    kept: list[Segment] = []
    for segment in rows:
        before = kept[-1] if kept else None
        if (
            before is not None
            and abs(before.base - segment.base) < 0.3 * segment.size
            and 0 <= segment.x0 - before.x1 < 4 * segment.size
            and is_marker(before.text)
        ):
            kept[-1] = _join([before, segment])
        else:
            kept.append(segment)
    return kept


def _lines(group: Sequence[Segment | PlacedTable]) -> Region:
    """Return the lines of a group: pieces on one baseline are one line."""
    region: Region = []
    row: list[Segment] = []
    for each in sorted(group, key=lambda one: one.base if isinstance(one, Segment) else one.box[1]):
        if isinstance(each, PlacedTable):
            region.extend(_flush(row))
            region.append(each)
        elif row and each.base - row[0].base > 0.35 * max(each.size, row[0].size):
            region.extend(_flush(row))
            row.append(each)
        else:
            row.append(each)
    region.extend(_flush(row))
    return region


def _flush(row: list[Segment]) -> list[Line]:
    if not row:
        return []
    row.sort(key=lambda segment: segment.x0)
    joined = _join(row)
    cells = 1 + sum(
        after.x0 - before.x1 > 1.5 * joined.size and not is_marker(before.text)
        for before, after in zip(row, row[1:], strict=False)
    )
    row.clear()
    return [
        Line(
            joined.text,
            *joined.box,
            base=joined.base,
            size=joined.size,
            bold=joined.bold,
            pitch=joined.pitch,
            marker=joined.marker,
            cells=cells,
            confidence=joined.confidence,
        )
    ]


def _join(row: Sequence[Segment]) -> Segment:
    """Join the pieces of one line."""
    if len(row) == 1:
        return row[0]
    longest = max(row, key=lambda segment: len(segment.text))
    pitch = longest.pitch if all(segment.pitch for segment in row) else 0.0
    ordered = list(reversed(row)) if is_rtl("".join(segment.text for segment in row)) else list(row)
    text = ordered[0].text
    for before, after in zip(ordered, ordered[1:], strict=False):
        text += " " * (max(1, round((after.x0 - before.x1) / pitch)) if pitch else 1) + after.text
    sure = [segment.confidence for segment in row if segment.confidence is not None]
    return Segment(
        text=text,
        x0=min(segment.x0 for segment in row),
        top=min(segment.top for segment in row),
        x1=max(segment.x1 for segment in row),
        bottom=max(segment.bottom for segment in row),
        base=longest.base,
        size=longest.size,
        bold=all(segment.bold for segment in row),
        pitch=pitch,
        marker=ordered[0].marker,
        confidence=sum(sure) / len(sure) if sure else None,
    )
=======
from statistics import median

from rag_kit.parsing.pdf.lines import Line

MOST_GAPS = 60
"""Gaps that are weighed, the widest first."""


def find_cuts(rows: Sequence[Line]) -> tuple[float, ...]:
    """Return the x positions of gaps that go on through the rows and are wide where both sides are filled."""
    high = median(line.high for line in rows)
    usual = median(len(line.pieces) for line in rows)
    body = [line for line in rows if len(line.pieces) >= 0.6 * usual]  # Labels of a header span columns.
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
>>>>>>> tables
