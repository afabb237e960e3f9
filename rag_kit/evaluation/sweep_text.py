"""A sweep in plain text: the table, the winner and why."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from rag_kit.errors import InvalidValue
from rag_kit.evaluation.intervals import Difference
from rag_kit.evaluation.sweep_result import SweepResult, Winner, best

NAMES = {
    "recall": "recall",
    "precision": "precision",
    "iou": "IoU",
    "precision_omega": "precision-omega",
    "answers": "answers",
}
COLUMNS = ("arm", *NAMES.values(), "chunks", "tokens/chunk", "tokens/question", "tokens embedded")
TIMED = ("index s", "embedded now", "query ms")


def sweep_rows(result: SweepResult) -> tuple[list[str], list[list[object]]]:
    """Return the columns and rows of the table of figures; what was not measured is no column.

    ``tokens/chunk`` and ``tokens/question`` are cl100k tokens of the texts alone.
    """
    answered = any(row.answers is not None for row in result.arms)
    columns = [name for name in COLUMNS if answered or name != NAMES["answers"]]
    rows: list[list[object]] = []
    for row in result.arms:
        scores: list[object] = [row.recall, row.precision, row.iou, row.precision_omega]
        if answered:
            scores.append(row.answers)
        rows.append(
            [
                row.arm.name,
                *scores,
                row.chunks,
                round(row.mean_text_tokens),
                round(row.context_tokens),
                row.tokens_embedded,
            ]
        )
    return columns, rows


def sweep_text(result: SweepResult, measure: str = "recall") -> str:
    """Return the table with what each arm took, then the winner, then the comparisons."""
    columns, rows = sweep_rows(result)
    for row, measured in zip(rows, result.arms, strict=True):
        taken = result.timings.get(measured.arm.name)
        row += [taken.index_seconds, taken.embedded_now, taken.query_ms] if taken else ["", "", ""]
    lines = (
        aligned([[*columns, *TIMED], *([cell_text(value) for value in row] for row in rows)]) if rows else []
    )
    lines += [f"{error.arm.name}: not measured: {error.message}" for error in result.errors]
    with suppress(InvalidValue):
        lines += ["", *winner_lines(best(result, measure))]
    return "\n".join(lines)


def winner_lines(winner: Winner) -> list[str]:
    """Say which arm wins and how sure that is, then what each comparison showed."""
    name = NAMES[winner.measure]
    chosen = f"winner by {name}: {winner.arm.name}"
    if winner.tied:
        others = ", ".join(arm.name for arm in winner.tied)
        chosen += (
            f"; no difference was shown between {winner.highest.name} and {others}, "
            "and it is the one with the fewest tokens a question"
        )
    lines = [
        f"{chosen} (chosen on {winner.tune_questions} questions)",
        f"on the other {winner.report_questions} questions: {name} {winner.report:.3f}, 95 % interval "
        f"{winner.low:.3f} to {winner.high:.3f}",
    ]
    lines += [
        f"  {winner.highest.name} against {item.arm.name}: {difference_text(item.tune)}; "
        f"on the other half {difference_text(item.report)}"
        for item in winner.comparisons
    ]
    return lines


def difference_text(difference: Difference) -> str:
    """Say a difference with its interval, and what it shows.

    >>> difference_text(Difference(0.05, -0.01, 0.11, None))
    '+0.050 (-0.010 to +0.110), no difference shown'
    """
    shown = {None: "no difference shown", True: "better", False: "worse"}[difference.better]
    return f"{difference.mean:+.3f} ({difference.low:+.3f} to {difference.high:+.3f}), {shown}"


def aligned(rows: Sequence[Sequence[object]]) -> list[str]:
    """Set columns under each other: the first at the left, numbers at the right."""
    told = [[str(value) for value in row] for row in rows]
    widths = [max(len(row[at]) for row in told) for at in range(len(told[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(v.rjust(w) for v, w in zip(row[1:], widths[1:], strict=True))])
        for row in told
    ]


def cell_text(value: object) -> str:
    """Write a value of a table: floats with three decimals, counts with commas."""
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
