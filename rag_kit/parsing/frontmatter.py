"""YAML front matter: the lines between two ``---`` at the top of a file, and what the kit reads from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

import yaml

from rag_kit.types import Notice
from rag_kit.wording import one_form

LONGEST = 20_000
"""More characters than this before the closing line are no front matter."""
DEEPEST = 20

_FRONT = re.compile(r"---[ \t]*\n(?P<yaml>.*?)(?:(?<=\n)|^)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_BOOL = re.compile(r"(?:true|false)$", re.I)
_INT = re.compile(r"(?:0|-?[1-9][0-9]{0,17})$")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]{0,10})\.(?:0|[0-9]{0,3}[1-9])$")
_RESERVED = ("id", "title", "document_version", "updated_at", "expires_at", "access_tags")
_NAMING = ("supersedes", "amends")


class _Loader(yaml.SafeLoader):
    """Reads as values only what would be written the same way again; all else stays the text that it is.

    In YAML 1.1 the country NO is False, release 1.10 is the number 1.1, and 12:30 is 750.
    """

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":bool", ":int", ":float"))]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


for _kind, _pattern, _first in (
    ("bool", _BOOL, "tTfF"),
    ("int", _INT, "-0123456789"),
    ("float", _FLOAT, "-0123456789"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_kind}", _pattern, list(_first))


@dataclass(frozen=True, slots=True)
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
    notices: tuple[Notice, ...] = ()
    given: frozenset[str] = field(default=frozenset(), compare=False)
    """The names that stand in it, with a value or without."""


def front_matter_of(values: Mapping[str, Any]) -> FrontMatter:
    """Read the same fields from names and values that stand elsewhere: a page's meta tags, a row of records.

    >>> front_matter_of({"id": 7, "region": "EU", "access_tags": "staff, partners"}).access_tags
    ('partners', 'staff')
    """
    words = {
        key: str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
        for key, value in values.items()
        if key in _RESERVED
    }
    metadata = {key: _plain(value) for key, value in values.items() if key not in _RESERVED}
    return _front_matter(0, words, words, metadata)


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
    return read_fields(match["yaml"], end=match.end()) or FrontMatter()


def read_fields(text: str, *, end: int = 0, what: str = "front matter") -> FrontMatter | None:
    """Read the fields of a text that is YAML and nothing else; None where it holds other things than fields.

    >>> read_fields("title: Fees").title
    'Fees'
    """
    try:
        loaded = _load(text, _Loader)
        if loaded is None:
            return FrontMatter(end=end)
        if not isinstance(loaded, dict):
            return None
        values = {str(key): _plain(value) for key, value in loaded.items()}
        # As written, quoted or not: the id 007 is not 7, and the tag `true` is not True.
        written = _load(text, yaml.BaseLoader)
    except Exception as error:  # On a bad `!!` tag PyYAML raises IndexError, KeyError, AttributeError, ...
        reason = " ".join(str(getattr(error, "problem", None) or error).split())
        message = f"{what} is not valid YAML and was ignored: {reason}"
        return FrontMatter(end=end, notices=(Notice(what.replace(" ", "_"), message),))
    written = {key: written.get(key) for key, value in values.items() if value is not None}
    metadata = {key: value for key, value in values.items() if key not in _RESERVED}
    metadata.update({key: name for key in _NAMING if (name := _text(written.get(key)))})
    return replace(_front_matter(end, written, loaded, metadata), given=frozenset(values))


def _front_matter(
    end: int, written: Mapping[str, Any], loaded: Mapping[str, Any], metadata: dict[str, Any]
) -> FrontMatter:
    """Make the record of the words as they were written and of the dates as they were read."""
    notices: list[Notice] = []
    return FrontMatter(
        end=end,
        document_id=_text(written.get("id")),
        title=_text(written.get("title")),
        document_version=_text(written.get("document_version")),
        updated_at=_date(loaded.get("updated_at"), "updated_at", notices),
        expires_at=_date(loaded.get("expires_at"), "expires_at", notices),
        access_tags=_tags(written.get("access_tags"), notices),
        metadata={one_form(key): value for key, value in metadata.items()},
        notices=tuple(notices),
    )


def _load(text: str, loader: Any) -> Any:
    depth = 0
    for event in yaml.parse(text, Loader=loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        # A few lines of aliases expand to gigabytes, and one can hold itself.
        if isinstance(event, yaml.AliasEvent) or depth > DEEPEST:
            raise yaml.YAMLError(f"aliases (*name) and more than {DEEPEST} levels are not read")
    return yaml.load(text, Loader=loader)


def _text(value: Any) -> str | None:
    return " ".join(value.split()) or None if isinstance(value, str) else None


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
    if not isinstance(given, list) or not all(isinstance(tag, str) for tag in given):
        notices.append(
            Notice(
                "access_tags", "access_tags is not a list of words and was ignored: the document is private"
            )
        )
        return ()
    return tuple(sorted({one_form(tag.strip()) for tag in given if tag.strip()}))


def _plain(value: Any) -> Any:
    """Return a value as JSON has it, so that a record can be written and compared."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, set):
        return sorted(map(str, value))  # A set has no order of its own that two runs would share.
    if isinstance(value, date):
        return value.isoformat()
    # JSON has no NaN and no infinity, and few readers take whole numbers of any length.
    holds = isinstance(value, (str, type(None))) or (isinstance(value, (int, float)) and abs(value) < 2**63)
    return value if holds else str(value)
