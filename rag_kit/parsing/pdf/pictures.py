"""Pages that are pictures: what text recognition finds on them, as pieces of lines."""

from __future__ import annotations

from itertools import islice
from math import floor
from statistics import median
from typing import Any, Literal

import pypdfium2 as pdfium
from pypdfium2 import raw

from rag_kit.errors import MissingModel
from rag_kit.parsing.pdf.glyphs import Frame
from rag_kit.parsing.pdf.ocr import OcrLine, read_page
from rag_kit.parsing.pdf.parts import Sheet
from rag_kit.parsing.pdf.recognised import take_tables
from rag_kit.parsing.pdf.segments import Segment
from rag_kit.types import Notice

Ocr = Literal["auto", "off"]


def is_picture(page: pdfium.PdfPage, frame: Frame) -> bool:
    """Return whether pictures cover half of a page."""
    covered = 0.0
    for picture in islice(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3), 200):
        x0, y0, x1, y1 = picture.get_bounds()
        covered += abs(x1 - x0) * abs(y1 - y0)
    return 2 * covered > frame.size[0] * frame.size[1]


def recognise(sheet: Sheet, document: pdfium.PdfDocument, index: int, ocr: Ocr) -> None:
    """Read a page that has no text layer from its picture; what text it has stays."""
    lacks = "has hardly any text on its picture" if sheet.letters else "has no text layer"
    mend = "run it with OCR, or get the file with its text"
    lines: list[OcrLine] = []
    if ocr == "auto":
        try:
            lines = read_page(document, index)
            mend = "OCR found no words on it either"
        except (MissingModel, ImportError) as error:
            mend = str(error)
    if not lines:
        sheet.notices.append(Notice("no_text_layer", f"page {index + 1} {lacks}: {mend}", index + 1))
        return
    sure = sum(line.confidence for line in lines) / len(lines)
    usual = median(line.bottom - line.top for line in lines)
    read = [_segment(line, usual) for line in lines]
    seen = read
    tables, read = ([], read) if sheet.tables else take_tables(read)
    sheet.tables += tables
    typed = [each for each in (sheet.layers or [[]])[0] if not any(_same(each, one) for one in seen)]
    sheet.layers = [[*read, *typed], *sheet.layers[1:]]
    sheet.letters += sum(len(line.text) for line in lines)
    message = f"page {index + 1} {lacks} and was read by OCR, {percent(sure)} sure: check its figures"
    sheet.notices.append(Notice("ocr", message, index + 1))


def percent(share: float) -> str:
    """Return a share in percent, rounded down: only what is sure is called so.

    >>> percent(0.996), percent(1.0)
    ('99%', '100%')
    """
    return f"{floor(100 * share)}%"


def _segment(line: Any, usual: float) -> Segment:
    """Make a piece of a recognised line; how high its box is depends on its letters, not on the font alone."""
    high = line.bottom - line.top
    size = usual if 0.7 < high / usual < 1.4 else high
    return Segment(
        text=line.text,
        x0=line.x0,
        top=line.top,
        x1=line.x1,
        bottom=line.bottom,
        base=line.bottom - 0.2 * high,
        size=round(0.8 * size, 1),
        confidence=line.confidence,
    )


def _same(typed: Segment, read: Segment) -> bool:
    """Return whether a recognised line stands where text is."""
    middle = (typed.top + typed.bottom) / 2
    return read.top <= middle <= read.bottom and read.x0 < typed.x1 and typed.x0 < read.x1
