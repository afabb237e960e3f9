"""Question files: JSON lines with the question, what is expected, and where the evidence stands."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_kit.access import Filters
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.question_fields import load_row, take, take_id, take_texts
from rag_kit.spans import overlap
from rag_kit.types import Document, Span
from rag_kit.wording import one_form


@dataclass(frozen=True, slots=True)
class Gold:
    """Where an answer stands: a span of a document, or, without one, the whole document."""

    document_id: str
    span: Span | None = None

    def touches(self, document_id: str, span: Span | None) -> bool:
        """Tell whether it shares a character with a span of a document; without a span, with the document.

        >>> fee = Gold("fees.md", (4, 7))
        >>> fee.touches("fees.md", (0, 5)), fee.touches("fees.md", (7, 9)), fee.touches("fees.md", None)
        (True, False, True)
        """
        if self.document_id != document_id:
            return False
        return self.span is None or span is None or overlap(self.span, span)


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
    user_tags: tuple[str, ...] | None = None
    """Tags of whoever asks; None is the owner of the files, who sees every one of them."""
    denied_tags: tuple[str, ...] | None = None
    """Tags of somebody for whom the right result of the same question is a refusal."""
    paraphrased: bool = False
    """Asked in other words than the evidence."""

    @property
    def has_gold(self) -> bool:
        """Whether it can be scored: an answer is expected, and the evidence for it is named."""
        return self.expected == "answer" and bool(self.evidence)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a question file, and what is wrong with it.

    ``question`` is None where the line is none; ``misplaced`` names each piece of evidence that could not be
    placed, and the question has the others. ``lacking`` are the ids among them that no document has.
    """

    line: int
    id: str
    question: Question | None
    faults: tuple[str, ...] = ()
    misplaced: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


def read_questions(path: str | Path, documents: Iterable[Document]) -> list[Question]:
    """Read a question file and place its quotes in the documents.

    Raises InvalidValue, naming file and line, for a row that is not a question, an id that another row has,
    a document that is not there, or evidence that does not stand in it exactly once.
    """
    return questions_of(read_rows(path, documents), path)


def questions_of(rows: Iterable[Row], path: str | Path) -> list[Question]:
    """Return the questions of rows that ``path`` holds; raises InvalidValue for the first that has a fault."""
    questions = []
    for row in rows:
        if wrong := (*row.misplaced, *row.faults):
            raise InvalidValue(f"{path}, line {row.line}: {wrong[0]}")
        if row.question:
            questions.append(row.question)
    return questions


def read_rows(path: str | Path, documents: Iterable[Document]) -> list[Row]:
    """Read a question file with all that is wrong with it, line by line.

    Raises InvalidValue where the file itself cannot be read.
    """
    texts = {document.document_id: document.text for document in documents}
    rows: list[Row] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(_read(path).split("\n"), start=1):
        if line.strip():
            row = _row(number, line, texts)
            if row.question and lines.setdefault(row.id, number) != number:
                row = replace(row, faults=(f"the id {row.id!r} is taken by line {lines[row.id]}",))
            rows.append(row)
    return rows


def asker_of(filters: Filters, question: Question) -> Filters:
    """Return the filters of whoever asks a question: by the tags it names, as far as ``filters`` have them.

    ``filters`` are those of whoever brings the question. The owner's have every tag; a question that names
    none is asked with them as they are.

    >>> fee = Question("q", "Fee?", "refuse", (), user_tags=("legal", "hr"))
    >>> sorted(asker_of(Filters.owner(), fee).access_tags), asker_of(Filters.for_tags(["hr"]), fee).access_tags
    (['hr', 'legal'], frozenset({'hr'}))
    """
    return filters if question.user_tags is None else _with_tags(filters, question.user_tags)


def denied_asker_of(filters: Filters, question: Question) -> Filters | None:
    """Return the filters of whoever must be refused the answer, as `asker_of` does; None where it is nobody.

    >>> denied_asker_of(Filters.owner(), Question("q", "Fee?", "refuse", ())) is None
    True
    """
    return None if question.denied_tags is None else _with_tags(filters, question.denied_tags)


