"""Headings: what stands out from the body by its size or weight, and how deep it is."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_kit.parsing.pdf.captions import CAPTION
from rag_kit.parsing.pdf.lists import BULLETS
from rag_kit.parsing.pdf.parts import Line, Part

LARGER = 1.15
"""A line this many times as large as the body is a heading by its size alone."""
_NUMBER = re.compile(
    r"(?:(?:chapter|section|part|article|annex|appendix)\s+)?(\d{1,3}(?:\.\d{1,3})*)\.?\s+\S", re.I
)


@dataclass(frozen=True, slots=True)
class Body:
    """How most of the document's text is set."""

    size: float
    bold: bool = False
    mono: bool = False


def body_of(lines: Iterable[Line]) -> Body:
    """Return the style of most characters, of those in running text where there is enough of it.

    >>> body_of([Line("Fees", 0, 0, 9, 9, 9, 18), Line("Within 30 days", 0, 20, 9, 29, 29, 10)]).size
    10
    """
    lines = list(lines)
    prose = [line for line in lines if len(line.text.split()) >= 6]
    if 10 * sum(len(line.text) for line in prose) > sum(len(line.text) for line in lines):
        lines = prose  # The labels of a drawing are many and small.
    sizes: Counter[float] = Counter()
    bold: Counter[float] = Counter()
    mono = total = 0
    for line in lines:
        letters = len(line.text)
        sizes[line.size] += letters
        total += letters
        bold[line.size] += letters * line.bold
        mono += letters * bool(line.pitch)
    if not sizes:
        return Body(10.0)
    size = max(sizes, key=lambda each: (sizes[each], -each))
    return Body(size, bold=bold[size] > 0.5 * sizes[size], mono=mono > 0.5 * total)


def heads(line: Line, body: Body) -> bool:
    """Return whether a line looks like a heading or a piece of one.

    >>> heads(Line("Fees", 0, 0, 9, 9, 9, 18), Body(10)), heads(Line("Fees.", 0, 0, 9, 9, 9, 10, True), Body(10))
    (True, False)
    """
    text = line.text.strip()
    letters = sum(sign.isalpha() for sign in text)
    if letters < 2 or letters < 0.4 * len(text.replace(" ", "")) or text.endswith((",", ";")):
        return False
    if text[0] in BULLETS or CAPTION.match(text):
        return False
    if line.size >= LARGER * body.size:
        return not (text.endswith(".") and len(text.split()) > 12)
    weighty = line.bold and not body.bold and line.size >= 0.95 * body.size
    return weighty and line.cells == 1 and not text.endswith((".", ":")) and len(text.split()) <= 16


def set_levels(parts: Sequence[Part]) -> None:
    """Give each heading its level: by size, then by weight; numbers (3.2) refine it inside one style."""
    titles = [part for part in parts if part.kind == "title"]
    ranks: dict[tuple[float, bool], int] = {}
    ranked: list[tuple[float, bool]] = sorted({_style(part) for part in titles}, reverse=True)
    level, last = 0, (1e9, True)
    for style in ranked:
        # Sizes that differ by a hair are one.
        if last[0] - style[0] > 0.04 * style[0] or last[1] != style[1]:
            level += 1
        ranks[style], last = level, style
    depths: dict[tuple[float, bool], set[int]] = defaultdict(set)
    for part in titles:
        if depth := _depth(part):
            depths[_style(part)].add(depth)
    extra = 0
    shift: dict[int, int] = {}
    for style in ranked:
        shift.setdefault(ranks[style], extra)
        extra = max(
            extra, shift[ranks[style]] + max(depths[style], default=1) - min(depths[style], default=1)
        )
    for part in titles:
        style = _style(part)
        depth = _depth(part)
        deeper = depth - min(depths[style]) if depth else 0
        part.level = min(6, ranks[style] + shift[ranks[style]] + deeper)


def _style(part: Part) -> tuple[float, bool]:
    return part.lines[0].size, part.lines[0].bold


def _depth(part: Part) -> int:
    match = _NUMBER.match(part.lines[0].text.strip())
    return match[1].count(".") + 1 if match else 0
