"""Letters that the file has lost, filled in from the picture of the page: only they are taken from recognition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pypdfium2 as pdfium

from rag_kit.errors import MissingModel
from rag_kit.parsing.pdf.glyphs import LOST, Box
from rag_kit.parsing.pdf.ocr import read_page
from rag_kit.parsing.pdf.parts import Sheet
from rag_kit.parsing.pdf.segments import Segment

MOST_LOST = 0.005
"""Of a page's letters: where more are lost, it is worth the seconds that recognition takes."""
FEWEST_KNOWN = 2
"""Letters that a word must still have, to be known again among those recognised."""
_EDGES = re.compile(rf"^[^\w{LOST}]+|[^\w{LOST}]+$")


def fill_lost(sheet: Sheet, document: pdfium.PdfDocument, index: int) -> int:
    """Fill in the letters that words of a page have lost; return how many of the lost ones were.

    A word is filled in where one recognised word alone, at its place, has the same letters around the lost
    ones. Lost signs that stand alone or beside one letter stay as they are.
    """
    segments = sheet.layers[0] if sheet.layers else []
    texts = [*(s.text for s in segments), *(c for t in sheet.tables for row in t.found.rows for c in row)]
    broken = sum(word.count(LOST) for text in texts for word in text.split() if _pattern(word))
    if broken <= MOST_LOST * sheet.letters:
        return 0
    try:
        lines = read_page(document, index)
    except (MissingModel, ImportError):
        return 0
    filled = 0
    for at, segment in enumerate(segments):
        if LOST in segment.text:
            near = [line for line in lines if _level(segment, line)]
            text = fill_words(segment.text, _words(near))
            filled += segment.text.count(LOST) - text.count(LOST)
            if text != segment.text:
                segments[at] = replace(segment, text=text, confidence=min(line.confidence for line in near))
    for at, table in enumerate(sheet.tables):
        words = _words(line for line in lines if _inside(table.box, line))
        rows = [[fill_words(cell, words) for cell in row] for row in table.found.rows]
        pairs = zip(sum(table.found.rows, []), sum(rows, []), strict=True)
        filled += sum(old.count(LOST) - new.count(LOST) for old, new in pairs)
        sheet.tables[at] = replace(table, found=replace(table.found, rows=rows))
    return filled


def fill_words(text: str, known: Sequence[str]) -> str:
    r"""Return a text, the lost letters of its words filled in from the one known word that fits each.

    Of several that fit, those that stand in the text already are other words.

    >>> known = ["overflow", "me", "doors", "floors", "flow", "low"]
    >>> print(ascii(fill_words("the over\ufffdow, m\ufffd and \ufffdoors; a low \ufffdow", known)))
    'the overflow, m\ufffd and \ufffdoors; a low flow'
    """
    whole = {_EDGES.sub("", word) for word in text.split() if LOST not in word}
    return " ".join(_filled(word, known, whole) for word in text.split(" "))


def _filled(word: str, known: Sequence[str], whole: set[str]) -> str:
    pattern = _pattern(word)
    found = {each for each in known if pattern.fullmatch(each)} if pattern else set()
    found = found - whole if len(found) > 1 else found
    return word.replace(_EDGES.sub("", word), found.pop()) if len(found) == 1 else word


def _pattern(word: str) -> re.Pattern[str] | None:
    """Return what a word with lost letters matches; None where it has lost none, or too many."""
    core = _EDGES.sub("", word)
    if LOST not in core or sum(sign.isalpha() for sign in core) < FEWEST_KNOWN:
        return None
    return re.compile(re.escape(core).replace(LOST, r"[^\W\d_]{1,3}"))


def _words(lines: Iterable[Any]) -> list[str]:
    return [_EDGES.sub("", word) for line in lines for word in line.text.split()]


def _level(segment: Segment, line: Any) -> bool:
    """Return whether a recognised line stands where a piece of a line does."""
    middle = (segment.top + segment.bottom) / 2
    return bool(line.top <= middle <= line.bottom and line.x0 < segment.x1 and segment.x0 < line.x1)


def _inside(box: Box, line: Any) -> bool:
    across, down = (line.x0 + line.x1) / 2, (line.top + line.bottom) / 2
    return bool(box[0] <= across <= box[2] and box[1] <= down <= box[3])
