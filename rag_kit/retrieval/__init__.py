"""Retrieval: a question to the chunks that may answer it."""

from rag_kit.retrieval.dense import DenseRetriever, cosine_similarity
from rag_kit.retrieval.expansion import ParentRetriever, expand_to_parents

__all__ = ["DenseRetriever", "ParentRetriever", "cosine_similarity", "expand_to_parents"]
