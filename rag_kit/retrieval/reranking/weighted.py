"""The offline reranker: a weighted sum of signs, small enough to look into."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Embedder
from rag_kit.retrieval.analyser import Analyser
from rag_kit.retrieval.reranking.best_sentence import BestSentences
from rag_kit.retrieval.reranking.order import reorder
from rag_kit.retrieval.reranking.remembered import MOST_PASSAGES, Bounded
from rag_kit.retrieval.reranking.signs import EMBEDDED, SIGNS, measure_signs
from rag_kit.types import Evidence


class WeightedReranker:
    """Adds up, for each candidate, its signs times their weights; the highest sum comes first.

    The signs are in :mod:`rag_kit.retrieval.reranking.signs`, the weights that ship in ``weights.json``. The
    terms of a passage and the vectors of its sentences are remembered, so that it is read once. Without a
    weight for a sign of its sentences nothing is embedded, and no ``embedder`` is needed.

    The weights that ship were set by hand: chosen once, on the half of the labelled questions that is there to
    choose on, among sums of a few signs. Those that ``python -m rag_kit.evaluation.ranker_training`` learns
    from the kit's own questions are printed beside them.
    """

    name = "weighted-signs"

    def __init__(
        self,
        embedder: Embedder | None = None,
        *,
        weights: Mapping[str, float] | None = None,
        analyser: Analyser | None = None,
    ) -> None:
        chosen = dict(shipped_weights() if weights is None else weights)
        for name, weight in chosen.items():
            if name not in SIGNS:
                raise InvalidValue.unknown("sign", name, SIGNS)
            if not math.isfinite(weight):
                raise InvalidValue(f"the weight {weight} of {name!r} is no number: choose one")
        if not chosen:
            raise InvalidValue(f"no sign has a weight: choose among {', '.join(map(repr, SIGNS))}")
        self.weights = {name: weight for name, weight in chosen.items() if weight}
        for name in sorted(EMBEDDED & set(self.weights)):
            if embedder is None:
                raise InvalidValue(f"the sign {name!r} needs an embedder: give one, or set its weight to 0")
        self.analyser = analyser or Analyser()
        self._sentences = BestSentences(embedder) if embedder else None
        self._terms: Bounded[str, tuple[str, ...]] = Bounded(MOST_PASSAGES)

    def rerank(self, query: str, candidates: Sequence[Evidence], *, top_n: int) -> list[Evidence]:
        """Return the ``top_n`` with the highest sums; raises InvalidValue for top_n below 1."""
        check_count("top_n", top_n)
        if not candidates:
            return []
        table = self.signs(query, candidates, tuple(self.weights))
        scores = table @ np.array(list(self.weights.values()), dtype=np.float64)
        return reorder(candidates, scores.tolist(), top_n=top_n)

    def signs(
        self, query: str, candidates: Sequence[Evidence], wanted: Sequence[str] = SIGNS
    ) -> NDArray[np.float64]:
        """Return the signs of the candidates, one row a candidate and one column a sign, in this order."""
        texts = [item.chunk.embed_text() for item in candidates]
        known = self._terms.get(texts)
        fresh = {text: tuple(self.analyser.terms(text)) for text in texts if text not in known}
        self._terms.put(fresh)
        known |= fresh
        held = [known[text] for text in texts]
        sentences = self._cosines(query, candidates) if EMBEDDED & set(wanted) else ()
        return measure_signs(self.analyser.terms(query), held, candidates, sentences, wanted)

    def _cosines(self, query: str, candidates: Sequence[Evidence]) -> NDArray[np.float64]:
        if self._sentences is None:
            raise InvalidValue("the sign 'sentence' needs an embedder: give one")
        return self._sentences.cosines(query, [item.chunk for item in candidates])


@lru_cache(maxsize=1)
def shipped_weights() -> dict[str, float]:
    """Return the weights that ship with the kit, by sign."""
    text = (files("rag_kit.retrieval.reranking") / "weights.json").read_text(encoding="utf-8")
    return {str(name): float(weight) for name, weight in json.loads(text).items()}
