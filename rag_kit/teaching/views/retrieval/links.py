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


_THIN = ' stroke-width="1.5"'


def colour_of(letters: Mapping[str, str], chunk_id: str) -> tuple[str, str]:
    """Return a chunk's colour and that of the text on it."""
    return COLOURS[list(letters).index(chunk_id) % len(COLOURS)]


def is_hollow(letters: Mapping[str, str], chunk_id: str) -> bool:
    """Tell whether a chunk has a colour for the second time: its letter is hollow then, and its lines thin."""
    return list(letters).index(chunk_id) // len(COLOURS) % 2 == 1


def chip(letters: Mapping[str, str], chunk_id: str) -> str:
    """Return a chunk's letter in its colour, the same in every column."""
    back, text = colour_of(letters, chunk_id)
    fill = f"background:{back};color:{text}"
    if is_hollow(letters, chunk_id):
        fill = f"border:2px solid {back};line-height:1.1"
    return f'<strong style="{_CHIP};{fill}">{letters[chunk_id]}</strong>'


def lines_image(links: Sequence[Link], gutter: int, rows: int, letters: Mapping[str, str]) -> str:
    """Draw what crosses a gutter, from column ``gutter`` to the next, as an image; "" where nothing does.

    A chunk that the next column does not show passes behind it: dashed, level, until the last gutter before
    the column that shows it again. What comes from below the rows or goes there is thin and dotted.
    """
    paths = [_path(link, gutter, rows, letters) for link in links if link.start[0] <= gutter < link.end[0]]
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


def _path(link: Link, gutter: int, rows: int, letters: Mapping[str, str]) -> str:
    bottom = rows * ROW
    start, end = (bottom if row is None else row * ROW + AT for _, row in (link.start, link.end))
    if gutter < link.end[0] - 1:
        end = start
    middle = GUTTER // 2
    below = None in (link.start[1], link.end[1])
    style = _THIN if below or is_hollow(letters, link.chunk_id) else ""
    if below:
        style += ' stroke-dasharray="1 3"'
    elif link.end[0] - link.start[0] > 1:
        style += ' stroke-dasharray="3 4"'
    colour = colour_of(letters, link.chunk_id)[0]
    return f'<path d="M0 {start}C{middle} {start} {middle} {end} {GUTTER} {end}" stroke="{colour}"{style}/>'
