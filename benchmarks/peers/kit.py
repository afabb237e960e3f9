"""The kit: HybridRetriever over records with tags and metadata, filters before anything is scored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from benchmarks.passages import Passages
from benchmarks.peers import CANDIDATES, TOP_K, Search
from benchmarks.texts import chunks_of
from rag_kit.access import Filters
from rag_kit.protocols import Vectors
from rag_kit.retrieval import BM25Retriever, DenseRetriever, HybridRetriever

STAFF = Filters.for_tags(["staff"], as_of=date(2026, 6, 1), where=["region=EU"])


class Given:
    """The questions' vectors."""

    name = "given"

    def __init__(self, vector_of: dict[str, Vectors]) -> None:
        self.vector_of = vector_of

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row a question."""
        return np.stack([self.vector_of[text] for text in texts])


def build_filtered(passages: Passages) -> Search:
    """Index, and search as someone who has one tag and asks about one region: they see every sixth chunk."""
    return _search(passages, STAFF)


def build_owner(passages: Passages) -> Search:
    """Index, and search as the owner of all."""
    return _search(passages, Filters.owner(as_of=STAFF.as_of))
