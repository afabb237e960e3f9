"""What lies over a page: links, form fields and typed remarks."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import pypdfium2 as pdfium
from pypdfium2 import raw

from rag_kit.parsing.pdf.fields import Field
from rag_kit.parsing.pdf.glyphs import Box, Frame, Glyph

MOST = 5_000
"""Fields, remarks and links of a page that are read."""

_ROW = 20
_SILENT = {raw.FPDF_FORMFIELD_PUSHBUTTON, raw.FPDF_FORMFIELD_SIGNATURE, raw.FPDF_FORMFIELD_UNKNOWN}

_RUN = re.compile("(?:javascript|vbscript|data):", re.I)
"""Addresses that lead nowhere: a program would run them."""

_TICKED = {raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON}


@dataclass(frozen=True, slots=True)
class Link:
    """A place on a page that leads to an address."""

    box: Box
    uri: str


def read_links(document: pdfium.PdfDocument, page: pdfium.PdfPage, frame: Frame) -> list[Link]:
    """Return the links of a page that lead out of the document."""
    found: list[Link] = []
    position, link, rectangle = ctypes.c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
    while len(found) < MOST and raw.FPDFLink_Enumerate(page.raw, position, link):
        action = raw.FPDFLink_GetAction(link)
        if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
            continue
        size = raw.FPDFAction_GetURIPath(document.raw, action, None, 0)
        buffer = ctypes.create_string_buffer(size)
        raw.FPDFAction_GetURIPath(document.raw, action, buffer, size)
        uri = "".join(buffer.value.decode("utf-8", "replace").split())
        if uri and not _RUN.match(uri) and raw.FPDFLink_GetAnnotRect(link, rectangle):
            box = frame.rectangle(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
            found.append(Link(box, uri))
    return found


def write_links(glyphs: Sequence[Glyph], links: Sequence[Link]) -> list[Glyph]:
    """Put the address behind the words that lead to it, unless they are the address."""
    out = list(glyphs)
    rows: dict[int, list[int]] = {}
    for at, glyph in enumerate(out) if links else ():
        if glyph.text.strip():
            rows.setdefault(int((glyph.top + glyph.bottom) / 2 // _ROW), []).append(at)
    for number, link in enumerate(links):
        if number + 1 < len(links) and links[number + 1].uri == link.uri:
            continue  # A link over two lines is two places; the address stands behind the last.
        first = number
        while first and links[first - 1].uri == link.uri:
            first -= 1
        places = [
            at
            for each in links[first : number + 1]
            for row in _rows(each.box)
            for at in rows.get(row, ())
            if _inside(out[at], each.box)
        ]
        if places:
            words = "".join(out[at].text for at in places)
            if _plain(words) != _plain(link.uri):
                last = max(places, key=lambda at: (round(out[at].base), out[at].x0))
                out[last] = replace(out[last], tail=out[last].tail + f" <{link.uri}>")
    return out


def _rows(box: Box) -> range:
    """Return the strips of the page that a box lies in; one of any height is cut to what a page can have."""
    return range(max(0, int(box[1] // _ROW)), min(10_000, int(box[3] // _ROW) + 1))


def _inside(glyph: Glyph, box: Box) -> bool:
    across, down = (glyph.x0 + glyph.x1) / 2, (glyph.top + glyph.bottom) / 2
    return box[0] <= across <= box[2] and box[1] <= down <= box[3]


def _plain(address: str) -> str:
    address = "".join(address.split()).casefold().rstrip("/.,;")
    return re.sub(r"^(?:mailto:|https?://)?(?:www\.)?", "", address)


def read_fields(document: pdfium.PdfDocument, page: pdfium.PdfPage, frame: Frame) -> list[Field]:
    """Return what was filled in on a page, each field once, and behind it the remarks typed over the page."""
    found: dict[str, Field] = {}
    remarks: list[Field] = []
    form = document.formenv.raw if document.formenv else None
    rectangle = raw.FS_RECTF()
    for annotation in _annotations(page):
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        box = (0.0, 0.0, 0.0, 0.0)
        if raw.FPDFAnnot_GetRect(annotation, rectangle):
            box = frame.rectangle(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
        if kind == raw.FPDF_ANNOT_FREETEXT:
            remarks.append(Field("", _string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents"), box))
        elif kind == raw.FPDF_ANNOT_WIDGET and form:
            name, value = _field(form, annotation)
            if value and (value != "no" or name not in found):
                ticked = raw.FPDFAnnot_GetFormFieldType(form, annotation) in _TICKED
                found[name] = Field(name, value, box, ticked)
    return [*found.values(), *(remark for remark in remarks if remark.value)]


def count_left(page: pdfium.PdfPage) -> int:
    """Count what lies over a page beyond MOST, which is not read."""
    return max(0, int(raw.FPDFPage_GetAnnotCount(page.raw)) - MOST)


def _annotations(page: pdfium.PdfPage) -> Iterator[raw.FPDF_ANNOTATION]:
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), MOST)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if annotation:
            try:
                yield annotation
            finally:
                raw.FPDFPage_CloseAnnot(annotation)


def _field(form: raw.FPDF_FORMHANDLE, annotation: raw.FPDF_ANNOTATION) -> tuple[str, str]:
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in _SILENT:
        return "", ""
    name = _string(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation) or _string(
        raw.FPDFAnnot_GetFormFieldName, form, annotation
    )
    if kind == raw.FPDF_FORMFIELD_RADIOBUTTON:
        chosen = raw.FPDFAnnot_IsChecked(form, annotation)
        return name, _string(raw.FPDFAnnot_GetFormFieldExportValue, form, annotation) if chosen else ""
    if kind == raw.FPDF_FORMFIELD_CHECKBOX:
        return name, "yes" if raw.FPDFAnnot_IsChecked(form, annotation) else "no"
    return name, _string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)


def _string(read: Callable[..., int], *arguments: object) -> str:
    """Call one of the library's functions that fill a buffer with UTF-16."""
    size = read(*arguments, None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    read(*arguments, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return " ".join(buffer.raw[:size].decode("utf-16-le", "replace").rstrip("\0").split())
