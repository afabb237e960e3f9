"""The JSON shapes that the commands print, which scripts rely on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from typing import Any

from rag_kit.fates import fate_of
from rag_kit.generation.passages import reached
from rag_kit.operations import Library
from rag_kit.parsing import Parsed
from rag_kit.retrieval import RetrievalPlan
from rag_kit.types import (
    Answer,
    Chunk,
    Citation,
    Document,
    Evidence,
    ParsedBlock,
    ParseFailure,
)


def document_json(document: Document) -> dict[str, Any]:
    """Shape a document as `parse --json` prints it."""
    row = asdict(document)
    row.pop("content_hash")
    row["blocks"] = [_block_json(block) for block in document.blocks]
    for key in ("updated_at", "expires_at", "superseded_at"):
        row[key] = row[key].isoformat() if row[key] else None
    return row


def _block_json(block: ParsedBlock) -> dict[str, Any]:
    names = (
        "block_id",
        "block_type",
        "text",
        "span",
        "page",
        "anchor",
        "heading_path",
        "confidence",
    )
    return {name: getattr(block, name) for name in names}


def parsed_json(parsed: Parsed) -> dict[str, Any]:
    """Shape what came of some paths."""
    return {"documents": [document_json(d) for d in parsed.documents], "errors": failures_json(parsed.errors)}


def failures_json(errors: Iterable[ParseFailure]) -> list[dict[str, str]]:
    """Shape the files that could not be read."""
    return [asdict(error) for error in errors]


def chunk_json(chunk: Chunk) -> dict[str, Any]:
    """Shape a chunk as `chunk --json` prints it."""
    names = (
        "chunk_id",
        "document_id",
        "text",
        "prefix",
        "span",
        "pages",
        "heading_path",
        "tokens",
        "overlap",
    )
    return {name: getattr(chunk, name) for name in names}


def index_json(library: Library, out: str) -> dict[str, Any]:
    """Shape what was saved as an index, and where."""
    return {
        "documents": len(library.documents),
        "chunks": len(library.chunks),
        "errors": failures_json(library.errors),
        "out": out,
    }


def hit_json(item: Evidence, *, as_of: date | None = None) -> dict[str, Any]:
    """Shape a piece of evidence as `search --json` prints it; a label has only what was shown in a prompt.

    ``ranks`` and ``scores`` tell by name where each retriever had the passage and what it gave it; after
    reranking so does ``hybrid``, the list that was reranked. ``score`` is that of the last step. ``expired``
    and ``superseded`` are dates that had come by ``as_of``, else null.
    """
    chunk = item.chunk
    return {
        "rank": item.rank,
        "label": None,
        "score": item.score,
        "similarity": item.similarity,
        "ranks": item.ranks,
        "scores": item.scores,
        "chunk_id": chunk.chunk_id,
        "document_id": chunk.document_id,
        "source_uri": chunk.source_uri,
        "title": chunk.title,
        "span": chunk.span,
        "pages": chunk.pages,
        "heading_path": chunk.heading_path,
        "expired": reached(chunk.expires_at, as_of) or None,
        "superseded": reached(chunk.superseded_at, as_of) or None,
        "text": chunk.text,
    }


def plan_json(plan: RetrievalPlan | None) -> dict[str, Any] | None:
    """Shape what was made of a question before it was searched for; null where nothing was."""
    return None if plan is None else plan.model_dump(mode="json")


def answer_json(answer: Answer) -> dict[str, Any]:
    """Shape an answer as `ask --json` prints it; the verdict stays null until grounding is checked.

    Each piece of evidence also says what became of it, as :func:`rag_kit.fates.fate_of` does.
    """
    chunks = {item.chunk.chunk_id: item.chunk for item in answer.evidence}
    return {
        "question": answer.question,
        "answer": answer.text,
        "refused": answer.refusal is not None,
        "refusal_reason": answer.refusal.kind if answer.refusal else None,
        "citations": [_citation_json(c, chunks.get(c.chunk_id or "")) for c in answer.citations],
        "evidence": [
            {**hit_json(item, as_of=answer.as_of), **fate_of(answer, item)} for item in answer.evidence
        ],
        "verdict": None,
        "model": answer.model,
        "usage": asdict(answer.usage),
        "rejected": list(answer.rejected),
    }


def _citation_json(citation: Citation, chunk: Chunk | None) -> dict[str, Any]:
    at = citation.source_span[0] if citation.source_span else None
    return {
        "label": citation.label,
        "status": citation.status,
        "chunk_id": citation.chunk_id,
        "document_id": chunk.document_id if chunk else None,
        "source_uri": chunk.source_uri if chunk else None,
        "page": chunk.page_at(chunk.span[0] if at is None else at) if chunk else None,
        "heading_path": (chunk.heading_path if at is None else chunk.heading_path_at(at)) if chunk else (),
        "quote": citation.quote,
        "span": citation.source_span,
        "answer_span": citation.answer_span,
    }
