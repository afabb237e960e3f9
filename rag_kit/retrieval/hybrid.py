"""Hybrid retrieval: by meaning and by words, fused."""

from __future__ import annotations

import math
from dataclasses import replace

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Store
from rag_kit.retrieval.codes import is_code
from rag_kit.retrieval.fusion import Fusion
from rag_kit.types import Evidence

CANDIDATES = 100
CODE_WEIGHT = 2.0
"""How many times as much the words count where a question asks for an exact code and for nothing besides."""
WAYS = ("dense", "bm25")
"""How a store can be searched: by meaning and by words."""
FUSION = Fusion("zscore")
"""Scores on one scale: on three sets of labelled questions they kept the top of the list better than ranks."""


class HybridRetriever:
    """Searches a store by meaning and by words, and fuses the best ``candidates`` of each.

    A question that is nothing but an exact code wants it to the letter: there the words count ``code_weight``
    times as much. What else a question asks is a matter of meaning: the words of "What does the XX-1042 cost?"
    lead to the passages that name the XX-1042 most often, and its price need not be there. Raises InvalidValue
    for candidates below 1, and for a code_weight that is no number from 0.
    """

    def __init__(
        self,
        store: Store,
        fusion: Fusion | None = None,
        *,
        candidates: int = CANDIDATES,
        code_weight: float = CODE_WEIGHT,
    ) -> None:
        check_count("candidates", candidates)
        if not (code_weight >= 0 and math.isfinite(code_weight)):
            raise InvalidValue(f"code_weight {code_weight} is no number from 0: {CODE_WEIGHT:g} is usual")
        self.store = store
        self.fusion = fusion or FUSION
        self.candidates = candidates
        self.code_weight = code_weight

    def search(self, query: str, *, filters: Filters, top_k: int) -> list[Evidence]:
        """Return the best ``top_k`` of the fused list."""
        check_count("top_k", top_k)
        lists = self.store.search(query, ways=WAYS, filters=filters, top_k=max(self.candidates, top_k))
        return self._fusion_for(query).fuse(lists, top_k=top_k)

    def _fusion_for(self, query: str) -> Fusion:
        if self.code_weight == 1 or not is_code(query):
            return self.fusion
        weights = self.fusion.weights
        return replace(self.fusion, weights={**weights, "bm25": weights.get("bm25", 1.0) * self.code_weight})
