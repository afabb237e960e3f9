"""Dense retrieval: the chunks whose vectors stand closest to the question's, by cosine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Embedder, Owners, Vectors
from rag_kit.retrieval.selection import best_rows, rounded
from rag_kit.retrieval.visibility import Visibility
from rag_kit.types import Chunk, Evidence

_BLOCK = 1_024
"""Vectors that are looked at together: few enough for the processor's own memory."""


def cosine_similarity(
    query: NDArray[np.floating],
    vectors: NDArray[np.floating],
    *,
    lengths: NDArray[np.floating] | None = None,
) -> NDArray[np.float64]:
    """Compute the cosine of a query of shape (d,) to each row of vectors of shape (n, d).

    cos(q, v) = q·v / (|q| |v|). A zero or non-finite vector has no direction: its cosine is -inf here, so
    that it never wins a place. ``lengths`` are the |v|, where they are known already.

    >>> cosine_similarity(np.array([0.0, 2.0]), np.array([[0.0, 3.0], [1.0, 1.0]])).round(4).tolist()
    [1.0, 0.7071]
    """
    with np.errstate(all="ignore"):
        lengths = vector_lengths(vectors) if lengths is None else lengths
        cosines = np.asarray((vectors @ query) / (lengths * np.linalg.norm(query)), dtype=np.float64)
    cosines[~np.isfinite(cosines)] = -np.inf
    return cosines


def vector_lengths(vectors: NDArray[np.floating]) -> NDArray[np.floating]:
    """Compute the length of each row, some rows at a time, so that no second copy of all is made.

    >>> vector_lengths(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [5.0, 0.0]
    """
    lengths = np.empty(len(vectors), dtype=np.result_type(vectors, np.float32))
    with np.errstate(all="ignore"):
        for at in range(0, len(vectors), _BLOCK):
            lengths[at : at + _BLOCK] = np.linalg.norm(vectors[at : at + _BLOCK], axis=1)
    return lengths


class DenseRetriever:
    """Searches chunks by the cosine of their vectors to the question's.

    Vectors stay as they are given, in memory or mapped from a file; only their lengths are computed. A chunk
    may have several, for itself and for parts of it: ``owners`` holds the chunk's place for each vector, and
    the closest one counts. Without it there is one vector a chunk, in order.
    """

    def __init__(
        self,
        chunks: Sequence[Chunk],
        vectors: Vectors,
        embedder: Embedder,
        *,
        owners: Owners | None = None,
    ) -> None:
        self.owners: Owners = np.arange(len(chunks), dtype=np.int32) if owners is None else owners
        if len(self.owners) != len(vectors):
            raise InvalidValue(f"{len(chunks)} chunks but {len(vectors)} vectors: embed these chunks again")
        if not np.array_equal(np.unique(self.owners), np.arange(len(chunks))):
            raise InvalidValue(
                f"the owners of the vectors are not these {len(chunks)} chunks: embed them again"
            )
        self.chunks = list(chunks)
        # A product of two number types, or of scattered rows, would copy all vectors at each question.
        with np.errstate(over="ignore"):
            self.vectors: Vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self.embedder = embedder
        self._lengths = vector_lengths(self.vectors)
        self._visibility = Visibility(self.chunks)

    def search(self, query: str, *, filters: Filters, top_k: int) -> list[Evidence]:
        """Return the ``top_k`` closest chunks that the filters admit; equal scores go by chunk id.

        Hidden chunks are masked before anything is selected. Raises InvalidValue for top_k below 1, and for
        an embedder whose vectors are of another length than the index's.
        """
        check_count("top_k", top_k)
        scores = self.scores(query, filters)
        rows = best_rows(scores, self.chunks, top_k)
        return [
            Evidence(self.chunks[row], rank, score, score, ranks={"dense": rank}, scores={"dense": score})
            for rank, (row, score) in enumerate(
                zip(rows, rounded(scores[rows]).tolist(), strict=True), start=1
            )
        ]

    def scores(self, query: str, filters: Filters) -> NDArray[np.float64]:
        """Return each chunk's similarity to the query; -inf where it is hidden or has no direction."""
        scores = np.full(len(self.chunks), -np.inf)
        rows = np.flatnonzero(self._visibility.mask(filters)[self.owners])
        if query.strip() and len(rows):
            cosines = self._cosines(self._embed(query), rows)
            if len(self.vectors) == len(self.chunks):
                scores[self.owners[rows]] = cosines
            else:
                np.maximum.at(scores, self.owners[rows], cosines)
        return scores

    def keeping(self, places: Sequence[int], chunks: Sequence[Chunk]) -> DenseRetriever:
        """Return a retriever over the chunks at these places alone, in their order, written as ``chunks``."""
        new = np.full(len(self.chunks), -1, dtype=np.int32)
        new[list(places)] = np.arange(len(places), dtype=np.int32)
        left = np.flatnonzero(new[self.owners] >= 0)
        return DenseRetriever(chunks, self.vectors[left], self.embedder, owners=new[self.owners[left]])

    def _cosines(self, query: NDArray[np.float32], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the cosines of the vectors at these rows; the others are not even read."""
        if len(rows) == len(self.vectors):
            return cosine_similarity(query, self.vectors, lengths=self._lengths)
        cosines = np.empty(len(rows))
        # Into one small place again and again: fresh memory for each block would cost more than the product.
        held = np.empty((_BLOCK, len(query)), dtype=np.float32)
        for at in range(0, len(rows), _BLOCK):
            some = rows[at : at + _BLOCK]
            block = np.take(self.vectors, some, axis=0, out=held[: len(some)], mode="clip")
            cosines[at : at + _BLOCK] = cosine_similarity(query, block, lengths=self._lengths[some])
        return cosines

    def _embed(self, query: str) -> NDArray[np.float32]:
        vector = np.asarray(self.embedder.embed([query])[0], dtype=np.float32)
        if vector.shape != self.vectors.shape[1:]:
            raise InvalidValue(
                f"the embedder {self.embedder.name!r} gives {len(vector)} dimensions and the index has "
                f"{self.vectors.shape[1]}: index again with one embedder"
            )
        return vector
