"""Words of a page: which elements break a line, how blanks fold, and what stands in a cell or a code block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from rag_kit.parsing.html.parts import HEADINGS, SECTIONS, left_out

LISTS = frozenset(["ul", "ol", "menu", "dir", "dl"])
PREFORMATTED = frozenset(["pre", "listing", "xmp", "plaintext"])
_BLOCK_NAMES = """
address blockquote body caption center dd details dialog div dt fieldset figcaption figure footer form header
hgroup hr legend li p search summary table tbody td tfoot th thead tr
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_BLANKS = re.compile(r"[ \t\n\r\f\xa0\u2007\u202f]+")


def is_block(tag: str) -> bool:
    """Tell whether an element stands on lines of its own; an element that HTML does not know is a word."""
    return tag in _BLOCKS or tag in SECTIONS or tag in HEADINGS or tag in LISTS or tag in PREFORMATTED


def fold(text: str) -> str:
    r"""Fold runs of blanks and line ends to one blank, no-break spaces too.

    >>> fold("30 \n days")
    '30 days'
    """
    return _BLANKS.sub(" ", text)


def tidy(text: str) -> str:
    r"""Fold blanks as a browser does; line breaks that a page asks for stay.

    >>> tidy(" Within  30 \n days ")
    'Within 30\ndays'
    """
    return re.sub(r" *\n *", "\n", re.sub(r" {2,}", " ", text)).strip()


def flat_text(root: LexborNode) -> str:
    """Return the words of a cell or caption in one line: items and rows inside it parted by semicolons."""
    parts: list[str] = []
    for node, _ in _inside(root):
        tag = node.tag or ""
        if node.is_text_node:
            parts.append(fold(node.text_content or "").replace("\x1f", " "))
        elif tag in ("li", "tr", "dt"):
            parts.append("\x1f")
        elif tag == "br" or is_block(tag):
            parts.append(" ")
    text = re.sub(r" *\x1f[ \x1f]*", "; ", "".join(parts).strip(" \x1f"))
    if not text and (image := root.css_first("img[alt]")):
        text = " ".join((image.attributes.get("alt") or "").split())  # A tick in a table may be a picture.
    return re.sub(" +", " ", text)


def raw_text(root: LexborNode) -> str:
    """Return the characters of a preformatted element as they are, line by line."""
    parts: list[str] = []
    for node, closes in _inside(root):
        if node.is_text_node:
            parts.append((node.text_content or "").replace("\xa0", " "))
        elif node.tag == "br" or (
            closes and is_block(node.tag or "") and not "".join(parts[-1:]).endswith("\n")
        ):
            parts.append("\n")
    return "".join(parts).replace("\r\n", "\n").replace("\r", "\n")


def _inside(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Yield texts, and elements at their beginning and at their end, in order."""
    stack = [(child, False) for child in reversed(list(root.iter(include_text=True)))]
    while stack:
        node, closes = stack.pop()
        if closes or node.is_text_node:
            yield node, closes
        elif node.is_element_node and not left_out(node, 1):
            yield node, False
            if node.tag != "br":
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(list(node.iter(include_text=True))))
