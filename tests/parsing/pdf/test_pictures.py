"""Pages that are pictures of text."""

import io

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader


def scan(drawing, lines, wide=300, high=120, askew=0.0):
    """Put a picture of lines, or of lines of cells, over a whole small page."""
    import matplotlib

    font = ImageFont.truetype(f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf", 36)
    picture = Image.new("L", (wide * 3, high * 3), 255)
    for number, line in enumerate(lines):
        for at, cell in enumerate([line] if isinstance(line, str) else line):
            ImageDraw.Draw(picture).text((90 + 270 * at, 60 + 56 * number), cell, fill=0, font=font)
    picture = picture.rotate(askew, Image.Resampling.BICUBIC, fillcolor=255)
    out = io.BytesIO()
    picture.save(out, "PNG")
    drawing.canvas.setPageSize((wide, high))
    drawing.canvas.drawImage(ImageReader(out), 0, 0, wide, high)
    return drawing


def typed(drawing):
    drawing.page().canvas.setPageSize((595, 842))
    return drawing.text(72, 100, "Typed.")


def test_a_scanned_page_is_read_with_what_is_typed_on_it(draw, read_pdf):
    pytest.importorskip("rag_kit.parsing.pdf.ocr")
    drawing = scan(draw(), ["The warranty ends after", "three years and a day."]).page()
    scan(drawing, ["The second scan is stamped."]).text(30, 820, "Received 5 May")
    document = read_pdf(typed(drawing))
    assert [(notice.code, notice.page) for notice in document.notices] == [("ocr", 1), ("ocr", 2)]
    text = document.text.replace("\n", " ")
    assert "The warranty ends after three years and a day." in text
    assert "The second scan is stamped." in text
    assert text.count("Received 5 May") == 1
    sure = {block.page: block.confidence for block in document.blocks if "Received" not in block.text}
    assert sure[3] is None
    assert 0.5 < sure[1] <= 1


def test_a_table_on_a_scan_that_lies_askew_is_a_table(draw, read_pdf):
    pytest.importorskip("rag_kit.parsing.pdf.ocr")
    rows = [
        ["Serial", "In air", "Result"],
        ["26-418", "4.61 mA", "replaced"],
        ["26-421", "4.17 mA", "refused"],
        ["26-433", "4.09 mA", "no fault"],
    ]
    document = read_pdf(scan(draw(), rows, high=110, askew=2.0))
    (block,) = document.blocks
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.text.split("\n")]
    assert [cells[0], *cells[2:]] == rows
    assert 0.5 < block.confidence <= 1


def test_a_stamped_scan_is_noticed_without_ocr(draw, read_pdf):
    document = read_pdf(scan(draw(), ["The warranty ends."]).text(30, 820, "Received 5 May"), ocr="off")
    assert document.text == "Received 5 May"
    assert [notice.code for notice in document.notices] == ["no_text_layer"]


def test_a_picture_without_words_gives_no_text_layer(draw, read_pdf):
    document = read_pdf(typed(scan(draw(), [])))
    assert [(notice.code, notice.page) for notice in document.notices] == [("no_text_layer", 1)]
