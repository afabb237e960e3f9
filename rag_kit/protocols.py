"""What the stages ask of each other: anything with these methods will do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import Filters
from rag_kit.types import Chunk, Evidence, Span

Vectors = NDArray[np.float32]
"""One row a text, one column a dimension."""
Owners = NDArray[np.int32]
"""For each row of some vectors, the place of the chunk that it is of."""


class Tokenizer(Protocol):
    """Token counts as the embedding model reads a text."""

    max_tokens: int
    special_tokens: int

    def count(self, text: str) -> int:
        """Count a text's tokens, special tokens left out."""

    def word_spans(self, text: str) -> list[tuple[Span, int]]:
        """Return the runs of text that are not cut, each with its token count, in order."""


class Embedder(Protocol):
    """Texts to vectors of length 1. ``name`` tells one embedder's vectors from another's."""

    name: str

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, in order."""


class Retriever(Protocol):
    """Finds the chunks that may answer a question."""

    def search(self, query: str, *, filters: Filters, top_k: int) -> list[Evidence]:
        """Return at most ``top_k`` pieces of evidence, best first, among those that the filters admit."""


class Store(Protocol):
    """Keeps chunks with their vectors and searches them: in memory, or in an engine that takes over."""

    @property
    def chunks(self) -> Sequence[Chunk]:
        """The chunks, in the order of their rows."""

    @property
    def vectors(self) -> Vectors:
        """Their vectors; a chunk may have several."""

    @property
    def owners(self) -> Owners:
        """For each vector, the place of its chunk."""

    def search(
        self, query: str, *, ways: Sequence[str], filters: Filters, top_k: int
    ) -> dict[str, list[Evidence]]:
        """Return, for each way of searching (``dense``, ``bm25``), its best chunks that the filters admit."""

    def upsert(self, chunks: Sequence[Chunk], vectors: Vectors, *, owners: Owners | None = None) -> None:
        """Add chunks with their vectors; one whose id is there already takes the old one's place."""

    def supersede(self, document_id: str, at: date) -> int:
        """End a document on a day, and return how many chunks that is."""


class Reranker(Protocol):
    """Puts candidates into a better order, looking at each of them closely. ``name`` tells two apart."""

    name: str

    def rerank(self, query: str, candidates: Sequence[Evidence], *, top_n: int) -> list[Evidence]:
        """Return at most ``top_n`` of the candidates, best first, ranked from 1 and scored anew.

        All else of a candidate stays: its similarity, and where each retriever had put it.
        """
