"""The sample documents and their questions: enough, consistent, and no answer that its source does not state."""

import json
import re
from datetime import date

import pytest

from rag_kit import parse
from rag_kit.evaluation.answers import grade_answer
from rag_kit.evaluation.questions import read_questions

TODAY = date(2026, 11, 15)
"""The day that the lessons answer for."""
WITHOUT_FRONT_MATTER = {"support/support-faq.txt"}
"""A file as it comes out of a drawer: nobody's tags, so it is private."""
QUESTION_FILES = ("lesson_01", "reader_dev", "chunking")

_NUMBER = r"\d+(?:[,.:]\d+)*"
_UNIT = (
    r"%|°C|dBm|mA|Nm|kg|hl|bar|(?:million|thousand|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b"
)
_FIGURE = re.compile(rf"(?<![\w.,-])(?P<currency>[€$£])?\s?(?P<number>{_NUMBER})(?:\s?(?P<unit>{_UNIT}))?")
_YEAR = re.compile(r"20\d\d")

# What a line is about that gives a question of lesson 01 its answer, beside the accepted wording.
ABOUT = {
    "01-leave": "annual leave",
    "01-price": r"XX-1042\b(?!B)",
    "01-home": "work from home",
    "01-larkspur": "commits to an availability",
    "01-calibration": r"calibrat(?!ion certificate lies)",
    "01-records": "prepayments?",
    "01-parental": "full pay",
    "01-inspection": "inspection",
    "01-hotel": r"hotel\b(?! night)",
}


@pytest.fixture(scope="module")
def documents(sample_docs):
    parsed = parse(sample_docs)
    assert not parsed.errors
    return {document.document_id: document for document in parsed.documents}


@pytest.fixture(scope="module")
def rows(sample_docs):
    def read(name):
        text = (sample_docs / "questions" / f"{name}.questions.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    return {name: read(name) for name in QUESTION_FILES}


def test_there_is_enough_to_search(documents):
    assert len(documents) >= 40
    assert sum(len(document.text.split()) for document in documents.values()) >= 40_000


def test_front_matter_is_whole_wherever_there_is_any(documents, sample_docs):
    for document in documents.values():
        if document.source_uri.endswith((".md", ".txt", ".html")):
            assert not document.notices, document.source_uri
        if document.source_uri.endswith(tuple(WITHOUT_FRONT_MATTER)):
            assert not document.text.startswith("---")
            assert document.access_tags == ()
            continue
        assert not document.document_id.endswith((".md", ".txt", ".html")), "the id is the document's own"
        assert document.updated_at, document.source_uri
        assert document.access_tags, document.source_uri
        assert document.title.strip(), document.source_uri


def test_dates_and_versions_agree(documents):
    for document in documents.values():
        where = document.source_uri
        assert document.updated_at is None or document.updated_at <= TODAY, where
        assert document.expires_at is None or document.expires_at > document.updated_at, where
        if older := documents.get(document.metadata.get("supersedes")):
            assert older.updated_at < document.updated_at, where
            assert older.superseded_at == document.updated_at, where
            assert older.expires_at in (None, older.superseded_at), (
                "an end that is announced is the one that comes"
            )
        if amended := documents.get(document.metadata.get("amends")):
            assert amended.updated_at < document.updated_at, where
            assert amended.superseded_at is None, "an addendum ends nothing"
        for key in ("supersedes", "amends"):
            assert document.metadata.get(key) in (None, *documents), where


@pytest.mark.parametrize("name", QUESTION_FILES)
def test_the_evidence_of_every_question_stands_in_its_document_once(documents, sample_docs, name):
    questions = read_questions(sample_docs / "questions" / f"{name}.questions.jsonl", documents.values())
    for question in questions:
        assert (question.expected == "answer") == bool(question.evidence), question.id
        for gold in question.evidence:
            assert documents[gold.document_id].superseded_at is None, (question.id, gold.document_id)


def unstated(figure, evidence, question):
    """Tell whether a figure stands in none of the quotes; a year may stand in the question."""
    before = re.escape(figure["currency"]) + r"\s?" if figure["currency"] else r"(?<![\d.,])"
    after = r"\s?" + figure["unit"] if figure["unit"] else r"(?!\d|[.,:]\d)"
    wanted = before + re.escape(figure["number"]) + after
    told = f"{evidence}\n{question}" if _YEAR.fullmatch(figure["number"]) else evidence
    return not re.search(wanted, told)


@pytest.mark.parametrize("name", QUESTION_FILES)
def test_every_figure_of_an_answer_stands_in_the_quotes_it_names(rows, name):
    faults = []
    for row in rows[name]:
        evidence = "\n".join(item.get("quote", "") for item in row["evidence"])
        for text in filter(None, [row.get("answer"), *row.get("accept", ())]):
            faults += [
                f"{row['id']}: {figure.group().strip()!r} of {text!r}"
                for figure in _FIGURE.finditer(text)
                if unstated(figure, evidence, row["question"])
            ]
    assert faults == []


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("€1,280", None),
        ("within 30 days", None),
        ("in 2026", None),
        ("€280", "€280"),
        ("1,280 kg", "1,280 kg"),
        ("30 weeks", "30 weeks"),
        ("3", "3"),
        ("in 2027", "2027"),
    ],
)
def test_what_counts_as_a_figure_that_is_not_stated(answer, fault):
    evidence, question = "The XX-30 costs €1,280, payable in 30 days.", "What was it in 2026?"
    found = [m.group().strip() for m in _FIGURE.finditer(answer) if unstated(m, evidence, question)]
    assert found == ([fault] if fault else [])


def test_each_current_document_that_states_an_answer_of_lesson_01_is_named(documents, sample_docs):
    path = sample_docs / "questions" / "lesson_01.questions.jsonl"
    for question in read_questions(path, documents.values()):
        if question.expected == "refuse":
            assert not question.accept, question.id
            continue
        about = re.compile(ABOUT[question.id], re.I)
        stating = {
            document.document_id
            for document in documents.values()
            if not (document.superseded_at and document.superseded_at <= TODAY)
            for block in document.blocks
            for line in block.text.split("\n")
            if about.search(line) and grade_answer(line, refused=False, question=question) == "right"
        }
        assert stating == {gold.document_id for gold in question.evidence}, question.id
        for gold in question.evidence:
            quote = documents[gold.document_id].text[slice(*gold.span)]
            assert grade_answer(quote, refused=False, question=question) == "right", (question.id, quote)