def _with_tags(filters: Filters, tags: Iterable[str]) -> Filters:
    own = frozenset(tags)
    return replace(filters, access_tags=own if filters.access_tags is None else own & filters.access_tags)


def first_half(question_id: str) -> bool:
    """Tell whether a question is for training or choosing; the other half is for reporting.

    By the hash of its id, so that a new question moves no other.

    >>> sum(first_half(f"q{number}") for number in range(1000))
    489
    """
    return hashlib.sha256(question_id.encode("utf-8", "surrogatepass")).digest()[0] % 2 == 0


class _NoDocument(InvalidValue):
    """Evidence names a document that is not there."""

    def __init__(self, document_id: str) -> None:
        super().__init__(f"no document has the id {document_id!r}: look at the ids that `parse` shows")
        self.document_id = document_id


def _read(path: str | Path) -> str:
    try:
        if Path(path).exists() and not (Path(path).is_file() or Path(path).is_dir()):
            raise InvalidValue(f"{path} is no regular file: save the questions as one, and name it")
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidValue(f"{path}: {reason}: name a file of questions") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InvalidValue(f"{path}, line {line}: not UTF-8: save the file as UTF-8") from None


def _row(number: int, line: str, texts: dict[str, str]) -> Row:
    name = ""
    try:
        held = load_row(line)
        name = take_id(held) or ""
        question, misplaced = _question(held, texts)
    except InvalidValue as error:
        return Row(number, name, None, (str(error),))
    lacking = tuple(error.document_id for error in misplaced if isinstance(error, _NoDocument))
    return Row(number, question.id, question, misplaced=tuple(map(str, misplaced)), lacking=lacking)


def _question(row: dict[str, Any], texts: dict[str, str]) -> tuple[Question, list[InvalidValue]]:
    evidence: list[Gold] = []
    misplaced: list[InvalidValue] = []
    items = take(row, "evidence", list, [])
    for item in items:
        try:
            evidence.append(_gold(item, texts))
        except InvalidValue as error:
            misplaced.append(error)
    expected = row.get("expected") or ("answer" if items else "refuse")
    if expected not in ("answer", "refuse"):
        raise InvalidValue(f"expected {expected!r} is neither 'answer' nor 'refuse'")
    question_id = take_id(row)
    if question_id is None:
        raise InvalidValue("id is missing: write a word or a number")
    if not question_id.strip():
        raise InvalidValue("id is empty: write a word or a number")
    question = take(row, "question", str)
    if not question.strip():
        raise InvalidValue("question is empty: write one")
    asked = Question(
        id=question_id,
        question=question,
        expected=expected,
        evidence=tuple(evidence),
        kind=take(row, "kind", str, ""),
        answer=take(row, "answer", str, None),
        accept=take_texts(row, "accept") or (),
        user_tags=_tags(row, "user_tags"),
        denied_tags=_tags(row, "denied_tags"),
        paraphrased=take(row, "paraphrased", bool, False),
    )
    return asked, misplaced


def _tags(row: dict[str, Any], key: str) -> tuple[str, ...] | None:
    tags = take_texts(row, key)
    return None if tags is None else tuple(map(one_form, tags))


def _gold(item: Any, texts: dict[str, str]) -> Gold:
    if not isinstance(item, dict):
        raise InvalidValue('evidence is not a list of rows: write [{"document_id": "…", "quote": "…"}]')
    document_id = one_form(take(item, "document_id", str))
    if document_id not in texts:
        raise _NoDocument(document_id)
    text = texts[document_id]
    quote = take(item, "quote", str, None)
    if quote is not None:
        if not quote.strip():
            raise InvalidValue(
                f"the quote is empty: copy it from {document_id}, or leave quote out for the whole document"
            )
        count = text.count(quote)
        if count != 1:
            raise InvalidValue(f"the quote {quote[:40]!r} stands {count} times in {document_id}, not once")
        start = text.index(quote)
        return Gold(document_id, (start, start + len(quote)))
    if "start" in item or "end" in item:
        start, end = take(item, "start", int), take(item, "end", int)
        if not 0 <= start < end <= len(text):
            raise InvalidValue(
                f"the span {start} to {end} is not in {document_id}, which has {len(text)} letters"
            )
        return Gold(document_id, (start, end))
    return Gold(document_id)
