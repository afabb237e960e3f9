"""PDF: a file's pages as Markdown-like text in reading order, its information as the document's fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import mean
from typing import Any

import pypdfium2 as pdfium

from rag_kit.errors import UnreadableDocument
from rag_kit.parsing.blocks import build_document
from rag_kit.parsing.frontmatter import front_matter_of
from rag_kit.parsing.pdf.flow import read_flow
from rag_kit.parsing.pdf.furniture import remove_running
from rag_kit.parsing.pdf.joins import Vocabulary, join_lines
from rag_kit.parsing.pdf.lists import depths, item_marker, without_marker
from rag_kit.parsing.pdf.opening import has_end, open_pdf, quiet, read_date
from rag_kit.parsing.pdf.parts import Line, Part, Sheet
from rag_kit.parsing.pdf.pictures import Ocr
from rag_kit.parsing.pdf.sheets import plumber, read_sheets
from rag_kit.parsing.writer import TextWriter
from rag_kit.types import Document, Notice

# What programs write where nobody gave a title, an author or a subject.
_UNREAL = re.compile(
    r"\(?(?:untitled|anonymous|unspecified|unknown|none|document|title|slide|presentation|scan)\)?[\s_\d]*"
    r"|microsoft (?:word|excel|powerpoint) - .*"
    r"|.*\.(?:docx?|xlsx?|pptx?|pdf|rtf|tex|dvi|indd|qxd|html?|txt|ps|tiff?)"
    r"|\W*",
    re.I,
)


def parse_pdf(
    content: bytes,
    *,
    source_uri: str,
    relative_path: str,
    notices: tuple[Notice, ...] = (),
    password: str | None = None,
    ocr: Ocr = "auto",
) -> Document:
    """Parse a PDF into a document whose text is written here, once; each block knows its page.

    Pages without a text layer are read by OCR, or with ``ocr="off"`` noticed. Raises UnreadableDocument with
    the code ``empty``, ``pdf`` or ``password`` where the file cannot be opened, and ``no_text`` where no page
    holds any text.
    """
    with quiet():
        opened = open_pdf(content, source_uri, password)
        try:
            opened.init_forms()
            information = _information(opened)
            with plumber(content, password) as tables:
                sheets = read_sheets(opened, tables, ocr)
        except Exception as error:
            # The kind of the error tells a fault of ours from one of the file; what it says may be half the file.
            kind = type(error).__name__
            raise UnreadableDocument(
                source_uri, "pdf", f"is damaged so that its pages cannot be read ({kind}): get the file again"
            ) from None
        finally:
            opened.close()
    found = [notice for sheet in sheets for notice in sheet.notices]
    if not any(sheet.letters or sheet.fields for sheet in sheets):
        raise UnreadableDocument(source_uri, "no_text", _no_text(sheets, found))
    if not has_end(content):
        found.append(Notice("cut_short", "the file has no end mark (%%EOF): the last pages may be missing"))
    header, removed = remove_running(sheets)
    parts = read_flow(sheets)
    writer = _write(parts)
    if header:
        information["running_header"] = header
    front = front_matter_of(information)
    first = next(
        (" ".join(line.text for line in p.lines) for p in parts if p.kind == "title" and p.level == 1), None
    )
    return build_document(
        writer.text,
        writer.pieces,
        replace(front, title=front.title or (" ".join(first.split()) if first else None)),
        source_uri=source_uri,
        relative_path=relative_path,
        notices=(*notices, *found, *removed),
    )


def _no_text(sheets: Sequence[Sheet], notices: Sequence[Notice]) -> str:
    if any(notice.code == "page_failed" for notice in notices):
        return "no page could be read: get the file again"
    if any(sheet.drawn for sheet in sheets):
        return "no page holds text: run it with OCR, or get the file with its text"
    return "no page holds text: all of them are blank"


def _information(opened: pdfium.PdfDocument) -> dict[str, Any]:
    """Return title, date, author, subject and keywords as the file gives them, where they are real."""
    try:
        given = opened.get_metadata_dict()
    except Exception:  # They are no reason to lose the text.
        return {}
    found: dict[str, Any] = {}
    for key in ("Title", "Author", "Subject", "Keywords"):
        value = " ".join((given.get(key) or "").replace("\0", "").split())
        if value and not _UNREAL.fullmatch(value):
            found[key.lower()] = value
    day = read_date(given.get("ModDate")) or read_date(given.get("CreationDate"))
    if day:
        found["updated_at"] = day
    return found


def _write(parts: Sequence[Part]) -> TextWriter:
    words = Vocabulary(line.text for part in parts for line in _lines(part))
    writer = TextWriter()
    seen: dict[str, int] = {}
    for part in parts:
        sure = [line.confidence for line in _lines(part) if line.confidence is not None]
        confidence = round(mean(sure), 3) if sure else None
        if part.kind == "title":
            writer.title(join_lines(part.lines, words), part.level, page=part.page, confidence=confidence)
        elif part.kind == "list":
            text = "\n".join(_items(part, words))
            writer.block("list", text, page=part.page, confidence=confidence)
        elif part.kind == "code":
            writer.code(_code(part.lines), page=part.page)
        elif part.table is not None:
            found = part.table.found
            writer.table(found.rows, heads=found.heads, page=part.page, confidence=part.table.confidence)
            writer.paragraph(" ".join(f"<{uri}>" for uri in part.table.links), page=part.page)
        else:
            text = part.text or join_lines(part.lines, words)
            anchor = part.anchor
            if anchor:
                seen[anchor] = seen.get(anchor, 0) + 1
                anchor += f"-{seen[anchor]}" if seen[anchor] > 1 else ""
            writer.paragraph(text, page=part.page, anchor=anchor, confidence=confidence)
    return writer


def _lines(part: Part) -> Iterable[Line]:
    return [*part.lines, *(line for item in part.items for line in item)]


def _items(part: Part, words: Vocabulary) -> Iterable[str]:
    for item, depth in zip(part.items, depths([item[0].x0 for item in part.items]), strict=True):
        marker = item_marker(item[0].text)
        first = replace(item[0], text=without_marker(item[0].text), cells=1)
        text = join_lines([first, *(replace(line, cells=1) for line in item[1:])], words)
        yield f"{'  ' * depth}{marker} {text}"


def _code(lines: Sequence[Line]) -> str:
    """Return code with its indents and empty lines, both counted in characters and lines."""
    left = min(line.x0 for line in lines)
    pitch = max(0.1, min(line.pitch for line in lines))
    high = min(
        (b.base - a.base for a, b in zip(lines, lines[1:], strict=False) if b.base > a.base), default=0.0
    )
    rows: list[str] = []
    before: Line | None = None
    for line in lines:
        if before is not None and high and line.base - before.base > 1.6 * high:
            rows.append("")
        rows.append(" " * round((line.x0 - left) / pitch) + line.text)
        before = line
    return "\n".join(rows)
