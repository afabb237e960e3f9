"""The pieces of a page to lines: each column's, one below the other, tables between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag_kit.parsing.pdf.direction import is_rtl
from rag_kit.parsing.pdf.lists import is_marker
from rag_kit.parsing.pdf.order import reading_order
from rag_kit.parsing.pdf.parts import Line, PlacedTable
from rag_kit.parsing.pdf.segments import Segment

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
    return _justified(region)


def _justified(region: Region) -> Region:
    """Take wide gaps for blanks where most lines fill the column to both edges, stretched as they are."""
    lines = [each for each in region if isinstance(each, Line)]
    if not any(line.cells > 1 for line in lines):
        return region
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    full = {id(line) for line in lines if line.x0 < left + 2 and line.x1 > right - 2}
    plain = sum(line.cells == 1 and id(line) in full for line in lines)
    if 3 * plain < len(lines):
        return region
    return [
        replace(each, cells=1) if isinstance(each, Line) and id(each) in full else each for each in region
    ]


def _flush(row: list[Segment]) -> list[Line]:
    if not row:
        return []
    row.sort(key=lambda segment: segment.x0)
    joined = _join(row)
    cells = 1 + sum(
        after.x0 - before.x1 > 1.5 * joined.size and not is_marker(before.text)
        for before, after in zip(row, row[1:], strict=False)
    )
    cells += any(segment.apart for segment in row)
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
        apart=any(segment.apart for segment in row),
        confidence=sum(sure) / len(sure) if sure else None,
    )
