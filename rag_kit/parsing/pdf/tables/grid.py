"""The grid of a table: cells with their spans, filled in so that each value stands under its labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rag_kit.parsing.pdf.direction import is_rtl, logical_order

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in points, from the upper left corner of the page."""

NUMBER = re.compile(
    r"[\s(\[<>≤≥~±+\-−–—△▲*]*(?:[$€£¥₹%]|US\$|[A-Z]{3}(?=[\s\d]))?[\s(+\-−–△▲]*"
    r"[.,]?\d[\d.,'’\s\u00a0\u202f/:()\-−–]*[%‰°$€£¥₹*†‡)\]]*\s*(?:[a-z]{1,2}|[A-Z]{3})?[%*†‡)\]\s]*"
)
BLANKS = {"-", "–", "—", "―", "−", "..", "...", "…", "*", "n/a", "(na)", "n.a.", "(x)", "(z)"}
YEAR = re.compile(r"[^\d]{0,12}(?:1[6-9]|20|21)\d\d(?:\s*[/\-–]\s*\d{2,4})?[^\d]{0,3}\d?\)?")
BROKEN = re.compile(r"[^\W\d_][-\u2010\u00ad]$")


@dataclass(frozen=True, slots=True)
class Word:
    """A word on the page; ``bold`` as its font says, ``turned`` where it runs up or down."""

    x0: float
    top: float
    x1: float
    bottom: float
    text: str
    bold: bool = False
    turned: bool = False
    glyphs: tuple[tuple[str, float, float], ...] = field(default=(), repr=False, compare=False)
    """Each character with its left and right end, where a ruling may have to cut the word."""

    def cut(self, borders: Sequence[float]) -> list[Word]:
        """Return the parts of the word between borders that run through it."""
        through = [x for x in borders if self.x0 < x < self.x1]
        parts: dict[int, list[tuple[str, float, float]]] = {}
        for glyph in self.glyphs if through else ():
            at = sum(x <= (glyph[1] + glyph[2]) / 2 for x in through)
            parts.setdefault(at, []).append(glyph)
        if len(parts) < 2:
            return [self]
        return [
            replace(
                self,
                x0=some[0][1],
                x1=some[-1][2],
                text="".join(text for text, _, _ in some),
                glyphs=tuple(some),
            )
            for _, some in sorted(parts.items())
        ]

    @property
    def high(self) -> float:
        """Return the height in points: about the size of its font."""
        return self.bottom - self.top


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell at its first row and column, with how many rows and columns it takes."""

    row: int
    column: int
    rows: int
    columns: int
    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table on a page.

    ``rows`` are of one width, ``heads`` of them at the top are header rows, ``columns`` are the x positions
    of the borders between and around the columns, ``repeated`` the (row, column) places whose text a
    merged cell repeats.
    """

    bbox: Box
    rows: list[list[str]]
    heads: int
    ruled: bool
    columns: tuple[float, ...] = ()
    repeated: frozenset[tuple[int, int]] = frozenset()


def text_lines(words: Iterable[Word]) -> list[list[Word]]:
    """Group words into lines, top to bottom, each left to right; a raised figure stays in its line.

    >>> [[word.text for word in line] for line in text_lines(
    ...     [Word(0, 20, 9, 30, "c"), Word(9, 1, 15, 9, "b"), Word(0, 0, 8, 10, "a")])]
    [['a', 'b'], ['c']]
    """
    lines: list[list[Word]] = []
    boxes: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda word: (word.top + word.bottom, word.x0)):
        for at in range(len(lines) - 1, max(len(lines) - 4, -1), -1):
            top, bottom = boxes[at]
            shared = min(bottom, word.bottom) - max(top, word.top)
            if shared >= 0.5 * min(bottom - top, word.high):
                lines[at].append(word)
                if word.high > bottom - top:
                    boxes[at] = (word.top, word.bottom)
                break
        else:
            lines.append([word])
            boxes.append((word.top, word.bottom))
    order = sorted(range(len(lines)), key=lambda at: boxes[at])
    return [sorted(lines[at], key=lambda word: word.x0) for at in order]


def cell_text(words: Sequence[Word]) -> str:
    """Return the text of a cell: its lines joined by a blank, a word broken over a line end made whole.

    A hyphen before a small letter goes with the break; before a capital or a figure it belongs to the word.

    >>> cell_text([Word(0, 0, 9, 9, "govern-"), Word(0, 10, 9, 19, "ment"), Word(10, 10, 19, 19, "G-")])
    'government G-'
    >>> cell_text([Word(0, 0, 9, 9, "Lot-"), Word(0, 10, 9, 19, "7")])
    'Lot-7'
    """
    turned = [word for word in words if word.turned]
    lines = [
        logical_order(line) if is_rtl(line) else line
        for line in (
            " ".join(word.text for word in line)
            for line in text_lines(word for word in words if not word.turned)
        )
    ]
    text = " ".join(word.text for word in turned)
    for line in lines:
        if text and BROKEN.search(text) and line[0].isalnum():
            text = (text[:-1] if line[0].islower() and text[-2].islower() else text) + line
        else:
            text = f"{text} {line}"
    return " ".join(text.replace("\u00ad", "").split())


def is_figure(text: str) -> bool:
    """Tell whether a cell holds a figure, with its currency, sign, brackets or unit.

    >>> [is_figure(text) for text in ("$ 1,200", "(35,8)", "12 %", "18 years", "Lot 4")]
    [True, True, True, False, False]
    """
    return NUMBER.fullmatch(text) is not None


def is_value(text: str) -> bool:
    """Tell whether a cell holds a figure or a sign that stands for none.

    >>> is_value("1,200"), is_value("n/a"), is_value("Lot 4")
    (True, True, False)
    """
    return is_figure(text) or text.lower() in BLANKS


def fill_grid(
    cells: Iterable[Cell], rows: int, columns: int
) -> tuple[list[list[str]], frozenset[tuple[int, int]]]:
    """Place cells on a grid and repeat merged ones; a note across all columns stands in the first only."""
    grid = [[""] * columns for _ in range(rows)]
    repeated = set()
    for cell in cells:
        wide = 1 if cell.columns >= columns > 1 else cell.columns
        for row in range(cell.row, cell.row + cell.rows):
            for column in range(cell.column, cell.column + wide):
                grid[row][column] = cell.text
                if cell.text and (row, column) != (cell.row, cell.column):
                    repeated.add((row, column))
    return grid, frozenset(repeated)


def run_of_years(texts: Iterable[str]) -> bool:
    """Tell whether some cells are years in order, as those over columns are.

    >>> run_of_years(["Area", "2011", "2012", "2013"]), run_of_years(["Oslo", "1900", "1700", "2011"])
    (True, False)
    """
    years = [int("".join(filter(str.isdigit, text))[:4]) for text in texts if YEAR.fullmatch(text)]
    return len(years) > 2 and years in (sorted(years), sorted(years, reverse=True))
