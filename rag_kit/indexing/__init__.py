"""Indexing: chunks to vectors, each text embedded once and remembered."""

from rag_kit.indexing.cache import VectorCache
from rag_kit.indexing.embedding import ClientEmbedder, embed_chunks, embed_with_rows
from rag_kit.indexing.saved import SavedIndex, load_index, save_index

__all__ = [
    "ClientEmbedder",
    "SavedIndex",
    "VectorCache",
    "embed_chunks",
    "embed_with_rows",
    "load_index",
    "save_index",
]
