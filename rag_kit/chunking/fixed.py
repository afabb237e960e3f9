"""Fixed-size chunks with overlap: windows of characters, or of the embedder's tokens."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Literal

from rag_kit.chunking.records import ChunkMaker
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Tokenizer
from rag_kit.spans import shift
from rag_kit.types import Chunk, Document, Span

Unit = Literal["tokens", "chars"]
DEFAULT_OVERLAP = 32
DEFAULT_CHARS = 500


def windows(length: int, size: int, overlap: int) -> list[Span]:
    """Cut ``length`` positions into windows of ``size``, each starting ``overlap`` before the last one's end.

    Raises InvalidValue unless 0 <= overlap < size.

    >>> windows(25, 10, 3)
    [(0, 10), (7, 17), (14, 24), (21, 25)]
    """
    check_size(size, overlap)
    starts = range(0, max(length - overlap, 1), size - overlap)
    return [(start, min(start + size, length)) for start in starts if start < length]


def chunk_fixed(
    documents: Iterable[Document],
    tokenizer: Tokenizer,
    *,
    size: int | None = None,
    overlap: int | None = None,
    unit: Unit = "tokens",
) -> list[Chunk]:
    """Cut documents into chunks of at most ``size`` tokens or characters, whatever stands there.

    In tokens, ``size`` bounds all that the embedder reads: special tokens, title, heading path and text; the
    default is what it reads at most, and no word of up to 100 letters is cut. Only where a word, or a title
    and heading path of more than three quarters, leave no choice is a chunk longer. In characters, ``size``
    bounds the text alone. ``overlap`` is in the same unit; in tokens a chunk repeats at most half of the one
    before it, or the share of it that overlap is of size. A chunk says in characters how much it repeats.
    Raises InvalidValue for an overlap that does not fit the size, or a size that the embedder cannot read.
    """
    size, overlap = fixed_sizes(tokenizer, size, overlap, unit)
    return [chunk for document in documents for chunk in _chunk(document, tokenizer, size, overlap, unit)]


def fixed_sizes(
    tokenizer: Tokenizer, size: int | None, overlap: int | None, unit: Unit = "tokens"
) -> tuple[int, int]:
    """Return size and overlap as they will be used; raises InvalidValue if they do not fit, or for the unit."""
    if unit not in ("tokens", "chars"):
        raise InvalidValue(f"unknown unit {unit!r}; choose 'tokens' or 'chars'")
    size = size if size is not None else tokenizer.max_tokens if unit == "tokens" else DEFAULT_CHARS
    overlap = overlap if overlap is not None else min(DEFAULT_OVERLAP, size // 4)
    check_size(size, overlap, tokenizer if unit == "tokens" else None)
    return size, overlap


def check_size(size: int, overlap: int, tokenizer: Tokenizer | None = None) -> None:
    """Raise InvalidValue unless 0 <= overlap < size and, in tokens, the embedder reads that many."""
    if size < 1:
        raise InvalidValue(f"size {size} is not a chunk size: choose 1 or more")
    if not 0 <= overlap < size:
        raise InvalidValue(f"overlap {overlap} does not fit a size of {size}: choose 0 to {size - 1}")
    if tokenizer and size > tokenizer.max_tokens:
        raise InvalidValue(
            f"size {size} is more than the embedder reads ({tokenizer.max_tokens} tokens): choose a smaller size"
        )


def check_unit(unit: str, strategy: str) -> None:
    """Raise InvalidValue for a unit that is not the one of the strategies that follow the text."""
    if unit != "tokens":
        raise InvalidValue(
            f"unit {unit!r} does not go with strategy {strategy!r}: choose unit 'tokens' or strategy 'fixed'"
        )


def _chunk(document: Document, tokenizer: Tokenizer, size: int, overlap: int, unit: Unit) -> Iterator[Chunk]:
    if not document.blocks:
        return
    maker = ChunkMaker(document, tokenizer)
    body = (document.blocks[0].span[0], document.blocks[-1].span[1])
    if unit == "chars":
        spans: Iterable[Span] = (
            shift(window, body[0]) for window in windows(body[1] - body[0], size, overlap)
        )
    else:
        spans = _token_windows(maker, body, size, overlap)
    last_end = body[0]
    for span in spans:
        if re.search(r"\S", document.text[span[0] : span[1]]):
            yield maker.make(span, overlap=max(0, last_end - span[0]))
        last_end = span[1]


def _token_windows(maker: ChunkMaker, body: Span, size: int, overlap: int) -> Iterator[Span]:
    """Yield spans of whole words whose tokens, with what stands before them, fit the size."""
    words = [
        (shift(span, body[0]), tokens)
        for span, tokens in maker.tokenizer.word_spans(maker.document.text[body[0] : body[1]])
    ]
    totals = [0]
    for _, tokens in words:
        totals.append(totals[-1] + tokens)
    first = 0
    while first < len(words):
        # A head as long as the chunk would leave one word a chunk: the text keeps its quarter.
        least = size // 4
        room = max(size - maker.head_tokens(words[first][0][0]), least, 1)
        after = max(bisect_right(totals, totals[first] + room) - 1, first + 1)
        span = (words[first][0][0], words[after - 1][0][1])
        # Counts of parts add up for MiniLM and nearly so elsewhere: where they do not, give a word back.
        while after > first + 1 and totals[after] - totals[first] > least and maker.tokens(span) > size:
            after -= 1
            span = (span[0], words[after - 1][0][1])
        yield span
        if after == len(words):
            return
        # What the head takes, the step must not pay for alone: half of a window is new, or the share that
        # is new without a head where more than half was asked to be repeated.
        held = totals[after] - totals[first]
        shared = min(overlap, max(held // 2, held * overlap // size))
        back = bisect_right(totals, totals[after] - shared - 1)
        first = max(min(back, after), first + 1)
