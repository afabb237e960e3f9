"""What the parser already said of a document, as findings, so that one report shows all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from rag_kit.chunking.diagnostics.findings import CODES, Finding, Place, excerpt, finding
from rag_kit.chunking.diagnostics.layout import Layout
from rag_kit.types import ParsedBlock

SURE = 0.8
"""Confidence of a text recognition below which letters and figures are often wrong."""
_AS = {
    "language": "language_change",
    "encoding": "encoding_change",
    "replacement_characters": "unmapped_characters",
}
"""Notices whose subject has a finding of its own."""


def check_notices(layout: Layout, found: Collection[str]) -> Iterator[Finding]:
    """Turn notices into findings; one whose code is in ``found`` was seen in the text itself."""
    document = layout.document
    for notice in document.notices:
        code = _AS.get(notice.code, notice.code)
        if code in found and code != notice.code:
            continue
        start = next((b.span[0] for b in document.blocks if notice.page in (None, b.page)), 0)
        severity = CODES[code][0] if code in CODES else "hint"
        yield finding(code, notice.message, document, (start, start), severity=severity, page=notice.page)


def check_confidence(layout: Layout) -> Iterator[Finding]:
    """Find the pages on which text recognition was not sure."""
    doubtful: dict[int | None, list[ParsedBlock]] = defaultdict(list)
    for block in layout.document.blocks:
        if block.confidence is not None and block.confidence < SURE:
            doubtful[block.page].append(block)
    for page, blocks in doubtful.items():
        worst = min(blocks, key=lambda block: block.confidence or 0)
        message = (
            f"text recognition was only {worst.confidence:.0%} sure of a block ({len(blocks)} below {SURE:.0%}): "
            "compare its figures with the page, or scan it again at 300 dpi"
        )
        yield finding(
            "ocr_low_confidence",
            message,
            layout.document,
            worst.span,
            page=page,
            chunk_id=layout.chunk_id_at(worst.span[0]),
            excerpts=(excerpt(worst.text, (0, len(worst.text))),),
            related=tuple(
                Place(block.document_id, block.span, layout.chunk_id_at(block.span[0]))
                for block in blocks
                if block is not worst
            ),
        )
