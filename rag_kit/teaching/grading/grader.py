"""Grading submitted exercise notebooks: what counts is what the functions do, not what the notebook says.

    python -m rag_kit.teaching.grading.grader NOTEBOOK… [--lesson 01] [--seconds 20] [--json]

A point for each case that passes, hidden ones included. The maximum comes from the registry, so cells that
were deleted, copied or added change nothing; the learner's own check cells are run like any others and not
believed. A cell that does not end, or that ends the kernel, costs the exercise that it belongs to.

This protects from mistakes and short cuts, not from malice: a submission runs with your rights. Grade those
of strangers in a container.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rag_kit.errors import InvalidValue, RagKitError
from rag_kit.teaching.grading.registry import Exercise, load_exercises
from rag_kit.teaching.grading.submission import Cell, Session

SECONDS_A_CELL = 20


@dataclass(frozen=True, slots=True)
class ExerciseGrade:
    """One exercise: its points, and why there are none where it could not be run."""

    exercise: str
    title: str
    score: int
    maximum: int
    message: str
    rows: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Grade:
    """A notebook: its exercises in order, and notes on cells that did not end."""

    notebook: str
    lesson: str
    exercises: tuple[ExerciseGrade, ...]
    notes: tuple[str, ...]

    @property
    def score(self) -> int:
        """Return the points."""
        return sum(exercise.score for exercise in self.exercises)

    @property
    def maximum(self) -> int:
        """Return the points that can be had, whatever the notebook holds."""
        return sum(exercise.maximum for exercise in self.exercises)


def grade(path: str | Path, *, lesson: str | None = None, seconds: int = SECONDS_A_CELL) -> Grade:
    """Grade a notebook; its name begins with the lesson's number, unless ``lesson`` says which it is.

    Raises InvalidValue for a file that is no notebook and for a lesson without exercises.
    """
    path = Path(path)
    number = lesson or _lesson_of(path)
    exercises = load_exercises(number)
    if not exercises:
        known = ", ".join(dict.fromkeys(exercise.lesson for exercise in load_exercises().values()))
        raise InvalidValue(f"{path.name}: no exercises for lesson {number!r}; choose from {known}")
    cells = read_cells(path)
    with Session(cells, seconds=seconds, token=f"rag_kit_{secrets.token_hex(8)}") as session:
        grades = tuple(_grade_one(session, exercise, cells) for exercise in exercises.values())
        return Grade(path.name, number, grades, tuple(session.notes))


def read_cells(path: Path) -> list[Cell]:
    """Read the cells of a notebook of any version; outputs and metadata are left behind."""
    import nbformat

    read: Any = nbformat.reads
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # missing and repeated cell ids do no harm here
            notebook = read(path.read_text(encoding="utf-8"), as_version=4)
    except OSError as error:
        raise InvalidValue(f"{path}: cannot be read ({error.strerror}); name a notebook") from None
    except Exception as error:
        said = " ".join(str(error).split())[:100]
        raise InvalidValue(f"{path.name}: is no notebook ({said}); save it in JupyterLab again") from None
    return [
        Cell(place, str(cell.get("cell_type")), str(cell.get("source", "")))
        for place, cell in enumerate(notebook.cells, 1)
    ]


def grade_json(given: Grade) -> dict[str, Any]:
    """Return a grade as a machine reads it."""
    shape = asdict(given)
    return {**shape, "score": given.score, "maximum": given.maximum}


def grade_text(given: Grade) -> str:
    """Return a grade as a person reads it: failed cases are named, passed ones counted."""
    said = [f"{given.notebook}: {given.score} of {given.maximum} points"]
    for exercise in given.exercises:
        said.append(f"  {exercise.exercise}  {exercise.title}: {exercise.score} of {exercise.maximum}")
        said += [f"        {exercise.message}"] if exercise.message else []
        said += [
            f"        {row['name']}: {row['message']}" for row in exercise.rows if row["status"] == "fail"
        ]
    return "\n".join([*said, *(f"  note: {note}" for note in given.notes)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade notebooks from the command line; 1 if one could not be graded, 2 for a wrong call."""
    parser = argparse.ArgumentParser(
        prog="python -m rag_kit.teaching.grading.grader", description="Grade notebooks."
    )
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK", type=Path)
    parser.add_argument(
        "--lesson", metavar="NN", help="the lesson, where the file's name does not begin with it"
    )
    parser.add_argument(
        "--seconds", type=int, default=SECONDS_A_CELL, metavar="N", help="time limit of a cell"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    options = parser.parse_args(arguments)
    if options.seconds < 1:
        parser.error(f"--seconds {options.seconds} leaves no time: choose 1 or more")
    grades, errors = [], []
    for path in options.notebooks:
        try:
            grades.append(grade(path, lesson=options.lesson, seconds=options.seconds))
        except RagKitError as error:
            errors.append({"notebook": path.name, "message": str(error)})
            print(f"grader: {error}", file=sys.stderr)  # noqa: T201
    shape = {"grades": [grade_json(given) for given in grades], "errors": errors}
    said = (
        json.dumps(shape, ensure_ascii=False, indent=2)
        if options.json
        else "\n".join(map(grade_text, grades))
    )
    try:
        print(said, flush=True)  # noqa: T201
    except BrokenPipeError:  # whoever reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1 if errors else 0


def _lesson_of(path: Path) -> str:
    if match := re.match(r"\d\d(?=\D|$)", path.stem):
        return match.group()
    raise InvalidValue(
        f"{path.name}: the name does not begin with a lesson's number; say which with --lesson"
    )


def _grade_one(session: Session, exercise: Exercise, cells: Sequence[Cell]) -> ExerciseGrade:
    report, trouble = session.mark(exercise.number)
    maximum = len(exercise.cases)
    if report is None:
        return ExerciseGrade(exercise.number, exercise.title, 0, maximum, trouble)
    if report.get("missing"):
        message = _why_missing(session, exercise.function, cells)
        return ExerciseGrade(exercise.number, exercise.title, 0, maximum, message)
    rows = tuple({key: row[key] for key in ("name", "status", "message")} for row in report["rows"])
    score = sum(row["status"] == "pass" for row in rows)
    unwritten = all(row["status"] == "todo" for row in rows)
    return ExerciseGrade(
        exercise.number, exercise.title, score, maximum, "not written yet" if unwritten else "", rows
    )


def _why_missing(session: Session, function: str, cells: Sequence[Cell]) -> str:
    pattern = re.compile(rf"^\s*(?:async\s+)?def\s+{function}\b|^\s*{function}\s*=", re.M)
    for cell in cells:
        if pattern.search(cell.source):
            if cell.kind != "code":
                return f"missing: cell {cell.place} with `{function}` is not a code cell"
            if trouble := session.troubles.get(cell.place):
                return f"missing: cell {cell.place} with `{function}` {trouble}"
    return f"missing: the notebook defines no `{function}`"


if __name__ == "__main__":
    sys.exit(main())
