"""What stands on a PDF page: its words, and the rulings among its lines, boxes and curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pdfplumber.page import Page
from pdfplumber.utils import extract_words

from rag_kit.parsing.pdf.grid import Word
from rag_kit.parsing.pdf.ruled import Rule, merge_rules

THIN = 3.0
"""Points: a thinner box is a ruling."""
MOST_SHAPES = 60_000
"""Lines, boxes and points of curves that are looked at on a page."""
LEADER = 4
"""Dots in a row that lead the eye and are not text."""


def read_words(page: Page) -> list[Word]:
    """Return the words of a page; dots that lead the eye to a figure are left out."""
    chars = _without_leaders(page.chars)
    words: list[Word] = []
    flat = [char for char in chars if char["upright"]]
    for upward in (None, True, False):
        if upward is None:
            some, order = flat, {}
        else:
            some = [c for c in chars if not c["upright"] and (c["matrix"][1] > 0) == upward]
            way = "btt" if upward else "ttb"
            order = {"char_dir_rotated": way, "line_dir_rotated": "ltr" if upward else "rtl"}
        if some:
            found = extract_words(
                some, x_tolerance_ratio=0.18, y_tolerance=2, extra_attrs=["fontname", "size"],
                return_chars=True, **order
            )
            words += _glued(found, turned=upward is not None)
    return words


def _without_leaders(chars: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
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
            kept += run
        run = []
        if char is not None:
            kept.append(char)
    return kept


def _glued(found: Iterable[dict[str, Any]], *, turned: bool) -> list[Word]:
    """Undo cuts at a change of font inside a word, but for a raised figure behind a figure."""
    words: list[Word] = []
    sizes: list[float] = []
    for raw in found:
        font = raw["fontname"].lower()
        word = Word(
            raw["x0"], raw["top"], raw["x1"], raw["bottom"], raw["text"],
            any(mark in font for mark in ("bold", "black", "heavy", "demi")), turned,
            tuple((char["text"], char["x0"], char["x1"]) for char in raw["chars"]),
        )
        last = words[-1] if words else None
        if last and not turned and -1 < word.x0 - last.x1 < 0.1 * raw["size"] and (
            min(last.bottom, word.bottom) - max(last.top, word.top) > 0.3 * min(last.high, word.high)
        ):
            raised = last.text[-1].isdigit() and word.text.isdigit() and raw["size"] <= 0.85 * sizes[-1]
            if not raised:
                words[-1] = replace(
                    last, x1=max(last.x1, word.x1), text=last.text + word.text,
                    top=min(last.top, word.top) if sizes[-1] < raw["size"] else last.top,
                    bold=last.bold and word.bold, glyphs=last.glyphs + word.glyphs,
                )
                continue
        words.append(word)
        sizes.append(raw["size"])
    return words


def read_rules(page: Page) -> tuple[list[Rule], list[Rule]]:
    """Return the level and the upright rulings of a page, pieces joined."""
    level: list[Rule] = []
    upright: list[Rule] = []

    def add(x0: float, top: float, x1: float, bottom: float) -> None:
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
            for edge in ((x0, top, x1, top), (x0, bottom, x1, bottom), (x0, top, x0, bottom), (x1, top, x1, bottom)):
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
