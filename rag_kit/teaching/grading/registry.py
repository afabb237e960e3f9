"""The exercises of the course and the cases that check them.

The files ``cases/exNN….py`` describe the exercises of a lesson; the registry knows them all, so a maximum is
the same however many cells a learner deletes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files

from rag_kit.errors import InvalidValue
from rag_kit.teaching.grading.learner import LearnerFunction

_NUMBER = re.compile(r"\d\d\.\d+")
MOST_HINTS = 3

CaseFunction = Callable[[LearnerFunction], None]
"""Takes the learner's function and raises AssertionError with words for the learner."""


@dataclass(frozen=True, slots=True)
class Case:
    """One check: a name that a learner understands, and hints that say more and more."""

    name: str
    run: CaseFunction
    hints: tuple[str, ...] = ()
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Exercise:
    """One function to write or to mend; ``arguments`` are its parameters as the task names them."""

    number: str
    title: str
    function: str
    arguments: tuple[str, ...]
    cases: list[Case] = field(default_factory=list)

    @property
    def lesson(self) -> str:
        """Return the number of the lesson that the exercise belongs to."""
        return self.number[:2]

    @property
    def visible(self) -> list[Case]:
        """Return the cases that a learner runs; the others are the grader's."""
        return [case for case in self.cases if not case.hidden]

    def case(self, name: str, *hints: str, hidden: bool = False) -> Callable[[CaseFunction], CaseFunction]:
        """Register a case under a name; hidden ones are run by the grader only and need no hints.

        >>> double = Exercise("99.1", "Double a number", "double", ("number",))
        >>> @double.case("doubles three", "Multiply by two.")
        ... def _three(double): ...
        >>> double.cases[0].hints
        ('Multiply by two.',)
        """
        if any(case.name == name for case in self.cases):
            raise InvalidValue(f"exercise {self.number} has two cases named {name!r}: rename one")
        if not hidden and not 1 <= len(hints) <= MOST_HINTS:
            raise InvalidValue(
                f"exercise {self.number}, {name!r}: {len(hints)} hints; give 1 to {MOST_HINTS}"
            )

        def register(run: CaseFunction) -> CaseFunction:
            self.cases.append(Case(name, run, hints, hidden))
            return run

        return register


_exercises: dict[str, Exercise] = {}


def exercise(number: str, title: str, function: str, *arguments: str) -> Exercise:
    """Register an exercise, such as ``"01.2"``, whose function has that name."""
    if not _NUMBER.fullmatch(number):
        raise InvalidValue(f"exercise number {number!r} is not like '01.2': lesson, point, place")
    if number in _exercises:
        raise InvalidValue(f"exercise {number} is registered twice: renumber {title!r}")
    made = _exercises[number] = Exercise(number, title, function, arguments)
    return made


def load_exercises(lesson: str | None = None) -> dict[str, Exercise]:
    """Return the exercises of the course, or of one lesson, by number and in order."""
    folder = files("rag_kit.teaching.grading.cases")
    for name in sorted(path.name for path in folder.iterdir()):
        if re.fullmatch(r"ex\d\d(_\w+)?\.py", name):
            import_module(f"rag_kit.teaching.grading.cases.{name[:-3]}")
    numbers = sorted(_exercises, key=lambda number: (number[:2], int(number[3:])))
    return {n: _exercises[n] for n in numbers if lesson in (None, n[:2])}
