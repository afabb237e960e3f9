"""A file's fields in a file beside it: ``fees.pdf.meta.yaml`` says of ``fees.pdf`` what front matter would."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rag_kit.errors import UnreadableDocument
from rag_kit.parsing.decoding import decode
from rag_kit.parsing.frontmatter import LONGEST, FrontMatter, read_fields
from rag_kit.types import Document, Notice, ParseFailure
from rag_kit.wording import one_form

SUFFIX = ".meta.yaml"
_NO_FIELDS = "is ignored: write `title: ...`, `updated_at: YYYY-MM-DD`, `access_tags: [...]`"


def described_by(path: Path) -> Path | None:
    """Return the file that a sidecar describes, or None for a file that is no sidecar.

    >>> described_by(Path("docs/fees.pdf.meta.yaml")).name
    'fees.pdf'
    """
    name = path.name
    if not name.endswith(SUFFIX) or name == SUFFIX:
        return None
    return path.with_name(name[: -len(SUFFIX)])


def read_sidecar(path: Path) -> FrontMatter | None:
    """Read the fields beside a file; None where there is no sidecar.

    One that cannot be used gives a notice and empty access tags, so that its document stays private.
    """
    beside = path.with_name(path.name + SUFFIX)
    try:
        if not beside.is_file():
            return None
        if beside.stat().st_size > 4 * (LONGEST + 1):  # bytes of the longest letters, and a mark
            return _too_long()
        text, notices = decode(beside.read_bytes(), beside.as_posix())
    except OSError as error:
        return _ignored(f"cannot be read ({(error.strerror or str(error)).lower()}) and {_NO_FIELDS}")
    except UnreadableDocument as error:
        return _ignored(f"cannot be read ({error.message}) and {_NO_FIELDS}")
    if len(text) > LONGEST:
        return _too_long()
    fields = read_fields(text, what="sidecar")
    if fields is None:
        return _ignored(f"holds no fields and {_NO_FIELDS}")
    # Where there is no telling what was given, tags may have been.
    given = fields.given if fields.given or not fields.notices else frozenset({"access_tags"})
    return replace(fields, notices=(*notices, *fields.notices), given=given)


def _too_long() -> FrontMatter:
    return _ignored(f"has more than {LONGEST:,} characters and {_NO_FIELDS}")


def _ignored(message: str) -> FrontMatter:
    notice = Notice("sidecar", f"the file beside it ({SUFFIX}) {message}")
    return FrontMatter(notices=(notice,), given=frozenset({"access_tags"}))


def apply_front_matter(document: Document, front: FrontMatter) -> Document:
    """Return a document with the fields that are given elsewhere: each wins over the document's own.

    Free keys are added to the metadata. A new id goes to the blocks and their ids too.
    """
    shared: dict[str, Any] = {
        "document_id": one_form(front.document_id or document.document_id),
        "document_version": front.document_version or document.document_version,
        "updated_at": front.updated_at or document.updated_at,
        "access_tags": front.access_tags if "access_tags" in front.given else document.access_tags,
    }
    own = document.document_id + "#"
    blocks = tuple(
        replace(
            block,
            **shared,
            block_id=f"{shared['document_id']}#{block.block_id.removeprefix(own)}",
        )
        for block in document.blocks
    )
    return replace(
        document,
        **shared,
        blocks=blocks,
        title=front.title or document.title,
        expires_at=front.expires_at or document.expires_at,
        metadata={**document.metadata, **front.metadata},
        notices=(*document.notices, *front.notices),
    )


def describe(
    results: Iterable[Document | ParseFailure], front: FrontMatter | None, path: Path, *, single: bool
) -> list[Document | ParseFailure]:
    """Give the one document of a file the fields beside it; of a file of several that is an error."""
    if front is None:
        return list(results)
    if single:
        return [apply_front_matter(r, front) if isinstance(r, Document) else r for r in results]
    beside = path.with_name(path.name + SUFFIX)
    message = f"the rows of {path.name} carry their own fields: write them there and take this file away"
    return [*results, ParseFailure(beside.as_posix(), "sidecar", message)]
