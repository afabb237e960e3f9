"""Chunks that follow the structure: what is promised of spans, sizes, tables, overlap, merging and ids."""

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import InvalidValue
from rag_kit.chunking import chunk_structure
from rag_kit.chunking.records import ChunkMaker
from rag_kit.generation.quotes import locate_quote
from rag_kit.llm.minilm import minilm
from rag_kit.parsing import parse, parse_markdown
from rag_kit.testing import FakeTokenizer
from rag_kit.tokens import TiktokenTokenizer


def markdown(text):
    return parse_markdown(text, source_uri="a.md", relative_path="a.md")


def chunks(text, tokenizer=None, **options):
    return chunk_structure([markdown(text)], tokenizer or FakeTokenizer(), **options)


def texts(found):
    return [chunk.text for chunk in found]


def words(count, name="w"):
    return " ".join(f"{name}{n}" for n in range(1, count + 1))


def test_a_section_that_fits_is_one_chunk_without_its_heading():
    found = chunks(f"# A\n\n{words(6)}\n\n## B\n\n{words(6, 'v')}\n", size=10)
    assert texts(found) == [words(6), words(6, "v")]
    assert [chunk.heading_path for chunk in found] == [("A",), ("A", "B")]


def test_a_long_section_is_cut_between_blocks_and_a_long_block_between_sentences():
    # The title "A" takes 1 of 7 tokens.
    found = chunks("# A\n\na1 a2 a3.\n\nb1 b2 b3. c1 c2 c3. d1 d2 d3.\n", size=7, overlap=0)
    assert texts(found) == ["a1 a2 a3.\n\nb1 b2 b3.", "c1 c2 c3. d1 d2 d3."]


def test_a_list_and_code_are_cut_between_lines():
    found = chunks("# A\n\n- i1 i2\n- i3 i4\n- i5 i6\n\n```\nc1 c2\nc3 c4\n```\n", size=7, overlap=0)
    assert texts(found) == ["- i1 i2\n- i3 i4", "- i5 i6", "```\nc1 c2\nc3 c4\n```"]


def test_a_sentence_that_is_too_long_is_cut_between_words():
    assert texts(chunks(f"# A\n\n{words(7)}", size=4, overlap=0)) == ["w1 w2 w3", "w4 w5 w6", "w7"]


def test_small_neighbours_under_one_parent_are_merged_with_the_heading_between_them():
    text = "# A\n\n## B\n\nb1 b2.\n\n## C\n\nc1 c2.\n\n# D\n\nd1 d2.\n"
    found = chunks(text, size=40)
    assert texts(found) == ["b1 b2.\n\n## C\n\nc1 c2.", "d1 d2."]
    assert found[0].heading_path == ("A", "B")
    assert [path for _, path in found[0].headings] == [("A", "C")]


def test_neighbours_that_are_not_small_stay_apart():
    text = f"# A\n\n## B\n\n{words(11)}\n\n## C\n\n{words(11, 'v')}\n"
    assert len(chunks(text, size=40)) == 2
    assert len(chunks(text, size=50)) == 1


def test_a_heading_with_nothing_under_it_stays():
    found = chunks(f"# A\n\n{words(9)}\n\n# B\n\n# C\n\n{words(9, 'v')}\n", size=12)
    assert texts(found) == [f"{words(9)}\n\n# B", words(9, "v")]


def test_overlap_repeats_whole_sentences_of_the_same_section_and_is_declared():
    text = "# A\n\na1 a2. b1 b2. c1 c2. d1 d2. e1 e2.\n\n# B\n\nf1 f2. g1 g2. h1 h2.\n"
    # "A" takes 1 of 9 tokens, and "A > B" 3.
    found = chunks(text, size=9, overlap=2)
    assert texts(found) == ["a1 a2. b1 b2. c1 c2. d1 d2.", "d1 d2. e1 e2.", "f1 f2. g1 g2. h1 h2."]
    assert [chunk.overlap for chunk in found] == [0, len("d1 d2."), 0]
    # Of a sentence longer than the overlap nothing is repeated, and the chunk says so.
    assert {chunk.overlap for chunk in chunks(text, size=9, overlap=1)} == {0}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": 0}, "choose 1 or more"),
        ({"size": 9, "overlap": 9}, "choose 0 to 8"),
        ({"size": 2_000}, "more than the embedder reads"),
        ({"unit": "chars"}, "'chars' does not go with strategy 'structure'"),
    ],
)
def test_what_does_not_fit_is_refused(options, said):
    with pytest.raises(InvalidValue, match=said):
        chunks("Text.", **options)


