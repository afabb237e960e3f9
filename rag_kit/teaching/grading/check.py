"""Checking an exercise: passed, not yet, or to do, with hints that say more at each failing call.

One MIME bundle serves them all: HTML for the learner, plain text for a terminal, JSON for machines. Checks
run in the learner's own kernel and without a time limit: interrupt the kernel to stop an endless loop. Only
the grader has a limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.hidden import show_unseen
from rag_kit.teaching.grading.registry import MOST_HINTS, Exercise, load_exercises
from rag_kit.teaching.grading.results import Checked, Results, State
from rag_kit.teaching.grading.running import CHECK_MIME, NOT_WRITTEN, Row, rows_json, run_cases
from rag_kit.teaching.markup import BODY, inline, lines

_SIGNS = {"pass": "✓ passed", "fail": "✗ not yet", "todo": "○ to do"}
_ROW = "margin:0 0 10px 0"
_INDENT = "margin:2px 0 0 1.2em"


@dataclass(frozen=True, slots=True, repr=False)
class CheckResult:
    """The outcome of one check; each row holds the hints that are open by now."""

    exercise: Exercise
    rows: tuple[Row, ...]

    @property
    def passed(self) -> bool:
        """Tell whether every check passes."""
        return all(row.status == "pass" for row in self.rows)

    @property
    def failed(self) -> bool:
        """Tell whether one fails; a function that is not written yet has not failed."""
        return any(row.status == "fail" for row in self.rows)

    def html(self) -> str:
        """Return the outcome for the notebook, open hints folded away."""
        items = "" if self._untouched else "".join(map(_row_html, self.rows))
        listed = f'<ul style="list-style:none;padding-left:0">{items}</ul>' if items else ""
        kept = f"<p>{lines(self._kept())}</p>" if self._kept() else ""
        head = f"<p><strong>{lines(self._head())}</strong></p>"
        return f'<div role="status" style="{BODY}">{head}{listed}{kept}</div>'

    def text(self) -> str:
        """Return the outcome as plain text."""
        said = [self._head()]
        for row in () if self._untouched else self.rows:
            said.append(f"  {_SIGNS[row.status]:9}  {row.name}" + (f": {row.message}" if row.message else ""))
            said += [f"{'':13}hint: {hint}" for hint in row.hints]
        said += [self._kept()] if self._kept() else []
        return show_unseen("\n".join(said))

    @property
    def _untouched(self) -> bool:
        return all(row.status == "todo" and row.message == NOT_WRITTEN for row in self.rows)

    def _head(self) -> str:
        name, total = f"Exercise {self.exercise.number}, {self.exercise.title}", len(self.rows)
        if self._untouched:
            return f"{name}: {NOT_WRITTEN}, {total} checks to do"
        green = sum(row.status == "pass" for row in self.rows)
        return (
            f"{name}: all {total} checks pass"
            if green == total
            else f"{name}: {green} of {total} checks pass"
        )

    def _kept(self) -> str:
        """Say, once all is green, that the grader has more cases: green here is not yet all of the task."""
        more = len(self.exercise.cases) - len(self.exercise.visible)
        if not (self.passed and more):
            return ""
        kept = "case is" if more == 1 else "cases are"
        return f"{more} more {kept} kept for the grader: all that the text asks for counts."

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        outcome = rows_json(self.exercise, self.rows)
        return {"text/html": self.html(), "text/plain": self.text(), CHECK_MIME: outcome}

    def __repr__(self) -> str:
        return self.text()


class Checker:
    """Checks exercises and keeps what passed; ``check`` is the course's own."""

    def __init__(
        self, exercises: Mapping[str, Exercise] | None = None, results: Results | None = None
    ) -> None:
        self._exercises = exercises
        self._results = results or Results()

    def __call__(self, number: str, fn: object) -> CheckResult:
        """Check a function against an exercise, such as ``check("01.1", cosine_rank)``."""
        exercise = self._exercise(number)
        rows = run_cases(exercise, fn)
        result = CheckResult(exercise, rows)

        def note(state: State) -> None:
            kept = state.checks.setdefault(number, Checked())
            kept.passed = [row.name for row in rows if row.status == "pass"]
            kept.failed_calls += result.failed

        failed_calls = self._results.change(note).checks[number].failed_calls
        opened = (replace(row, hints=row.hints[: min(failed_calls, MOST_HINTS)]) for row in rows)
        return CheckResult(exercise, tuple(opened))

    def reset(self, number: str) -> None:
        """Forget the attempts at an exercise: its hints are closed again and nothing of it is green."""
        self._exercise(number)

        def forget(state: State) -> None:
            state.checks.pop(number, None)

        self._results.change(forget)

    def _exercise(self, number: str) -> Exercise:
        known = load_exercises() if self._exercises is None else self._exercises
        if number not in known:
            raise InvalidValue(f"no exercise {number!r}; choose from {', '.join(known)}")
        return known[number]


check = Checker()


def _row_html(row: Row) -> str:
    said = f": {inline(row.message)}" if row.message else ""
    hints = "".join(
        f"<details><summary>Hint {place}</summary><p>{inline(hint)}</p></details>"
        for place, hint in enumerate(row.hints, 1)
    )
    below = f'<div style="{_INDENT}">{hints}</div>' if hints else ""
    return f'<li style="{_ROW}">{_SIGNS[row.status]} <strong>{inline(row.name)}</strong>{said}{below}</li>'
