"""Plain text: paragraphs between blank lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.parsing import parse_text


def parse(text):
    return parse_text(text, source_uri="docs/a.txt", relative_path="a.txt")


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("One.\nStill one.\n\nTwo.", ["One.\nStill one.", "Two."]),
        ("\n\n  One.  \n \t \n\n\nTwo.\n\n", ["One.", "Two."]),
        ("# No heading here\n- no list", ["# No heading here\n- no list"]),
        ("---\nid: a\n---\nOne.", ["One."]),
        ("", []),
    ],
)
def test_paragraphs_stand_between_blank_lines(text, paragraphs):
    assert [block.text for block in parse(text).blocks] == paragraphs


@given(st.text() | st.text("a \n\t", max_size=40))
def test_paragraphs_slice_back_and_hold_every_letter(text):
    document = parse(text)
    assert all(block.text == text[slice(*block.span)] for block in document.blocks)
    if not text.startswith("---"):
        assert "".join("".join(b.text.split()) for b in document.blocks) == "".join(text.split())
