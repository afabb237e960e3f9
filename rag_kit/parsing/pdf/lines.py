"""Lines of a page cut into pieces at wide gaps, and side-by-side running text told apart from tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from rag_kit.parsing.pdf.grid import Word, is_number, text_lines

WIDE_GAP = 0.75
"""Of the height of a line: a wider gap between two words parts two pieces."""
CURRENCY = re.compile(r"[$€£¥₹]|US\$|\(|[$€£¥₹]\(|\(\$|-|−|[<>≤≥~±]")
AFTER = re.compile(r"[%‰)*†‡]+")
PROSE_LINES, PROSE_WORDS, PROSE_FILL = 5, 4, 0.8


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of one line with no wide gap between them."""

    words: tuple[Word, ...]

    @property
    def x0(self) -> float:
        """Return the left end."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """Return the right end."""
        return self.words[-1].x1

    @property
    def text(self) -> str:
        """Return the words with single blanks."""
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page in its pieces, left to right."""

    pieces: tuple[Piece, ...]
    top: float
    bottom: float

    @property
    def words(self) -> list[Word]:
        """Return the words of all pieces."""
        return [word for piece in self.pieces for word in piece.words]

    @property
    def high(self) -> float:
        """Return the height in points."""
        return self.bottom - self.top


def read_lines(words: Sequence[Word], borders: Sequence[float] = ()) -> list[Line]:
    """Return the lines of some words, top to bottom, each cut into pieces at wide gaps and at borders.

    A currency sign set apart from its figure stays with it.

    >>> [piece.text for piece in read_lines([Word(0, 0, 20, 10, "Oslo"), Word(60, 0, 65, 10, "$"),
    ...     Word(90, 0, 99, 10, "12")])[0].pieces]
    ['Oslo', '$ 12']
    """
    lines = []
    for found in text_lines(words):
        high = median(word.high for word in found)
        pieces: list[list[Word]] = []
        for word, after in zip(found, [*found[1:], None], strict=True):
            last = pieces[-1][-1] if pieces else word
            parted = any(last.x0 < border <= (word.x0 + word.x1) / 2 for border in borders)
            if (
                pieces
                and not parted
                and word.x0 - last.x1 > 0.2 * high
                and _belongs(pieces[-1], word, after, high)
            ):
                both = f"{last.text} {word.text}"
                pieces[-1][-1] = replace(last, x1=word.x1, text=both, glyphs=last.glyphs + word.glyphs)
            elif pieces and not parted and word.x0 - last.x1 <= WIDE_GAP * high:
                pieces[-1].append(word)
            else:
                pieces.append([word])
        top, bottom = median(word.top for word in found), median(word.bottom for word in found)
        lines.append(Line(tuple(Piece(tuple(piece)) for piece in pieces), top, bottom))
    return lines


def _belongs(piece: list[Word], word: Word, after: Word | None, high: float) -> bool:
    """Tell whether a sign before or after a figure is parted from it by a gap only."""
    if len(piece) == 1 and CURRENCY.fullmatch(piece[0].text) and is_number(word.text):
        return word.x0 - piece[0].x1 < 8 * high
    begins = after is not None and after.x0 - word.x1 < WIDE_GAP * high and not is_number(after.text)
    ends = AFTER.fullmatch(word.text) is not None and not begins
    return ends and is_number(piece[-1].text) and word.x0 - piece[-1].x1 < 2 * high


def split_columns(words: Sequence[Word], depth: int = 3) -> list[list[Word]]:
    """Part words where running text stands beside something else; else return them as one region.

    A gutter must run through consecutive lines with running text on one side of it: several words a line
    that fill the width between the margin and the gutter. Lines over and under it are regions of their own.
    """
    lines = read_lines(words)
    if depth == 0 or len(lines) < PROSE_LINES:
        return [list(words)]
    for start, end, gutter in _gutters(lines):
        run = lines[start:end]
        sides = [
            [word for line in run for word in line.words if (word.x0 < gutter) == left]
            for left in (True, False)
        ]
        if any(_runs_on(side) for side in sides):
            rest = [[word for line in part for word in line.words] for part in (lines[:start], lines[end:])]
            parts = [rest[0], *sides, rest[1]]
            return [region for part in parts if part for region in split_columns(part, depth - 1)]
    return [list(words)]


def _gutters(lines: Sequence[Line]) -> list[tuple[int, int, float]]:
    """Return runs of lines that share a gap, longest first: first line, last (exclusive), x of the gap."""
    runs: list[tuple[int, int, float]] = []
    open_gaps: list[tuple[int, float, float]] = []
    for at, line in enumerate([*lines, None]):
        kept: list[tuple[int, float, float]] = []
        spans = [(piece.x0, piece.x1) for piece in line.pieces] if line else []
        for since, low, high in open_gaps:
            left = max((x1 for x0, x1 in spans if x0 < (low + high) / 2), default=low)
            right = min((x0 for x0, _ in spans if x0 >= (low + high) / 2), default=high)
            new = (max(low, left), min(high, right))
            if line and new[1] - new[0] >= 0.5 * line.high:
                kept.append((since, *new))
            elif at - since >= PROSE_LINES:
                runs.append((since, at, (low + high) / 2))
        for one, two in zip(spans, spans[1:], strict=False):
            if not any(low < two[0] and high > one[1] for _, low, high in kept):
                kept.append((at, one[1], two[0]))
        open_gaps = kept
    return sorted(runs, key=lambda run: (run[0] - run[1], run[2]))[:20]


def _runs_on(words: Sequence[Word]) -> bool:
    """Tell whether words read as running text: most lines full, of several words, in one piece."""
    lines = read_lines(words)
    if len(lines) < PROSE_LINES:
        return False
    left, right = min(word.x0 for word in words), max(word.x1 for word in words)
    full = sum(
        1
        for line in lines
        if len(line.pieces) == 1
        and len(line.words) >= PROSE_WORDS
        and line.pieces[0].x1 - line.pieces[0].x0 >= PROSE_FILL * (right - left)
    )
    return full * 10 >= len(lines) * 6
