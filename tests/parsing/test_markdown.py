"""Markdown: blocks that slice back to the file, and headings as CommonMark has them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rag_kit.parsing import parse_markdown
from rag_kit.parsing.decoding import decode


def parse(text, path="a.md"):
    return parse_markdown(text, source_uri=f"docs/{path}", relative_path=path)


def kinds(text):
    return [(block.block_type, block.text) for block in parse(text).blocks]


def paths(text):
    return [block.heading_path for block in parse(text).blocks if block.block_type == "title"]


def test_both_heading_styles_closing_signs_and_names_with_a_sharp():
    text = (
        "---\ntitle: Guide\n---\n\nAims\n====\nOne.\n\nPrices\n------\nTwo.\n\n---\n\nThree.\n\n"
        "## Setup ##\n\n## F#\n\n# A# #\n\n#glued\n"
    )
    assert paths(text) == [("Aims",), ("Aims", "Prices"), ("Aims", "Setup"), ("Aims", "F#"), ("A#",)]
    assert parse(text).title == "Guide"
    assert ("paragraph", "#glued") in kinds(text)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_mark_or_another_line_end_changes_no_heading_and_no_block(mark, line_end):
    plain = b"# Limits\n\nAt most 9.\n\n## Trial\nNone.\n"
    text, _ = decode(mark + plain.replace(b"\n", line_end), "a.md")
    assert parse(text) == parse(plain.decode())
    assert paths(text) == [("Limits",), ("Limits", "Trial")]


def test_each_kind_of_block_is_one_block():
    text = (
        "# T\n\nA paragraph\nof two lines.\n\n- one\n  - nested\n- two\n\n1. first\n\n"
        "```py\nx = 1\n\n# no title\n```\n\n"
        "    indented\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n> quoted\n> # no title\n\n<div>\nraw\n</div>\n"
    )
    assert [kind for kind, _ in kinds(text)] == [
        "title", "paragraph", "list", "list", "code", "code", "table", "paragraph", "paragraph",
    ]  # fmt: skip
    assert ("table", "| A | B |\n|---|---|\n| 1 | 2 |") in kinds(text)
    assert paths(text) == [("T",)]


def test_a_skipped_level_and_an_empty_heading_leave_the_path_whole():
    assert paths("# A\n\n#### B\n\n## C\n\n##\n\n### D\n") == [("A",), ("A", "B"), ("A", "C"), ("A", "D")]


def test_a_long_text_over_a_line_of_signs_is_a_paragraph():
    long = "A caption of many words. " * 10
    document = parse(f"# Fees\n\n{long}\n=\n\n{long}\n---\n\nShort\n---\n")
    assert [block.block_type for block in document.blocks] == ["title", "paragraph", "paragraph", "title"]
    assert document.blocks[1].heading_path == ("Fees",)


def test_a_heading_is_read_without_its_markup():
    assert paths("# A `b` *c* **d** [e](f) &amp; g\n") == [("A b c d e & g",)]


def test_comments_are_no_blocks_but_text_between_two_is():
    assert kinds("<!-- a -->\n<!-- b\nb -->\n\nText.\n") == [("paragraph", "Text.")]
    assert kinds("<!-- a --> The fee is 5. <!-- b -->\n") == [
        ("paragraph", "<!-- a --> The fee is 5. <!-- b -->")
    ]


def test_the_title_is_the_front_matters_else_the_first_headings_else_the_files():
    assert parse("---\ntitle: A\n---\n# B\n").title == "A"
    assert parse("Text.\n\n## B\n").title == "B"
    assert parse("Text.\n", "guides/how-to.md").title == "how-to"


def test_an_id_is_the_front_matters_else_the_relative_path():
    assert parse("---\nid: a-1\n---\nText.").document_id == "a-1"
    assert parse("Text.", "guides/how-to.md").document_id == "guides/how-to.md"


def test_an_accent_written_in_two_ways_gives_one_id():
    assert parse("Text.", "souffle\u0301.md").document_id == parse("Text.", "soufflé.md").document_id


@pytest.mark.parametrize("text", ["", "\n \n", "---\nid: a\n---\n", "<!-- only -->\n"])
def test_a_file_without_text_has_no_blocks_and_says_so(text):
    document = parse(text)
    assert document.blocks == ()
    assert [notice.code for notice in document.notices] == ["empty"]


def test_line_ends_that_only_python_knows_shift_no_span():
    text = "Form\x0cfeed, next\x85line, sep\u2028arated.\n\n# Title\n\nLast.\n"
    assert kinds(text)[-2:] == [("title", "# Title"), ("paragraph", "Last.")]


MARKDOWN = st.lists(
    st.sampled_from(
        ["# A", "## B #", "C\n===", "D\n---", "text", "- item", "  - nested", "1. one", "> quote", "```", "~~~",
         "| a | b |", "|---|---|", "    code", "<!-- c -->", "<div>", "---", "", "", "€ 😀", "#no"]
    ),
    max_size=14,
).map("\n".join)  # fmt: skip


@given(MARKDOWN | st.text())
def test_blocks_slice_back_to_the_text_in_order_and_share_nothing(text):
    document = parse(text)
    end = 0
    for block in document.blocks:
        assert block.text == text[slice(*block.span)]
        assert block.text == block.text.strip()
        assert end <= block.span[0] < block.span[1]
        end = block.span[1]
    assert len({block.block_id for block in document.blocks}) == len(document.blocks)


@given(MARKDOWN)
def test_titles_are_those_that_commonmark_finds(text):
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    oracle = [
        re.sub(r"\s+", " ", tokens[at + 1].content)
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and tokens[at + 1].content
    ]
    if text.startswith("---\n"):
        return  # May be front matter, which CommonMark does not know.
    assert [path[-1] for path in paths(text)] == oracle
