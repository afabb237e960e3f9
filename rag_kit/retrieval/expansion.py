"""Parent expansion: retrieve small chunks, hand over the sections they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.protocols import Retriever
from rag_kit.types import Chunk, Evidence

OVERFETCH = 4
"""Small chunks retrieved for each parent that is asked for: several of them may stand in one."""


def expand_to_parents(evidence: Iterable[Evidence], parents: Mapping[str, Chunk]) -> list[Evidence]:
    """Put each chunk's parent in its place, each parent once, in the order of its best chunk.

    Score, similarity and the retrievers' ranks are those of the best chunk; ranks are counted anew. A chunk
    without a parent, or whose parent is not there, stays.

    >>> from rag_kit.testing import make_chunk, make_evidence
    >>> section = make_chunk("One. Two. Three.")
    >>> small = [make_chunk(text, parent_id=section.chunk_id) for text in ("Two.", "One.")]
    >>> found = expand_to_parents(make_evidence(*small, "Other."), {section.chunk_id: section})
    >>> [(item.rank, item.chunk.text, round(item.score, 2)) for item in found]
    [(1, 'One. Two. Three.', 1.0), (2, 'Other.', 0.33)]
    """
    found: dict[str, Evidence] = {}
    for item in evidence:
        chunk = parents.get(item.chunk.parent_id or "", item.chunk)
        if chunk.chunk_id not in found:
            found[chunk.chunk_id] = replace(item, chunk=chunk, rank=len(found) + 1)
    return list(found.values())


class ParentRetriever:
    """Searches the small chunks of another retriever and gives their parents."""

    def __init__(self, retriever: Retriever, parents: Mapping[str, Chunk]) -> None:
        self.retriever = retriever
        self.parents = parents

    def search(self, query: str, *, filters: Filters, top_k: int) -> list[Evidence]:
        """Return at most ``top_k`` parents, best first, of the ``4 * top_k`` chunks that are closest."""
        check_count("top_k", top_k)
        small = self.retriever.search(query, filters=filters, top_k=OVERFETCH * top_k)
        return expand_to_parents(small, self.parents)[:top_k]
