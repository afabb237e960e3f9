"""The picture of two stages: what the candidate list holds by its depth, and what is in the top k afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.evaluation.depths import Depth
from rag_kit.teaching.twin import Rendered
from rag_kit.teaching.views.pictures import (
    GRID,
    INK,
    LOOKS,
    blank_picture,
    on_card,
    picture_bytes,
    plain_frame,
)

SIZE = (7.0, 3.9)
"""Inches."""
MOST = len(LOOKS) - 1
"""Rerankers that one picture can tell apart."""
Depths = Sequence[Depth] | Mapping[str, Sequence[Depth]]


def depth_plot(rows: Depths, k: int) -> Rendered:
    """Draw both stages over the number of candidates; the space between list and top is what was not chosen.

    ``rows`` are the depths of one reranker, or of several by name; all of them saw the same candidates. Each
    point has its value beside it, and the scale begins below the lowest: it says so. The alternative text says
    each point in words. Raises InvalidValue for no rows, for rerankers that did not see the same lists, and for
    more than three; MissingModel where matplotlib is not installed.
    """
    return on_card(draw_depths(rows, k, "png"), depth_alternative(rows, k))


def depth_alternative(rows: Depths, k: int) -> str:
    """Say in words what the picture shows.

    >>> depth_alternative([Depth(5, (1.0, 0.0), (1.0, 0.0)), Depth(50, (1.0, 1.0), (1.0, 0.0))], 5)
    'Recall by number of candidates: 5 hold 0.500, top 5 of them 0.500; 50 hold 1.000, top 5 of them 0.500.'
    """
    named = _by_name(rows)
    told = []
    for at, row in enumerate(next(iter(named.values()))):
        tops = (
            f"top {k} of them{f' by {name}' if name else ''} {depths[at].mean_kept:.3f}"
            for name, depths in named.items()
        )
        told.append(f"{row.candidates} hold {row.mean_found:.3f}, {', '.join(tops)}")
    return f"Recall by number of candidates: {'; '.join(told)}."


def draw_depths(rows: Depths, k: int, kind: str) -> bytes:
    """Draw the picture as ``png`` or ``svg`` and return its bytes."""
    named = _by_name(rows)
    first = next(iter(named.values()))
    lines = {"in the candidate list": [row.mean_found for row in first]}
    for name, depths in named.items():
        label = f"in the top {k} {f'by {name}' if name else 'after reranking it'}"
        lines[label] = [row.mean_kept for row in depths]
    with blank_picture(SIZE) as (drawn, axes):
        across = range(len(first))
        top, *below = lines.values()
        axes.fill_between(across, top, [min(at) for at in zip(*below, strict=True)], color=GRID, alpha=0.5)
        for (label, heights), (colour, marker) in zip(lines.items(), LOOKS, strict=False):
            axes.plot(across, heights, color=colour, marker=marker, markersize=6.5, label=label)
        _values(axes, list(lines.values()))
        _frame(axes, [str(row.candidates) for row in first], min(map(min, lines.values())))
        drawn.legend(loc="outside lower center", ncols=2, frameon=False)
        return picture_bytes(drawn, kind)


def _by_name(rows: Depths) -> dict[str, Sequence[Depth]]:
    named = dict(rows) if isinstance(rows, Mapping) else {"": rows}
    if not named or not all(named.values()):
        raise InvalidValue("no depth was measured: give measure_depths one or more")
    if len(named) > MOST:
        raise InvalidValue(f"{len(named)} rerankers are too many for one picture: choose {MOST} or fewer")
    lists = [[(row.candidates, row.found) for row in depths] for depths in named.values()]
    if any(one != lists[0] for one in lists[1:]):
        raise InvalidValue("the rerankers saw different candidates: measure them on the same lists")
    return named


def _values(axes: Any, lines: Sequence[Sequence[float]]) -> None:
    """Write each value by its point, those of the list above and the others below; equal ones once."""
    for number, heights in enumerate(lines):
        for at, height in enumerate(heights):
            before = [other[at] for other in lines[:number]]
            if round(height, 2) in (round(other, 2) for other in before):
                continue
            lowest = number == 0 or height > min(other[at] for other in lines[1:])
            axes.annotate(
                f"{height:.2f}",
                (at, height),
                xytext=(0, 7 if lowest else -15),
                textcoords="offset points",
                ha="center",
                color=INK,
                fontsize=9,
            )


def _frame(axes: Any, labels: list[str], lowest: float) -> None:
    plain_frame(axes, lines="y")
    bottom = max(0.0, int(10 * lowest - 0.5) / 10)
    axes.set_xlabel("candidates", color=INK)
    axes.set_ylabel("recall" if not bottom else f"recall, from {bottom:g} up", color=INK)
    axes.set_ylim(bottom, 1.02)
    axes.set_xticks(range(len(labels)), labels)
