"""Question files: what a row may say, and an error that names the line."""

import json

import pytest

from rag_kit import InvalidValue
from rag_kit.evaluation.questions import Gold, read_questions
from rag_kit.parsing import parse_text

FEES = parse_text("The fee is 5. The fee is due.", source_uri="fees.txt", relative_path="fees.txt")


def read(tmp_path, *rows):
    path = tmp_path / "x.questions.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_questions(path, [FEES])


def row(**fields):
    return {"id": "q1", "question": "What is the fee?", **fields}


def test_evidence_is_a_quote_a_span_or_the_whole_document(tmp_path):
    evidence = [
        {"document_id": "fees.txt", "quote": "The fee is due."},
        {"document_id": "fees.txt", "start": 0, "end": 13},
        {"document_id": "fees.txt"},
    ]
    (question,) = read(tmp_path, row(evidence=evidence, kind="figure", answer="5"))
    assert question.evidence == (
        Gold("fees.txt", (14, 29)),
        Gold("fees.txt", (0, 13)),
        Gold("fees.txt", None),
    )
    assert (question.id, question.kind, question.answer, question.expected) == ("q1", "figure", "5", "answer")


def test_without_evidence_a_refusal_is_expected_unless_the_row_says_otherwise(tmp_path):
    questions = read(
        tmp_path, row(), "", row(id=2, expected="answer"), row(evidence=[{"document_id": "fees.txt"}])
    )
    assert [question.expected for question in questions] == ["refuse", "answer", "answer"]
    assert questions[1].id == "2"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{", "line 2"),
        ("[]", "line 2"),
        ('{"id": "q"}', "'question' is missing"),
        (row(evidence=[{"document_id": "gone"}]), "no document has the id 'gone'"),
        (row(evidence=[{"quote": "x"}]), "'document_id' is missing"),
        (row(evidence=[{"document_id": "fees.txt", "quote": "The fee"}]), "stands 2 times"),
        (row(evidence=[{"document_id": "fees.txt", "quote": "The tax"}]), "stands 0 times"),
        (row(expected="maybe"), "neither 'answer' nor 'refuse'"),
        (row(evidence=5), "line 2"),
    ],
)
def test_a_bad_row_names_file_line_and_reason(tmp_path, bad, reason):
    with pytest.raises(InvalidValue, match=r"x\.questions\.jsonl, line 2: ") as caught:
        read(tmp_path, row(), bad)
    assert reason in str(caught.value)
