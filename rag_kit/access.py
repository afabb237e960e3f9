"""Who may see a chunk, and which chunks a question is about: one function, :meth:`Filters.admits`.

Filters are applied before anything is scored. There is no default that sees everything:
:meth:`Filters.owner` says in so many words that these are the caller's own files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, Protocol, TypeGuard
from unicodedata import decimal

from rag_kit.errors import InvalidValue
from rag_kit.excerpts import one_line

RECORD_FIELDS = (
    "document_id",
    "title",
    "document_version",
    "updated_at",
    "expires_at",
    "superseded_at",
    "access_tags",
    "source_uri",
)
ALIASES = {"version": "document_version", "id": "document_id", "source": "source_uri", "tags": "access_tags"}
"""What a record's field is called in a file's front matter, and by whoever asks."""
_KEY = re.compile(r"[\w.-]+")
_WHERE = re.compile(rf"\s*({_KEY.pattern})\s*(>=|<=|=|>|<)(?![=<>])\s*(.+?)\s*$", re.S)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_SHOWN = 40

Hidden = Literal["access", "not yet in force", "superseded", "where"]


class Filterable(Protocol):
    """What a filter looks at: a document or a chunk."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Free metadata."""

    @property
    def access_tags(self) -> tuple[str, ...]:
        """Tags; empty means private."""

    @property
    def updated_at(self) -> date | None:
        """Date from which this version holds."""

    @property
    def superseded_at(self) -> date | None:
        """Date from which a newer version holds."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One ``--where``: a metadata key, a comparison and the values that satisfy it."""

    key: str
    operator: str
    values: tuple[str, ...]

    def held(self, item: Filterable) -> Any:
        """Return what the item holds under the key, or None; a record's field has its short name too."""
        if self.key in item.metadata:
            return item.metadata[self.key]
        field = ALIASES.get(self.key, self.key)
        return getattr(item, field, None) if field in RECORD_FIELDS else None

    def is_known(self, items: Iterable[Filterable]) -> bool:
        """Tell whether any of the items has the key, whatever it holds there."""
        return any(self.held(item) is not None for item in items)

    def admits(self, item: Filterable) -> bool:
        """Tell whether the item has the key and it compares as asked; a missing key never does.

        Numbers compare by value, and with nothing that is no number.
        """
        held = self.held(item)
        if held is None:
            return False
        if self.operator == "=":
            return any(_equal(member, value) for member in _members(held) for value in self.values)
        left, right = _comparable(held, self.values[0])
        return right is not None and bool(
            {">=": left >= right, "<=": left <= right, ">": left > right, "<": left < right}[self.operator]
        )


@dataclass(frozen=True, slots=True)
class Filters:
    """What may be searched: access, metadata and point in time. Make one with `owner` or `for_tags`."""

    access_tags: frozenset[str] | None
    as_of: date
    where: tuple[Condition, ...] = ()
    include_superseded: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.as_of, date) or isinstance(self.as_of, datetime):
            raise InvalidValue(f"as_of {self.as_of!r} is no date: write date(2026, 11, 15)")
        for tag in self.access_tags or ():
            if not isinstance(tag, str):
                raise InvalidValue(f"the tag {tag!r} is no text: write a list, as in ['staff', 'partners']")

    @classmethod
    def owner(
        cls, *, as_of: date | None = None, where: Iterable[str] = (), include_superseded: bool = False
    ) -> Filters:
        """Make filters for the owner of the files, who sees every one of them."""
        conditions = tuple(parse_where(text) for text in where)
        return cls(None, as_of or date.today(), conditions, include_superseded)

    @classmethod
    def for_tags(
        cls,
        tags: Iterable[str],
        *,
        as_of: date | None = None,
        where: Iterable[str] = (),
        include_superseded: bool = False,
    ) -> Filters:
        """Make filters for someone who holds these tags and no others; untagged items stay private.

        Raises InvalidValue for a single text: its letters would be taken for tags.
        """
        if isinstance(tags, str):
            raise InvalidValue(f"tags {tags!r} is one text: write a list, as in ['staff', 'partners']")
        conditions = tuple(parse_where(text) for text in where)
        return cls(frozenset(tags), as_of or date.today(), conditions, include_superseded)

    def admits(self, item: Filterable) -> bool:
        """Tell whether a document or chunk may be searched."""
        return self.hides(item) is None

    def hides(self, item: Filterable) -> Hidden | None:
        """Say why a document or chunk may not be searched, or None where it may.

        One shared tag is enough. A version superseded by ``as_of`` is left out unless asked for; one dated
        after ``as_of`` is not in force yet. An expired one that nothing replaces stays.
        """
        if self.access_tags is not None and not self.access_tags.intersection(item.access_tags):
            return "access"
        if item.updated_at and item.updated_at > self.as_of:
            return "not yet in force"
        if item.superseded_at and item.superseded_at <= self.as_of and not self.include_superseded:
            return "superseded"
        return None if all(condition.admits(item) for condition in self.where) else "where"


