"""Find the tables on a PDF page: drawn ones by their rulings, the others by how their words line up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pdfplumber.page import Page
from pdfplumber.utils import extract_words

from rag_kit.parsing.pdf.grid import Box, Cell, FoundTable, Word, cell_text, count_heads, fill_grid, is_value, text_lines
from rag_kit.parsing.pdf.lines import read_lines, split_columns
from rag_kit.parsing.pdf.rows import build_rows
from rag_kit.parsing.pdf.ruled import Area, Lattice, Rule, find_lattices, merge_rules
from rag_kit.parsing.pdf.unruled import Block, find_blocks

__all__ = ["FoundTable", "find_tables", "join_continued"]

THIN = 3.0
MOST_SHAPES = 60_000
LEADER = 4
"""Dots in a row that are a leader, not text."""
SAME_PLACE = 6.0


def find_tables(page: Page, *, unruled: bool = True) -> list[FoundTable]:
    """Return the tables of a page, top to bottom; boxes, lists, contents and running text are none.

    ``unruled=False`` looks for drawn tables only.
    """
    words = read_words(page)
    level, upright = read_rules(page)
    found: list[FoundTable] = []
    for lattice in find_lattices(words, level, upright):
        table = _from_lattice(lattice)
        if table is not None and not any(_inside(table.bbox, other.bbox) for other in found):
            found.append(table)
            words = [word for word in words if not _holds(table.bbox, word)]
    if unruled:
        for region in split_columns([word for word in words if not word.turned]):
            for block in find_blocks(read_lines(region)):
                found.append(_from_block(block, level))
    return sorted(found, key=lambda table: (table.bbox[1], table.bbox[0]))


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
                some, x_tolerance_ratio=0.18, y_tolerance=2, extra_attrs=["fontname", "size"], **order
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
                    bold=last.bold and word.bold,
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


def _from_lattice(lattice: Lattice) -> FoundTable | None:
    areas = [area for area in lattice.areas if area.words]
    columns = sorted({area.left for area in areas})
    rows = sorted({area.top for area in areas})
    if len(columns) < 2 or len(rows) < 2 or len(areas) < 4:
        return None
    total = sum(len(area.words) for area in areas)
    crossed = sum(
        1 for area in areas for word in area.words if not word.turned
        and (word.x1 > lattice.xs[area.right] + 3 or word.x0 < lattice.xs[area.left] - 3)
    )
    if crossed * 10 > total or _is_frame(areas, total):
        return None
    cells = [
        Cell(
            rows.index(area.top), columns.index(area.left),
            sum(area.top <= row < area.bottom for row in rows),
            sum(area.left <= column < area.right for column in columns),
            cell_text(area.words), all(word.bold for word in area.words),
        )
        for area in areas
    ]
    grid, repeated = fill_grid(cells, len(rows), len(columns))
    borders = (*(lattice.xs[column] for column in columns), lattice.xs[-1])
    return FoundTable(lattice.bbox, grid, count_heads(grid, cells), True, borders, repeated)


def _is_frame(areas: Sequence[Area], total: int) -> bool:
    """Tell whether one cell holds most of the words, in lines that are a table of their own or text."""
    largest = max(areas, key=lambda area: len(area.words))
    lines = read_lines([word for word in largest.words if not word.turned])
    return len(largest.words) * 2 > total and len(lines) > 3 and len(areas) < 30


def _from_block(block: Block, level: Sequence[Rule]) -> FoundTable:
    cells, rows, heads = build_rows(block, level)
    width = len(block.cuts) + 1
    grid, repeated = fill_grid(cells, rows, width)
    left = min(line.pieces[0].x0 for line in block.lines)
    right = max(line.pieces[-1].x1 for line in block.lines)
    words = [word for line in block.lines for word in line.words]
    box = (left, min(word.top for word in words), right, max(word.bottom for word in words))
    return FoundTable(box, grid, heads, False, (left, *block.cuts, right), repeated)


def _inside(inner: Box, outer: Box) -> bool:
    return outer[0] - 1 <= inner[0] and outer[1] - 1 <= inner[1] and inner[2] <= outer[2] + 1 and inner[3] <= outer[3] + 1


def _holds(box: Box, word: Word) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def join_continued(previous: FoundTable, following: FoundTable) -> FoundTable | None:
    """Return one table where the second goes on the first: its columns at the same places, no new header.

    A header that repeats is dropped. Returns None where the second is a table of its own.
    """
    if len(previous.columns) != len(following.columns) or len(previous.rows[0]) != len(following.rows[0]):
        return None
    shift = previous.columns[0] - following.columns[0]
    near = [abs(a - b) <= SAME_PLACE for a, b in zip(previous.columns, following.columns, strict=True)]
    moved = [abs(a - b - shift) <= SAME_PLACE for a, b in zip(previous.columns, following.columns, strict=True)]
    if not (all(near) or all(moved)):
        return None
    heads = previous.heads
    again = heads if heads and following.rows[:heads] == previous.rows[:heads] else 0
    if not again and following.heads:
        return None
    rows = [*previous.rows, *following.rows[again:]]
    added = {(row - again + len(previous.rows), column) for row, column in following.repeated if row >= again}
    return replace(previous, rows=rows, repeated=previous.repeated | added)
