"""Tables that go on over a page's end: their rows joined, with the labels that the end cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from rag_kit.parsing.pdf.tables.grid import FoundTable

SAME_PLACE = 6.0
"""Points that the columns of a continued table may be off."""
MOVED = 0.4


def join_continued(previous: FoundTable, following: FoundTable) -> FoundTable | None:
    """Return one table where the second goes on the first: its columns at the same places, no new header.

    A header that repeats is dropped, and a label that the page's end cut off is filled in again. Returns None
    where the second is a table of its own.
    """
    if len(previous.columns) != len(following.columns) or len(previous.rows[0]) != len(following.rows[0]):
        return None
    shift = previous.columns[0] - following.columns[0]
    for by in (0.0, shift):
        if all(
            abs(one - two - by) <= reach
            for one, two, reach in zip(
                previous.columns, following.columns, _reaches(previous, following), strict=True
            )
        ):
            break
    else:
        return None
    heads = previous.heads
    again = heads if heads and following.rows[:heads] == previous.rows[:heads] else 0
    if not again and following.heads:
        return None
    body = following.rows[again:]
    filled = fill_labels(previous, body) if following.ruled else body
    added = {(row - again, column) for row, column in following.repeated if row >= again} | {
        (row, column)
        for row, (old, new) in enumerate(zip(body, filled, strict=True))
        for column in range(len(old))
        if old[column] != new[column]
    }
    moved = {(row + len(previous.rows), column) for row, column in added}
    return replace(previous, rows=[*previous.rows, *filled], repeated=previous.repeated | moved)


def fill_labels(above: FoundTable, rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows that go on a drawn table, its last labels filled into the first ones that have none.

    A label is what a merged cell of the first columns repeats from row to row; the page's end cuts the cell.

    >>> above = FoundTable((0, 0, 9, 9), [["Mounting", "1"], ["Mounting", "2"]], 0, True, (), frozenset({(1, 0)}))
    >>> fill_labels(above, [["", "3"], ["Cable", "4"], ["", "5"]])
    [['Mounting', '3'], ['Cable', '4'], ['', '5']]
    """
    filled = [list(row) for row in rows]
    for column in range(len(above.rows[0]) - 1):
        merged = any(
            (row, column) in above.repeated and above.rows[row][column] == above.rows[row - 1][column]
            for row in range(above.heads + 1, len(above.rows))
        )
        if not above.ruled or not merged:
            break
        for row in filled:
            if row[column] or not any(row):
                break
            row[column] = above.rows[-1][column]
    return filled


def _reaches(one: FoundTable, two: FoundTable) -> list[float]:
    """Return how far each border may be off: drawn ones stand, those in blanks move with the words."""
    if one.ruled and two.ruled:
        return [SAME_PLACE] * len(one.columns)
    widths = [
        min(b - a for a, b in pair) for pair in zip(pairwise(one.columns), pairwise(two.columns), strict=True)
    ]
    near = [min(pair) for pair in pairwise([widths[0], *widths, widths[-1]])]
    return [max(SAME_PLACE, MOVED * width) for width in near]
