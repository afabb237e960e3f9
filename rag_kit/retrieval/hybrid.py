"""Hybrid retrieval: by meaning and by words, fused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rag_kit.access import Filters
from rag_kit.protocols import Store
from rag_kit.retrieval.fusion import Fusion
from rag_kit.retrieval.selection import check_top_k
from rag_kit.types import Evidence

CANDIDATES = 50
WAYS = ("dense", "bm25")


class HybridRetriever:
    """Searches a store by meaning and by words, and fuses the best ``candidates`` of each."""

    def __init__(self, store: Store, fusion: Fusion | None = None, *, candidates: int = CANDIDATES) -> None:
        self.store = store
        self.fusion = fusion or Fusion()
        self.candidates = candidates

    def search(
        self,
        query: str,
        *,
        filters: Filters,
        top_k: int,
        weights: Mapping[str, float] | None = None,
    ) -> list[Evidence]:
        """Return the best ``top_k`` of the fused list; ``weights`` stand in for the fusion's own, way by way."""
        check_top_k(top_k)
        lists = self.store.search(query, ways=WAYS, filters=filters, top_k=max(self.candidates, top_k))
        fusion = replace(self.fusion, weights={**self.fusion.weights, **weights}) if weights else self.fusion
        return fusion.fuse(lists, top_k=top_k)
