"""A stand-in for a language model that answers without sources, from what it once read.

It is not a language model, and its memory is one that we wrote (``memory.json``): what somebody might have
read about the company a year ago. Some entries are right, some are out of date and some were never true, and
nothing in a reply tells which. Like a model that was trained once, it always answers, in whole sentences, and
cites nothing; unlike one, it says the same for the same question on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Literal

import numpy as np

from rag_kit.protocols import Embedder, Vectors
from rag_kit.sources import read_conversation

NEAR = 0.4
"""Below this similarity nothing in the memory is about the question. It answers all the same."""
GENERIC = "Yes, the standard rule applies here. {}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing remembered, and the questions that bring it back.

    ``kind`` is for lessons and tests to look at; the model does not know it.
    """

    about: tuple[str, ...]
    says: str
    kind: Literal["right", "outdated", "wrong"]


class LocalMemory:
    """Answers from the nearest memory, whatever sources it is shown, and never refuses."""

    calls_tools = False

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def reply(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Say what stands nearest to the question."""
        _, question = read_conversation(messages)
        entry, similarity = self.nearest(question)
        return entry.says if similarity >= NEAR else GENERIC.format(entry.says)

    def nearest(self, question: str) -> tuple[Entry, float]:
        """Return the entry that stands nearest to a question, and how near."""
        similarities = (self._vectors @ self.embedder.embed([question])[0]).round(5)
        at = int(np.argmax(similarities))
        owners = [entry for entry in entries() for _ in entry.about]
        return owners[at], float(similarities[at])

    @cached_property
    def _vectors(self) -> Vectors:
        return self.embedder.embed([question for entry in entries() for question in entry.about])


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Return the memory: about 25 entries, in the order of the file."""
    rows = json.loads((files("rag_kit.llm") / "memory.json").read_text(encoding="utf-8"))
    return tuple(Entry(tuple(row["about"]), row["says"], row["kind"]) for row in rows)
