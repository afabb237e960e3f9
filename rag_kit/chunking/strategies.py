"""The strategies by name, and the one call that every command makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rag_kit.chunking.fixed import Unit, chunk_fixed, fixed_sizes
from rag_kit.chunking.parent import chunk_parent, parent_sizes
from rag_kit.chunking.semantic import chunk_semantic, semantic_sizes
from rag_kit.chunking.structure import chunk_structure, structure_sizes
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Embedder, Tokenizer
from rag_kit.types import Chunk, Document


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to cut, and the size and overlap that it takes where none are given."""

    chunk: Callable[..., list[Chunk]]
    sizes: Callable[[Tokenizer, int | None, int | None, Unit], tuple[int, int]]
    embeds: bool = False
    """Whether it needs an embedder to find its cuts."""
    has_parents: bool = False
    """Whether its chunks name parents, which are read in their place."""


STRATEGIES: dict[str, Strategy] = {
    "structure": Strategy(chunk_structure, structure_sizes),
    "fixed": Strategy(chunk_fixed, fixed_sizes),
    "semantic": Strategy(chunk_semantic, semantic_sizes, embeds=True),
    "parent": Strategy(chunk_parent, parent_sizes, has_parents=True),
}
DEFAULT_STRATEGY = "structure"


def chunk(
    documents: Iterable[Document],
    tokenizer: Tokenizer,
    *,
    strategy: str = DEFAULT_STRATEGY,
    size: int | None = None,
    overlap: int | None = None,
    unit: Unit = "tokens",
    embedder: Embedder | None = None,
) -> list[Chunk]:
    """Cut documents by the strategy of that name; what it takes by default is its own.

    Raises InvalidValue for an unknown strategy, for sizes or a unit that do not go with it, and where
    `semantic` gets no ``embedder``; the others need none.
    """
    chosen = strategy_of(strategy)
    options = {"embedder": embedder} if chosen.embeds else {}
    return chosen.chunk(documents, tokenizer, size=size, overlap=overlap, unit=unit, **options)


def strategy_of(name: str) -> Strategy:
    """Return the strategy of that name; raises InvalidValue with the names there are.

    >>> strategy_of("semantic").embeds
    True
    """
    if name not in STRATEGIES:
        raise InvalidValue(f"unknown strategy {name!r}; choose {', '.join(map(repr, STRATEGIES))}")
    return STRATEGIES[name]
