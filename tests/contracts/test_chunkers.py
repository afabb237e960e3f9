"""What every chunking strategy does: name one in the table of strategies, and it is tested here too."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit.chunking import STRATEGIES, chunk
from rag_kit.llm.minilm import minilm
from rag_kit.parsing import parse_markdown, parse_text
from rag_kit.parsing.blocks import Piece, build_document
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.testing import FakeTokenizer, WordEmbedder
from rag_kit.tokens import TiktokenTokenizer

TOKENIZERS = {"fake": FakeTokenizer(max_tokens=200, special_tokens=2), "minilm": minilm()}
FOLLOW_THE_TEXT = [name for name in STRATEGIES if name != "fixed"]
EMBEDDER = WordEmbedder("fee", "day", "word")
TABLE = "| Plan | Seats |\n|---|---|"
RICH = (
    "---\nid: rich\ntitle: Rich\n---\nIntro.\n\n# Fees\n\nThe fee is 5. It is paid once. A day is free.\n\n"
    f"{TABLE}\n| P1 | 11 |\n| P2 | 12 |\n\n- item one\n- item two\n\n```\nx = 1\n\ny = 2\n```\n\n"
    "## 退款\n\n退款期限三十天。手数料は五ユーロ。\n\n# Last\n\nThe marker <|endoftext|> closes a record; fee 7.\n"
)


def markdown(text, name="a.md"):
    return parse_markdown(text, source_uri=name, relative_path=name)


def cut(strategy, *documents, tokenizer=None, **options):
    return chunk(documents, tokenizer or FakeTokenizer(), strategy=strategy, embedder=EMBEDDER, **options)


def words(count, name="w"):
    return " ".join(f"{name}{n}" for n in range(1, count + 1))


def check(document, found, tokenizer, *, size=None):
    """Check what holds of any chunks of one document."""
    covered, start, end = set(), -1, 0
    for each in found:
        assert each.text == document.text[slice(*each.span)]
        assert each.text.strip()
        assert each.document_id == document.document_id
        assert each.span[0] > start
        assert each.span[1] > end
        assert each.overlap == (max(0, end - each.span[0]) if covered else 0)
        assert each.tokens == tokenizer.count(each.embed_text()) + tokenizer.special_tokens
        if size is not None and len(tokenizer.word_spans(each.text)) > 1:
            head = len(each.embed_text()) - len(each.text) - len(each.prefix)
            assert each.tokens <= size or tokenizer.count(each.embed_text()[:head]) > size // 3
        start, end = each.span
        covered.update(range(*each.span))
    for block in document.blocks:
        if block.block_type != "title":
            assert all(at in covered or document.text[at].isspace() for at in range(*block.span))
    assert len({each.chunk_id for each in found}) == len(found)


@pytest.fixture(params=STRATEGIES)
def strategy(request):
    return request.param


@pytest.mark.parametrize("name", [*TOKENIZERS, "api"])
@pytest.mark.parametrize("size", [24, 64, None])
def test_spans_slice_back_in_order_and_nothing_is_lost(strategy, name, size):
    tokenizer = TOKENIZERS.get(name) or TiktokenTokenizer()
    document = markdown(RICH)
    found = cut(strategy, document, tokenizer=tokenizer, size=size)
    check(document, found, tokenizer, size=size)
    assert any("<|endoftext|>" in each.text for each in found)
    assert "id: rich" not in found[0].text


LINES = st.sampled_from(
    ["退款期限三十天。手数料は五ユーロ。" * 5, "# One", "## Two", "", "", "Some words. A fee! And e.g. a day.",
     "word " * 30, "x" * 230, "- item one\n- item two", "```\ncode = 1\n```", "~~~", TABLE, "| a | b c d |",
     "a | b\n--|--\n1 | 2", "<|endoftext|>", "Title\n====="]
) | st.text(max_size=20)  # fmt: skip


@settings(max_examples=25)
@given(
    st.sampled_from(list(STRATEGIES)), st.sampled_from(list(TOKENIZERS)),
    st.lists(LINES, max_size=30).map("\n".join), st.integers(24, 90), st.floats(0, 0.8),
)  # fmt: skip
def test_for_any_markdown_too(strategy, name, text, size, share):
    document = markdown(text)
    found = cut(strategy, document, tokenizer=TOKENIZERS[name], size=size, overlap=int(size * share))
    check(document, found, TOKENIZERS[name], size=size)


def test_the_same_documents_give_the_same_chunks_alone_or_among_others(strategy):
    one, two = markdown(RICH), markdown("# B\n\n" + words(50) + ".\n", "b.md")
    both = cut(strategy, one, two, size=20)
    assert both == cut(strategy, one, two, size=20)
    assert both == cut(strategy, one, size=20) + cut(strategy, two, size=20)


def test_ids_are_not_moved_by_a_section_that_is_put_in_above(strategy):
    body = "".join(f"\n\n## S{n}\n\n{words(14, f's{n}x')}. {words(14, f't{n}x')}." for n in range(4))
    options = {"size": 20, "overlap": 0}
    if strategy == "fixed":  # Windows fall where they fall: a text of whole windows is put in above.
        body, above = words(90), words(18, "n") + " "
        before, after = (
            cut(strategy, parse_text(text, source_uri="aa", relative_path="aa"), size=19, overlap=0)
            for text in (body, above + body)
        )
    else:
        before, after = (
            cut(strategy, markdown(f"# A{text}"), **options)
            for text in (body, f"\n\n## New\n\n{words(14, 'n')}.{body}")
        )
    assert {each.chunk_id for each in before} < {each.chunk_id for each in after}


def test_equal_texts_have_ids_of_their_own(strategy):
    found = cut(strategy, markdown(f"# A\n\n{words(14)}.\n\n# B\n\n{words(14)}.\n"), size=16, overlap=0)
    assert len({each.chunk_id for each in found}) == len(found) >= 2


def test_overlap_is_had_where_it_is_asked_for_and_none_where_it_is_not(strategy):
    text = "# A\n\n" + " ".join(f"a{n} b{n}." for n in range(30)) + "\n"
    assert {each.overlap for each in cut(strategy, markdown(text), size=12, overlap=0)} == {0}
    repeating = cut(strategy, markdown(text), size=12, overlap=4)
    assert len(repeating) > 2
    assert all(each.overlap for each in repeating[1:])
    assert max(each.tokens for each in repeating) <= 12


@pytest.mark.parametrize("rows", [6, 40])
def test_rows_are_never_parted_from_their_header(rows):
    lines = [f"| P{n} | 1{n} |" for n in range(rows)]
    for name in FOLLOW_THE_TEXT:
        found = cut(name, markdown("# T\n\nSeats.\n\n" + "\n".join([TABLE, *lines])), size=24, overlap=4)
        assert [line for each in found for line in each.text.splitlines() if line in lines] == lines
        assert all(f"{TABLE}\n| P" in each.embed_text() for each in found if "| P" in each.text)
        assert max(each.tokens for each in found) <= 24


@pytest.mark.parametrize("strategy", FOLLOW_THE_TEXT)
def test_a_fence_and_a_table_are_whole_unless_they_alone_are_too_long(strategy):
    fence = "```\n" + "\n\n".join(f"c{n} d{n}" for n in range(5)) + "\n```"
    table = "\n".join([TABLE, "| P1 | 11 |"])
    found = cut(
        strategy, markdown(f"# T\n\n{words(9)}.\n\n{fence}\n\n{words(9, 'v')}.\n\n{table}\n"), size=19
    )
    assert sum(fence in each.text for each in found) == 1
    assert sum(table in each.text for each in found) == 1
    longer = cut(strategy, markdown(f"# T\n\n{fence}\n"), size=8, overlap=0)
    assert [line for each in longer for line in re.findall(r"c\d d\d", each.text)] == [
        f"c{n} d{n}" for n in range(5)
    ]


@pytest.mark.parametrize("tokenizer", [minilm(), TiktokenTokenizer()], ids=["minilm", "api"])
@pytest.mark.parametrize("text", ["=" * 4_000, "退款期限三十天。" * 200, "u" * 1_500, "<|endoftext|>" * 90])
def test_what_has_no_place_to_cut_is_cut_all_the_same(strategy, tokenizer, text):
    document = parse_text(text, source_uri="a.txt", relative_path="a.txt")
    found = cut(strategy, document, tokenizer=tokenizer, size=100)
    check(document, found, tokenizer, size=100)
    assert len(found) > 1


def test_pages_are_those_that_the_chunk_stands_on(strategy):
    text = "one a. one b. one c. one d.\n\ntwo a. two b. two c. two d.\n"
    at = text.index("two")
    blocks = [Piece("paragraph", (0, at - 2), page=1), Piece("paragraph", (at, len(text) - 1), page=2)]
    document = build_document(text, blocks, FrontMatter(), source_uri="a", relative_path="a")
    found = cut(strategy, document, size=11, overlap=2)
    assert len(found) >= 2
    for each in found:
        assert each.pages == tuple(
            page
            for page, (a, b) in ((1, (0, at)), (2, (at, len(text))))
            if each.span[0] < b and a < each.span[1]
        )
        for place in range(*each.span):
            assert text[place].isspace() or each.page_at(place) == (1 if place < at else 2)


def test_nothing_gives_nothing(strategy):
    assert cut(strategy) == []
    assert cut(strategy, markdown("")) == []


@pytest.mark.parametrize(("size", "overlap"), [(50, 50), (50, 60), (0, 0), (50, -1)])
def test_sizes_that_do_not_fit_are_refused(strategy, size, overlap):
    with pytest.raises(ValueError, match="choose"):
        cut(strategy, markdown(RICH), size=size, overlap=overlap)


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
    "sentences": "word day fee. " * 1_500,
    "lines": "word word word\n" * 1_500 + "\n\nEnd.",
    "one run": "=" * 20_000,
    "sections": "".join(f"## H{n}\n\nword word.\n\n" for n in range(500)),
    "table": TABLE + "\n" + "| P1 | 11 |\n" * 1_500,
}


@pytest.mark.parametrize("name", LONG)
def test_the_tokenizer_reads_in_proportion_to_the_text(strategy, name):
    read = []
    for times in (1, 2):
        tokenizer = Meter(max_tokens=100)
        cut(strategy, markdown(LONG[name] * times), tokenizer=tokenizer)
        read.append((tokenizer.calls, tokenizer.read))
    assert read[0][1] <= 10 * len(LONG[name]) + 1_000
    assert read[1][0] <= 2.2 * read[0][0] + 10
    assert read[1][1] <= 2.2 * read[0][1] + 1_000
