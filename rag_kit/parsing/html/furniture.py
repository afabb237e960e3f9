"""Furniture that no element or role marks: told by its name, by what is in it, and by where it stands.

A name alone decides nothing: an article about cookies and a side bar with a price are content.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

LONGEST = 1_500
"""Characters; what is longer and only mentions cookies is a text about cookies, and no menu is so long."""
LONGEST_TRAIL = 300

_CONSENT = re.compile(
    r"(?:cookies?|consent|gdpr|ccpa)[- ]*"
    r"(?:banner|bar|notice|popup|modal|dialog|overlay|consent|wall|message|prompt|box|layer)"
    r"|\b(?:cookieconsent|onetrust|cookiebot|usercentrics|didomi|cc-window|cky-)"
)
_PANEL = re.compile(
    r"\b(?:banner|bar|notice|popup|modal|overlay|toast|dialog|alertdialog|consent|cookies?|gdpr|ccpa|cmp)\b"
)
_POLICY = re.compile(
    r"\b(?:cookies?|privacy|consent)-?(?:policy|statement|declaration|text|content|table|list|form)"
)
_ABOUT_CONSENT = re.compile(r"cookie|consent", re.I)
_PRESSED = re.compile(
    r"(?:accept|agree|allow|reject|decline|refuse|deny|got it|i understand|ok\b|akzept|zustimm|ablehn|verstanden"
    r"|einverstanden|accepter|refuser|acept|rechaz|accett|rifiut)[^.]{0,24}",
    re.I,
)
_SKIP = re.compile(r"skip(?:-?(?:to|nav|link|content|main)[\w-]*)?")
_TRAIL = re.compile(r"\bbread-?crumbs?\b")
_MENU = re.compile(
    r"\b(?:nav|navbar|navigation|menu|menubar|sidebar|(?:main|top|side|sub)-?(?:nav|menu|bar)|pagination|pager)\b"
)
_TOP = re.compile(r"(?:site-|page-|global-|main-)?header|masthead")
_BOTTOM = re.compile(r"(?:site-|page-|global-|main-)?footer")
_RIGHTS = re.compile(r"©|\(c\)|copyright|all rights reserved", re.I)
_LINKS_AND_LABELS = "a, button, h1, h2, h3, h4, h5, h6, script, style"


def is_named_furniture(node: LexborNode, given: dict[str, str], sections: int) -> bool:
    """Tell whether an element is a menu, a trail, the page's own header or footer, or a banner about consent.

    ``sections`` counts the main parts, articles and sections around it: there only trails, and banners
    with something to press, are furniture.
    """
    names = " ".join(given.get(name, "") for name in ("id", "class", "aria-label", "role"))
    hint = names.lower().replace("_", "-")
    if not hint.strip():
        return False
    words = hint.split()
    outside = not sections
    return (
        (node.tag == "a" and any(map(_SKIP.fullmatch, words)) and given.get("href", "").startswith("#"))
        or (bool(_CONSENT.search(hint) or _PANEL.search(hint)) and _asks_consent(node, hint, outside))
        or (bool(_TRAIL.search(hint)) and _is_trail(node))
        or (outside and bool(_MENU.search(hint)) and _is_menu(node))
        or (outside and any(map(_TOP.fullmatch, words)) and _is_menu(node))
        or (outside and any(map(_BOTTOM.fullmatch, words)) and _is_bottom(node))
    )


def _asks_consent(node: LexborNode, hint: str, outside: bool) -> bool:
    named = bool(_CONSENT.search(hint))
    text = node.text()
    if len(text) > LONGEST or not (named or _ABOUT_CONSENT.search(text)):
        return False
    if (_POLICY.search(hint) and not named) or node.css_first("h1, table") is not None:
        return False
    # In the content itself, a part about consent is a text; a banner is one with something to press.
    return (named and outside) or _can_be_pressed(node, outside)


def _can_be_pressed(node: LexborNode, outside: bool) -> bool:
    if node.css_first("button, input, [role=button]") is not None:
        return True
    return outside and any(_PRESSED.fullmatch(link.text().strip()) for link in node.css("a"))


def _is_trail(node: LexborNode) -> bool:
    text = node.text().strip()
    return (
        len(text) <= LONGEST_TRAIL and text[-1:] not in ".!?" and node.css_first("a, [itemprop]") is not None
    )


def _is_menu(node: LexborNode) -> bool:
    """Tell whether there is nothing but links and the headings above them: no price, and no sentence."""
    if len(node.css("a, button")) < 2 or node.css_first("h1, table") is not None:
        return False
    every = _letters(node.text())
    linked = sum(len(_letters(part.text())) for part in _outermost(node))
    rest = len(every) - linked
    figures = sum(letter.isdigit() for letter in every)
    linked_figures = sum(letter.isdigit() for part in _outermost(node) for letter in part.text())
    return len(every) <= LONGEST and rest * 5 <= linked and figures == linked_figures


def _is_bottom(node: LexborNode) -> bool:
    """Tell whether this closes the page: links or rights, and little behind it. A card has a footer too."""
    text = node.text()
    if len(text) > LONGEST or node.css_first("h1, table") is not None:
        return False
    return (len(node.css("a")) > 1 or _RIGHTS.search(text) is not None) and _ends_page(node)


def _ends_page(node: LexborNode) -> bool:
    left = LONGEST
    above: LexborNode | None = node
    while above is not None and above.tag != "body":
        after = above.next
        while after is not None and left >= 0:
            if after.tag not in ("script", "style", "template", "noscript"):
                left -= len((after.text() or "").strip())
            after = after.next
        above = above.parent
    return left >= 0


def _outermost(node: LexborNode) -> list[LexborNode]:
    """Return the links and labels in an element that stand in no other one."""
    found = node.css(_LINKS_AND_LABELS)
    inner = {part.mem_id for one in found for part in one.css(_LINKS_AND_LABELS) if part.mem_id != one.mem_id}
    return [part for part in found if part.mem_id not in inner and part.mem_id != node.mem_id]


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())
