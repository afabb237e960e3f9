"""LlamaIndex: QueryFusionRetriever (reciprocal rerank) over its vector store in memory and its bm25s."""

from __future__ import annotations

from typing import Any

from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import TextNode
from llama_index.retrievers.bm25 import BM25Retriever

from benchmarks.passages import Passages
from benchmarks.peers import CANDIDATES, TOP_K, Search


class Given(BaseEmbedding):  # type: ignore[misc]
    """The questions' vectors; the passages' are in their nodes."""

    vector_of: dict[str, Any]

    def _get_query_embedding(self, query: str) -> list[float]:
        listed: list[float] = self.vector_of[query].tolist()
        return listed

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        raise NotImplementedError("the passages have their vectors")


def build(passages: Passages) -> Search:
    """Give both retrievers the same nodes, and ask each once: no questions are made up by a model."""
    nodes = [
        TextNode(id_=str(row), text=text, embedding=vector)
        for row, (text, vector) in enumerate(zip(passages.texts, passages.vectors.tolist(), strict=True))
    ]
    index = VectorStoreIndex(nodes, embed_model=Given(vector_of=passages.vector_of))
    fused = QueryFusionRetriever(
        [
            index.as_retriever(similarity_top_k=CANDIDATES),
            BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=CANDIDATES),
        ],
        llm=MockLLM(),
        num_queries=1,
        mode="reciprocal_rerank",
        similarity_top_k=TOP_K,
        use_async=False,
    )
    return lambda question: [int(found.node.node_id) for found in fused.retrieve(question)]
