"""Tables as Markdown: writing one from its cells, and reaching a value by its row and column label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rag_kit.sentences import table_cells, units
from rag_kit.types import Span


@dataclass(frozen=True, slots=True)
class LabelledCell:
    """A value of a table with the labels of its row and column; ``row`` is the text of the row's first cell."""

    row: str
    column: str
    text: str


@dataclass(frozen=True, slots=True)
class SpannedCell:
    """A cell and the places that it takes, counted from 0; ``height`` and ``width`` are 1 or more."""

    text: str
    row: int
    column: int
    height: int = 1
    width: int = 1


MOST_REPEATED = 1_000_000
"""Characters that merged cells may repeat in one table: a file of a few kilobytes could ask for gigabytes."""

_NUMBER = re.compile(
    r"[(<>≈~±+\-−–]{0,2}\s?(?:[^\W\d_]{1,3}\.?\s|[^\w\s]\s?)?[+\-−]?[\d.,:/'\u2019 -]*\d[\d.,:/'\u2019 -]*"
    r"(?:[eE][+-]?\d+)?\s?(?:%|‰|[^\w\s]|[^\W\d_]{1,3}\.?)?\)?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def spread(cells: Iterable[SpannedCell], *, heads: int) -> list[list[str]]:
    """Return the rows of a table whose merged cells stand in each place that they take.

    So each value keeps its labels. A note across the whole width below the ``heads`` stands there once.

    >>> spread([SpannedCell("Price", 0, 0, 1, 2), SpannedCell("EU", 1, 0), SpannedCell("5", 1, 1)], heads=1)
    [['Price', 'Price'], ['EU', '5']]
    """
    cells = list(cells)
    width = max((cell.column + cell.width for cell in cells), default=0)
    height = max((cell.row + cell.height for cell in cells), default=0)
    rows = [[""] * width for _ in range(height)]
    repeated = 0
    for cell in cells:
        rows[cell.row][cell.column] = cell.text
        places = cell.width * cell.height
        repeated += len(cell.text) * (places - 1)
        if places == 1 or not cell.text or repeated > MOST_REPEATED:
            continue
        note = cell.width >= width > 1 and cell.row >= heads
        for row in range(cell.row, cell.row + (1 if note else cell.height)):
            for column in range(cell.column, cell.column + (1 if note else cell.width)):
                rows[row][column] = cell.text
    return rows


def reads_as_number(text: str) -> bool:
    """Tell whether a cell's text is a number, an amount, a share, a measure, a date or a time.

    >>> [reads_as_number(text) for text in ("-1,234.50 €", "2026-03-04", "30 %", "Q1", "Plan 9", "")]
    [True, True, True, False, False, False]
    """
    return len(text) < 60 and _NUMBER.fullmatch(text.strip()) is not None


def reads_as_header(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row names the columns: words over all of them, numbers below one at least.

    The first place may be empty, as the corner of a table is; years may be names of columns.

    >>> reads_as_header([["Plan", "Seats"], ["Pro", "40"]]), reads_as_header([["Card", "yes"], ["Cash", "no"]])
    (True, False)
    """
    first, rest = rows[0], rows[1:200]
    if not rest or not all(text.strip() for text in first[1:]) or not names_only(first):
        return False
    columns = ([row[at] for row in rest if at < len(row) and row[at].strip()] for at in range(len(first)))
    return any(column and sum(map(reads_as_number, column)) * 2 > len(column) for column in columns)


def names_only(row: Sequence[str]) -> bool:
    """Tell whether a row holds words and no values; years count as words where words are among them.

    >>> names_only(["Plan", "2025", "2026"]), names_only(["Pro", "40"])
    (True, False)
    """
    texts = [text.strip() for text in row if text.strip()]
    names = [text for text in texts if not reads_as_number(text)]
    # The corner of a table over years is empty.
    return bool(names or (texts and not row[0].strip())) and all(
        _YEAR.fullmatch(text) for text in texts if reads_as_number(text)
    )


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
    return table_lines([[*row, *[""] * (width - len(row))] for row in cells], heads=heads)


def table_lines(rows: Sequence[Sequence[str]], *, heads: int) -> list[str]:
    """Return the lines of a table whose rows are equally long, each cell as it is written.

    >>> table_lines([["Price", "Price"], ["EU", "UK"], ["5", "6"], ["", ""]], heads=2)
    ['| Price / EU | Price / UK |', '| --- | --- |', '| 5 | 6 |']
    """
    columns = zip(*rows[:heads], strict=True) if heads else [()] * len(rows[0])
    return [
        markdown_row([" / ".join(dict.fromkeys(filter(None, column))) for column in columns]),
        "|" + " --- |" * len(rows[0]),
        *(markdown_row(row) for row in rows[heads:] if any(row)),
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
