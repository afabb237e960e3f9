"""Lines that come back: running headers and footers left in the text, and paragraphs in every document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from rag_kit.chunking.diagnostics.findings import Finding, Place, excerpt, finding
from rag_kit.chunking.diagnostics.layout import Corpus, Layout
from rag_kit.spans import shift
from rag_kit.types import Span

FEWEST_PAGES = 3
FEWEST_DOCUMENTS = 4
FEWEST_LETTERS = 20
"""Letters of a line that counts when it stands in several documents: short ones are headings and labels."""
AT_THE_EDGE = 2
"""A running header is among the first two lines of its page, a footer among the last two."""
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]")
_LINE = re.compile(r"[^\n]*\S[^\n]*")


def check_pages(layout: Layout) -> Iterator[Finding]:
    """Find a line at the top or bottom of at least three pages, and of half of them, page numbers aside."""
    pages: dict[int, list[Span]] = defaultdict(list)
    for block in layout.document.blocks:
        if block.page is not None and block.block_type != "code":
            start = block.span[0]
            lines = [(start + m.start(), start + m.end()) for m in _LINE.finditer(block.text)]
            pages[block.page].extend(lines)
    if len(pages) < FEWEST_PAGES:
        return
    seen: dict[str, dict[int, Span]] = defaultdict(dict)
    for page, lines in pages.items():
        # A page of a few lines is all edge: what comes back there says something else.
        edge = min(AT_THE_EDGE, max(len(lines) // 3, 1))
        for line in (*lines[:edge], *lines[-edge:]):
            shape = _DIGITS.sub("#", " ".join(layout.text[slice(*line)].casefold().split()))
            if len(_LETTERS.findall(shape)) > 2:
                seen[shape].setdefault(page, line)
    for places in seen.values():
        if len(places) >= max(FEWEST_PAGES, len(pages) / 2):
            first = min(places.values())
            yield finding(
                "repeated_boilerplate",
                f"a line is repeated on {len(places)} of {len(pages)} pages: a running header or footer was "
                "read as text; take it out in the parser",
                layout.document,
                first,
                severity="warning",
                page=layout.page_at(first[0]),
                chunk_id=layout.chunk_id_at(first[0]),
                excerpts=(excerpt(layout.text, first),),
                related=tuple(
                    Place(layout.document.document_id, span, layout.chunk_id_at(span[0]))
                    for span in sorted(places.values())[1:]
                ),
            )


def check_documents(corpus: Corpus) -> Iterator[Finding]:
    """Find a line of text that stands in at least four documents, and in a tenth of all."""
    seen: dict[str, dict[int, Span]] = defaultdict(dict)
    layouts = [layout for layout in corpus.layouts if layout.document.superseded_at is None]
    for number, layout in enumerate(layouts):
        for block in layout.document.blocks:
            if block.block_type not in ("paragraph", "list"):
                continue
            for match in _LINE.finditer(block.text):
                if match.end() - match.start() >= FEWEST_LETTERS:
                    line = shift(match.span(), block.span[0])
                    seen[" ".join(match.group().casefold().split())].setdefault(number, line)
    for shape, places in seen.items():
        enough = len(places) >= max(FEWEST_DOCUMENTS, len(layouts) / 10)
        if not enough or len(_LETTERS.findall(shape)) < FEWEST_LETTERS:
            continue
        (first, span), *others = sorted(places.items())
        layout = layouts[first]
        yield finding(
            "repeated_boilerplate",
            f"the same line stands in {len(places)} documents: it makes their chunks alike; take it out if it "
            "answers nothing",
            layout.document,
            span,
            page=layout.page_at(span[0]),
            chunk_id=layout.chunk_id_at(span[0]),
            excerpts=(excerpt(layout.text, span),),
            related=tuple(
                Place(layouts[n].document.document_id, other, layouts[n].chunk_id_at(other[0]))
                for n, other in others
            ),
        )
