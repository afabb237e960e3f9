"""The blocks of a Word part in document order, and its tables as cells with the places that they take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rag_kit.parsing.office.package import attribute, child, kind, switched_on
from rag_kit.parsing.office.runs import DELETED, INSERTED, alternative, is_placeholder
from rag_kit.parsing.office.styles import number
from rag_kit.parsing.tables import SpannedCell, reads_as_header, spread

WIDEST = 63
"""Columns; Word makes no table with more."""
MOST_HEADS = 3
"""Rows; a label that spans more of them stands beside the table and not above it."""
_THROUGH = frozenset(["w:sdtContent", "w:customXml", "w:smartTag", "w:ins", "w:moveTo"])

CellText = Callable[[Any], str]


def blocks_in(container: Any, *wanted: str) -> Iterator[Any]:
    """Yield the elements of the wanted names, looking through content controls and accepted changes."""
    for node in container:
        name = kind(node)
        if name in wanted:
            yield node
        elif name in _THROUGH or (name == "w:sdt" and not is_placeholder(node)):
            yield from blocks_in(node, *wanted)
        elif name == "mc:AlternateContent":
            yield from blocks_in(alternative(node), *wanted)


def mark_change(paragraph: Any) -> str | None:
    """Return what was tracked for the end of a paragraph: ``w:ins`` or ``w:del``, or None."""
    properties = child(paragraph, "w:pPr", "w:rPr")
    names = [kind(node) for node in (properties if properties is not None else ())]
    return next((name for name in names if name in DELETED or name in INSERTED), None)


@dataclass(slots=True)
class _Open:
    """A merged cell that may go on in the next row."""

    text: str
    row: int
    width: int
    height: int = 1


def frame_cells(table: Any) -> list[Any] | None:
    """Return the cells of a table that is only a frame around text: one column; None for a real table."""
    rows = [list(blocks_in(row, "w:tc")) for row in _rows(table)]
    return [cell for row in rows for cell in row] if all(len(row) <= 1 for row in rows) else None


def table_cells(table: Any, cell_text: CellText) -> tuple[list[SpannedCell], int]:
    """Return the cells of a table, each once, and how many rows at the top are marked as its header."""
    done: list[SpannedCell] = []
    running: dict[int, _Open] = {}
    heads, at_top = 0, True
    for row_at, row in enumerate(_rows(table)):
        properties = child(row, "w:trPr")
        at_top = at_top and switched_on(child(properties, "w:tblHeader"))
        heads += at_top
        column = min(max(number(child(properties, "w:gridBefore")) or 0, 0), WIDEST)
        still: dict[int, _Open] = {}
        last: _Open | None = None
        for cell in blocks_in(row, "w:tc"):
            given = child(cell, "w:tcPr")
            width = min(max(number(child(given, "w:gridSpan")) or 1, 1), WIDEST - column)
            if width < 1:
                break
            merge = child(given, "w:vMerge")
            sideways = attribute(child(given, "w:hMerge"), "val") if given is not None else None
            goes_on = merge is not None and (attribute(merge, "val") or "continue") == "continue"
            above = running.get(column)
            if child(given, "w:hMerge") is not None and sideways != "restart" and last is not None:
                last.width += width
            elif goes_on and above is not None:
                above.height += 1
                still[column] = last = above
                cell_text(cell)  # Its items count on, though nobody sees them.
            else:
                still[column] = last = _Open(cell_text(cell), row_at, width)
            column += width
        done.extend(_closed(at, one) for at, one in running.items() if still.get(at) is not one)
        running = still
    done.extend(_closed(at, one) for at, one in running.items())
    return sorted(done, key=lambda cell: (cell.row, cell.column)), heads


def table_rows(table: Any, cells: list[SpannedCell], heads: int) -> tuple[str, list[list[str]], int]:
    """Return the words across the whole width above a table, its rows, and how many of them are its header.

    The header is the marked rows, else the first row, unless the table says that it has none and it does
    not read like one either.
    """
    width = max((cell.column + cell.width for cell in cells), default=0)
    title = ""
    if not heads and len(cells) > 1 and cells[0].width >= width > 1 and cells[0].height == 1:
        title, cells = cells[0].text, [
            SpannedCell(cell.text, cell.row - 1, cell.column, cell.height, cell.width) for cell in cells[1:]
        ]  # fmt: skip
    first = [cell for cell in cells if cell.row == 0 and cell.text]
    # What spans rows or columns in the first row needs the rows below it to name each column.
    grouped = 2 if any(1 < cell.width < width for cell in first) else 1
    tallest = max([grouped, *(cell.height for cell in first if cell.height <= MOST_HEADS)])
    if not heads:
        heads = min(tallest, max((cell.row + cell.height for cell in cells), default=1) - 1) or 1
        rows = spread(cells, heads=heads)
        if _has_no_header(table) and not reads_as_header(rows[heads - 1 :]):
            return title, spread(cells, heads=0), 0
    return title, spread(cells, heads=heads), heads


def _rows(table: Any) -> Iterator[Any]:
    """Yield the rows that are not deleted."""
    for row in blocks_in(table, "w:tr"):
        if child(row, "w:trPr", "w:del") is None:
            yield row


def _has_no_header(table: Any) -> bool:
    look = child(table, "w:tblPr", "w:tblLook")
    if look is None:
        return False
    given = attribute(look, "firstRow")
    if given is not None:
        return given.lower() in ("0", "false", "off")
    try:
        return not int(attribute(look, "val") or "0020", 16) & 0x20
    except ValueError:
        return False


def _closed(column: int, cell: _Open) -> SpannedCell:
    return SpannedCell(cell.text, cell.row, column, cell.height, cell.width)
