"""Dense retrieval: the chunks whose vectors stand closest to the question's, by cosine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import RECORD_FIELDS, Filters
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Embedder, Vectors
from rag_kit.types import Chunk, Evidence

PLACES = 5
"""Scores are rounded to this many decimals before they are compared: machines differ in the last bits."""


def cosine_similarity(query: NDArray[np.floating], vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    """Compute the cosine of a query of shape (d,) to each row of vectors of shape (n, d).

    cos(q, v) = q·v / (|q| |v|). A zero or non-finite vector has no direction: its cosine is -inf here, so
    that it never wins a place.

    >>> cosine_similarity(np.array([0.0, 2.0]), np.array([[0.0, 3.0], [1.0, 1.0]])).round(4).tolist()
    [1.0, 0.7071]
    """
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
        cosines = np.asarray((vectors @ query) / lengths, dtype=np.float64)
    cosines[~np.isfinite(cosines)] = -np.inf
    return cosines


class DenseRetriever:
    """Searches chunks by the cosine of their vectors to the question's."""

    def __init__(self, chunks: Sequence[Chunk], vectors: Vectors, embedder: Embedder) -> None:
        if len(chunks) != len(vectors):
            raise InvalidValue(f"{len(chunks)} chunks but {len(vectors)} vectors: embed these chunks again")
        self.chunks = list(chunks)
        self.vectors = vectors
        self.embedder = embedder
        # Whether a chunk may be seen depends on what it has from its document: asked once for all that share it.
        alike = [_what_filters_read(chunk) for chunk in self.chunks]
        firsts = dict(zip(reversed(alike), reversed(self.chunks), strict=True))
        rows = {key: row for row, key in enumerate(firsts)}
        self._document_rows = np.array([rows[key] for key in alike], dtype=np.intp)
        self._documents = list(firsts.values())

    def search(self, query: str, *, filters: Filters, top_k: int) -> list[Evidence]:
        """Return the ``top_k`` closest chunks that the filters admit; equal scores go by chunk id.

        Hidden chunks are masked before anything is selected. Raises InvalidValue for top_k below 1.
        """
        if top_k < 1:
            raise InvalidValue(f"top_k {top_k} asks for nothing: choose 1 or more")
        admitted = np.array([filters.admits(document) for document in self._documents], dtype=bool)
        if not query.strip() or not admitted.any():
            return []
        scores = cosine_similarity(self.embedder.embed([query])[0], self.vectors).round(PLACES)
        scores[~admitted[self._document_rows]] = -np.inf
        order = self._best(scores, top_k)
        return [
            Evidence(
                chunk=self.chunks[row],
                rank=rank,
                score=float(scores[row]),
                similarity=float(scores[row]),
                ranks={"dense": rank},
            )
            for rank, row in enumerate(order, start=1)
        ]

    def _best(self, scores: NDArray[np.float64], top_k: int) -> list[int]:
        k = min(top_k, len(scores))
        cut = np.partition(scores, len(scores) - k)[len(scores) - k]
        # All that tie with the last place come along, so that the chunk id decides and not the sort.
        rows = np.flatnonzero((scores >= cut) & np.isfinite(scores))
        return sorted((int(row) for row in rows), key=lambda row: (-scores[row], self.chunks[row].chunk_id))[
            :k
        ]


def _what_filters_read(chunk: Chunk) -> tuple[object, ...]:
    fields = (getattr(chunk, name, None) for name in RECORD_FIELDS)
    # The chunks of one document share one metadata dict, so its identity will do.
    return (*fields, chunk.access_tags, chunk.superseded_at, id(chunk.metadata))
