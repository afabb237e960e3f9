"""Haystack: the BM25 and the embedding retriever over its in-memory store, joined by reciprocal rank."""

from __future__ import annotations

from haystack import Document
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from benchmarks.passages import Passages
from benchmarks.peers import CANDIDATES, TOP_K, Search


def build(passages: Passages) -> Search:
    """Write the texts with their vectors, and call the three components without a pipeline around them."""
    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(id=str(row), content=text, embedding=vector)
            for row, (text, vector) in enumerate(zip(passages.texts, passages.vectors.tolist(), strict=True))
        ]
    )
    lexical = InMemoryBM25Retriever(store, top_k=CANDIDATES)
    dense = InMemoryEmbeddingRetriever(store, top_k=CANDIDATES)
    joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=TOP_K)

    def search(question: str) -> list[int]:
        lists = [
            lexical.run(query=question)["documents"],
            dense.run(query_embedding=passages.vector_of[question].tolist())["documents"],
        ]
        return [int(found.id) for found in joiner.run(documents=lists)["documents"]]

    return search
