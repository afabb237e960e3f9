"""Footnotes: small lines at the end of a column, the first with a mark."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_kit.parsing.pdf.headings import Body
from rag_kit.parsing.pdf.parts import Line, Part
from rag_kit.parsing.pdf.regions import Region

_MARK = re.compile(
    r"(?P<mark>[⁰¹²³⁴-⁹]+|\*{1,3}|[†‡§¶]|\[\d{1,2}\]|[1-9]\d?(?=[\s)]))[\s)]*(?=[^\W\d_]|[\"“‘(<])"
)
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_NAMES = {
    "*": "star",
    "**": "star2",
    "***": "star3",
    "†": "dagger",
    "‡": "dagger2",
    "§": "section",
    "¶": "pilcrow",
}


def mark_of(text: str) -> str | None:
    """Return the mark that a footnote begins with, as part of an anchor.

    >>> mark_of("¹² See the annex."), mark_of("* Net of tax"), mark_of("See the annex.")
    ('12', 'star', None)
    """
    match = _MARK.match(text.strip())
    if not match:
        return None
    mark = match["mark"].translate(_PLAIN).strip("[]")
    return _NAMES.get(mark, mark)


def take_notes(region: Region, page: int, body: Body) -> tuple[Region, list[Part]]:
    """Part a column into its text and the notes at its foot."""
    start = len(region)
    while start:
        line = region[start - 1]
        if not isinstance(line, Line) or line.size > 0.93 * body.size:
            break
        start -= 1
    while start < len(region) and not _is_first(region[start]):
        start += 1
    lines = [each for each in region[start:] if isinstance(each, Line)]
    return region[:start], _notes(lines, page)


def _is_first(line: object) -> bool:
    return isinstance(line, Line) and mark_of(line.text) is not None


def _notes(lines: Sequence[Line], page: int) -> list[Part]:
    notes: list[Part] = []
    for line in lines:
        mark = mark_of(line.text)
        if notes and not (mark and (line.marker or not notes[-1].lines[0].marker)):
            notes[-1].lines.append(line)
        else:
            notes.append(Part("note", page, [line], anchor=f"fn{mark}"))
    return notes
