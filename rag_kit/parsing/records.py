"""Ready documents in JSON: rows of ``{id, title?, text, …metadata}``, one document each."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any, NoReturn

from rag_kit.errors import UnreadableDocument
from rag_kit.parsing.blocks import build_document
from rag_kit.parsing.frontmatter import front_matter_of, read_front_matter
from rag_kit.parsing.markdown import markdown_pieces
from rag_kit.parsing.text import text_pieces
from rag_kit.types import Document, Notice, ParseFailure

Row = tuple[str, Any]
"""Where a row stands ("line 7"), and the row, or why it could not be read."""

_LIST = re.compile(r"\[")
_DOCUMENTS = re.compile(r'"documents"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")
EXPECTED = 'expected rows like {"id": "fees", "text": "The fee is 5."}'
_MARKDOWN = re.compile(
    r"(?:\A|\n[ \t]*\n)#{1,6}[ \t]+\S[^\n]*(?:\n[ \t]*\n|\n?\Z)"  # a heading that stands alone
    r"|^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|"  # the rule row of a table
    r"|^(?:```|~~~)"
    r"|^[-*+][ \t]+\S[^\n]*\n[-*+][ \t]+\S",
    re.M,
)


def parse_jsonl(
    text: str, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> list[Document | ParseFailure]:
    r"""Parse JSON lines, one document a row; a row that cannot be read is a failure and the rest goes on.

    >>> rows = '{"id": "fees", "text": "The fee is 5."}\n{"id": 7}\n'
    >>> one, two = parse_jsonl(rows, source_uri="a.jsonl", relative_path="a.jsonl")
    >>> one.document_id, two.message
    ('fees', 'line 2: no text: expected rows like {"id": "fees", "text": "The fee is 5."}')
    """
    rows: list[Row] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                rows.append((f"line {number}", _load(line)))
            except (ValueError, RecursionError) as error:
                rows.append((f"line {number}", error))
    return _documents(rows, source_uri, relative_path, notices)


def parse_json(
    text: str, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> list[Document | ParseFailure]:
    """Parse a JSON file: a list of rows, one row, or ``{"documents": [rows]}``.

    Raises UnreadableDocument where the file is not JSON (``json``) or no row holds a text (``not_documents``).
    """
    try:
        loaded = _load(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableDocument(source_uri, "json", f"{_why(error)}: mend the file") from None
    if isinstance(loaded, dict) and isinstance(loaded.get("documents"), list):
        rows = _with_lines(text, loaded["documents"], _DOCUMENTS)
    elif isinstance(loaded, list):
        rows = _with_lines(text, loaded, _LIST)
    else:
        rows = [("line 1", loaded)]
    return _documents(rows, source_uri, relative_path, notices)


def _documents(
    rows: list[Row], source_uri: str, relative_path: str, notices: tuple[Notice, ...]
) -> list[Document | ParseFailure]:
    if not any(isinstance(row, dict) and "text" in row for _, row in rows):
        raise UnreadableDocument(source_uri, "not_documents", f"this holds no documents: {EXPECTED}")
    results: list[Document | ParseFailure] = []
    places: dict[str, str] = {}
    for number, (place, row) in enumerate(rows, start=1):
        if fault := _fault(row):
            results.append(ParseFailure(source_uri, "bad_row", f"{place}: {fault}"))
            continue
        document = _document(row, source_uri, f"{relative_path}#{number}", notices)
        taken = places.setdefault(document.document_id, place)
        if taken == place:
            results.append(document)
        else:
            twice = f"id {document.document_id!r} is taken by {taken}: give one another id"
            results.append(ParseFailure(source_uri, "duplicate_id", f"{place}: {twice}"))
    return results


def _document(row: dict[str, Any], source_uri: str, name: str, notices: tuple[Notice, ...]) -> Document:
    text = row["text"].replace("\r\n", "\n").replace("\r", "\n")
    front = front_matter_of({key: value for key, value in row.items() if key != "text"})
    # The row's own fields count; front matter inside its text is only kept out of the blocks.
    start = read_front_matter(text).end
    pieces = markdown_pieces(text, start) if _MARKDOWN.search(text, start) else text_pieces(text, start)
    return build_document(
        text,
        pieces,
        front,
        source_uri=source_uri,
        relative_path=name,
        title=front.document_id,
        notices=notices,
    )


def _fault(row: Any) -> str | None:
    """Say what is wrong with a row, or None."""
    if isinstance(row, Exception):
        return _why(row)
    if not isinstance(row, dict):
        return f"a row is {_kind(row)}: {EXPECTED}"
    if row.get("text") is None:
        return f"no text: {EXPECTED}"
    if not isinstance(row["text"], str):
        return f"text is {_kind(row['text'])}: write it in quotes"
    if isinstance(row.get("id"), (bool, list, dict)):
        return f"id is {_kind(row['id'])}: write a word or a number"
    try:
        json.dumps(row, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        return f"half a character ({ascii(error.object[error.start])[1:-1]}) is no text: write both halves"
    return None


def _load(text: str) -> Any:
    return json.loads(text, parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON ({error.msg} at line {error.lineno}, column {error.colno})"
    return f"not JSON ({'nested too deeply' if isinstance(error, RecursionError) else error})"


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds.get(type(value), "nothing" if value is None else "a text")


def _with_lines(text: str, rows: list[Any], opening: re.Pattern[str]) -> list[Row]:
    """Pair the rows of a JSON list with the lines that they begin on."""
    placed: list[Row] = []
    decoder = json.JSONDecoder()
    match = opening.search(text)
    at, line, counted = (match.end() if match else len(text)), 1, 0
    for number, row in enumerate(rows, start=1):
        # "documents" may stand in a string before the real one: lines are a help only.
        with suppress(ValueError):
            between = _BETWEEN.match(text, at)
            at = between.end() if between else at
            line, counted = line + text.count("\n", counted, at), at
            at = decoder.raw_decode(text, at)[1]
        placed.append((f"row {number}, line {line}", row))
    return placed
