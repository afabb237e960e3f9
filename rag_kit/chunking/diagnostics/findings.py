"""The record of a finding, and the table of all codes with how bad each is and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rag_kit.excerpts import one_line
from rag_kit.types import Chunk, Document, Span

Severity = Literal["error", "warning", "hint"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "hint")
"""Worst first: an error loses an answer, a warning may, a hint is worth a look."""

CODES: dict[str, tuple[Severity, str]] = {
    "chunk_too_large": ("error", "the embedder reads only the beginning of the chunk"),
    "number_parted_from_label": ("error", "a number stands in another chunk than the words that name it"),
    "table_without_header": ("error", "rows of a table stand in a chunk without their column labels"),
    "unmapped_characters": ("error", "characters that no font or encoding mapped to letters"),
    "no_text_layer": ("error", "pages that are pictures: no text was read"),
    "page_failed": ("error", "a page could not be read"),
    "encoding_change": ("warning", "a part of the text is in another encoding than the rest"),
    "sentence_cut": ("warning", "no chunk holds the whole sentence"),
    "heading_orphaned": ("warning", "a heading stands in another chunk than what is under it"),
    "word_soup": ("warning", "words and numbers without sentences: a table or form that was flattened"),
    "displaced_equation": ("warning", "an equation was broken into single signs"),
    "displaced_footnote": ("warning", "a footnote stands inside a sentence, or a mark has no note"),
    "duplicate_chunk": ("warning", "the same text stands in several chunks"),
    "near_duplicate_chunk": ("warning", "nearly the same text stands in several chunks"),
    "versions_of_one_document": ("warning", "documents that look like versions, and none supersedes another"),
    "successor_hidden": ("warning", "a newer version is hidden from readers of the one that it replaces"),
    "ocr_low_confidence": ("warning", "text recognition was not sure of what it read"),
    "hidden_characters": ("warning", "characters that nobody sees"),
    "empty": ("warning", "a document without text"),
    "language_change": ("hint", "a part is in another language or script than the rest"),
    "repeated_boilerplate": ("hint", "a line that is repeated on pages or in documents"),
    "chunk_too_small": ("hint", "a chunk too short to say anything by itself"),
    "tracked_changes": ("hint", "changes were read as accepted"),
}
"""Code to severity, where a check does not say otherwise, and meaning. Notices may bring further codes."""

_AROUND = 70
LONGEST_EXCERPT = 160
BORDER = "‖"
"""Stands in an excerpt where a chunk ends."""


@dataclass(frozen=True, slots=True)
class Place:
    """Another place that a finding is about: a document, and where it can be told, a span and a chunk."""

    document_id: str
    span: Span | None = None
    chunk_id: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the text or the chunks that can lose an answer.

    ``code`` is stable; ``message`` says in a line what is wrong and the mend. ``span`` is in characters of
    the document; ``chunk_id`` is None where the text itself is at fault. In an excerpt, ``‖`` is a border
    between chunks. ``related`` names the other places of a finding about several.
    """

    code: str
    severity: Severity
    message: str
    document_id: str
    source_uri: str
    span: Span
    page: int | None = None
    chunk_id: str | None = None
    excerpts: tuple[str, ...] = ()
    related: tuple[Place, ...] = ()


def finding(
    code: str,
    message: str,
    of: Document | Chunk,
    span: Span,
    *,
    severity: Severity | None = None,
    page: int | None = None,
    chunk_id: str | None = None,
    excerpts: tuple[str, ...] = (),
    related: tuple[Place, ...] = (),
) -> Finding:
    """Make a finding about a place of a document; the severity is the code's unless given."""
    severity = severity or CODES[code][0]
    return Finding(
        code, severity, message, of.document_id, of.source_uri, span, page, chunk_id, excerpts, related
    )


def excerpt(text: str, span: Span) -> str:
    r"""Return the words at a span on one line, cut where they are many.

    >>> excerpt("The fee\n is 5.", (0, 14))
    'The fee is 5.'
    """
    # A whole document is not split into words for the sake of its first line.
    return one_line(text[span[0] : min(span[1], span[0] + 4 * LONGEST_EXCERPT)], LONGEST_EXCERPT)


def excerpt_at_border(text: str, end: int, start: int | None = None) -> str:
    """Return the words on both sides of a border between chunks.

    >>> excerpt_at_border("The limit is 45 kg.", 12)
    'The limit is ‖ 45 kg.'
    """
    start = end if start is None else start
    before = " ".join(text[max(end - _AROUND, 0) : end].split())
    after = " ".join(text[start : start + _AROUND].split())
    return (
        f"{'…' if end > _AROUND else ''}{before} {BORDER} {after}{'…' if start + _AROUND < len(text) else ''}"
    )
