"""Lines that may make a table by their gaps alone, and what tells a table from other text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag_kit.parsing.pdf.tables.grid import Box, is_value
from rag_kit.parsing.pdf.tables.lines import Line, Phrase

MARKER = re.compile(r"[•●▪◦‣·*\-–—■□o➢✓]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\(\w{1,3}\)|\[\d+\]")
CODE = re.compile(r"[{};]|\w\(|=[=>]?|->|//")
NEAR = 5.0
FEWEST_ROWS = 3


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines that make a table, and the x positions between its columns."""

    lines: tuple[Line, ...]
    cuts: tuple[float, ...]
    fields: tuple[Box, ...] = ()
    """Drawn cells that hold one label: it stands for all columns its cell covers."""

    def column(self, x: float) -> int:
        """Return the column that holds an x position."""
        return sum(1 for cut in self.cuts if cut <= x)

    def span(self, phrase: Phrase) -> tuple[int, int]:
        """Return the first and last column that a phrase stands in."""
        x, y = (phrase.x0 + phrase.x1) / 2, (phrase.words[0].top + phrase.words[0].bottom) / 2
        for left, top, right, bottom in self.fields:
            if left <= x <= right and top <= y <= bottom:
                return self.column(left + 2), self.column(right - 2)
        return self.column(phrase.x0 + 0.5), self.column(phrase.x1 - 0.5)


def is_table(block: Block) -> bool:
    """Tell a table from running text, lists, contents, code and words that stand apart by chance."""
    width = len(block.cuts) + 1
    rows = [line for line in block.lines if len({block.span(phrase)[0] for phrase in line.phrases}) > 1]
    if len(rows) < FEWEST_ROWS or len(rows) * 3 < len(block.lines):
        return False
    columns: list[list[Phrase]] = [[] for _ in range(width)]
    crossing = total = 0
    for line in rows:
        for phrase in line.phrases:
            first, last = block.span(phrase)
            total += 1
            crossing += first != last
            if first == last:
                columns[first].append(phrase)
    if crossing * 4 > total or any(not column for column in columns):
        return False
    figures = [sum(is_value(phrase.text) for phrase in column) * 2 >= len(column) for column in columns]
    words = [sum(len(phrase.words) for phrase in column) / len(column) for column in columns]
    markers = [sum(MARKER.fullmatch(phrase.text) is not None for phrase in column) for column in columns]
    if any(
        count * 2 >= len(column) and (width == 2 or words[at + 1] >= 2.5)
        for at, (count, column) in enumerate(zip(markers[:-1], columns, strict=False))
    ):
        return False
    if sum(CODE.search(phrase.text) is not None for column in columns for phrase in column) * 4 >= total:
        return False
    if sum(map(_aligned, columns)) * 10 < width * 7:
        return False
    if not any(figures):
        left = sum(_most_at([phrase.x0 for phrase in column]) >= 0.6 for column in columns)
        if left * 2 <= width:
            return False
        wordy = sum(count >= 4 for count in words)
        if wordy * 2 >= width or (width == 2 and (len(rows) < 4 or words[0] > 4)):
            return False
    filled = sum(len(column) for column in columns)
    return filled * 10 >= len(rows) * width * 4 and (any(figures[1:]) or figures[0] or filled >= 6)


def _aligned(column: Sequence[Phrase]) -> bool:
    """Tell whether most phrases of a column share their left end, right end or middle."""
    ends = [(phrase.x0, phrase.x1) for phrase in column]
    places = ([x0 for x0, _ in ends], [x1 for _, x1 in ends], [(x0 + x1) / 2 for x0, x1 in ends])
    return len(column) > 1 and max(map(_most_at, places)) >= 0.55


def _most_at(places: Sequence[float]) -> float:
    """Return the largest share of positions that are within a few points of each other."""
    ordered = sorted(places)
    low = most = 0
    for at, place in enumerate(ordered):
        while place - ordered[low] > NEAR:
            low += 1
        most = max(most, at - low + 1)
    return most / len(ordered)
