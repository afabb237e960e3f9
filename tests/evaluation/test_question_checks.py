"""The checks of a question file: every kind of fault, all of them listed, and the command that prints them."""

import json
from datetime import date

import pytest

from rag_kit import InvalidValue, parse
from rag_kit.evaluation.question_checks import check_questions, main

TODAY = date(2026, 11, 15)
FILES = {
    "fees.md": "---\nid: fees\naccess_tags: [public]\n---\n"
    "The fee is 5 euros. It is due in May. It is due in May.",
    "pay.md": "---\nid: pay\naccess_tags: [finance]\n---\nSalaries rise by 2 %.",
    "old.md": "---\nid: old\nupdated_at: 2025-01-01\n---\nThe fee is 4 euros.",
    "new.md": "---\nid: new\nupdated_at: 2026-01-01\nsupersedes: old\n---\nThe fee for rent is 6 euros.",
    "later.md": "---\nid: later\nupdated_at: 2027-01-01\n---\nThe fee is 7 euros.",
}
FEE = {"document_id": "fees", "quote": "The fee is 5 euros."}
PAY = {"document_id": "pay", "quote": "Salaries rise by 2 %."}
ROW = {"id": "1", "question": "What is the fee?", "accept": ["5 euros"], "evidence": [FEE]}


@pytest.fixture
def docs(folder):
    return folder(FILES)


@pytest.fixture
def documents(docs):
    return parse(docs).documents


@pytest.fixture
def write(tmp_path):
    def to_file(*rows, name="a"):
        path = tmp_path / f"{name}.questions.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return path

    return to_file


def codes(path, documents, **options):
    return [(f.question_id, f.code) for f in check_questions(path, documents, as_of=TODAY, **options)]


def test_good_questions_give_nothing(documents, write):
    gated = {
        "id": "2", "question": "How much do salaries rise?", "accept": ["2 %"], "evidence": [PAY],
        "user_tags": ["finance", "public"], "denied_tags": ["public"],
    }  # fmt: skip
    unknown = {"id": "3", "question": "Who is the mayor?", "expected": "refuse"}
    assert codes(write(ROW, gated, unknown), documents) == []


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({**ROW, "question": ""}, "unreadable"),
        ({**ROW, "evidence": [{**FEE, "quote": "The fee is 9 euros."}]}, "misplaced"),
        ({**ROW, "evidence": [{**FEE, "quote": "It is due in May."}]}, "misplaced"),
        ({**ROW, "evidence": [{**FEE, "document_id": "gone"}]}, "misplaced"),
        ({**ROW, "accept": [], "evidence": [{"document_id": "old"}]}, "hidden"),
        ({**ROW, "accept": [], "evidence": [{"document_id": "later"}]}, "hidden"),
        ({**ROW, "user_tags": ["finance"]}, "hidden"),
        ({**ROW, "user_tags": []}, "hidden"),
        ({**ROW, "denied_tags": ["finance", "public"]}, "visible"),
        ({**ROW, "expected": "refuse", "accept": []}, "evidence"),
        ({**ROW, "expected": "answer", "accept": [], "evidence": []}, "evidence"),
        ({**ROW, "accept": ["5 euros", "6 euros"]}, "accept"),
        ({**ROW, "accept": ["uros"]}, "accept"),
    ],
)
def test_each_fault_is_named(documents, write, row, code):
    assert codes(write(row), documents) == [("1", code)]


def test_a_wording_may_stand_in_the_reference_answer_alone(documents, write):
    assert codes(write({**ROW, "accept": ["five euros"], "answer": "Five euros."}), documents) == []


def test_every_fault_of_every_row_is_listed(documents, write):
    wrong = {**FEE, "quote": "gone"}
    path = write(
        {**ROW, "evidence": [wrong, PAY, wrong], "denied_tags": ["finance"]},
        [],
        {**ROW, "id": "2", "question": "what is  the FEE", "accept": ["6"]},
        {**ROW, "id": "2", "question": "Which fee?"},
    )
    assert codes(path, documents) == [
        ("1", "misplaced"),
        ("1", "misplaced"),
        ("1", "visible"),
        ("line 2", "unreadable"),
        ("2", "accept"),
        ("2", "duplicate"),
        ("2", "unreadable"),
    ]


def test_evidence_shared_with_another_file_is_named_once_a_question(documents, write):
    other = write({**ROW, "id": "x", "evidence": [FEE, {**FEE, "quote": "5 euros. It"}]}, name="b")
    crossing = {**ROW, "evidence": [{**FEE, "quote": "5 euros. It is due in May. It is"}]}
    (finding,) = check_questions(write(crossing), documents, as_of=TODAY, others=[other])
    assert (finding.code, finding.message) == ("shared", "fees holds the evidence of x too")
    whole = {**ROW, "evidence": [{"document_id": "fees"}]}
    assert codes(write(whole), documents, others=[other]) == [("1", "shared")]


def test_evidence_that_only_meets_another_is_not_shared(documents, write):
    other = write({**ROW, "evidence": [{**FEE, "quote": "The fee is "}]}, name="b")
    meeting = {**ROW, "evidence": [{**FEE, "quote": "5 euros."}]}
    assert codes(write(meeting), documents, others=[other]) == []
    elsewhere = {**ROW, "accept": [], "evidence": [{"document_id": "new"}]}
    assert codes(write(elsewhere), documents, others=[other]) == []


def test_a_fault_in_another_file_is_told_and_not_passed_over(documents, write):
    with pytest.raises(InvalidValue, match=r"b\.questions\.jsonl, line 1: "):
        check_questions(write(ROW), documents, as_of=TODAY, others=[write({"id": 1}, name="b")])


def test_the_command_prints_findings_and_overlap_and_says_so_by_its_status(docs, write, capsys):
    assert main([str(docs), str(write(ROW))]) == 0
    said = capsys.readouterr().out
    assert said.startswith("1 question, 0 findings\n\nshare of a question's words in")
    assert said.splitlines()[-1].split() == ["all", "1", "1.00", "1.00", "1.00"]
    assert main([str(docs), str(write({**ROW, "accept": ["9"]}))]) == 1
    assert capsys.readouterr().out.startswith("1: accept: '9' stands neither in")
    assert main([str(docs), str(write(ROW)), "--as-of", "2024-01-01", "--json"]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert shape["findings"] == []
    assert [row["name"] for row in shape["overlap"]] == ["all"]


def test_the_command_names_a_document_that_cannot_be_read(docs, write, capsys):
    (docs / "bad.pdf").write_bytes(b"%PDF-1.7 no more")
    assert main([str(docs), str(write(ROW))]) == 1
    said = capsys.readouterr()
    assert "bad.pdf" in said.err
    assert said.out.startswith("1 question, 0 findings")


@pytest.mark.parametrize("wrong", [["gone.jsonl"], ["gone.jsonl", "--as-of", "yesterday"], []])
def test_the_command_refuses_what_it_cannot_use_in_a_line(docs, wrong, capsys):
    with pytest.raises(SystemExit) as ended:
        main([str(docs), *wrong])
    assert ended.value.code == 2
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .startswith("python -m rag_kit.evaluation.question_checks: error: ")
    )
