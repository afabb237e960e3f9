"""Fixed-size chunks: spans that slice back, sizes that hold, overlap that is what it says."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import InvalidValue, chunk_fixed
from rag_kit.chunking import windows
from rag_kit.llm.minilm import minilm
from rag_kit.parsing import parse_markdown, parse_text
from rag_kit.testing import FakeTokenizer
from rag_kit.tokens import TiktokenTokenizer


def text_document(text, name="a.txt"):
    return parse_text(text, source_uri=name, relative_path=name)


def markdown(text):
    return parse_markdown(text, source_uri="a.md", relative_path="a.md")


def chunks(document, tokenizer=None, **options):
    return chunk_fixed([document], tokenizer or FakeTokenizer(), **options)


def spans(found):
    return [chunk.span for chunk in found]


def test_windows_by_hand():
    assert windows(25, 10, 3) == [(0, 10), (7, 17), (14, 24), (21, 25)]
    assert windows(100, 30, 10) == [(0, 30), (20, 50), (40, 70), (60, 90), (80, 100)]
    assert windows(9, 10, 3) == [(0, 9)]
    assert windows(10, 10, 9) == [(0, 10)]
    assert windows(0, 10, 3) == []


@pytest.mark.parametrize(("size", "overlap"), [(50, 50), (50, 60), (0, 0), (-1, 0), (50, -1)])
@pytest.mark.parametrize("unit", ["tokens", "chars"])
def test_an_overlap_that_does_not_fit_its_size_is_refused(size, overlap, unit):
    with pytest.raises(InvalidValue, match="choose"):
        windows(100, size, overlap)
    with pytest.raises(ValueError, match="choose"):
        chunks(text_document("Text."), size=size, overlap=overlap, unit=unit)


def test_a_size_that_the_embedder_cannot_read_is_refused_and_an_unknown_unit_too():
    with pytest.raises(InvalidValue, match=r"more than the embedder reads \(8 tokens\)"):
        chunks(text_document("Text."), FakeTokenizer(max_tokens=8), size=9)
    with pytest.raises(InvalidValue, match="choose 'tokens' or 'chars'"):
        chunks(text_document("Text."), unit="words")


@given(st.integers(0, 400), st.integers(1, 60), st.data())
def test_windows_cover_everything_with_rising_starts(length, size, data):
    overlap = data.draw(st.integers(0, size - 1))
    found = windows(length, size, overlap)
    assert [at for a, b in found for at in range(a, b)] or not length
    assert {at for a, b in found for at in range(a, b)} == set(range(length))
    assert all(b - a <= size for a, b in found)
    for (a, b), (c, _) in zip(found, found[1:], strict=False):
        assert a < c
        assert b - c == overlap


def test_characters_by_hand():
    found = chunks(text_document("x" * 100), size=30, overlap=10, unit="chars")
    assert spans(found) == [(0, 30), (20, 50), (40, 70), (60, 90), (80, 100)]
    assert [chunk.overlap for chunk in found] == [0, 10, 10, 10, 10]


def test_an_overlap_is_had_even_where_a_paragraph_fills_the_chunk():
    found = chunks(text_document("m" * 37 + "\n\n" + "n" * 12), size=40, overlap=8, unit="chars")
    assert spans(found) == [(0, 40), (32, 51)]
    assert found[1].overlap == 8


def test_tokens_by_hand():
    # The title "a" is one token of each chunk, so three words fit into four, and each repeats the last one.
    found = chunks(text_document("w1 w2 w3 w4 w5 w6 w7"), size=4, overlap=1)
    assert [chunk.text for chunk in found] == ["w1 w2 w3", "w3 w4 w5", "w5 w6 w7"]
    assert [chunk.tokens for chunk in found] == [4, 4, 4]
    assert [chunk.overlap for chunk in found] == [0, 2, 2]


def test_special_tokens_count_towards_the_size():
    found = chunks(text_document("w1 w2 w3 w4"), FakeTokenizer(special_tokens=2), size=5, overlap=0)
    assert [chunk.text for chunk in found] == ["w1 w2", "w3 w4"]
    assert [chunk.tokens for chunk in found] == [5, 5]


def test_the_default_size_is_what_the_embedder_reads():
    found = chunks(text_document("w " * 50), FakeTokenizer(max_tokens=20))
    assert max(chunk.tokens for chunk in found) == 20
    assert found[1].overlap > 0


def test_an_overlap_close_to_the_size_still_moves_on():
    found = chunks(text_document("row 7\n" * 40), size=60, overlap=58)
    # 59 words fit beside the title; 58 of 60 are 57 of 59, so each chunk begins two words later.
    assert len(found) == 1 + -(-(80 - 59) // 2)
    long_run = chunks(text_document("u" * 1_500), size=24, overlap=11, unit="chars")
    starts = [chunk.span[0] for chunk in long_run]
    assert starts == sorted(set(starts))
    assert long_run[-1].span[1] == 1_500


def test_headings_longer_than_the_chunk_leave_the_text_a_quarter_of_it():
    found = chunks(markdown("# " + "long " * 30 + "\n\n" + "w " * 40), size=16, overlap=0)
    assert max(len(chunk.text.split()) for chunk in found) >= 4
    assert len(found) < 40


@pytest.mark.parametrize("head", [0, 10, 23, 30, 33, 39])
@pytest.mark.parametrize("overlap", [0, 8, 32])
def test_half_of_each_chunk_is_new_however_much_the_headings_take(head, overlap):
    document = markdown("# " + "long " * head + "\n\n" + "w " * 400) if head else text_document("w " * 400)
    found = chunks(document, size=64, overlap=overlap)
    below = [chunk for chunk in found if "long" not in chunk.text]
    assert len(below) > 5
    for one, two in zip(below, below[1:], strict=False):
        words = one.text.count("w")
        repeated = document.text[two.span[0] : one.span[1]].count("w")
        assert repeated == min(overlap, words // 2)


def test_an_overlap_of_half_the_size_at_most_doubles_the_chunks():
    document = markdown("# " + "long " * 30 + "\n\n" + "w " * 2_000)
    without, half = (chunks(document, size=64, overlap=overlap) for overlap in (0, 32))
    assert len(half) <= 2 * len(without) + 1


TOKENIZERS = {
    "fake": FakeTokenizer(max_tokens=200, special_tokens=2),
    "minilm": minilm(),
    "api": TiktokenTokenizer(),
}
PIECES = st.lists(
    st.sampled_from(["word", "two words", "# Heading", "## Deep", "x" * 120, "退款期限三十天", "<|endoftext|>",
                     "😀 é",
                     "- item", "| a | b |", "", "  ", "a,b;c"])
    | st.text(max_size=20),
    max_size=40,
).map("\n".join)  # fmt: skip


@pytest.mark.parametrize("name", TOKENIZERS)
@given(
    text=PIECES, size=st.integers(60, 120), share=st.floats(0, 0.9), unit=st.sampled_from(["tokens", "chars"])
)
def test_for_any_text_spans_slice_back_sizes_hold_and_nothing_is_lost(name, text, size, share, unit):
    document = markdown(text)
    found = chunks(document, TOKENIZERS[name], size=size, overlap=int(size * share), unit=unit)
    starts = [chunk.span[0] for chunk in found]
    assert starts == sorted(set(starts))
    end = 0
    for chunk in found:
        assert chunk.text == document.text[slice(*chunk.span)]
        assert chunk.text.strip()
        assert chunk.overlap == max(0, end - chunk.span[0]) if end else chunk.overlap == 0
        end = chunk.span[1]
        if unit == "chars":
            assert len(chunk.text) <= size
    covered = {at for chunk in found for at in range(*chunk.span)}
    for block in document.blocks:
        assert all(at in covered or document.text[at].isspace() for at in range(*block.span))
    assert len({chunk.chunk_id for chunk in found}) == len(found)


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("text", ["plain words here " * 200, "word\n" * 300, "请在十四天内通知我们。" * 60])
def test_no_chunk_holds_more_tokens_than_its_size(name, text):
    found = chunks(text_document(text), TOKENIZERS[name], size=128)
    assert max(chunk.tokens for chunk in found) <= 128
    if name != "fake":  # To the fake, a hundred Chinese signs are one word.
        assert max(chunk.tokens for chunk in found) > 60
    for chunk in found:
        tokenizer = TOKENIZERS[name]
        assert chunk.tokens == tokenizer.count(chunk.embed_text()) + tokenizer.special_tokens


def test_a_long_run_without_blanks_is_cut():
    found = chunks(text_document("请在十四天内通知我们。" * 300), minilm(), size=200)
    assert len(found) >= 7
    assert max(chunk.tokens for chunk in found) <= 200


@pytest.mark.parametrize("text", ["word word word\n" * 500 + "\n\nEnd.", "=" * 20_000])
def test_the_tokenizer_is_asked_in_proportion_to_the_text(text):
    calls = []
    for times in (1, 2):
        tokenizer = FakeTokenizer(max_tokens=100)
        found = chunks(text_document(text * times), tokenizer)
        assert tokenizer.calls <= 6 * len(found) + 10
        calls.append(tokenizer.calls)
    assert calls[1] <= 2.2 * calls[0] + 10


def test_ids_hold_the_document_and_the_text_and_do_not_move():
    below = "Kept as it is, word for word."
    one, two = (
        chunks(text_document(head + below), size=len(below), overlap=0, unit="chars") for head in ("", below)
    )
    digest = hashlib.sha256(below.encode()).hexdigest()
    assert one[0].chunk_id == f"a.txt#{digest[:12]}"
    assert [chunk.chunk_id for chunk in two] == [one[0].chunk_id, one[0].chunk_id + ".2"]
    other = chunks(text_document(below, "b.txt"), size=len(below), overlap=0, unit="chars")
    assert other[0].chunk_id == f"b.txt#{digest[:12]}"
    assert other[0].content_hash == one[0].content_hash


def test_a_chunk_has_what_its_document_has():
    document = markdown(
        "---\nid: fees\ntitle: Fees\ndocument_version: 2\nupdated_at: 2026-01-01\nexpires_at: 2027-01-01\n"
        "access_tags: [all]\nregion: EU\n---\nIntro.\n\n# A\n\nOne.\n\n## B\n\nTwo.\n"
    )
    (chunk,) = chunks(document)
    assert (chunk.document_id, chunk.title, chunk.document_version) == ("fees", "Fees", "2")
    assert (chunk.access_tags, chunk.metadata, chunk.expires_at) == (
        ("all",),
        {"region": "EU"},
        document.expires_at,
    )
    assert chunk.heading_path == ()
    assert [path for _, path in chunk.headings] == [("A",), ("A", "B")]
    assert chunk.heading_path_at(document.text.index("Two.")) == ("A", "B")
    assert "---" not in chunk.text


def test_a_document_without_text_gives_no_chunk():
    assert chunks(text_document("")) == []
    assert chunk_fixed([], FakeTokenizer()) == []


def test_sample_chunks_slice_back_and_are_read_whole(sample_library):
    texts = {document.document_id: document.text for document in sample_library.documents}
    for chunk in sample_library.chunks:
        assert chunk.text == texts[chunk.document_id][slice(*chunk.span)]
        assert chunk.tokens <= minilm().max_tokens
    assert len({chunk.chunk_id for chunk in sample_library.chunks}) == len(sample_library.chunks)
