"""What joins a chunk to itself in the retrieval inspector: a letter in its colour, and lines.

The lines are an SVG image held in the page: JupyterLab drops ``<svg>`` from a notebook that it does not
trust, and keeps such an image. They stand beside the letters and say nothing that the letters do not.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from rag_kit.teaching.views.retrieval.inspection import Link

ROW = 138
"""Height of a row in pixels; the lines end at its first line, where the letter is."""
GUTTER = 40
AT = 15
_CHIP = "display:inline-block;min-width:1.4em;text-align:center;border-radius:9px;padding:0 5px"
COLOURS = (
    ("#0077bb", "#ffffff"),
    ("#d55e00", "#111111"),
    ("#009e73", "#111111"),
    ("#b04d94", "#ffffff"),
    ("#8a7000", "#ffffff"),
    ("#6a64d8", "#ffffff"),
    ("#697780", "#ffffff"),
)
"""Of a chip and its text: apart for every eye, and each in sight on a white and on a black page."""


def colour_of(letters: Mapping[str, str], chunk_id: str) -> tuple[str, str]:
    """Return a chunk's colour and that of the text on it."""
    return COLOURS[list(letters).index(chunk_id) % len(COLOURS)]


def chip(letters: Mapping[str, str], chunk_id: str) -> str:
    """Return a chunk's letter in its colour, the same in every column."""
    back, text = colour_of(letters, chunk_id)
    return f'<strong style="{_CHIP};background:{back};color:{text}">{letters[chunk_id]}</strong>'


def lines_image(links: Sequence[Link], gutter: int, rows: int, letters: Mapping[str, str]) -> str:
    """Draw what crosses a gutter, from column ``gutter`` to the next, as an image; "" where nothing does.

    A chunk that the next column does not show passes behind it: dashed, level, until the last gutter before
    the column that shows it again.
    """
    paths = [
        _path(link, gutter, colour_of(letters, link.chunk_id)[0])
        for link in links
        if link.start[0] <= gutter < link.end[0]
    ]
    if not paths:
        return ""
    height = rows * ROW
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{GUTTER}" height="{height}" '
        f'viewBox="0 0 {GUTTER} {height}" fill="none" stroke-width="2.5">{"".join(paths)}</svg>'
    )
    source = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    return (
        f'<img alt="" src="data:image/svg+xml;base64,{source}" '
        f'style="display:block;width:100%;height:{height}px;max-width:none;margin:0;padding:0">'
    )


def _path(link: Link, gutter: int, colour: str) -> str:
    start = link.start[1] * ROW + AT
    end = link.end[1] * ROW + AT if gutter == link.end[0] - 1 else start
    middle = GUTTER // 2
    dashes = ' stroke-dasharray="3 4"' if link.end[0] - link.start[0] > 1 else ""
    return f'<path d="M0 {start}C{middle} {start} {middle} {end} {GUTTER} {end}" stroke="{colour}"{dashes}/>'
