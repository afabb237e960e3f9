"""Markdown: CommonMark with tables, both heading styles, fences and front matter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from rag_kit.parsing.blocks import Piece, build_document
from rag_kit.parsing.frontmatter import read_front_matter
from rag_kit.sentences import trim
from rag_kit.types import BlockType, Document, Notice, Span

if TYPE_CHECKING:
    from markdown_it.token import Token

_BLOCK_TYPES: dict[str, BlockType] = {
    "paragraph_open": "paragraph",
    "blockquote_open": "paragraph",
    "html_block": "paragraph",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
}
LONGEST_HEADING = 200
"""Characters: a longer text over a line of ``=`` or ``-`` is a paragraph that happens to stand there."""


def parse_markdown(
    text: str, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> Document:
    r"""Parse decoded Markdown into a document whose text is the file itself.

    A heading's path ends in the heading. A list, with what is nested in it, is one block.

    >>> doc = parse_markdown("# Fees\n\nThe fee is 5.\n", source_uri="a.md", relative_path="a.md")
    >>> [(b.block_type, b.text, b.heading_path) for b in doc.blocks]
    [('title', '# Fees', ('Fees',)), ('paragraph', 'The fee is 5.', ('Fees',))]
    """
    front = read_front_matter(text)
    pieces = markdown_pieces(text, front.end)
    return build_document(
        text, pieces, front, source_uri=source_uri, relative_path=relative_path, notices=notices
    )


def markdown_pieces(text: str, start: int) -> Iterator[Piece]:
    """Yield the blocks of the Markdown that begins at ``start``, in order."""
    body = text[start:]
    # CommonMark knows one line end here; str.splitlines knows ten and would shift every span after one.
    lines = list(accumulate((len(line) + 1 for line in body.split("\n")), initial=start))
    # Decoding leaves no "\r"; in a text from elsewhere one would be a line more to the parser than to us.
    tokens = MarkdownIt("commonmark").enable("table").parse(body.replace("\r", " "))
    path: list[tuple[int, str]] = []
    for position, token in enumerate(tokens):
        if token.level or token.map is None or token.nesting < 0:
            continue
        span = _span(text, lines, token)
        if span[0] == span[1]:
            continue
        if token.type == "heading_open":
            title = _inline_text(tokens[position + 1])
            if len(title) > LONGEST_HEADING and token.markup in ("=", "-"):
                yield Piece("paragraph", span, tuple(name for _, name in path))
                continue
            level = int(token.tag[1:])
            path = [(depth, name) for depth, name in path if depth < level]
            if title:
                path.append((level, title))
                yield Piece("title", span, tuple(name for _, name in path))
        elif token.type in _BLOCK_TYPES and not _is_comment(text, span):
            yield Piece(_BLOCK_TYPES[token.type], span, tuple(name for _, name in path))


def _span(text: str, lines: list[int], token: Token) -> Span:
    first, after = token.map or (0, 0)
    return trim(text, (lines[first], min(lines[min(after, len(lines) - 1)], len(text))))


def _inline_text(token: Token) -> str:
    parts = (
        child.content
        if child.type in ("text", "code_inline")
        else " "
        if child.type.endswith("break")
        else ""
        for child in token.children or ()
    )
    return " ".join("".join(parts).split())


def _is_comment(text: str, span: Span) -> bool:
    return text.startswith("<!--", span[0]) and text.find("-->", *span) == span[1] - len("-->")
