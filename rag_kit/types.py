"""The records that travel down the pipeline, in pipeline order.

One invariant holds for all of them: **every span slices back to its text**. A block, a chunk and a
located quote are each ``document.text[start:end]``; nothing is found again by searching.

Records are frozen dataclasses; ``pydantic.TypeAdapter(Record)`` reads and writes them as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

Span = tuple[int, int]
"""Start and end (exclusive) in characters of the document's text."""

HeadingPath = tuple[str, ...]
LONGEST_HEAD = 120
"""Characters of title and heading path that are put before a text."""

BlockType = Literal["paragraph", "title", "table", "code", "list"]
CitationStatus = Literal["valid", "unknown_label"]
RefusalKind = Literal["no_evidence", "declined", "uncited", "unverified", "not_definitive"]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a reader of the document should know; the document was still read."""

    code: str
    message: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """A file that could not be read; the rest of the folder was."""

    source_uri: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ParsedBlock:
    """One paragraph, title, table, code fence or list, as it stands in the document."""

    document_id: str
    document_version: str | None
    block_id: str
    block_type: BlockType
    text: str
    span: Span
    page: int | None
    anchor: str | None
    heading_path: HeadingPath
    source_uri: str
    updated_at: date | None
    access_tags: tuple[str, ...]
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One file, decoded once: for Markdown and text, ``text`` is the file itself."""

    document_id: str
    source_uri: str
    title: str
    text: str
    blocks: tuple[ParsedBlock, ...]
    metadata: dict[str, Any]
    content_hash: str
    document_version: str | None = None
    updated_at: date | None = None
    expires_at: date | None = None
    superseded_at: date | None = None
    access_tags: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one document: the unit that is embedded, retrieved, shown and cited.

    ``tokens`` counts the embedder's tokens of :meth:`embed_text`, special tokens included.
    ``overlap`` counts the characters that it shares with the chunk before it.
    ``headings`` holds each heading path that begins inside the chunk, with its offset in the document, so
    that a quote from the chunk's second section is not shown under its first. ``page_starts`` does the same
    for pages, its first entry being where the chunk begins.
    """

    chunk_id: str
    document_id: str
    title: str
    text: str
    span: Span
    heading_path: HeadingPath
    source_uri: str
    content_hash: str
    tokens: int
    pages: tuple[int, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    access_tags: tuple[str, ...] = ()
    document_version: str | None = None
    updated_at: date | None = None
    expires_at: date | None = None
    superseded_at: date | None = None
    prefix: str = ""
    overlap: int = 0
    parent_id: str | None = None
    headings: tuple[tuple[int, HeadingPath], ...] = ()
    page_starts: tuple[tuple[int, int], ...] = ()

    def embed_text(self, *, contextual: bool = True) -> str:
        """Return what the embedder reads: title, heading path and prefix, then the text.

        Without ``contextual`` it is the prefix, a cut table's header, and the text.
        """
        title, path = (self.title, self.heading_path) if contextual else ("", ())
        return embed_text(title, path, self.prefix, self.text)

    def heading_path_at(self, offset: int) -> HeadingPath:
        """Return the heading path in force at ``offset`` of the document."""
        path = self.heading_path
        for start, begins in self.headings:
            if start > offset:
                break
            path = begins
        return path

    def page_at(self, offset: int) -> int | None:
        """Return the page that ``offset`` of the document stands on; None where there are no pages."""
        page = self.pages[0] if self.pages else None
        for start, begins in self.page_starts:
            if start > offset:
                break
            page = begins
        return page


def below_title(title: str, heading_path: HeadingPath) -> HeadingPath:
    """Return a heading path without a first heading that only repeats the title.

    >>> below_title("Fees", ("Fees", "Europe"))
    ('Europe',)
    """
    return heading_path[1:] if heading_path and heading_path[0] == title else heading_path


def embed_text(title: str, heading_path: HeadingPath, prefix: str, text: str) -> str:
    r"""Put title, heading path and prefix before a text, as the embedder reads it.

    A first heading that only repeats the title is left out, and of a very long path the end is kept, so
    that the text always has most of the chunk.

    >>> embed_text("Fees", ("Fees", "Europe"), "", "The fee is 5.")
    'Fees > Europe\nThe fee is 5.'
    """
    parts = (title, *below_title(title, heading_path))
    head = " > ".join(part for part in parts if part)[-LONGEST_HEAD:]
    return "\n".join(part for part in (head, prefix, text) if part)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A chunk that a retriever returned. Higher ``score`` is better; ``rank`` counts from 1.

    ``similarity`` is the cosine to the query and survives fusion and reranking; ``ranks`` says where each
    retriever had put the chunk, and ``scores`` what it had given it.
    """

    chunk: Chunk
    rank: int
    score: float
    similarity: float | None = None
    ranks: dict[str, int] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Citation:
    """A label in an answer and the words behind it.

    ``answer_span`` is where the label stands in the answer. ``source_span`` is where ``quote`` stands in
    the document, or None where no sentence of the chunk could be matched to the claim.
    """

    label: str
    chunk_id: str | None
    quote: str
    answer_span: Span
    source_span: Span | None
    status: CitationStatus


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that was not given, and why. A refusal is a result."""

    kind: RefusalKind
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of the model calls behind one answer; ``calls`` is 0 where none was made."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Add up two usages.

        >>> Usage(10, 2, 1) + Usage(5, 1, 1)
        Usage(prompt_tokens=15, completion_tokens=3, calls=2)
        """
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What is shown: a text with checked citations, or a refusal.

    ``evidence`` is all that was retrieved, best first; ``labels`` maps the labels of this one prompt to the
    chunks that the model saw, and ``spans`` to what it saw of each. Evidence without a label was left out: as
    a copy or an older version, and then ``folded`` maps its chunk to the one in its place and the reason, or
    by the budget. ``rejected`` keeps drafts that failed the check, to look at; they are never shown as answers.
    ``as_of`` is the day of the question.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    refusal: Refusal | None
    evidence: tuple[Evidence, ...]
    model: str
    usage: Usage
    labels: dict[str, str] = field(default_factory=dict)
    rejected: tuple[str, ...] = ()
    folded: dict[str, tuple[str, str]] = field(default_factory=dict)
    spans: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    as_of: date | None = None

    def evidence_of(self, citation: Citation) -> Evidence:
        """Return the evidence that a citation names; raises KeyError for a label that was never shown."""
        return {item.chunk.chunk_id: item for item in self.evidence}[citation.chunk_id or ""]
