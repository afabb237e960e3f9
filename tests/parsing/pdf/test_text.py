"""Words: hyphens at line ends, ligatures, blanks, raised figures, characters that no font maps, scripts."""

import io

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
)
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from rag_kit.parsing.pdf.joins import Vocabulary, joined


def test_words_broken_at_line_ends(draw, read_pdf):
    lines = ["The pay-", "ment window is 30 days. Use the well-", "known port. Error XX-", "1042 is fatal."]
    (block,) = read_pdf(draw().lines(72, 100, lines)).blocks
    assert block.text == "The payment window is 30 days. Use the well-known port. Error XX-1042 is fatal."


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("inter-", "national", "international"),
        ("self-", "employed", "self-employed"),
        ("non-", "existent", "non-existent"),
        ("2010-", "2020", "2010-2020"),
        ("A4-", "sheet", "A4-sheet"),
        ("Jean-", "Paul", "Jean-Paul"),
        ("soft\u00ad", "ware", "software"),
        ("5 -", "7 days", "5 - 7 days"),
        ("Alpha-", "(beta)", "Alpha- (beta)"),
        ("two", "words", "two words"),
        ("state-of-the-", "art", "state-of-the-art"),
        ("漢字の", "文章", "漢字の文章"),
    ],
)
def test_a_hyphen_without_evidence(first, second, expected):
    words = Vocabulary(["we saw the-art of it"]) if second == "art" else Vocabulary()
    assert joined(first, second, words) == expected


def test_the_document_decides_about_a_hyphen():
    assert joined("the e-", "mail", Vocabulary(["no e-mail today please"])) == "the e-mail"
    assert joined("the well-", "being", Vocabulary(["their wellbeing is good"])) == "the wellbeing"
    assert joined("the co-", "operative", Vocabulary(["a co-operative of farmers"])) == "the co-operative"


def test_ligatures_and_odd_blanks(draw, read_pdf, dejavu):
    drawing = draw().text(72, 100, "An e\ufb03cient of\ufb01ce,\u00a0a \ufb02ow", dejavu)
    assert read_pdf(drawing).text == "An efficient office, a flow"


def test_a_raised_figure_is_not_glued_to_a_number(draw, read_pdf):
    drawing = draw().raised(72, 100, "The dose is 10", "^3", " units, or 45", "^1", " of them.")
    assert read_pdf(drawing).text == "The dose is 10³ units, or 45¹ of them."


def test_a_lowered_figure_is_plain(draw, read_pdf):
    drawing = draw()
    text = drawing.canvas.beginText(72, 700)
    for piece, size, rise in (("Pure H", 10, 0), ("2", 6, -2), ("O is clear.", 10, 0)):
        text.setFont("Helvetica", size)
        text.setRise(rise)
        text.textOut(piece)
    drawing.canvas.drawText(text)
    assert read_pdf(drawing).text == "Pure H2O is clear."


def test_text_that_is_drawn_twice_is_read_once(draw, read_pdf):
    drawing = draw().text(72, 100, "The fee is 5 euros.").text(72.4, 100.3, "The fee is 5 euros.")
    assert read_pdf(drawing).text == "The fee is 5 euros."


def test_letters_drawn_one_by_one_make_words(draw, read_pdf):
    drawing, x = draw(), 72
    for sign in "Pay the fee now":
        drawing.text(x, 100, sign)
        x += drawing.canvas.stringWidth(sign, "Helvetica", 10)
    assert read_pdf(drawing).text == "Pay the fee now"


def test_doubled_letters_of_a_word_stay(draw, read_pdf):
    assert read_pdf(draw().text(72, 100, "All illness will pass: llama, 1100 W")).text.endswith(
        ": llama, 1100 W"
    )


def test_a_capital_over_several_lines_belongs_to_the_first_word(draw, read_pdf):
    drawing = (
        draw()
        .text(72, 123, "T", "Times-Bold", 38)
        .lines(98, 100, ["his is the first line,", "and this the second,"])
    )
    drawing.lines(72, 124, ["and this is the third line of it."])
    assert (
        read_pdf(drawing).text
        == "This is the first line, and this the second, and this is the third line of it."
    )


def test_letters_that_no_font_maps_are_noticed(draw, read_pdf, dejavu):
    document = read_pdf(
        draw().text(72, 100, "Total \ue123\ue124 euros", dejavu).text(72, 130, "Paid in May.")
    )
    assert [(n.code, n.page) for n in document.notices] == [("unmapped_characters", 1)]
    assert "2 characters" in document.notices[0].message


def test_a_soft_hyphen_that_is_drawn_inside_a_line_is_a_hyphen(draw, read_pdf, dejavu):
    drawing = draw().lines(72, 100, ["A well\u00adknown port, and a pay\u00ad", "ment by card."], dejavu)
    assert read_pdf(drawing).text == "A well-known port, and a payment by card."


NAMES = ["fi", "fl", "threesuperior", "f_i", "uni2083", "g23", "C12"]


