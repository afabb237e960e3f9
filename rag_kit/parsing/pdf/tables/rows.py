"""Rows of an unruled table: lines joined to rows, header lines to header rows, labels laid over what they span."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rag_kit.parsing.pdf.tables.blocks import Block
from rag_kit.parsing.pdf.tables.grid import Cell, Word, cell_text, is_value
from rag_kit.parsing.pdf.tables.heads import Parts, head_groups, head_lines, widen
from rag_kit.parsing.pdf.tables.lines import Line, Phrase
from rag_kit.parsing.pdf.tables.ruled import Rule


def build_rows(block: Block, level: Sequence[Rule]) -> tuple[list[Cell], list[float], int]:
    """Return the cells of a block, the middles of its rows (y) and how many of them are header rows."""
    lines = list(block.lines)
    parts = [_parts(block, line) for line in lines]
    rules = _rules_between(block, level)
    heads = head_lines(block, parts, rules)
    groups = head_groups(parts[:heads])
    head_rows = len(groups)
    for group in _body_groups(lines[heads:], parts[heads:], {at - heads for at in rules if at > heads}):
        groups.append([parts[heads + at] for at in group])
    rows = [_merge(group) for group in groups]
    for at in range(head_rows - 1):
        rows[at] = widen(block, rows[at], rows[at + 1 : head_rows], level)
    cells = [
        Cell(at, first, 1, last - first + 1, cell_text(words), all(word.bold for word in words))
        for at, row in enumerate(rows)
        for (first, last), words in sorted(row.items())
    ]
    places = [_middle([word for words in row.values() for word in words]) for row in rows]
    return cells, places, head_rows


def _middle(words: Sequence[Word]) -> float:
    return (min(word.top for word in words) + max(word.bottom for word in words)) / 2


def _parts(block: Block, line: Line) -> Parts:
    """Cut the phrases of a line at column borders, but for those that a word stands across."""
    parts: Parts = {}
    for phrase in line.phrases:
        first, last = block.span(phrase)
        places = _places_to_cut(block, phrase, line.high)
        alone = len(line.phrases) == 1 and first == 0
        if first != last and places and not alone:
            for start, end in pairwise([0, *places, len(phrase.words)]):
                part = phrase.words[start:end]
                at = block.column((part[0].x0 + part[-1].x1) / 2)
                parts.setdefault((at, at), []).extend(part)
        elif (first, last) in parts:
            parts[first, last].extend(phrase.words)
        else:
            taken = [key for key in parts if key[1] >= first]
            wide = (min([first, *(low for low, _ in taken)]), max([last, *(high for _, high in taken)]))
            parts[wide] = [*(word for old in taken for word in parts.pop(old)), *phrase.words]
    return parts


def _places_to_cut(block: Block, phrase: Phrase, high: float) -> list[int]:
    """Return the numbers of words before which borders cut a phrase; none where one has no gap near it."""
    places = []
    for cut in block.cuts:
        if not phrase.x0 + 0.6 * high < cut < phrase.x1 - 0.6 * high:
            continue
        gaps = [
            (abs((left.x1 + right.x0) / 2 - cut), at + 1)
            for at, (left, right) in enumerate(pairwise(phrase.words))
            if right.x0 - left.x1 >= 0.38 * high
        ]
        if not gaps or min(gaps)[0] > 1.2 * high:
            return []
        places.append(min(gaps)[1])
    return sorted(set(places)) if len(set(places)) == len(places) else []


def _rules_between(block: Block, level: Sequence[Rule]) -> set[int]:
    """Return the numbers of lines that have a ruling across most of the table right above them."""
    left = min(line.phrases[0].x0 for line in block.lines)
    right = max(line.phrases[-1].x1 for line in block.lines)
    found = set()
    for y in sorted({rule[0] for rule in level}):
        cover = sum(
            max(0.0, min(right, end) - max(left, start)) for at, start, end in level if abs(at - y) < 1
        )
        below = next((at for at, line in enumerate(block.lines) if (line.top + line.bottom) / 2 > y), None)
        if below is not None and cover >= 0.6 * (right - left):
            found.add(below)
    return found


def _body_groups(lines: Sequence[Line], parts: Sequence[Parts], rules: set[int]) -> list[list[int]]:
    """Join the lines of one row: between rulings, between wider blanks, or where a line goes on a cell."""
    if len(rules) >= 2 and len(rules) * 4 >= len(lines):
        groups = _split(len(lines), rules)
        if _single_figures(groups, parts):
            return groups
    gaps = [below.top - above.bottom for above, below in pairwise(lines)]
    high = max((line.high for line in lines), default=1.0)
    ordered = sorted(gaps)
    jumps = [(below - above, (above + below) / 2) for above, below in pairwise(ordered)]
    if jumps and max(jumps)[0] >= 0.3 * high:
        groups = _split(len(lines), {at + 1 for at, gap in enumerate(gaps) if gap > max(jumps)[1]})
        tight = sum(len(group) > 1 for group in groups)
        if len(groups) > 2 and tight and _single_figures(groups, parts) and _one_label(groups, parts):
            return groups
    groups = []
    for at in range(len(parts)):
        if groups and _goes_on(lines, parts, groups[-1], at):
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _split(count: int, starts: set[int]) -> list[list[int]]:
    groups: list[list[int]] = []
    for at in range(count):
        if at in starts or not groups:
            groups.append([])
        groups[-1].append(at)
    return groups


def _single_figures(groups: Sequence[Sequence[int]], parts: Sequence[Parts]) -> bool:
    """Tell whether no group has two figures in one column: these would be two rows."""
    for group in groups:
        seen = set()
        for at in group:
            for key, words in parts[at].items():
                if is_value(cell_text(words)):
                    if key in seen:
                        return False
                    seen.add(key)
    return True


def _one_label(groups: Sequence[Sequence[int]], parts: Sequence[Parts]) -> bool:
    """Tell whether groups are rows of several lines and not sections of several rows."""
    both = sum(
        1
        for group in groups
        for one, two in pairwise(group)
        if len(parts[one]) > 1 and parts[one].keys() == parts[two].keys()
    )
    pairs = sum(len(group) - 1 for group in groups)
    return both * 2 <= pairs


def _goes_on(lines: Sequence[Line], parts: Sequence[Parts], group: Sequence[int], at: int) -> bool:
    """Tell whether a line continues cells of the row above it, rather than being a row."""
    line, row = lines[at], parts[at]
    above: set[tuple[int, int]] = {key for number in group for key in parts[number]}
    if line.top - lines[at - 1].bottom > 0.6 * line.high or not row:
        return False
    texts = {key: cell_text(words) for key, words in row.items()}
    if above == {(0, 0)} and len(group) == 1 and texts.get((0, 0), "")[:1].islower():
        return True  # A label of two lines whose figures stand beside the second.
    if not set(row) <= above or len(row) >= len(above) or any(map(is_value, texts.values())):
        return False
    if (0, 0) not in row:
        return True
    return len(row) == 1 and texts[0, 0][:1].islower()


def _merge(group: Sequence[Parts]) -> Parts:
    """Lay the lines of one row over each other; a part that spans others takes them in."""
    merged: Parts = {}
    for row in group:
        for key, words in row.items():
            hit = [old for old in merged if old[0] <= key[1] and key[0] <= old[1]]
            wide = (min([key[0], *(low for low, _ in hit)]), max([key[1], *(high for _, high in hit)]))
            merged[wide] = [*(word for old in hit for word in merged.pop(old)), *words]
    return merged
