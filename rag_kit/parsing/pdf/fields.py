"""Form fields: the value of each on the line of its printed label, where it has one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag_kit.parsing.pdf.glyphs import Box
from rag_kit.parsing.pdf.segments import Segment

_FARTHEST = 0.4
"""Of the page's width: a label stands no further left of its field."""
_BESIDE = 3.0
"""Of the label's size: a label stands no further behind its box to tick, or above its field."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Field:
    """What was filled in at a place of a page; ``ticked`` where the place is a box or a round to tick."""

    name: str
    value: str
    box: Box
    ticked: bool = False

    @property
    def text(self) -> str:
        """Return the field as it stands without a printed label."""
        return f"{self.name}: {self.value}" if self.name else self.value


def place_fields(
    segments: Sequence[Segment], fields: Sequence[Field], width: float
) -> tuple[list[Segment], list[Field]]:
    """Put the value of each field behind its printed label; return the pieces, and the fields without a label.

    A label stands left of its field, behind a box to tick, or right above the field; of several the one that
    the field is named like. No label is taken twice, and none over another field.
    """
    out, rest = list(segments), []
    taken: set[int] = set()
    for field in fields:
        found = [at for at in _labels(out, field, fields, width) if at not in taken] if field.name else []
        if not found:
            rest.append(field)
            continue
        at = max(found, key=lambda each: (_alike(out[each].text, field.name), -found.index(each)))
        taken.add(at)
        label = out[at].text.strip().rstrip(":").rstrip()
        strange = " " in field.name and not _alike(label, field.name)
        written = f"{label}: {field.text if strange else field.value}"
        right = max(out[at].x1, min(field.box[2], field.box[0] + 0.5 * out[at].size * len(field.value)))
        out[at] = replace(out[at], text=written, x1=right, bold=False, apart=True)
    return out, rest


def _labels(segments: Sequence[Segment], field: Field, fields: Sequence[Field], width: float) -> list[int]:
    """Return the pieces that can be the label of a field, the likeliest first."""
    x0, top, x1, bottom = field.box
    left: list[tuple[float, int]] = []
    behind: list[tuple[float, int]] = []
    above: list[tuple[float, int]] = []
    for at, each in enumerate(segments):
        middle = (each.top + each.bottom) / 2
        # A field of several lines has its label beside the first.
        level = top - 2 <= middle <= max((top + bottom) / 2 + 0.5 * each.size, top + 1.5 * each.size)
        if level and each.x1 <= x0 + 2 and x0 - each.x1 <= _FARTHEST * width:
            if not _between(fields, each.x1, x0, middle):
                left.append((x0 - each.x1, at))
        elif level and field.ticked and 0 <= each.x0 - x1 + 2 <= _BESIDE * each.size:
            behind.append((each.x0 - x1, at))
        elif -2 <= top - each.bottom <= each.size and abs(each.x0 - x0) <= _BESIDE * each.size:
            above.append((top - each.bottom, at))
    nearest = [sorted(group)[:1] for group in ((behind, left) if field.ticked else (left, above))]
    return [at for group in nearest for _, at in group]


def _between(fields: Sequence[Field], left: float, right: float, y: float) -> bool:
    """Return whether another field stands between a label and a field."""
    return any(f.box[1] <= y <= f.box[3] and left < (f.box[0] + f.box[2]) / 2 < right for f in fields)


def _alike(label: str, name: str) -> bool:
    """Return whether a label and a name share most of the words of the shorter."""
    one, two = ({word.casefold() for word in _WORD.findall(text)} for text in (label, name))
    return bool(one and two) and 2 * len(one & two) > min(len(one), len(two))
