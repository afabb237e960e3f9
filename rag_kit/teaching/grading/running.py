"""Running the cases of an exercise: the learner's check and the grader use the same code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rag_kit.teaching.grading.learner import LearnerFunction, NotWritten, Stopped, describe, show
from rag_kit.teaching.grading.registry import Case, Exercise
from rag_kit.teaching.markup import shorten

CHECK_MIME = "application/vnd.ragkit.check+json"
Status = Literal["pass", "fail", "todo"]
NOT_WRITTEN = "not written yet"
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Row:
    """The outcome of one case; ``message`` is one line, empty where it passed."""

    name: str
    status: Status
    message: str = ""
    hints: tuple[str, ...] = ()


def run_cases(exercise: Exercise, fn: object, *, hidden: bool = False) -> tuple[Row, ...]:
    """Run the visible cases on a function, and with ``hidden`` the others too."""
    cases = exercise.cases if hidden else exercise.visible
    rows: list[Row] = []
    stopped = False
    for case in cases:
        if stopped:
            rows.append(Row(case.name, "fail", "not run, as the one before was stopped"))
            continue
        row, stopped = _run(case, LearnerFunction(fn, exercise.arguments), exercise)
        rows.append(row)
    return tuple(rows)


def rows_json(exercise: Exercise, rows: Sequence[Row]) -> dict[str, Any]:
    """Return an outcome as a machine reads it."""
    return {
        "exercise": exercise.number,
        "title": exercise.title,
        "passed": sum(row.status == "pass" for row in rows),
        "total": len(rows),
        "rows": [
            {"name": row.name, "status": row.status, "message": row.message, "hints": list(row.hints)}
            for row in rows
        ],
    }


def _run(case: Case, fn: LearnerFunction, exercise: Exercise) -> tuple[Row, bool]:
    try:
        case.run(fn)
    except NotWritten as stub:
        other = str(stub).startswith("Exercise ") and exercise.number not in str(stub)
        return Row(case.name, "todo", f"{NOT_WRITTEN} ({stub})" if other else NOT_WRITTEN), False
    except Stopped as error:
        return Row(case.name, "fail", str(error)), True
    except AssertionError as error:
        said = str(error) or "the result is not right"
    except Exception as error:
        said = f"what came back could not be used ({describe(error, case.run)}): look at its type"
    else:
        return Row(case.name, "pass"), False
    if fn.printed.strip():
        said = f"{shorten(said, _LONGEST)} (it printed {show(fn.printed.strip(), 60)})"
    return Row(case.name, "fail", shorten(said, _LONGEST + 100), case.hints), False
