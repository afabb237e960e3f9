"""The store in memory: chunks, their vectors and an inverted index, searched by meaning or by words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Embedder, Owners, Vectors
from rag_kit.retrieval.analyser import Analyser
from rag_kit.retrieval.bm25 import BM25Retriever
from rag_kit.retrieval.dense import DenseRetriever
from rag_kit.retrieval.once import Once
from rag_kit.retrieval.selection import best_rows, rounded
from rag_kit.types import Chunk, Evidence

Scores = Callable[[str, Filters], NDArray[np.float64]]
Embedded = tuple[Vectors, Owners]
Embed = Callable[[], Embedded]


@dataclass(frozen=True, slots=True)
class _Rows:
    """What a store holds at one moment; it never changes, so that a search that has it sees one state only."""

    chunks: Sequence[Chunk]
    embedded: Once[Embedded]
    dense: Once[DenseRetriever]
    bm25: Once[BM25Retriever]

    def keeping(self, places: Sequence[int]) -> Embedded:
        """Return the vectors of the chunks at these places alone, and their owners."""
        kept = self.dense.get().keeping(places, [self.chunks[at] for at in places])
        return kept.vectors, kept.owners


SCORED_BY: Mapping[str, Callable[[_Rows], Scores]] = {
    "dense": lambda rows: rows.dense.get().scores,
    "bm25": lambda rows: rows.bm25.get().scores,
}


class MemoryStore:
    """Keeps everything in memory; a hundred thousand chunks are no trouble. The words are indexed on first use.

    ``vectors`` may be what makes them, with their owners: nothing is embedded as long as only words are
    searched for. ``owners`` are as :class:`DenseRetriever` has them. With ``contextual=False`` lexical search
    reads no titles and headings. Threads may share a store: a search sees it as it was when the search began.
    """

    def __init__(
        self,
        chunks: Sequence[Chunk],
        vectors: Vectors | Embed,
        embedder: Embedder,
        *,
        owners: Owners | None = None,
        analyser: Analyser | None = None,
        contextual: bool = True,
    ) -> None:
        self.embedder = embedder
        self.analyser = analyser or Analyser()
        self.contextual = contextual
        self._writing = Lock()
        if callable(vectors):
            self._rows = self._rows_of(chunks, Once(vectors))
        else:
            self._rows = self._rows_in(DenseRetriever(chunks, vectors, embedder, owners=owners))

    @property
    def dense(self) -> DenseRetriever:
        """Search by meaning over the chunks."""
        return self._rows.dense.get()

    @property
    def bm25(self) -> BM25Retriever:
        """Lexical search over the same chunks."""
        return self._rows.bm25.get()

    @property
    def chunks(self) -> Sequence[Chunk]:
        """The chunks, in the order of their rows."""
        return self._rows.chunks

    @property
    def vectors(self) -> Vectors:
        """The vectors; ``owners`` says of which chunk each is."""
        return self.dense.vectors

    @property
    def owners(self) -> Owners:
        """The place of its chunk for each vector."""
        return self.dense.owners

    def search(
        self, query: str, *, ways: Sequence[str], filters: Filters, top_k: int
    ) -> dict[str, list[Evidence]]:
        """Return, for each way of searching, its best chunks; each knows its score in every way asked for.

        The ways are ``dense`` and ``bm25``. Raises InvalidValue for another one, and for top_k below 1.
        """
        check_count("top_k", top_k)
        for way in ways:
            if way not in SCORED_BY:
                raise InvalidValue.unknown("way of searching", way, SCORED_BY)
        rows = self._rows
        scores = {way: SCORED_BY[way](rows)(query, filters) for way in ways}
        return {way: _ranked(rows.chunks, way, scores, top_k) for way in scores}

    def upsert(self, chunks: Sequence[Chunk], vectors: Vectors, *, owners: Owners | None = None) -> None:
        """Add chunks with their vectors; one whose id is there already takes the old one's place.

        Raises InvalidValue for an id that is given twice, and for vectors of another length.
        """
        new = DenseRetriever(chunks, vectors, self.embedder, owners=owners)
        ids = {chunk.chunk_id for chunk in chunks}
        if len(ids) < len(chunks):
            raise InvalidValue("a chunk id stands twice among the chunks to add: give each chunk once")
        if not chunks:
            return
        # What is embedded only now takes long, and other writers need not wait for it.
        self._rows.embedded.get()
        with self._writing:
            held = self._rows.dense.get()
            if len(held.chunks) and new.vectors.shape[1] != held.vectors.shape[1]:
                raise InvalidValue(
                    f"the vectors have {new.vectors.shape[1]} numbers, those in the store "
                    f"{held.vectors.shape[1]}: take the same embedder"
                )
            keep = [row for row, chunk in enumerate(held.chunks) if chunk.chunk_id not in ids]
            old = held.keeping(keep, [held.chunks[row] for row in keep])
            both = np.concatenate([old.vectors, new.vectors]) if len(old.chunks) else new.vectors
            of = np.concatenate([old.owners, new.owners + len(old.chunks)]).astype(np.int32)
            every = DenseRetriever([*old.chunks, *new.chunks], both, self.embedder, owners=of)
            self._rows = self._rows_in(every)

    def supersede(self, document_id: str, at: date) -> int:
        """End a document on a day, and return how many chunks that is; they stay, to be asked for."""
        with self._writing:
            rows = self._rows
            ended = [
                replace(chunk, superseded_at=at) if chunk.document_id == document_id else chunk
                for chunk in rows.chunks
            ]
            self._rows = self._rows_of(ended, rows.embedded)
        return sum(chunk.document_id == document_id for chunk in ended)

    def keeping(self, places: Sequence[int], chunks: Sequence[Chunk]) -> MemoryStore:
        """Return a store of the chunks at these places alone, in their order, written as ``chunks``."""
        rows = self._rows
        vectors: Vectors | Embed = partial(rows.keeping, places)
        owners: Owners | None = None
        if rows.embedded.is_made:
            vectors, owners = rows.keeping(places)
        return MemoryStore(
            chunks,
            vectors,
            self.embedder,
            owners=owners,
            analyser=self.analyser,
            contextual=self.contextual,
        )

    def _rows_of(self, chunks: Sequence[Chunk], embedded: Once[Embedded]) -> _Rows:
        """Hold chunks with vectors that may still have to be made."""
        held = tuple(chunks)

        def dense() -> DenseRetriever:
            vectors, owners = embedded.get()
            return DenseRetriever(held, vectors, self.embedder, owners=owners)

        return _Rows(held, embedded, Once(dense), self._words_of(held))

    def _rows_in(self, dense: DenseRetriever) -> _Rows:
        """Hold the chunks of a retriever with their vectors."""
        held = tuple(dense.chunks)
        return _Rows(held, Once.of((dense.vectors, dense.owners)), Once.of(dense), self._words_of(held))

    def _words_of(self, chunks: Sequence[Chunk]) -> Once[BM25Retriever]:
        return Once(lambda: BM25Retriever(chunks, self.analyser, contextual=self.contextual))


def _ranked(
    chunks: Sequence[Chunk], way: str, scores: Mapping[str, NDArray[np.float64]], top_k: int
) -> list[Evidence]:
    rows = best_rows(scores[way], chunks, top_k)
    columns = {name: rounded(held[rows]).tolist() for name, held in scores.items()}
    found = []
    for rank, row in enumerate(rows, start=1):
        own = {name: column[rank - 1] for name, column in columns.items()}
        if own.get("bm25") == -np.inf:
            own["bm25"] = 0.0  # it holds none of the words
        if own.get("dense") == -np.inf:
            del own["dense"]  # it has no direction
        found.append(Evidence(chunks[row], rank, own[way], own.get("dense"), {way: rank}, own))
    return found
