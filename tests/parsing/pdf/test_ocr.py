"""Recognised text of pages that are pictures: the words, where they stand, and how sure it is."""

import functools
import io
import os
import sys

import pypdfium2
import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from rag_kit import MissingModel
from rag_kit.parsing.pdf.ocr import _engine, read_page

LINES = [
    "Warranty letter for pump AX-2210",
    "The warranty runs for 24 months from the day of delivery.",
    "Claims are sent to service@example.com before 30 June 2026.",
    "Late fee: 12.50 euro a week; never above 100 euro.",
    "Serial number 48-113-907, made in Graz, net weight 17.4 kg.",
]
SIZE = (420, 300)
LEFT, FIRST, STEP = 40, 60, 30


def printed():
    """Print the lines on a page of text."""
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=SIZE, invariant=1)
    page.setFont("Helvetica", 11)
    for number, line in enumerate(LINES):
        page.drawString(LEFT, SIZE[1] - FIRST - STEP * number, line)
    page.save()
    return file.getvalue()


def scanned(turn):
    """Open a page that is a picture of the lines and holds no text: upright, or lying and turned back."""
    with pypdfium2.PdfDocument(printed()) as document:
        picture = document[0].render(scale=3).to_pil().convert("L").rotate(turn, expand=True)
    file = io.BytesIO()
    width, height = (SIZE[1], SIZE[0]) if turn else SIZE
    page = canvas.Canvas(file, pagesize=(width, height), invariant=1)
    page.drawImage(ImageReader(picture), 0, 0, width, height)
    page.save()
    document = pypdfium2.PdfDocument(file.getvalue())
    document[0].set_rotation(turn)
    return document


@functools.cache
def recognised(turn):
    with scanned(turn) as document:
        assert document[0].get_textpage().count_chars() == 0
        assert document[0].get_size() == SIZE
        return read_page(document, 0)


@pytest.fixture(params=[0, 90])
def lines(request):
    return recognised(request.param)


def test_the_words_of_a_scanned_page_are_read(lines):
    wanted = " ".join(LINES).split()
    found = " ".join(line.text for line in lines).split()
    assert sum(word in found for word in wanted) >= 0.95 * len(wanted)
    assert [line.text.split()[0] for line in lines] == [line.split()[0] for line in LINES]


def test_a_line_stands_where_it_was_printed_in_points_of_the_page_as_shown(lines):
    for number, line in enumerate(lines):
        baseline = FIRST + STEP * number
        assert line.x0 == pytest.approx(LEFT, abs=4)
        assert line.top < baseline < line.bottom + 2
        assert line.bottom - line.top < 25
        assert LEFT < line.x1 < SIZE[0]
        assert 0.5 < line.confidence <= 1


def test_an_empty_page_has_no_lines():
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=(200, 100), invariant=1)
    page.showPage()
    page.save()
    with pypdfium2.PdfDocument(file.getvalue()) as document:
        assert read_page(document, 0) == []


def test_recognition_writes_nothing_and_says_nothing(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    known = recognised(0)
    with scanned(0) as document:
        assert read_page(document, 0) == known
    assert os.listdir(tmp_path) == []
    assert capfd.readouterr() == ("", "")


def test_a_kit_without_rapidocr_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    _engine.cache_clear()
    with pypdfium2.PdfDocument(printed()) as document, pytest.raises(MissingModel, match="rapidocr"):
        read_page(document, 0)
