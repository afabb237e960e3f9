"""The pages to one flow of parts: what runs over the end of a column or a page is put together again."""

from __future__ import annotations

from collections.abc import Sequence

from rag_kit.parsing.pdf.captions import CAPTION
from rag_kit.parsing.pdf.continued import find_rows_that_go_on, repeat_header
from rag_kit.parsing.pdf.headings import Body, body_of, set_levels
from rag_kit.parsing.pdf.joins import goes_on
from rag_kit.parsing.pdf.notes import take_notes
from rag_kit.parsing.pdf.paragraphs import read_parts
from rag_kit.parsing.pdf.parts import Line, Part, Sheet
from rag_kit.parsing.pdf.regions import Region, read_regions


def read_flow(sheets: Sequence[Sheet]) -> list[Part]:
    """Return the parts of a document in reading order, headings with their levels."""
    find_rows_that_go_on(sheets)
    layers = [
        [read_regions(layer, sheet.tables if not at else ()) for at, layer in enumerate(sheet.layers or [[]])]
        for sheet in sheets
    ]
    body = body_of(
        line for pages in layers for regions in pages for r in regions for line in r if isinstance(line, Line)
    )
    parts: list[Part] = []
    last_page_start = 0
    for sheet, pages in zip(sheets, layers, strict=True):
        page_start = len(parts)
        notes: list[Part] = []
        for at, regions in enumerate(pages):
            for region in regions:
                kept, found = take_notes(region, sheet.number, body)
                notes += found
                _add(parts, kept, sheet.number, body, upright=at == 0)
        repeat_header(parts, last_page_start, page_start)
        last_page_start = page_start
        parts += notes
        parts += [Part("paragraph", sheet.number, text=text) for text in sheet.fields]
    set_levels(parts)
    return parts


def _add(parts: list[Part], region: Region, page: int, body: Body, *, upright: bool) -> None:
    """Add the parts of a column; its first paragraph may go on one that stands before it."""
    for number, part in enumerate(read_parts(region, page, body)):
        if part.kind == "title" and not upright:
            part.kind = "paragraph"  # A stamp across the page, or words along its edge.
        after_float = bool(parts) and parts[-1].kind == "table"
        if part.kind == "paragraph" and upright and (number == 0 or after_float):
            before = _open_part(parts)
            if before is not None and _continues(before, part.lines[0]):
                (before.items[-1] if before.kind == "list" else before.lines).extend(part.lines)
                continue
        parts.append(part)


def _open_part(parts: Sequence[Part]) -> Part | None:
    """Return the last paragraph or list; tables, captions and notes may stand between."""
    for part in reversed(parts):
        first = part.lines[0].text if part.lines else ""
        if part.kind in ("table", "note") or (part.kind == "paragraph" and CAPTION.match(first)):
            continue
        return part if part.kind == "list" or (part.kind == "paragraph" and part.lines) else None
    return None


def _continues(before: Part, line: Line) -> bool:
    last = (before.items[-1] if before.kind == "list" else before.lines)[-1]
    same = abs(last.size - line.size) <= 0.08 * last.size and last.bold == line.bold
    return same and line.cells == last.cells == 1 and goes_on(last.text, line.text)
