"""Ready documents in JSON: a row is a document, and a bad row is an error of its own."""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import UnreadableDocument, parse
from rag_kit.parsing import parse_json, parse_jsonl
from rag_kit.types import Document, ParseFailure


def read(content, suffix=".jsonl"):
    parser = parse_jsonl if suffix == ".jsonl" else parse_json
    content = content if isinstance(content, str) else json.dumps(content)
    results = parser(content, source_uri=f"docs/a{suffix}", relative_path=f"a{suffix}")
    documents = [result for result in results if isinstance(result, Document)]
    return documents, [result for result in results if isinstance(result, ParseFailure)]


def lines(*rows):
    return "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)


GOOD = {"id": "fees", "text": "The fee is 5."}


def test_a_row_is_a_document_with_its_fields():
    row = {
        **GOOD,
        "title": "Fees",
        "document_version": 2,
        "updated_at": "2026-03-04",
        "expires_at": "2027-01-01",
        "access_tags": ["hr", "all"],
        "supersedes": "fees-2025",
        "region": "EU",
        "seats": 40,
    }
    (document,), errors = read(lines(row))
    assert not errors
    assert (document.document_id, document.title, document.text) == ("fees", "Fees", "The fee is 5.")
    assert (document.document_version, document.source_uri) == ("2", "docs/a.jsonl")
    assert (document.updated_at, document.expires_at) == (date(2026, 3, 4), date(2027, 1, 1))
    assert document.access_tags == ("all", "hr")
    assert document.metadata == {"supersedes": "fees-2025", "region": "EU", "seats": 40}


@pytest.mark.parametrize(
    "wrapped", [[GOOD], GOOD, {"documents": [GOOD]}, {"about": [1], "documents": [GOOD]}]
)
def test_a_json_file_is_a_list_a_row_or_an_object_with_documents(wrapped):
    documents, errors = read(wrapped, ".json")
    assert [document.document_id for document in documents] == ["fees"]
    assert not errors


def test_an_id_may_be_missing_or_a_number():
    rows = [{"text": "a"}, {"id": None, "text": "b"}, {"id": "", "text": "c"}, {"id": 7, "text": "d"}]
    for suffix, content in ((".json", rows), (".jsonl", lines(*rows))):
        documents, _ = read(content, suffix)
        assert [d.document_id for d in documents] == [f"a{suffix}#1", f"a{suffix}#2", f"a{suffix}#3", "7"]


def test_a_title_falls_back_on_the_first_heading_and_then_on_the_id():
    rows = lines({**GOOD, "title": ""}, {"id": "b", "text": "# Heading\n\nText."}, {"text": "c"})
    assert [document.title for document in read(rows)[0]] == ["fees", "Heading", "a"]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ('{"id": "x"', "not JSON"),
        ('{"id": "x", "text": "a", "n": NaN}', "NaN"),
        ("[" * 100_000, "nested too deeply"),
        ({"id": "x"}, "no text"),
        ({"id": "x", "text": None}, "no text"),
        ({"id": "x", "text": 5}, "text is a number"),
        ({"id": "x", "text": True}, "text is true or false"),
        ({"id": "x", "text": ["a"]}, "text is a list"),
        ({"id": ["x"], "text": "a"}, "id is a list"),
        ({"id": True, "text": "a"}, "id is true or false"),
        (["x"], "a row is a list"),
        ("7\n", "a row is a number"),
        ('{"id": "x", "text": "\\ud800"}', "half a character"),
        ('{"id": "x", "text": "a", "note": ["\\udfff"]}', "half a character"),
        ({"id": "fees", "text": "again"}, "taken by line 1"),
    ],
)
def test_a_bad_row_names_file_and_line_and_the_rest_is_read(row, fault):
    row = (
        row if isinstance(row, str) and row.endswith("\n") else (row + "\n" if isinstance(row, str) else row)
    )
    documents, (error,) = read(lines(GOOD, "\n", row, {"id": "last", "text": "b"}))
    assert [document.document_id for document in documents] == ["fees", "last"]
    assert (error.source_uri, error.message[:8]) == ("docs/a.jsonl", "line 3: ")
    assert error.code in ("bad_row", "duplicate_id")
    assert fault in error.message
    assert "\n" not in error.message


