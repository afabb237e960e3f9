"""Retrieval: a question to the chunks that may answer it."""

from rag_kit.retrieval.analyser import Analyser
from rag_kit.retrieval.bm25 import BM25Retriever, TermShare
from rag_kit.retrieval.dense import DenseRetriever, cosine_similarity
from rag_kit.retrieval.expansion import ParentRetriever, expand_to_parents
from rag_kit.retrieval.fusion import Fusion, fuse_scores, reciprocal_rank_fusion, rrf_scores
from rag_kit.retrieval.hybrid import HybridRetriever
from rag_kit.retrieval.memory import MemoryStore
from rag_kit.retrieval.planning import PlannedRetriever, RetrievalPlan, make_plan

__all__ = [
    "Analyser",
    "BM25Retriever",
    "DenseRetriever",
    "Fusion",
    "HybridRetriever",
    "MemoryStore",
    "ParentRetriever",
    "PlannedRetriever",
    "RetrievalPlan",
    "TermShare",
    "cosine_similarity",
    "expand_to_parents",
    "fuse_scores",
    "make_plan",
    "reciprocal_rank_fusion",
    "rrf_scores",
]
