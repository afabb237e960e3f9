"""Tables of a page as Markdown: spans filled in, so that each value stands under its labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from rag_kit.parsing.tables import MOST_REPEATED, table_lines

WIDEST = 1_000

CellText = Callable[[LexborNode], str]
LeftOut = Callable[[LexborNode], bool]


@dataclass(slots=True)
class Cell:
    """What stands in one place of the grid; ``own`` is false where a span repeats it."""

    text: str
    is_header: bool
    is_strong: bool = False
    own: bool = True
    width: int = 1


def is_layout(table: LexborNode) -> bool:
    """Tell whether a table only places things on the page: then its cells are read as text."""
    if (table.attributes.get("role") or "").strip().lower() in ("presentation", "none"):
        return True
    if table.css_first("h1, h2, h3, h4, h5, h6") is not None:
        return True
    if table.css_first("th") is not None:
        return False
    # A frame holds little but the tables in it; a table may hold a small one in a cell.
    inner = [part for part in table.css("table") if part.mem_id != table.mem_id]
    if len(inner) > 1 or (inner and len(inner[0].text()) * 2 >= len(table.text())):
        return True
    return all(sum(1 for _ in cells) <= 1 for _, cells in _rows(table, lambda _: False))


def caption_of(table: LexborNode) -> LexborNode | None:
    """Return a table's own caption."""
    return next((child for child in table.iter() if child.tag == "caption"), None)


def write_table(table: LexborNode, cell_text: CellText, left_out: LeftOut) -> list[str]:
    """Return the lines of a table in Markdown: header, rule, rows; no lines where all cells are empty.

    Header rows are those of ``thead``, or of ``th`` only, joined by " / " where there are several. Without
    one, a first row that reads like labels over numbers is the header; else the header is empty.
    """
    grid, heads = _grid(table, cell_text, left_out)
    width = max((at + 1 for row in grid for at, cell in row.items() if cell.own), default=0)
    if not any(cell.text for row in grid for cell in row.values()):
        return []
    heads = heads or (1 if _reads_as_header(grid, width) else 0)
    rows = [*grid[:heads], *(_without_span(row, width) for row in grid[heads:])]
    texts = [[row[at].text if at in row else "" for at in range(width)] for row in rows]
    return table_lines(texts, heads=heads)


def _grid(table: LexborNode, cell_text: CellText, left_out: LeftOut) -> tuple[list[dict[int, Cell]], int]:
    """Place the cells by column, spans filled in; also count the header rows at the top."""
    grid: list[dict[int, Cell]] = []
    running: dict[int, tuple[int, Cell]] = {}  # column -> rows that are still to fill, and with what
    heads, in_head, section, repeated = 0, True, "", 0
    for name, cells in _rows(table, left_out):
        if name != section:
            running, section = {}, name  # A span ends with its part of the table.
        row = {column: cell for column, (_, cell) in running.items()}
        running = {column: (rest - 1, cell) for column, (rest, cell) in running.items() if rest > 1}
        at = last = 0
        for node in cells:
            while at in row:
                at += 1
            wide, high = _number(node, "colspan", WIDEST), _number(node, "rowspan", 65_534, zero=65_534)
            text = cell_text(node)
            strong = node.css_first("b, strong") is not None
            cell = Cell(text, node.tag == "th", strong, width=wide)
            repeated += len(text) * (wide * high - 1) if wide * high > 1 else 0
            again = Cell(text if repeated <= MOST_REPEATED else "", cell.is_header, strong, own=False)
            if at >= WIDEST:
                # Beyond what spans may fill stands what the page shows beside the last cell: none is lost.
                at, wide = last, 1
                row[at] = cell
            last = at + 1
            for column in range(at, min(at + wide, WIDEST)):
                if column not in row:
                    row[column] = cell if column == at else again
                    if high > 1:
                        running[column] = (high - 1, again)
            at += wide
        grid.append(row)
        own = [cell for cell in row.values() if cell.own and cell.text]
        # A label beside an empty place to fill in is not a header: there the last cell is a label too.
        labels = bool(row) and row[max(row)].is_header and all(cell.is_header for cell in own)
        in_head = in_head and (name.startswith("thead") or labels)
        heads += in_head
    return grid, (heads if heads < len(grid) or heads == 1 else 1)


def _rows(table: LexborNode, left_out: LeftOut) -> Iterator[tuple[str, list[LexborNode]]]:
    """Yield the rows of a table and not of tables inside it, each with the name of its part."""
    for number, part in enumerate(table.iter()):
        if part.tag in ("thead", "tbody", "tfoot") and not left_out(part):
            for row in part.iter():
                if row.tag == "tr" and not left_out(row):
                    cells = [cell for cell in row.iter() if cell.tag in ("td", "th") and not left_out(cell)]
                    yield f"{part.tag}{number}", cells


def _reads_as_header(grid: list[dict[int, Cell]], width: int) -> bool:
    first, rest = grid[0], grid[1:]
    labels = [first[column].text for column in range(width) if column in first]
    if not rest or width < 2 or len(set(filter(None, labels))) < width or re.search(r"\d", "".join(labels)):
        return False
    if all(cell.is_strong for cell in first.values()):
        return True
    columns = ([row[column].text for row in rest if column in row] for column in range(1, width))
    return any(column and all(re.search(r"\d", text) for text in column) for column in columns)


def _without_span(row: dict[int, Cell], width: int) -> dict[int, Cell]:
    """Return a row; of a note across the whole table, which belongs to no column, only its first place."""
    first = row.get(0)
    if first is None or not first.own or not first.width >= width > 1:
        return row
    return row if any(cell.own for at, cell in row.items() if 0 < at < width) else {0: first}


def _number(node: LexborNode, name: str, most: int, *, zero: int = 1) -> int:
    match = re.match(r"\s*\+?(\d{1,9})", node.attributes.get(name) or "")
    return (min(int(match[1]), most) or zero) if match else 1