ROWS = [f"| P{n} | 1{n} |" for n in range(1, 7)]
TABLE = "| Plan | Seats |\n|---|---|"


def test_a_long_table_is_cut_between_rows_and_each_part_has_its_header():
    # Title 1, a row 5, the header 5 and the rule 1: two rows and the header in 17.
    text = "# T\n\nSeats per plan\n\n" + "\n".join([TABLE, *ROWS])
    found = chunks(text, size=17, overlap=0)
    assert "".join(texts(found)).count("Seats per plan") == 1
    assert texts(found)[0].startswith("Seats per plan")
    rows = [row for chunk in found for row in re.findall(r"\| P\d \| 1\d \|", chunk.text)]
    assert rows == ROWS, "each row once and in order"
    for chunk in found:
        assert chunk.tokens <= 17
        shown = f"{chunk.prefix}\n{chunk.text}" if chunk.prefix else chunk.text
        assert shown.count(TABLE) == 1
        assert "\n\n" not in shown[shown.index(TABLE) :]
        assert shown in chunk.embed_text()
        assert chunk.text == text[slice(*chunk.span)]
    (fifth,) = [chunk for chunk in found if "P5" in chunk.text]
    assert "Seats" in fifth.embed_text()
    span = locate_quote("Plan: P5; Seats: 15", fifth)
    assert text[slice(*span)] == "| P5 | 15 |"


def test_rows_after_a_row_that_was_itself_cut_keep_the_header():
    first = f"| P1 | {words(30)} |"
    found = chunks("# T\n\n" + "\n".join([TABLE, first, *ROWS[1:]]), size=20, overlap=0)
    assert found[0].text.startswith(TABLE)
    assert found[0].prefix == ""
    assert {chunk.prefix for chunk in found[1:]} == {TABLE}
    assert max(chunk.tokens for chunk in found) <= 20
    middle = f"| P3 | {words(30)} |"
    cut = chunks("# T\n\n" + "\n".join([TABLE, ROWS[0], middle, *ROWS[3:]]), size=20, overlap=0)
    assert {chunk.prefix for chunk in cut[1:]} == {TABLE}
    assert max(chunk.tokens for chunk in cut) <= 20


def test_a_header_of_more_than_half_a_chunk_stands_above_the_first_rows_alone():
    wide = f"| {words(12)} |\n|---|"
    found = chunks("# T\n\n" + "\n".join([wide, *(f"| {words(9, f'r{n}x')} |" for n in range(4))]), size=20)
    assert [chunk.prefix for chunk in found] == [""] * len(found)
    assert found[0].text.startswith(wide.split(" |\n")[0])


def test_a_table_without_bars_at_its_ends_is_cut_between_rows_too():
    rows = [f"r{n} | {n}" for n in range(6)]
    found = chunks("# T\n\n" + "\n".join(["Plan | Seats", "--|--", *rows]), size=12, overlap=0)
    assert {chunk.prefix for chunk in found[1:]} == {"Plan | Seats\n--|--"}
    assert [row for chunk in found for row in chunk.text.splitlines() if row in rows] == rows
    assert locate_quote("Plan: r4; Seats: 4", found[-1]) is not None


def test_ids_stay_when_text_is_inserted_above():
    body = "".join(f"\n\n## S{n}\n\n{words(14, f's{n}x')}. {words(14, f't{n}x')}." for n in range(4))
    before = {chunk.chunk_id for chunk in chunks(f"# A{body}", size=20)}
    after = {chunk.chunk_id for chunk in chunks(f"# A\n\n## New\n\n{words(14, 'n')}.{body}", size=20)}
    assert len(after) == len(before) + 1
    assert before < after


class Meter(FakeTokenizer):
    """Counts how many characters it was given."""

    read = 0

    def count(self, text):
        self.read += len(text)
        return super().count(text)

    def word_spans(self, text):
        self.read += len(text)
        return super().word_spans(text)


LONG = {
    "sentences": "word word word. " * 3_000,
    "lines": "word word word\n" * 3_000,
    "one run": "=" * 40_000,
    "sections": "".join(f"## H{n}\n\nword word.\n\n" for n in range(1_500)),
    "table": TABLE + "\n" + "| P1 | 11 |\n" * 3_000,
    "list": "- word word word\n" * 3_000,
}


