"""Retrieval: a question to the chunks that may answer it."""

from rag_kit.retrieval.dense import DenseRetriever, cosine_similarity

__all__ = ["DenseRetriever", "cosine_similarity"]
