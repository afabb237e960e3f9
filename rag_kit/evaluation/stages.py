"""The stages at which evidence can be lost, in the order of the pipeline, and the report of a miss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from rag_kit.access import Filters
from rag_kit.protocols import Retriever
from rag_kit.settings import Settings
from rag_kit.types import Answer, Chunk, Document, Evidence, Span

Stage = Literal[
    "not in the parsed text",
    "cut by the chunker",
    "hidden by the filters",
    "not among the candidates",
    "ranked below k",
    "below the similarity threshold",
    "folded into another passage",
    "dropped by the budget",
    "in the prompt but not used",
    "used",
]
"""In the order of the pipeline."""
STAGES: tuple[Stage, ...] = get_args(Stage)


class Searched(Protocol):
    """What is asked: a library, or anything with its documents, passages and searcher."""

    @property
    def documents(self) -> tuple[Document, ...]:
        """What was parsed; empty for a saved index."""

    @property
    def passages(self) -> tuple[Chunk, ...]:
        """What can be found: the chunks, or the sections that are handed over in their place."""

    @property
    def searcher(self) -> Retriever:
        """What finds the passages."""

    @property
    def settings(self) -> Settings:
        """The chat model and the similarity threshold."""

    def ask(self, question: str, *, filters: Filters, top_k: int, budget: int) -> Answer:
        """Answer a question."""


@dataclass(frozen=True, slots=True)
class Part:
    """A chunk that holds a part of the evidence, and how much: 1.0 is all of it."""

    chunk_id: str
    share: float


@dataclass(frozen=True, slots=True)
class MissReport:
    """Where the evidence was lost, and what there is to see there.

    ``stage`` is None where the question names no evidence. ``found`` is what stands in the text, ``parts``
    are the chunks that hold it, the fullest first; ``rank`` and ``similarity`` are those of the best of them
    in the whole ranking; ``instead`` is what was taken in its place.
    """

    stage: Stage | None
    message: str
    document_id: str | None = None
    span: Span | None = None
    found: str = ""
    parts: tuple[Part, ...] = ()
    rank: int | None = None
    similarity: float | None = None
    instead: tuple[Evidence, ...] = ()
