"""Where the gold of a question stands in ranked lists, as far as whoever looks may see it.

Of evidence that the filters hide there is one line that says so, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rag_kit.access import Filters
from rag_kit.evaluation.questions import Question
from rag_kit.evaluation.relevance import holds
from rag_kit.retrieval import MemoryStore
from rag_kit.retrieval.hybrid import WAYS
from rag_kit.types import Chunk, Evidence

UNSEEN = {
    "access": "the evidence is hidden from these tags",
    "superseded": "the evidence is superseded, and left out",
    "not yet in force": "the evidence is not in force yet, and left out",
    "where": "the evidence does not meet the conditions, and is left out",
}
ABSENT = "the evidence is in no document of this library"
CUT = "no chunk holds half of the evidence"
NO_GOLD = {"refuse": "none; the right answer is a refusal", "answer": "none is named"}


@dataclass(frozen=True, slots=True)
class Ranking:
    """A column: the name of a way to search, and all that it found, best first."""

    name: str
    items: tuple[Evidence, ...]

    def place_of(self, chunk_ids: Iterable[str]) -> int | None:
        """Return the place, from 1, of the first of these chunks, or None where none is in the list."""
        wanted = frozenset(chunk_ids)
        return next((at for at, item in enumerate(self.items, 1) if item.chunk.chunk_id in wanted), None)


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """A piece of gold that may be seen: the chunks that hold it, and its best place in each list.

    By meaning and by words the place counts on beyond the candidates; the other lists end with them.
    """

    number: int
    chunk_ids: frozenset[str]
    places: Mapping[str, int | None]


def place_gold(
    question: Question, store: MemoryStore, rankings: Sequence[Ranking], filters: Filters
) -> tuple[tuple[GoldPlace, ...], tuple[str, ...]]:
    """Return where the gold stands in each list, and a note where there is some that cannot be shown."""
    wanted = list(dict.fromkeys(question.evidence))
    own = {
        name: [c for c in store.chunks if c.document_id == name] for name in {g.document_id for g in wanted}
    }
    places: list[GoldPlace] = []
    notes: list[str] = [] if wanted else [NO_GOLD[question.expected]]
    for gold in wanted:
        held = [chunk for chunk in own[gold.document_id] if holds(chunk, gold)]
        if seen := frozenset(chunk.chunk_id for chunk in held if filters.admits(chunk)):
            where = {ranking.name: ranking.place_of(seen) for ranking in rankings}
            for name in WAYS:
                where[name] = where[name] or place_beyond(store, name, question.question, filters, seen)
            places.append(GoldPlace(len(places) + 1, seen, where))
        else:
            notes.append(_why_unseen(held or own[gold.document_id], filters))
    return tuple(places), tuple(dict.fromkeys(notes))


def _why_unseen(chunks: Sequence[Chunk], filters: Filters) -> str:
    """Say why no gold is shown of some chunks: those that hold it, else all of its document."""
    if not chunks:
        return ABSENT
    hidden = filters.hides(chunks[0])
    return UNSEEN[hidden] if hidden else CUT


def place_beyond(
    store: MemoryStore, way: str, query: str, filters: Filters, chunk_ids: Iterable[str]
) -> int | None:
    """Return the best place of some chunks among all that a way of searching finds, however far down."""
    searcher = store.dense if way == "dense" else store.bm25
    scores = searcher.scores(query, filters)
    wanted = frozenset(chunk_ids)
    found = [
        row for row, chunk in enumerate(store.chunks) if chunk.chunk_id in wanted and scores[row] > -np.inf
    ]
    if not found:
        return None
    best = min(found, key=lambda row: (-scores[row], store.chunks[row].chunk_id))
    tied = [store.chunks[row].chunk_id for row in np.flatnonzero(scores == scores[best]).tolist()]
    return int((scores > scores[best]).sum()) + sorted(tied).index(store.chunks[best].chunk_id) + 1
