"""The arms of a sweep: which strategy cuts, how large, with how much overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

from rag_kit.chunking import parents_of
from rag_kit.chunking.fixed import Unit
from rag_kit.protocols import Embedder, Retriever, Tokenizer
from rag_kit.retrieval import ParentRetriever
from rag_kit.types import Chunk, Document

SIZES = (64, 128, 256)
OVERLAPS = (0, 16)
DEFAULT_STRATEGIES = ("structure", "fixed")

Around = Callable[[Retriever, Sequence[Chunk], Sequence[Document], Tokenizer], Retriever]
AROUND: Mapping[str, Around] = {
    "parent": lambda retriever, chunks, documents, tokenizer: ParentRetriever(
        retriever, parents_of(chunks, documents, tokenizer)
    )
}
"""What a strategy puts around the search, to hand over more than the chunks found; mostly nothing."""


class Chunker(Protocol):
    """Cuts documents as an arm says; ``embedder`` is for strategies that look at what a text says."""

    def __call__(
        self,
        documents: Iterable[Document],
        tokenizer: Tokenizer,
        *,
        strategy: str,
        size: int,
        overlap: int,
        unit: Unit,
        embedder: Embedder | None,
    ) -> list[Chunk]:
        """Return the chunks; raises InvalidValue for an arm that cannot be."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of cutting documents, to be compared with others.

    >>> Arm("structure", 128, 32).name, Arm("fixed", 500, 50, "chars").name
    ('structure 128/32', 'fixed 500/50 chars')
    """

    strategy: str
    size: int
    overlap: int = 0
    unit: Unit = "tokens"
    neighbours: float = 0.0
    """How much of the chunks beside it in its section a chunk's vector takes in."""

    @property
    def name(self) -> str:
        """Name the arm: strategy, size and overlap, and what is not as usual."""
        unit = "" if self.unit == "tokens" else f" {self.unit}"
        return f"{self.strategy} {self.size}/{self.overlap}{unit}" + (
            f" +{self.neighbours:g}" if self.neighbours else ""
        )


def make_arms(
    strategies: Iterable[str] = DEFAULT_STRATEGIES,
    sizes: Iterable[int] = SIZES,
    overlaps: Iterable[int] = OVERLAPS,
    *,
    unit: Unit = "tokens",
    neighbours: float = 0.0,
) -> list[Arm]:
    """Make an arm of each strategy, size and overlap, each once; by default twelve.

    >>> [arm.name for arm in make_arms(["fixed"], [64, 128], [0])]
    ['fixed 64/0', 'fixed 128/0']
    """
    combined = product(strategies, sizes, overlaps)
    return list(
        dict.fromkeys(Arm(strategy, size, overlap, unit, neighbours) for strategy, size, overlap in combined)
    )
