"""The lines of a column to paragraphs, headings, lists and code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rag_kit.parsing.pdf.headings import Body, heads
from rag_kit.parsing.pdf.joins import SENTENCE_END
from rag_kit.parsing.pdf.lists import BULLETS, item_marker
from rag_kit.parsing.pdf.parts import Line, Part, PlacedTable
from rag_kit.parsing.pdf.regions import Region

_CLAUSE = re.compile(r"§?\s?\d{1,3}(?:\.\d{1,3})+\.?\s|§\s?\d|\(?(?:\d{1,3}|[a-z])[.)]\s")


@dataclass(frozen=True, slots=True)
class _Column:
    """The edges of a column and the usual distance of its lines."""

    left: float
    right: float
    pitch: dict[float, float]

    def is_gap(self, before: Line, line: Line) -> bool:
        usual = self.pitch.get(line.size, 1.25 * line.size)
        return line.base - before.base > max(1.2 * usual, usual + 2)

    def fits(self, before: Line, line: Line) -> bool:
        """Return whether the first word of a line would have found room at the end of the one before."""
        words = line.text.split(maxsplit=1)
        wide = (line.x1 - line.x0) / max(1, len(line.text))
        return bool(words) and before.x1 + wide * (len(words[0]) + 1.5) < self.right


def read_parts(region: Region, page: int, body: Body) -> list[Part]:
    """Return the parts of one column, in order."""
    lines = [each for each in region if isinstance(each, Line)]
    if not lines:
        return [_table(each, page) for each in region if isinstance(each, PlacedTable)]
    column = _Column(min(line.x0 for line in lines), max(line.x1 for line in lines), _pitches(lines))
    parts: list[Part] = []
    before: Line | None = None
    for each in region:
        if isinstance(each, PlacedTable):
            parts.append(_table(each, page))
            before = None
        else:
            _place(parts, before, each, column, page, body)
            before = each
    return [_checked(part, body) for part in parts]


def _table(table: PlacedTable, page: int) -> Part:
    return Part("table", page, table=table)


def _pitches(lines: Sequence[Line]) -> dict[float, float]:
    """Return for each size the usual distance of two baselines."""
    found: dict[float, Counter[float]] = {}
    right = max(line.x1 for line in lines)
    left = min(line.x0 for line in lines)
    for before, line in zip(lines, lines[1:], strict=False):
        distance = round((line.base - before.base) * 2) / 2
        if before.size == line.size and 0.8 * line.size < distance < 3 * line.size:
            # A far line goes on in the text only where the one before it filled the column.
            full = before.x1 > right - 0.15 * (right - left)
            if distance <= 1.5 * line.size or full:
                found.setdefault(line.size, Counter())[distance] += 1
    usual = {}
    for size, counter in found.items():
        most = max(counter.values())
        usual[size] = min(distance for distance, count in counter.items() if count >= 0.6 * most)
    return usual


def _place(
    parts: list[Part], before: Line | None, line: Line, column: _Column, page: int, body: Body
) -> None:
    """Put a line to the last part or begin a new one."""
    last = parts[-1] if parts and before is not None else None
    kind = "code" if line.pitch and not body.mono else "title" if heads(line, body) else "paragraph"
    marker = item_marker(line.text) if kind == "paragraph" else None
    if last is None or before is None:
        _begin(parts, line, kind, marker, page)
    elif kind == "code" or last.kind == "code":
        if kind == last.kind:
            last.lines.append(line)
        else:
            _begin(parts, line, kind, marker, page)
    elif kind == "title" or last.kind == "title":
        alike = before.size == line.size and before.bold == line.bold
        near = line.base - before.base < 1.7 * line.size
        same = kind == last.kind and alike and near and not _numbered(line)
        bold = kind == "title" and last.kind == "paragraph" and _inside(before, line, column, body)
        if same or bold:
            last.lines.append(line)
        else:
            _begin(parts, line, kind, marker, page)
    elif marker and (last.kind == "list" or _may_begin_item(before, line, column)):
        if last.kind == "list":
            last.items.append([line])
        else:
            _begin(parts, line, kind, marker, page)
    elif last.kind == "list":
        if _leaves_item(last.items[-1], before, line, column):
            _begin(parts, line, kind, None, page)
        else:
            last.items[-1].append(line)
    elif _new_paragraph(last.lines, before, line, column):
        _begin(parts, line, kind, None, page)
    else:
        last.lines.append(line)


def _begin(parts: list[Part], line: Line, kind: str, marker: str | None, page: int) -> None:
    if marker:
        parts.append(Part("list", page, items=[[line]]))
    elif kind == "code":
        parts.append(Part("code", page, [line]))
    else:
        parts.append(Part("title" if kind == "title" else "paragraph", page, [line]))


def _numbered(line: Line) -> bool:
    return line.text[:1].isdigit() and item_marker(line.text) is not None


def _inside(before: Line, line: Line, column: _Column, body: Body) -> bool:
    """Return whether a line in bold stands in the middle of a sentence."""
    bold_only = line.size < 1.1 * body.size
    return (
        bold_only
        and not column.is_gap(before, line)
        and not SENTENCE_END.search(before.text)
        and not column.fits(before, line)
    )


def _may_begin_item(before: Line, line: Line, column: _Column) -> bool:
    if line.text.lstrip()[:1] in BULLETS or column.is_gap(before, line):
        return True
    return bool(SENTENCE_END.search(before.text)) or column.fits(before, line)


def _leaves_item(item: Sequence[Line], before: Line, line: Line, column: _Column) -> bool:
    """Return whether a line without a marker is no longer part of the item before it."""
    if abs(line.size - before.size) > 0.08 * before.size:
        return True
    back = line.x0 < item[0].x0 + 2
    if column.is_gap(before, line):
        return back or line.x0 < item[-1].x0 - 2 or bool(SENTENCE_END.search(before.text))
    return back and len(item) > 1 and item[1].x0 > item[0].x0 + 2


def _new_paragraph(lines: Sequence[Line], before: Line, line: Line, column: _Column) -> bool:
    if abs(line.size - before.size) > 0.08 * before.size or column.is_gap(before, line):
        return True
    ended = bool(SENTENCE_END.search(before.text))
    starts = line.text.lstrip()[:1]
    if ended and not starts.islower() and column.fits(before, line):
        return True
    indent = line.x0 - before.x0
    numbered = len(lines) == 1 and _CLAUSE.match(before.text)  # Its text hangs behind the number.
    if indent > 0.8 * line.size and ended and not starts.islower() and not numbered:
        return True
    hanging = len(lines) > 1 and lines[0].x0 < lines[1].x0 - 0.8 * line.size
    return hanging and abs(line.x0 - lines[0].x0) < 2 and before.x0 > line.x0 + 0.8 * line.size


def _checked(part: Part, body: Body) -> Part:
    """Make a heading of more words than one has a paragraph again."""
    if part.kind == "title":
        text = " ".join(line.text for line in part.lines)
        large = part.lines[0].size >= 1.15 * body.size
        if len(part.lines) > (4 if large else 3) or len(text.split()) > (35 if large else 20):
            part.kind = "paragraph"
    return part
