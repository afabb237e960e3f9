"""What a reranker has to read for a question: counted with stand-ins, so that no model is needed.

The stand-ins give every text the same score. They stand where an embedder, a cross-encoder and a language
model would, and only count what these are given.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_kit.errors import InvalidValue
from rag_kit.protocols import Reranker
from rag_kit.retrieval.reranking import CrossEncoderReranker, LLMReranker, WeightedReranker
from rag_kit.testing import ScriptedTransport
from rag_kit.tokens import count_messages, count_tokens
from rag_kit.types import Evidence

UNITS = {"signs": "sentences embedded", "cross-encoder": "pairs read", "language model": "calls"}
"""The kinds of reranker, and what each is paid by."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one question cost: so many sentences, pairs or calls, and cl100k tokens in all of them."""

    count: int
    tokens: int


def measure_reading(
    kind: str, questions: Sequence[str], candidates: Sequence[Evidence], *, model: str = "gpt-4o-mini"
) -> list[Reading]:
    """Return what a fresh reranker of a kind reads for each question in turn, with the same candidates.

    The question itself is one of the texts that are embedded; a pair is the question and a passage. Raises
    InvalidValue for a kind there is not.

    >>> from rag_kit.testing import make_evidence
    >>> passages = make_evidence("The fee is 5.", "Pay in May. Or in June.")
    >>> [cost.count for cost in measure_reading("signs", ["What fee?", "When?"], passages)]
    [4, 1]
    >>> [cost.count for cost in measure_reading("cross-encoder", ["What fee?", "When?"], passages)]
    [2, 2]
    """
    if kind not in UNITS:
        raise InvalidValue.unknown("kind of reranker", kind, UNITS)
    counter = _Counter()
    reranker = _reranker(kind, counter, model)
    costs = []
    for question in questions:
        counter.count, counter.tokens = 0, 0
        asked = len(counter.server.requests)
        reranker.rerank(question, candidates, top_n=1)
        calls = counter.server.requests[asked:]
        sent = sum(count_messages(call["messages"], model) for call in calls)
        costs.append(Reading(counter.count + len(calls), counter.tokens + sent))
    return costs


class _Counter:
    """Stands in for an embedder, a cross-encoder and a chat server."""

    name = "counting"

    def __init__(self) -> None:
        self.count, self.tokens = 0, 0
        grade = json.dumps({"notes": [{"label": 1, "relevance": 5}]})
        self.server = ScriptedTransport(grade, for_ever=True)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.count += len(texts)
        self.tokens += sum(map(count_tokens, texts))
        return np.ones((len(texts), 1), dtype=np.float32)

    def predict(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.count += len(pairs)
        self.tokens += sum(count_tokens(text) for pair in pairs for text in pair)
        return [0.0] * len(pairs)


def _reranker(kind: str, counter: _Counter, model: str) -> Reranker:
    made: dict[str, Any] = {
        "signs": lambda: WeightedReranker(counter),
        "cross-encoder": lambda: CrossEncoderReranker(counter),
        "language model": lambda: LLMReranker(counter.server.client(), model),
    }
    reranker: Reranker = made[kind]()
    return reranker
