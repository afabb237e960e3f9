"""What one version of a document does to another: the newer one ends the older."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rag_kit.notices import RELATION
from rag_kit.succession import find_succession
from rag_kit.types import Document, Notice
from rag_kit.wording import one_form


def end_superseded(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Date the end of each version that another of these documents supersedes, and of no other.

    ``supersedes: ID`` ends the older version on the newer one's ``updated_at``; of two that replace the
    same one, the earlier ends it. One that has no effect gives a notice
    (:mod:`rag_kit.succession` has the rules). Take the newer document away and call again, and the older
    version is in force again.
    """
    held = {one_form(document.document_id): _by_itself(document) for document in documents}
    found = find_succession(held.values())
    for key, why in found.faults.items():
        held[key] = replace(held[key], notices=(*held[key].notices, Notice(RELATION, why)))
    for newer, replaced in found.replaced.items():
        for older in replaced:
            ends = min(filter(None, (held[older].superseded_at, held[newer].updated_at)))
            held[older] = replace(held[older], superseded_at=ends)
    return tuple(held.values())


def _by_itself(document: Document) -> Document:
    """Return a document as it is with no other beside it."""
    notices = tuple(notice for notice in document.notices if notice.code != RELATION)
    return replace(document, superseded_at=None, notices=notices)
