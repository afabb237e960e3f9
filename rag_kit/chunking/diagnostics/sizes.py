"""Chunks of the wrong size, and headings left without what stands under them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_kit.chunking.diagnostics.findings import Finding, excerpt, finding
from rag_kit.chunking.diagnostics.layout import Corpus, Layout
from rag_kit.protocols import Tokenizer
from rag_kit.sentences import word_pieces
from rag_kit.types import Chunk

FEWEST_WORDS = 5
"""Words, or signs of a script without blanks, below which a chunk says nothing by itself."""
_FIRST_UNREAD = 12
_WORD = re.compile(r"[^\W_]")


def check_large(corpus: Corpus) -> Iterator[Finding]:
    """Find chunks whose end the embedder never reads, and say which words are the first of it."""
    for chunk in corpus.searched:
        tokens = _tokens(chunk, corpus.tokenizer)
        if tokens <= corpus.tokenizer.max_tokens:
            continue
        unread = _unread(chunk, corpus.tokenizer)
        beginning = " ".join(chunk.text[unread - chunk.span[0] :].split()[:_FIRST_UNREAD])
        lost = tokens - corpus.tokenizer.max_tokens
        message = (
            f"{tokens} tokens, and the embedder reads {corpus.tokenizer.max_tokens}: {lost} are never read, "
            f"from {excerpt(beginning, (0, len(beginning)))!r} on: choose a smaller size"
        )
        yield finding(
            "chunk_too_large",
            message,
            chunk,
            (unread, chunk.span[1]),
            page=chunk.page_at(unread),
            chunk_id=chunk.chunk_id,
            excerpts=(excerpt(chunk.text, (unread - chunk.span[0], len(chunk.text))),),
        )


def check_small(corpus: Corpus) -> Iterator[Finding]:
    """Find chunks of a few words that are not all of their document."""
    alone = {layout.document.document_id for layout in corpus.layouts if len(layout.chunks) == 1}
    for chunk in corpus.searched:
        # Long enough for any script; counting the words of each chunk would cost more than all else here.
        if len(chunk.text) > 25 * FEWEST_WORDS or chunk.document_id in alone:
            continue
        said = f"{chunk.prefix}\n{chunk.text}" if chunk.prefix else chunk.text
        words = [1 for a, b in word_pieces(said) if _WORD.search(said, a, b)]
        if len(words) >= FEWEST_WORDS:
            continue
        count = f"{len(words)} word{'' if len(words) == 1 else 's'}" if words else "not one word"
        yield finding(
            "chunk_too_small",
            f"the chunk holds {count}: merge it with its neighbour, or choose a larger size",
            chunk,
            chunk.span,
            page=chunk.page_at(chunk.span[0]),
            chunk_id=chunk.chunk_id,
            excerpts=(excerpt(chunk.text, (0, len(chunk.text))),),
        )


def check_headings(layout: Layout) -> Iterator[Finding]:
    """Find headings at the end of a chunk, or alone in one, while what they head begins in the next.

    Where the next chunk carries the heading in its path, only the first chunk is the worse for it.
    """
    blocks = layout.document.blocks
    for number, block in enumerate(blocks[:-1]):
        below = blocks[number + 1]
        empty = below.block_type == "title" and len(below.heading_path) <= len(block.heading_path)
        if block.block_type != "title" or empty:
            continue
        over = layout.chunks_over(block.span)
        # A chunk that goes on past the next block's first letter has heading and text together.
        if not over or any(chunk.span[1] > below.span[0] for chunk in over):
            continue
        heading, last = block.heading_path[-1] if block.heading_path else block.text, over[-1]
        after = layout.chunk_at(below.span[0])
        named = after is not None and heading in after.heading_path
        alone = last.span[0] >= block.span[0] and last.text.strip() in block.text
        where = "alone in a chunk" if alone else "at the end of a chunk"
        yield finding(
            "heading_orphaned",
            f"the heading {excerpt(heading, (0, len(heading)))!r} stands {where} and its section in the next: "
            "cut before headings, not after them",
            last,
            block.span,
            severity="hint" if named and not alone else "warning",
            page=block.page,
            chunk_id=last.chunk_id,
            excerpts=(excerpt(layout.text, (block.span[0], below.span[1])),),
        )


def _tokens(chunk: Chunk, tokenizer: Tokenizer) -> int:
    """Return what the chunk says of its tokens; counted only where it says nothing."""
    return chunk.tokens or tokenizer.count(chunk.embed_text()) + tokenizer.special_tokens


def _unread(chunk: Chunk, tokenizer: Tokenizer) -> int:
    """Return the offset in the document of the first word that does not fit whole."""
    whole = chunk.embed_text()
    head = len(whole) - len(chunk.text)
    left = tokenizer.max_tokens - tokenizer.special_tokens
    for (start, _), tokens in tokenizer.word_spans(whole):
        left -= tokens
        if left < 0:
            return chunk.span[0] + min(max(start - head, 0), len(chunk.text) - 1)
    return chunk.span[1] - 1
