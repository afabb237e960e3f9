"""Conditions such as ``region=EU``: what they ask of a document or chunk, and how values compare."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol, TypeGuard
from unicodedata import decimal

from rag_kit.errors import InvalidValue
from rag_kit.wording import one_form

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

        Of a list one member is enough. Numbers compare by value, and with nothing that is no number.
        """
        held = self.held(item)
        if held is None:
            return False
        if self.operator == "=":
            return any(_equal(member, value) for member in members(held) for value in self.values)
        return any(_compares(member, self.operator, self.values[0]) for member in members(held))


def parse_where(text: str) -> Condition:
    """Read ``KEY=VALUE``, ``KEY=A,B`` (any of them) or ``KEY>=VALUE``.

    >>> parse_where("department=sales,legal").values
    ('sales', 'legal')
    """
    match = _WHERE.match(one_form(text))
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


def members(held: Any) -> Iterable[Any]:
    """Return what a field holds, one by one: a list's members, or the value itself.

    >>> members([1, 2]), members("EU")
    ([1, 2], ('EU',))
    """
    return held if isinstance(held, (list, tuple)) else (held,)


def is_number(held: Any) -> TypeGuard[int | float]:
    """Tell whether a field holds a number; true and false are none.

    >>> is_number(3), is_number(True), is_number("3")
    (True, False, False)
    """
    return isinstance(held, (int, float)) and not isinstance(held, bool)


def read_number(text: str) -> int | float | None:
    """Read a number as people write it, in the digits of any script; Python reads nan and 1_000 too.

    >>> read_number("-5"), read_number("4,990")
    (-5, None)
    """
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return int(text)
    except ValueError:  # A fraction, or more digits than it takes.
        return float(text)


def _equal(held: Any, given: str) -> bool:
    if is_number(held):
        return held == read_number(given)
    return one_form(str(held)).casefold() == given.casefold()


def _compares(held: Any, operator: str, given: str) -> bool:
    left, right = _comparable(held, given)
    return right is not None and bool(
        {">=": left >= right, "<=": left <= right, ">": left > right, "<": left < right}[operator]
    )


def _comparable(held: Any, given: str) -> tuple[Any, Any]:
    """Make two values comparable: as numbers where the document holds one, else part by part.

    Part by part, so that version 2026.11 comes after 2026.9 and dates compare as dates. The second is None
    where it is no number and the first is one.
    """
    if is_number(held):
        return held, read_number(given)
    return _parts(one_form(str(held))), _parts(given)


def _parts(text: str) -> list[tuple[int, int, str]]:
    return [_part(part) for part in re.findall(r"\d+|[^\W\d]+", text)]


def _part(part: str) -> tuple[int, int, str]:
    if not part.isdecimal():
        return 1, 0, part.casefold()
    # By length and then by digits: the same order, for numbers of any length and in any script.
    digits = "".join(str(decimal(sign)) for sign in part).lstrip("0")
    return 0, len(digits), digits
