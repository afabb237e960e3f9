"""Letters that a font gives no code for but names: a second reader of the file knows more of these names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from rag_kit.parsing.pdf.glyphs import LOST, Box, Glyph, plain

_NEAR = 0.6
"""Points that the two readers may place a character apart."""


def with_named_letters(glyphs: Sequence[Glyph], others: Sequence[tuple[Box, str]]) -> list[Glyph]:
    """Return the characters, those without a code as the second reader has them at their place.

    Where it knows none either, what stands there is a place in the font and no letter: it becomes U+FFFD.
    ``others`` are what the second reader has, each with its box. Turned characters are left as they are.
    """
    ordered = sorted(others, key=lambda each: each[0][0])
    lefts = [box[0] for box, _ in ordered]
    return [
        replace(glyph, text=_letter(glyph, ordered, lefts))
        if glyph.unsure and glyph.style.turn == 0
        else glyph
        for glyph in glyphs
    ]


def _letter(glyph: Glyph, others: Sequence[tuple[Box, str]], lefts: Sequence[float]) -> str:
    """Return what a character is, by what the second reader has at its place."""
    first, last = bisect_left(lefts, glyph.x0 - _NEAR), bisect_left(lefts, glyph.x0 + _NEAR)
    for (_, top, _, bottom), text in others[first:last]:
        if top - _NEAR <= glyph.base <= bottom + _NEAR:
            written = plain(text)
            if text.startswith("(cid:"):
                return LOST
            return written if written.strip() else glyph.text
    return glyph.text
