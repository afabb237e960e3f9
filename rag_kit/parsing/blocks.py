"""From pieces of a text to a document: what every parser shares."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from rag_kit.hidden import count_hidden
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.types import BlockType, Document, HeadingPath, Notice, ParsedBlock, Span
from rag_kit.wording import one_form


@dataclass(frozen=True, slots=True)
class Piece:
    """A block before it knows its document: what it is, where it stands, and under which headings.

    ``anchor`` is the id that a link to the block would end in; ``page`` counts from 1, and ``confidence``
    says from 0 to 1 how sure a text recognition was.
    """

    block_type: BlockType
    span: Span
    heading_path: HeadingPath = ()
    anchor: str | None = None
    page: int | None = None
    confidence: float | None = None


def build_document(
    text: str,
    pieces: Iterable[Piece],
    front: FrontMatter,
    *,
    source_uri: str,
    relative_path: str,
    title: str | None = None,
    notices: Iterable[Notice] = (),
) -> Document:
    """Make a document of a text and its pieces; ids and dates come from the front matter or the path.

    ``title`` stands in where neither the front matter nor a heading names the document.
    """
    pieces = list(pieces)
    document_id = one_form(front.document_id or relative_path)
    first_title = next(
        (piece.heading_path[-1] for piece in pieces if piece.block_type == "title" and piece.heading_path),
        None,
    )
    blocks = tuple(
        ParsedBlock(
            document_id=document_id,
            document_version=front.document_version,
            block_id=f"{document_id}#b{number}",
            block_type=piece.block_type,
            text=text[piece.span[0] : piece.span[1]],
            span=piece.span,
            page=piece.page,
            anchor=piece.anchor,
            heading_path=piece.heading_path,
            source_uri=source_uri,
            updated_at=front.updated_at,
            access_tags=front.access_tags,
            confidence=piece.confidence,
        )
        for number, piece in enumerate(pieces, start=1)
    )
    found = [*notices, *front.notices]
    if hidden := count_hidden(text):
        message = (
            f"holds {hidden} hidden characters (zero-width or tags): look at the text before trusting it"
        )
        found.append(Notice("hidden_characters", message))
    if not blocks:
        found.append(Notice("empty", "nothing to index: the file holds no text"))
    return Document(
        document_id=document_id,
        source_uri=source_uri,
        title=front.title or first_title or title or PurePosixPath(relative_path).stem,
        text=text,
        blocks=blocks,
        metadata=front.metadata,
        content_hash=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        document_version=front.document_version,
        updated_at=front.updated_at,
        expires_at=front.expires_at,
        access_tags=front.access_tags,
        notices=tuple(found),
    )
