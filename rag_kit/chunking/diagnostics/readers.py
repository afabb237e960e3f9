"""Versions whose readers are cut off: a newer one replaces a document for people who may not read it."""

from __future__ import annotations

from collections.abc import Iterator

from rag_kit.chunking.diagnostics.findings import Finding, Place, finding
from rag_kit.chunking.diagnostics.layout import Corpus
from rag_kit.succession import find_succession
from rag_kit.wording import one_form


def check_readers(corpus: Corpus) -> Iterator[Finding]:
    """Find newer versions without some access tag of a version that they replace.

    The older one is not in force for anybody any more, so whoever has only that tag finds neither.
    """
    documents = {one_form(layout.document.document_id): layout.document for layout in corpus.layouts}
    for key, older_keys in find_succession(documents.values()).replaced.items():
        newer = documents[key]
        for older in (documents[older_key] for older_key in older_keys):
            missing = [tag for tag in older.access_tags if tag not in newer.access_tags]
            if not missing:
                continue
            tags = f"tag{'s' if len(missing) > 1 else ''} {', '.join(map(repr, missing))}"
            yield finding(
                "successor_hidden",
                f"{newer.document_id} replaces {older.document_id} without its access {tags}: whoever has no "
                f"other tag finds neither; add to {newer.document_id} what is missing, or take supersedes out",
                newer,
                newer.blocks[0].span if newer.blocks else (0, 0),
                page=newer.blocks[0].page if newer.blocks else None,
                excerpts=(newer.title, older.title),
                related=(Place(older.document_id),),
            )
