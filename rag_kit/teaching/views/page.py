"""A page beside what was read of it: the picture on the left, the parsed blocks on the right."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from pathlib import Path

from rag_kit.errors import InvalidValue
from rag_kit.hidden import show_unseen, visible
from rag_kit.sentences import table_cells, table_head
from rag_kit.teaching.markup import BODY, MUTED, escape, lines
from rag_kit.teaching.twin import Rendered
from rag_kit.types import Document, ParsedBlock

WIDTH = 720
"""Pixels of a page's picture: enough to read the print, small enough for a notebook."""
_GREYS = 8
_HALF = "flex:1 1 22em;min-width:0;max-width:100%"
_SCROLLED = "max-height:46em;overflow:auto"
_BLOCK = "border-left:3px solid rgba(128,128,128,0.35);padding:0 0 0 10px;margin:0 0 8px 0"
_TABLE = "margin:2px 0;font-size:10px;overflow-wrap:normal"
_CELL = "text-align:left;vertical-align:top;padding:1px 4px;border:1px solid rgba(128,128,128,0.35)"


def page_view(path: str | Path, document: Document, page: int = 1) -> Rendered:
    """Show a page of a PDF beside the blocks that were read of it, in their order.

    Raises InvalidValue where the file has no such page.
    """
    blocks = [block for block in document.blocks if block.page == page]
    picture = base64.b64encode(page_picture(path, page)).decode("ascii")
    name = f"{Path(path).name}, page {page}"
    image = (
        f'<img alt="Picture of {escape(name)}; its text stands beside it" '
        f'style="width:100%;background:#fff;border:1px solid rgba(128,128,128,0.35)" '
        f'src="data:image/png;base64,{picture}">'
    )
    left = f'<div style="{_HALF}"><p style="{MUTED}">The page: {escape(name)}</p>{image}</div>'
    right = f'<div style="{_HALF}"><p style="{MUTED}">What was read of it</p>{_blocks_html(blocks)}</div>'
    both = f'<div style="display:flex;flex-wrap:wrap;gap:1.5em;line-height:1.4">{left}{right}</div>'
    return Rendered({"text/html": both, "text/plain": _blocks_text(name, blocks)})


def blocks_view(document: Document, page: int | None = None) -> Rendered:
    """Show the blocks of a document, or of one of its pages, in their order."""
    blocks = [block for block in document.blocks if page is None or block.page == page]
    name = document.source_uri.rpartition("/")[2] + (f", page {page}" if page else "")
    html = f'<div style="{BODY}"><p style="{MUTED}">{escape(name)}</p>{_blocks_html(blocks)}</div>'
    return Rendered({"text/html": html, "text/plain": _blocks_text(name, blocks)})


def page_picture(path: str | Path, page: int = 1, *, width: int = WIDTH) -> bytes:
    """Render a page of a PDF as PNG in a few greys; raises InvalidValue where there is no such page."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(Path(path).read_bytes()) as pdf:
            if not 1 <= page <= len(pdf):
                raise InvalidValue(f"{path} has no page {page}: choose 1 to {len(pdf)}")
            sheet = pdf[page - 1]
            picture = sheet.render(scale=width / sheet.get_width(), grayscale=True).to_pil()
    except (OSError, pypdfium2.PdfiumError) as error:
        raise InvalidValue(f"{path}: no picture of it can be made ({error})") from None
    file = io.BytesIO()
    picture.convert("L").quantize(_GREYS).save(file, "PNG", optimize=True)
    return file.getvalue()


def _blocks_html(blocks: Sequence[ParsedBlock]) -> str:
    if not blocks:
        return "<p><strong>Nothing was read of this page.</strong></p>"
    shown = (_block_html(number, block) for number, block in enumerate(blocks, 1))
    return f'<div style="{_SCROLLED}">{"".join(shown)}</div>'


def _block_html(number: int, block: ParsedBlock) -> str:
    head = f'<small style="{MUTED}">{escape(_named(number, block))}</small>'
    body = _table_html(block.text) if block.block_type == "table" else lines(visible(block.text))
    return f'<div style="{_BLOCK};overflow-wrap:anywhere">{head}<br>{body}</div>'


def _table_html(text: str) -> str:
    """Draw a table's rows; in the text itself they stand between bars."""
    head = table_head(text, (0, len(text)))
    rows = [("th", line) for line in text[:head].splitlines()[:1]]
    rows += [("td", line) for line in text[head:].splitlines() if line.strip()]
    written = (
        "".join(f'<{tag} style="{_CELL}">{escape(visible(cell))}</{tag}>' for cell in table_cells(line))
        for tag, line in rows
    )
    body = "".join(f"<tr>{row}</tr>" for row in written)
    return f'<div style="overflow-x:auto"><table style="{_TABLE}">{body}</table></div>'


def _named(number: int, block: ParsedBlock) -> str:
    sure = "" if block.confidence is None else f", recognised with confidence {block.confidence:.2f}"
    return f"{number} {block.block_type}{sure}"


def _blocks_text(name: str, blocks: Sequence[ParsedBlock]) -> str:
    said = [f"[{_named(number, block)}]\n{visible(block.text)}" for number, block in enumerate(blocks, 1)]
    return show_unseen("\n\n".join([name, *(said or ["Nothing was read of this page."])]))
