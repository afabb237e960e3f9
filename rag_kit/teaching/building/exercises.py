"""Exercise notebooks and their solutions, both run before either is written.

The learner's notebook has to reach its end unsolved, with every check to do or failing; the solution has to
pass every check, those included that only the grader runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rag_kit.errors import InvalidValue, RagKitError
from rag_kit.teaching.building.canonical import METADATA, canonical
from rag_kit.teaching.building.execute import execute
from rag_kit.teaching.building.lessons import EXERCISE, Lesson
from rag_kit.teaching.building.student import exercise_notebook, solution_notebook
from rag_kit.teaching.grading.marking import mark_code, read_mark, setup_code
from rag_kit.teaching.grading.registry import Exercise, load_exercises
from rag_kit.teaching.grading.running import CHECK_MIME

_TOKEN = "build_marks"


def make_exercise(lesson: Lesson, root: Path, *, check: bool = False) -> dict[str, str]:
    """Run an exercise unsolved and solved, and return the files that come of it, by name.

    With ``check`` it need not run where neither is there to be compared.
    """
    stem = lesson.stem.removesuffix(EXERCISE)
    names = [f"exercises/{stem}.ipynb", f"solutions/{stem}.ipynb"]
    if check and not any((root / name).exists() for name in names):
        return dict.fromkeys(names, "")
    exercises = load_exercises(stem[:2])
    if not exercises:
        raise InvalidValue(
            f"{lesson.name}: no cases check it; write rag_kit/teaching/grading/cases/ex{stem[:2]}.py"
        )
    unsolved, solved = exercise_notebook(lesson), solution_notebook(lesson)
    _run(unsolved, exercises, root / "exercises", f"{lesson.name}, unsolved", _refuse_green)
    _run(solved, exercises, root / "solutions", f"{lesson.name}, solved", _refuse_red)
    _refuse_unchecked(solved, exercises, lesson.name)
    return {
        names[0]: canonical(unsolved, stem, lesson.name, outputs=False),
        names[1]: canonical(solved, stem, lesson.name),
    }


def learners_work(path: Path) -> bool:
    """Tell whether an exercise notebook was opened and run by somebody, so that a build must not replace it."""
    import nbformat

    if not path.exists():
        return False
    read: Any = nbformat.read
    try:
        notebook = read(path, as_version=4)
    except ValueError:  # whatever it is, the build did not write it
        return True
    ran = any(cell.get("execution_count") or cell.get("outputs") for cell in notebook.cells)
    return ran or notebook.metadata != METADATA


def _run(notebook: Any, exercises: dict[str, Exercise], folder: Path, name: str, judge: Any) -> None:
    """Run a notebook with the grader's cells after its own, judge their reports, and take the cells off."""
    import nbformat

    make: Any = nbformat.v4.new_code_cell
    own = len(notebook.cells)
    codes = [setup_code(_TOKEN), *(mark_code(_TOKEN, number) for number in exercises)]
    notebook.cells += [make(code) for code in codes]
    folder.mkdir(exist_ok=True)
    execute(notebook, folder, name)
    for number, cell in zip(exercises, notebook.cells[own + 1 :], strict=True):
        report = read_mark(cell, _TOKEN)
        if report is None or report.get("missing"):
            raise RagKitError(f"{name}: exercise {number} has no function {exercises[number].function!r}")
        judge(report, name)
    del notebook.cells[own:]


def _refuse_green(report: dict[str, Any], name: str) -> None:
    for row in report["rows"]:
        if row["status"] == "pass":
            raise RagKitError(f"{name}: exercise {report['exercise']} already passes {row['name']!r}")


def _refuse_red(report: dict[str, Any], name: str) -> None:
    for row in report["rows"]:
        if row["status"] != "pass":
            raise RagKitError(
                f"{name}: exercise {report['exercise']} fails {row['name']!r}: {row['message']}"
            )


def _refuse_unchecked(notebook: Any, exercises: dict[str, Exercise], name: str) -> None:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = [output.get("data", {}).get(CHECK_MIME, {}).get("exercise") for output in outputs]
    for number, exercise in exercises.items():
        if number not in shown:
            raise InvalidValue(f'{name}: no cell shows check("{number}", {exercise.function}); add one')
