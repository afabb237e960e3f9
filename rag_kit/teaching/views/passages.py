"""A cited passage with its quotes marked: what the panel needs to know about one source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_kit.generation.quotes import quote_text
from rag_kit.hidden import visible
from rag_kit.sources import section_of
from rag_kit.spans import merge, shift
from rag_kit.teaching.markup import MARK, lines
from rag_kit.types import Answer, Chunk, Citation, HeadingPath, Span

CONTEXT = 300
"""Characters shown before and after a quote; the rest of a long passage is folded."""

_SNAP = 30


@dataclass(frozen=True, slots=True)
class CitedSource:
    """One label of an answer: the passage behind it and every citation that names it."""

    label: str
    chunk: Chunk
    citations: tuple[Citation, ...]

    @property
    def marks(self) -> list[Span]:
        """Return where the quotes stand in the passage, merged and in order."""
        return marks_in(self.chunk, (c.source_span for c in self.citations if c.source_span is not None))

    @property
    def heading(self) -> str:
        """Return title and section of the first quote."""
        offset = next((c.source_span[0] for c in self.citations if c.source_span), self.chunk.span[0])
        return visible(place(self.chunk.title, self.chunk.heading_path_at(offset)))

    @property
    def pages(self) -> list[int]:
        """Return the pages that the quotes stand on, or those of the whole passage where none was matched."""
        starts = [c.source_span[0] for c in self.citations if c.source_span is not None]
        found = {self.chunk.page_at(start) for start in starts} - {None}
        return sorted(page for page in found or self.chunk.pages if page is not None)

    @property
    def origin(self) -> str:
        """Return the document's id, and its version, its dates and the pages of its quotes, where it has any."""
        chunk, pages = self.chunk, self.pages
        facts = {
            "version": chunk.document_version,
            "updated": chunk.updated_at,
            "expires": chunk.expires_at,
            "superseded": chunk.superseded_at,
            "pages" if len(pages) > 1 else "page": ", ".join(map(str, pages)),
        }
        return " · ".join([chunk.document_id, *(f"{name} {value}" for name, value in facts.items() if value)])


def cited_sources(answer: Answer) -> tuple[CitedSource, ...]:
    """Return the sources that an answer cites, in the order in which it first names them.

    Only what the model was shown can be cited: a citation whose label stands for nothing is left out.
    """
    chunks = {item.chunk.chunk_id: item.chunk for item in answer.evidence}
    found: dict[str, list[Citation]] = {}
    for citation in answer.citations:
        if citation.status == "valid" and citation.chunk_id in chunks:
            found.setdefault(citation.label, []).append(citation)
    return tuple(
        CitedSource(label, chunks[citations[0].chunk_id or ""], tuple(citations))
        for label, citations in found.items()
    )


def place(title: str, heading_path: HeadingPath) -> str:
    """Write title and section as one line.

    >>> place("Fees", ("Fees", "Europe", "Cards"))
    'Fees › Europe › Cards'
    """
    section = section_of(title, heading_path).replace(" > ", " › ")
    return " › ".join(part for part in (title, section) if part)


def marks_in(chunk: Chunk, spans: Iterable[Span]) -> list[Span]:
    """Return where spans of a document stand in a chunk's text, merged and in order; none that is outside.

    >>> from rag_kit.testing import make_chunk
    >>> marks_in(make_chunk("The fee is 5.", start=100), [(90, 107), (104, 110), (200, 210)])
    [(0, 10)]
    """
    inside = (shift(span, -chunk.span[0]) for span in spans)
    cut = ((max(start, 0), min(end, len(chunk.text))) for start, end in inside)
    return merge((start, end) for start, end in cut if start < end)


def windows(text: str, marks: Sequence[Span], context: int = CONTEXT) -> list[Span]:
    """Return the pieces of a passage to show: each mark with its context, cut between words.

    >>> windows("word " * 100, [(250, 254)], context=52)
    [(200, 304)]
    """
    around = [(a - context, b + context) for a, b in marks] or [(0, 2 * context)]
    return merge((_snap_start(text, a), _snap_end(text, b)) for a, b in around)


def marked(text: str, marks: Sequence[Span], span: Span) -> str:
    """Write a piece of a passage as HTML, the quotes in it between ``<mark>`` tags.

    >>> marked("a fee of 5", [(2, 5)], (0, 10)).replace(f' style="{MARK}"', "")
    'a <mark>fee</mark> of 5'
    """
    at, end = span
    parts: list[str] = []
    for start, stop in marks:
        a, b = max(start, at), min(stop, end)
        if a < b:
            parts += [shown(text[at:a]), f'<mark style="{MARK}">{shown(text[a:b])}</mark>']
            at = b
    return "".join([*parts, shown(text[at:end])])


def shown(text: str) -> str:
    r"""Write a text of any origin as HTML, without the characters in it that nobody sees.

    >>> shown("a\u200b < b\nc")
    'a &lt; b<br>c'
    """
    return lines(visible(text))


def readable(chunk: Chunk, citation: Citation) -> str:
    """Return a quote without its markup, a table row with its column names; "" where that changes nothing."""
    said = quote_text(chunk, citation)
    return visible(said) if said != " ".join(citation.quote.split()) else ""


def _snap_start(text: str, at: int) -> int:
    if at <= _SNAP:
        return 0
    blank = next((i for i in range(at, min(at + _SNAP, len(text))) if text[i].isspace()), at - 1)
    return blank + 1


def _snap_end(text: str, at: int) -> int:
    if at >= len(text) - _SNAP:
        return len(text)
    return next((i for i in range(at, max(at - _SNAP, 0), -1) if text[i].isspace()), at)