def parse_where(text: str) -> Condition:
    """Read ``KEY=VALUE``, ``KEY=A,B`` (any of them) or ``KEY>=VALUE``.

    >>> parse_where("department=sales,legal").values
    ('sales', 'legal')
    """
    match = _WHERE.match(text)
    if not match:
        raise InvalidValue(f"--where {text!r} is not a condition: write KEY=VALUE, KEY=A,B or KEY>=VALUE")
    key, operator, value = match.groups()
    values = tuple(v.strip() for v in value.split(",") if v.strip()) if operator == "=" else (value,)
    if not values:
        raise InvalidValue(f"--where {text!r} names no value: write KEY=VALUE")
    return Condition(key, operator, values)


def keys_of(items: Iterable[Filterable]) -> list[str]:
    """Return the keys under which some items hold anything, a record's fields by their short names.

    A key that cannot be written in a condition, such as one with a blank in it, is left out.

    >>> from rag_kit.testing import make_chunk
    >>> keys_of([make_chunk("Five.", "fees", metadata={"region": "EU", "two words": 1}, title="Fees")])
    ['id', 'region', 'source', 'title']
    """
    short = {name: alias for alias, name in ALIASES.items()}
    keys = set()
    for item in items:
        keys |= {key for key, value in item.metadata.items() if value is not None and _KEY.fullmatch(key)}
        keys |= {short.get(name, name) for name in RECORD_FIELDS if getattr(item, name, None)}
    return sorted(keys)


def check_values(filters: Filters, items: Iterable[Filterable]) -> None:
    """Raise InvalidValue where a key holds numbers and is compared with something else.

    Only what whoever asks may see counts. Where one item holds a text there, any value has a sense.

    >>> from rag_kit.testing import make_chunk
    >>> check_values(Filters.owner(where=["n>=4,990"]), [make_chunk("Five.", metadata={"n": 5000})])
    Traceback (most recent call last):
    rag_kit.errors.InvalidValue: --where n>='4,990' is no number, and 'n' holds numbers: write one, as in n>=5000
    """
    seen = [item for item in items if filters.hides(item) != "access"]
    for condition in filters.where:
        wrong = next((value for value in condition.values if _number(value) is None), None)
        if wrong is None:
            continue
        held = [member for item in seen for member in _members(condition.held(item)) if member is not None]
        if held and all(map(_is_number, held)):
            key, compared = (
                one_line(condition.key, _SHOWN),
                f"{one_line(condition.key, _SHOWN)}{condition.operator}",
            )
            raise InvalidValue(
                f"--where {compared}{one_line(wrong, _SHOWN)!r} is no number, and {key!r} holds numbers: "
                f"write one, as in {compared}{held[0]}"
            )


def _members(held: Any) -> Iterable[Any]:
    return held if isinstance(held, (list, tuple)) else (held,)


def _is_number(held: Any) -> TypeGuard[int | float]:
    return isinstance(held, (int, float)) and not isinstance(held, bool)


def _number(text: str) -> int | float | None:
    """Read a number as people write it, in the digits of any script; Python reads nan and 1_000 too."""
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return int(text)
    except ValueError:  # A fraction, or more digits than it takes.
        return float(text)


def _equal(held: Any, given: str) -> bool:
    if _is_number(held):
        return held == _number(given)
    return str(held).casefold() == given.casefold()


def _comparable(held: Any, given: str) -> tuple[Any, Any]:
    """Make two values comparable: as numbers where the document holds one, else part by part.

    Part by part, so that version 2026.11 comes after 2026.9 and dates compare as dates. The second is None
    where it is no number and the first is one.
    """
    if _is_number(held):
        return held, _number(given)
    return _parts(str(held)), _parts(given)


def _parts(text: str) -> list[tuple[int, int, str]]:
    return [_part(part) for part in re.findall(r"\d+|[^\W\d]+", text)]


def _part(part: str) -> tuple[int, int, str]:
    if not part.isdecimal():
        return 1, 0, part.casefold()
    # By length and then by digits: the same order, for numbers of any length and in any script.
    digits = "".join(str(decimal(sign)) for sign in part).lstrip("0")
    return 0, len(digits), digits
