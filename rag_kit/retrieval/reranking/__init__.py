"""Reranking: candidates that were found widely, put into a better order by looking at each of them closely."""

from rag_kit.retrieval.reranking.best_sentence import BestSentenceReranker
from rag_kit.retrieval.reranking.order import reorder
from rag_kit.retrieval.reranking.reranked import RerankingRetriever, fold_copies

__all__ = ["BestSentenceReranker", "RerankingRetriever", "fold_copies", "reorder"]
