"""Which parts of a page are its content, and which are furniture or hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from rag_kit.parsing.html.furniture import is_named_furniture

HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
SECTIONS = frozenset(["main", "article", "section"])
_NO_TEXT_NAMES = """
script style template noscript noframes head nav aside iframe object embed audio video canvas svg map select
datalist input textarea progress meter title
"""
_NO_TEXT = frozenset(_NO_TEXT_NAMES.split())
_FURNITURE_ROLES = frozenset(["navigation", "banner", "contentinfo", "complementary", "search", "menubar"])
# A button that stands here is a word of the text, as in the headings of a folding list of questions.
_BUTTON_IN_TEXT = HEADINGS | {"p", "dt", "dd", "summary", "span", "td"}
_INVISIBLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.\d]*[1-9])"
)


def content_roots(page: LexborHTMLParser) -> Iterator[list[LexborNode]]:
    """Yield where the content may stand, best first: the main parts, the articles, the whole body."""
    for selector in ("main, [role=main]", "article"):
        nodes = page.css(selector)
        chosen = {node.mem_id for node in nodes}
        if roots := [node for node in nodes if not left_out(node, 1) and _stands_free(node, chosen)]:
            yield roots
    if page.body is not None:
        yield [page.body]


def left_out(node: LexborNode, sections: int) -> bool:
    """Tell whether an element is not read: furniture of the page, hidden, or a cookie banner.

    ``sections`` counts the main parts, articles and sections around it: a header inside one is content.
    """
    tag = node.tag or ""
    if tag in _NO_TEXT or (tag in ("header", "footer") and not sections):
        return True
    if tag == "button" and (node.parent is None or node.parent.tag not in _BUTTON_IN_TEXT):
        return True
    given = {name: value or "" for name, value in node.attributes.items()}
    if tag == "dialog" and "open" not in given:
        return True
    return bool(given) and (_is_hidden(given) or _is_furniture(node, given, sections))


def _is_hidden(given: dict[str, str]) -> bool:
    # hidden="until-found" is a fold that the reader's own search opens.
    return (
        ("hidden" in given and given["hidden"].lower() != "until-found")
        or given.get("aria-hidden", "").strip().lower() == "true"
        or bool(_INVISIBLE.search(given.get("style", "").lower()))
    )


def _is_furniture(node: LexborNode, given: dict[str, str], sections: int) -> bool:
    role = given.get("role", "").strip().lower()
    if role in _FURNITURE_ROLES:
        return True
    if node.tag in HEADINGS or node.tag in ("html", "body", "main", "article"):
        return False
    return is_named_furniture(node, given, sections)


def _stands_free(node: LexborNode, chosen: set[int]) -> bool:
    """Tell whether an element is inside nothing that is left out and inside no other chosen one."""
    above = node.parent
    while above is not None:
        if above.mem_id in chosen or (above.tag not in ("html", "body", None) and left_out(above, 1)):
            return False
        above = above.parent
    return True