def test_a_bad_row_of_a_json_file_is_named_by_row_and_line():
    rows = '{"note": "\\"documents\\": [",\n "documents": [\n  {"id": "a", "text": "x"},\n\n  {"id": "b"}\n]}'
    documents, (error,) = read(rows, ".json")
    assert [document.document_id for document in documents] == ["a"]
    assert error.message.startswith("row 2, line ")
    assert read(json.dumps([GOOD, 5], indent=1), ".json")[1][0].message.startswith("row 2, line 6: a row is")


@pytest.mark.parametrize(
    "content", ["[]", "{}", "5", "null", '"a"', '{"name": "kit"}', '[{"a": 1}]', '{"documents": {}}']
)
def test_a_json_file_without_texts_is_no_document_file(content):
    with pytest.raises(UnreadableDocument, match='"text"') as caught:
        read(content, ".json")
    assert caught.value.code == "not_documents"


@pytest.mark.parametrize("content", ["", "\n\n", '{"question": "a"}\n{"question": "b"}\n'])
def test_json_lines_without_texts_are_one_error_not_one_a_line(content):
    with pytest.raises(UnreadableDocument) as caught:
        read(content)
    assert caught.value.code == "not_documents"


@pytest.mark.parametrize("content", ["{", "[1,]", "[" * 100_000, "[1e999999, NaN]", "0" * 10_000])
def test_what_is_no_json_is_an_error_with_its_place(content):
    with pytest.raises(UnreadableDocument, match="not JSON") as caught:
        read(content, ".json")
    assert caught.value.code == "json"


def test_blocks_are_markdown_where_the_text_looks_like_it_and_paragraphs_where_not():
    kinds = {
        "# Fees\n\nThe fee is 5.": ["title", "paragraph"],
        "| a | b |\n|---|---|\n| 1 | 2 |": ["table"],
        "See:\n\n- one\n- two": ["paragraph", "list"],
        "```\nx\n```": ["code"],
        "# set the fee\nfee = 5\n\n    indented = 1": ["paragraph", "paragraph"],
        "One.\n\nTwo - or 2.": ["paragraph", "paragraph"],
    }
    documents, _ = read(lines(*({"id": str(at), "text": text} for at, text in enumerate(kinds))))
    assert [[b.block_type for b in document.blocks] for document in documents] == list(kinds.values())


def test_front_matter_inside_a_text_gives_no_fields():
    text = "---\nid: other\naccess_tags: [all]\n---\nThe fee is 5."
    (document,), _ = read(lines({"id": "fees", "text": text}))
    assert (document.document_id, document.access_tags, document.text) == ("fees", (), text)
    assert [block.text for block in document.blocks] == ["The fee is 5."]


def test_line_ends_are_folded_as_in_files():
    (document,), _ = read(lines({"text": "# Fees\r\n\r\nFive.\rSix."}))
    assert document.text == "# Fees\n\nFive.\nSix."
    assert document.blocks[0].heading_path == ("Fees",)


def test_a_folder_reads_records_and_passes_questions_over(tmp_path):
    (tmp_path / "a.jsonl").write_text(lines(GOOD, {"id": "x"}), encoding="utf-8")
    (tmp_path / "b.md").write_text("---\nid: fees\n---\nText.", encoding="utf-8")
    (tmp_path / "package.json").write_text('{"name": "kit"}', encoding="utf-8")
    (tmp_path / "x.questions.jsonl").write_text('{"question": "a"}', encoding="utf-8")
    parsed = parse(tmp_path)
    assert [document.document_id for document in parsed.documents] == ["fees"]
    assert [(error.source_uri.rsplit("/")[-1], error.code) for error in parsed.errors] == [
        ("a.jsonl", "bad_row"),
        ("b.md", "duplicate_id"),
        ("package.json", "not_documents"),
    ]
    assert not parsed.passed_over


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "text", "title", "access_tags", "updated_at", "documents", "x"]), inner
        )
    ),
    max_leaves=12,
)


@given(VALUES.map(json.dumps) | st.text())
@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_no_content_raises_anything_but_the_typed_error(suffix, content):
    try:
        documents, errors = read(content, suffix)
    except UnreadableDocument as error:
        documents, errors = [], [ParseFailure(error.source_uri, error.code, error.message)]
    assert documents or errors
    assert len({document.document_id for document in documents}) == len(documents)
    for document in documents:
        document.text.encode("utf-8")
        json.dumps(document.metadata, allow_nan=False).encode("utf-8")
