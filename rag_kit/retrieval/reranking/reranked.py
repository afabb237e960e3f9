"""Two stages: recall widely, fold copies, then put the few that are left into a better order."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.hidden import visible
from rag_kit.protocols import Reranker, Retriever
from rag_kit.types import Chunk, Evidence

CANDIDATES = 50
"""Found for the reranker to choose among: what is not among them, no reranker brings back."""


class RerankingRetriever:
    """Finds ``candidates`` with one retriever and reranks them with another's closer look.

    What the filters hide never reaches the reranker, for the retriever leaves it out before it scores
    anything. ``stage`` is the name under which a candidate's place and score before reranking are kept.
    """

    def __init__(
        self, retriever: Retriever, reranker: Reranker, *, candidates: int = CANDIDATES, stage: str = "hybrid"
    ) -> None:
        if candidates < 1:
            raise InvalidValue(f"candidates {candidates} leave nothing to rerank: choose 1 or more")
        self.retriever = retriever
        self.reranker = reranker
        self.candidates = candidates
        self.stage = stage

    def search(self, query: str, *, filters: Filters, top_k: int) -> list[Evidence]:
        """Return the ``top_k`` that the reranker puts first; raises InvalidValue for top_k below 1.

        Whatever a reranker gives back, :func:`rerank_given` passes on nothing that was not a candidate,
        nothing twice, and never more than ``top_k``.
        """
        check_count("top_k", top_k)
        distinct = self._recall(query, filters, top_k)
        if not distinct:
            return []
        given = [
            replace(
                item,
                ranks={**item.ranks, self.stage: item.rank},
                scores={**item.scores, self.stage: item.score},
            )
            for item in distinct
        ]
        return rerank_given(self.reranker, query, given, top_n=top_k)

    def _recall(self, query: str, filters: Filters, top_k: int) -> list[Evidence]:
        """Return the candidates without copies; where copies leave fewer than ``top_k``, look further down."""
        asked = max(self.candidates, top_k)
        while True:
            wide = self.retriever.search(query, filters=filters, top_k=asked)
            distinct = fold_copies(wide)
            if len(distinct) >= top_k or len(wide) < asked:
                return distinct
            asked *= 2


def rerank_given(
    reranker: Reranker, query: str, candidates: Sequence[Evidence], *, top_n: int
) -> list[Evidence]:
    """Rerank, and keep a reranker to its word: nothing that was not a candidate, nothing twice, at most ``top_n``.

    >>> from rag_kit.testing import ScoreReranker, make_evidence
    >>> shortest = ScoreReranker(lambda query, text: -len(text))
    >>> [item.chunk.text for item in rerank_given(shortest, "fee", make_evidence("Five.", "5."), top_n=1)]
    ['5.']
    """
    known = {item.chunk.chunk_id for item in candidates}
    found: dict[str, Evidence] = {}
    for item in reranker.rerank(query, candidates, top_n=top_n):
        if item.chunk.chunk_id in known:
            found.setdefault(item.chunk.chunk_id, item)
    return [replace(item, rank=rank) for rank, item in enumerate(list(found.values())[:top_n], start=1)]


def fold_copies(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Leave out what repeats a better-placed passage word for word for the same readers.

    Title, headings and text have to be the same, case, blanks and invisible characters aside: two price
    lists with one row in common are two sources. So are copies with different access tags.

    >>> from rag_kit.testing import make_chunk, make_evidence
    >>> one, two = make_chunk("The fee is 5.", "a"), make_chunk("The  FEE is 5.", "b")
    >>> hr = make_chunk("The fee is 5.", "c", access_tags=("hr",))
    >>> [item.chunk.document_id for item in fold_copies(make_evidence(one, two, hr))]
    ['a', 'c']
    """
    seen: set[tuple[str, tuple[str, ...]]] = set()
    kept: list[Evidence] = []
    for item in evidence:
        key = _plain(item.chunk)
        if key not in seen:
            seen.add(key)
            kept.append(item)
    return kept


def _plain(chunk: Chunk) -> tuple[str, tuple[str, ...]]:
    text = unicodedata.normalize("NFKC", visible(chunk.embed_text())).casefold()
    return " ".join(text.split()), tuple(sorted(set(chunk.access_tags)))
