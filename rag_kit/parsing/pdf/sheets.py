"""Reading the pages: characters, tables, links and fields of each; a page that fails is one notice."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

import pdfplumber
import pypdfium2 as pdfium
from pdfplumber.page import Page
from pdfplumber.pdf import PDF
from pypdfium2 import raw

from rag_kit.parsing.pdf.annotations import MOST, count_left, read_fields, read_links, write_links
from rag_kit.parsing.pdf.fields import place_fields
from rag_kit.parsing.pdf.glyphs import Box, Frame, Glyph, Unmapped, is_lost, page_frame, read_glyphs
from rag_kit.parsing.pdf.lost import fill_lost
from rag_kit.parsing.pdf.named import with_named_letters
from rag_kit.parsing.pdf.overlays import with_capitals, without_shadows
from rag_kit.parsing.pdf.parts import PlacedTable, Sheet
from rag_kit.parsing.pdf.pictures import Ocr, is_picture, recognise
from rag_kit.parsing.pdf.segments import read_segments, slanted
from rag_kit.parsing.pdf.tables import find_tables
from rag_kit.types import Notice

MOST_OBJECTS = 20_000
"""Tables are not looked for among more drawings and pieces of text than this on one page."""
MOST_LETTERS = 40_000
FEW_LETTERS = 100
"""A page with fewer, under a picture of half its size, is a scan with a stamp on it."""


class Plumber:
    """Opens the file for the search of tables when a page first needs it; where that fails, it is not tried again.

    ``failed`` is the kind of error that opening it gave.
    """

    def __init__(self, content: bytes, password: str | None) -> None:
        self._content, self._password = content, password
        self._pdf: PDF | None = None
        self._pages: list[Page] = []
        self.failed: str | None = None

    def open(self, pages: int) -> None:
        """Open the file; one that this library sees other pages in is of no use."""
        if self._pages or self.failed:
            return
        try:
            self._pdf = pdfplumber.open(io.BytesIO(self._content), password=self._password)
            self._pages = self._pdf.pages
            self.failed = None if len(self._pages) == pages else "other pages"
        except Exception as error:
            self.failed = type(error).__name__

    def tables(self, index: int, unmapped: Unmapped) -> list[PlacedTable]:
        """Return the tables of a page of an opened file; raises whatever the library does."""
        page = self._pages[index]
        try:
            left, top = _origin(page)
            placed = []
            for found in find_tables(page):
                rows = [[unmapped.clean(cell) for cell in row] for row in found.rows]
                x0, y0, x1, y1 = found.bbox
                box = (x0 - left, y0 - top, x1 - left, y1 - top)
                placed.append(PlacedTable(replace(found, rows=rows), box))
            return placed
        finally:
            page.close()

    def letters(self, index: int) -> list[tuple[Box, str]]:
        """Return the characters of a page of an opened file with their boxes; raises whatever the library does."""
        page = self._pages[index]
        try:
            x, y = _origin(page)
            return [
                ((c["x0"] - x, c["top"] - y, c["x1"] - x, c["bottom"] - y), c["text"]) for c in page.chars
            ]
        finally:
            page.close()

    def close(self) -> None:
        """Close the file."""
        with suppress(Exception):  # It reads the pages again for that, and fails again.
            if self._pdf is not None:
                self._pdf.close()


def _origin(page: Page) -> tuple[float, float]:
    """Return where the page as it is shown begins in what the library measures."""
    left, top = map(float, page.mediabox[:2])
    if not page.rotation:  # A media box that is written upside down shifts what is found.
        x0, y0, x1, y1 = map(float, page.page_obj.mediabox)
        left, top = left + min(x0, x1) - x0, top + y0 - min(y0, y1)
    return left, top


@contextmanager
def plumber(content: bytes, password: str | None) -> Iterator[Plumber]:
    """Open a file for the search of tables, and close it."""
    opened = Plumber(content, password)
    try:
        yield opened
    finally:
        opened.close()


def read_sheets(document: pdfium.PdfDocument, tables: Plumber, ocr: Ocr) -> list[Sheet]:
    """Read all pages."""
    sheets = []
    for index in range(len(document)):
        try:
            sheets.append(_read_sheet(document, index, tables, ocr))
        except (
            Exception
        ) as error:  # A damaged page raises anything, RecursionError and struct.error among it.
            sheet = Sheet(index + 1, (0.0, 0.0))
            reason = f"{type(error).__name__}"
            sheet.notices.append(
                Notice(
                    "page_failed",
                    f"page {index + 1} cannot be read ({reason}): get the file again",
                    index + 1,
                )
            )
            sheets.append(sheet)
    return sheets


def _read_sheet(document: pdfium.PdfDocument, index: int, tables: Plumber, ocr: Ocr) -> Sheet:
    page = document[index]
    try:
        frame = page_frame(page)
        sheet = Sheet(index + 1, frame.size)
        unmapped = Unmapped()
        glyphs = read_glyphs(page, frame, unmapped)
        objects = raw.FPDFPage_CountObjects(page.raw)
        sheet.drawn = objects > 0
        fields = read_fields(document, page, frame)
        if left := count_left(page):
            message = f"{left:,} fields, links or remarks beyond {MOST:,} are not read: split the page"
            sheet.notices.append(Notice("fields_left", f"page {index + 1}: {message}", index + 1))
        sheet.letters = sum(bool(glyph.text.strip()) for glyph in glyphs)
        if sheet.letters:
            _read_text(sheet, document, page, frame, glyphs, objects, tables, unmapped)
        if sheet.drawn and (not sheet.letters or (sheet.letters < FEW_LETTERS and is_picture(page, frame))):
            recognise(sheet, document, index, ocr)
        if unmapped.count:
            filled = fill_lost(sheet, document, index) if ocr == "auto" else 0
            mended = f", {filled} of them filled in by OCR" if filled else ""
            message = (
                f"page {index + 1} has {unmapped.count} characters that no font maps to letters{mended}: "
                "compare it with the page, or export the file again with its fonts"
            )
            sheet.notices.append(Notice("unmapped_characters", message, index + 1))
        if fields and sheet.layers:
            sheet.layers[0], fields = place_fields(sheet.layers[0], fields, frame.size[0])
        sheet.fields = [field.text for field in fields]
        return sheet
    finally:
        page.close()


def _read_text(
    sheet: Sheet,
    document: pdfium.PdfDocument,
    page: pdfium.PdfPage,
    frame: Frame,
    glyphs: list[Glyph],
    objects: int,
    tables: Plumber,
    unmapped: Unmapped,
) -> None:
    links = read_links(document, page, frame)
    first = not tables.failed
    tables.open(len(document))
    reason = tables.failed
    if any(glyph.unsure for glyph in glyphs):
        with suppress(Exception):  # Then the letters stay as they are, and are counted.
            lost = _count_lost(glyphs)
            glyphs = with_named_letters(glyphs, tables.letters(sheet.number - 1))
            unmapped.count += _count_lost(glyphs) - lost
    if objects > MOST_OBJECTS or len(glyphs) > MOST_LETTERS:
        first, reason = True, "it holds too much"
    elif not reason:
        try:
            # What no font maps in its cells is counted among the page's characters already.
            sheet.tables = tables.tables(sheet.number - 1, Unmapped())
        except Exception as error:
            reason = type(error).__name__
    if reason and first:
        which = "and later ones were" if tables.failed == reason else "was"
        message = f"page {sheet.number} {which} not searched for tables ({reason}): they are read as lines"
        sheet.notices.append(Notice("tables_unread", message, sheet.number))
    upright = write_links([glyph for glyph in glyphs if glyph.style.turn == 0], links)
    for at, table in enumerate(sheet.tables):
        inside = [glyph for glyph in upright if _covers(table, glyph)]
        tails = tuple(dict.fromkeys(glyph.tail.strip(" <>") for glyph in inside if glyph.tail))
        sheet.tables[at] = replace(table, links=tails)
    upright = [glyph for glyph in upright if not any(_covers(table, glyph) for table in sheet.tables)]
    sheet.layers = [with_capitals(without_shadows(read_segments(upright)))]
    for turn in (1, 2, 3):
        if turned := [glyph for glyph in glyphs if glyph.style.turn == turn]:
            turned = [g for g in turned if not _in_table(sheet.tables, g, sheet.size)]
            sheet.layers.append(read_segments(turned))
    if slant := [glyph for glyph in glyphs if glyph.style.turn is None and glyph.text]:
        sheet.layers.append([slanted(slant)])


def _count_lost(glyphs: Sequence[Glyph]) -> int:
    return sum(is_lost(sign) for glyph in glyphs for sign in glyph.text)


def _covers(table: PlacedTable, glyph: Glyph) -> bool:
    x0, top, x1, bottom = table.box
    return x0 <= (glyph.x0 + glyph.x1) / 2 <= x1 and top <= (glyph.top + glyph.bottom) / 2 <= bottom


def _in_table(tables: Sequence[PlacedTable], glyph: Glyph, size: tuple[float, float]) -> bool:
    """Return whether a turned character stands in a table, as the labels of narrow columns do."""
    wide, high = size
    across, down = (glyph.x0 + glyph.x1) / 2, (glyph.top + glyph.bottom) / 2
    x, y = {1: (wide - down, across), 2: (wide - across, high - down), 3: (down, high - across)}[
        glyph.style.turn or 2
    ]
    return any(t.box[0] <= x <= t.box[2] and t.box[1] <= y <= t.box[3] for t in tables)
