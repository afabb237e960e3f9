"""Plain text: paragraphs between blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_kit.parsing.blocks import Piece, build_document
from rag_kit.parsing.frontmatter import read_front_matter
from rag_kit.sentences import trim
from rag_kit.types import Document, Notice

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*|\Z")


def parse_text(
    text: str, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> Document:
    r"""Parse decoded plain text into a document of paragraphs; front matter is allowed.

    >>> doc = parse_text("One.\n\nTwo.\n", source_uri="a.txt", relative_path="a.txt")
    >>> [(b.text, b.span) for b in doc.blocks]
    [('One.', (0, 4)), ('Two.', (6, 10))]
    """
    front = read_front_matter(text)
    return build_document(
        text,
        text_pieces(text, front.end),
        front,
        source_uri=source_uri,
        relative_path=relative_path,
        notices=notices,
    )


def text_pieces(text: str, start: int) -> Iterator[Piece]:
    """Yield the paragraphs of the text that begins at ``start``, in order."""
    at = start
    for blank in _BLANK_LINES.finditer(text, start):
        span = trim(text, (at, blank.start()))
        if span[0] < span[1]:
            yield Piece("paragraph", span)
        at = blank.end()
