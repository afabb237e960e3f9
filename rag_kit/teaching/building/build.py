"""Build ``notebooks/``, ``exercises/`` and ``solutions/`` from ``lessons/``: the same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.files import write_whole
from rag_kit.teaching.building.canonical import canonical, cell_id
from rag_kit.teaching.building.execute import execute
from rag_kit.teaching.building.exercises import learners_work, make_exercise
from rag_kit.teaching.building.lessons import EXERCISE, Lesson, read_exercises, read_lessons, to_notebook
from rag_kit.teaching.building.lint import lint
from rag_kit.teaching.building.readme import lesson_table, readme_with_table, sync_readme
from rag_kit.teaching.glossary import PAGE, glossary_page

__all__ = ["build", "lesson_table", "sync_readme"]
FOLDERS = ("notebooks", "exercises", "solutions")


def build(root: Path, *, check: bool = False, only: Sequence[str] = ()) -> list[str]:
    """Build what differs and return its names; with ``check`` write nothing, the names are what is stale.

    ``only`` names lessons by stem. Every lesson is linted before the first one runs, and nothing is written
    unless all of them ran. A notebook whose lesson is gone is stale too, and the build removes it. An
    exercise notebook that somebody has worked on is never replaced.
    """
    root = root.resolve()
    readme_with_table(root)  # a README without its markers should be known before the notebooks run
    page = glossary_page(root)
    lessons, exercises = _chosen(root, only)
    read = [(lesson, to_notebook(lesson)) for lesson in [*lessons, *exercises]]
    if problems := [problem for lesson, notebook in read for problem in lint(lesson, notebook)]:
        raise InvalidValue("\n".join(problems))
    made = {} if page is None else {PAGE: page}
    for lesson, notebook in read[: len(lessons)]:
        made |= make(lesson, notebook, root, check=check)
    for exercise in exercises:
        made |= make_exercise(exercise, root, check=check)
    stale = {name: text for name, text in made.items() if _bytes(root / name) != text.encode()}
    gone = [] if only else left_behind(root, set(made))
    if not check:
        _spare_work(root, [*stale, *gone])
        for name, text in stale.items():
            write_whole(root / name, text)
        for name in gone:
            (root / name).unlink()
    return sorted([*stale, *gone, *(["README.md"] if sync_readme(root, check) else [])])


def _chosen(root: Path, only: Sequence[str]) -> tuple[list[Lesson], list[Lesson]]:
    """Return lessons and exercises: all of them, or those named and nothing of the other kind."""
    named = [[stem for stem in only if stem.endswith(EXERCISE) is kind] for kind in (False, True)]
    lessons = read_lessons(root, named[0]) if named[0] or not only else []
    exercises = read_exercises(root, named[1]) if named[1] or not only else []
    return lessons, exercises


def _spare_work(root: Path, names: Sequence[str]) -> None:
    for name in names:
        if name.startswith("exercises/") and learners_work(root / name):
            raise InvalidValue(
                f"{name} has been worked on, and the build would replace it: move it away first"
            )


def make(lesson: Lesson, notebook: Any, root: Path, *, check: bool) -> dict[str, str]:
    """Run a lesson where its notebook stands, and return the files that come of it, by name."""
    folder, name = root / "notebooks", f"notebooks/{lesson.stem}.ipynb"
    if check and not (root / name).exists():
        return {name: ""}  # there is nothing to compare it with, so it need not run
    folder.mkdir(exist_ok=True)
    execute(notebook, folder, lesson.name)
    return {name: canonical(notebook, lesson.stem, lesson.name)}


def left_behind(root: Path, made: set[str]) -> list[str]:
    """Return the built notebooks that no source makes any more; a learner's own are not among them."""
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*.ipynb")):
            name = f"{folder}/{path.name}"
            first = f'"id": "{cell_id(path.stem, 1)}"'
            if name not in made and first in path.read_text(encoding="utf-8"):
                found.append(name)
    return found


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None
