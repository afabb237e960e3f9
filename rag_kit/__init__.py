"""rag_kit: grounded retrieval-augmented generation, taught by building it.

The pipeline, a folder a stage:

    parsing      files        -> Document, ParsedBlock     every span slices back to its text
    chunking     documents    -> Chunk                     stable ids, sized in the embedder's tokens
    indexing     chunks       -> vectors                   each text embedded once
    retrieval    a question   -> Evidence                  filters before scores; meaning, words, fusion, rerank
    generation   evidence     -> Answer or Refusal         labels checked before anything is shown

``llm`` is the seam to the model, ``operations`` puts the stages together, ``evaluation`` measures them,
``teaching`` holds what the notebooks show, ``cli`` is the command line. Records are in ``types``, errors in
``errors``.
"""

import os

# From 1.32 on, onnxruntime looks its maker's server up as it is imported and reports the use of it there,
# unless it finds this; before its import, so before everything that may import it.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

from rag_kit.access import Filters
from rag_kit.chunking import chunk_fixed
from rag_kit.errors import (
    BudgetTooSmall,
    EmptyCorpus,
    InvalidValue,
    MissingModel,
    RagKitError,
    UnreadableDocument,
)
from rag_kit.generation import SYSTEM_MESSAGE, ask, assemble_context
from rag_kit.labels import find_labels
from rag_kit.llm import connect
from rag_kit.operations import Library, open_library
from rag_kit.parsing import parse
from rag_kit.refusals import REFUSAL, detect_refusal
from rag_kit.retrieval import (
    BM25Retriever,
    DenseRetriever,
    HybridRetriever,
    cosine_similarity,
    reciprocal_rank_fusion,
)
from rag_kit.settings import Settings, load_settings
from rag_kit.tokens import count_tokens
from rag_kit.types import Answer, Chunk, Citation, Document, Evidence

__version__ = "0.1.0"

__all__ = [
    "REFUSAL",
    "SYSTEM_MESSAGE",
    "Answer",
    "BM25Retriever",
    "BudgetTooSmall",
    "Chunk",
    "Citation",
    "DenseRetriever",
    "Document",
    "EmptyCorpus",
    "Evidence",
    "Filters",
    "HybridRetriever",
    "InvalidValue",
    "Library",
    "MissingModel",
    "RagKitError",
    "Settings",
    "UnreadableDocument",
    "ask",
    "assemble_context",
    "chunk_fixed",
    "connect",
    "cosine_similarity",
    "count_tokens",
    "detect_refusal",
    "find_labels",
    "load_settings",
    "open_library",
    "parse",
    "reciprocal_rank_fusion",
]
