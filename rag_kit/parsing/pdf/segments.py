"""Characters to pieces of lines: what stands on one baseline with no wide gap in it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from rag_kit.parsing.pdf.direction import is_rtl, logical_order
from rag_kit.parsing.pdf.glyphs import Box, Glyph

RAISED = str.maketrans("0123456789+-\u2212=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_RAISABLE = frozenset("0123456789+-\u2212")
# In parts of the font size: a gap that is a blank, one that parts two pieces, and one that parts two pieces
# which do not follow each other in the file.
_BLANK, _WIDE, _APART = 0.17, 0.95, 0.6

_FEW = 4
"""A piece of more characters is no raised one."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a line; ``pitch`` is the width of a character where all are equally wide, else 0.

    ``marker`` is the raised sign that the piece begins with; ``apart`` is True for one that stays a line of
    its own.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    base: float
    size: float
    bold: bool = False
    pitch: float = 0.0
    marker: str = ""
    confidence: float | None = None
    apart: bool = False

    @property
    def box(self) -> Box:
        """Return its place."""
        return self.x0, self.top, self.x1, self.bottom


def read_segments(glyphs: Iterable[Glyph]) -> list[Segment]:
    """Return the pieces of lines of characters that all run in one direction, top down."""
    runs = [run for run in _runs(glyphs) if any(glyph.text.strip() for glyph in run)]
    segments = list(map(segment_of, _joined(runs)))
    return sorted(segments, key=lambda segment: (segment.top, segment.x0))


def slanted(glyphs: Sequence[Glyph]) -> Segment:
    """Return characters that run in any other direction as one piece, in the file's order."""
    text = "".join(glyph.text + glyph.tail for glyph in glyphs)
    boxes = list(zip(*((g.x0, g.top, g.x1, g.bottom) for g in glyphs), strict=True))
    box = (min(boxes[0]), min(boxes[1]), max(boxes[2]), max(boxes[3]))
    size = max(glyph.style.size for glyph in glyphs)
    return Segment(" ".join(text.split()), *box, base=box[3], size=size)


def _runs(glyphs: Iterable[Glyph]) -> list[list[Glyph]]:
    """Part the characters, in the file's order, where the next one does not go on in the line."""
    runs: list[list[Glyph]] = []
    last: Glyph | None = None
    for glyph in glyphs:
        if last is not None and _follows(last, glyph):
            runs[-1].append(glyph)
        elif glyph.text.strip():
            runs.append([glyph])
        else:
            continue
        last = glyph if glyph.text.strip() or last is None else replace(last, x1=max(last.x1, glyph.x1))
    return runs


def _follows(last: Glyph, glyph: Glyph) -> bool:
    """Return whether a character goes on in the line, set raised or lowered or not."""
    sizes = last.style.size, glyph.style.size
    large, off = max(sizes), abs(glyph.base - last.base)
    level = off < 0.12 * large or (0.4 * large < min(sizes) < 0.85 * large and off < 0.65 * large)
    # Letters of a line that runs from the right come from right to left.
    gap = min(abs(glyph.x0 - last.x1), abs(last.x0 - glyph.x1))
    inside = last.x0 - 0.1 * large <= glyph.x0 <= last.x1
    return level and (inside or gap < _WIDE * large)


def _base(run: Sequence[Glyph]) -> tuple[float, float]:
    """Return the baseline and the size of a run: those of most of its letters, of equally many the larger."""
    sizes = Counter(glyph.style.size for glyph in run if glyph.text.isalnum())
    sizes = sizes or Counter(glyph.style.size for glyph in run if glyph.text.strip())
    size = max(sizes, key=lambda each: (sizes[each], each))
    near = [glyph.base for glyph in run if glyph.text.strip() and 0.9 < glyph.style.size / size < 1.1]
    return median(near), size


def _joined(runs: list[list[Glyph]]) -> list[list[Glyph]]:
    """Join runs that stand side by side on one baseline, however the file orders them."""
    measured = sorted(((*_base(run), run) for run in runs), key=lambda each: each[0])
    rows: list[list[tuple[float, list[Glyph]]]] = []
    last = -1e9
    for base, size, run in measured:
        if base - last > 0.1 * size:
            rows.append([])
        rows[-1].append((size, run))
        last = base
    pieces: list[list[Glyph]] = []
    for row in rows:
        row.sort(key=lambda each: _left(each[1]))
        right, height = -1e9, 0.0
        for size, run in row:
            left = _left(run)
            alike = min(size, height) > 0.4 * max(size, height)
            if alike and -0.5 * size < left - right < _APART * max(size, height):
                pieces[-1].extend(run)
            else:
                pieces.append(list(run))
                right = -1e9
            right, height = max(right, _right(run)), size
    return _raised_in_place(pieces)


def _left(run: Sequence[Glyph]) -> float:
    return min(glyph.x0 for glyph in run)


