"""The store in memory: chunks, their vectors and an inverted index, searched by meaning or by words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Embedder, Owners, Vectors
from rag_kit.retrieval.analyser import Analyser
from rag_kit.retrieval.bm25 import BM25Retriever
from rag_kit.retrieval.dense import DenseRetriever
from rag_kit.retrieval.selection import best_rows, rounded
from rag_kit.types import Chunk, Evidence

Scores = Callable[[str, Filters], NDArray[np.float64]]
Embed = Callable[[], tuple[Vectors, Owners]]


class MemoryStore:
    """Keeps everything in memory; a hundred thousand chunks are no trouble. The words are indexed on first use.

    ``vectors`` may be what makes them, with their owners: nothing is embedded as long as only words are
    searched for. ``owners`` are as :class:`DenseRetriever` has them. With ``contextual=False`` lexical search
    reads no titles and headings.
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
        if callable(vectors):
            self._chunks: Sequence[Chunk] = tuple(chunks)
            self._embed = vectors
        else:
            self._renew(DenseRetriever(chunks, vectors, embedder, owners=owners))
        self.analyser = analyser or Analyser()
        self.contextual = contextual

    @cached_property
    def dense(self) -> DenseRetriever:
        """Search by meaning over the chunks."""
        vectors, owners = self._embed()
        return DenseRetriever(self._chunks, vectors, self.embedder, owners=owners)

    @cached_property
    def bm25(self) -> BM25Retriever:
        """Lexical search over the same chunks."""
        return BM25Retriever(self.chunks, self.analyser, contextual=self.contextual)

    @property
    def chunks(self) -> Sequence[Chunk]:
        """The chunks, in the order of their rows."""
        return self._chunks

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
        known: Mapping[str, Callable[[], Scores]] = {
            "dense": lambda: self.dense.scores,
            "bm25": lambda: self.bm25.scores,
        }
        for way in ways:
            if way not in known:
                raise InvalidValue.unknown("way of searching", way, known)
        scores = {way: known[way]()(query, filters) for way in ways}
        return {way: self._ranked(way, scores, top_k) for way in scores}

    def upsert(self, chunks: Sequence[Chunk], vectors: Vectors, *, owners: Owners | None = None) -> None:
        """Add chunks with their vectors; one whose id is there already takes the old one's place.

        Raises InvalidValue for an id that is given twice, and for vectors of another length.
        """
        new = DenseRetriever(chunks, vectors, self.embedder, owners=owners)
        ids = {chunk.chunk_id for chunk in chunks}
        if len(ids) < len(chunks):
            raise InvalidValue("a chunk id stands twice among the chunks to add: give each chunk once")
        if len(self.chunks) and len(chunks) and new.vectors.shape[1] != self.vectors.shape[1]:
            raise InvalidValue(
                f"the vectors have {new.vectors.shape[1]} numbers, those in the store {self.vectors.shape[1]}: "
                "take the same embedder"
            )
        keep = [row for row, chunk in enumerate(self.chunks) if chunk.chunk_id not in ids]
        old = self.dense.keeping(keep, [self.chunks[row] for row in keep])
        both = np.concatenate([old.vectors, new.vectors]) if len(old.chunks) else new.vectors
        of = np.concatenate([old.owners, new.owners + len(old.chunks)]).astype(np.int32)
        self._renew(DenseRetriever([*old.chunks, *chunks], both, self.embedder, owners=of))

    def supersede(self, document_id: str, at: date) -> int:
        """End a document on a day, and return how many chunks that is; they stay, to be asked for."""
        ended = [
            replace(chunk, superseded_at=at) if chunk.document_id == document_id else chunk
            for chunk in self.chunks
        ]
        if self._is_embedded:
            self._renew(self.dense.keeping(range(len(ended)), ended))
        else:
            self._chunks = tuple(ended)
            self.__dict__.pop("bm25", None)
        return sum(chunk.document_id == document_id for chunk in ended)

    def keeping(self, places: Sequence[int], chunks: Sequence[Chunk]) -> MemoryStore:
        """Return a store of the chunks at these places alone, in their order, written as ``chunks``."""
        if self._is_embedded:
            dense = self.dense.keeping(places, chunks)
            vectors: Vectors | Embed = dense.vectors
            owners: Owners | None = dense.owners
        else:
            vectors, owners = partial(self._embed_kept, self._chunks, places), None
        return MemoryStore(
            chunks,
            vectors,
            self.embedder,
            owners=owners,
            analyser=self.analyser,
            contextual=self.contextual,
        )

    def _embed_kept(self, chunks: Sequence[Chunk], places: Sequence[int]) -> tuple[Vectors, Owners]:
        """Embed the chunks as they were, and keep some: the store may have changed since."""
        vectors, owners = self._embed()
        every = DenseRetriever(chunks, vectors, self.embedder, owners=owners)
        kept = every.keeping(places, [chunks[at] for at in places])
        return kept.vectors, kept.owners

    @property
    def _is_embedded(self) -> bool:
        return "dense" in self.__dict__

    def _renew(self, dense: DenseRetriever) -> None:
        self.dense = dense
        self._chunks = dense.chunks
        self.__dict__.pop("bm25", None)

    def _ranked(self, way: str, scores: Mapping[str, NDArray[np.float64]], top_k: int) -> list[Evidence]:
        rows = best_rows(scores[way], self.chunks, top_k)
        columns = {name: rounded(held[rows]).tolist() for name, held in scores.items()}
        found = []
        for rank, row in enumerate(rows, start=1):
            own = {name: column[rank - 1] for name, column in columns.items()}
            if own.get("bm25") == -np.inf:
                own["bm25"] = 0.0  # it holds none of the words
            if own.get("dense") == -np.inf:
                del own["dense"]  # it has no direction
            found.append(Evidence(self.chunks[row], rank, own[way], own.get("dense"), {way: rank}, own))
        return found
