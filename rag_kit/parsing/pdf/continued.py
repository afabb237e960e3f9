"""Tables that go on over a page's end: rows too few to be seen as a table, and the header on each page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rag_kit.parsing.pdf.parts import Part, PlacedTable, Sheet
from rag_kit.parsing.pdf.segments import Segment
from rag_kit.parsing.pdf.tables import fill_labels, join_continued
from rag_kit.parsing.pdf.tables.grid import FoundTable

_SLACK = 3.0


def find_rows_that_go_on(sheets: Sequence[Sheet]) -> None:
    """Make a table of the rows at the top of a page that stand in the columns of one that ended the last.

    A single row is no table for those who look at its page alone. Running lines have to be gone before.
    """
    for above, sheet in zip(sheets, sheets[1:], strict=False):
        last = max(above.tables, key=lambda table: table.box[3], default=None)
        if last is None or not last.found.heads or not sheet.layers or not above.layers:
            continue
        if any(segment.base > last.box[3] + _SLACK for segment in above.layers[0]):
            continue
        shift = last.box[0] - last.found.bbox[0]
        rows = _rows(sheet, [x + shift for x in last.found.columns], len(last.found.rows[0]))
        if rows:
            taken = {id(segment) for row in rows for segment in row if segment is not None}
            sheet.layers[0] = [each for each in sheet.layers[0] if id(each) not in taken]
            sheet.tables.append(_table(last.found, rows))


def _rows(sheet: Sheet, columns: Sequence[float], width: int) -> list[list[Segment | None]]:
    """Return the first rows of a page that stand in the columns, each in two of them at least."""
    top = min((table.box[1] for table in sheet.tables), default=1e9)
    rows: list[list[Segment | None]] = []
    if len(columns) != width + 1:
        return rows
    for line in _lines(segment for segment in sheet.layers[0] if segment.base < top):
        row: list[Segment | None] = [None] * width
        for segment in line:
            inside = [
                at
                for at in range(width)
                if columns[at] - _SLACK <= segment.x0 and segment.x1 <= columns[at + 1] + _SLACK
            ]
            if len(inside) != 1 or row[inside[0]] is not None:
                return rows
            row[inside[0]] = segment
        if sum(cell is not None for cell in row) < 2:
            return rows
        rows.append(row)
    return rows


def _lines(segments: Iterable[Segment]) -> list[list[Segment]]:
    lines: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda each: each.base):
        if lines and segment.base - lines[-1][0].base < 0.35 * segment.size:
            lines[-1].append(segment)
        else:
            lines.append([segment])
    return lines


def _table(above: FoundTable, rows: Sequence[Sequence[Segment | None]]) -> PlacedTable:
    cells = [cell for row in rows for cell in row if cell is not None]
    box = (
        min(cell.x0 for cell in cells),
        min(cell.top for cell in cells),
        max(cell.x1 for cell in cells),
        max(cell.bottom for cell in cells),
    )
    texts = [[cell.text.strip() if cell is not None else "" for cell in row] for row in rows]
    found = replace(
        above, bbox=box, rows=[*above.rows[: above.heads], *fill_labels(above, texts)], repeated=frozenset()
    )
    return PlacedTable(found, box, goes_on=True)


def repeat_header(parts: list[Part], last_start: int, start: int) -> None:
    """Put the header of a table that ended the page before to the table that goes on with it.

    ``parts[last_start:start]`` are those of the page before, and the page's own begin at ``start``.
    """
    above = next((part for part in reversed(parts[last_start:start]) if part.kind != "note"), None)
    first = parts[start] if start < len(parts) else None
    if above is None or above.table is None or first is None or first.table is None or first.table.goes_on:
        return
    before = above.table.found
    joined = join_continued(before, first.table.found)
    if joined is not None:
        rows = [*joined.rows[: before.heads], *joined.rows[len(before.rows) :]]
        found = replace(first.table.found, rows=rows, heads=before.heads, columns=before.columns)
        first.table = replace(first.table, found=found)
