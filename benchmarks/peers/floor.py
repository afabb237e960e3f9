"""The floor: bare bm25s and a bare numpy product, fused in a few lines. No records, no filters, no checks."""

from __future__ import annotations

import bm25s
import numpy as np

from benchmarks.passages import Passages
from benchmarks.peers import CANDIDATES, TOP_K, Search


def build(passages: Passages) -> Search:
    """Index the texts with bm25s; the vectors are an index as they are."""
    index = bm25s.BM25()
    index.index(bm25s.tokenize(passages.texts, stopwords="en", show_progress=False), show_progress=False)
    vectors, vector_of = passages.vectors, passages.vector_of
    candidates = min(CANDIDATES, len(vectors) - 1)

    def search(question: str) -> list[int]:
        terms = bm25s.tokenize([question], stopwords="en", show_progress=False)
        rows, _ = index.retrieve(terms, k=candidates, show_progress=False)
        products = vectors @ vector_of[question]
        nearest = np.argpartition(-products, candidates)[:candidates]
        return _fused(rows[0].tolist(), nearest[np.argsort(-products[nearest])].tolist())

    return search


def _fused(*lists: list[int]) -> list[int]:
    scores: dict[int, float] = {}
    for rows in lists:
        for rank, row in enumerate(rows, start=1):
            scores[row] = scores.get(row, 0.0) + 1 / (60 + rank)
    return sorted(scores, key=lambda row: -scores[row])[:TOP_K]
