"""Chunking: documents to the pieces that are embedded, retrieved and cited."""

from rag_kit.chunking.fixed import chunk_fixed, windows

__all__ = ["chunk_fixed", "windows"]
