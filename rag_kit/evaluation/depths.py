"""How many candidates are enough: what a candidate list holds by its depth, and what a reranker keeps of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from rag_kit.access import Filters
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.benchmark_result import PLACES
from rag_kit.evaluation.questions import Question
from rag_kit.evaluation.relevance import score_ranking
from rag_kit.protocols import Reranker, Retriever
from rag_kit.retrieval.reranking import fold_copies
from rag_kit.types import Evidence


@dataclass(frozen=True, slots=True)
class Depth:
    """One number of candidates: for each question the recall of the list, and of the top k after reranking it.

    ``found`` is what no reranker can exceed; ``kept`` is what it made of it.
    """

    candidates: int
    found: tuple[float, ...]
    kept: tuple[float, ...]

    @property
    def mean_found(self) -> float:
        """The mean recall of the candidate list."""
        return round(fmean(self.found), PLACES)

    @property
    def mean_kept(self) -> float:
        """The mean recall of the top k after reranking."""
        return round(fmean(self.kept), PLACES)


def measure_depths(
    questions: Iterable[Question],
    retriever: Retriever,
    reranker: Reranker,
    *,
    depths: Sequence[int],
    k: int,
    filters_of: Callable[[Question], Filters],
) -> list[Depth]:
    """Rerank the first candidates of each question to the top ``k``, once a depth, the deepest search once.

    Questions without gold are left out. Raises InvalidValue for depths or k below 1, for no depth, and where
    no question has gold.
    """
    asked = [question for question in questions if question.has_gold]
    if not asked:
        raise InvalidValue("no question names its evidence: give questions with an answer and its evidence")
    if not depths or min(*depths, k) < 1:
        raise InvalidValue(f"depths {list(depths)} and k {k}: choose 1 or more of each")
    wide = [
        retriever.search(question.question, filters=filters_of(question), top_k=max(depths))
        for question in asked
    ]
    rows = []
    for depth in depths:
        found, kept = [], []
        for question, candidates in zip(asked, wide, strict=True):
            top = reranker.rerank(question.question, fold_copies(candidates[:depth]), top_n=k)
            found.append(_recall(question, candidates, depth))
            kept.append(_recall(question, top, k))
        rows.append(Depth(depth, tuple(found), tuple(kept)))
    return rows


def _recall(question: Question, found: Sequence[Evidence], k: int) -> float:
    scores = score_ranking(question.evidence, [item.chunk for item in found], k)
    return round(scores["recall"], PLACES)