@pytest.mark.parametrize("name", LONG)
def test_work_grows_with_the_text_and_no_faster(name):
    counted = []
    start = process_time()
    for times in (1, 2):
        tokenizer = Meter(max_tokens=100)
        found = chunks(LONG[name] * times, tokenizer)
        assert tokenizer.calls <= 4 * len(found) + LONG[name].count("## ") * times + 10
        assert tokenizer.read <= 8 * times * len(LONG[name]) + 1_000
        counted.append((tokenizer.calls, tokenizer.read))
    assert counted[1][0] <= 2.2 * counted[0][0] + 10
    assert counted[1][1] <= 2.2 * counted[0][1] + 1_000
    assert process_time() - start < 30


TOKENIZERS = {
    "fake": FakeTokenizer(max_tokens=200, special_tokens=2),
    "minilm": minilm(),
    "api": TiktokenTokenizer(),
}
LINES = st.sampled_from(
    ["退款期限三十天。手数料は五ユーロ。" * 9, "# One", "## Two", "### Three", "", "",
     "Some words. More words here! And e.g. more.", "word " * 30, "x" * 230,
     "- item one\n- item two", "1. first", "> quoted text", "```\ncode = 1\n```", "~~~", TABLE, "| a | b c d |",
     "a | b\n--|--\n1 | 2", "***", "<b>x</b>", "<|endoftext|>", "\u200b", "Title\n====="]
) | st.text(max_size=20)  # fmt: skip
MARKDOWN = st.lists(LINES, max_size=40).map("\n".join)


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=MARKDOWN, size=st.integers(24, 90), share=st.floats(0, 0.9))
def test_for_any_markdown_the_promises_hold(name, text, size, share):
    tokenizer = TOKENIZERS[name]
    document = markdown(text)
    found = chunk_structure([document], tokenizer, size=size, overlap=int(size * share))
    maker = ChunkMaker(document, tokenizer)
    titles = [block.span for block in document.blocks if block.block_type == "title"]
    end = start = 0
    covered = set()
    for chunk in found:
        assert chunk.text == document.text[slice(*chunk.span)]
        assert chunk.text.strip()
        assert chunk.span[0] >= start
        assert chunk.span[1] > end
        assert chunk.overlap == max(0, end - chunk.span[0])
        if chunk.overlap:
            assert not any(chunk.span[0] <= a < end for a, _ in titles), "no heading in what is repeated"
            assert maker.heading_path(start) == chunk.heading_path or any(a > start for a, _ in titles)
            assert tokenizer.count(document.text[chunk.span[0] : end]) <= int(size * share)
        start, end = chunk.span
        covered.update(range(*chunk.span))
        assert chunk.tokens == tokenizer.count(chunk.embed_text()) + tokenizer.special_tokens
        head = maker.head_tokens(chunk.span[0])
        alone = len(tokenizer.word_spans(chunk.text)) == 1
        assert alone or chunk.tokens <= max(size, head + max(size // 2, 1))
        assert not chunk.prefix or chunk.prefix in document.text[: chunk.span[0]]
    for block in document.blocks:
        if block.block_type != "title":
            assert all(at in covered or document.text[at].isspace() for at in range(*block.span))
    assert len({chunk.chunk_id for chunk in found}) == len(found)


@given(st.lists(st.lists(st.integers(0, 99), min_size=2, max_size=2), max_size=30), st.integers(16, 40))
def test_every_row_of_any_table_stands_in_one_chunk(cells, size):
    rows = [f"| r{n}x{a} | {b} |" for n, (a, b) in enumerate(cells)]
    found = chunks("# T\n\nCaption.\n\n" + "\n".join([TABLE, *rows]), size=size, overlap=size // 2)
    assert [line for chunk in found for line in chunk.text.splitlines() if line in rows] == rows
    assert all(TABLE in chunk.embed_text() for chunk in found if "| r" in chunk.text)
    assert max(chunk.tokens for chunk in found) <= size


def test_sample_chunks_are_read_whole_and_lose_no_word(sample_docs):
    for document in parse(sample_docs).documents:
        found = chunk_structure([document], minilm())
        covered = {at for chunk in found for at in range(*chunk.span)}
        assert max(chunk.tokens for chunk in found) <= minilm().max_tokens
        for block in document.blocks:
            if block.block_type != "title":
                assert all(at in covered or document.text[at].isspace() for at in range(*block.span))
