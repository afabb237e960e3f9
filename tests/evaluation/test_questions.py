"""Question files: what a row may say, and that whatever is wrong is named with file and line."""

import json
from dataclasses import replace
from datetime import date

import pytest

from rag_kit import Filters, InvalidValue, parse
from rag_kit.evaluation.questions import Gold, asker_of, denied_asker_of, read_questions, read_rows

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
        *(
            (json.dumps({**ROW, key: held}), "half a character (\\ud800) is no text")
            for key, held in (
                ("id", "\ud800"),
                ("question", "a \ud800?"),
                ("kind", "\ud800"),
                ("user_tags", ["\ud800"]),
                ("note", {"\ud800": 1}),
            )
        ),
        ("[]", "not a question"),
        ("5", "not a question"),
        *(
            (f'{{"id": 1, "question": "Q?", "note": {note}}}', "a number has too many digits: write a")
            for note in ("1" * 5_000, "[-" + "1" * 5_000 + "]")
        ),
        ('{"question": "Q?", "id": ' + "1" * 5_000 + "}", "a number has too many digits: write a"),
        ({"question": "What?"}, "id is missing"),
        *(({**ROW, "id": empty}, "id is empty: write") for empty in ("", " ", "\n\u00a0")),
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
        ({**ROW, "user_tags": "legal"}, "user_tags is not a list"),
        ({**ROW, "user_tags": ["legal", 5]}, "user_tags is not a list of texts"),
        ({**ROW, "denied_tags": [None]}, "denied_tags is not a list of texts"),
        ({**ROW, "paraphrased": "yes"}, "paraphrased is not true or false"),
        ({**ROW, "paraphrased": 1}, "paraphrased is not true or false"),
        (evidence(quote="The fee is 6."), "stands 0 times"),
        (evidence(quote="It is due in May."), "stands 2 times"),
        (evidence(quote=5), "quote is not a text"),
        *(
            (evidence(quote=empty), "the quote is empty: copy it from fees.md, or")
            for empty in ("", " ", "\n\u00a0")
        ),
        (evidence(quote="", start=3, end=9), "the quote is empty"),
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


def test_who_asks_and_who_must_be_refused_make_the_filters(documents, write):
    gated = {**ROW, "user_tags": ["legal", "public"], "denied_tags": ["public"], "paraphrased": True}
    nobody = {**ROW, "id": "2", "user_tags": []}
    one, two, three = read_questions(write(gated, nobody, {**ROW, "id": "3", "user_tags": None}), documents)
    assert (one.user_tags, one.denied_tags, one.paraphrased) == (("legal", "public"), ("public",), True)
    assert (three.user_tags, three.denied_tags, three.paraphrased) == (None, None, False)
    day = date(2026, 11, 15)
    owner = Filters.owner(as_of=day)
    assert asker_of(owner, one) == Filters.for_tags(["public", "legal"], as_of=day)
    assert asker_of(owner, two) == Filters.for_tags([], as_of=day)
    assert asker_of(owner, three) == Filters.owner(as_of=day)
    assert denied_asker_of(owner, one) == Filters.for_tags(["public"], as_of=day)
    assert denied_asker_of(owner, two) is None


def test_a_question_gives_whoever_brings_it_no_tag_and_changes_nothing_else(documents, write):
    gated = {**ROW, "user_tags": ["legal", "public"], "denied_tags": ["hr"]}
    one, two = read_questions(write(gated, {**ROW, "id": "2"}), documents)
    guest = Filters.for_tags(
        ["public", "staff"], as_of=date(2026, 6, 1), where=["a=b"], include_superseded=True
    )
    assert asker_of(guest, one) == replace(guest, access_tags=frozenset(["public"]))
    assert denied_asker_of(guest, one) == replace(guest, access_tags=frozenset())
    assert (asker_of(guest, two), denied_asker_of(guest, two)) == (guest, None)


def test_rows_are_read_with_all_that_is_wrong_with_them(documents, write):
    good = {"document_id": "fees.md", "quote": "The fee is 5."}
    path = write(
        {**ROW, "evidence": [{"document_id": "gone"}, good, 5]}, "", "{bad", {**ROW, "question": " "}, ROW
    )
    one, two, three, four = read_rows(path, documents)
    assert one.question.evidence == (Gold("fees.md", (0, 13)),)
    assert [fault.split(":")[0] for fault in one.misplaced] == [
        "no document has the id 'gone'",
        "evidence is not a list of rows",
    ]
    assert (two.line, two.id, two.question) == (3, "", None)
    assert (three.line, three.id, three.faults) == (4, "1", ("question is empty: write one",))
    assert four.question.id == "1"
    assert four.faults == ("the id '1' is taken by line 1",)


@pytest.mark.parametrize("quote", [{}, {"quote": None}])
def test_evidence_without_a_quote_is_the_whole_document(documents, write, quote):
    (asked,) = read_questions(write(evidence(**quote)), documents)
    assert asked.evidence == (Gold("fees.md"),)


def test_an_empty_quote_is_misplaced_evidence_and_no_whole_document(documents, write):
    (row,) = read_rows(write(evidence(quote="")), documents)
    assert (row.question.evidence, row.faults) == ((), ())
    assert [why.split(":")[0] for why in row.misplaced] == ["the quote is empty"]


def test_an_accent_may_be_a_sign_of_its_own_in_the_ids_and_tags_of_a_question(folder, write):
    composed, apart = "\u00e9quipe", "e\u0301quipe"
    (document,) = parse(folder({"a.md": f"---\nid: {apart}\naccess_tags: [{apart}]\n---\nFive."})).documents
    row = {**ROW, "evidence": [{"document_id": apart}], "user_tags": [apart], "denied_tags": [apart]}
    (question,) = read_questions(write(row), [document])
    assert question.evidence == (Gold(composed),)
    assert question.user_tags == question.denied_tags == (composed,)
    assert asker_of(Filters.owner(as_of=date(2026, 6, 1)), question).admits(document)


def test_two_rows_with_one_id_are_refused(documents, write):
    message = fault(write(ROW, "", {**ROW, "id": 1}), documents)
    assert message == ", line 3: the id '1' is taken by line 1"


def test_a_file_that_cannot_be_read_is_named(documents, write, tmp_path):
    assert "no such file" in fault(tmp_path / "gone.jsonl", documents)
    assert fault(tmp_path, documents).endswith("name a file of questions")
    path = write(ROW)
    path.write_bytes(path.read_bytes() + b'{"id": "\xe9"}')
    assert fault(path, documents) == ", line 2: not UTF-8: save the file as UTF-8"
