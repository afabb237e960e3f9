"""LangChain: EnsembleRetriever over BM25Retriever (rank-bm25) and InMemoryVectorStore."""

from __future__ import annotations

from langchain_classic.retrievers import EnsembleRetriever
from langchain_community.retrievers import BM25Retriever
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

from benchmarks.passages import Passages
from benchmarks.peers import CANDIDATES, TOP_K, Search


class Given(Embeddings):  # type: ignore[misc]
    """The vectors that are already there."""

    def __init__(self, passages: Passages) -> None:
        self.passages = passages

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the passages' vectors: they are added at one go."""
        listed: list[list[float]] = self.passages.vectors[: len(texts)].tolist()
        return listed

    def embed_query(self, text: str) -> list[float]:
        """Return a question's vector."""
        listed: list[float] = self.passages.vector_of[text].tolist()
        return listed


def build(passages: Passages) -> Search:
    """Give both stores the texts with their places as ids."""
    ids = [str(row) for row in range(len(passages.texts))]
    store = InMemoryVectorStore(Given(passages))
    store.add_texts(passages.texts, ids=ids)
    lexical = BM25Retriever.from_texts(passages.texts, ids=ids, k=CANDIDATES)
    dense = store.as_retriever(search_kwargs={"k": CANDIDATES})
    ensemble = EnsembleRetriever(retrievers=[lexical, dense], weights=[0.5, 0.5])
    return lambda question: [int(found.id) for found in ensemble.invoke(question)[:TOP_K]]
