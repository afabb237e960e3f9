"""How deep the elements of a page stand in each other, told from its tags before it is parsed.

A parser looks up through all elements that are open, so that the time for a page grows with its size times its
depth: half a megabyte of nothing but opening tags took half a minute.
"""

from __future__ import annotations

import re

from rag_kit.errors import UnreadableDocument

DEEPEST = 5_000
"""Pages nest some dozens, and browsers give up at 512."""
# A comment, what holds no tags, or a tag.
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea|title|svg)\b.*?(?:</\1|\Z)"
    r"|<(/?)([a-z][^\s/<>]*)[^<>]*?(/?)>",
    re.S | re.I,
)
# Those that end by themselves, or where the next one of their kind begins.
_ENDING = frozenset(
    re.findall(
        r"\w+",
        "area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot"
        " colgroup caption option optgroup rt rp",
    )
)


def check_depth(page: str, source_uri: str) -> None:
    """Raise UnreadableDocument for a page with more than DEEPEST elements in each other.

    >>> check_depth("<div>" * 5_000, "a.html")
    >>> check_depth("<div>" * 5_001, "a.html")
    Traceback (most recent call last):
        ...
    rag_kit.errors.UnreadableDocument: a.html: elements stand more than 5000 deep in each other: save the page anew
    """
    depth = 0
    for match in _TAG.finditer(page):
        name = match[3]
        if name is None or match[4] or name.lower() in _ENDING:
            continue
        depth = max(0, depth + (-1 if match[2] else 1))
        if depth > DEEPEST:
            message = f"elements stand more than {DEEPEST} deep in each other: save the page anew"
            raise UnreadableDocument(source_uri, "nested", message)
