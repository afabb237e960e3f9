"""Small tables of results, written by a cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rag_kit.teaching.prose import show_markdown

if TYPE_CHECKING:
    from IPython.display import Markdown


def show_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Markdown:
    """Return a table as a cell's result; numbers stand at the right, floats with three decimals.

    >>> print(show_table(["word", "count"], [["fee", 2]]).data)
    | word | count |
    |---|---:|
    | fee | 2 |
    """
    held = [list(row) for row in rows]
    numeric = [
        all(isinstance(row[at], (int, float)) for row in held) and bool(held) for at in range(len(columns))
    ]
    lines = [list(columns), ["---:" if number else "---" for number in numeric]]
    lines += [[_cell(value) for value in row] for row in held]
    head, rule, *body = lines
    written = [f"| {' | '.join(head)} |", f"|{'|'.join(rule)}|", *(f"| {' | '.join(row)} |" for row in body)]
    return show_markdown("\n".join(written))


def _cell(value: object) -> str:
    text = (
        f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
    )
    return " ".join(text.replace("|", "\\|").split())