def with_named_glyphs(kind, words):
    """Write a page in a font whose codes 1 to 7 have the names above and no table of letters."""
    differences = ArrayObject([NumberObject(1), *map(NameObject, [f"/{name}" for name in NAMES])])
    letters = sorted(set(words) - set(map(chr, range(8))))
    for letter in letters:
        differences.extend(
            [NumberObject(ord(letter)), NameObject("/space" if letter == " " else f"/{letter}")]
        )
    encoding = {NameObject("/Type"): NameObject("/Encoding"), NameObject("/Differences"): differences}
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject(f"/{kind}"),
            NameObject("/BaseFont"): NameObject("/Plain"),
            NameObject("/FirstChar"): NumberObject(0),
            NameObject("/LastChar"): NumberObject(127),
            NameObject("/Widths"): ArrayObject([NumberObject(600)] * 128),
            NameObject("/Encoding"): DictionaryObject(encoding),
        }
    )
    writer = PdfWriter()
    page = writer.add_blank_page(595, 842)
    if kind == "Type3":
        shape = DecodedStreamObject()
        shape.set_data(b"600 0 d0 0 0 500 500 re f")
        shapes = {name: writer._add_object(shape) for name in differences if isinstance(name, NameObject)}
        font[NameObject("/CharProcs")] = DictionaryObject(shapes)
        font[NameObject("/FontBBox")] = ArrayObject(map(NumberObject, (0, 0, 600, 700)))
        font[NameObject("/FontMatrix")] = ArrayObject(map(FloatObject, (0.001, 0, 0, 0.001, 0, 0)))
    fonts = DictionaryObject({NameObject("/F1"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    content = DecodedStreamObject()
    content.set_data(b"BT /F1 10 Tf 72 700 Td (" + words.encode("ascii") + b") Tj ET")
    page[NameObject("/Contents")] = writer._add_object(content)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["Type1", "TrueType", "Type3"])
def test_letters_that_only_their_names_tell_are_read(read_pdf, kind):
    document = read_pdf(with_named_glyphs(kind, "over\x02ow of m\x03 \x01rst o\x04ce H\x05"))
    assert document.text == "overflow of m³ first ofice H₃"
    assert not document.notices


@pytest.mark.parametrize("kind", ["Type1", "TrueType", "Type3"])
def test_letters_that_nothing_names_are_marked_and_counted(read_pdf, kind):
    document = read_pdf(with_named_glyphs(kind, "the over\x06ow and \x07oors"), ocr="off")
    assert document.text == "the over\ufffdow and \ufffdoors"
    assert [(n.code, n.page) for n in document.notices] == [("unmapped_characters", 1)]
    assert "2 characters" in document.notices[0].message


def test_text_from_the_right_is_in_the_order_of_reading(draw, read_pdf, dejavu):
    shown = "םולש"  # As it stands on paper, from left to right.
    assert read_pdf(draw().text(72, 100, f"12 {shown}", dejavu)).text == "שלום 12"


def test_text_outside_the_shown_part_of_a_page_is_left_out(draw, read_pdf):
    drawing = draw().text(72, 100, "Shown.").text(72, 700, "Cut away.")
    drawing.canvas.setCropBox((0, 400, 595, 842))
    assert read_pdf(drawing).text == "Shown."


def test_a_page_whose_box_does_not_begin_at_nought(draw, read_pdf):
    drawing = (
        draw()
        .text(72, 100, "Above the table.")
        .grid([72, 200, 300], [120, 140, 160], [["Part", "Price"], ["Bolt", "5"]])
    )
    drawing.text(72, 190, "Below the table.")
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(drawing.bytes())))
    page = writer.pages[0]
    moved = DecodedStreamObject()
    moved.set_data(b"1 0 0 1 -100 50 cm\n" + page.get_contents().get_data())
    page[NameObject("/Contents")] = writer._add_object(moved)
    page.mediabox.lower_left, page.mediabox.upper_right = (-100, 50), (495, 892)
    page.cropbox = page.mediabox
    out = io.BytesIO()
    writer.write(out)
    assert [b.block_type for b in read_pdf(out.getvalue()).blocks] == ["paragraph", "table", "paragraph"]


@pytest.fixture(scope="module")
def dejavu():
    import matplotlib

    path = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf"
    pdfmetrics.registerFont(TTFont("DejaVu", path))
    return "DejaVu"


@pytest.mark.parametrize("name", ["/MediaBox", "/CropBox"])
@pytest.mark.parametrize("corners", [(0, 0, 0, 0), (50, 50, 50, 700)])
def test_a_page_whose_box_has_no_size_is_read_as_viewers_show_it(draw, read_pdf, name, corners):
    writer = PdfWriter(clone_from=io.BytesIO(draw().text(72, 100, "The fee is 5.").bytes()))
    writer.pages[0][NameObject(name)] = ArrayObject([FloatObject(corner) for corner in corners])
    out = io.BytesIO()
    writer.write(out)
    assert read_pdf(out.getvalue(), ocr="off").text == "The fee is 5."
