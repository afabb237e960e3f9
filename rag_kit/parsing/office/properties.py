"""What an Office file says of itself: its core properties, and those that its author added."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any

from rag_kit.parsing.frontmatter import FrontMatter, front_matter_of
from rag_kit.parsing.office.package import Package, kind

# Written by programs for themselves; a title that is only the name of a file or a template says nothing.
_MACHINERY = re.compile(
    r"_|MSIP_|ContentTypeId|KSO|ICV|Mendeley|Zotero|TemplateUrl|Order$|GrammarlyDocumentId"
)
_NO_TITLE = re.compile(r"(?:microsoft \w+ - .*|document\s*\d*|dokument\s*\d*|untitled.*|powerpoint .*)", re.I)


def properties_of(package: Package) -> tuple[FrontMatter, str | None]:
    """Read the properties that an author added as front matter, ``id``, ``access_tags`` and so on; and the title.

    The date of the last change stands in where no other is given; the author is metadata. The title is the
    one that the program keeps: what the document itself says is surer.
    """
    core = _core(package)
    front = front_matter_of(_custom(package))
    title = core.get("title", "")
    metadata = {**({"author": core["creator"]} if core.get("creator") else {}), **front.metadata}
    updated_at = front.updated_at or _day(core.get("modified", ""))
    kept = None if not title or _NO_TITLE.fullmatch(title) else title
    return replace(front, updated_at=updated_at, metadata=metadata), kept


def _core(package: Package) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in package.related("", "core-properties"):
        for entry in package.xml(name):  # type: ignore[union-attr]
            found.setdefault(kind(entry)[1:], " ".join((entry.text or "").split()))
    return found


def _custom(package: Package) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in package.related("", "custom-properties"):
        for entry in package.xml(name):  # type: ignore[union-attr]
            key = (entry.get("name") or "").strip()
            value = next(iter(entry), None)
            if key and value is not None and not _MACHINERY.match(key):
                found.setdefault(key, _value(kind(value)[1:], (value.text or "").strip()))
    return found


def _value(form: str, text: str) -> Any:
    if form == "bool":
        return text.lower() in ("true", "1")
    if form in ("i1", "i2", "i4", "i8", "int") and re.fullmatch(r"-?\d{1,18}", text):
        return int(text)
    return text


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
