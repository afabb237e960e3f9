"""What the grader runs inside the kernel of a submission.

Its first cell imports this module and the cases under a private name, before any cell of the learner's
runs; later ones take the learner's functions by name. What they report carries the grading's own token, so
that nothing else in the notebook is mistaken for a result.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from IPython.core.getipython import get_ipython
from IPython.display import publish_display_data

from rag_kit.teaching.grading.registry import load_exercises
from rag_kit.teaching.grading.running import CHECK_MIME, rows_json, run_cases

EXERCISES = load_exercises()  # now: once the learner's cells run, an import might bring their own modules

_SETUP = """\
def _{token}():
    import importlib, sys
    def take():
        names = [name for name in sys.modules if name.split(".")[:2] == ["rag_kit", "teaching"]]
        return {{name: sys.modules.pop(name) for name in names}}
    held = take()
    marking = sys.modules["_{token}"] = importlib.import_module("rag_kit.teaching.grading.marking")
    take()
    sys.modules.update(held)
    marking.stay_alive()
_{token}()
del _{token}
"""
_MARK = 'import sys as _{token}\n_{token}.modules["_{token}"].mark({number!r}, globals(), {token!r})\n'


def setup_code(token: str) -> str:
    """Return the code of the cell that comes first."""
    return _SETUP.format(token=token)


def mark_code(token: str, number: str) -> str:
    """Return the code of the cell that marks one exercise."""
    return _MARK.format(token=token, number=number)


def mark(number: str, names: Mapping[str, Any], token: str) -> None:
    """Run all cases of an exercise on the function of its name, and report as JSON."""
    exercise = EXERCISES[number]
    if exercise.function not in names:
        report: dict[str, Any] = {"exercise": number, "missing": True, "rows": []}
    else:
        report = rows_json(exercise, run_cases(exercise, names[exercise.function], hidden=True))
    publish: Any = publish_display_data
    publish({CHECK_MIME: {**report, "token": token}, "text/plain": f"marked {number}"})


def read_mark(cell: Any, token: str) -> dict[str, Any] | None:
    """Return what a marking cell reported, or None where it did not get that far."""
    for output in reversed(cell.get("outputs", [])):
        report = output.get("data", {}).get(CHECK_MIME)
        if isinstance(report, dict) and report.get("token") == token:
            return dict(report)
    return None


def stay_alive() -> None:
    """Make ``exit`` and ``quit`` in a cell end that cell only, and not the kernel after it."""

    def leave(*_: object) -> NoReturn:
        raise SystemExit

    shell: Any = get_ipython()
    if shell is not None:
        shell.ask_exit = leave
