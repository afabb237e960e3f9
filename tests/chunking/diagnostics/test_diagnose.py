"""All checks together: order, no false alarms on the samples, and nothing that breaks on any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit.chunking import chunk_fixed, chunk_structure, diagnose
from rag_kit.chunking.diagnostics import CODES, SEVERITIES
from rag_kit.parsing import parse
from rag_kit.testing import FakeTokenizer
from tests.chunking.diagnostics.conftest import cut, read

ALPHABET = "aB1 .:|\n#-*‖€“é\ufffd价。ก\u0e32²=[^]()_`"


@pytest.fixture(scope="module")
def samples(sample_docs):
    return parse(sample_docs, languages=None).documents


def test_the_samples_cut_at_their_structure_give_no_error_and_no_warning(samples):
    chunks = chunk_structure(samples, FakeTokenizer(max_tokens=200))
    found = [f for f in diagnose(samples, chunks, FakeTokenizer()) if f.severity != "hint"]
    # The fonts of one note have no code for its cubes: that is no false alarm.
    lost = [f for f in found if f.source_uri.endswith("volume-from-level-note.pdf")]
    assert {f.code for f in lost} == {"unmapped_characters"}
    assert [f for f in found if f not in lost] == []


def test_the_samples_cut_by_size_alone_lose_labels_and_headers(samples):
    chunks = chunk_fixed(samples, FakeTokenizer(), size=60, overlap=0)
    codes = {f.code for f in diagnose(samples, chunks, FakeTokenizer())}
    assert codes >= {"number_parted_from_label", "table_without_header", "sentence_cut"}


def test_the_worst_come_first_and_then_the_order_of_the_text():
    marked = (
        "The lift ‖in the house is old and slow.\n\nIt bears ‖45 kg.\n\nThe door ‖is shut by hand alone.\n"
    )
    document, chunks = cut(marked)
    findings = diagnose([document], chunks, FakeTokenizer())
    assert [f.code for f in findings if f.code != "chunk_too_small"] == [
        "number_parted_from_label", "sentence_cut", "sentence_cut", "sentence_cut",
    ]  # fmt: skip
    ranks = [SEVERITIES.index(f.severity) for f in findings]
    assert ranks == sorted(ranks)


def test_the_same_input_gives_the_same_findings(samples):
    chunks = chunk_fixed(samples[:6], FakeTokenizer(), size=40, overlap=5)
    first = diagnose(samples[:6], chunks, FakeTokenizer())
    assert first == diagnose(samples[:6], list(reversed(chunks)), FakeTokenizer())


def test_nothing_to_look_at_is_nothing_found():
    assert diagnose([], [], FakeTokenizer()) == []


@settings(max_examples=150, deadline=None)
@given(st.text(ALPHABET, max_size=300), st.integers(1, 40), st.integers(0, 10))
def test_any_text_cut_anywhere_is_looked_at(text, size, overlap):
    documents = [read(text, "a.md"), read(text[::-1], "b.md")]
    chunks = chunk_fixed(documents, FakeTokenizer(), size=size, overlap=min(overlap, size - 1), unit="chars")
    known = {chunk.chunk_id for chunk in chunks} | {None}
    for item in diagnose(documents, chunks, FakeTokenizer(max_tokens=5)):
        assert item.code in CODES
        assert item.severity in SEVERITIES
        assert item.chunk_id in known
        assert item.message.splitlines() == [item.message]
