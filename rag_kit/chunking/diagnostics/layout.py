"""A document with its chunks laid over it: which chunk holds what, and where a text is cut."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate

from rag_kit.protocols import Tokenizer
from rag_kit.sentences import Unit, units
from rag_kit.types import Chunk, Document, ParsedBlock, Span

_KEY_VALUE = re.compile(r"[ \t>]*[^\s:：][^:：\n]{0,40}[:：](?:[ \t]|$)")
SHORT_LINE = 40


class Layout:
    """One document and its chunks. Blocks, units and chunks are found by offset, not by walking."""

    def __init__(self, document: Document, chunks: Sequence[Chunk]) -> None:
        self.document = document
        self.text = document.text
        self.chunks = sorted(chunks, key=lambda chunk: chunk.span)
        self._starts = [chunk.span[0] for chunk in self.chunks]
        self._ends = list(accumulate((chunk.span[1] for chunk in self.chunks), max))
        self._block_starts = [block.span[0] for block in document.blocks]
        self._units: dict[int, tuple[list[int], list[Unit]]] = {}

    def holds(self, span: Span) -> bool:
        """Tell whether one chunk holds all of a span."""
        at = bisect_right(self._starts, span[0]) - 1
        return at >= 0 and self._ends[at] >= span[1]

    def edges(self) -> list[int]:
        """Return where chunks begin and end, each place once, in order."""
        return sorted({edge for chunk in self.chunks for edge in chunk.span})

    def chunks_over(self, span: Span) -> list[Chunk]:
        """Return the chunks that share characters with a span, in order."""
        last = bisect_left(self._starts, span[1])
        # Ends are running maxima, so the first that reaches past the start bounds the search from below.
        first = bisect_right(self._ends, span[0], 0, last)
        return [chunk for chunk in self.chunks[first:last] if chunk.span[1] > span[0]]

    def chunk_at(self, offset: int) -> Chunk | None:
        """Return the first chunk that holds an offset."""
        return next(iter(self.chunks_over((offset, offset + 1))), None)

    def chunk_id_at(self, offset: int) -> str | None:
        """Return the id of the first chunk that holds an offset."""
        chunk = self.chunk_at(offset)
        return chunk.chunk_id if chunk else None

    def page_at(self, offset: int) -> int | None:
        """Return the page of the block at an offset, or before it."""
        at = bisect_right(self._block_starts, offset) - 1
        return self.document.blocks[max(at, 0)].page if self.document.blocks else None

    def block_number_at(self, offset: int) -> int | None:
        """Return the number of the block that an offset stands inside of, its borders not counted."""
        at = bisect_left(self._block_starts, offset) - 1
        return at if at >= 0 and offset < self.document.blocks[at].span[1] else None

    def unit_at(self, block_number: int, offset: int) -> Unit | None:
        """Return the sentence, list item, row or line that an offset stands inside of."""
        if block_number not in self._units:
            found = _units_of(self.text, self.document.blocks[block_number])
            self._units[block_number] = ([unit.span[0] for unit in found], found)
        starts, found = self._units[block_number]
        at = bisect_left(starts, offset) - 1
        return found[at] if at >= 0 and offset < found[at].span[1] else None


class Corpus:
    """All documents with their chunks, and the tokenizer of the embedder that will read them."""

    def __init__(self, documents: Iterable[Document], chunks: Iterable[Chunk], tokenizer: Tokenizer) -> None:
        self.chunks = list(chunks)
        self.tokenizer = tokenizer
        self.parents = {chunk.parent_id for chunk in self.chunks if chunk.parent_id}
        own: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in self.chunks:
            own[chunk.document_id].append(chunk)
        self.layouts = [Layout(document, own[document.document_id]) for document in documents]
        self.searched = [chunk for chunk in self.chunks if chunk.chunk_id not in self.parents]
        """The chunks that are embedded: those that are only read as the parents of others are left out."""


def _units_of(text: str, block: ParsedBlock) -> list[Unit]:
    begin = block.span[0]
    if block.block_type in ("title", "code"):
        return []
    found = [
        Unit((begin + unit.span[0], begin + unit.span[1]), unit.kind, unit.header)
        for unit in units(block.text)
    ]
    return [part for unit in found for part in _parts_of(text, unit)]


def _parts_of(text: str, unit: Unit) -> list[Unit]:
    """Return a unit as it can be cut: a row without the bars at its ends, fields line by line."""
    if unit.kind == "sentence":
        return _lines_of(text, unit)
    start, end = unit.span
    while unit.kind == "row" and start < end and text[start] in "| \t":
        start += 1
    while unit.kind == "row" and start < end and text[end - 1] in "| \t":
        end -= 1
    return [Unit((start, end), unit.kind, unit.header)] if start < end else []


def _lines_of(text: str, unit: Unit) -> list[Unit]:
    """Cut what only looks like one sentence, as no full stop stands in it: fields and other lines of their own."""
    lines, at = [], unit.span[0]
    for line in text[unit.span[0] : unit.span[1]].split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    fields = sum(bool(_KEY_VALUE.match(text[a:b])) for a, b in lines)
    short = len(lines) > 2 and all(b - a <= SHORT_LINE for a, b in lines)
    if len(lines) == 1 or not (2 * fields >= len(lines) or short):
        return [unit]
    return [Unit((a, b), "line") for a, b in lines if text[a:b].strip()]
