"""What is wrong with a file is one error; what is wrong with a page is one notice; a file's own information."""

import io
import logging
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NullObject

from rag_kit import UnreadableDocument
from rag_kit.types import Document


def locked(drawing, user, owner="own", algorithm="AES-256"):
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(drawing.bytes())))
    writer.encrypt(user, owner, algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def outcome(read_pdf, data):
    """Return the document, or the code of the one error that may be raised."""
    try:
        return read_pdf(data, ocr="off")
    except UnreadableDocument as error:
        return error.code


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_file_that_only_restricts_printing_is_read(draw, read_pdf, algorithm):
    data = locked(draw().text(72, 100, "The fee is 5 euros."), "", algorithm=algorithm)
    assert read_pdf(data).text == "The fee is 5 euros."


def test_a_table_in_an_encrypted_file_is_found(draw, read_pdf):
    drawing = draw().grid([72, 200, 300], [100, 120, 140], [["Part", "Price"], ["Bolt", "5"]])
    data = locked(drawing, "u1")
    assert "| Bolt | 5 |" in read_pdf(data, password="u1").text


def test_a_password_is_asked_for_and_used(draw, read_pdf):
    data = locked(draw().text(72, 100, "The fee is 5 euros."), "u1")
    with pytest.raises(UnreadableDocument, match="needs a password: pass --password") as missing:
        read_pdf(data)
    with pytest.raises(UnreadableDocument, match="password given does not open it") as wrong:
        read_pdf(data, password="u2")
    assert (missing.value.code, wrong.value.code) == ("password", "password")
    assert read_pdf(data, password="u1").text == "The fee is 5 euros."


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"", "empty", "no bytes"),
        (b"<!DOCTYPE html><html><body>Not found</body></html>", "pdf", "is HTML"),
        (b"PK\x03\x04 a zip", "pdf", "is no PDF"),
        (b"%PDF-1.7\n", "pdf", "damaged"),
        (
            b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF",
            "pdf",
            "damaged",
        ),
    ],
)
def test_what_is_no_pdf(read_pdf, data, code, words):
    with pytest.raises(UnreadableDocument, match=words) as caught:
        read_pdf(data)
    assert caught.value.code == code
    assert caught.value.source_uri == "docs/sub/file.pdf"
    assert "\n" not in caught.value.message


def test_blank_pages_alone_are_no_text(draw, read_pdf):
    with pytest.raises(UnreadableDocument, match="all of them are blank") as caught:
        read_pdf(draw().page().page())
    assert caught.value.code == "no_text"


def test_a_page_that_is_only_drawn_is_noticed(draw, read_pdf):
    drawing = draw()
    drawing.canvas.rect(100, 100, 300, 300, fill=1)
    drawing.page().text(72, 100, "Plan Oslo renews on 14 March.")
    document = read_pdf(drawing, ocr="off")
    assert [(block.text, block.page) for block in document.blocks] == [("Plan Oslo renews on 14 March.", 2)]
    assert [(notice.code, notice.page) for notice in document.notices] == [("no_text_layer", 1)]
    assert "OCR" in document.notices[0].message


def test_drawn_pages_alone_are_no_text(draw, read_pdf):
    drawing = draw()
    drawing.canvas.rect(100, 100, 300, 300, fill=1)
    with pytest.raises(UnreadableDocument, match="run it with OCR") as caught:
        read_pdf(drawing, ocr="off")
    assert caught.value.code == "no_text"


def test_blank_pages_beside_text_say_nothing(draw, read_pdf):
    document = read_pdf(draw().page().text(72, 100, "On page two."))
    assert [block.page for block in document.blocks] == [2]
    assert document.notices == ()


