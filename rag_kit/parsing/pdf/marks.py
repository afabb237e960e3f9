"""What stands on a PDF page: its words, and the rulings among its lines, boxes and curves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from pdfplumber.page import Page
from pdfplumber.utils.text import extract_words

from rag_kit.parsing.pdf.grid import Box, Word
from rag_kit.parsing.pdf.ruled import Rule, merge_rules

THIN = 3.0
"""Points: a thinner box is a ruling."""
MOST_SHAPES = 60_000
"""Lines, boxes and points of curves that are looked at on a page."""
LEADER = 4
"""Dots in a row that lead the eye and are not text."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Words and rulings of a page, and the lines (y) that have leaders; ``turn`` as its text runs.

    ``turn`` is 0 for level text, 1 where most text runs up the page and -1 where it runs down: then all
    positions are those of the page laid so that this text is level.
    """

    words: list[Word]
    level: list[Rule]
    upright: list[Rule]
    leaders: list[float]
    turn: int
    size: tuple[float, float]

    def on_page(self, box: Box) -> Box:
        """Return where a box stands on the page as it is."""
        x0, top, x1, bottom = box
        right, low = self.size
        if self.turn == 1:
            return top, low - x1, bottom, low - x0
        return (right - bottom, x0, right - top, x1) if self.turn == -1 else box


def read_marks(page: Page) -> Marks:
    """Return what stands on a page; dots that lead the eye to a figure are left out of the words."""
    ways = Counter(_way(char) for char in page.chars)
    turn = next((way for way in (1, -1) if ways[way] * 2 > sum(ways.values())), 0)
    size = (float(page.bbox[2]), float(page.bbox[3]))
    chars = [_laid(char, turn, size) for char in page.chars] if turn else page.chars
    chars, leaders = _without_leaders(chars)
    level, upright = _read_rules(page, turn, size)
    return Marks(_read_words(chars), level, upright, leaders, turn, size)


def _way(char: dict[str, Any]) -> int:
    if char["upright"]:
        return 0
    return 1 if char["matrix"][1] > 0 else -1


def _lay(box: Box, turn: int, size: tuple[float, float]) -> Box:
    x0, top, x1, bottom = box
    if turn == 1:
        return size[1] - bottom, x0, size[1] - top, x1
    return (top, size[0] - x1, bottom, size[0] - x0) if turn == -1 else box


def _laid(char: dict[str, Any], turn: int, size: tuple[float, float]) -> dict[str, Any]:
    """Return a character as it stands once the page is laid so that text of this turn is level."""
    x0, top, x1, bottom = _lay((char["x0"], char["top"], char["x1"], char["bottom"]), turn, size)
    places = {"x0": x0, "x1": x1, "top": top, "bottom": bottom, "doctop": top}
    way = _way(char)
    # Level text on a turned page runs up or down once the page is laid.
    matrix = char["matrix"] if way else (0, -turn, turn, 0, 0, 0)
    return {**char, **places, "upright": way == turn, "matrix": matrix}


def _read_words(chars: Sequence[dict[str, Any]]) -> list[Word]:
    words: list[Word] = []
    for way, char_dir, line_dir in ((0, "ltr", "ttb"), (1, "btt", "ltr"), (-1, "ttb", "rtl")):
        some = [char for char in chars if _way(char) == way]
        order = {"char_dir_rotated": char_dir, "line_dir_rotated": line_dir} if way else {}
        if some:
            found = extract_words(
                some,
                x_tolerance_ratio=0.18,
                y_tolerance=2,
                extra_attrs=["fontname", "size"],
                return_chars=True,
                **order,
            )
            words += _glued(found, turned=way != 0)
    return words


def _without_leaders(chars: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[float]]:
    kept: list[dict[str, Any]] = []
    leaders: list[float] = []
    run: list[dict[str, Any]] = []
    seen: set[tuple[str, int, int]] = set()
    for char in [*chars, None]:
        if char is not None:
            place = (char["text"], round(char["x0"]), round(char["top"]))
            if place in seen and char["text"] != " ":
                continue  # Drawn twice to look bold.
            seen.add(place)
            text = char["text"].strip()
            if (text and not text.strip(".·…‥")) or (run and not text):
                run.append(char)
                continue
        dots = sum(2 if dot["text"].strip() in ("…", "‥") else 1 for dot in run if dot["text"].strip())
        if dots < LEADER:
            kept += [{**dot, "text": dot["text"].strip() or dot["text"]} for dot in run]
        else:
            leaders.append((run[0]["top"] + run[0]["bottom"]) / 2)
        run = []
        if char is not None:
            # Some fonts have one glyph for a blank and a dot: inside a figure the blank is none.
            kept.append({**char, "text": text} if len(char["text"]) > len(text) > 0 else char)
    return kept, leaders


def _glued(found: Iterable[dict[str, Any]], *, turned: bool) -> list[Word]:
    """Undo cuts at a change of font inside a word, but for a raised figure behind a figure."""
    words: list[Word] = []
    sizes: list[float] = []
    for raw in found:
        font = raw["fontname"].lower()
        word = Word(
            raw["x0"],
            raw["top"],
            raw["x1"],
            raw["bottom"],
            raw["text"],
            any(mark in font for mark in ("bold", "black", "heavy", "demi")),
            turned,
            tuple((char["text"], char["x0"], char["x1"]) for char in raw["chars"]),
        )
        last = words[-1] if words else None
        if (
            last
            and not turned
            and -1 < word.x0 - last.x1 < 0.1 * raw["size"]
            and (min(last.bottom, word.bottom) - max(last.top, word.top) > 0.3 * min(last.high, word.high))
        ):
            raised = last.text[-1].isdigit() and word.text.isdigit() and raw["size"] <= 0.85 * sizes[-1]
            if not raised:
                words[-1] = replace(
                    last,
                    x1=max(last.x1, word.x1),
                    text=last.text + word.text,
                    top=min(last.top, word.top) if sizes[-1] < raw["size"] else last.top,
                    bold=last.bold and word.bold,
                    glyphs=last.glyphs + word.glyphs,
                )
                continue
        words.append(word)
        sizes.append(raw["size"])
    return words


def _read_rules(page: Page, turn: int, size: tuple[float, float]) -> tuple[list[Rule], list[Rule]]:
    """Return the level and the upright rulings of a page, pieces joined."""
    level: list[Rule] = []
    upright: list[Rule] = []

    def add(*box: float) -> None:
        x0, top, x1, bottom = _lay((box[0], box[1], box[2], box[3]), turn, size)
        if bottom - top <= THIN and x1 - x0 > bottom - top:
            level.append(((top + bottom) / 2, x0, x1))
        elif x1 - x0 <= THIN:
            upright.append(((x0 + x1) / 2, top, bottom))

    whole = float(page.width * page.height)
    for shape in [*page.lines[:MOST_SHAPES], *page.rects[:MOST_SHAPES]]:
        x0, top, x1, bottom = (float(shape[side]) for side in ("x0", "top", "x1", "bottom"))
        if shape["object_type"] == "line" or min(x1 - x0, bottom - top) <= THIN:
            add(x0, top, x1, bottom)
        elif (x1 - x0) * (bottom - top) < 0.85 * whole:
            for edge in (
                (x0, top, x1, top),
                (x0, bottom, x1, bottom),
                (x0, top, x0, bottom),
                (x1, top, x1, bottom),
            ):
                add(*edge)
    points = 0
    for curve in page.curves:
        points += len(curve["pts"])
        if points > MOST_SHAPES:
            break
        for (x0, top), (x1, bottom) in pairwise(curve["pts"]):
            if abs(x1 - x0) < 0.5 or abs(bottom - top) < 0.5:
                add(min(x0, x1), min(top, bottom), max(x0, x1), max(top, bottom))
    return merge_rules(level), merge_rules(upright)
