"""Sentences with measured results in them: written by a cell, so that no figure is typed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.display import Markdown


def show_markdown(*paragraphs: str) -> Markdown:
    r"""Return paragraphs of Markdown as a cell's result.

    >>> show_markdown("The fee is 5.", "It is due.").data
    'The fee is 5.\n\nIt is due.'
    """
    from IPython import display

    make: Any = display.Markdown
    shown: Markdown = make("\n\n".join(paragraphs))
    return shown
