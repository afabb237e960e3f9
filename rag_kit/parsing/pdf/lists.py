"""Lists: what marks an item, and how deep it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

BULLETS = "•◦▪▫‣⁃∙●○■□◆◇►▶➢➤✓✔❖·"
MARKER = re.compile(
    rf"(?P<bullet>[{BULLETS}*–—\u2212-])\s+"
    r"|(?P<number>\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])\s+"
)
_SECTION = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,4}\.?\s+")


def item_marker(text: str) -> str | None:
    """Return the marker that a line begins with, a bullet as ``-``; None where it is no item.

    >>> item_marker("• Card"), item_marker("2) Bank"), item_marker("(a) By post"), item_marker("2019 was good")
    ('-', '2)', '(a)', None)
    """
    match = MARKER.match(text.lstrip())
    if not match:
        return None
    return "-" if match["bullet"] else match["number"]


def is_marker(text: str) -> bool:
    """Return whether a text is a marker and nothing else, or the number of a section.

    >>> is_marker("•"), is_marker("3.2"), is_marker("Card")
    (True, True, False)
    """
    text = text.strip() + " "
    return bool(MARKER.fullmatch(text) or _SECTION.fullmatch(text))


def without_marker(text: str) -> str:
    """Return what follows the marker.

    >>> without_marker("• Card")
    'Card'
    """
    text = text.lstrip()
    match = MARKER.match(text)
    return text[match.end() :] if match else text


def depths(lefts: Sequence[float], slack: float = 4.0) -> list[int]:
    """Return how deep each item stands, from where its marker begins.

    >>> depths([72, 90, 90, 72, 91])
    [0, 1, 1, 0, 1]
    """
    stack: list[float] = []
    found = []
    for left in lefts:
        while stack and left < stack[-1] - slack:
            stack.pop()
        if not stack or left > stack[-1] + slack:
            stack.append(left)
        found.append(len(stack) - 1)
    return found