def test_a_page_that_fails_is_noticed_and_the_others_are_read(draw, read_pdf):
    drawing = draw().text(72, 100, "One.").page().text(72, 100, "Two.").page().text(72, 100, "Three.")
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(drawing.bytes())))
    writer.root_object["/Pages"]["/Kids"][1] = NullObject()
    out = io.BytesIO()
    writer.write(out)
    document = read_pdf(out.getvalue())
    assert [(block.text, block.page) for block in document.blocks] == [("One.", 1), ("Three.", 3)]
    assert [(notice.code, notice.page) for notice in document.notices] == [
        ("tables_unread", 1),
        ("page_failed", 2),
    ]


def test_a_file_cut_short_is_an_error_or_says_so(draw, read_pdf):
    drawing = draw()
    for number in range(5):
        drawing.text(72, 100, f"Page {number} holds a sentence.").page()
    whole = drawing.bytes()
    seen = set()
    for tenth in range(1, 10):
        result = outcome(read_pdf, whole[: tenth * len(whole) // 10])
        if isinstance(result, Document):
            assert "cut_short" in [notice.code for notice in result.notices]
        seen.add(result if isinstance(result, str) else "read")
    assert "pdf" in seen
    assert seen <= {"pdf", "no_text", "read"}


def test_the_file_s_information(draw, read_pdf):
    drawing = draw().text(72, 100, "Fees", "Helvetica-Bold", 18).text(72, 130, "The fee is 5 euros.")
    canvas = drawing.canvas
    canvas.setTitle("Handbook of fees")
    canvas.setAuthor("A. Berg")
    canvas.setSubject("Fees")
    canvas.setKeywords("fee, card")
    document = read_pdf(drawing)
    assert document.title == "Handbook of fees"
    assert document.metadata == {"author": "A. Berg", "subject": "Fees", "keywords": "fee, card"}
    assert document.updated_at == date(2000, 1, 1)


@pytest.mark.parametrize("title", ["untitled", "Microsoft Word - fees_v2.doc", "fees.pdf", "Document1", " "])
def test_a_title_that_is_none(draw, read_pdf, title):
    drawing = (
        draw()
        .text(72, 100, "Fees", "Helvetica-Bold", 18)
        .lines(72, 130, ["The fee is 5 euros for all cards."])
    )
    drawing.canvas.setTitle(title)
    assert read_pdf(drawing).title == "Fees"
    assert read_pdf(draw().text(72, 100, "Text."), "a/fee list.pdf").title == "fee list"


def test_the_same_bytes_give_the_same_document(draw, read_pdf):
    data = draw().lines(72, 100, ["One line,", "and another."]).bytes()
    assert read_pdf(data) == read_pdf(data)


def test_nothing_is_said_on_the_console(draw, read_pdf, capfd, caplog):
    whole = draw().grid([72, 200, 300], [100, 120, 140], [["Part", "Price"], ["Bolt", "5"]]).bytes()
    broken = whole.replace(b"/Subtype /Type1", b"/Subtype /Typo1").replace(b"/Encoding", b"/Encodigg")
    with caplog.at_level(logging.DEBUG):
        for data in (whole, broken, whole[: len(whole) * 3 // 4]):
            outcome(read_pdf, data)
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


@given(st.data())
def test_no_damage_raises_anything_else(draw, read_pdf, data):
    drawing = draw().text(72, 80, "Fees", "Helvetica-Bold", 18).lines(72, 100, ["The fee is", "5 euros."])
    drawing.grid([72, 200, 300], [200, 220, 240], [["Part", "Price"], ["Bolt", "5"]])
    drawing.canvas.linkURL("https://example.org/fees", (72, 700, 100, 720))
    whole = drawing.bytes()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole) - 1))
        put = data.draw(
            st.binary(max_size=4) | st.sampled_from([b"<<", b"endobj", b" 0 R", b"stream", b"/Kids", b"-1"])
        )
        whole = whole[:at] + put + whole[at + data.draw(st.integers(0, 40)) :]
        if not whole:
            break
    result = outcome(read_pdf, whole)
    if isinstance(result, Document):
        for block in result.blocks:
            assert result.text[slice(*block.span)] == block.text
    else:
        assert result in ("pdf", "empty", "password", "no_text")
