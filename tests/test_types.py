"""The records: frozen, readable and writable as JSON, and what is put before a text."""

import dataclasses
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from rag_kit.testing import make_chunk, make_evidence
from rag_kit.types import LONGEST_HEAD, Answer, Chunk, Document, Refusal, Usage, embed_text


def test_a_document_and_an_answer_survive_the_trip_through_json(sample_library):
    document = sample_library.documents[0]
    documents = TypeAdapter(Document)
    assert documents.validate_json(documents.dump_json(document)) == document
    answer = Answer(
        "Q?",
        "R.",
        (),
        Refusal("declined", "R."),
        tuple(make_evidence("Five.")),
        "m",
        Usage(1, 2, 1),
        {"[1]": "x"},
    )
    answers = TypeAdapter(Answer)
    assert answers.validate_json(answers.dump_json(answer)) == answer


def test_records_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        make_chunk("Five.").text = "Six."


def test_title_and_headings_stand_before_the_text_and_never_in_it():
    assert embed_text("Fees", ("Prices", "Cards"), "| A | B |", "Five.") == (
        "Fees > Prices > Cards\n| A | B |\nFive."
    )
    assert embed_text("Fees", ("Fees",), "", "Five.") == "Fees\nFive."
    assert embed_text("", (), "", "Five.") == "Five."


@example("t" * 500, ("h" * 300,), "Five.")
@given(st.text(), st.lists(st.text(), max_size=5).map(tuple), st.text(min_size=1))
def test_however_long_the_headings_the_text_is_embedded_whole(title, path, text):
    read = embed_text(title, path, "", text)
    assert read.endswith(text)
    assert len(read) - len(text) <= LONGEST_HEAD + 1


def test_a_quote_from_the_second_section_of_a_chunk_is_shown_under_the_second_heading():
    headings = ((10, ("A",)), (50, ("A", "B")))
    chunk = make_chunk("x" * 90, start=10, heading_path=("A",), headings=headings)
    assert [chunk.heading_path_at(at) for at in (10, 49, 50, 99)] == [("A",), ("A",), ("A", "B"), ("A", "B")]


def test_dates_are_dates(sample_library):
    chunks = TypeAdapter(list[Chunk]).validate_json(
        TypeAdapter(list[Chunk]).dump_json(list(sample_library.chunks[:3]))
    )
    assert all(isinstance(chunk.updated_at, date) for chunk in chunks)


def test_a_chunk_knows_the_page_of_each_offset():
    chunk = make_chunk("One. Two. Three.", page_starts=((0, 3), (5, 4)), pages=(3, 4))
    assert [chunk.page_at(offset) for offset in (0, 4, 5, 12)] == [3, 3, 4, 4]
    assert make_chunk("One.").page_at(2) is None
