"""Small PDF files, drawn for one test each, and reading them."""

import io

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from rag_kit.parsing.pdf import parse_pdf

WIDE, HIGH = A4


class Drawing:
    """A canvas on which a place is given from the top left corner, as a page is read."""

    def __init__(self, **options):
        self.buffer = io.BytesIO()
        self.canvas = Canvas(self.buffer, pagesize=A4, invariant=1, **options)
        self.used = False

    def text(self, x, top, words, font="Helvetica", size=10):
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, HIGH - top, words)
        return self

    def lines(self, x, top, lines, font="Helvetica", size=10, pitch=None):
        for number, line in enumerate(lines):
            if line:
                self.text(x, top + number * (pitch or 1.2 * size), line, font, size)
        return self

    def raised(self, x, top, *pieces, size=10):
        """Draw pieces one after the other, those that begin with ^ small and raised."""
        text = self.canvas.beginText(x, HIGH - top)
        for piece in pieces:
            up = piece.startswith("^")
            text.setFont("Helvetica", 0.6 * size if up else size)
            text.setRise(0.4 * size if up else 0)
            text.textOut(piece.removeprefix("^"))
        self.canvas.drawText(text)
        return self

    def grid(self, xs, tops, rows, size=10):
        """Draw a table with all its rulings."""
        self.canvas.grid(xs, [HIGH - top for top in tops])
        for top, row in zip(tops, rows, strict=False):
            for x, cell in zip(xs, row, strict=False):
                self.text(x + 4, top + 1.3 * size, cell, size=size)
        return self

    def page(self):
        self.canvas.showPage()
        return self

    def bytes(self):
        self.canvas.save()
        return self.buffer.getvalue()


def read(content, name="sub/file.pdf", **options):
    data = content.bytes() if isinstance(content, Drawing) else content
    return parse_pdf(data, source_uri=f"docs/{name}", relative_path=name, **options)


@pytest.fixture(scope="session")
def draw():
    """Return what makes an empty drawing."""
    return Drawing


@pytest.fixture(scope="session")
def read_pdf():
    """Return what reads a drawing or a file's bytes."""
    return read
