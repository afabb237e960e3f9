"""The words of a Word paragraph: changes as accepted, fields as their results, marks of notes raised."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rag_kit.parsing.office.formulas import linear
from rag_kit.parsing.office.package import Package, attribute, child, kind, switched_on
from rag_kit.parsing.office.styles import Styles
from rag_kit.parsing.office.symbols import symbol
from rag_kit.parsing.raised import RAISED_SIGNS, raised

NoteKey = tuple[str, str]
"""The kind of a note, ``footnote`` or ``endnote``, and its id."""

DELETED = {"w:del": "deletions", "w:moveFrom": "moves"}
INSERTED = {"w:ins": "insertions", "w:moveTo": ""}
TRANSPARENT = frozenset(
    ["w:sdtContent", "w:smartTag", "w:customXml", "w:dir", "w:bdo", "w:ruby", "w:rubyBase", *INSERTED]
)
_BLANKS = re.compile(r"[ \t\r\xa0\u2007\u202f]+")
_PRINTED = str.maketrans({"\xad": None, "\u2011": "-", "\n": " "})
_PAGE_FIELD = re.compile(r"\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b")
_LINK_FIELD = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')
_ADDRESS = re.compile(r"(?:https?|ftp|mailto):", re.I)
_UNSAID = re.compile(r"^(?:https?://|mailto:)(?:www\.)?|/$", re.I)


@dataclass(slots=True)
class Words:
    """What a paragraph says, where links to it end, its text boxes, and the page breaks before its first word."""

    text: str = ""
    anchor: str | None = None
    boxes: list[Any] = field(default_factory=list)
    breaks: int = 0


@dataclass(slots=True)
class _Field:
    """An open field: its code is read until its result begins."""

    code: str = ""
    state: str = "code"
    start: int = 0
    box: str = ""


class RunReader:
    """Reads paragraphs in order; ``counts`` has what was changed or not read, ``notes`` numbers the marks."""

    def __init__(self, package: Package, styles: Styles, notes: dict[NoteKey, Any]) -> None:
        self.counts: Counter[str] = Counter()
        self.notes: dict[NoteKey, int] = {}
        self.breaks = 0
        self._package = package
        self._styles = styles
        self._known = notes
        self._fields: list[_Field] = []
        self._parts: list[str] = []
        self._kept: list[str] = []
        self._words = Words()
        self._part = ""
        self._in_run: dict[str, Callable[[Any], None]] = {
            "w:t": lambda node: self._add((node.text or "").translate(_PRINTED)),
            "w:tab": lambda _: self._add(" "),
            "w:ptab": lambda _: self._add(" "),
            "w:cr": lambda _: self._add("\n"),
            "w:br": self._read_break,
            "w:noBreakHyphen": lambda _: self._add("-"),
            "w:sym": self._read_symbol,
            "w:fldChar": self._read_field,
            "w:instrText": self._read_code,
            "w:footnoteReference": self._read_mark,
            "w:endnoteReference": self._read_mark,
            "w:commentReference": lambda _: self.counts.update(["comments"]),
            "w:lastRenderedPageBreak": self._read_page_break,
            "w:drawing": self._read_picture,
            "w:pict": self._read_picture,
            "w:object": self._read_picture,
        }

    def read(self, paragraph: Any, part: str) -> Words:
        """Read a paragraph of a part of the package; its links are found by the part's name."""
        self._parts, self._kept = self._kept, []
        self._words, self._part = Words(breaks=-1), part
        for open_field in self._fields:
            open_field.start = 0
        self._walk(paragraph)
        # A field whose result never begins would else take all words after it.
        self._fields = [one for one in self._fields if one.state != "code"]
        words = self._words
        words.breaks = self.breaks if words.breaks < 0 else words.breaks
        words.text = _tidy(self._parts)
        return words

    def keep(self) -> None:
        """Let the next paragraph begin with the words of this one: the break between them was deleted."""
        self._kept = self._parts

    def take(self) -> str:
        """Return the words that were kept and that no paragraph took."""
        text, self._kept = _tidy(self._kept), []
        return text

    def _walk(self, parent: Any) -> None:
        for node in parent:
            name = kind(node)
            if name == "w:r":
                self._read_run(node)
            elif name in DELETED:
                self.counts[DELETED[name]] += 1
            elif name in TRANSPARENT:
                if INSERTED.get(name):
                    self.counts[INSERTED[name]] += 1
                self._walk(node)
            elif name == "w:sdt":
                if not is_placeholder(node):
                    self._walk(node)
            elif name == "w:hyperlink":
                self._read_link(node)
            elif name == "w:fldSimple":
                if not _PAGE_FIELD.match(attribute(node, "instr") or ""):
                    self._walk(node)
            elif name in ("m:oMath", "m:oMathPara"):
                self._add(linear(node))
            elif name == "mc:AlternateContent":
                self._walk(alternative(node))
            elif name == "w:bookmarkStart" and self._words.anchor is None:
                mark = attribute(node, "name")
                self._words.anchor = mark if mark and mark != "_GoBack" else None

    def _read_run(self, run: Any) -> None:
        if self._styles.hides(run):
            self.counts["hidden"] += any(kind(node) == "w:t" and node.text for node in run)
            return
        start = len(self._parts)
        self._read_inside(run)
        if attribute(child(run, "w:rPr", "w:vertAlign"), "val") == "superscript":
            before = "".join(self._parts[max(start - 3, 0) : start])
            power = raised("".join(self._parts[start:]))
            if power and (before[-1:].isdigit() or before[-1:] in RAISED_SIGNS) and before:
                self._parts[start:] = [power]

    def _read_inside(self, run: Any) -> None:
        for node in run:
            name = kind(node)
            if name in self._in_run:
                self._in_run[name](node)
            elif name == "mc:AlternateContent":
                self._read_inside(alternative(node))
            elif name in TRANSPARENT:
                self._walk(node)

    def _add(self, text: str) -> None:
        if all(one.state == "result" for one in self._fields):
            self._parts.append(text)
            if self._words.breaks < 0 and text.strip():
                self._words.breaks = self.breaks

    def _read_break(self, node: Any) -> None:
        form = attribute(node, "type") or "textWrapping"
        self._add("\n" if form == "textWrapping" else " ")

    def _read_page_break(self, _: Any) -> None:
        self.breaks += 1

    def _read_symbol(self, node: Any) -> None:
        sign = symbol(attribute(node, "font") or "", attribute(node, "char") or "")
        self.counts["symbols"] += sign is None
        self._add(sign or "")

    def _read_field(self, node: Any) -> None:
        form = attribute(node, "fldCharType")
        if form == "begin":
            box = child(node, "w:ffData", "w:checkBox")
            ticked = (
                child(box, "w:checked") if child(box, "w:checked") is not None else child(box, "w:default")
            )
            sign = "" if box is None else "☒" if switched_on(ticked) else "☐"
            self._fields.append(_Field(start=len(self._parts), box=sign))
        elif form == "separate" and self._fields:
            own = self._fields[-1]
            own.state = "unread" if _PAGE_FIELD.match(own.code) else "result"
            own.start = len(self._parts)
        elif form == "end" and self._fields:
            own = self._fields.pop()
            if own.box:
                self._add(own.box)
            if (link := _LINK_FIELD.match(own.code)) and own.state == "result":
                self._add_address(link[1], own.start)

    def _read_code(self, node: Any) -> None:
        if self._fields and self._fields[-1].state == "code":
            self._fields[-1].code += node.text or ""

    def _read_link(self, node: Any) -> None:
        start = len(self._parts)
        self._walk(node)
        relation = self._package.relations(self._part).get(attribute(node, "id") or "")
        if relation is not None and relation.external:
            self._add_address(relation.target, start)

    def _add_address(self, address: str, start: int) -> None:
        """Write the address of a link behind its words, where they do not say it already."""
        words = "".join(self._parts[start:]).strip()
        if words and _ADDRESS.match(address) and _UNSAID.sub("", words) != _UNSAID.sub("", address):
            self._add(f" ({address.removeprefix('mailto:')})")

    def _read_mark(self, node: Any) -> None:
        key = (kind(node)[2:].removesuffix("Reference"), attribute(node, "id") or "")
        if key in self._known:
            self._add(raised(str(self.notes.setdefault(key, len(self.notes) + 1))) or "")

    def _read_picture(self, node: Any) -> None:
        boxes = list(_boxes(node))
        self._words.boxes.extend(boxes)
        self.counts["pictures"] += not boxes


def _tidy(parts: list[str]) -> str:
    return re.sub(r" ?\n ?", "\n", _BLANKS.sub(" ", "".join(parts))).strip()


def alternative(node: Any) -> Any:
    """Return the part of an ``mc:AlternateContent`` that is read: it holds the same thing twice."""
    branches = sorted(node, key=lambda branch: kind(branch) != "mc:Choice")
    return next((branch for branch in branches if len(branch)), ())


def is_placeholder(control: Any) -> bool:
    """Tell whether a content control only shows its prompt: nobody has filled it in."""
    return switched_on(child(control, "w:sdtPr", "w:showingPlcHdr"))


def _boxes(node: Any) -> Iterator[Any]:
    for part in alternative(node) if kind(node) == "mc:AlternateContent" else node:
        if kind(part) == "w:txbxContent":
            yield part
        else:
            yield from _boxes(part)
