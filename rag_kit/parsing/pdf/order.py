"""Reading order: where the columns of a page are, and what runs across them.

A gutter is a strip that few boxes cross and that text stands on both sides of. What crosses it (a heading
over all columns, a wide table) parts the page into bands; inside a band the columns are read one after the
other. Both are searched again in every part found, so that three columns and side bars come out too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Protocol, TypeVar

from rag_kit.parsing.pdf.glyphs import Box

_DEEPEST = 12
_NARROWEST = 5.0
"""Points: a gutter is at least as wide."""
_CANDIDATES = 24
_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)]*$")
_VALUE = re.compile(r"[-+(]?[^\w\s]?\s*\d[\d.,:/ %€$£-]*\)?\W*$|[-–—]$|n/?a$", re.I)


class Placed(Protocol):
    """Anything with a place and a text, which is empty for a table or a picture."""

    @property
    def box(self) -> Box:
        """Return x0, top, x1, bottom."""

    @property
    def text(self) -> str:
        """Return its words."""


T = TypeVar("T", bound=Placed)


def reading_order(boxes: Sequence[T], *, right_first: bool = False) -> list[list[T]]:
    """Return the boxes of a page in groups, each one column or one run across the columns, in reading order.

    ``right_first`` is for scripts that run from the right.
    """
    groups = _order(list(boxes), right_first, 0)
    return [sorted(group, key=lambda each: (each.box[1], each.box[0])) for group in groups]


def _order(boxes: list[T], right_first: bool, depth: int) -> list[list[T]]:
    if len(boxes) < 3 or depth > _DEEPEST:
        return [boxes] if boxes else []
    for gutter in _gutters(boxes):
        parts = _bands(boxes, gutter)
        if sum(map(len, parts)) and any(len(part) == 2 for part in parts):
            ordered: list[list[T]] = []
            for part in parts:
                for side in reversed(part) if right_first else part:
                    ordered.extend(_order(side, right_first, depth + 1))
            return ordered
    return [boxes]


def _gutters(boxes: Sequence[T]) -> list[tuple[float, float]]:
    """Return the strips that fewer boxes cross than stand at either side, the least crossed first."""
    edges = sorted({x for box in boxes for x in (box.box[0], box.box[2])})
    change: dict[float, int] = {}
    for box in boxes:
        change[box.box[0]] = change.get(box.box[0], 0) + 1
        change[box.box[2]] = change.get(box.box[2], 0) - 1
    counts, count = [], 0
    for x in edges[:-1]:
        count += change[x]
        counts.append(count)
    highest_left, highest_right = [0], [0]
    for count in counts:
        highest_left.append(max(highest_left[-1], count))
    for count in reversed(counts):
        highest_right.append(max(highest_right[-1], count))
    highest_right.reverse()
    found = []
    for at, count in enumerate(counts):
        left, right = edges[at], edges[at + 1]
        deep = min(highest_left[at], highest_right[at + 1]) - count
        if right - left >= _NARROWEST and deep >= 2:
            found.append((count, -deep, -(right - left), left, right))
    return [(left, right) for *_, left, right in sorted(found)[:_CANDIDATES]]


def _bands(boxes: Sequence[T], gutter: tuple[float, float]) -> list[list[list[T]]]:
    """Part boxes into bands, each of one list, or of two where its text stands in columns.

    No list where the gutter parts no columns at all.
    """
    middle = (gutter[0] + gutter[1]) / 2
    across = sorted((box for box in boxes if _crosses(box, middle)), key=lambda each: each.box[1])
    rest = sorted((box for box in boxes if not _crosses(box, middle)), key=_height)
    heights = list(map(_height, rest))

    def between(top: float, bottom: float) -> list[T]:
        return rest[bisect_left(heights, top) : bisect_left(heights, bottom)]

    # Boxes that cross, and whatever stands beside them, make zones; what is between two zones is a band.
    zones: list[list[T]] = []
    ends: list[tuple[float, float]] = []
    for box in across:
        top, bottom = box.box[1], box.box[3]
        if zones and (top <= ends[-1][1] or not _columns(between(ends[-1][1], top), middle)):
            zones[-1].append(box)
            ends[-1] = (ends[-1][0], max(ends[-1][1], bottom))
        else:
            zones.append([box])
            ends.append((top, bottom))
    parts: list[list[list[T]]] = []
    above = -1e9
    for zone, (top, bottom) in zip(zones, ends, strict=True):
        below = _last_line(zone, bottom, between(bottom, bottom + 40))
        _add_band(parts, between(above, top), middle)
        _add_single(parts, [*zone, *between(max(above, top), below)])
        above = below
    _add_band(parts, between(above, 1e9), middle)
    return parts if any(len(part) == 2 for part in parts) else []


def _crosses(box: Placed, middle: float) -> bool:
    return box.box[0] < middle < box.box[2]


def _last_line(zone: Sequence[Placed], bottom: float, rest: Sequence[Placed]) -> float:
    """Return where a zone ends with the last, short line of its paragraph, which does not cross the gutter."""
    last = max(zone, key=lambda each: each.box[3])
    high = last.box[3] - last.box[1]
    below = [box for box in rest if _height(box) < bottom + 1.2 * high]
    if len(below) == 1:
        x0, top, _, end = below[0].box
        alike = abs(end - top - high) < 0.1 * high and abs(x0 - last.box[0]) < 2 * high
        if alike and top - bottom < 0.6 * high:
            return end
    return bottom


def _add_band(parts: list[list[list[T]]], band: list[T], middle: float) -> None:
    if _columns(band, middle):
        parts.append(
            [[box for box in band if box.box[2] <= middle], [box for box in band if box.box[0] >= middle]]
        )
    else:
        _add_single(parts, band)


def _add_single(parts: list[list[list[T]]], boxes: list[T]) -> None:
    if boxes and parts and len(parts[-1]) == 1:
        parts[-1][0].extend(boxes)
    elif boxes:
        parts.append([boxes])


def _height(box: Placed) -> float:
    return (box.box[1] + box.box[3]) / 2


def _columns(band: Sequence[Placed], middle: float) -> bool:
    """Return whether what stands left and right of a gutter is read down, not across."""
    left = [box for box in band if box.box[2] <= middle]
    right = [box for box in band if box.box[0] >= middle]
    if len(_rows(left)) < 2 or len(_rows(right)) < 2:
        return False
    top, bottom = max(_top(left), _top(right)), min(_bottom(left), _bottom(right))
    beside = [sum(top <= _height(box) <= bottom for box in side) for side in (left, right)]
    if min(beside) < 2 and max(beside) < 3:
        return False
    return _flush_left(left, right) and not _tabular(left, right)


def _flush_left(left: Sequence[Placed], right: Sequence[Placed]) -> bool:
    """Return whether the right side has an edge, as a column has; the gaps of justified lines make none.

    Centred columns have none either: they need a gutter of three line heights.
    """
    rows = _rows(right)
    edges: Counter[int] = Counter()
    firsts: dict[int, float] = {}
    for box in right:
        row = bisect_left(rows, _height(box) - 2)
        firsts[row] = min(firsts.get(row, 1e9), box.box[0])
    for x in firsts.values():
        edges.update({int(x // 1.5), int((x + 0.75) // 1.5)})
    if 2 * max(edges.values()) >= len(firsts) and len(firsts) > 1 and max(edges.values()) > 1:
        return True
    high = max(box.box[3] - box.box[1] for box in right)
    return min(box.box[0] for box in right) - max(box.box[2] for box in left) > 3 * high


def _top(boxes: Sequence[Placed]) -> float:
    return min(box.box[1] for box in boxes)


def _bottom(boxes: Sequence[Placed]) -> float:
    return max(box.box[3] for box in boxes)


def _rows(boxes: Sequence[Placed]) -> list[float]:
    """Return the middle heights of the rows that the boxes make."""
    rows: list[float] = []
    for box in sorted(boxes, key=_height):
        if not rows or _height(box) - rows[-1] > 0.5 * (box.box[3] - box.box[1]):
            rows.append(_height(box))
    return rows


def _tabular(left: Sequence[Placed], right: Sequence[Placed]) -> bool:
    """Return whether the rows of two sides belong together: labels and values, numbers and entries.

    Values and short labels are, if nearly all rows stand level with one of the other side. Sentences are not.
    """
    lefts, rights = _rows(left), _rows(right)
    few = min(lefts, rights, key=len)
    many = lefts if few is rights else rights
    level = sum(any(abs(row - other) < 3 for other in many) for row in few)
    if level < 0.8 * len(few):
        return False
    for side in (left, right):
        texts = [box.text.strip() for box in side if box.text.strip()]
        if texts and sum(bool(_VALUE.match(text)) for text in texts) >= 0.6 * len(texts):
            return True
    labels = [box.text.strip() for box in left if box.text.strip()]
    if labels and sum(text.endswith(":") for text in labels) >= 0.6 * len(labels):
        return True
    # A marker, a number of a paragraph or a term before its meaning.
    if labels and sum(len(text) <= 5 for text in labels) >= 0.8 * len(labels):
        return True
    return not _speaks(left) and not _speaks(right) and level >= 3


def _speaks(side: Sequence[Placed]) -> bool:
    """Return whether a side reads like prose: long lines, or a line that ends a sentence."""
    texts = [box.text.strip() for box in side if box.text.strip()]
    words = sum(len(text.split()) for text in texts) / max(1, len(texts))
    ends = any(_SENTENCE_END.search(text) and len(text.split()) > 1 for text in texts)
    return ends or words > 3.5
