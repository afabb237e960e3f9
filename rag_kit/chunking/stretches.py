"""Stretches: the smallest units that a chunk may begin or end with, each with what a cut before it costs.

Between blocks a cut costs nothing. Inside a block it costs more the less the place is made for it: between the
lines of a list or between lines that end where they do on purpose, between sentences, between words. A table
or a code fence that fits is one stretch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rag_kit.chunking.records import ChunkMaker
from rag_kit.protocols import Tokenizer
from rag_kit.sentences import sentence_spans, table_head, trim
from rag_kit.types import Document, ParsedBlock, Span

LINE, SENTENCE, WORD = 0.1, 0.2, 1.0
"""What a cut costs before a line, a sentence and a word; an all but empty chunk costs 1."""
FINEST = 16
"""Stretches of less than a 16th of a chunk are taken together, so that there are never many to choose among."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A span that is not cut again, and the table header to show above it where a chunk begins with it."""

    span: Span
    prefix: str = ""
    repeats: bool = False
    """Whether it may stand at the end of one chunk and again at the start of the next."""
    cost: float = 0.0


class Stretches:
    """The stretches of one document; its text is tokenised once, and every count is a difference of two sums."""

    def __init__(self, document: Document, tokenizer: Tokenizer, size: int) -> None:
        self.document = document
        self.maker = ChunkMaker(document, tokenizer)
        self.size = size
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._totals = [0]
        self._prefixes: dict[str, int] = {}
        for (start, end), tokens in tokenizer.word_spans(document.text):
            self._starts.append(start)
            self._ends.append(end)
            self._totals.append(self._totals[-1] + tokens)

    def sections(self) -> Iterator[list[Stretch]]:
        """Yield the stretches under each heading, the heading left out; a heading with nothing under it stays."""
        for section in self._sections():
            room = self.room(section[0].span[0])
            yield list(self._together((p for block in section for p in self._stretches(block, room)), room))

    def room(self, offset: int) -> int:
        """Return the tokens that are left for text in a chunk that begins at ``offset``."""
        return max(self.size - self.maker.head_tokens(offset), self.size // 2, 1)

    def count(self, prefix: str) -> int:
        """Count the tokens of a prefix, each prefix once."""
        if prefix not in self._prefixes:
            self._prefixes[prefix] = self.maker.tokenizer.count(f"{prefix}\n") if prefix else 0
        return self._prefixes[prefix]

    def tokens(self, span: Span) -> int:
        """Count the tokens between two offsets; a word that only begins before the end counts whole."""
        return (
            self._totals[bisect_left(self._starts, span[1])]
            - self._totals[bisect_left(self._ends, span[0] + 1)]
        )

    def words(self, span: Span, room: int, prefix: str = "", later: str = "") -> Iterator[Stretch]:
        """Cut between words what has no better place to be cut; from the second stretch on under ``later``."""
        # A span may begin inside a run: sentences of scripts without blanks do.
        first, after = bisect_left(self._ends, span[0] + 1), bisect_left(self._starts, span[1])
        cost = 0.0
        while first < after:
            last, left = first + 1, room - self.count(prefix)
            while last < after and self._totals[last + 1] - self._totals[first] <= left:
                last += 1
            cut = (max(self._starts[first], span[0]), min(self._ends[last - 1], span[1]))
            yield Stretch(cut, prefix, cost=cost)
            first, prefix, cost = last, later, WORD

    def _sections(self) -> Iterator[list[ParsedBlock]]:
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

    def _stretches(self, block: ParsedBlock, room: int) -> Iterator[Stretch]:
        """Yield the stretches of a block; a cut before its first costs nothing."""
        whole = block.block_type in ("table", "code", "title")
        if whole and self.tokens(block.span) <= room:
            yield Stretch(block.span)
        elif block.block_type == "table":
            yield from self._rows(block, room)
        else:
            cost = 0.0
            for span, before in self._lines_and_sentences(block):
                if self.tokens(span) <= room:
                    yield Stretch(span, repeats=block.block_type == "paragraph", cost=cost and before)
                else:
                    first, *rest = self.words(span, room)
                    yield replace(first, cost=cost and before)
                    yield from rest
                cost = SENTENCE

    def _lines_and_sentences(self, block: ParsedBlock) -> Iterator[tuple[Span, float]]:
        text = self.document.text
        lines = [trim(text, line) for line in _lines(text, block.span)]
        lines = [line for line in lines if line[0] < line[1]]
        if block.block_type != "paragraph":
            yield from ((line, LINE) for line in lines)
            return
        for part in [block.span] if is_wrapped(text, lines) else lines:
            for number, sentence in enumerate(sentence_spans(text, part)):
                yield sentence, SENTENCE if number else LINE

    def _rows(self, block: ParsedBlock, room: int) -> Iterator[Stretch]:
        """Yield a long table's rows; from the second chunk on they stand under the header as a prefix."""
        text = self.document.text
        head_end = table_head(text, block.span)
        prefix = text[block.span[0] : head_end].rstrip("\n")
        # A header that alone fills half a chunk would leave no room for rows: they go on without it.
        if self.count(prefix) > room // 2:
            prefix = ""
        for number, line in enumerate(_lines(text, (head_end, block.span[1]))):
            row = trim(text, (block.span[0], line[1]) if number == 0 else line)
            if row[0] == row[1]:
                continue
            carried, cost = (prefix, LINE) if number else ("", 0.0)
            if self.tokens(row) + self.count(carried) > room:
                first, *rest = self.words(row, room, carried, prefix)
                yield replace(first, cost=cost)
                yield from rest
            else:
                yield Stretch(row, carried, cost=cost)

    def _together(self, stretches: Iterator[Stretch], room: int) -> Iterator[Stretch]:
        """Take tiny stretches together with what follows them."""
        least = room // FINEST
        held: Stretch | None = None
        for stretch in stretches:
            joined = held and join(held, stretch)
            if (
                held
                and joined
                and self.tokens(held.span) < least
                and self.tokens(joined.span) + self.count(held.prefix) <= room
            ):
                held = joined
                continue
            if held:
                yield held
            held = stretch
        if held:
            yield held


def join(one: Stretch, two: Stretch) -> Stretch:
    """Return the stretch from where one begins to where the other ends.

    >>> join(Stretch((0, 5), cost=0.2), Stretch((6, 9), cost=0.1)).span
    (0, 9)
    """
    return replace(one, span=(one.span[0], two.span[1]), repeats=one.repeats and two.repeats)


def is_wrapped(text: str, lines: list[Span]) -> bool:
    r"""Tell whether the lines of a paragraph end where the next word would not have fitted.

    >>> text = "Some words that\nwere wrapped at\nfifteen signs."
    >>> is_wrapped(text, [(0, 15), (16, 31), (32, 46)])
    True
    >>> is_wrapped("A: yes\nB: I think not\nA: no", [(0, 6), (7, 21), (22, 27)])
    False
    """
    width = max((end - start for start, end in lines), default=0)
    full = 0
    for (start, end), (below, below_end) in zip(lines, lines[1:], strict=False):
        first_word = text[below : min(below_end, below + width + 1)].split(maxsplit=1)[0]
        full += end - start + 1 + len(first_word) > width
    return len(lines) > 1 and 4 * full >= 3 * (len(lines) - 1)


def _lines(text: str, span: Span) -> Iterator[Span]:
    at = span[0]
    while at < span[1]:
        end = text.find("\n", at, span[1])
        end = span[1] if end < 0 else end + 1
        yield at, end
        at = end
