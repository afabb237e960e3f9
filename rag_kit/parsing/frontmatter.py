"""YAML front matter: the lines between two ``---`` at the top of a file, and what the kit reads from them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import yaml

from rag_kit.types import Notice

LONGEST = 20_000
"""More characters than this before the closing line are no front matter."""

_FRONT = re.compile(r"---[ \t]*\n(?P<yaml>.*?)(?:(?<=\n)|^)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_RESERVED = ("id", "title", "document_version", "updated_at", "expires_at", "access_tags")


@dataclass(slots=True)
class FrontMatter:
    """The fields of a document's front matter; ``end`` is where the body begins."""

    end: int = 0
    document_id: str | None = None
    title: str | None = None
    document_version: str | None = None
    updated_at: date | None = None
    expires_at: date | None = None
    access_tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)


def read_front_matter(text: str) -> FrontMatter:
    r"""Read the front matter at the top of a text; a rule or prose between two rules is not one.

    Free keys go to ``metadata``, ``supersedes`` and ``amends`` among them. Front matter that is not valid
    YAML is kept out of the body and gives a notice; the document then has no tags, so it stays private.

    >>> read_front_matter("---\nid: a\nregion: EU\n---\nText").metadata
    {'region': 'EU'}
    """
    match = _FRONT.match(text, 0, LONGEST)
    if not match:
        return FrontMatter()
    front = FrontMatter(end=match.end())
    try:
        loaded = yaml.safe_load(match["yaml"])
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = str(getattr(error, "problem", None) or error).splitlines()[0]
        front.notices.append(
            Notice("front_matter", f"front matter is not valid YAML and was ignored: {reason}")
        )
        return front
    if loaded is None:
        return front
    if not isinstance(loaded, dict):
        return FrontMatter()
    values = {str(key): value for key, value in loaded.items()}
    front.document_id = _text(values.get("id"))
    front.title = _text(values.get("title"))
    front.document_version = _text(values.get("document_version"))
    front.updated_at = _date(values.get("updated_at"), "updated_at", front.notices)
    front.expires_at = _date(values.get("expires_at"), "expires_at", front.notices)
    front.access_tags = _tags(values.get("access_tags"), front.notices)
    front.metadata = {key: _plain(value) for key, value in values.items() if key not in _RESERVED}
    return front


def _text(value: Any) -> str | None:
    return " ".join(str(value).split()) or None if isinstance(value, (str, int, float, date)) else None


def _date(value: Any, key: str, notices: list[Notice]) -> date | None:
    if value is None:
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value).strip()[:10])
    except ValueError:
        notices.append(
            Notice("date", f"{key}: {str(value)[:40]!r} is not a date and was ignored: write YYYY-MM-DD")
        )
        return None


def _tags(value: Any, notices: list[Notice]) -> tuple[str, ...]:
    if value is None:
        return ()
    given = value.split(",") if isinstance(value, str) else value
    if not isinstance(given, list) or not all(isinstance(tag, (str, int)) for tag in given):
        notices.append(
            Notice(
                "access_tags", "access_tags is not a list of words and was ignored: the document is private"
            )
        )
        return ()
    return tuple(sorted({str(tag).strip() for tag in given if str(tag).strip()}))


def _plain(value: Any) -> Any:
    """Return a value as JSON has it, so that a record can be written and compared."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(item) for item in value]
    return (
        value.isoformat()
        if isinstance(value, date)
        else value
        if isinstance(value, (str, int, float, bool, type(None)))
        else str(value)
    )
