"""Structure-aware chunks: a section at a time, cut between blocks, then between sentences, rows or lines.

Of the places where a section that is too long may be cut, those are taken where the words change most: a cut
gains what the words before and after it are further apart than at most places of the section. Chunks of very
different sizes are found less well, so one of less than half the size costs something.
A chunk ends where its section does, unless it is small: small neighbours under one parent heading are merged,
and then the headings between them stand in the chunk. A section whose heading is a question stays by itself.
A table that is too long is cut between its rows, and each further part carries the header row as its ``prefix``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rag_kit.chunking.cohesion import word_distances
from rag_kit.chunking.fixed import DEFAULT_OVERLAP, Unit, check_size, check_unit
from rag_kit.chunking.packing import make_chunks, pack
from rag_kit.chunking.stretches import Stretch, Stretches
from rag_kit.protocols import Tokenizer
from rag_kit.types import Chunk, Document

COHESION = 2.0
"""What a cut gains where the words before and after it share nothing and at most places all; a cut in a
sentence that is no place to cut costs half of it."""
USUAL = 0.8
"""Of a section's places, the share where the words are no further apart than where a cut gains nothing."""


def chunk_structure(
    documents: Iterable[Document],
    tokenizer: Tokenizer,
    *,
    size: int | None = None,
    overlap: int | None = None,
    unit: Unit = "tokens",
) -> list[Chunk]:
    """Cut documents where their structure allows, into chunks of at most ``size`` tokens.

    ``size`` bounds all that the embedder reads: special tokens, title, heading path, prefix and text. Only
    where title and headings take more than half of it, the text keeps its half and the chunk is longer; and a
    stretch that cannot be cut, a run of up to 100 letters, can be longer by itself. ``overlap`` is how many
    tokens of whole sentences a chunk may repeat from the one before it in the same section; a chunk says in
    characters how much it did repeat. A table's header of more than half a chunk stands above the first rows
    alone. Raises InvalidValue for sizes that do not fit, and for another ``unit`` than tokens.
    """
    size, overlap = structure_sizes(tokenizer, size, overlap, unit)
    return [chunk for document in documents for chunk in _chunk(document, tokenizer, size, overlap)]


def structure_sizes(
    tokenizer: Tokenizer, size: int | None, overlap: int | None, unit: Unit = "tokens"
) -> tuple[int, int]:
    """Return size and overlap as they will be used; raises InvalidValue if they do not fit, or for the unit."""
    check_unit(unit, "structure")
    size = size if size is not None else tokenizer.max_tokens
    overlap = overlap if overlap is not None else min(DEFAULT_OVERLAP, size // 8)
    check_size(size, overlap, tokenizer)
    return size, overlap


def _chunk(document: Document, tokenizer: Tokenizer, size: int, overlap: int) -> Iterator[Chunk]:
    stretches = Stretches(document, tokenizer, size)
    parts = (
        part
        for section in stretches.sections()
        for part in pack(
            stretches, section, _costs(stretches, section), overlap=overlap, full=_half(stretches, section)
        )
    )
    return make_chunks(stretches, parts)


def _costs(stretches: Stretches, section: list[Stretch]) -> list[float]:
    """Return what a cut before each stretch costs: what the place costs, less what the change of words gains."""
    costs = [stretch.cost for stretch in section]
    whole = (section[0].span[0], section[-1].span[1])
    if stretches.tokens(whole) <= stretches.room(whole[0]):
        return costs
    text = stretches.document.text
    apart = word_distances(
        [text[slice(*stretch.span)] for stretch in section],
        [stretches.tokens(stretch.span) for stretch in section],
    )
    usual = sorted(apart)[round(USUAL * (len(apart) - 1))] if apart else 0.0
    return costs[:1] + [cost + COHESION * (usual - far) for cost, far in zip(costs[1:], apart, strict=True)]


def _half(stretches: Stretches, section: list[Stretch]) -> int:
    return stretches.room(section[0].span[0]) // 2 or 1
