"""All checks in one call, the worst findings first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rag_kit.chunking.diagnostics.boilerplate import check_documents, check_pages
from rag_kit.chunking.diagnostics.borders import check_borders
from rag_kit.chunking.diagnostics.characters import check_scripts, check_unmapped
from rag_kit.chunking.diagnostics.copies import check_copies
from rag_kit.chunking.diagnostics.displaced import check_equations, check_footnotes
from rag_kit.chunking.diagnostics.findings import SEVERITIES, Finding
from rag_kit.chunking.diagnostics.layout import Corpus, Layout
from rag_kit.chunking.diagnostics.notices import check_confidence, check_notices
from rag_kit.chunking.diagnostics.readers import check_readers
from rag_kit.chunking.diagnostics.sizes import check_headings, check_large, check_small
from rag_kit.chunking.diagnostics.soup import check_soup
from rag_kit.chunking.diagnostics.tables import check_tables
from rag_kit.chunking.diagnostics.versions import check_versions
from rag_kit.protocols import Tokenizer
from rag_kit.types import Chunk, Document

OF_A_DOCUMENT: tuple[Callable[[Layout], Iterator[Finding]], ...] = (
    check_borders,
    check_tables,
    check_headings,
    check_unmapped,
    check_scripts,
    check_soup,
    check_equations,
    check_footnotes,
    check_pages,
    check_confidence,
)
OF_ALL: tuple[Callable[[Corpus], Iterator[Finding]], ...] = (
    check_large,
    check_small,
    check_copies,
    check_versions,
    check_readers,
    check_documents,
)


def diagnose(documents: Iterable[Document], chunks: Iterable[Chunk], tokenizer: Tokenizer) -> list[Finding]:
    """Find what in documents and their chunks can lose an answer, before any model is asked.

    ``tokenizer`` is the embedder's: it says how much of a chunk is read. Chunks whose document is not given
    are looked at by themselves. Findings are sorted by severity, then by document and place. The time grows
    with the length of the text and the number of chunks, not with their square.

    >>> from rag_kit.testing import FakeTokenizer, make_chunk
    >>> chunk = make_chunk("one two three four five six seven")
    >>> [(f.code, f.severity) for f in diagnose([], [chunk], FakeTokenizer(max_tokens=5))]
    [('chunk_too_large', 'error')]
    """
    corpus = Corpus(documents, chunks, tokenizer)
    found: list[Finding] = []
    for layout in corpus.layouts:
        own = [item for check in OF_A_DOCUMENT for item in check(layout)]
        found += own
        found += check_notices(layout, {item.code for item in own})
    for check in OF_ALL:
        found += check(corpus)
    order = {layout.document.document_id: number for number, layout in enumerate(corpus.layouts)}
    found.sort(
        key=lambda item: (
            SEVERITIES.index(item.severity),
            order.get(item.document_id, len(order)),
            item.span,
            item.code,
        )
    )
    return found
