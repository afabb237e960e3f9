"""Indexing: chunks to vectors, each text embedded once and remembered."""

from rag_kit.indexing.cache import VectorCache
from rag_kit.indexing.embedding import ClientEmbedder, embed_chunks

__all__ = ["ClientEmbedder", "VectorCache", "embed_chunks"]
