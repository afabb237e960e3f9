"""HTML: a page's content as Markdown-like text, its furniture left out, its meta tags as the document's fields.

The page is parsed as browsers parse it, so that broken markup gives what a reader would see.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from rag_kit.parsing.blocks import build_document
from rag_kit.parsing.decoding import decode
from rag_kit.parsing.frontmatter import front_matter_of
from rag_kit.parsing.html.inline import flat_text
from rag_kit.parsing.html.parts import content_roots
from rag_kit.parsing.html.writer import PageWriter
from rag_kit.parsing.raised import raised
from rag_kit.types import Document, Notice

# A browser looks for the encoding in the first 1,024 bytes; pages with long comments before it exist.
_LOOKED_AT = 4_096
_COMMENT = re.compile(rb"<!--.*?-->", re.S)
_CHARSET = re.compile(
    rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([\w:.-]+)|<\?xml\s[^>]*?encoding\s*=\s*[\"']([\w:.-]+)", re.I
)
# For browsers and search engines, not about the document.
_MACHINERY = re.compile(
    r"viewport|robots|googlebot|generator|referrer|color-scheme|theme-color|format-detection|csrf-\w+"
    r"|.*-verification|msapplication-.*|apple-.*|mobile-web-.*|twitter:.*"
)


def parse_html(
    content: bytes | str, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> Document:
    r"""Parse a page, from its bytes or decoded, into a document whose text is written here, once.

    Only ``main`` is read where there is one, else the articles, else the body. Raises UnreadableDocument
    where the bytes cannot be decoded, and for no markup.

    >>> page = "<title>Fees</title><h1>Fees</h1><p>Within <b>30</b>&nbsp;days<i>.</i><ul><li>Card<li>Bank</ul>"
    >>> print(parse_html(page, source_uri="a.html", relative_path="a.html").text)
    # Fees
    <BLANKLINE>
    Within 30 days.
    <BLANKLINE>
    - Card
    - Bank
    """
    if isinstance(content, bytes):
        content, found = decode(content, source_uri, declared=declared_encoding(content))
        notices = (*notices, *found)
    page = LexborHTMLParser(content)
    front = front_matter_of(_meta(page))
    title = front.title or _first_text(page, "head > title") or _first_text(page, "h1")
    _raise_exponents(page)
    writer = PageWriter()
    for roots in content_roots(page):
        for root in roots:
            writer.write(root)
        if writer.pieces:  # The frame of a page that a script fills is empty: then the rest is all there is.
            break
    return build_document(
        writer.text,
        writer.pieces,
        replace(front, title=title),
        source_uri=source_uri,
        relative_path=relative_path,
        notices=notices,
    )


def declared_encoding(content: bytes) -> str | None:
    """Return the encoding that a page says it is in.

    >>> declared_encoding(b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">')
    'koi8-r'
    """
    match = _CHARSET.search(_COMMENT.sub(b"", content[:_LOOKED_AT]))
    return (match[1] or match[2]).decode("ascii", "replace") if match else None


def _meta(page: LexborHTMLParser) -> dict[str, Any]:
    """Return the named meta tags of the head; of two with one name the first, as tags may not widen access."""
    fields: dict[str, Any] = {}
    for node in page.css("head > meta[name]"):
        name = (node.attributes.get("name") or "").strip()
        content = (node.attributes.get("content") or "").strip()
        if name and content and not _MACHINERY.fullmatch(name.lower()):
            fields.setdefault(name, re.split(r"[,\s]+", content) if name == "access_tags" else content)
    return fields


def _first_text(page: LexborHTMLParser, selector: str) -> str | None:
    node = page.css_first(selector)
    return (
        (" ".join(node.text().split()) if selector.endswith("title") else flat_text(node)) or None
        if node
        else None
    )


def _raise_exponents(page: LexborHTMLParser) -> None:
    """Write a raised number after a digit in raised figures: 10 to the 6th is not 106."""
    for node in page.css("sup"):
        power, before = raised(node.text()), node.prev
        if before is not None and power and _ends_in_digit(before):
            node.replace_with(power)


def _ends_in_digit(node: LexborNode) -> bool:
    text = node.text_content if node.is_text_node else node.text()
    return (text or "")[-1:].isdigit()
