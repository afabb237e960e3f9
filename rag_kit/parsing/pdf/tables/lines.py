"""Lines of a page cut into phrases at wide gaps, and side-by-side running text told apart from tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from rag_kit.parsing.pdf.tables.grid import Word, is_figure, text_lines

WIDE_GAP = 0.75
"""Of the height of a line: a wider gap between two words parts two phrases."""
CURRENCY = re.compile(r"[$€£¥₹]|US\$|\(|[$€£¥₹]\(|\(\$|-|−|[<>≤≥~±]")
AFTER = re.compile(r"[%‰)*†‡]+")
CLAUSE = re.compile(r"§?\s?\d{1,3}(?:\.\d{1,3})*[.)]?|\(?[a-zA-Z][.)]")
CLAUSE_WORDS = 5
"""A line of text has so many words behind the number of its clause."""
PROSE_LINES, PROSE_WORDS, PROSE_FILL = 5, 4, 0.8
SHORT_PROSE = 2
"""Full lines of text that make a paragraph beside a column of running text."""
TIGHT = 0.8
"""Of a line's height: lines of one paragraph are no further apart."""


@dataclass(frozen=True, slots=True)
class Phrase:
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
    """A line of a page in its phrases, left to right."""

    phrases: tuple[Phrase, ...]
    top: float
    bottom: float

    @property
    def words(self) -> list[Word]:
        """Return the words of all phrases."""
        return [word for phrase in self.phrases for word in phrase.words]

    @property
    def high(self) -> float:
        """Return the height in points."""
        return self.bottom - self.top


def read_lines(words: Sequence[Word], borders: Sequence[float] = ()) -> list[Line]:
    """Return the lines of some words, top to bottom, each cut into phrases at wide gaps and at borders.

    A currency sign set apart from its figure stays with it.

    >>> [phrase.text for phrase in read_lines([Word(0, 0, 20, 10, "Oslo"), Word(60, 0, 65, 10, "$"),
    ...     Word(90, 0, 99, 10, "12")])[0].phrases]
    ['Oslo', '$ 12']
    """
    lines = []
    for found in text_lines(words):
        high = median(word.high for word in found)
        phrases: list[list[Word]] = []
        for word, after in zip(found, [*found[1:], None], strict=True):
            last = phrases[-1][-1] if phrases else word
            parted = any(last.x0 < border <= (word.x0 + word.x1) / 2 for border in borders)
            if (
                phrases
                and not parted
                and word.x0 - last.x1 > 0.2 * high
                and _belongs(phrases[-1], word, after, high)
            ):
                both = f"{last.text} {word.text}"
                phrases[-1][-1] = replace(last, x1=word.x1, text=both, glyphs=last.glyphs + word.glyphs)
            elif phrases and not parted and word.x0 - last.x1 <= WIDE_GAP * high:
                phrases[-1].append(word)
            else:
                phrases.append([word])
        top, bottom = median(word.top for word in found), median(word.bottom for word in found)
        lines.append(Line(tuple(Phrase(tuple(phrase)) for phrase in phrases), top, bottom))
    return lines


def _belongs(phrase: list[Word], word: Word, after: Word | None, high: float) -> bool:
    """Tell whether a sign before or after a figure is parted from it by a gap only."""
    if len(phrase) == 1 and CURRENCY.fullmatch(phrase[0].text) and is_figure(word.text):
        return word.x0 - phrase[0].x1 < 8 * high
    begins = after is not None and after.x0 - word.x1 < WIDE_GAP * high and not is_figure(after.text)
    ends = AFTER.fullmatch(word.text) is not None and not begins
    return ends and is_figure(phrase[-1].text) and word.x0 - phrase[-1].x1 < 2 * high


def without_clause_column(line: Line) -> Line:
    """Put the number of a clause, in the margin of its text, to the text: it makes no column."""
    if len(line.phrases) != 2 or not CLAUSE.fullmatch(line.phrases[0].text):
        return line
    if len(line.phrases[1].words) < CLAUSE_WORDS:
        return line
    return replace(line, phrases=(Phrase(tuple(line.words)),))


def split_columns(words: Sequence[Word], depth: int = 3) -> list[list[Word]]:
    """Part words where running text stands beside something else; else return them as one region.

    A gutter must run through consecutive lines with running text on one side of it: several words a line
    that fill the width between the margin and the gutter. Columns of text that hold a table, a picture or
    headings too are told by a long paragraph on one side and a paragraph on the other. Lines over and under
    the gutter are regions of their own.
    """
    lines = read_lines(words)
    if depth == 0 or len(lines) < PROSE_LINES:
        return [list(words)]
    shared = _gutters(lines)
    for start, end, gutter in sorted([*shared, *_edges(lines)], key=lambda each: each[0] - each[1]):
        run = lines[start:end]
        sides = [
            [word for line in run for word in line.words if (word.x0 < gutter) == left]
            for left in (True, False)
        ]
        paragraphs = sorted(map(_longest_paragraph, sides))
        columns = paragraphs[0] >= SHORT_PROSE and paragraphs[1] >= PROSE_LINES
        if columns or ((start, end, gutter) in shared and any(map(_runs_on, sides))):
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
        spans = [(phrase.x0, phrase.x1) for phrase in line.phrases] if line else []
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


def _edges(lines: Sequence[Line]) -> list[tuple[int, int, float]]:
    """Return runs of lines that no phrase crosses the left edge of a column in: the same, longest first.

    An edge is where the phrases of several lines begin. Lines of two columns need not stand level for it.
    """
    starts = Counter(round(phrase.x0) for line in lines for phrase in line.phrases)
    runs: list[tuple[int, int, float]] = []
    for edge in sorted(x for x, count in starts.items() if count >= PROSE_LINES)[1:]:
        since = 0
        for at, line in enumerate([*lines, None]):
            if line and not any(p.x0 < edge - 1 < p.x1 + 0.5 * line.high for p in line.phrases):
                continue
            run = lines[since:at]
            if len(run) >= PROSE_LINES and any(line.phrases[0].x0 < edge - 1 for line in run):
                runs.append((since, at, edge - 1.0))
            since = at + 1
    return sorted(runs, key=lambda run: (run[0] - run[1], run[2]))[:20]


def _runs_on(words: Sequence[Word]) -> bool:
    """Tell whether words read as running text: most lines full, of several words, in one phrase."""
    lines = read_lines(words)
    return len(lines) >= PROSE_LINES and sum(_full(lines)) * 10 >= len(lines) * 6


def _longest_paragraph(words: Sequence[Word]) -> int:
    """Return the most full lines that follow each other closely and that a line of one phrase ends or goes on."""
    lines = read_lines(words)
    if not lines:
        return 0
    most = run = 0
    before: Line | None = None
    for line, full in zip(lines, _full(lines), strict=True):
        if before is None or line.top - before.bottom > TIGHT * line.high or len(line.phrases) > 1:
            run = 0
        most = max(most, run)
        run = run + 1 if full else 0
        before = line
    return most


def _full(lines: Sequence[Line]) -> list[bool]:
    """Tell of each line whether it is text that fills the width of all: several words in one phrase."""
    left, right = min(line.phrases[0].x0 for line in lines), max(line.phrases[-1].x1 for line in lines)
    return [
        len(line.phrases) == 1
        and len(line.words) >= PROSE_WORDS
        and line.phrases[0].x1 - line.phrases[0].x0 >= PROSE_FILL * (right - left)
        for line in lines
    ]
