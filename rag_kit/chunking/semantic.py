"""Semantic chunks: cut where what stands before a place and what stands after it are least alike.

Each sentence is embedded once, all documents' together; that is what this strategy costs beyond the others.
Very short ones are taken together with what follows them.
Around each place between two sentences of a section, the mean vectors of up to three sentences before and after
it are compared: distance = 1 - cosine. A cut gains the distance above the section's percentile of distances,
or loses what it lacks, and the cuts of a section gain most together; a chunk of less than half the size costs
something, for chunks of very different sizes are found less well. The percentile is the section's own, so
that text in another section moves no cut.

A chunk crosses a heading only as in the structure strategy: where small neighbours are merged.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from rag_kit.chunking.fixed import Unit, check_unit
from rag_kit.chunking.packing import make_chunks, pack
from rag_kit.chunking.stretches import SENTENCE, Stretch, Stretches
from rag_kit.chunking.structure import structure_sizes
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Embedder, Tokenizer, Vectors
from rag_kit.types import Chunk, Document

BREAKPOINT_PERCENTILE = 80.0
WINDOW = 3
"""Sentences on either side that are compared."""


def chunk_semantic(
    documents: Iterable[Document],
    tokenizer: Tokenizer,
    *,
    embedder: Embedder | None = None,
    size: int | None = None,
    overlap: int | None = None,
    unit: Unit = "tokens",
    breakpoint_percentile: float = BREAKPOINT_PERCENTILE,
) -> list[Chunk]:
    """Cut documents where consecutive sentences part most, into chunks of at most ``size`` tokens.

    ``size`` and ``overlap`` are as in the structure strategy, but nothing is repeated by default: a repeated
    sentence would blur the cut. ``breakpoint_percentile`` is from 0, a cut wherever a chunk would not be
    small, to 100, no cut but for the size. Rows of a long table and lines of a list count as sentences; a
    table or a code fence that fits is one. Raises InvalidValue without an embedder.
    """
    size, overlap = semantic_sizes(tokenizer, size, overlap, unit)
    if embedder is None:
        raise InvalidValue(
            "strategy 'semantic' compares sentences by their vectors: give it an embedder, or choose another"
        )
    if not 0 <= breakpoint_percentile <= 100:
        raise InvalidValue(f"percentile {breakpoint_percentile} is none: choose 0 to 100")
    cut = [
        (stretches := Stretches(document, tokenizer, size), list(stretches.sections()))
        for document in documents
    ]
    texts = [
        stretches.document.text[slice(*stretch.span)]
        for stretches, sections in cut
        for section in sections
        if len(section) > 1
        for stretch in section
    ]
    vectors = embedder.embed(texts) if texts else np.zeros((0, 0), np.float32)
    found: list[Chunk] = []
    at = 0
    for stretches, sections in cut:
        parts: list[Stretch] = []
        for section in sections:
            costs = [0.0]
            if len(section) > 1:
                costs += _costs(section, vectors[at : at + len(section)], breakpoint_percentile)
                at += len(section)
            half = stretches.room(section[0].span[0]) // 2 or 1
            parts.extend(pack(stretches, section, costs, overlap=overlap, full=half))
        found.extend(make_chunks(stretches, parts))
    return found


def semantic_sizes(
    tokenizer: Tokenizer, size: int | None, overlap: int | None, unit: Unit = "tokens"
) -> tuple[int, int]:
    """Return size and overlap as they will be used; raises InvalidValue if they do not fit, or for the unit."""
    check_unit(unit, "semantic")
    return structure_sizes(tokenizer, size, overlap or 0)


def distances(vectors: Vectors, window: int = WINDOW) -> NDArray[np.float64]:
    """Compute how far apart the sentences before and after each place are: n rows give n - 1 numbers.

    distance = 1 - cos(mean of up to ``window`` rows before, mean of as many after); 1 beside a zero vector.

    >>> distances(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=np.float32), window=1).tolist()
    [0.0, 1.0]
    """
    sums = np.vstack([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0, dtype=np.float64)])
    places = np.arange(1, len(vectors))
    before = sums[places] - sums[np.maximum(places - window, 0)]
    after = sums[np.minimum(places + window, len(vectors))] - sums[places]
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    cosines = (before * after).sum(axis=1) / np.where(lengths > 1e-12, lengths, 1)
    # Machines differ in the last bits, and so would the cuts.
    apart: NDArray[np.float64] = (1 - np.where(lengths > 1e-12, cosines, 0)).round(5)
    return apart


def _costs(section: list[Stretch], vectors: Vectors, percentile: float) -> list[float]:
    apart = distances(vectors)
    # Within a sentence that is too long a cut stays the last resort.
    inside = np.array([max(stretch.cost - SENTENCE, 0.0) for stretch in section[1:]])
    costs: list[float] = (np.percentile(apart, percentile) - apart + inside).tolist()
    return costs