def _middle(glyph: Glyph) -> float:
    return (glyph.x0 + glyph.x1) / 2


def _right(run: Sequence[Glyph]) -> float:
    return max(glyph.x1 for glyph in run)


def _raised_in_place(pieces: list[list[Glyph]]) -> list[list[Glyph]]:
    """Put small raised or lowered pieces that were drawn apart to the line that they touch."""
    measured = [(*_base(piece), _left(piece), _right(piece)) for piece in pieces]
    order = sorted(range(len(pieces)), key=lambda at: measured[at][0])
    bases = [measured[at][0] for at in order]
    gone: set[int] = set()
    for at, (base, size, left, right) in enumerate(measured):
        if len(pieces[at]) > _FEW:
            continue
        # A line's size is at most 2.5 times that of what is raised in it.
        first, last = bisect_left(bases, base - 0.7 * size), bisect_right(bases, base + 1.7 * size)
        for other in order[first:last]:
            its_base, its_size, its_left, its_right = measured[other]
            touches = min(abs(left - its_right), abs(its_left - right)) <= 0.2 * its_size
            small = 0.4 * its_size < size < 0.85 * its_size
            if small and touches and other not in gone and -0.25 < (its_base - base) / its_size < 0.65:
                pieces[other].extend(pieces[at])
                measured[other] = (its_base, its_size, min(left, its_left), max(right, its_right))
                gone.add(at)
                break
    return [piece for at, piece in enumerate(pieces) if at not in gone]


def segment_of(run: Sequence[Glyph]) -> Segment:
    """Make a segment of the characters of one piece of a line."""
    base, size = _base(run)
    letters = [glyph for glyph in run if glyph.text.strip()]
    ordered = sorted(letters, key=_middle)
    ordered = _without_doubles(ordered)
    blanks = sorted(_middle(glyph) for glyph in run if not glyph.text.strip())
    mono = sum(glyph.style.mono for glyph in letters) >= 0.9 * len(letters)
    pitch = median(glyph.x1 - glyph.x0 for glyph in letters) if mono else 0.0
    text, marker = _write(ordered, blanks, base, size, pitch)
    if is_rtl(text):
        text = logical_order(text)
    main = [glyph for glyph in letters if 0.9 < glyph.style.size / size < 1.1]
    return Segment(
        text=text,
        x0=ordered[0].x0,
        top=min(glyph.top for glyph in main),
        x1=max(glyph.x1 for glyph in letters),
        bottom=max(glyph.bottom for glyph in main),
        base=base,
        size=size,
        bold=sum(glyph.style.bold for glyph in main) >= 0.8 * len(main),
        pitch=pitch,
        marker=marker,
    )


def _without_doubles(ordered: Sequence[Glyph]) -> list[Glyph]:
    """Drop characters that are drawn twice in one place, as for a shadow or for bold."""
    kept: list[Glyph] = []
    for glyph in ordered:
        same = any(
            other.text == glyph.text
            and abs(other.x0 - glyph.x0) < 0.12 * glyph.style.size
            and abs(other.base - glyph.base) < 0.12 * glyph.style.size
            and other.x1 - other.x0 > 0.2 * glyph.style.size
            and (other.x0, other.x1, other.base) != (glyph.x0, glyph.x1, glyph.base)
            for other in kept[-3:]
        )
        if not same:
            kept.append(glyph)
    return kept


def _write(
    ordered: Sequence[Glyph], blanks: Sequence[float], base: float, size: float, pitch: float
) -> tuple[str, str]:
    gaps = [max(0.0, b.x0 - a.x1) for a, b in zip(ordered, ordered[1:], strict=False)]
    # Letters that are spaced out have their own, wider notion of a blank.
    wide = _BLANK * size + (median(gaps) if len(gaps) > 5 else 0.0)
    parts: list[str] = []
    marker = ""
    before: Glyph | None = None
    at = 0
    for glyph in ordered:
        raised = glyph.style.size < 0.85 * size and base - glyph.base > 0.15 * size
        text = glyph.text.translate(RAISED) if raised and glyph.text in _RAISABLE else glyph.text
        if before is not None:
            spaced = glyph.x0 - before.x1 > wide
            while at < len(blanks) and blanks[at] < _middle(glyph):
                spaced = spaced or blanks[at] > _middle(before)
                at += 1
            if spaced:
                columns = round((glyph.x0 - before.x1) / pitch) if pitch else 1
                parts.append(" " * max(1, columns))
        if raised and len(marker) == len("".join(parts)):
            marker += text
        elif marker and marker == "".join(parts) and text.isalnum():
            parts.append(" ")
        if text == "\u00ad" and glyph is not ordered[-1]:
            text = "-"  # It is drawn, and no line ends here.
        parts.append(text + glyph.tail)
        before = glyph
    return "".join(parts), marker.strip()
