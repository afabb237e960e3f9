"""Find the tables on a PDF page: drawn ones by their rulings, the others by how their words line up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pdfplumber.page import Page

from rag_kit.parsing.pdf.tables.blocks import Block
from rag_kit.parsing.pdf.tables.grid import Box, Cell, FoundTable, Word, cell_text, fill_grid, is_value
from rag_kit.parsing.pdf.tables.heads import count_heads
from rag_kit.parsing.pdf.tables.lines import read_lines, split_columns
from rag_kit.parsing.pdf.tables.marks import read_marks
from rag_kit.parsing.pdf.tables.opened import Tall, open_rows
from rag_kit.parsing.pdf.tables.rows import build_rows
from rag_kit.parsing.pdf.tables.ruled import Area, Lattice, Rule, find_lattices
from rag_kit.parsing.pdf.tables.unruled import find_blocks

__all__ = ["FoundTable", "find_tables", "find_unruled"]

FILLED = 0.6
"""Of its cells an unruled table without a header must hold so many: figures strewn over a chart do not."""


def find_tables(page: Page, *, unruled: bool = True) -> list[FoundTable]:
    """Return the tables of a page, top to bottom; boxes, lists, contents and running text are none.

    ``unruled=False`` looks for drawn tables only.
    """
    marks = read_marks(page)
    words, level = marks.words, marks.level
    found: list[FoundTable] = []
    for lattice in find_lattices(words, level, marks.upright):
        if any(_inside(lattice.bbox, other.bbox) for other in found):
            continue
        table = _from_lattice(lattice, level)
        if table is not None:
            found.append(table)
            words = [word for word in words if not _holds(table.bbox, word)]
    if unruled:
        found += find_unruled([word for word in words if not word.turned], level, marks.leaders)
    found = [replace(table, bbox=marks.on_page(table.bbox)) for table in found] if marks.turn else found
    return found if marks.turn else sorted(found, key=lambda table: (table.bbox[1], table.bbox[0]))


def find_unruled(
    words: Sequence[Word], level: Sequence[Rule] = (), leaders: Sequence[float] = ()
) -> list[FoundTable]:
    """Return the tables that only the places of words make; ``level`` are rulings, ``leaders`` lines with dots."""
    tables = [
        _from_block(block, level)
        for region in split_columns(words)
        for block in find_blocks(read_lines(region))
    ]
    return [table for table in tables if _is_clear(table, level) and not _is_contents(table, leaders)]


def _is_clear(table: FoundTable, level: Sequence[Rule]) -> bool:
    """Tell whether an unruled table has a header, or is full and has figures or a ruling along it."""
    full = _fill(table) >= FILLED and (_figures(table) or _near_rule(table, level))
    return table.heads > 0 or full


def _is_contents(table: FoundTable, leaders: Sequence[float]) -> bool:
    """Tell a list of contents: leaders to one column of page numbers that never fall."""
    led = sum(table.bbox[1] <= y <= table.bbox[3] for y in leaders)
    pages = [row[-1] for row in table.rows[table.heads :] if row[-1]]
    numbers = [int(text) for text in pages if text.isdecimal() and len(text) < 5]
    texts = [text for row in table.rows for text in row[:-1] if text]
    return (
        led * 2 >= len(table.rows)
        and len(numbers) * 10 >= len(pages) * 7
        and numbers == sorted(numbers)
        and sum(any(char.isalpha() for char in text) for text in texts) * 2 >= len(texts)
        and sum(map(is_value, texts)) * 2 <= len(texts)
    )


def _from_lattice(lattice: Lattice, level: Sequence[Rule]) -> FoundTable | None:
    areas = [area for area in lattice.areas if area.words]
    columns = sorted({area.left for area in areas})
    rows = sorted({area.top for area in areas})
    if len(columns) < 2 or len(rows) < 2 or len(areas) < 4:
        return None
    total = sum(len(area.words) for area in areas)
    crossed = sum(
        1
        for area in areas
        for word in area.words
        if not word.turned and (word.x1 > lattice.xs[area.right] + 3 or word.x0 < lattice.xs[area.left] - 3)
    )
    if (crossed + lattice.cut) * 10 > total or _is_frame(lattice, areas, total):
        return None
    cells = [
        Cell(
            rows.index(area.top),
            columns.index(area.left),
            sum(area.top <= row < area.bottom for row in rows),
            sum(area.left <= column < area.right for column in columns),
            cell_text(area.words),
            all(word.bold for word in area.words),
        )
        for area in areas
    ]
    spread = sum(cell.rows > 1 and cell.columns > 1 for cell in cells)
    if spread * 5 > len(cells):
        return None  # Boxes of a drawing lie across each other; the cells of a table do not.
    opened = open_rows(lattice)
    if opened is not None:
        block, tall = opened
        return replace(_from_block(block, level, tall), bbox=lattice.bbox, ruled=True)
    grid, repeated = fill_grid(cells, len(rows), len(columns))
    borders = (*(lattice.xs[column] for column in columns), lattice.xs[-1])
    return FoundTable(lattice.bbox, grid, count_heads(grid, cells), True, borders, repeated)


def _is_frame(lattice: Lattice, areas: Sequence[Area], total: int) -> bool:
    """Tell whether one cell takes most of the room and the words: a frame around text or around a table."""
    largest = max(areas, key=lambda area: len(area.words))
    left, top, right, bottom = lattice.bbox
    wide = (lattice.xs[largest.right] - lattice.xs[largest.left]) / (right - left)
    high = (lattice.ys[largest.bottom] - lattice.ys[largest.top]) / (bottom - top)
    return len(largest.words) * 2 > total and wide * high > 0.5


def _from_block(block: Block, level: Sequence[Rule], tall: Sequence[Tall] = ()) -> FoundTable:
    cells, places, heads = build_rows(block, level)
    for label in tall:
        inside = [at for at, y in enumerate(places) if label.top <= y <= label.bottom]
        if inside:
            column = block.column(label.left + 2)
            wide = block.column(label.right - 2) - column + 1
            cells.append(Cell(inside[0], column, len(inside), wide, cell_text(label.words)))
    grid, repeated = fill_grid(cells, len(places), len(block.cuts) + 1)
    words = [word for line in block.lines for word in line.words]
    left, right = min(word.x0 for word in words), max(word.x1 for word in words)
    box = (left, min(word.top for word in words), right, max(word.bottom for word in words))
    return FoundTable(box, grid, heads, False, (left, *block.cuts, right), repeated)


def _fill(table: FoundTable) -> float:
    """Return the share of the cells beside the first column that hold something."""
    cells = [cell for row in table.rows for cell in row[1:]]
    return sum(map(bool, cells)) / len(cells)


def _figures(table: FoundTable) -> bool:
    """Tell whether a table has a column of figures, or more columns than words set apart by chance have."""
    columns = [[text for text in column if text] for column in zip(*table.rows, strict=True)]
    return len(columns) > 2 or any(sum(map(is_value, column)) * 2 >= len(column) for column in columns)


def _near_rule(table: FoundTable, level: Sequence[Rule]) -> bool:
    """Tell whether a ruling runs along a table, over, in or right under it."""
    left, top, right, bottom = table.bbox
    reach = (bottom - top) / len(table.rows)
    return any(
        top - reach <= at <= bottom + reach and min(right, end) - max(left, start) >= 0.8 * (right - left)
        for at, start, end in level
    )


def _inside(inner: Box, outer: Box) -> bool:
    return (
        outer[0] - 1 <= inner[0]
        and outer[1] - 1 <= inner[1]
        and inner[2] <= outer[2] + 1
        and inner[3] <= outer[3] + 1
    )


def _holds(box: Box, word: Word) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]
