"""Parent documents: small chunks to search, each naming the section that is read in its place.

A parent is a run of consecutive chunks of one section, no longer than ``parent_size``; small neighbouring
sections under one parent heading share one. Parents are never embedded, so they may be longer than what the
embedder reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from rag_kit.chunking.fixed import Unit, check_unit
from rag_kit.chunking.packing import SMALL, best_cuts
from rag_kit.chunking.records import ChunkMaker
from rag_kit.chunking.structure import chunk_structure, structure_sizes
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Tokenizer
from rag_kit.types import Chunk, Document

CHILD_SIZE = 128
PARENT_SIZE = 512


@dataclass(frozen=True, slots=True)
class ParentChunks:
    """Chunks that know their parent, and the parents by id."""

    children: tuple[Chunk, ...]
    parents: dict[str, Chunk]


def chunk_parent(
    documents: Iterable[Document],
    tokenizer: Tokenizer,
    *,
    size: int | None = None,
    overlap: int | None = None,
    unit: Unit = "tokens",
    parent_size: int | None = None,
) -> list[Chunk]:
    """Cut documents into small structured chunks, each with the ``parent_id`` of the section to read.

    ``size`` and ``overlap`` are as in the structure strategy; ``parent_size`` bounds the parents in the same
    tokens, and is at least four times the size by default. :func:`parents_of` gives the parents themselves.
    """
    documents = list(documents)
    size, overlap = parent_sizes(tokenizer, size, overlap, unit)
    children = chunk_structure(documents, tokenizer, size=size, overlap=overlap)
    parent_size = parent_size if parent_size is not None else max(PARENT_SIZE, 4 * size)
    return list(with_parents(children, documents, tokenizer, parent_size=parent_size).children)


def parent_sizes(
    tokenizer: Tokenizer, size: int | None, overlap: int | None, unit: Unit = "tokens"
) -> tuple[int, int]:
    """Return size and overlap as they will be used; raises InvalidValue if they do not fit, or for the unit."""
    check_unit(unit, "parent")
    size = size if size is not None else min(CHILD_SIZE, tokenizer.max_tokens)
    return structure_sizes(tokenizer, size, overlap)


def with_parents(
    chunks: Iterable[Chunk],
    documents: Iterable[Document],
    tokenizer: Tokenizer,
    *,
    parent_size: int = PARENT_SIZE,
) -> ParentChunks:
    """Give chunks of any strategy their parents: the chunks are as they were, but for ``parent_id``.

    A chunk that is longer than ``parent_size`` is a parent by itself. Raises InvalidValue for a
    ``parent_size`` below 1, and for chunks whose document is not there.
    """
    if parent_size < 1:
        raise InvalidValue(f"parent size {parent_size} is not a chunk size: choose 1 or more")
    children: list[Chunk] = []
    parents: dict[str, Chunk] = {}
    for maker, own in _by_document(chunks, documents, tokenizer):
        for parent, run in _made(maker, _runs(own, parent_size)):
            parents[parent.chunk_id] = parent
            children.extend(replace(chunk, parent_id=parent.chunk_id) for chunk in run)
    return ParentChunks(tuple(children), parents)


def parents_of(
    chunks: Iterable[Chunk], documents: Iterable[Document], tokenizer: Tokenizer
) -> dict[str, Chunk]:
    """Return the parents that chunks name, by id; chunks without a ``parent_id`` have none."""
    found: dict[str, Chunk] = {}
    for maker, own in _by_document(chunks, documents, tokenizer):
        runs = (list(run) for _, run in groupby(own, key=lambda chunk: chunk.parent_id))
        named = (run for run in runs if run[0].parent_id is not None)
        found |= {str(run[0].parent_id): parent for parent, run in _made(maker, named)}
    return found


def _by_document(
    chunks: Iterable[Chunk], documents: Iterable[Document], tokenizer: Tokenizer
) -> Iterator[tuple[ChunkMaker, list[Chunk]]]:
    known = {document.document_id: document for document in documents}
    for document_id, own in groupby(chunks, key=lambda chunk: chunk.document_id):
        if document_id not in known:
            raise InvalidValue(f"no document {document_id!r} for its chunks: give the documents they are of")
        yield ChunkMaker(known[document_id], tokenizer, mark="p"), list(own)


def _made(maker: ChunkMaker, runs: Iterable[list[Chunk]]) -> Iterator[tuple[Chunk, list[Chunk]]]:
    """Yield the parent of each run of chunks; it repeats what its first chunk repeats."""
    last_end = 0
    for run in runs:
        start, end = run[0].span[0], run[-1].span[1]
        yield maker.make((start, end), overlap=max(0, last_end - start), prefix=run[0].prefix), run
        last_end = end


def _runs(chunks: list[Chunk], parent_size: int) -> Iterator[list[Chunk]]:
    """Yield the chunks of each parent: those of a section, a long one in even parts, small ones together."""
    held: list[Chunk] = []
    for _, group in groupby(chunks, key=lambda chunk: chunk.heading_path):
        section = list(group)
        if held and _belong(held, section, parent_size):
            held += section
            continue
        if held:
            yield from _even(held, parent_size)
        held = section
    if held:
        yield from _even(held, parent_size)


def _belong(one: list[Chunk], two: list[Chunk], parent_size: int) -> bool:
    """Tell whether two sections share a parent: one is small, one heading is above both, and both fit."""
    first, second = one[0].heading_path, two[0].heading_path
    if first[:-1] != second[:-1] and second[: len(first)] != first:
        return False
    sizes = [sum(chunk.tokens for chunk in section) for section in (one, two)]
    return min(sizes) <= parent_size // SMALL and sum(sizes) <= parent_size


def _even(chunks: list[Chunk], parent_size: int) -> Iterator[list[Chunk]]:
    # A chunk's own count has its title and headings in it, which a parent has once: what fits here fits there.
    tokens = [chunk.tokens for chunk in chunks]
    for start, end in best_cuts(tokens, [0.0] * len(tokens), parent_size, full=parent_size):
        yield chunks[start:end]
