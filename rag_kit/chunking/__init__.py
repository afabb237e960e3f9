"""Chunking: documents to the pieces that are embedded, retrieved and cited."""

from rag_kit.chunking.diagnostics import Finding, diagnose
from rag_kit.chunking.fixed import chunk_fixed, windows
from rag_kit.chunking.structure import chunk_structure, structure_sizes

__all__ = ["Finding", "chunk_fixed", "chunk_structure", "diagnose", "structure_sizes", "windows"]
