"""Build ``notebooks/`` from ``lessons/``: executed, and the same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.teaching.canonical import canonical, cell_id
from rag_kit.teaching.execute import execute
from rag_kit.teaching.files import write_whole
from rag_kit.teaching.lessons import Lesson, read_lessons, to_notebook
from rag_kit.teaching.lint import lint
from rag_kit.teaching.readme import lesson_table, readme_with_table, sync_readme

__all__ = ["build", "lesson_table", "sync_readme"]


def build(root: Path, *, check: bool = False, only: Sequence[str] = ()) -> list[str]:
    """Build what differs and return its names; with ``check`` write nothing, the names are what is stale.

    ``only`` names lessons by stem. Every lesson is linted before the first one runs, and nothing is written
    unless all of them ran. A notebook whose lesson is gone is stale too, and the build removes it.
    """
    root = root.resolve()
    readme_with_table(root)  # a README without its markers should be known before the notebooks run
    lessons = [(lesson, to_notebook(lesson)) for lesson in read_lessons(root, only)]
    if problems := [problem for lesson, notebook in lessons for problem in lint(lesson, notebook)]:
        raise InvalidValue("\n".join(problems))
    made: dict[str, str] = {}
    for lesson, notebook in lessons:
        made |= make(lesson, notebook, root, check=check)
    stale = {name: text for name, text in made.items() if _bytes(root / name) != text.encode()}
    gone = [] if only else left_behind(root, {lesson.stem for lesson, _ in lessons})
    if not check:
        for name, text in stale.items():
            write_whole(root / name, text)
        for name in gone:
            (root / name).unlink()
    return sorted([*stale, *gone, *(["README.md"] if sync_readme(root, check) else [])])


def make(lesson: Lesson, notebook: Any, root: Path, *, check: bool) -> dict[str, str]:  # noqa: ANN401
    """Run a lesson where its notebook stands, and return the files that come of it, by name."""
    folder, name = root / "notebooks", f"notebooks/{lesson.stem}.ipynb"
    if check and not (root / name).exists():
        return {name: ""}  # there is nothing to compare it with, so it need not run
    folder.mkdir(exist_ok=True)
    execute(notebook, folder, lesson.name)
    return {name: canonical(notebook, lesson.stem, lesson.name)}


def left_behind(root: Path, stems: set[str]) -> list[str]:
    """Return the built notebooks that no lesson makes any more; a learner's own are not among them."""
    found = []
    for path in (root / "notebooks").glob("*.ipynb"):
        if path.stem not in stems and f'"id": "{cell_id(path.stem, 1)}"' in path.read_text(encoding="utf-8"):
            found.append(f"notebooks/{path.name}")
    return found


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None
