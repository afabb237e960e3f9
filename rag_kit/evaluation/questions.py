"""Question files: JSON lines with the question, what is expected, and where the evidence stands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.types import Document, Span


@dataclass(frozen=True, slots=True)
class Gold:
    """Where an answer stands: a span of a document, or, without one, the whole document."""

    document_id: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is expected of it: ``answer`` or ``refuse``."""

    id: str
    question: str
    expected: str
    evidence: tuple[Gold, ...]
    kind: str = ""
    answer: str | None = None
    accept: tuple[str, ...] = ()
    """Wordings of which a right answer holds one."""


def read_questions(path: str | Path, documents: Iterable[Document]) -> list[Question]:
    """Read a question file and place its quotes in the documents.

    Raises InvalidValue, naming file and line, for a row that is not a question, an id that another row has,
    a document that is not there, or evidence that does not stand in it exactly once.
    """
    texts = {document.document_id: document.text for document in documents}
    questions: list[Question] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(_read(path).split("\n"), start=1):
        if line.strip():
            try:
                question = _question(_load(line), texts)
                if lines.setdefault(question.id, number) != number:
                    raise InvalidValue(f"the id {question.id!r} is taken by line {lines[question.id]}")
            except InvalidValue as error:
                raise InvalidValue(f"{path}, line {number}: {error}") from None
            questions.append(question)
    return questions


def first_half(question_id: str) -> bool:
    """Tell whether a question is for training or choosing; the other half is for reporting.

    By the hash of its id, so that a new question moves no other.

    >>> sum(first_half(f"q{number}") for number in range(1000))
    489
    """
    return hashlib.sha256(question_id.encode("utf-8", "surrogatepass")).digest()[0] % 2 == 0


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidValue(f"{path}: {reason}: name a file of questions") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InvalidValue(f"{path}, line {line}: not UTF-8: save the file as UTF-8") from None


def _load(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise InvalidValue(f"not JSON ({reason})") from None
    if not isinstance(row, dict):
        raise InvalidValue('not a question: write {"id": "1", "question": "…"}')
    return row


def _question(row: dict[str, Any], texts: dict[str, str]) -> Question:
    evidence = tuple(_gold(item, texts) for item in _held(row, "evidence", list, []))
    expected = row.get("expected") or ("answer" if evidence else "refuse")
    if expected not in ("answer", "refuse"):
        raise InvalidValue(f"expected {expected!r} is neither 'answer' nor 'refuse'")
    question_id = row.get("id")
    if isinstance(question_id, bool) or not isinstance(question_id, (str, int)):
        raise InvalidValue("id is missing: write a word or a number")
    question = _held(row, "question", str)
    if not question.strip():
        raise InvalidValue("question is empty: write one")
    accept = _held(row, "accept", list, [])
    if not all(isinstance(wording, str) for wording in accept):
        raise InvalidValue("accept is not a list of texts")
    return Question(
        id=str(question_id),
        question=question,
        expected=expected,
        evidence=evidence,
        kind=_held(row, "kind", str, ""),
        answer=_held(row, "answer", str, None),
        accept=tuple(accept),
    )


def _gold(item: Any, texts: dict[str, str]) -> Gold:
    if not isinstance(item, dict):
        raise InvalidValue('evidence is not a list of rows: write [{"document_id": "…", "quote": "…"}]')
    document_id = _held(item, "document_id", str)
    if document_id not in texts:
        raise InvalidValue(f"no document has the id {document_id!r}")
    text = texts[document_id]
    if quote := _held(item, "quote", str, ""):
        count = text.count(quote)
        if count != 1:
            raise InvalidValue(f"the quote {quote[:40]!r} stands {count} times in {document_id}, not once")
        start = text.index(quote)
        return Gold(document_id, (start, start + len(quote)))
    if "start" in item or "end" in item:
        start, end = _held(item, "start", int), _held(item, "end", int)
        if not 0 <= start < end <= len(text):
            raise InvalidValue(
                f"the span {start} to {end} is not in {document_id}, which has {len(text)} letters"
            )
        return Gold(document_id, (start, end))
    return Gold(document_id)


_KINDS = {str: "a text", int: "a whole number", list: "a list"}


def _held(row: dict[str, Any], key: str, kind: type, *default: Any) -> Any:
    """Return a field of the right kind; where it is missing or null, the default, if there is one."""
    value = row.get(key)
    if value is None:
        if default:
            return default[0]
        raise InvalidValue(f"{key} is missing: write {_KINDS[kind]}")
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InvalidValue(f"{key} is not {_KINDS[kind]}: {str(value)[:40]!r}")
    return value
