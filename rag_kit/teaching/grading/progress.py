"""How far a learner is: the checks of the course that are green, by exercise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag_kit.errors import InvalidValue
from rag_kit.teaching.grading.registry import Exercise, load_exercises
from rag_kit.teaching.grading.results import Results, State
from rag_kit.teaching.markup import BODY, CELL, MUTED, escape
from rag_kit.teaching.twin import Rendered


def progress(
    lesson: str | None = None,
    *,
    exercises: Mapping[str, Exercise] | None = None,
    results: Results | None = None,
) -> Rendered:
    """Show how many checks of the course are green, or of one lesson such as ``"01"``.

    Green is what passed when it was last checked; checks that the course no longer has do not count.
    """
    known = load_exercises() if exercises is None else exercises
    chosen = [exercise for exercise in known.values() if lesson in (None, exercise.lesson)]
    if not chosen:
        lessons = ", ".join(dict.fromkeys(exercise.lesson for exercise in known.values()))
        raise InvalidValue(f"no exercises for lesson {lesson!r}; choose from {lessons}")
    state = (results or Results()).read()
    counts = [(exercise, green(exercise, state), len(exercise.visible)) for exercise in chosen]
    where = "the course" if lesson is None else f"lesson {lesson}"
    head = f"{sum(n for _, n, _ in counts)} of {sum(total for _, _, total in counts)} checks of {where} are green"
    notes = _notes(state, lesson)
    return Rendered({"text/html": _html(head, counts, notes), "text/plain": _text(head, counts, notes)})


def green(exercise: Exercise, state: State) -> int:
    """Count the checks of an exercise that passed when they were last run."""
    kept = state.checks.get(exercise.number)
    return len({case.name for case in exercise.visible} & set(kept.passed)) if kept else 0


def _notes(state: State, lesson: str | None) -> list[str]:
    answers = [
        kept for key, kept in state.checkpoints.items() if lesson is None or key.startswith(f"{lesson}-")
    ]
    notes = []
    if answers:
        right = sum(kept.correct for kept in answers)
        notes.append(f"checkpoint questions answered right: {right} of the {len(answers)} that you tried")
    ratings = [f"{n} {said}" for n, said in sorted(state.ratings.items()) if lesson in (None, n)]
    return notes + ([f"your own rating: {', '.join(ratings)}"] if ratings else [])


def _html(head: str, counts: Sequence[tuple[Exercise, int, int]], notes: Sequence[str]) -> str:
    rows = "".join(
        f'<tr><td style="{CELL}">{escape(exercise.number)}</td><td style="{CELL}">{escape(exercise.title)}</td>'
        f'<td style="{CELL}">{_bar(count, total)} {count} of {total}</td></tr>'
        for exercise, count, total in counts
    )
    names = ("exercise", "what it is about", "green")
    top = "".join(f'<th scope="col" style="{CELL}">{name}</th>' for name in names)
    said = "".join(f'<p style="{MUTED}">{escape(note)}</p>' for note in notes)
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div style="{BODY}"><p><strong>{escape(head)}</strong></p>{table}{said}</div>'


def _text(head: str, counts: Sequence[tuple[Exercise, int, int]], notes: Sequence[str]) -> str:
    width = max(len(exercise.title) for exercise, _, _ in counts)
    rows = [
        f"  {exercise.number:6}{exercise.title:{width}}  {_bar(count, total)}  {count} of {total}"
        for exercise, count, total in counts
    ]
    return "\n".join([head, *rows, *notes])


def _bar(count: int, total: int) -> str:
    return "■" * count + "□" * (total - count)
