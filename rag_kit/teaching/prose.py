"""Sentences with measured results in them: written by a cell, so that no figure is typed by hand."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.display import Markdown

_MARKER = re.compile(r"(?:([-*+])|\d{1,9}([.)]))[ \t]+\S")


def show_markdown(*paragraphs: str) -> Markdown:
    r"""Return paragraphs of Markdown as a cell's result; those that are list items make one tight list.

    >>> show_markdown("The fee is 5.", "- It is due.", "- It is new.").data
    'The fee is 5.\n\n- It is due.\n- It is new.'
    """
    from IPython import display

    make: Any = display.Markdown
    written = list(paragraphs[:1])
    for before, paragraph in pairwise(paragraphs):
        kind = _list_kind(paragraph)
        # An empty line between two items would set every item of the list apart from the next.
        close = kind and kind == _list_kind(before)
        written += ["\n" if close else "\n\n", paragraph]
    shown: Markdown = make("".join(written))
    return shown


def _list_kind(paragraph: str) -> str:
    """Return what marks the items of a paragraph that is a list and nothing else, or ""."""
    found = _MARKER.match(paragraph)
    if found is None or re.search(r"\n[ \t]*(?:\n|$)", paragraph):
        return ""
    return found[1] or found[2]
