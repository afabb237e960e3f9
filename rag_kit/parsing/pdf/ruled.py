"""Tables whose cells are drawn: rulings to a lattice, words into its cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag_kit.parsing.pdf.grid import Box, Word

Rule = tuple[float, float, float]
"""A ruling: where it stands (y of a level one, x of an upright one), and from where to where it runs."""

SNAP, JOIN, SHORTEST = 3.0, 3.0, 4.0
MOST_RULES, MOST_CELLS = 1_500, 40_000
"""Beyond these a page is a drawing: the longest rulings are kept, larger lattices are left alone."""


@dataclass(frozen=True, slots=True)
class Area:
    """A cell of a lattice by its first and last (exclusive) column and row, with the words in it."""

    left: int
    top: int
    right: int
    bottom: int
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Lattice:
    """The borders of a drawn grid and its cells."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    areas: tuple[Area, ...]
    cut: int = 0
    """Words that a ruling runs through."""

    @property
    def bbox(self) -> Box:
        """Return the box around all cells."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]


def merge_rules(rules: Sequence[Rule]) -> list[Rule]:
    """Join pieces of one ruling and lay rulings that all but touch on one position.

    >>> merge_rules([(10, 0, 50), (11, 52, 90), (40, 0, 2)])
    [(10.5, 0, 90)]
    """
    merged: list[Rule] = []
    group: list[Rule] = []
    for rule in [*sorted(rules), (float("inf"), 0.0, 0.0)]:
        if group and rule[0] - group[0][0] > SNAP:
            at = sum(piece[0] for piece in group) / len(group)
            start, end = float("inf"), -float("inf")
            for _, low, high in sorted(group, key=lambda piece: piece[1]):
                if low - end > JOIN:
                    merged.append((at, start, end))
                    start = low
                end = max(end, high)
            merged.append((at, start, end))
            group = []
        group.append(rule)
    merged = [rule for rule in merged if rule[2] - rule[1] >= SHORTEST]
    return sorted(sorted(merged, key=lambda rule: rule[1] - rule[2])[:MOST_RULES])


def find_lattices(words: Sequence[Word], level: Sequence[Rule], upright: Sequence[Rule]) -> list[Lattice]:
    """Return the grids that crossing rulings make, words in their cells; top to bottom."""
    if not level or not upright:
        return []
    flat, stand = np.array(level), np.array(upright)
    touch = (
        (flat[:, None, 1] - SNAP <= stand[None, :, 0])
        & (stand[None, :, 0] <= flat[:, None, 2] + SNAP)
        & (stand[None, :, 1] - SNAP <= flat[:, None, 0])
        & (flat[:, None, 0] <= stand[None, :, 2] + SNAP)
    )
    found = []
    for rows, columns in _parts(touch):
        lattice = _lattice(words, flat[rows], stand[columns])
        if lattice is not None:
            found.append(lattice)
    return sorted(found, key=lambda lattice: (lattice.ys[0], lattice.xs[0]))


def _parts(touch: NDArray[np.bool_]) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return the connected parts of level and upright rulings, by their numbers."""
    parts = []
    free: NDArray[np.bool_] = np.asarray(touch.any(axis=1))
    while free.any():
        rows: NDArray[np.bool_] = np.zeros(len(touch), dtype=bool)
        rows[np.flatnonzero(free)[0]] = True
        while True:
            columns = touch[rows].any(axis=0)
            wider: NDArray[np.bool_] = np.asarray(touch[:, columns].any(axis=1))
            if (wider == rows).all():
                break
            rows = wider
        free &= ~rows
        parts.append((np.flatnonzero(rows), np.flatnonzero(columns)))
    return parts


def _borders(rules: NDArray[np.float64], across: NDArray[np.float64], pad: float) -> list[float]:
    """Return the positions of rulings, and the common ends of those that cross them where these reach further."""
    places: list[float] = []
    for at in sorted(rules[:, 0]):
        if not places or at - places[-1] > SNAP:
            places.append(float(at))
    low, high = float(across[:, 1].min()), float(across[:, 2].max())
    if places[0] - low > pad and (across[:, 1] < places[0] - pad).mean() >= 0.5 and len(across) > 2:
        places.insert(0, low)
    if high - places[-1] > pad and (across[:, 2] > places[-1] + pad).mean() >= 0.5 and len(across) > 2:
        places.append(high)
    return places


def _lattice(
    words: Sequence[Word], level: NDArray[np.float64], upright: NDArray[np.float64]
) -> Lattice | None:
    xs, ys = _borders(upright, level, 8.0), _borders(level, upright, 8.0)
    wide, high = len(xs) - 1, len(ys) - 1
    if wide < 1 or high < 1 or wide * high > MOST_CELLS:
        return None
    left_wall, top_wall = _walls(xs, ys, upright), _walls(ys, xs, level)
    left_wall[0] = top_wall[0] = True
    areas = _areas(wide, high, left_wall, top_wall)
    owner = np.zeros((high, wide), dtype=int)
    for number, (left, top, right, bottom) in enumerate(areas):
        owner[top:bottom, left:right] = number
    inside: list[list[Word]] = [[] for _ in areas]
    cut = 0
    for whole in words:
        y = (whole.top + whole.bottom) / 2
        if not (ys[0] <= y < ys[-1] and xs[0] <= (whole.x0 + whole.x1) / 2 < xs[-1]):
            continue
        row = int(np.searchsorted(ys, y, "right")) - 1
        walls = [x for at, x in enumerate(xs[:-1]) if at and left_wall[at, row]]
        parts = [whole] if whole.turned else whole.cut(walls)
        cut += len(parts) > 1
        for word in parts:
            column = int(np.searchsorted(xs, (word.x0 + word.x1) / 2, "right")) - 1
            inside[owner[row, min(max(column, 0), wide - 1)]].append(word)
    filled = tuple(Area(*box, tuple(found)) for box, found in zip(areas, inside, strict=True))
    return Lattice(tuple(xs), tuple(ys), filled, cut)


def _walls(places: list[float], others: list[float], rules: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell for each border and each step along it whether a ruling runs there."""
    walls = np.zeros((len(places), len(others) - 1), dtype=bool)
    steps = np.array(others)
    sizes = np.diff(steps)
    for at, start, end in rules:
        near = int(np.argmin(np.abs(np.array(places) - at)))
        shared = np.minimum(steps[1:], end + SNAP) - np.maximum(steps[:-1], start - SNAP)
        walls[near] |= shared >= 0.7 * sizes
    return walls


def _areas(
    wide: int, high: int, left_wall: NDArray[np.bool_], top_wall: NDArray[np.bool_]
) -> list[tuple[int, int, int, int]]:
    """Merge fields with no ruling between them; where the merged shape is no rectangle, leave it in rows."""
    taken = np.zeros((high, wide), dtype=bool)
    areas = []
    for row in range(high):
        for column in range(wide):
            if taken[row, column]:
                continue
            right = column + 1
            while right < wide and not left_wall[right, row] and not taken[row, right]:
                right += 1
            bottom = row + 1
            while bottom < high and not top_wall[bottom, column:right].any():
                step = taken[bottom, column:right].any() or left_wall[column + 1 : right, bottom].any()
                open_side = (right < wide and not left_wall[right, bottom]) or (
                    column > 0 and not left_wall[column, bottom]
                )
                if step or open_side:
                    break
                bottom += 1
            taken[row:bottom, column:right] = True
            areas.append((column, row, right, bottom))
    return areas
