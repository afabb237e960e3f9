"""Question files: what a row may say, and that whatever is wrong is named with file and line."""

import json

import pytest

from rag_kit import InvalidValue, parse
from rag_kit.evaluation.questions import Gold, read_questions

ROW = {"id": "1", "question": "What is the fee?"}


@pytest.fixture
def documents(folder):
    return parse(folder({"fees.md": "The fee is 5. It is due in May. It is due in May."})).documents


@pytest.fixture
def write(tmp_path):
    def to_file(*rows, encoding="utf-8"):
        path = tmp_path / "a.questions.jsonl"
        lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
        path.write_text("\n".join(lines) + "\n", encoding=encoding)
        return path

    return to_file


def fault(path, documents):
    with pytest.raises(InvalidValue) as caught:
        read_questions(path, documents)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    return message.removeprefix(str(path))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_questions_are_read_with_the_place_of_their_evidence(documents, write, encoding):
    evidence = [{"document_id": "fees.md", "quote": "The fee is 5."}, {"document_id": "fees.md"}]
    path = write(
        {**ROW, "evidence": evidence, "accept": ["5"], "answer": None, "kind": "figure"},
        "",
        {"id": 2, "question": "Wann?", "evidence": [{"document_id": "fees.md", "start": 14, "end": 31}]},
        {"id": "3", "question": "Who?"},
        encoding=encoding,
    )
    one, two, three = read_questions(path, documents)
    assert one.evidence == (Gold("fees.md", (0, 13)), Gold("fees.md"))
    assert (one.id, one.expected, one.accept, one.kind) == ("1", "answer", ("5",), "figure")
    assert (two.id, two.evidence) == ("2", (Gold("fees.md", (14, 31)),))
    assert three.expected == "refuse"


def evidence(**fields):
    return {**ROW, "evidence": [{"document_id": "fees.md", **fields}]}


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("{bad", "not JSON"),
        ("[" * 100_000, "not JSON (nested too deeply)"),
        ("[]", "not a question"),
        ("5", "not a question"),
        ({"question": "What?"}, "id is missing"),
        ({**ROW, "id": ["a"]}, "id is missing"),
        ({**ROW, "id": True}, "id is missing"),
        ({"id": "1"}, "question is missing"),
        ({**ROW, "question": 5}, "question is not a text"),
        ({**ROW, "question": " "}, "question is empty"),
        ({**ROW, "expected": "maybe"}, "expected 'maybe'"),
        ({**ROW, "answer": 5}, "answer is not a text"),
        ({**ROW, "accept": "5"}, "accept is not a list"),
        ({**ROW, "accept": [5]}, "accept is not a list of texts"),
        ({**ROW, "evidence": {}}, "evidence is not a list"),
        ({**ROW, "evidence": ["fees.md"]}, "evidence is not a list of rows"),
        ({**ROW, "evidence": [{}]}, "document_id is missing"),
        ({**ROW, "evidence": [{"document_id": "gone"}]}, "no document has the id 'gone'"),
        (evidence(quote="The fee is 6."), "stands 0 times"),
        (evidence(quote="It is due in May."), "stands 2 times"),
        (evidence(quote=5), "quote is not a text"),
        (evidence(start=3), "end is missing"),
        (evidence(start=-1, end=3), "the span -1 to 3"),
        (evidence(start=3, end=3), "the span 3 to 3"),
        (evidence(start=3, end=4_000), "which has 49 letters"),
        (evidence(start="3", end=4), "start is not a whole number"),
        (evidence(start=True, end=4), "start is not a whole number"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_with_its_line(documents, write, row, why):
    message = fault(write({"id": "0", "question": "First?"}, row), documents)
    assert message.startswith(", line 2: ")
    assert why in message


def test_two_rows_with_one_id_are_refused(documents, write):
    message = fault(write(ROW, "", {**ROW, "id": 1}), documents)
    assert message == ", line 3: the id '1' is taken by line 1"


def test_a_file_that_cannot_be_read_is_named(documents, write, tmp_path):
    assert "no such file" in fault(tmp_path / "gone.jsonl", documents)
    assert fault(tmp_path, documents).endswith("name a file of questions")
    path = write(ROW)
    path.write_bytes(path.read_bytes() + b'{"id": "\xe9"}')
    assert fault(path, documents) == ", line 2: not UTF-8: save the file as UTF-8"
