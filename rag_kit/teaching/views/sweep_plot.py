"""The picture of a sweep: a measure against the tokens that each question costs, a point an arm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.evaluation.intervals import bootstrap_mean
from rag_kit.evaluation.sweep_result import ArmRow, SweepResult
from rag_kit.evaluation.sweep_text import NAMES
from rag_kit.files import write_whole
from rag_kit.teaching.twin import Rendered
from rag_kit.teaching.views.pictures import INK, LOOKS, blank_picture, on_card, picture_bytes, plain_frame

SIZE = (8.0, 4.8)
CLOSE = 0.03
"""Share of the picture within which two labels would stand on each other."""


def sweep_plot(result: SweepResult, measure: str = "recall") -> Rendered:
    """Draw a measure against the tokens that each question costs, one point an arm, with 95 % intervals.

    The alternative text says each point in words. Raises InvalidValue where the measure was not taken or no
    arm was measured, and MissingModel where matplotlib is not installed.
    """
    said = sweep_alternative(result, measure)
    return on_card(draw_sweep(result, measure, "png"), said)


def save_sweep_plot(result: SweepResult, path: str | Path, measure: str = "recall") -> None:
    """Write the picture of a sweep as PNG or SVG, by the file's ending, whole or not at all."""
    write_whole(Path(path), draw_sweep(result, measure, Path(path).suffix.lower().lstrip(".")))


def sweep_alternative(result: SweepResult, measure: str = "recall") -> str:
    """Say in words what the picture of a sweep shows."""
    points = [
        f"{row.arm.name}: {_mean(row, measure):.3f} ({low:.3f} to {high:.3f}) at {row.context_tokens:,.0f} tokens"
        for row, (low, high) in zip(result.arms, _intervals(result, measure), strict=True)
    ]
    return (
        f"{_title(result, measure)} against the tokens of the passages handed over for a question; "
        f"means with 95 % intervals over {len(result.question_ids)} questions. " + "; ".join(points) + "."
    )


def draw_sweep(result: SweepResult, measure: str, kind: str) -> bytes:
    """Draw the picture of a sweep as ``png`` or ``svg`` and return its bytes."""
    intervals = _intervals(result, measure)
    with blank_picture(SIZE) as (drawn, axes):
        across = [row.context_tokens for row in result.arms]
        up = [end for ends in intervals for end in ends]
        near = (CLOSE * (max(across) - min(across)), CLOSE * (max(up) - min(up)))
        strategies = list(dict.fromkeys(row.arm.strategy for row in result.arms))
        for number, strategy in enumerate(strategies):
            colour, marker = LOOKS[number % len(LOOKS)]
            held = [
                (row, ends)
                for row, ends in zip(result.arms, intervals, strict=True)
                if row.arm.strategy == strategy
            ]
            _points(axes, held, measure, colour, marker, left=number % 2 == 0, near=near)
        _frame(axes, result, measure)
        title = "strategy, with size/overlap at each point"
        drawn.legend(loc="outside lower center", ncols=len(strategies), frameon=False, title=title)
        return picture_bytes(drawn, kind)


def _points(
    axes: Any,
    held: list[tuple[ArmRow, tuple[float, float]]],
    measure: str,
    colour: str,
    marker: str,
    *,
    left: bool,
    near: tuple[float, float],
) -> None:
    """Draw the arms of one strategy, each with its size and overlap beside it."""
    across = [row.context_tokens for row, _ in held]
    up = [_mean(row, measure) for row, _ in held]
    # A rounded mean may lie a hair outside of an interval of no width.
    below = [max(mean - low, 0.0) for mean, (_, (low, _)) in zip(up, held, strict=True)]
    over = [max(high - mean, 0.0) for mean, (_, (_, high)) in zip(up, held, strict=True)]
    axes.errorbar(
        across,
        up,
        yerr=[below, over],
        fmt=marker,
        color=colour,
        ecolor=colour,
        elinewidth=1,
        zorder=3,
        capsize=3,
        markersize=7,
        label=held[0][0].arm.strategy,
    )
    for label, place in _labels([row for row, _ in held], measure, near):
        axes.annotate(
            label,
            place,
            xytext=(-8 if left else 8, 0),
            textcoords="offset points",
            horizontalalignment="right" if left else "left",
            verticalalignment="center",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.8},
            zorder=1.5,
            color=colour,
            fontsize=9,
        )


def _labels(
    rows: list[ArmRow], measure: str, near: tuple[float, float]
) -> list[tuple[str, tuple[float, float]]]:
    """Return the labels of some points and their places; points on top of each other share one."""
    found: list[tuple[str, tuple[float, float]]] = []
    for row in rows:
        label, place = f"{row.arm.size}/{row.arm.overlap}", (row.context_tokens, _mean(row, measure))
        for at, (other, held) in enumerate(found):
            if abs(held[0] - place[0]) <= near[0] and abs(held[1] - place[1]) <= near[1]:
                found[at] = (f"{other}\n{label}", held)
                break
        else:
            found.append((label, place))
    return found


def _frame(axes: Any, result: SweepResult, measure: str) -> None:
    plain_frame(axes)
    axes.set_title(_title(result, measure), loc="left", color=INK, fontsize=11.5)
    axes.set_xlabel("tokens of the passages handed over for a question (cl100k)", color=INK)
    axes.set_ylabel(f"{NAMES[measure]}, mean and 95 % interval", color=INK)
    axes.margins(x=0.1, y=0.08)


def _title(result: SweepResult, measure: str) -> str:
    return f"{NAMES[measure].capitalize() if measure != 'iou' else 'IoU'} at {result.k}"


def _mean(row: ArmRow, measure: str) -> float:
    return sum(row.values[measure]) / len(row.values[measure])


def _intervals(result: SweepResult, measure: str) -> list[tuple[float, float]]:
    if not result.arms:
        raise InvalidValue("no arm was measured: there is nothing to draw")
    if measure not in result.arms[0].values:
        raise InvalidValue(f"no measure {measure!r} here; choose {', '.join(result.arms[0].values)}")
    return [bootstrap_mean(row.values[measure]) for row in result.arms]
