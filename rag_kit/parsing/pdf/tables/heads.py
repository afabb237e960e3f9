"""The header of a table: which rows or lines it takes, and labels that stand over several columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rag_kit.parsing.pdf.tables.blocks import Block
from rag_kit.parsing.pdf.tables.grid import YEAR, Cell, Word, cell_text, is_value, run_of_years
from rag_kit.parsing.pdf.tables.ruled import Rule

Parts = dict[tuple[int, int], list[Word]]
"""The words of a row by the first and last column they stand in."""


def head_lines(block: Block, parts: Sequence[Parts], rules: set[int]) -> int:
    """Return how many lines at the top are header: those over the first figures, or over the first ruling."""
    width = len(block.cuts) + 1
    below: list[list[str]] = [[] for _ in range(width)]
    for row in parts:
        for (first, last), words in row.items():
            if first == last:
                below[first].append(cell_text(words))
    half = len(parts) / 2
    figures = {at for at, texts in enumerate(below) if texts and sum(map(is_value, texts)) * 2 >= len(texts)}
    dated = {
        at
        for at in figures
        if sum(YEAR.fullmatch(text) is not None for text in below[at]) * 2 > len(below[at])
    }
    first_data = len(parts)
    labelled = False
    for at, row in enumerate(parts):
        texts = {key[0]: cell_text(some) for key, some in row.items() if key[0] == key[1]}
        years = 0 not in texts or not labelled or run_of_years(texts.values())
        hits = [
            column
            for column, text in texts.items()
            if column in figures
            and is_value(text)
            and (column in dated or not years or not YEAR.fullmatch(text))
        ]
        if hits and len(hits) * 2 >= len([column for column in texts if column in figures]):
            first_data = at
            break
        labelled = labelled or any(column > 0 for column in texts)
    drawn = min((at for at in rules if 0 < at <= min(half, first_data if figures else half)), default=0)
    if drawn and not figures:
        return drawn
    if first_data == len(parts) or not figures:
        top = [word for words in parts[0].values() for word in words] if parts else []
        rest = [word for row in parts[1:] for words in row.values() for word in words]
        return int(
            bool(top) and all(w.bold for w in top) and not all(w.bold for w in rest) and len(parts[0]) > 1
        )
    last_drawn = max((at for at in rules if 0 < at <= first_data), default=0)
    heads = first_data
    while heads > last_drawn and all(key[0] == 0 for key in parts[heads - 1]):
        heads -= 1
    return heads if any(key[1] > 0 for row in parts[:heads] for key in row) else 0


def head_groups(parts: Sequence[Parts]) -> list[list[Parts]]:
    """Join header lines to rows: labels that span columns part the levels of a header."""
    groups: list[list[Parts]] = []
    for part in parts:
        above = {key for row in groups[-1] for key in row} if groups else set()
        spans = any(first != last for first, last in part)
        spanned = any(first != last for first, last in above)
        if groups and spans == spanned and (not spans or set(part) <= above):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def widen(block: Block, row: Parts, below: Sequence[Parts], level: Sequence[Rule]) -> Parts:
    """Let the labels of an upper header row span the columns that their ruling covers, or that they stand over.

    Without a ruling, a label spans the columns to both sides of its own over whose middle it stands, as far as
    these have labels below and none beside it.
    """
    keys = sorted(row)
    wide: Parts = {}
    for number, (first, last) in enumerate(keys):
        low = keys[number - 1][1] + 1 if number else min(first, 1)
        high = keys[number + 1][0] - 1 if number + 1 < len(keys) else len(block.cuts)
        low = max([low, *(key[1] + 1 for key in wide)])
        span = _under_rule(block, row[first, last], level)
        if span is None or not low <= span[0] <= first <= last <= span[1] <= high:
            span = _under_middle(row[first, last], (first, last), (low, high), below)
        wide[span] = row[first, last]
    return wide


def _under_rule(block: Block, words: Sequence[Word], level: Sequence[Rule]) -> tuple[int, int] | None:
    x0, x1 = min(word.x0 for word in words), max(word.x1 for word in words)
    bottom, size = max(word.bottom for word in words), words[0].high
    for at, start, end in level:
        if bottom - 1 <= at <= bottom + 0.8 * size and start <= x0 + 2 and end >= x1 - 2:
            return block.column(start + 2), block.column(end - 2)
    return None


def _under_middle(
    words: Sequence[Word], own: tuple[int, int], room: tuple[int, int], below: Sequence[Parts]
) -> tuple[int, int]:
    middle = (min(word.x0 for word in words) + max(word.x1 for word in words)) / 2
    for step in range(min(own[0] - room[0], room[1] - own[1]), 0, -1):
        first, last = own[0] - step, own[1] + step
        under = [
            part
            for row in below
            for key, some in row.items()
            if first <= key[0] and key[1] <= last
            for part in some
        ]
        labelled = {column for row in below for key in row for column in range(key[0], key[1] + 1)}
        if not set(range(first, last + 1)) <= labelled or not under:
            continue
        left, right = min(word.x0 for word in under), max(word.x1 for word in under)
        if abs((left + right) / 2 - middle) <= 0.08 * (right - left):
            return first, last
    return own


def count_heads(grid: Sequence[Sequence[str]], cells: Iterable[Cell] = ()) -> int:
    """Count the header rows: labels over figures, or rows in bold over rows that are not.

    Returns 0 where nothing tells the first row from the others: it may continue a table.

    >>> count_heads([["City", "2023"], ["Oslo", "1,200"], ["Rome", "1,700"]])
    1
    >>> count_heads([["Oslo", "1,200"], ["Rome", "1,700"]])
    0
    """
    by_row: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell.text:
            by_row.setdefault(cell.row, []).append(cell)
    bold = [bool(by_row.get(at)) and all(cell.bold for cell in by_row[at]) for at in range(len(grid))]
    width = len(grid[0]) if grid else 0
    full = {cell.row for found in by_row.values() for cell in found if cell.columns >= width > 1}
    parted = {cell.row for found in by_row.values() for cell in found if 1 < cell.columns < width}
    titles = next((at for at in range(len(grid)) if at not in full), 0)
    heads = titles
    while (
        heads < len(grid) - 1
        and _labels(grid[heads], first=heads == titles or heads - 1 in parted)
        and (_over_figures(grid, heads) or heads in parted or heads - 1 in parted)
    ):
        heads += 1
    heads = heads if heads > titles else 0  # A title alone is no header.
    if not heads and bold and bold[0] and not all(bold):
        heads = bold.index(False)
        heads = heads if heads * 2 <= len(grid) or heads == 1 else 0
    # What a header cell reaches down to is header too.
    while grow := [
        c.row + c.rows for at in range(heads) for c in by_row.get(at, []) if c.row + c.rows > heads
    ]:
        if max(grow) >= len(grid):
            break
        heads = max(grow)
    return heads


def _labels(row: Sequence[str], *, first: bool) -> bool:
    """Tell whether a row holds labels; years are such in the first row, beside no label, or in order."""
    texts = [text for text in row if text]
    years = first or not row[0] or run_of_years(texts)
    return bool(texts) and all(not is_value(text) or (years and YEAR.fullmatch(text)) for text in texts)


def _over_figures(grid: Sequence[Sequence[str]], at: int) -> bool:
    """Tell whether most labels of a row, the first column apart, have figures of another kind below."""
    hits = labels = 0
    for column, label in enumerate(grid[at]):
        below = [row[column] for row in grid[at + 1 :] if row[column]]
        if not label or column == 0 or not below:
            continue
        labels += 1
        years = sum(1 for text in below if YEAR.fullmatch(text))
        hits += sum(map(is_value, below)) * 2 >= len(below) and years * 2 <= len(below)
    return hits > 0 and hits * 2 >= labels
