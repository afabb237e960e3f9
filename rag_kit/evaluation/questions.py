"""Question files: JSON lines with the question, what is expected, and where the evidence stands."""

from __future__ import annotations

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

    Raises InvalidValue, naming file and line, for a row that is not JSON, a document that is not there, or
    a quote that does not stand in it exactly once.
    """
    texts = {document.document_id: document.text for document in documents}
    questions: list[Question] = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                questions.append(_question(json.loads(line), texts))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
                raise InvalidValue(f"{path}, line {number}: {reason}") from None
    return questions


def _question(row: dict[str, Any], texts: dict[str, str]) -> Question:
    evidence = tuple(_gold(item, texts) for item in row.get("evidence", []))
    expected = row.get("expected") or ("answer" if evidence else "refuse")
    if expected not in ("answer", "refuse"):
        raise InvalidValue(f"expected {expected!r} is neither 'answer' nor 'refuse'")
    return Question(
        id=str(row["id"]),
        question=row["question"],
        expected=expected,
        evidence=evidence,
        kind=row.get("kind") or "",
        answer=row.get("answer"),
        accept=tuple(row.get("accept", ())),
    )


def _gold(item: dict[str, Any], texts: dict[str, str]) -> Gold:
    document_id = item["document_id"]
    if document_id not in texts:
        raise InvalidValue(f"no document has the id {document_id!r}")
    if "quote" in item:
        count = texts[document_id].count(item["quote"])
        if count != 1:
            raise InvalidValue(
                f"the quote {item['quote'][:40]!r} stands {count} times in {document_id}, not once"
            )
        start = texts[document_id].index(item["quote"])
        return Gold(document_id, (start, start + len(item["quote"])))
    if "start" in item and "end" in item:
        return Gold(document_id, (int(item["start"]), int(item["end"])))
    return Gold(document_id)
