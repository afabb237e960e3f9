"""Counting the pages of a PDF: what cannot be opened has none."""

import io

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen import canvas

from rag_kit.parsing.pdf.page_count import count_pages


def pdf(pages, password=None):
    file = io.BytesIO()
    page = canvas.Canvas(file, encrypt=StandardEncryption(password) if password else None, invariant=1)
    for number in range(pages):
        page.drawString(72, 700, f"Page {number}")
        page.showPage()
    page.save()
    return file.getvalue()


@pytest.mark.parametrize("pages", [1, 3, 40])
def test_pages_are_counted(pages):
    assert count_pages(pdf(pages), None) == pages


def test_a_locked_file_is_counted_with_its_password():
    locked = pdf(2, "secret")
    assert [count_pages(locked, password) for password in (None, "wrong", "secret")] == [0, 0, 2]


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"<html>", pdf(3)[:200]])
def test_what_cannot_be_opened_has_none(content):
    assert count_pages(content, None) == 0
