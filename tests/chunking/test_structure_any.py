"""Structured chunks of any Markdown and of long texts: the promises hold, the work stays linear."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag_kit.chunking import chunk_structure
from rag_kit.chunking.records import ChunkMaker
from rag_kit.llm.minilm import minilm
from rag_kit.parsing import parse, parse_markdown
from rag_kit.testing import FakeTokenizer
from rag_kit.tokens import TiktokenTokenizer

TABLE = "| Plan | Seats |\n|---|---|"


def markdown(text):
    return parse_markdown(text, source_uri="a.md", relative_path="a.md")


def chunks(text, tokenizer, **options):
    return chunk_structure([markdown(text)], tokenizer, **options)


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
    for times in (1, 2):
        tokenizer = Meter(max_tokens=100)
        found = chunks(LONG[name] * times, tokenizer)
        assert tokenizer.calls <= 4 * len(found) + LONG[name].count("## ") * times + 10
        assert tokenizer.read <= 8 * times * len(LONG[name]) + 1_000
        counted.append((tokenizer.calls, tokenizer.read))
    assert counted[1][0] <= 2.2 * counted[0][0] + 10
    assert counted[1][1] <= 2.2 * counted[0][1] + 1_000


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
@example(
    text="退款期限三十天。手数料は五ユーロ。" * 30, size=28, share=0.5
)  # cut again behind what the next one repeats
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
    found = chunks(
        "# T\n\nCaption.\n\n" + "\n".join([TABLE, *rows]), FakeTokenizer(), size=size, overlap=size // 2
    )
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
