"""Drawn tables whose rulings part only some rows or columns: the rest is found as in unruled ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag_kit.parsing.pdf.tables.blocks import Block
from rag_kit.parsing.pdf.tables.columns import find_cuts
from rag_kit.parsing.pdf.tables.grid import Box, Word, is_value
from rag_kit.parsing.pdf.tables.lines import Line, read_lines
from rag_kit.parsing.pdf.tables.ruled import Area, Lattice

STACKED = 3
"""Figures under each other in one drawn cell that are rows of their own."""


@dataclass(frozen=True, slots=True)
class Tall:
    """A label in a drawn cell beside several rows."""

    left: float
    top: float
    right: float
    bottom: float
    words: tuple[Word, ...]


def open_rows(lattice: Lattice) -> tuple[Block, list[Tall]] | None:
    """Return a lattice as a block, and the labels beside several of its rows; None where it is fully drawn."""
    areas = [area for area in lattice.areas if area.words]
    if any(word.turned for area in areas for word in area.words):
        return None
    lines = {area: read_lines(area.words) for area in areas}
    stacked = [area for area in areas if _is_stacked(lines[area])]
    borders = [lattice.xs[at] for at in sorted({area.left for area in areas})[1:]]
    cuts = _more_cuts(areas, lines)
    if not stacked and not cuts:
        return None
    tall: list[Tall] = []
    rest: list[Word] = []
    fields: list[Box] = []
    for area in areas:
        box = (lattice.xs[area.left], lattice.ys[area.top], lattice.xs[area.right], lattice.ys[area.bottom])
        beside = [other for other in stacked if other.top < area.bottom and area.top < other.bottom]
        if (
            beside
            and area not in stacked
            and len(lines[area]) * 3 <= max(len(lines[other]) for other in beside)
        ):
            tall.append(Tall(*box, area.words))
            continue
        rest.extend(area.words)
        if not beside and all(len(line.phrases) == 1 for line in lines[area]):
            fields.append(box)
    return Block(tuple(read_lines(rest, borders)), tuple(sorted([*borders, *cuts])), tuple(fields)), tall


def _is_stacked(lines: Sequence[Line]) -> bool:
    figures = sum(all(is_value(phrase.text) for phrase in line.phrases) for line in lines)
    return figures >= STACKED and figures * 10 >= len(lines) * 7


def _more_cuts(areas: Sequence[Area], lines: dict[Area, list[Line]]) -> list[float]:
    """Return borders inside drawn columns: where most lines of a column have the same gap."""
    cuts: list[float] = []
    for left in sorted({area.left for area in areas}):
        narrow = min(area.right for area in areas if area.left == left)
        column = [line for area in areas if (area.left, area.right) == (left, narrow) for line in lines[area]]
        several = [line for line in column if len(line.phrases) > 1]
        if len(several) >= 4 and len(several) * 10 >= len(column) * 6:
            cuts += find_cuts(several)
    return cuts
