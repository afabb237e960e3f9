"""The picture of two stages: what the candidate list holds by its depth, and what is in the top k afterwards."""

from __future__ import annotations

from collections.abc import Sequence
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

SIZE = (7.0, 3.6)
"""Inches."""


def depth_plot(rows: Sequence[Depth], k: int) -> Rendered:
    """Draw both stages over the number of candidates; the space between the lines is what reranking lost.

    The alternative text says each point in words. Raises InvalidValue for no rows, and MissingModel where
    matplotlib is not installed.
    """
    if not rows:
        raise InvalidValue("no depth was measured: give measure_depths one or more")
    return on_card(draw_depths(rows, k, "png"), depth_alternative(rows, k))


def depth_alternative(rows: Sequence[Depth], k: int) -> str:
    """Say in words what the picture shows.

    >>> depth_alternative([Depth(5, (1.0, 0.0), (1.0, 0.0)), Depth(50, (1.0, 1.0), (1.0, 0.0))], 5)
    'Recall by number of candidates: 5 hold 0.500, top 5 of them 0.500; 50 hold 1.000, top 5 of them 0.500.'
    """
    told = (
        f"{row.candidates} hold {row.mean_found:.3f}, top {k} of them {row.mean_kept:.3f}" for row in rows
    )
    return f"Recall by number of candidates: {'; '.join(told)}."


def draw_depths(rows: Sequence[Depth], k: int, kind: str) -> bytes:
    """Draw the picture as ``png`` or ``svg`` and return its bytes."""
    with blank_picture(SIZE) as (drawn, axes):
        across = range(len(rows))
        lines = {
            "in the candidate list": [row.mean_found for row in rows],
            f"in the top {k} after reranking it": [row.mean_kept for row in rows],
        }
        for (label, heights), (colour, marker) in zip(lines.items(), LOOKS, strict=False):
            axes.plot(across, heights, color=colour, marker=marker, markersize=6.5, label=label)
        axes.fill_between(across, *lines.values(), color=GRID, alpha=0.5, linewidth=0)
        _frame(axes, [str(row.candidates) for row in rows])
        drawn.legend(loc="outside lower center", ncols=2, frameon=False)
        return picture_bytes(drawn, kind)


def _frame(axes: Any, labels: list[str]) -> None:
    plain_frame(axes, lines="y")
    axes.set_xlabel("candidates", color=INK)
    axes.set_ylabel("recall", color=INK)
    axes.set_ylim(0, 1.02)
    axes.set_xticks(range(len(labels)), labels)
