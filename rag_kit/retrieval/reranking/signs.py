"""What a closer look sees: signs that a passage answers a question, each a number that can be explained.

A sign means something only beside the other candidates of the same question, so each is standardised over
them: how many standard deviations a candidate stands above their mean.

Some questions use the documents' words, and then the passage that holds most of them is likely the one; others
are in the reader's own words, and then a sentence that means the same is the better sign. Which it is, is seen
in how much of the question the best candidate holds, from 0 to 1: "literal" is the first sign times that share,
"reworded" the second times the rest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rag_kit.rarity import rarity
from rag_kit.retrieval.reranking.order import standardise
from rag_kit.types import Evidence

WINDOW = 40
"""Terms that stand near each other: about a sentence or two."""
BEST_OF_DOCUMENT = 3
Terms = Sequence[str]
Values = NDArray[np.float64]


def coverage(asked: Mapping[str, float], held: Terms) -> float:
    """Return the share of the question's terms that a text holds, rare terms counting for more.

    >>> coverage({"fee": 3.0, "day": 1.0}, ["fee", "fee", "due"])
    0.75
    """
    own = set(held)
    total = math.fsum(asked.values())
    return math.fsum(weight for term, weight in asked.items() if term in own) / total if total else 0.0


def near_coverage(asked: Mapping[str, float], held: Terms, window: int = WINDOW) -> float:
    """Return the largest coverage by any ``window`` terms of a text in a row.

    >>> near_coverage({"fee": 3.0, "day": 1.0}, ["fee", "x", "x", "day"], 4)
    1.0
    >>> near_coverage({"fee": 3.0, "day": 1.0}, ["fee", "x", "x", "day"], 3)
    0.75
    """
    total = math.fsum(asked.values())
    places = [(at, term) for at, term in enumerate(held) if term in asked]
    best, first = 0.0, 0
    inside: Counter[str] = Counter()
    for at, term in places:
        inside[term] += 1
        while at - places[first][0] >= window:
            gone = places[first][1]
            inside[gone] -= 1
            first += 1
        best = max(best, math.fsum(asked[t] for t, count in inside.items() if count))
    return best / total if total else 0.0


def of_document(candidates: Sequence[Evidence]) -> list[float]:
    """Return for each candidate how much its document was found: its three best scores, added up.

    Scores count from the lowest of all candidates.

    >>> from rag_kit.testing import make_chunk, make_evidence
    >>> found = make_evidence(make_chunk("One.", "a"), make_chunk("Two.", "b"), make_chunk("Three.", "a"))
    >>> [round(value, 3) for value in of_document(found)]
    [0.667, 0.167, 0.667]
    """
    lowest = min((item.score for item in candidates), default=0.0)
    scores: dict[str, list[float]] = {}
    for item in candidates:
        scores.setdefault(item.chunk.document_id, []).append(item.score - lowest)
    best = {name: math.fsum(sorted(held)[-BEST_OF_DOCUMENT:]) for name, held in scores.items()}
    return [best[item.chunk.document_id] for item in candidates]


def given_by(name: str, candidates: Sequence[Evidence]) -> list[float]:
    """Return what a retriever scored each candidate; one that it did not find counts as its lowest.

    >>> from rag_kit.testing import make_chunk
    >>> found = [Evidence(make_chunk("One."), 1, 0.9, scores={"bm25": 3.0}), Evidence(make_chunk("Two."), 2, 0.8)]
    >>> given_by("bm25", found)
    [3.0, 3.0]
    """
    known = [item.scores[name] for item in candidates if name in item.scores]
    return [item.scores.get(name, min(known)) for item in candidates] if known else [0.0] * len(candidates)


def measure_signs(
    terms: Terms,
    held: Sequence[Terms],
    candidates: Sequence[Evidence],
    sentences: Sequence[float] | Values,
    wanted: Sequence[str],
) -> Values:
    """Return the wanted signs of the candidates, one row a candidate and one column a sign, standardised.

    ``terms`` are the question's, ``held`` those of each candidate; ``sentences`` are the cosines of each
    candidate's best sentence, and are read only where a sign of ``EMBEDDED`` is wanted.
    """
    # Over the candidates, and not the corpus: what all of them hold does not tell them apart.
    asked = rarity(terms, held)
    shares = [coverage(asked, own) for own in held]
    literal = max(shares, default=0.0)
    signs: dict[str, Callable[[], Sequence[float] | Values]] = {
        "fused": lambda: [item.score for item in candidates],
        "words": lambda: given_by("bm25", candidates),
        "meaning": lambda: given_by("dense", candidates),
        "coverage": lambda: shares,
        "literal": lambda: literal * standardise(shares),
        "near": lambda: [near_coverage(asked, own) for own in held],
        "document": lambda: of_document(candidates),
        "sentence": lambda: sentences,
        "reworded": lambda: (1 - literal) * standardise(sentences),
    }
    values = {name: np.asarray(signs[name](), dtype=np.float64) for name in wanted}
    columns = [values[name] if name in WEIGHED else standardise(values[name]) for name in wanted]
    return np.stack(columns, axis=1)


SIGNS = (
    "fused",  # the score that the candidate came with
    "words",  # BM25's
    "meaning",  # the cosine of the passage
    "coverage",  # share of the question's terms that it holds, rare ones counting for more
    "near",  # the same within forty terms
    "document",  # how well other passages of its document were found
    "sentence",  # the cosine of its best sentence
    "literal",  # coverage, times the share of the question that the best candidate holds
    "reworded",  # sentence, times the share that it does not hold
)
WEIGHED = frozenset({"literal", "reworded"})
"""Standardised before they were weighed by the question."""
EMBEDDED = frozenset({"sentence", "reworded"})
"""Signs that need sentence vectors."""
