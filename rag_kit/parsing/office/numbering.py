"""Word's lists: the number or letter in front of each item, which no paragraph's text holds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from rag_kit.parsing.office.package import attribute, child, kind
from rag_kit.parsing.office.styles import number

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST = 4_000


@dataclass(slots=True)
class Level:
    """How one level of a list is numbered: ``%1.%2`` stands for the numbers of the levels."""

    form: str = "bullet"
    text: str = ""
    start: int = 1


@dataclass(slots=True)
class _List:
    """A list of the document: the definition that it shares with others, and where it begins anew."""

    shared: str
    levels: dict[int, Level] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts the items of the lists, in the order in which they are asked for."""

    def __init__(self, root: Any | None) -> None:
        self._lists: dict[str, _List] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()
        entries = list(root) if root is not None else []
        shared = {attribute(e, "abstractNumId") or "": e for e in entries if kind(e) == "w:abstractNum"}
        linked = {
            attribute(link, "val"): name
            for name, entry in shared.items()
            if (link := child(entry, "w:styleLink")) is not None
        }
        for entry in entries:
            if kind(entry) != "w:num":
                continue
            name = attribute(child(entry, "w:abstractNumId"), "val") or ""
            link = attribute(child(shared.get(name), "w:numStyleLink"), "val")
            name = linked.get(link, name)
            found = _List(name, _levels(shared.get(name)))
            for override in entry:
                if kind(override) == "w:lvlOverride":
                    level = int(attribute(override, "ilvl") or 0)
                    found.levels.update(_levels(override))
                    start = number(child(override, "w:startOverride"))
                    if start is not None:
                        found.starts[level] = start
            self._lists[attribute(entry, "numId") or ""] = found

    def next(self, list_id: str, level: int) -> str:
        """Count one item and return what stands before it: ``2.``, ``b)``, ``1.2``; "" for a bullet.

        Lists of one definition count on, as in Word, unless one says that it starts anew.
        """
        entry = self._lists.get(list_id)
        if entry is None or level not in entry.levels:
            return ""
        counts = self._counts.setdefault(entry.shared, {})
        if level in entry.starts and (list_id, level) not in self._begun:
            counts.pop(level, None)
        self._begun.add((list_id, level))
        first = entry.starts.get(level, entry.levels[level].start)
        counts[level] = counts.get(level, first - 1) + 1
        for deeper in [other for other in counts if other > level]:
            del counts[deeper]
        own = entry.levels[level]
        if own.form in ("bullet", "none"):
            return ""

        def count_of(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            form = entry.levels.get(at, Level("decimal"))
            return in_form(counts.get(at, form.start), form.form)

        return re.sub(r"%([1-9])", count_of, own.text).strip()


def in_form(count: int, form: str) -> str:
    """Write a number in one of Word's forms; forms of other scripts as a plain number.

    >>> in_form(4, "lowerRoman"), in_form(28, "upperLetter"), in_form(7, "decimalZero")
    ('iv', 'BB', '07')
    """
    if form == "decimalZero":
        return f"{count:02}"
    if not 0 < count < _MOST:
        return str(count)
    if form in ("lowerLetter", "upperLetter"):
        # After z come aa, bb, cc: Word repeats the letter.
        text = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
    elif form in ("lowerRoman", "upperRoman"):
        text, rest = "", count
        for value, letters in _ROMAN:
            text += letters * (rest // value)
            rest %= value
    else:
        return str(count)
    return text.upper() if form.startswith("upper") else text


def _levels(entry: Any | None) -> dict[int, Level]:
    return {
        int(attribute(level, "ilvl") or 0): Level(
            attribute(child(level, "w:numFmt"), "val") or "decimal",
            attribute(child(level, "w:lvlText"), "val") or "",
            number(child(level, "w:start")) or 0,
        )
        for level in (entry if entry is not None else ())
        if kind(level) == "w:lvl"
    }
