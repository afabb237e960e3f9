"""Structure-aware chunks: a section at a time, cut between blocks, then between sentences, rows or lines.

A chunk ends where its section does, unless it is small: small neighbours under one parent heading are merged,
and then the headings between them stand in the chunk. A table that is too long is cut between its rows, and
each further part carries the header row as its ``prefix``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rag_kit.chunking.fixed import Unit, check_size
from rag_kit.chunking.records import ChunkMaker
from rag_kit.errors import InvalidValue
from rag_kit.protocols import Tokenizer
from rag_kit.sentences import sentence_spans, table_head, trim
from rag_kit.types import Chunk, Document, ParsedBlock, Span

DEFAULT_OVERLAP = 32
SMALL = 4
"""A chunk under a quarter of the size is small: it is merged with its neighbour where both fit."""


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is not cut again: a block that fits, or a sentence, row or line of one that does not."""

    span: Span
    prefix: str = ""
    repeats: bool = False
    """Whether it may stand at the end of one chunk and again at the start of the next."""


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
    piece that cannot be cut, a run of up to 100 letters, can be longer by itself. ``overlap`` is how many
    tokens of whole sentences a chunk may repeat from the one before it in the same section; a chunk says in
    characters how much it did repeat. A table's header of more than half a chunk stands above the first rows
    alone. Raises InvalidValue for sizes that do not fit, and for another ``unit`` than tokens.
    """
    if unit != "tokens":
        raise InvalidValue(
            f"unit {unit!r} does not go with strategy 'structure': choose unit 'tokens' or strategy 'fixed'"
        )
    size, overlap = structure_sizes(tokenizer, size, overlap)
    return [
        chunk for document in documents for chunk in _Splitter(document, tokenizer, size, overlap).chunks()
    ]


def structure_sizes(tokenizer: Tokenizer, size: int | None, overlap: int | None) -> tuple[int, int]:
    """Return size and overlap as they will be used, defaults filled in; raises InvalidValue if they do not fit."""
    size = size if size is not None else tokenizer.max_tokens
    overlap = overlap if overlap is not None else min(DEFAULT_OVERLAP, size // 8)
    check_size(size, overlap, tokenizer)
    return size, overlap


class _Splitter:
    """Splits one document; its text is tokenised once, and every count is a difference of two sums."""

    def __init__(self, document: Document, tokenizer: Tokenizer, size: int, overlap: int) -> None:
        self.document = document
        self.maker = ChunkMaker(document, tokenizer)
        self.size = size
        self.overlap = overlap
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._totals = [0]
        self._prefixes: dict[str, int] = {}
        for (start, end), tokens in tokenizer.word_spans(document.text):
            self._starts.append(start)
            self._ends.append(end)
            self._totals.append(self._totals[-1] + tokens)

    def chunks(self) -> Iterator[Chunk]:
        last_end = 0
        parts = self._merged(part for section in self._sections() for part in self._pack(section))
        for atom in (fitting for part in parts for fitting in self._fit(part)):
            yield self.maker.make(atom.span, overlap=max(0, last_end - atom.span[0]), prefix=atom.prefix)
            last_end = atom.span[1]

    def _sections(self) -> Iterator[list[ParsedBlock]]:
        """Yield the blocks under each heading, the heading left out; a heading with nothing under it stays."""
        blocks = self.document.blocks
        section: list[ParsedBlock] = []
        for number, block in enumerate(blocks):
            if block.block_type != "title":
                section.append(block)
                continue
            if section:
                yield section
            below = blocks[number + 1] if number + 1 < len(blocks) else None
            bare = below is None or (
                below.block_type == "title" and len(below.heading_path) <= len(block.heading_path)
            )
            section = []
            if bare:
                yield [block]
        if section:
            yield section

    def _pack(self, section: list[ParsedBlock]) -> Iterator[_Atom]:
        """Yield chunks of one section: as many atoms as fit, in order."""
        room = self._room(section[0].span[0])
        held: list[_Atom] = []
        for block in section:
            for atom in self._atoms(block, room):
                if (
                    held
                    and self._tokens((held[0].span[0], atom.span[1])) + self._count(held[0].prefix) > room
                ):
                    yield _join(held)
                    held = self._repeated(held, atom, room)
                held.append(atom)
        if held:
            yield _join(held)

    def _repeated(self, held: list[_Atom], atom: _Atom, room: int) -> list[_Atom]:
        """Return the last sentences of a finished chunk that the next one begins with."""
        kept: list[_Atom] = []
        for last in reversed(held):
            reach = self._tokens((last.span[0], held[-1].span[1]))
            if not last.repeats or reach > self.overlap or len(kept) + 1 == len(held):
                break
            if self._tokens((last.span[0], atom.span[1])) > room or atom.prefix:
                break
            kept.insert(0, last)
        return kept

    def _atoms(self, block: ParsedBlock, room: int) -> Iterator[_Atom]:
        """Yield a block whole where it fits, else its sentences, rows or lines."""
        if self._tokens(block.span) <= room:
            yield _Atom(block.span, repeats=block.block_type == "paragraph")
            return
        text = self.document.text
        if block.block_type == "table":
            yield from self._rows(block, room)
            return
        parts = (
            sentence_spans(text, block.span)
            if block.block_type == "paragraph"
            else [trim(text, line) for line in _lines(text, block.span)]
        )
        for part in parts:
            if self._tokens(part) <= room:
                yield _Atom(part, repeats=block.block_type == "paragraph")
            else:
                yield from self._words(part, room)

    def _rows(self, block: ParsedBlock, room: int) -> Iterator[_Atom]:
        """Yield a long table's rows; from the second chunk on they stand under the header as a prefix."""
        text = self.document.text
        head_end = table_head(text, block.span)
        prefix = text[block.span[0] : head_end].rstrip("\n")
        # A header that alone fills half a chunk would leave no room for rows: they go on without it.
        if self._count(prefix) > room // 2:
            prefix = ""
        for number, line in enumerate(_lines(text, (head_end, block.span[1]))):
            row = trim(text, (block.span[0], line[1]) if number == 0 else line)
            if row[0] == row[1]:
                continue
            carried = "" if number == 0 else prefix
            if self._tokens(row) + self._count(carried) > room:
                yield from self._words(row, room, carried, prefix)
            else:
                yield _Atom(row, carried)

    def _words(self, span: Span, room: int, prefix: str = "", later: str = "") -> Iterator[_Atom]:
        """Cut between words what has no better place to be cut; from the second piece on under ``later``."""
        # A span may begin inside a run: sentences of scripts without blanks do.
        first, after = bisect_left(self._ends, span[0] + 1), bisect_left(self._starts, span[1])
        while first < after:
            last, left = first + 1, room - self._count(prefix)
            while last < after and self._totals[last + 1] - self._totals[first] <= left:
                last += 1
            yield _Atom((max(self._starts[first], span[0]), min(self._ends[last - 1], span[1])), prefix)
            first, prefix = last, later

    def _merged(self, parts: Iterable[_Atom]) -> Iterator[_Atom]:
        """Merge small chunks with the neighbour that follows, under one parent heading and within the size."""
        held: _Atom | None = None
        for part in parts:
            if held and self._mergeable(held, part):
                held = replace(held, span=(held.span[0], part.span[1]))
                continue
            if held:
                yield held
            held = part
        if held:
            yield held

    def _fit(self, part: _Atom) -> Iterator[_Atom]:
        """Cut a chunk whose tokens are more in one go than the sum of its words': with BPE they can be."""
        most = max(self.size, self.maker.head_tokens(part.span[0]) + self.size // 2)
        over = self.maker.tokens(part.span, part.prefix) - most
        if over <= 0:
            yield part
        else:
            room = self._tokens(part.span) + self._count(part.prefix) - over
            yield from self._words(part.span, room, part.prefix, part.prefix)

    def _mergeable(self, one: _Atom, two: _Atom) -> bool:
        small = self.size // SMALL
        if min(self._tokens(one.span), self._tokens(two.span)) > small or one.prefix or two.prefix:
            return False
        first, second = self.maker.heading_path(one.span[0]), self.maker.heading_path(two.span[0])
        if first[:-1] != second[:-1] and second[: len(first)] != first:
            return False
        return self._tokens((one.span[0], two.span[1])) <= self._room(one.span[0])

    def _room(self, offset: int) -> int:
        """Return the tokens that are left for text in a chunk that begins at ``offset``."""
        return max(self.size - self.maker.head_tokens(offset), self.size // 2, 1)

    def _count(self, prefix: str) -> int:
        """Count the tokens of a prefix, each prefix once."""
        if prefix not in self._prefixes:
            self._prefixes[prefix] = self.maker.tokenizer.count(f"{prefix}\n") if prefix else 0
        return self._prefixes[prefix]

    def _tokens(self, span: Span) -> int:
        """Count the tokens between two offsets; a word that only begins before the end counts whole."""
        return (
            self._totals[bisect_left(self._starts, span[1])]
            - self._totals[bisect_left(self._ends, span[0] + 1)]
        )


def _join(atoms: list[_Atom]) -> _Atom:
    return replace(atoms[0], span=(atoms[0].span[0], atoms[-1].span[1]))


def _lines(text: str, span: Span) -> Iterator[Span]:
    at = span[0]
    while at < span[1]:
        end = text.find("\n", at, span[1])
        end = span[1] if end < 0 else end + 1
        yield at, end
        at = end
