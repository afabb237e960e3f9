"""Labelled questions, searched once and fused in many ways: figures, places, and the choice of a setting."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag_kit.access import Filters
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.evaluation.relevance import holds, score_ranking
from rag_kit.protocols import Store
from rag_kit.retrieval.fusion import K, Lists
from rag_kit.types import Evidence

WAYS = ("dense", "bm25")
DEPTH = 50
NOT_FOUND = math.inf

Fuse = Callable[[Lists], Sequence[Evidence]]
"""Makes one list of what several ways of searching found."""
Setting = tuple[float, float]
"""k of RRF, and the weight of the words where that of the meaning is 1."""


@dataclass(frozen=True, slots=True)
class SearchedQuestion:
    """A question with what each way of searching found for it, best first."""

    question: Question
    lists: Lists


@dataclass(frozen=True, slots=True)
class Moves:
    """How often places are better, the same or worse, and how many came into the first ones or fell out."""

    better: int
    same: int
    worse: int
    came: int
    fell: int


def search_once(
    questions: Iterable[Question], store: Store, *, filters: Filters, depth: int = DEPTH
) -> list[SearchedQuestion]:
    """Search for each question that has an answer and evidence, by meaning and by words."""
    return [
        SearchedQuestion(q, store.search(q.question, ways=WAYS, filters=filters, top_k=depth))
        for q in questions
        if q.expected == "answer" and q.evidence
    ]


def figures_of(fuse: Fuse, searched: Iterable[SearchedQuestion], top_k: int) -> dict[str, list[float]]:
    """Compute recall and mrr of each question, in the first ``top_k`` of the list that ``fuse`` makes."""
    scored = [
        score_ranking(one.question.evidence, [item.chunk for item in fuse(one.lists)], top_k)
        for one in searched
    ]
    return {measure: [of[measure] for of in scored] for measure in ("recall", "mrr")}


def choose_setting(figures: Mapping[Setting, tuple[float, float]]) -> Setting:
    """Return the setting with the highest first figure, and of equal ones with the highest second.

    What is equal still goes by how near it is to the usual k 60 and weight 1, the weight first.
    Raises InvalidValue where there is no setting.

    >>> choose_setting({(60, 1.0): (0.5, 0.4), (5, 1.0): (0.6, 0.4), (20, 1.0): (0.6, 0.4)})
    (20, 1.0)
    """
    if not figures:
        raise InvalidValue("no settings to choose from: give the figures of one or more")

    def rank(setting: Setting) -> tuple[float, ...]:
        k, weight = setting
        rounded = (round(figure, 9) for figure in figures[setting])
        return (*rounded, -abs(math.log(weight)), -abs(math.log(k / K)))

    return max(figures, key=rank)


def place_of(words: str, ranked: Iterable[Evidence]) -> int | None:
    """Return the place, from 1, of the first passage that holds these words whole, or None.

    A part of a longer code is not the code.

    >>> from rag_kit.testing import make_evidence
    >>> found = make_evidence("Part AC-4345.", "Part AC-434.")
    >>> place_of("AC-434", found), place_of("AC-43", found)
    (2, None)
    """
    whole = re.compile(rf"(?<![\w-]){re.escape(words)}(?![\w-])")
    return next((at for at, item in enumerate(ranked, 1) if whole.search(item.chunk.text)), None)


def place_of_gold(gold: Gold, ranked: Iterable[Evidence]) -> int | None:
    """Return the place, from 1, of the first passage that holds a piece of gold, or None.

    >>> from rag_kit.testing import make_evidence
    >>> place_of_gold(Gold("d1", (0, 5)), make_evidence("Five."))
    1
    """
    return next((at for at, item in enumerate(ranked, 1) if holds(item.chunk, gold)), None)


def gold_places(fuse: Fuse, searched: Iterable[SearchedQuestion]) -> list[float]:
    """Return the place of each piece of evidence of each question, in order; NOT_FOUND where there is none."""
    return [
        place_of_gold(gold, ranked) or NOT_FOUND
        for one in searched
        for ranked in [fuse(one.lists)]
        for gold in one.question.evidence
    ]


def moved(places: Sequence[float], before: Sequence[float], top_k: int) -> Moves:
    """Compare places with those that the same things had before; a lower number is better.

    Raises InvalidValue for sequences of two lengths.

    >>> moved([1, 4, 9, 6], [7, 4, 2, NOT_FOUND], 5)
    Moves(better=2, same=1, worse=1, came=1, fell=1)
    """
    if len(places) != len(before):
        raise InvalidValue(f"{len(places)} places against {len(before)}: give both of the same things")
    pairs = list(zip(places, before, strict=True))
    return Moves(
        sum(now < then for now, then in pairs),
        sum(now == then for now, then in pairs),
        sum(now > then for now, then in pairs),
        sum(now <= top_k < then for now, then in pairs),
        sum(then <= top_k < now for now, then in pairs),
    )
