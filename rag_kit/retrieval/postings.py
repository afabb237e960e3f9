"""The inverted index: for each term, the texts that hold it and how often."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag_kit.retrieval.analyser import Analyser


@dataclass(frozen=True, slots=True)
class Postings:
    """Rows and counts of all terms, one term after the other.

    Of term number t they stand at ``starts[t]`` to ``starts[t + 1]``; ``lengths`` counts the terms of each
    text.
    """

    numbers: dict[str, int]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: NDArray[np.float32]
    lengths: NDArray[np.float32]

    def of(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the rows that hold a term, in order, and how often each does.

        >>> postings = make_postings(["fee fee day", "day"], Analyser())
        >>> [part.tolist() for part in postings.of("day")], [part.tolist() for part in postings.of("fee")]
        ([[0, 1], [1.0, 1.0]], [[0], [2.0]])
        """
        number = self.numbers.get(term)
        if number is None:
            return self.rows[:0], self.counts[:0]
        here = slice(self.starts[number], self.starts[number + 1])
        return self.rows[here], self.counts[here]


def make_postings(texts: Iterable[str], analyser: Analyser) -> Postings:
    """Count the terms of some texts."""
    numbers: dict[str, int] = {}
    seen: dict[str, list[int]] = {}
    found: list[NDArray[np.int32]] = []
    for text in texts:
        own: list[int] = []
        for word in text.split():
            if (terms := seen.get(word)) is None:
                terms = [numbers.setdefault(term, len(numbers)) for term in analyser.terms_of_word(word)]
                seen[word] = terms
            own += terms
        found.append(np.array(own, dtype=np.int32))
    lengths = np.array([len(own) for own in found], dtype=np.int64)
    terms_of = np.concatenate(found) if found else np.zeros(0, np.int32)
    # Sorted by term and then by row; equal pairs are counted.
    pairs = terms_of.astype(np.int64) * max(len(found), 1) + np.repeat(np.arange(len(found)), lengths)
    pairs, counts = np.unique(pairs, return_counts=True)
    of_pair, rows = np.divmod(pairs, max(len(found), 1))
    starts = np.searchsorted(of_pair, np.arange(len(numbers) + 1))
    return Postings(
        numbers, starts, rows.astype(np.int32), counts.astype(np.float32), lengths.astype(np.float32)
    )
