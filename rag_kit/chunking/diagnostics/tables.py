"""Tables whose values have lost their column labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_kit.chunking.diagnostics.findings import Finding, excerpt, finding
from rag_kit.chunking.diagnostics.layout import Layout
from rag_kit.sentences import table_cells, table_head
from rag_kit.types import Chunk, ParsedBlock

FEW_COLUMNS = 2
"""A table of labels and values reads well without a header; a wider one does not."""
_WORD = re.compile(r"\w")
_DIGIT = re.compile(r"\d")


def check_tables(layout: Layout) -> Iterator[Finding]:
    """Find chunks that hold rows of a table and its header neither in the text nor as a prefix."""
    for block in layout.document.blocks:
        if block.block_type == "table":
            yield from _check(layout, block)


def _check(layout: Layout, block: ParsedBlock) -> Iterator[Finding]:
    text, (start, end) = layout.text, block.span
    head_end = table_head(text, block.span)
    header = _cells(text[start:head_end].split("\n")[0]) if head_end > start else []
    if not header:
        first = text[head_end:end].split("\n")[0]
        if len(table_cells(first)) > FEW_COLUMNS and _DIGIT.search(text, head_end, end):
            yield finding(
                "table_without_header",
                "the table has no header row, so nothing names its columns: look whether the header was read "
                "as a row, or stands on the page before",
                layout.document,
                block.span,
                severity="warning",
                page=block.page,
                chunk_id=layout.chunk_id_at(head_end),
                excerpts=(excerpt(text, (head_end, end)),),
            )
        return
    for chunk in layout.chunks_over((head_end, end)):
        rows = max(chunk.span[0], head_end), min(chunk.span[1], end)
        if not _WORD.search(text, *rows) or layout.holds((start, rows[1])) or _names(chunk, header):
            continue
        missing = ", ".join(header[:6])
        yield finding(
            "table_without_header",
            f"rows without their column labels ({missing}): cut between rows and repeat the header as prefix",
            chunk,
            rows,
            severity="error" if _DIGIT.search(text, *rows) else "warning",
            page=layout.page_at(rows[0]),
            chunk_id=chunk.chunk_id,
            excerpts=(excerpt(text, rows),),
        )


def _cells(line: str) -> list[str]:
    return [cell for cell in table_cells(line) if cell]


def _names(chunk: Chunk, header: list[str]) -> bool:
    """Tell whether a chunk's prefix holds every column label."""
    held = " ".join(chunk.prefix.split()).casefold()
    return bool(held) and all(" ".join(cell.split()).casefold() in held for cell in header)
