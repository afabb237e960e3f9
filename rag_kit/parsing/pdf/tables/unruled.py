"""Tables that only blanks make: columns from gaps that go on through rows, rows from lines and rulings."""

from __future__ import annotations

from collections.abc import Sequence

from rag_kit.parsing.pdf.captions import CAPTION
from rag_kit.parsing.pdf.tables.blocks import FEWEST_ROWS, Block, is_table
from rag_kit.parsing.pdf.tables.columns import find_cuts
from rag_kit.parsing.pdf.tables.grid import is_value
from rag_kit.parsing.pdf.tables.lines import CLAUSE_WORDS, Line, without_clause_column

LARGER = 1.1
"""Of the height of a table's line: a larger line alone over its first column is a heading."""
FARTHEST = 2.4
"""Of a line's height: a larger blank between two lines ends a table."""


def find_blocks(lines: Sequence[Line]) -> list[Block]:
    """Return the tables among the lines of one region, top to bottom."""
    lines = list(map(without_clause_column, lines))
    return [block for start, end in _runs(lines) for block in _blocks(lines[start:end], 4)]


def _blocks(lines: Sequence[Line], depth: int) -> list[Block]:
    """Return the table that some lines make; else those of the parts that lines of one phrase leave."""
    block = _block(lines)
    if block is not None:
        start, end = _running_text(block)
        if start == end or not depth:
            return [block]
        return [
            found for part in (block.lines[:start], block.lines[end:]) for found in _blocks(part, depth - 1)
        ]
    single = [at for at, line in enumerate(lines) if len(line.phrases) == 1 and 0 < at < len(lines) - 1]
    if not depth or not single:
        return []
    groups = [[at] for at in single[:1]]
    for at in single[1:]:
        if at == groups[-1][-1] + 1:
            groups[-1].append(at)
        else:
            groups.append([at])
    # The widest break first; of equal ones, the one nearest to the middle.
    parting = max(groups, key=lambda group: (len(group), -abs(group[0] - len(lines) / 2)))
    parts = (lines[: parting[0]], lines[parting[0] :] if len(parting) == 1 else lines[parting[-1] :])
    if len(parts[1]) == len(lines) or not parts[0]:
        return []
    return [found for part in parts for found in _blocks(part, depth - 1)]


def _running_text(block: Block) -> tuple[int, int]:
    """Return the first stretch of two or more lines that run on across the columns; (0, 0) where there is none."""
    width = len(block.cuts) + 1
    start = 0
    for at, line in enumerate([*block.lines, None]):
        first, last = block.span(line.phrases[0]) if line else (0, 0)
        if line and len(line.words) >= 8 and first == 0 and last + 1 >= max(2, 0.6 * width):
            continue
        if at - start > 1:
            return start, at
        start = at + 1
    return 0, 0


def _runs(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Return stretches of lines with several phrases each; a few of one phrase may stand between."""
    runs = []
    start, last, single = None, 0, 0
    for at, line in enumerate(lines):
        far = at > 0 and line.top - lines[at - 1].bottom > FARTHEST * max(line.high, 4.0)
        several = len(line.phrases) > 1
        caption = not several and CAPTION.match(line.phrases[0].text) is not None
        if start is not None and (far or caption or single > 3):
            runs.append((start, last + 1))
            start = None
        if several:
            start = at if start is None else start
            last = at
        single = 0 if several else single + 1
    if start is not None:
        runs.append((start, last + 1))
    widened = []
    for number, (start, end) in enumerate(runs):
        before = runs[number - 1][1] if number else 0
        while (
            start > before
            and _near(lines[start - 1], lines[start])
            and not CAPTION.match(lines[start - 1].phrases[0].text)
        ):
            start -= 1
        after = runs[number + 1][0] if number + 1 < len(runs) else len(lines)
        while end < after and _near(lines[end - 1], lines[end]):
            end += 1
        widened.append((start, end))
    return widened


def _near(above: Line, below: Line) -> bool:
    return below.top - above.bottom <= 1.2 * max(above.high, below.high)


def _block(lines: Sequence[Line]) -> Block | None:
    block = Block(tuple(lines), ())
    for _ in range(3):
        rows = [line for line in block.lines if len(line.phrases) > 1]
        if len(rows) < FEWEST_ROWS:
            return None
        cuts = find_cuts(rows)
        kept = tuple(_trimmed(Block(block.lines, cuts)))
        if (kept, cuts) == (block.lines, block.cuts):
            break
        block = Block(kept, cuts)
    return block if block.lines and block.cuts and is_table(block) else None


def _trimmed(block: Block) -> list[Line]:
    """Drop lines at both ends that are text above or under the table, not part of it."""
    lines = list(block.lines)
    figures = _figure_columns(block)
    while lines and not (_fits(block, lines[-1], last=True) and _keeps_to(block, lines[-1], figures)):
        lines.pop()
    first = next(
        (at for at, line in enumerate(lines) if len(line.phrases) > 1 and _fits(block, line)), len(lines)
    )
    start = first
    while start > 0 and _fits(block, lines[start - 1]) and not _ends_text(block, lines, start - 1):
        start -= 1
    return lines[start:]


def _fits(block: Block, line: Line, *, last: bool = False) -> bool:
    """Tell whether a line at the rim of a block belongs to it: its phrases keep to columns."""
    spans = [block.span(phrase) for phrase in line.phrases]
    if len(spans) == 1:
        first, end = spans[0]
        phrase = line.phrases[0]
        if last:
            return first == end and (first > 0 or phrase.text[:1].islower())
        return first > 0 or (first == end and len(line.words) <= 4 and _under_words(block, line))
    return spans[0][0] == spans[0][1] or spans[0][0] > 0


def _ends_text(block: Block, lines: Sequence[Line], at: int) -> bool:
    """Tell whether a line is the short last one of text that runs through the columns."""
    if at == 0 or len(lines[at].phrases) > 1 or len(lines[at - 1].phrases) > 1:
        return False
    line, above = lines[at], lines[at - 1]
    first, last = block.span(above.phrases[0])
    nearer = line.top - above.bottom < lines[at + 1].top - line.bottom - 0.1 * line.high
    return first != last and nearer and len(above.words) >= CLAUSE_WORDS


def _figure_columns(block: Block) -> set[int]:
    """Return the columns in which most phrases are figures."""
    texts: dict[int, list[bool]] = {}
    for line in block.lines:
        for phrase in line.phrases:
            first, last = block.span(phrase)
            if first == last:
                texts.setdefault(first, []).append(is_value(phrase.text))
    return {column for column, found in texts.items() if sum(found) * 3 >= len(found) * 2}


def _keeps_to(block: Block, line: Line, figures: set[int]) -> bool:
    """Tell whether a last line has a figure where columns hold figures, or nothing there."""
    there = [
        phrase
        for phrase in line.phrases
        if any(a <= c <= b for c in figures for a, b in [block.span(phrase)])
    ]
    return not there or any(is_value(phrase.text) for phrase in there)


def _under_words(block: Block, line: Line) -> bool:
    at = block.lines.index(line)
    if at + 1 == len(block.lines) or line.words[0].high > LARGER * block.lines[at + 1].high:
        return False  # The heading of a section stands over its table too.
    return _near(line, block.lines[at + 1]) and len(block.lines[at + 1].phrases) > 1
