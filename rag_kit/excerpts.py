"""How a text is shown where there is little room: on one line, its end cut off."""

from __future__ import annotations


def one_line(text: str, most: int) -> str:
    r"""Write a text on one line of at most ``most`` characters; what is cut off leaves a mark.

    >>> one_line("The fee\n is 5.", 20), one_line("The fee is 5.", 8)
    ('The fee is 5.', 'The fee…')
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
