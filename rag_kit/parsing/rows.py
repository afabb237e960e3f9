"""Documents as rows of JSON, to pass between processes and to keep on disk, and back again.

Any text survives, half of a surrogate pair included, and where a file lies is kept apart from what it says,
so that what was read under one path is good under another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from rag_kit.types import Document, Notice, ParsedBlock, ParseFailure

_DATES = ("updated_at", "expires_at", "superseded_at")


def to_rows(results: Iterable[Document | ParseFailure], source_uri: str) -> list[dict[str, Any]]:
    """Write results as plain values; what follows ``source_uri`` in a place of theirs is kept.

    >>> to_rows([ParseFailure("docs/a.eml#2", "empty", "no text")], "docs/a.eml")
    [{'source_uri': '#2', 'code': 'empty', 'message': 'no text'}]
    """
    rows = []
    for result in results:
        row = asdict(result)
        for part in (row, *row.get("blocks", ())):
            part["source_uri"] = part["source_uri"].removeprefix(source_uri)
            part.update({key: part[key].isoformat() for key in _DATES if part.get(key)})
        rows.append(row)
    return rows


def from_rows(rows: Iterable[Mapping[str, Any]], source_uri: str) -> list[Document | ParseFailure]:
    """Make results of their rows; raises KeyError, TypeError, ValueError or AttributeError for other rows.

    >>> from_rows([{"source_uri": "#2", "code": "empty", "message": "no text"}], "mails/a.eml")
    [ParseFailure(source_uri='mails/a.eml#2', code='empty', message='no text')]
    """
    return [_document(row, source_uri) if "blocks" in row else _failure(row, source_uri) for row in rows]


def _failure(row: Mapping[str, Any], source_uri: str) -> ParseFailure:
    return ParseFailure(**{**row, "source_uri": source_uri + row["source_uri"]})


def _document(row: Mapping[str, Any], source_uri: str) -> Document:
    values = _shared(row, source_uri)
    values["notices"] = tuple(Notice(**notice) for notice in row["notices"])
    values["blocks"] = tuple(
        ParsedBlock(
            **{
                **_shared(block, source_uri),
                "span": tuple(block["span"]),
                "heading_path": tuple(block["heading_path"]),
            }
        )
        for block in row["blocks"]
    )
    return Document(**values)


def _shared(row: Mapping[str, Any], source_uri: str) -> dict[str, Any]:
    """Return the fields of a document or a block, those that JSON has no type for as they were."""
    dates = {key: date.fromisoformat(row[key]) for key in _DATES if row.get(key)}
    places = {"source_uri": source_uri + row["source_uri"], "access_tags": tuple(row["access_tags"])}
    return {**row, **dates, **places}
