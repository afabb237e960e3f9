"""The ways to search that have a name: what `--pipeline` and the benchmark choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rag_kit.errors import InvalidValue
from rag_kit.protocols import Retriever
from rag_kit.retrieval import HybridRetriever, MemoryStore, PlannedRetriever
from rag_kit.retrieval.reranking import RerankingRetriever, WeightedReranker

DEFAULT_PIPELINE = "hybrid"

PIPELINES: Mapping[str, Callable[[MemoryStore], Retriever]] = {
    "dense": lambda store: store.dense,
    "bm25": lambda store: store.bm25,
    "hybrid": lambda store: PlannedRetriever(HybridRetriever(store)),
    "hybrid+rerank": lambda store: PlannedRetriever(_reranked(store)),
}
"""By meaning, by words, by both, and by both with a closer look at the best of them."""


WITHOUT_VECTORS = frozenset(["bm25"])
"""Those that need nothing embedded."""


def check_pipeline(pipeline: str) -> None:
    """Raise InvalidValue for a name that no pipeline has."""
    if pipeline not in PIPELINES:
        raise InvalidValue.unknown("pipeline", pipeline, PIPELINES)


def make_retriever(pipeline: str, store: MemoryStore) -> Retriever:
    """Make the retriever of a pipeline over a store; raises InvalidValue for a name that is none."""
    check_pipeline(pipeline)
    return PIPELINES[pipeline](store)


def _reranked(store: MemoryStore) -> Retriever:
    reranker = WeightedReranker(store.embedder, analyser=store.analyser)
    return RerankingRetriever(HybridRetriever(store), reranker)
