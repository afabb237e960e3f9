"""The same text in several chunks, or nearly the same."""

from dataclasses import replace
from datetime import date

from rag_kit.chunking import diagnose
from rag_kit.testing import FakeTokenizer, make_chunk

TEXT = (
    "A lost access card has to be reported to the service desk on the same day, and the holder pays a fee of "
    "35 euros for a new one, which is taken off the next salary. The card that was lost is locked at once and "
    "is not opened again when it is found, so that nobody else can use it to enter the house."
)
OTHER = (
    "Meters are shipped in groups of twelve with a paper that names the order, the weight of the box and the "
    "day on which it left the store, and each one is packed in foam that goes back to the works."
)


def codes(*chunks):
    return [(f.code, f.severity) for f in diagnose([], chunks, FakeTokenizer())]


def test_the_same_text_in_two_documents_is_found_once():
    one, two, three = (make_chunk(TEXT, name) for name in ("a", "b", "c"))
    (item,) = diagnose([], [one, two, three, make_chunk(OTHER, "d")], FakeTokenizer())
    assert (item.code, item.severity, item.chunk_id) == ("duplicate_chunk", "warning", one.chunk_id)
    assert [place.chunk_id for place in item.related] == [two.chunk_id, three.chunk_id]
    assert item.message.startswith("3 chunks of 3 documents hold the same text")


def test_white_space_and_case_make_no_difference():
    assert codes(make_chunk(TEXT, "a"), make_chunk(TEXT.upper().replace(" ", "\n"), "b")) == [
        ("duplicate_chunk", "warning")
    ]


def test_texts_that_differ_in_a_number_are_nearly_the_same_and_it_is_named():
    (item,) = diagnose(
        [], [make_chunk(TEXT, "a"), make_chunk(TEXT.replace("35", "50"), "b")], FakeTokenizer()
    )
    assert (item.code, item.severity) == ("near_duplicate_chunk", "warning")
    assert "(35, 50)" in item.message


def test_texts_that_differ_in_a_word_are_a_hint():
    assert codes(make_chunk(TEXT, "a"), make_chunk(TEXT.replace("lost", "stolen", 1), "b")) == [
        ("near_duplicate_chunk", "hint")
    ]


def test_other_texts_and_short_ones_are_no_copies():
    assert codes(make_chunk(TEXT, "a"), make_chunk(OTHER, "b")) == []
    assert codes(make_chunk("See the list of prices.", "a"), make_chunk("See the list of prices.", "b")) == []


def test_chunks_that_overlap_and_versions_that_ended_are_no_copies():
    assert codes(make_chunk(TEXT, "a"), make_chunk(TEXT[2:], "a", start=2)) == []
    ended = replace(make_chunk(TEXT, "b"), superseded_at=date(2026, 1, 1))
    assert codes(make_chunk(TEXT, "a"), ended) == []


def test_signs_without_blanks_are_compared_too():
    text = (
        "本协议自双方签署之日起生效，有效期为三年，期满后经双方书面同意可以续签，费用为四十五欧元，每年支付。"
    )
    assert codes(make_chunk(text, "a"), make_chunk(text.replace("四", "五"), "b")) == [
        ("near_duplicate_chunk", "hint")
    ]
    assert codes(make_chunk(text, "a"), make_chunk(text[::-1], "b")) == []
