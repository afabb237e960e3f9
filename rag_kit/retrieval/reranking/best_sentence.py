"""The plainest offline reranker: a passage is as good as its best sentence, beside what it scored before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag_kit.counts import check_count
from rag_kit.protocols import Embedder
from rag_kit.retrieval.reranking.order import reorder, standardise
from rag_kit.retrieval.reranking.remembered import MOST_PASSAGES, Bounded, VectorMemory
from rag_kit.sentences import plain, units
from rag_kit.types import Chunk, Evidence

WEIGHT = 0.5


class BestSentenceReranker:
    """Adds to each candidate's score how close its best sentence stands to the question.

    Both are brought to one scale first: z(score) + ``weight`` z(best cosine), over the candidates of this
    question. A passage of many subjects has a vector of none of them; its one sentence that answers has. The
    sentences are embedded all at once and remembered, so that a passage costs something only once.
    """

    name = "best-sentence"

    def __init__(self, embedder: Embedder, *, weight: float = WEIGHT) -> None:
        self.weight = weight
        self._sentences = BestSentences(embedder)

    def rerank(self, query: str, candidates: Sequence[Evidence], *, top_n: int) -> list[Evidence]:
        """Return the ``top_n`` best by the sum; raises InvalidValue for top_n below 1."""
        check_count("top_n", top_n)
        if not candidates:
            return []
        before = standardise([item.score for item in candidates])
        closest = standardise(self._sentences.cosines(query, [item.chunk for item in candidates]))
        return reorder(candidates, (before + self.weight * closest).tolist(), top_n=top_n)


class BestSentences:
    """Finds how close the best sentence of a passage stands to a question; a passage is read only once.

    What is remembered is bounded, and keyed by the text itself, so that a changed passage is read anew.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._vectors = VectorMemory(embedder)
        self._sentences: Bounded[tuple[str, str], list[str]] = Bounded(MOST_PASSAGES)

    def cosines(self, query: str, chunks: Sequence[Chunk]) -> NDArray[np.float64]:
        """Return for each chunk the cosine of its closest sentence, list item or table row to the query."""
        keys = [(chunk.prefix, chunk.text) for chunk in chunks]
        known = self._sentences.get(keys)
        fresh = {key: sentences_of(c) for key, c in zip(keys, chunks, strict=True) if key not in known}
        self._sentences.put(fresh)
        parts = [(known | fresh)[key] for key in keys]
        flat = [text for texts in parts for text in texts]
        asked, held = np.split(self._vectors.of([query, *flat]).astype(np.float64), [1])
        starts = np.cumsum([0, *(len(texts) for texts in parts)][:-1])
        closest: NDArray[np.float64] = np.maximum.reduceat((held @ asked[0]).round(5), starts)
        return closest


def sentences_of(chunk: Chunk) -> list[str]:
    """Return the readable sentences, list items and table rows of a chunk, or its text where it has none.

    >>> from rag_kit.testing import make_chunk
    >>> sentences_of(make_chunk("The fee is **5**. Pay in May."))
    ['The fee is 5.', 'Pay in May.']
    """
    found = [
        plain(chunk.text[slice(*unit.span)], unit.header) for unit in units(chunk.text, prefix=chunk.prefix)
    ]
    return [text for text in found if text] or [chunk.text]
