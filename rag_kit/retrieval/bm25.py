"""Lexical retrieval: the chunks that hold the question's words, rare words counting for more (BM25).

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the idf that
Lucene takes, which is never below zero:

    score(q, d) = sum over the terms t of q of  idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / avgdl))
    idf(t)      = log(1 + (N - n + 0.5) / (n + 0.5))

tf is how often d holds t, |d| how many terms d has, avgdl their mean, N how many chunks there are and n how
many of them hold t. N, n and avgdl are taken over the chunks that the filters admit: what somebody may not
see does not even move the scores of what they may.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.rarity import idf
from rag_kit.retrieval.analyser import Analyser
from rag_kit.retrieval.postings import make_postings
from rag_kit.retrieval.selection import PLACES, best_rows, rounded
from rag_kit.retrieval.visibility import Visibility
from rag_kit.types import Chunk, Evidence

K1 = 1.2
B = 0.75


@dataclass(frozen=True, slots=True)
class TermShare:
    """What one term of a query adds to a chunk's score; ``times`` the query has it, ``count`` the chunk."""

    term: str
    times: int
    idf: float
    count: int
    score: float


def term_scores(
    times: int,
    weight: float,
    counts: NDArray[np.floating],
    lengths: NDArray[np.floating],
    mean: float,
    *,
    k1: float = K1,
    b: float = B,
) -> NDArray[np.float64]:
    """Compute what one term of a query adds to the scores of the chunks that hold it.

    times * idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / avgdl)), one value a chunk: ``times`` is how
    often the query has the term, ``weight`` its idf, ``counts`` the tf, ``lengths`` the |d|, ``mean`` the
    avgdl.

    >>> term_scores(1, 0.5, np.array([1.0, 2.0, 1.0]), np.array([4.0, 4.0, 12.0]), 4.0, k1=1).tolist()
    [0.5, 0.6666666666666666, 0.2857142857142857]
    """
    tf, size = counts.astype(np.float64), lengths.astype(np.float64)
    return times * weight * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / mean))


class BM25Retriever:
    """Searches chunks by BM25 over what is embedded of them: title and headings, then the text.

    ``k1`` is how much a term's second and third mention add, ``b`` how much a long chunk is held against
    itself. With ``contextual=False`` titles and headings are not read.

    >>> from rag_kit.testing import make_chunk
    >>> chunks = [make_chunk(text, name) for name, text in (("a", "Fees."), ("b", "Fees, fees."), ("c", "Tax."))]
    >>> found = BM25Retriever(chunks).search("fee", filters=Filters.owner(), top_k=5)
    >>> [(item.chunk.document_id, item.ranks) for item in found]
    [('b', {'bm25': 1}), ('a', {'bm25': 2})]
    """

    def __init__(
        self,
        chunks: Sequence[Chunk],
        analyser: Analyser | None = None,
        *,
        k1: float = K1,
        b: float = B,
        contextual: bool = True,
    ) -> None:
        if not (k1 >= 0 and 0 <= b <= 1 and math.isfinite(k1)):
            raise InvalidValue(f"k1 {k1} and b {b}: choose k1 from 0 and b between 0 and 1")
        self.chunks = list(chunks)
        self.analyser = analyser or Analyser()
        self.k1 = k1
        self.b = b
        read = (chunk.embed_text(contextual=contextual) for chunk in self.chunks)
        self._postings = make_postings(read, self.analyser)
        self._visibility = Visibility(self.chunks)

    def search(self, query: str, *, filters: Filters, top_k: int) -> list[Evidence]:
        """Return the ``top_k`` best chunks that hold a term of the query; equal scores go by chunk id.

        A query without a term that some chunk holds finds nothing. Raises InvalidValue for top_k below 1.
        """
        check_count("top_k", top_k)
        scores = self.scores(query, filters)
        rows = best_rows(scores, self.chunks, top_k)
        # A word that stands in each of a hundred thousand chunks adds less than is shown, but not nothing.
        shown = np.maximum(rounded(scores[rows]), 10.0**-PLACES).tolist()
        return [
            Evidence(self.chunks[row], rank, score, ranks={"bm25": rank}, scores={"bm25": score})
            for rank, (row, score) in enumerate(zip(rows, shown, strict=True), start=1)
        ]

    def scores(self, query: str, filters: Filters) -> NDArray[np.float64]:
        """Return each chunk's score; -inf where it is hidden or holds no term of the query."""
        admitted = self._visibility.mask(filters)
        total, mean = self._size(admitted)
        scores = np.zeros(len(self.chunks))
        for term, times in Counter(self.analyser.terms(query)).items():
            rows, counts = self._postings.of(term)
            seen = admitted[rows]
            rows, counts = rows[seen], counts[seen]
            lengths = self._postings.lengths[rows]
            weight = idf(len(rows), total)
            scores[rows] += term_scores(times, weight, counts, lengths, mean, k1=self.k1, b=self.b)
        scores[scores == 0] = -np.inf
        return scores

    def explain(self, query: str, chunk_id: str, *, filters: Filters) -> list[TermShare]:
        """Return what each term of a query adds to one chunk's score; they sum up to it.

        Raises InvalidValue for a chunk that is not there or that the filters hide.

        >>> from rag_kit.testing import make_chunk
        >>> chunks = [make_chunk("Fees.", "a"), make_chunk("Tax.", "b")]
        >>> shares = BM25Retriever(chunks).explain("fee tax", chunks[0].chunk_id, filters=Filters.owner())
        >>> [(share.term, share.count, round(share.score, 3)) for share in shares]  # log(1 + 1.5 / 1.5) * 1
        [('fee', 1, 0.693), ('tax', 0, 0.0)]
        """
        admitted = self._visibility.mask(filters)
        row = next((at for at, chunk in enumerate(self.chunks) if chunk.chunk_id == chunk_id), None)
        if row is None or not admitted[row]:
            raise InvalidValue(f"no chunk that these filters admit has the id {chunk_id!r}")
        total, mean = self._size(admitted)
        shares = []
        for term, times in Counter(self.analyser.terms(query)).items():
            rows, counts = self._postings.of(term)
            weight = idf(int(np.count_nonzero(admitted[rows])), total)
            own = rows == row  # one place, or none where the chunk does not hold the term
            count, lengths = counts[own], self._postings.lengths[rows[own]]
            added = term_scores(times, weight, count, lengths, mean, k1=self.k1, b=self.b)
            shares.append(TermShare(term, times, weight, int(count.sum()), float(added.sum())))
        return shares

    def _size(self, admitted: NDArray[np.bool_]) -> tuple[int, float]:
        """Return how many chunks are admitted, and how many terms these have on average."""
        total = int(np.count_nonzero(admitted))
        return total, float(self._postings.lengths.sum(where=admitted, dtype=np.float64)) / max(total, 1)
