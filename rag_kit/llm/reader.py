"""The offline reader: a chat model that can only quote the sources it was given, or refuse.

It is not a language model. It picks the one sentence or table row of the sources that fits the question
best, quotes it with its label, and refuses where it is not sure enough that the quote answers. It cannot
invent; its weak side is knowing when to refuse. Its weights are plain logistic regressions over the features
in ``fit``, trained by ``python -m rag_kit.evaluation.reader_training`` on labelled development questions and
shipped as JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from rag_kit.llm.fit import FEATURES, Candidate, candidates, features
from rag_kit.protocols import Embedder, Vectors
from rag_kit.refusals import REFUSAL
from rag_kit.sources import Source, read_conversation

MOST_VECTORS = 20_000
ENDS = (".", "!", "?", "。", "！", "？")
LEAD_ALONE = 1.0
"""Where nothing competes, a lead says nothing: it is taken for an ordinary one."""


@dataclass(frozen=True, slots=True)
class ReaderWeights:
    """What was learnt: how to rank units, and how sure to be before one is quoted.

    ``rank`` weighs the features of a unit. ``sure`` weighs those of the best unit, its ``lead`` over the
    next, and gives, through the logistic function, how sure the reader is that the unit answers; below
    ``threshold`` it refuses.
    """

    rank: dict[str, float]
    sure: dict[str, float]
    intercept: float
    threshold: float


@dataclass(frozen=True, slots=True)
class Quote:
    """The unit that would be quoted, and how sure the reader is that it answers, from 0 to 1."""

    label: str
    text: str
    score: float


class OfflineReader:
    """Answers chat messages from the sources that they hold. Same messages, same reply."""

    calls_tools = True
    """It calls a tool that takes a query, where it is offered one and has no sources yet."""

    def __init__(self, embedder: Embedder, weights: ReaderWeights | None = None) -> None:
        self.embedder = embedder
        self.weights = weights or shipped_weights()
        self._vectors: dict[str, Vectors] = {}

    def reply(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Answer the conversation's question from the sources that it holds, or refuse."""
        sources, question = read_conversation(messages)
        return self.answer(question, sources)

    def answer(self, question: str, sources: Sequence[Source]) -> str:
        """Quote the best unit with its label, or refuse where the reader is not sure enough of it."""
        best = self.best(question, sources)
        if best is None or best.score < self.weights.threshold:
            return REFUSAL
        text = best.text if best.text.endswith(ENDS) else best.text + "."
        return f"{text[:-1]} {best.label}{text[-1]}"

    def best(self, question: str, sources: Sequence[Source]) -> Quote | None:
        """Return the unit that fits best, or None where the sources hold none."""
        found, table = self.look(question, sources)
        if not found:
            return None
        at, row = judge(table, self.weights.rank)
        log_odds = self.weights.intercept + sum(
            self.weights.sure[name] * row[name] for name in self.weights.sure
        )
        return Quote(found[at].label, found[at].text, round(1 / (1 + math.exp(-log_odds)), 5))

    def look(self, question: str, sources: Sequence[Source]) -> tuple[list[Candidate], NDArray[np.float64]]:
        """Return the candidates of the sources and their features, one row a candidate."""
        found = candidates(sources) if question.strip() else []
        if not found:
            return [], np.zeros((0, len(FEATURES)))
        asked = self._embed([question])[0]
        alone = self._embed([candidate.text for candidate in found]) @ asked
        placed = self._embed([candidate.placed() for candidate in found]) @ asked
        return found, features(question, found, alone.round(5), placed.round(5))

    def _embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, each of them once: the same sources come back with every question about them."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if len(self._vectors) + len(new) > MOST_VECTORS:
            self._vectors.clear()
            new = list(dict.fromkeys(texts))
        if new:
            self._vectors.update(zip(new, self.embedder.embed(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def judge(table: NDArray[np.float64], rank: Mapping[str, float]) -> tuple[int, dict[str, float]]:
    """Return the row that ranks first, the earlier of equals, and its features with its lead over the next."""
    weights = np.array([rank.get(name, 0.0) for name in FEATURES])
    scores = (table @ weights).round(5)
    at = int(np.argmax(scores))
    others = np.delete(scores, at)
    lead = float(scores[at] - others.max()) if len(others) else LEAD_ALONE
    return at, {
        **dict(zip(FEATURES, table[at].tolist(), strict=True)),
        "score": float(scores[at]),
        "lead": lead,
    }


@lru_cache(maxsize=1)
def shipped_weights() -> ReaderWeights:
    """Return the weights that ship with the kit."""
    text = (files("rag_kit.llm") / "reader.json").read_text(encoding="utf-8")
    return TypeAdapter(ReaderWeights).validate_python(json.loads(text))
