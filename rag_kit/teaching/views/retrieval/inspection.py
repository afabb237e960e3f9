"""One question searched in several ways: the ranked lists, what joins them, and where the gold stands.

Everything here is what the filters admit: of hidden evidence there is one line that says that it is hidden.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.evaluation.questions import Question
from rag_kit.protocols import Reranker
from rag_kit.retrieval import Analyser, Fusion, MemoryStore, TermShare
from rag_kit.retrieval.hybrid import CODE_WEIGHT, WAYS
from rag_kit.retrieval.planning import make_plan
from rag_kit.retrieval.reranking.reranked import rerank_given
from rag_kit.teaching.views.retrieval.gold import GoldPlace, Ranking, place_gold
from rag_kit.types import Chunk, Evidence

TOP_K = 5
CANDIDATES = 50
FUSED = "fused"
RERANKED = "reranked"


@dataclass(frozen=True, slots=True)
class Part:
    """What one list adds to a fused score: ``weight`` times ``value``, which is 0 where the list is silent."""

    name: str
    rank: int | None
    weight: float
    value: float


@dataclass(frozen=True, slots=True)
class Link:
    """The same chunk in two columns, from left to right; row and column count from 0.

    A row is None where the chunk stands below the rows shown.
    """

    chunk_id: str
    start: tuple[int, int | None]
    end: tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class RetrievalInspection:
    """What there is to look at. ``letters`` name the chunks in the rows shown, ``notes`` say what is not."""

    query: str
    rankings: tuple[Ranking, ...] = ()
    fusion: Fusion = field(default_factory=Fusion)
    top_k: int = TOP_K
    candidates: int = CANDIDATES
    gold: tuple[GoldPlace, ...] = ()
    notes: tuple[str, ...] = ()
    letters: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, tuple[Part, ...]] = field(default_factory=dict)
    terms: Mapping[str, tuple[TermShare, ...]] = field(default_factory=dict)
    planned: tuple[str, ...] = ()
    as_of: date | None = None
    analyser: Analyser = field(default_factory=Analyser, repr=False)

    @property
    def query_terms(self) -> frozenset[str]:
        """Return the terms that lexical search reads in the question."""
        return frozenset(self.analyser.terms(self.query))

    def rows(self, ranking: Ranking) -> tuple[Evidence, ...]:
        """Return what a column shows."""
        return ranking.items[: self.top_k]

    @property
    def chunks(self) -> dict[str, Chunk]:
        """Return the chunks shown, by the order of their letters."""
        held = {item.chunk.chunk_id: item.chunk for ranking in self.rankings for item in self.rows(ranking)}
        return {chunk_id: held[chunk_id] for chunk_id in self.letters}

    def gold_in(self, chunk_id: str) -> list[int]:
        """Return the numbers of the pieces of gold that a chunk holds."""
        return [gold.number for gold in self.gold if chunk_id in gold.chunk_ids]


def inspect_retrieval(
    store: MemoryStore,
    question: Question | str,
    *,
    filters: Filters,
    fusion: Fusion | None = None,
    top_k: int = TOP_K,
    candidates: int = CANDIDATES,
    reranker: Reranker | None = None,
) -> RetrievalInspection:
    """Search a store by meaning and by words, fuse, rerank where there is a reranker, and compare.

    Of each list the best ``candidates`` are kept, and the first ``top_k`` shown. Raises InvalidValue for
    numbers that do not fit.
    """
    check_count("top_k", top_k)
    check_count("candidates", candidates)
    fusion = fusion or Fusion()
    query = question if isinstance(question, str) else question.question
    if not query.strip():
        return RetrievalInspection(query, fusion=fusion, top_k=top_k, candidates=candidates)
    lists = store.search(query, ways=WAYS, filters=filters, top_k=max(candidates, top_k))
    fused = fusion.fuse(lists)
    found = {**lists, FUSED: fused}
    if reranker and fused:
        given = fused[:candidates]
        found[RERANKED] = rerank_given(reranker, query, given, top_n=len(given))
    rankings = tuple(Ranking(name, tuple(items)) for name, items in found.items())
    letters = name_chunks([[e.chunk.chunk_id for e in ranking.items[:top_k]] for ranking in rankings])
    gold, notes = ((), ()) if isinstance(question, str) else place_gold(question, store, rankings, filters)
    return RetrievalInspection(
        query=query,
        rankings=rankings,
        fusion=fusion,
        top_k=top_k,
        candidates=candidates,
        gold=gold,
        notes=notes,
        letters=letters,
        parts=fused_parts(fusion, lists, letters),
        terms={name: tuple(store.bm25.explain(query, name, filters=filters)) for name in letters},
        planned=pipeline_notes(query),
        as_of=filters.as_of,
        analyser=store.analyser,
    )


def pipeline_notes(query: str) -> tuple[str, ...]:
    """Say what the hybrid pipeline would do with a question besides fusing two lists; this view does none of it.

    >>> pipeline_notes("What does SP-120 cost?")
    ('The hybrid pipeline would give bm25 twice its weight, for the question names SP-120; this view does not.',)
    """
    plan = make_plan(query)
    if plan.route == "no_retrieval":
        return ("The hybrid pipeline would not search here: the question needs no document.",)
    notes = []
    if plan.keyword_terms:
        times = "twice" if CODE_WEIGHT == 2 else f"{CODE_WEIGHT:g} times"
        named = ", ".join(plan.keyword_terms)
        notes.append(
            f"The hybrid pipeline would give bm25 {times} its weight, for the question names {named}; "
            "this view does not."
        )
    if len(plan.queries) > 1:
        parts = " and for ".join(f"“{part}”" for part in plan.queries)
        notes.append(f"The hybrid pipeline would search for {parts} as well; this view does not.")
    return tuple(notes)


def name_chunks(columns: Iterable[Sequence[str]]) -> dict[str, str]:
    """Give each chunk a letter, column by column from the top, so that the first lists' letters stay.

    >>> name_chunks([["x", "y"], ["y", "z"]])
    {'x': 'A', 'y': 'B', 'z': 'C'}
    """
    ids = dict.fromkeys(chunk_id for column in columns for chunk_id in column)
    return {chunk_id: letter(at) for at, chunk_id in enumerate(ids)}


def letter(number: int) -> str:
    """Write a number from 0 in letters.

    >>> letter(0), letter(25), letter(26), letter(701), letter(702)
    ('A', 'Z', 'AA', 'ZZ', 'AAA')
    """
    before, last = divmod(number, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + last)


def fused_parts(
    fusion: Fusion, lists: Mapping[str, Sequence[Evidence]], chunk_ids: Iterable[str]
) -> dict[str, tuple[Part, ...]]:
    """Return what each list adds to the fused score of some chunks.

    >>> from rag_kit.testing import make_evidence
    >>> lists = {"dense": make_evidence("Five.", "Six.")}
    >>> parts = fused_parts(Fusion(k=1), lists, [lists["dense"][1].chunk.chunk_id])
    >>> [round(part.value, 4) for [part] in parts.values()]
    [0.3333]
    """
    places = {name: Ranking(name, tuple(items)) for name, items in lists.items()}
    alone: dict[str, dict[str, float]] = {}
    for name in lists:
        # The fusion's own arithmetic, with all lists but one put off: by rank or by score alike.
        single = replace(fusion, weights={other: float(other == name) for other in lists})
        alone[name] = {item.chunk.chunk_id: item.score for item in single.fuse(lists)}
    return {
        chunk_id: tuple(
            Part(
                name,
                places[name].place_of([chunk_id]),
                fusion.weights.get(name, 1.0),
                alone[name].get(chunk_id, 0.0),
            )
            for name in lists
        )
        for chunk_id in chunk_ids
    }


def find_trails(columns: Sequence[Sequence[str]], shown: int, gold: Container[str]) -> list[Link]:
    """Join rows shown with places below them, where a list is made of those before it: the third and later.

    A chunk that such a list shows, and none before it does, came up from below; gold that one before it
    shows, and neither it nor a later one does, has gone down there.

    >>> find_trails([["x", "y"], ["z", "y"], ["y", "x"]], 1, {"x"})
    [Link(chunk_id='y', start=(1, None), end=(2, 0)), Link(chunk_id='x', start=(0, 0), end=(2, None))]
    """
    trails: list[Link] = []
    last: dict[str, tuple[int, int]] = {}
    for at, column in enumerate(columns):
        for row, chunk_id in enumerate(column):
            if row < shown:
                if at >= 2 and chunk_id not in last:
                    trails.append(Link(chunk_id, (at - 1, None), (at, row)))
                last[chunk_id] = (at, row)
                continue
            stays_below = not any(chunk_id in later[:shown] for later in columns[at + 1 :])
            if at >= 2 and stays_below and chunk_id in gold and chunk_id in last:
                trails.append(Link(chunk_id, last.pop(chunk_id), (at, None)))
    return trails


def find_links(columns: Sequence[Sequence[str]]) -> list[Link]:
    """Join each chunk's rows from one column to the next that shows it.

    >>> find_links([["x", "y"], ["z"], ["x"]])
    [Link(chunk_id='x', start=(0, 0), end=(2, 0))]
    """
    links: list[Link] = []
    last: dict[str, tuple[int, int]] = {}
    for at, column in enumerate(columns):
        for row, chunk_id in enumerate(column):
            if chunk_id in last:
                links.append(Link(chunk_id, last[chunk_id], (at, row)))
            last[chunk_id] = (at, row)
    return links
