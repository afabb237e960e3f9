"""Small tables of results, written by a cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rag_kit.teaching.prose import show_markdown

if TYPE_CHECKING:
    from IPython.display import Markdown

_NOTHING = {"", "-", "–", "—"}
_NUMBER = r"[+\-−]?(?:\d[\d,]*\.?\d*|\.\d+)(?: ?%)?"
_INTERVAL = rf" ?[(\[]{_NUMBER}(?: to |, ?| ?[–…] ?){_NUMBER}[)\]]"
_WRITTEN = re.compile(rf"(?:{_NUMBER}|\*\*{_NUMBER}\*\*)(?:{_INTERVAL})?|\*\*{_NUMBER}{_INTERVAL}\*\*")


def show_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Markdown:
    """Return a table as a cell's result; numbers stand at the right, floats with three decimals.

    A column is one of numbers where each of its cells is a number, or says with a dash or with nothing that
    there is none. A number may be written as text: with a sign, with %, with an interval in brackets,
    in bold.

    >>> print(show_table(["word", "count"], [["fee", 2], ["due", "–"]]).data)
    | word | count |
    |---|---:|
    | fee | 2 |
    | due | – |
    """
    held = [[_cell(value) for value in row] for row in rows]
    rule = ["---:" if _numeric([row[at] for row in held]) else "---" for at in range(len(columns))]
    lines = [f"| {' | '.join(map(_cell, columns))} |", f"|{'|'.join(rule)}|"]
    lines += [f"| {' | '.join(row)} |" for row in held]
    return show_markdown("\n".join(lines))


def _numeric(cells: Sequence[str]) -> bool:
    said = [cell for cell in cells if cell not in _NOTHING]
    return bool(said) and all(map(_WRITTEN.fullmatch, said))


def _cell(value: object) -> str:
    text = (
        f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
    )
    return " ".join(text.replace("|", "\\|").split())
