"""What the commands print for a reader: a line or two for each document, chunk, hit and citation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from rag_kit.excerpts import one_line
from rag_kit.generation.compression import best_snippets
from rag_kit.generation.passages import reached
from rag_kit.generation.quotes import quote_text
from rag_kit.hidden import for_terminal
from rag_kit.operations import Library
from rag_kit.parsing import Parsed
from rag_kit.sources import section_of
from rag_kit.types import Answer, Chunk, Evidence, RefusalKind
from rag_kit.wording import content_words

EXCERPT = 110
LONGEST_HIT = 160
BEFORE = 40
"""Letters that are shown before the first word that was looked for."""


def index_text(library: Library, out: str) -> str:
    """Say what was saved as an index, and where."""
    return f"{out}: {len(library.documents)} documents, {len(library.chunks)} chunks"


def parsed_text(parsed: Parsed) -> str:
    """Say in a line a document what was read."""
    return _lines(
        f"{_named(d.document_id)}  {_named(d.title)}  ({len(d.blocks)} blocks, {len(d.text.split())} words"
        + (f", superseded {d.superseded_at}" if d.superseded_at else "")
        + ")"
        for d in parsed.documents
    )


def chunks_text(chunks: Iterable[Chunk]) -> str:
    """Say in a line a chunk where it stands and how it begins."""
    return _lines(f"{_named(c.chunk_id)}  {c.tokens} tokens  {_excerpt(c.text)}" for c in chunks)


UNASKED = "not searched: this asks nothing of the documents"
"""Said of small talk, which a plan routes past the search."""


def hits_text(
    hits: Sequence[Evidence], query: str = "", *, as_of: date | None = None, searched: bool = True
) -> str:
    """Say in two lines a hit how close it is, where each list had it, where it stands and what it says.

    What it says is the sentence, item or table row of the passage that holds most of the query's words, the
    rare ones first; of a passage that holds none of them, how it begins.
    """
    words = set(content_words(query))
    # Where there is one list, its places are the ranks.
    named = any(len(item.ranks) > 1 or set(item.ranks.values()) - {item.rank} for item in hits)
    lines = []
    for item, best in zip(hits, best_snippets(hits, query), strict=True):
        at = best.span[0] if best else 0
        said = _from_its_words(best.text, words) if best else item.chunk.text
        cut = "… " if at else ""
        lines.append(
            f"{item.rank}. {_closeness(item, named)}  {_place(item.chunk, item.chunk.span[0] + at, as_of)}"
        )
        lines.append(f"   {_excerpt(cut + said.removeprefix(cut), LONGEST_HIT)}")
    return _lines(lines or ["no passage found" if searched else UNASKED])


def _closeness(item: Evidence, named: bool) -> str:
    """Say how close a hit is, and its place in each list that has it."""
    if item.similarity is not None:
        said = f"similarity {item.similarity:.3f}"
    else:
        said = f"bm25 {item.scores['bm25']:.3f}" if "bm25" in item.scores else "–"
    places = ", ".join(f"{name} {rank}" for name, rank in item.ranks.items())
    return f"{said} ({places})" if named and places else said


def answer_text(answer: Answer, *, searched: bool = True) -> str:
    """Write an answer with its sources beneath, each with the words that it rests on."""
    lines = [answer.text]
    if answer.refusal:
        why = _why_refused(answer, answer.refusal.kind) if searched else UNASKED
        lines.append(f"\n(refused: {why})")
    chunks = {item.chunk.chunk_id: item.chunk for item in answer.evidence}
    for citation in answer.citations:
        chunk = chunks.get(citation.chunk_id or "")
        if chunk is None:
            lines.append(f"\n{citation.label} (no source with this label was shown)")
            continue
        at = citation.source_span[0] if citation.source_span else chunk.span[0]
        lines.append(f"\n{citation.label} {_place(chunk, at, answer.as_of)}")
        quote = quote_text(chunk, citation)
        lines.append(f'    "{quote}"' if quote else "    (no sentence of this passage matches; look at it)")
    return _lines(lines)


def _why_refused(answer: Answer, kind: RefusalKind) -> str:
    """Say what kind of refusal it is, and what became of the passages."""
    found, shown = len(answer.evidence), len(answer.labels)
    if kind == "no_evidence":
        return "no evidence: " + (
            f"none of the passages retrieved ({found}) is close enough" if found else "no passage was found"
        )
    read = f"{shown} of the {found} passages retrieved, which search lists"
    if kind == "declined":
        return f"the model found no answer in what it was shown: {read}"
    return f"{kind.replace('_', ' ')}; the model was shown {read}"


def _lines(lines: Iterable[str]) -> str:
    """Join lines for a terminal: what a document says cannot steer it."""
    return for_terminal("\n".join(lines))


def _place(chunk: Chunk, offset: int, as_of: date | None = None) -> str:
    section, page = section_of(chunk.title, chunk.heading_path_at(offset)), chunk.page_at(offset)
    parts = (chunk.title, section, f"page {page}" if page is not None else "")
    ended = {"expired": chunk.expires_at, "superseded": chunk.superseded_at}
    marks = [f", {word} {day}" for word, date_ in ended.items() if (day := reached(date_, as_of))]
    return _named(", ".join(part for part in parts if part) + f"  ({chunk.source_uri}{''.join(marks)})")


def _from_its_words(text: str, words: set[str]) -> str:
    """Begin a text that is too long to be shown shortly before the first of the words that are looked for."""
    if len(text) <= LONGEST_HIT:
        return text
    spans = (match.span() for match in re.finditer(r"[^\s;:,()]+", text))
    first = next((start for start, end in spans if words.intersection(content_words(text[start:end]))), 0)
    start = text.rfind(" ", 0, max(0, first - BEFORE)) + 1
    return f"… {text[start:]}" if first > LONGEST_HIT - BEFORE else text


def _named(name: str) -> str:
    """Write a name on one line: that of a file may hold line breaks, and would look like two."""
    return name.replace("\n", "[U+000A]")


def _excerpt(text: str, most: int = EXCERPT) -> str:
    return one_line(for_terminal(text), most)
