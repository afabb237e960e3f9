"""The offline reader: a chat model that can only quote the sources it was given, or refuse.

It is not a language model. It picks the one sentence or table row of the sources that stands closest to the
question, quotes it with its label, and refuses where nothing stands close enough. It cannot invent; its
weak side is knowing when to refuse, and its thresholds are provisional: ``python -m
rag_kit.evaluation.reader_threshold`` sets them from labelled development questions.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from rag_kit.labels import find_labels
from rag_kit.protocols import Embedder, Vectors
from rag_kit.refusals import REFUSAL
from rag_kit.sentences import plain, units
from rag_kit.sources import Source, read_conversation

COVERAGE_WEIGHT = 0.3
FEWEST_WORDS = 3
"""A unit of fewer words answers nothing on its own."""

_WORD = re.compile(r"\w+(?:[-_.]\w+)*")


@dataclass(frozen=True, slots=True)
class Quote:
    """A candidate answer: one unit of one source, and how close it stands to the question."""

    label: str
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    label: str
    text: str
    place: str


class OfflineReader:
    """Answers chat messages from the sources that they hold. Same messages, same reply."""

    calls_tools = True
    """It calls a tool that takes a query, where it is offered one and has no sources yet."""

    def __init__(self, embedder: Embedder, threshold: float | None = None) -> None:
        self.embedder = embedder
        self.threshold = shipped_threshold() if threshold is None else threshold
        self._vectors: dict[str, Vectors] = {}

    def reply(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Answer the conversation's question from the sources that it holds, or refuse."""
        sources, question = read_conversation(messages)
        return self.answer(question, sources)

    def answer(self, question: str, sources: Sequence[Source]) -> str:
        """Quote the best unit with its label, or refuse where it scores below the threshold."""
        best = self.best(question, sources)
        if best is None or best.score < self.threshold:
            return REFUSAL
        text = best.text if best.text.endswith((".", "!", "?")) else best.text + "."
        return f"{text[:-1]} {best.label}{text[-1]}"

    def best(self, question: str, sources: Sequence[Source]) -> Quote | None:
        """Return the unit that answers best, or None where the sources hold none.

        The score is the mean of two cosines (the unit alone, and in its place: under its section or, in a
        list of questions and answers, after its question) and, with a smaller weight, the share of the
        question's words that the unit holds, rare words counting for more.
        """
        candidates = [candidate for source in sources for candidate in _candidates(source)]
        if not candidates or not question.strip():
            return None
        asked = self._embed([question])[0]
        alone = self._embed([candidate.text for candidate in candidates]) @ asked
        placed = self._embed([f"{c.place} {c.text}".strip() for c in candidates]) @ asked
        covered = _coverage(question, [candidate.text for candidate in candidates])
        scores = (((alone + placed) / 2 + COVERAGE_WEIGHT * covered) / (1 + COVERAGE_WEIGHT)).round(5)
        at = int(np.argmax(scores))
        return Quote(candidates[at].label, candidates[at].text, float(scores[at]))

    def _embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, each of them once: the same sources come back with every question about them."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if len(self._vectors) > 20_000:
            self._vectors.clear()
            new = list(dict.fromkeys(texts))
        if new:
            self._vectors.update(zip(new, self.embedder.embed(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def _candidates(source: Source) -> list[_Candidate]:
    """Return the units of a source that could answer: readable, whole, and not questions themselves."""
    found: list[_Candidate] = []
    question = ""
    for number, unit in enumerate(units(source.text)):
        start, end = unit.span
        text = _disarm(plain(source.text[start:end], unit.header))
        # A passage may begin or end in the middle of a sentence: such a piece is not quoted.
        cut = (number == 0 and text[:1].islower()) or (end == len(source.text) and text[-1:].isalnum())
        if text.endswith("?"):
            question = text
        elif not cut and not text.endswith(":") and len(text.split()) >= FEWEST_WORDS:
            name = source.section or source.title
            found.append(_Candidate(source.label, text, question or (f"{name}:" if name else "")))
            question = ""
    return found


def _coverage(question: str, texts: Sequence[str]) -> NDArray[np.float64]:
    """Return for each text the share of the question's words in it, each weighted by its rarity here.

    The weight is BM25's idf, log(1 + (N - n + 0.5) / (n + 0.5)), over these texts.
    """
    held = [_words(text) for text in texts]
    asked = _words(question)
    counts = Counter(word for words in held for word in words & asked)
    weights = {w: math.log(1 + (len(texts) - counts[w] + 0.5) / (counts[w] + 0.5)) for w in sorted(asked)}
    total = sum(weights.values())
    return np.array(
        [sum(weights[w] for w in sorted(words & asked)) / total if total else 0.0 for words in held]
    )


def _words(text: str) -> set[str]:
    """Return a text's words, identifiers whole, a plural s taken off."""
    found = (word.casefold() for word in _WORD.findall(text))
    return {word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word for word in found}


def _disarm(text: str) -> str:
    """Turn a bracketed number of the source's own into a round one: quoted, it would read as a citation."""
    for start, end in sorted({mention.span for mention in find_labels(text)}, reverse=True):
        text = f"{text[:start]}({text[start + 1 : end - 1]}){text[end:]}"
    return text


@lru_cache(maxsize=1)
def shipped_threshold() -> float:
    """Return the threshold that ships with the kit, as the development questions set it."""
    return float(json.loads((files("rag_kit.llm") / "reader.json").read_text(encoding="utf-8"))["threshold"])
