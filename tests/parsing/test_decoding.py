"""Bytes to text: marks and line ends go, and nothing is replaced in silence."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import UnreadableDocument
from rag_kit.parsing.decoding import decode

TEXT = "# Gebühren\n\n→ höchstens 5 €.\n"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_mark_and_every_line_end_give_the_same_text(mark, encoding, line_end):
    data = mark + TEXT.replace("\n", line_end).encode(encoding)
    assert decode(data, "a.md") == (TEXT, [])


def test_utf8_is_tried_on_the_whole_file_not_on_its_first_kilobytes():
    head = "plain\n" * 2_000
    assert decode((head + "crème €3").encode(), "a.txt") == (head + "crème €3", [])


def test_windows_1252_is_read_with_a_notice():
    head = "plain\n" * 2_000
    text, (notice,) = decode((head + "crème €3").encode("cp1252"), "a.txt")
    assert text == head + "crème €3"
    assert notice.code == "encoding"
    assert "UTF-8" in notice.message


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"plain \x81 text", "encoding"),
        (codecs.BOM_UTF8 + b"\xff", "encoding"),
        (codecs.BOM_UTF16_LE + b"a", "encoding"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8a\x00", "encoding"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "binary"),
    ],
)
def test_bytes_that_are_no_text_are_an_error_that_names_the_file(data, code):
    with pytest.raises(UnreadableDocument, match=r"^docs/a\.md: ") as caught:
        decode(data, "docs/a.md")
    assert (caught.value.code, caught.value.source_uri) == (code, "docs/a.md")


@given(st.binary(max_size=200) | st.text(max_size=80).map(lambda text: text.encode("utf-8")))
def test_decoding_ends_in_text_without_carriage_returns_or_in_the_typed_error(data):
    try:
        text, _ = decode(data, "a.md")
    except UnreadableDocument:
        return
    assert "\r" not in text
    assert "\ufffd" not in text or "\ufffd".encode() in data or data[:2] in (b"\xff\xfe", b"\xfe\xff")
    text.encode("utf-8")
