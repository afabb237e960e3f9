"""One document cut one way: its chunks, what is wrong with them, and which of them a question brings back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rag_kit.access import Filters
from rag_kit.chunking import Finding, chunk, diagnose
from rag_kit.evaluation.questions import Question
from rag_kit.indexing import embed_with_rows
from rag_kit.protocols import Embedder, Tokenizer
from rag_kit.retrieval import DenseRetriever
from rag_kit.spans import share
from rag_kit.types import Chunk, Document, Evidence, Span

TOP_K = 3


@dataclass(frozen=True, slots=True)
class Inspection:
    """What there is to look at. ``gold`` are the spans of the document that answer the question."""

    document: Document
    chunks: tuple[Chunk, ...]
    findings: tuple[Finding, ...]
    question: str = ""
    hits: tuple[Evidence, ...] = ()
    gold: tuple[Span, ...] = ()
    ranks: dict[str, int] = field(default_factory=dict)

    def findings_of(self, chunk_id: str) -> list[Finding]:
        """Return what was found about one chunk."""
        return [finding for finding in self.findings if finding.chunk_id == chunk_id]

    def holds(self, piece: Chunk) -> float:
        """Return the largest share of one gold span that a chunk holds, from 0 to 1."""
        return max((share(span, piece.span) for span in self.gold), default=0.0)

    @property
    def whole(self) -> list[int]:
        """Return the places, from 1, of the chunks that hold a gold span whole."""
        return [number for number, piece in enumerate(self.chunks, start=1) if self.holds(piece) >= 1]


def inspect_chunks(
    document: Document,
    tokenizer: Tokenizer,
    embedder: Embedder,
    *,
    strategy: str = "structure",
    size: int | None = None,
    overlap: int | None = None,
    question: Question | str = "",
    top_k: int = TOP_K,
) -> Inspection:
    """Cut a document, diagnose its chunks, and search them for a question.

    Only this document is searched, so every chunk competes with its own neighbours alone. Raises
    InvalidValue for sizes that do not fit.
    """
    chunks = chunk([document], tokenizer, strategy=strategy, size=size, overlap=overlap, embedder=embedder)
    asked = question if isinstance(question, str) else question.question
    hits: Sequence[Evidence] = ()
    if asked.strip() and chunks:
        vectors, owners = embed_with_rows(chunks, embedder)
        retriever = DenseRetriever(chunks, vectors, embedder, owners=owners)
        hits = retriever.search(asked, filters=Filters.owner(include_superseded=True), top_k=top_k)
    gold = [] if isinstance(question, str) else question.evidence
    return Inspection(
        document,
        tuple(chunks),
        tuple(diagnose([document], chunks, tokenizer)),
        asked,
        tuple(hits),
        tuple(g.span for g in gold if g.document_id == document.document_id and g.span),
        {hit.chunk.chunk_id: hit.rank for hit in hits},
    )
