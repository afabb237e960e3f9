"""Chunking: documents to the pieces that are embedded, retrieved and cited."""

from rag_kit.chunking.diagnostics import Finding, diagnose
from rag_kit.chunking.fixed import chunk_fixed, windows
from rag_kit.chunking.parent import ParentChunks, chunk_parent, parents_of, with_parents
from rag_kit.chunking.semantic import chunk_semantic
from rag_kit.chunking.strategies import DEFAULT_STRATEGY, STRATEGIES, Strategy, chunk, strategy_of
from rag_kit.chunking.structure import chunk_structure

__all__ = [
    "DEFAULT_STRATEGY",
    "STRATEGIES",
    "Finding",
    "ParentChunks",
    "Strategy",
    "chunk",
    "chunk_fixed",
    "chunk_parent",
    "chunk_semantic",
    "chunk_structure",
    "diagnose",
    "parents_of",
    "strategy_of",
    "windows",
    "with_parents",
]
