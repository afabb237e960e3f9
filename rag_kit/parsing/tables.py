"""Tables as Markdown: writing one from its cells, and reaching a value by its row and column label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_kit.sentences import table_cells, units
from rag_kit.types import Span


@dataclass(frozen=True, slots=True)
class LabelledCell:
    """A value of a table with the labels of its row and column; ``row`` is the text of the row's first cell."""

    row: str
    column: str
    text: str


def markdown_table(rows: Sequence[Sequence[str]], *, heads: int = 1) -> list[str]:
    r"""Return the lines of a table: header, rule, rows; no lines where all cells are empty.

    Several header rows become one, joined by " / ", an equal label once; without any, the header is empty.
    Empty rows are left out, and short ones filled up.

    >>> markdown_table([["", "Price", "Price"], ["Part", "EU", "UK"], ["A|B", "5"]], heads=2)
    ['| Part | Price / EU | Price / UK |', '| --- | --- | --- |', '| A\\|B | 5 |  |']
    """
    cells = [[" ".join(cell.split()) for cell in row] for row in rows]
    width = max((len(row) for row in cells), default=0)
    if not any(cell for row in cells for cell in row):
        return []
    cells = [[*row, *[""] * (width - len(row))] for row in cells]
    header = [" / ".join(dict.fromkeys(row[at] for row in cells[:heads] if row[at])) for at in range(width)]
    return [
        markdown_row(header),
        "|" + " --- |" * width,
        *(markdown_row(row) for row in cells[heads:] if any(row)),
    ]


def markdown_row(cells: Sequence[str]) -> str:
    r"""Return one row; a bar inside a cell is escaped.

    >>> markdown_row(["a", "b|c"])
    '| a | b\\|c |'
    """
    return "| " + " | ".join(text.replace("|", "\\|") for text in cells) + " |"


def labelled_cells(text: str, *, prefix: str = "") -> Iterator[LabelledCell]:
    r"""Yield the values of the tables in a Markdown text, each with its row's and its column's label.

    ``prefix`` is the header of a table whose rows alone are in the text. The first cell is the row's label.

    >>> list(labelled_cells("| Part | Price |\n| --- | --- |\n| XX-1 | 5 |"))
    [LabelledCell(row='XX-1', column='Price', text='5')]
    """
    for unit in units(text, prefix=prefix):
        if unit.kind != "row":
            continue
        first, *rest = table_cells(_slice(text, unit.span))
        columns = unit.header[1:] if len(unit.header) == len(rest) + 1 else [""] * len(rest)
        for column, cell in zip(columns, rest, strict=True):
            if cell:
                yield LabelledCell(first, column, cell)


def _slice(text: str, span: Span) -> str:
    return text[span[0] : span[1]]
