"""Which version of a document replaces which, and why a link that says so has no effect.

One rule for all who need it: a version is never replaced by one that is dated before it, and of versions that
replace each other in a circle the latest replaces the others. So of any versions that are linked, one at least
is replaced by none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from rag_kit.excerpts import one_line
from rag_kit.wording import one_form

LONGEST = 60


class Versioned(Protocol):
    """What links are read of: a document or one of its chunks."""

    @property
    def document_id(self) -> str:
        """Id of the document."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Free metadata; ``supersedes`` names the version that this one replaces."""

    @property
    def updated_at(self) -> date | None:
        """Date from which this version holds."""


@dataclass(frozen=True, slots=True)
class Succession:
    """Links between versions, by :func:`one_form` of their documents.

    ``replaced`` holds what each newer version replaces itself, ``faults`` why a version's own link has no
    effect.
    """

    replaced: dict[str, tuple[str, ...]]
    faults: dict[str, str]


def find_succession(versions: Iterable[Versioned]) -> Succession:
    """Read which of these versions, one a document, replaces which others.

    Ties of date in a circle go to the id that sorts last.

    >>> from rag_kit.testing import make_chunk
    >>> old = make_chunk("Five.", "v1", updated_at=date(2025, 1, 1))
    >>> new = make_chunk("Six.", "v2", updated_at=date(2026, 1, 1), metadata={"supersedes": "v1"})
    >>> find_succession([old, new]).replaced
    {'v2': ('v1',)}
    """
    held = {one_form(version.document_id): version for version in versions}
    links: dict[str, str] = {}
    faults: dict[str, str] = {}
    for key, version in held.items():
        if named := version.metadata.get("supersedes"):
            if why := _unusable(version, named, held):
                faults[key] = _no_effect(named, why)
            else:
                links[key] = one_form(str(named))
    replaced: dict[str, tuple[str, ...]] = {}
    for circle in _circles(links):
        latest = max(circle, key=lambda key: (held[key].updated_at or date.min, key))
        replaced[latest] = tuple(key for key in circle if key != latest)
        back = next(key for key in circle if links[key] == latest)
        faults[back] = _back_in_a_circle(held[back], held[latest])
    for key, older in links.items():
        if key in faults or key in replaced:
            continue
        if why := _out_of_order(held[key], held[older]):
            faults[key] = why
        else:
            replaced[key] = (older,)
    return Succession(replaced, faults)


def _no_effect(named: object, why: str) -> str:
    return f"supersedes {one_line(str(named), LONGEST)!r} has no effect: {why}"


def _unusable(version: Versioned, named: object, held: Mapping[str, Versioned]) -> str | None:
    if isinstance(named, (list, tuple, dict)):
        return "one id is meant: name the version just before, as in `supersedes: fees-2025`"
    key = one_form(str(named))
    if key == one_form(version.document_id):
        return "it is the document itself"
    if version.updated_at is None:
        return "the document has no updated_at"
    return None if key in held else "no other document has that id"


def _back_in_a_circle(newer: Versioned, latest: Versioned) -> str:
    why = (
        f"{newer.document_id!r} and {latest.document_id!r} replace each other, and {latest.document_id!r} is the "
        f"later one: take supersedes out of {newer.document_id!r}"
    )
    return _no_effect(latest.document_id, why)


def _out_of_order(newer: Versioned, older: Versioned) -> str | None:
    if newer.updated_at is None or older.updated_at is None or newer.updated_at >= older.updated_at:
        return None
    why = (
        f"{newer.document_id!r} is dated {newer.updated_at}, before {older.document_id!r} ({older.updated_at}): "
        "correct updated_at in one of them, or take supersedes out"
    )
    return _no_effect(older.document_id, why)


def _circles(links: Mapping[str, str]) -> Iterator[list[str]]:
    """Find each circle of links once; every id has one link at most."""
    seen: set[str] = set()
    for start in links:
        path: dict[str, None] = {}
        key = start
        while key in links and key not in seen and key not in path:
            path[key] = None
            key = links[key]
        if key in path:
            names = list(path)
            yield names[names.index(key) :]
        seen.update(path)
