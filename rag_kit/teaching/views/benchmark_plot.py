"""The picture of a benchmark: each kind of question with a point a pipeline, and how far it can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rag_kit.evaluation.benchmark_result import BenchmarkResult, interval_of, mean_of
from rag_kit.evaluation.benchmark_text import HALF_NAMES, NAMES, pipeline_name
from rag_kit.files import write_whole
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

WIDTH, A_POINT, AROUND = 8.0, 0.17, 1.6
"""Inches: the picture's width, the height that a point takes, and what stands above and below the points."""
SPREAD = 0.72
"""Share of a row's height that its points take up."""


def benchmark_plot(result: BenchmarkResult, measure: str = "recall", *, half: str = "all") -> Rendered:
    """Draw a measure of every pipeline, over all questions and by kind, with 95 % intervals.

    The alternative text says each point in words. Raises InvalidValue for a measure or a half there is not,
    and MissingModel where matplotlib is not installed.
    """
    return on_card(
        draw_benchmark(result, measure, "png", half=half), benchmark_alternative(result, measure, half=half)
    )


def save_benchmark_plot(
    result: BenchmarkResult, path: str | Path, measure: str = "recall", *, half: str = "all"
) -> None:
    """Write the picture of a benchmark as PNG or SVG, by the file's ending, whole or not at all."""
    kind = Path(path).suffix.lower().lstrip(".")
    write_whole(Path(path), draw_benchmark(result, measure, kind, half=half))


def benchmark_alternative(result: BenchmarkResult, measure: str = "recall", *, half: str = "all") -> str:
    """Say in words what the picture of a benchmark shows."""
    told = []
    for label, places in _rows(result, half):
        points = []
        for row in result.pipelines:
            low, high = interval_of(row, measure, places)
            points.append(
                f"{pipeline_name(row.name)} {mean_of(row, measure, places):.3f} ({low:.3f} to {high:.3f})"
            )
        told.append(f"{label}: {', '.join(points)}")
    return f"{_title(result, measure, half)}; means with 95 % intervals. " + "; ".join(told) + "."


def draw_benchmark(result: BenchmarkResult, measure: str, kind: str, *, half: str = "all") -> bytes:
    """Draw the picture of a benchmark as ``png`` or ``svg`` and return its bytes."""
    rows = _rows(result, half)
    tall = AROUND + A_POINT * len(rows) * (len(result.pipelines) + 1)
    with blank_picture((WIDTH, tall)) as (drawn, axes):
        for number, pipeline in enumerate(result.pipelines):
            colour, marker = LOOKS[number % len(LOOKS)]
            across = [mean_of(pipeline, measure, places) for _, places in rows]
            ends = [interval_of(pipeline, measure, places) for _, places in rows]
            axes.errorbar(
                across,
                [at + _beside(number, len(result.pipelines)) for at in range(len(rows))],
                xerr=[
                    [max(mean - low, 0.0) for mean, (low, _) in zip(across, ends, strict=True)],
                    [max(high - mean, 0.0) for mean, (_, high) in zip(across, ends, strict=True)],
                ],
                fmt=marker,
                color=colour,
                ecolor=colour,
                elinewidth=1.2,
                capsize=3,
                markersize=6.5,
                label=pipeline_name(pipeline.name),
            )
        _frame(axes, [label for label, _ in rows], _title(result, measure, half))
        drawn.legend(loc="outside upper center", ncols=len(result.pipelines), frameon=False)
        return picture_bytes(drawn, kind)


def _rows(result: BenchmarkResult, half: str) -> list[tuple[str, list[int]]]:
    """Return what each row of the picture is about, and the places of its questions."""
    parts = [("all questions", result.places(half))]
    parts += [(kind or "(no kind)", result.places(half, kind)) for kind in result.kinds(half)]
    # With one kind alone the second row would say the first again.
    return [(f"{name} ({len(places)})", places) for name, places in (parts if len(parts) > 2 else parts[:1])]


def _beside(number: int, pipelines: int) -> float:
    """Return how far below the middle of its row a pipeline's point stands.

    >>> [round(_beside(number, 4), 2) for number in range(4)]
    [-0.27, -0.09, 0.09, 0.27]
    """
    return SPREAD * ((number + 0.5) / pipelines - 0.5)


def _frame(axes: Any, labels: list[str], title: str) -> None:
    plain_frame(axes, lines="x")
    axes.set_title(title, loc="left", color=INK, fontsize=11.5)
    axes.set_xlabel("mean and 95 % interval", color=INK)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_yticks(range(len(labels)), labels)
    for border in range(1, len(labels)):
        axes.axhline(border - 0.5, color=GRID, linewidth=0.7)
    axes.tick_params(axis="y", length=0)


def _title(result: BenchmarkResult, measure: str, half: str) -> str:
    name = NAMES.get(measure, measure)
    part = "" if half == "all" else f", {HALF_NAMES[half]}"
    name = name.capitalize() if name.islower() else name
    return f"{name} at {result.k} by kind of question{part}"
