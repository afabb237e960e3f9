"""Text of any origin as HTML: nothing of it becomes a tag, and code between backticks is shown as code."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.teaching.markup import inline, lines, without_ticks


@pytest.mark.parametrize(
    ("text", "shown", "bare"),
    [
        ("no code", "no code", "no code"),
        ("`a`", "<code>a</code>", "a"),
        ("`a` and `b`", "<code>a</code> and <code>b</code>", "a and b"),
        ("``a ` b``", "<code>a ` b</code>", "a ` b"),
        ("`` `a` ``", "<code>`a`</code>", "`a`"),
        ("`a`` b", "`a`` b", "`a`` b"),
        ("`a\nb`\nc", "<code>a b</code><br>c", "a b\nc"),
        ("`\n`", "<code> </code>", " "),
        ("one ` alone", "one ` alone", "one ` alone"),
        ("`<b>` <b>", "<code>&lt;b&gt;</code> &lt;b&gt;", "<b> <b>"),
    ],
)
def test_what_stands_between_backticks_is_code(text, shown, bare):
    assert inline(text) == shown
    assert without_ticks(text) == bare


@given(st.text("`` <&\"'ab\r\n"))
def test_the_only_tags_are_those_of_code_and_line_ends(text):
    shown = inline(text)
    assert "<" not in re.sub(r"</?code>|<br>", "", shown)
    assert shown.count("<code>") == shown.count("</code>")


@given(st.text(st.characters(exclude_characters="`")))
def test_text_without_backticks_is_shown_as_it_stands(text):
    assert inline(text) == lines(text)
    assert without_ticks(text) == text


@given(st.lists(st.text("ab <&", min_size=1).filter(str.strip), min_size=1))
def test_every_piece_of_code_is_kept(pieces):
    shown = inline(" x ".join(f"`x{piece}x`" for piece in pieces))
    found = [html.unescape(code) for code in re.findall("<code>(.*?)</code>", shown)]
    assert found == [f"x{piece}x" for piece in pieces]
