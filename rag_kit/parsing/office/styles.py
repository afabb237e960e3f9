"""Word's styles: the level of a heading and the list of a paragraph, whatever language the styles are in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rag_kit.parsing.office.package import attribute, child, kind, switched_on

_HEADING = re.compile(r"heading ([1-9])")
_CODE = re.compile(r"(?:html preformatted|preformatted text|source ?code|code(?: block)?|macro(?: text)?)")


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says itself; the rest stands in the style that it is based on."""

    name: str
    based_on: str | None
    outline: int | None
    list_id: str | None
    list_level: int | None
    is_hidden: bool


class Styles:
    """The styles of a document; unknown ones say nothing."""

    def __init__(self, root: Any | None) -> None:
        self._styles: dict[str, Style] = {}
        self._default: str | None = None
        for entry in root if root is not None else ():
            if kind(entry) != "w:style":
                continue
            name = attribute(entry, "styleId") or ""
            properties, numbers = child(entry, "w:pPr"), child(entry, "w:pPr", "w:numPr")
            self._styles[name] = Style(
                (attribute(child(entry, "w:name"), "val") or name).lower(),
                attribute(child(entry, "w:basedOn"), "val"),
                number(child(properties, "w:outlineLvl")),
                attribute(child(numbers, "w:numId"), "val"),
                number(child(numbers, "w:ilvl")),
                switched_on(child(entry, "w:rPr", "w:vanish")),
            )
            if attribute(entry, "type") == "paragraph" and attribute(entry, "default") in ("1", "true"):
                self._default = name

    def heading_level(self, paragraph: Any) -> int | None:
        """Return the level of a heading, from 1; None for a paragraph that is none. A title has level 1."""
        properties = child(paragraph, "w:pPr")
        outline = number(child(properties, "w:outlineLvl"))
        if outline is not None:
            return outline + 1 if 0 <= outline < 9 else None
        for style in self._chain(paragraph):
            if style.outline is not None:
                return style.outline + 1 if 0 <= style.outline < 9 else None
            if match := _HEADING.fullmatch(style.name):
                return int(match[1])
            if style.name == "title":
                return 1
        return None

    def is_title(self, paragraph: Any) -> bool:
        """Tell whether a paragraph is the document's title."""
        return any(style.name == "title" for style in self._chain(paragraph))

    def is_code(self, paragraph: Any) -> bool:
        """Tell whether a paragraph is a line of code."""
        return any(_CODE.fullmatch(style.name) for style in self._chain(paragraph))

    def name(self, paragraph: Any) -> str:
        """Return the name of a paragraph's style in lower case, built-in ones in English."""
        return next((style.name for style in self._chain(paragraph)), "")

    def list_of(self, paragraph: Any) -> tuple[str, int] | None:
        """Return the list and the level, from 0, that a paragraph is an item of."""
        own = child(paragraph, "w:pPr", "w:numPr")
        found = attribute(child(own, "w:numId"), "val")
        level = number(child(own, "w:ilvl"))
        for style in self._chain(paragraph):
            found = style.list_id if found is None else found
            level = style.list_level if level is None else level
        return None if found in (None, "0") else (str(found), min(max(level or 0, 0), 8))

    def hides(self, run: Any) -> bool:
        """Tell whether a run's text is hidden."""
        properties = child(run, "w:rPr")
        if (own := child(properties, "w:vanish")) is not None:
            return switched_on(own)
        style = self._styles.get(attribute(child(properties, "w:rStyle"), "val") or "")
        return style is not None and style.is_hidden

    def _chain(self, paragraph: Any) -> Iterator[Style]:
        name = attribute(child(paragraph, "w:pPr", "w:pStyle"), "val") or self._default
        seen: set[str] = set()
        while name is not None and name in self._styles and name not in seen:
            seen.add(name)
            yield self._styles[name]
            name = self._styles[name].based_on


def number(element: Any) -> int | None:
    """Return the whole number that an element has as its value."""
    value = attribute(element, "val") or ""
    return int(value) if re.fullmatch(r"-?\d{1,9}", value) else None
