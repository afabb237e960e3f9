"""Running headers, footers and page numbers: what repeats at one place of the pages, and only there."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from rag_kit.parsing.pdf.parts import Sheet
from rag_kit.parsing.pdf.segments import Segment
from rag_kit.types import Notice

ROWS = 3
"""Rows looked at, at the top and at the foot of a page."""
_NEAR = 4.0
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"[ivxlc]{1,7}", re.I)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A piece in one of the outermost rows of a page; ``place`` is its distance from that edge."""

    sheet: int
    layer: int
    segment: Segment
    place: float
    edge: str
    key: str
    numbers: tuple[int, ...]


def remove_running(sheets: Sequence[Sheet]) -> tuple[str | None, list[Notice]]:
    """Take running lines out of the pages; return the first header's text and a notice of how many went.

    A line runs if it stands on at least three pages, or on two that are half of all, at the same place in the
    same size, and its figures either stay or go up with the pages. Nothing is cut by its distance from an edge.
    """
    groups: dict[tuple[str, str, float, int], list[_Seen]] = defaultdict(list)
    for at, sheet in enumerate(sheets):
        for seen in _outermost(at, sheet):
            groups[seen.key, seen.edge, seen.segment.size, seen.layer].append(seen)
    gone: dict[tuple[int, int], set[int]] = defaultdict(set)
    kinds: Counter[str] = Counter()
    heads: list[_Seen] = []
    for group in groups.values():
        for same in _same_place(group):
            for running in _same_figures(same):
                pages = {seen.sheet for seen in running}
                if not _repeats(len(pages), len(sheets)):
                    continue
                for seen in running:
                    gone[seen.sheet, seen.layer].add(id(seen.segment))
                    heads += [seen] if seen.edge == "top" else []
                kinds[running[0].segment.text] += len(running)
    for (sheet_at, layer), ids in gone.items():
        kept = [each for each in sheets[sheet_at].layers[layer] if id(each) not in ids]
        sheets[sheet_at].layers[layer] = kept
    if not kinds:
        return None, []
    example = kinds.most_common(1)[0][0]
    message = (
        f"removed {sum(kinds.values())} running lines (headers, footers, page numbers) of {len(kinds)} kinds, "
        f"such as {example[:60]!r}"
    )
    return _first_header(heads), [Notice("running_lines", message)]


def _repeats(pages: int, of: int) -> bool:
    return pages >= 3 or (pages >= 2 and 2 * pages >= of)


def _outermost(at: int, sheet: Sheet) -> list[_Seen]:
    found = []
    for layer, segments in enumerate(sheet.layers):
        rows: list[list[Segment]] = []
        for segment in sorted(segments, key=lambda each: each.base):
            if rows and segment.base - rows[-1][0].base < 0.35 * segment.size:
                rows[-1].append(segment)
            else:
                rows.append([segment])
        high = sheet.size[1] if layer == 0 else 0.0
        for edge, outer in (("top", rows[:ROWS]), ("foot", rows[-ROWS:])):
            for segment in (each for row in outer for each in row):
                place = segment.base if edge == "top" else high - segment.base
                text = " ".join(segment.text.split())
                key = "0" if _ROMAN.fullmatch(text) else _DIGITS.sub("0", text.casefold())
                numbers = (
                    (_roman(text),) if _ROMAN.fullmatch(text) else tuple(map(int, _DIGITS.findall(text)))
                )
                found.append(_Seen(at, layer, segment, place, edge, key, numbers))
    return found


def _roman(text: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}[sign] for sign in text.lower()]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def _same_place(group: list[_Seen]) -> list[list[_Seen]]:
    places: list[list[_Seen]] = []
    for seen in sorted(group, key=lambda each: each.place):
        if places and seen.place - places[-1][0].place <= _NEAR:
            places[-1].append(seen)
        else:
            places.append([seen])
    return places


def _same_figures(group: list[_Seen]) -> list[list[_Seen]]:
    """Part lines of one wording by their figures: those that go up with the page count as one."""
    steady: dict[tuple[object, ...], list[_Seen]] = defaultdict(list)
    offsets = [
        Counter(number - seen.sheet for seen, number in zip(group, column, strict=True)).most_common(1)[0]
        for column in zip(*(seen.numbers for seen in group), strict=True)
    ]
    for seen in group:
        figures: list[object] = []
        for number, (offset, count) in zip(seen.numbers, offsets, strict=True):
            moves = count >= 2 and number - seen.sheet == offset
            figures.append("page" if moves else number)
        bare = not any(sign.isalpha() for sign in seen.key)
        # A row of plain figures is data, unless its only figure is the page's.
        if bare and figures not in (["page"], []) and len(seen.numbers) == 1:
            continue
        if bare and len(seen.numbers) > 1 and "page" not in figures:
            continue
        steady[tuple(figures)].append(seen)
    return list(steady.values())


def _first_header(heads: list[_Seen]) -> str | None:
    """Return the words of the header of the first page that has one, without what are page numbers only."""
    if not heads:
        return None
    first = min(seen.sheet for seen in heads)
    row = {id(seen.segment): seen.segment for seen in heads if seen.sheet == first}
    words = [s.text.strip() for s in sorted(row.values(), key=lambda s: (s.base, s.x0))]
    text = " ".join(word for word in words if any(sign.isalpha() for sign in word))
    return text or None
