"""Parting what stands on a sheet into its tables and notes, and telling the header of each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rag_kit.parsing.office.sheets import Placed
from rag_kit.parsing.tables import SpannedCell, names_only, reads_as_header, spread

Cells = list[Placed]

LONG_NOTE = 60
"""Characters of a lone cell below a table, from which it is a note and no row."""
MOST_PLACES = 2_000_000


def regions(cells: Cells) -> list[Cells]:
    """Part the cells where empty rows or columns lie between things that are clearly separate."""
    done: list[Cells] = []
    waiting = [cells] if cells else []
    while waiting:
        region = waiting.pop()
        for by_rows in (True, False):
            parts = _cut(region, by_rows)
            if len(parts) > 1:
                waiting.extend(reversed(parts))
                break
        else:
            done.append(region)
    return done


def notes_around(cells: Cells) -> tuple[Cells, Cells, Cells]:
    """Part the lone cells above a table, and the notes below it, from the table."""
    rows = [list(row) for _, row in groupby(sorted(cells, key=_by_row), key=lambda cell: cell.row)]
    if _width(cells) < 2:
        return [], cells, []
    start, end = 0, len(rows)
    while start < end and len(rows[start]) == 1 and rows[start][0].height == 1:
        start += 1
    while end > start and len(rows[end - 1]) == 1 and _is_note(rows[end - 1][0]):
        end -= 1
    parts = (rows[:start], rows[start:end], rows[end:])
    above, table, below = ([cell for row in part for cell in row] for part in parts)
    return above, table, below


def table_rows(cells: Cells) -> tuple[list[list[str]], int]:
    """Return the rows of a table with its merged cells filled in, and how many of them are its header.

    A first row over groups of columns has the names of the columns below it. Without words over numbers or
    a bold first row there is no header.
    """
    top, left = min(cell.row for cell in cells), min(cell.column for cell in cells)
    width = _width(cells)
    placed = [
        SpannedCell(cell.text, cell.row - top, cell.column - left, cell.height, cell.width) for cell in cells
    ]
    first = [cell for cell in cells if cell.row == top]
    grouped = any(1 < cell.width < width for cell in first)
    heads = max(cell.height for cell in first)
    heads = max(heads, 2) if grouped else heads
    rows = spread(placed, heads=heads)
    if heads < len(rows) and (reads_as_header(rows[heads - 1 :]) or _stands_out(cells, first, rows[0])):
        return rows, heads
    return spread(placed, heads=0), 0


def is_scattered(cells: Cells) -> bool:
    """Tell whether a table of these cells would be nearly all empty, and huge."""
    height = max(cell.row + cell.height for cell in cells) - min(cell.row for cell in cells)
    return height * _width(cells) > max(MOST_PLACES, 20 * len(cells))


def _cut(cells: Cells, by_rows: bool) -> list[Cells]:
    """Cut at the empty rows or columns between parts that are separate."""
    ordered = sorted(cells, key=_by_row if by_rows else _by_column)
    parts: list[Cells] = []
    ends: list[int] = []
    for cell in ordered:
        start, length = (cell.row, cell.height) if by_rows else (cell.column, cell.width)
        if parts and start <= ends[-1]:
            parts[-1].append(cell)
            ends[-1] = max(ends[-1], start + length)
        else:
            parts.append([cell])
            ends.append(start + length)
    joined = parts[:1]
    reach = _columns(parts[0])
    for end, part in zip(ends, parts[1:], strict=False):
        own = _columns(part)
        gap = (part[0].row if by_rows else part[0].column) - end
        if gap > 1:
            separate = True
        elif by_rows:
            separate = len(joined[-1]) == 1 or len(part) == 1 or reach != own or _has_header(part)
        else:
            # A narrow empty column inside a table only looks nice: two tables have a header each.
            wide = reach[1] - reach[0] > 1 and own[1] - own[0] > 1
            separate = wide and _has_header(part) and _has_header(joined[-1])
        if separate:
            joined.append(part)
            reach = own
        else:
            joined[-1].extend(part)
            reach = min(reach[0], own[0]), max(reach[1], own[1])
    return joined


def _has_header(cells: Cells) -> bool:
    return not is_scattered(cells) and table_rows(cells)[1] > 0


def _stands_out(cells: Cells, first: Sequence[Placed], names: list[str]) -> bool:
    """Tell whether the first row is bold, names every column, and is not as bold as all the rest."""
    rest = [cell for cell in cells if cell.row > first[0].row]
    return (
        all(names[1:])
        and names_only(names)
        and all(cell.is_strong for cell in first)
        and not all(cell.is_strong for cell in rest)
    )


def _is_note(cell: Placed) -> bool:
    return cell.height == 1 and (cell.width > 1 or len(cell.text) > LONG_NOTE or cell.text[0] in "*†¹²³")


def _columns(cells: Cells) -> tuple[int, int]:
    return min(cell.column for cell in cells), max(cell.column + cell.width for cell in cells)


def _width(cells: Cells) -> int:
    first, last = _columns(cells)
    return last - first


def _by_row(cell: Placed) -> tuple[int, int]:
    return cell.row, cell.column


def _by_column(cell: Placed) -> tuple[int, int]:
    return cell.column, cell.row
