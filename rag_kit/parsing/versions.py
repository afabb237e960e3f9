"""What one version of a document does to another: the newer one ends the older."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from rag_kit.types import Document, Notice


def end_superseded(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Date the end of each version that another of these documents supersedes, and of no other.

    ``supersedes: ID`` ends the older version on the newer one's ``updated_at``; of two that replace the
    same one, the earlier ends it. One that has no effect gives a notice. Take the newer document away and
    call again, and the older version is in force again.
    """
    dated = {_key(document.document_id): replace(document, superseded_at=None) for document in documents}
    for newer in list(dated.values()):
        if not (named := newer.metadata.get("supersedes")):
            continue
        older_id = _key(str(named))
        if why := _fault(newer, older_id, dated):
            notice = Notice("supersedes", f"supersedes {older_id!r} has no effect: {why}")
            held = dated[_key(newer.document_id)]
            if notice not in held.notices:
                dated[_key(newer.document_id)] = replace(held, notices=(*held.notices, notice))
            continue
        older = dated[older_id]
        ends = min(filter(None, (older.superseded_at, newer.updated_at)))
        dated[older_id] = replace(older, superseded_at=ends)
    return tuple(dated.values())


def _key(document_id: str) -> str:
    """Return an id in the one form that its accents are compared in."""
    return unicodedata.normalize("NFC", document_id)


def _fault(newer: Document, older_id: str, known: dict[str, Document]) -> str | None:
    if older_id == _key(newer.document_id):
        return "it is the document itself"
    if newer.updated_at is None:
        return "the document has no updated_at"
    return None if older_id in known else "no other document has that id"
