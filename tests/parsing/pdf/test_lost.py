"""Letters that the file has lost, filled in from the picture of the page."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from rag_kit.parsing.pdf.lost import fill_words

LINES = [
    "The over\ufb02ow is 0.62 for a weir that has no side.",
    "The tank is \ufb01lled and closed for 6 hours, and the",
    "\ufb02ow stays low at 38 litres a second in it.",
]


def without_letter_tables(drawing):
    """Take the tables of letters out of the fonts, as some programs never write them."""
    import matplotlib

    path = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf"
    pdfmetrics.registerFont(TTFont("LostDejaVu", path))
    writer = PdfWriter(
        clone_from=PdfReader(io.BytesIO(drawing.lines(72, 100, LINES, "LostDejaVu", 12).bytes()))
    )
    for font in writer.pages[0]["/Resources"]["/Font"].values():
        font.get_object().pop("/ToUnicode", None)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_only_the_lost_letters_are_read_from_the_picture(draw, read_pdf):
    pytest.importorskip("rag_kit.parsing.pdf.ocr")
    document = read_pdf(without_letter_tables(draw()))
    assert document.text == " ".join(LINES).replace("\ufb02", "fl").replace("\ufb01", "fi")
    (notice,) = document.notices
    assert notice.code == "unmapped_characters"
    assert "3 characters" in notice.message
    assert "3 of them filled in by OCR" in notice.message
    assert 0.5 < document.blocks[0].confidence <= 1


def test_without_recognition_they_are_marked(draw, read_pdf):
    document = read_pdf(without_letter_tables(draw()), ocr="off")
    assert document.text == " ".join(LINES).replace("\ufb02", "\ufffd").replace("\ufb01", "\ufffd")
    assert [notice.code for notice in document.notices] == ["unmapped_characters"]
    assert document.blocks[0].confidence is None


@pytest.mark.parametrize(
    ("text", "known", "filled"),
    [
        ("(over\ufffdow)", ["overflow"], "(overflow)"),
        ("over\ufffdow", ["overthrow", "overflow"], "over\ufffdow"),
        ("over\ufffdow", ["over12ow"], "over\ufffdow"),
        ("m\ufffd", ["m3", "me"], "m\ufffd"),
        ("\ufffd", ["a"], "\ufffd"),
        ("a  b", [], "a  b"),
    ],
)
def test_a_word_is_filled_in_where_one_alone_fits(text, known, filled):
    assert fill_words(text, known) == filled


@given(st.text("ab .\ufffd(", max_size=30), st.lists(st.text("abc", min_size=1, max_size=6)))
def test_no_letter_that_was_there_is_changed(text, known):
    filled = fill_words(text, known)
    rest = iter(filled)
    assert all(sign in rest for sign in text if sign != "\ufffd")
    assert filled.count("\ufffd") <= text.count("\ufffd")
