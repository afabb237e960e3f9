"""What the kit's hybrid search is measured against, a file each, all with the same task.

``build(passages)`` indexes texts and vectors that are already there, and returns a function from a question to
the places of its best passages: the lexical list and the dense list, ``CANDIDATES`` long each, fused by
reciprocal rank (k = 60) into ``TOP_K``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

CANDIDATES = 50
TOP_K = 10
Search: TypeAlias = Callable[[str], list[int]]


@dataclass(frozen=True, slots=True)
class Peer:
    """How a system is called in the table, and the packages whose versions belong to its figures."""

    title: str
    packages: tuple[str, ...]
    module: str
    build: str = "build"


PEERS = {
    "floor": Peer("bm25s + numpy product + RRF", ("bm25s", "numpy"), "floor"),
    "kit": Peer("rag_kit, filters on", ("numpy", "PyStemmer"), "kit", "build_filtered"),
    "kit-owner": Peer("rag_kit, everything visible", ("numpy", "PyStemmer"), "kit", "build_owner"),
    "langchain": Peer(
        "LangChain EnsembleRetriever",
        ("langchain-core", "langchain-classic", "langchain-community", "rank-bm25"),
        "langchain",
    ),
    "llamaindex": Peer(
        "LlamaIndex QueryFusionRetriever",
        ("llama-index-core", "llama-index-retrievers-bm25", "bm25s"),
        "llamaindex",
    ),
    "haystack": Peer("Haystack in memory, DocumentJoiner", ("haystack-ai",), "haystack"),
}
