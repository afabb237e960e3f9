"""The lesson sources: `lessons/*.py` in the percent format, each with a header that describes it.

A header looks like this, before the first cell (under ``jupyter:`` it is read as well):

    # ---
    # rag_kit:
    #   title: Start here
    #   can_do: ask a folder of documents and see each answer's source
    #   minutes: 20
    # ---

A lesson's file name begins with its number. A notebook beside the course has none, and says so in its
header, ``numbered: false``, so that a number that was only forgotten is still found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from rag_kit.errors import InvalidValue, RagKitError

_HEADER = re.compile(r"\A# ---\n((?:#.*\n)*?)# ---\n")
_NUMBERED = re.compile(r"\d\d_[a-z0-9_]+")
_UNNUMBERED = re.compile(r"[a-z][a-z0-9_]*")
EXERCISE = "_exercise"


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson source, read but not run."""

    path: Path
    header: dict[str, Any]
    source: str

    @property
    def stem(self) -> str:
        """Return the file name without its ending, the name of the notebook too."""
        return self.path.stem

    @property
    def number(self) -> str:
        """Return the two digits of a lesson, or "" for a notebook beside the course."""
        return self.stem[:2] if self.header.get("numbered", True) else ""

    @property
    def name(self) -> str:
        """Return how messages call this lesson."""
        return f"lessons/{self.path.name}"


def read_lessons(root: Path, only: Sequence[str] = ()) -> list[Lesson]:
    """Read the lessons of a kit in order, or those that ``only`` names."""
    lessons = _paths(root, exercises=False)
    if not lessons:
        raise InvalidValue(f"no lessons in {root / 'lessons'}: run the build in the kit's own folder")
    return _read(lessons, only)


def read_exercises(root: Path, only: Sequence[str] = ()) -> list[Lesson]:
    """Read the exercise sources of a kit in order, or those that ``only`` names; there may be none."""
    return _read(_paths(root, exercises=True), only)


def _paths(root: Path, *, exercises: bool) -> dict[str, Path]:
    paths = sorted((root / "lessons").glob("*.py"))
    return {path.stem: path for path in paths if path.stem.endswith(EXERCISE) is exercises}


def _read(paths: dict[str, Path], only: Sequence[str]) -> list[Lesson]:
    for stem in only:
        if stem not in paths:
            raise InvalidValue(f"unknown lesson {stem!r}; choose from {', '.join(paths)}")
    lessons = [read_lesson(path) for path in paths.values()]
    for lesson in lessons:
        _check_name(lesson)
    return [lesson for lesson in lessons if not only or lesson.stem in only]


def _check_name(lesson: Lesson) -> None:
    if lesson.number and not _NUMBERED.fullmatch(lesson.stem):
        raise InvalidValue(
            f"{lesson.name}: name it like 00_start_here.py, two digits and lower-case words; "
            "or write `numbered: false` in its header"
        )
    if not lesson.number and not _UNNUMBERED.fullmatch(lesson.stem):
        raise InvalidValue(
            f"{lesson.name}: its header says `numbered: false`; name it like ask_your_own_folder.py"
        )


def read_lesson(path: Path) -> Lesson:
    """Read one lesson source and its header."""
    source = path.read_text(encoding="utf-8").replace("\r\n", "\n")
    return Lesson(path, read_header(source, f"lessons/{path.name}"), source)


def read_header(source: str, name: str) -> dict[str, Any]:
    r"""Return what a source's header says under ``rag_kit``.

    >>> read_header("# ---\n# rag_kit: {title: Start here}\n# ---\n\n# %%\n", "lessons/00_start_here.py")
    {'title': 'Start here'}
    """
    match = _HEADER.match(source)
    block = (
        "\n".join(line.removeprefix("#").removeprefix(" ") for line in match[1].splitlines()) if match else ""
    )
    try:
        header = yaml.safe_load(block) or {}
    except yaml.YAMLError as error:
        raise InvalidValue(f"{name}: the header is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(header, dict):
        raise InvalidValue(f"{name}: the header is not a mapping; begin it with 'rag_kit:'")
    said = header.get("rag_kit") or (header.get("jupyter") or {}).get("rag_kit") or {}
    return said if isinstance(said, dict) else {}


def to_notebook(lesson: Lesson) -> Any:
    """Turn a lesson into an unexecuted notebook, the header left out."""
    try:
        import jupytext
    except ImportError:
        raise RagKitError(
            "building lessons needs jupytext, which is not installed: `python3 kit.py test` installs it"
        ) from None
    read: Any = jupytext.reads
    return read(_HEADER.sub("", lesson.source).lstrip("\n"), fmt="py:percent")
