"""Reranking: candidates that were found widely, put into a better order by looking at each of them closely."""

from rag_kit.retrieval.reranking.best_sentence import BestSentenceReranker
from rag_kit.retrieval.reranking.cross_encoder import CrossEncoderReranker, PairScorer
from rag_kit.retrieval.reranking.llm import LLMReranker
from rag_kit.retrieval.reranking.order import reorder
from rag_kit.retrieval.reranking.reranked import RerankingRetriever, fold_copies
from rag_kit.retrieval.reranking.weighted import WeightedReranker

__all__ = [
    "BestSentenceReranker",
    "CrossEncoderReranker",
    "LLMReranker",
    "PairScorer",
    "RerankingRetriever",
    "WeightedReranker",
    "fold_copies",
    "reorder",
]
