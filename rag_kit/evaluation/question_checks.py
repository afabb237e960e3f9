"""Check a file of labelled questions against the documents, and show how far it flatters lexical search.

    python -m rag_kit.evaluation.question_checks sample_docs FILE [--apart-from FILE]… [--as-of DATE] [--json]

Every fault is listed, not only the first: a label that is wrong makes each figure measured with it wrong. The
exit status is 1 where there is one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path

from rag_kit.access import Filters
from rag_kit.chunking import chunk
from rag_kit.console import say
from rag_kit.errors import RagKitError
from rag_kit.evaluation.answers import grade_answer
from rag_kit.evaluation.overlap import OverlapRow, gold_text, overlap_table, overlap_text
from rag_kit.evaluation.questions import (
    Gold,
    Question,
    asker_of,
    denied_asker_of,
    read_questions,
    read_rows,
)
from rag_kit.evaluation.reader_cases import AS_OF
from rag_kit.hidden import for_terminal
from rag_kit.operations.library import tokenizer_of
from rag_kit.parsing import parse
from rag_kit.settings import load_settings
from rag_kit.types import Document


@dataclass(frozen=True, slots=True)
class QuestionFinding:
    """What is wrong with a question: ``code`` is stable, the message is for people."""

    question_id: str
    code: str
    message: str

    def line(self) -> str:
        """Write it as one line.

        >>> QuestionFinding("q1", "hidden", "fees.md is superseded").line()
        'q1: hidden: fees.md is superseded'
        """
        return f"{self.question_id}: {self.code}: {self.message}"


def check_questions(
    path: str | Path, documents: Iterable[Document], *, as_of: date, others: Iterable[str | Path] = ()
) -> list[QuestionFinding]:
    """List what is wrong with the questions of a file, in the file's order.

    The codes: ``unreadable`` (the row is no question, or its id is taken), ``misplaced`` (evidence that does
    not stand in its document exactly once), ``hidden`` (evidence that whoever asks may not see on that day),
    ``visible`` (evidence that whoever must be refused may see), ``evidence`` (a refusal with evidence, an
    answer without), ``accept`` (a wording that neither the evidence nor the answer holds), ``duplicate``
    (another question has the same words), ``shared`` (evidence that a question of ``others`` has too).
    Raises InvalidValue for a file that cannot be read, and for one of ``others`` with a fault of its own.
    """
    corpus = {document.document_id: document for document in documents}
    taken = [
        (question.id, gold)
        for other in others
        for question in read_questions(other, corpus.values())
        for gold in question.evidence
    ]
    findings: list[QuestionFinding] = []
    first: dict[str, int] = {}
    for row in read_rows(path, corpus.values()):
        said = [("unreadable", fault) for fault in row.faults]
        said += [("misplaced", fault) for fault in row.misplaced]
        if row.question:
            said += _of_labels(row.question, corpus, as_of, placed=not row.misplaced)
            said += dict.fromkeys(_shared(row.question, taken))
            words = " ".join(row.question.question.casefold().split()).rstrip(" ?!.")
            if first.setdefault(words, row.line) != row.line:
                said.append(("duplicate", f"asks the same as line {first[words]}"))
        name = row.id or f"line {row.line}"
        findings += [QuestionFinding(name, code, message) for code, message in said]
    return findings


def _of_labels(
    question: Question, corpus: Mapping[str, Document], as_of: date, *, placed: bool
) -> Iterator[tuple[str, str]]:
    """Say what is wrong with a question's own labels."""
    owner = Filters.owner(as_of=as_of)
    asker, denied = asker_of(owner, question), denied_asker_of(owner, question)
    for name in dict.fromkeys(gold.document_id for gold in question.evidence):
        if why := asker.hides(corpus[name]):
            yield "hidden", f"{name} is not searched for whoever asks ({why})"
        if denied and denied.admits(corpus[name]):
            yield "visible", f"{name} may be seen with the tags {_listed(question.denied_tags)}"
    if not placed:
        return
    if question.expected == "refuse" and question.evidence:
        yield "evidence", "a refusal is expected, yet there is evidence"
    if question.expected == "answer" and not question.evidence:
        yield "evidence", "an answer is expected, yet there is no evidence"
    held = gold_text(question.evidence, {name: document.text for name, document in corpus.items()})
    for wording in question.accept:
        alone = replace(question, accept=(wording,))
        texts = (held, question.answer or "")
        if not any(grade_answer(text, refused=False, question=alone) == "right" for text in texts):
            yield "accept", f"{wording!r} stands neither in the evidence nor in the answer"


def _shared(question: Question, taken: Iterable[tuple[str, Gold]]) -> Iterator[tuple[str, str]]:
    for name, other in taken:
        for gold in question.evidence:
            if gold.touches(other.document_id, other.span):
                yield "shared", f"{gold.document_id} holds the evidence of {name} too"


def _listed(tags: Iterable[str] | None) -> str:
    return ", ".join(tags or ())


def report_text(asked: int, findings: Sequence[QuestionFinding], overlaps: Iterable[OverlapRow]) -> str:
    """Write the findings, a line each, how many questions were looked at, and the table of overlaps beneath.

    >>> print(report_text(66, [], []).splitlines()[0])
    66 questions, 0 findings
    """
    counts = f"{_counted(asked, 'question')}, {_counted(len(findings), 'finding')}"
    return "\n".join([*(finding.line() for finding in findings), counts, "", overlap_text(overlaps)])


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a file of questions."""
    parser = argparse.ArgumentParser(prog="python -m rag_kit.evaluation.question_checks", allow_abbrev=False)
    parser.add_argument("docs", nargs="+", metavar="DOCS", help="files and folders of documents")
    parser.add_argument("questions", metavar="FILE", help="the questions to check")
    parser.add_argument(
        "--apart-from",
        action="append",
        default=[],
        metavar="FILE",
        help="questions that share no evidence with them",
    )
    parser.add_argument("--as-of", type=date.fromisoformat, default=AS_OF, metavar="DATE")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        parsed = parse(options.docs)
        findings = check_questions(
            options.questions, parsed.documents, as_of=options.as_of, others=options.apart_from
        )
        asked = [row.question for row in read_rows(options.questions, parsed.documents) if row.question]
        visible = [d for d in parsed.documents if Filters.owner(as_of=options.as_of).admits(d)]
        chunks = chunk(visible, tokenizer_of(load_settings(offline=True)))
        overlaps = overlap_table(asked, parsed.documents, chunks)
    except RagKitError as error:
        parser.error(str(error))
    for failure in parsed.errors:
        say(f"{failure.source_uri}: {failure.message}")
    shape = {"findings": [asdict(f) for f in findings], "overlap": [asdict(row) for row in overlaps]}
    text = (
        json.dumps(shape, ensure_ascii=False, indent=2)
        if options.json
        else report_text(len(asked), findings, overlaps)
    )
    sys.stdout.write(for_terminal(text) + "\n")
    return 1 if findings or parsed.errors else 0


if __name__ == "__main__":
    raise SystemExit(main())
