"""The kit: HybridRetriever over records with tags and metadata, filters before anything is scored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from benchmarks.passages import Passages
from benchmarks.peers import CANDIDATES, TOP_K, Search
from rag_kit.access import Filters
from rag_kit.protocols import Vectors
from rag_kit.retrieval import Fusion, HybridRetriever, MemoryStore
from rag_kit.types import Chunk

STAFF = Filters.for_tags(["staff"], as_of=date(2026, 6, 1), where=["region=EU"])


class Given:
    """The questions' vectors."""

    name = "given"

    def __init__(self, vector_of: dict[str, Vectors]) -> None:
        self.vector_of = vector_of

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row a question."""
        return np.stack([self.vector_of[text] for text in texts])


def build_filtered(passages: Passages) -> Search:
    """Index, and search as someone who has one tag and asks about one region: they see every sixth chunk."""
    return _search(passages, STAFF)


def build_owner(passages: Passages) -> Search:
    """Index, and search as the owner of all."""
    return _search(passages, Filters.owner(as_of=STAFF.as_of))


def _search(passages: Passages, filters: Filters) -> Search:
    chunks = [_chunk(row, text) for row, text in enumerate(passages.texts)]
    row_of = {chunk.chunk_id: row for row, chunk in enumerate(chunks)}
    store = MemoryStore(chunks, passages.vectors, Given(passages.vector_of))
    # By ranks, as the others fuse, and codes count no more than other words.
    retriever = HybridRetriever(store, Fusion("rrf"), candidates=CANDIDATES, code_weight=1)

    def search(question: str) -> list[int]:
        found = retriever.search(question, filters=filters, top_k=TOP_K)
        return [row_of[item.chunk.chunk_id] for item in found]

    search(passages.questions[0])  # the words are indexed when they are first searched
    return search


def _chunk(row: int, text: str, a_document: int = 20) -> Chunk:
    """Make a record without title and headings, which the others would not read either."""
    document = row // a_document
    return Chunk(
        chunk_id=f"doc{document:05}#{row:012x}",
        document_id=f"doc{document:05}",
        title="",
        text=text,
        span=(0, len(text)),
        heading_path=(),
        source_uri=f"docs/doc{document:05}.md",
        content_hash=f"{row:064x}",
        tokens=200,
        metadata={"region": ("EU", "US", "APAC")[document % 3], "department": "people"},
        access_tags=("all",) if document % 2 else ("hr", "staff"),
    )
