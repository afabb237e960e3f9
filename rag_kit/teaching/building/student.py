"""One exercise source, two notebooks: the learner's without the marked solutions, and the solved one.

A solution stands between ``### BEGIN SOLUTION`` and ``### END SOLUTION`` (nbgrader's spelling), and a stub
that names the exercise takes its place. A cell tagged ``solution-only`` is left out of the exercise. A cell
tagged ``exercise-only`` is left out of the solution: it holds the code that is to be mended.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.teaching.building.lessons import Lesson, to_notebook
from rag_kit.teaching.building.lint import parse_cell

SOLUTION_ONLY = "solution-only"
EXERCISE_ONLY = "exercise-only"

_MARKER = re.compile(r"(?P<indent> *)### (?P<side>BEGIN|END) SOLUTION")
_LOOKS_LIKE_ONE = re.compile(r"#\s*(BEGIN|END)\s+(SOLUTION|HIDDEN TESTS|MARK SCHEME)\b", re.I)
_SPELLING = (
    "write `### BEGIN SOLUTION` or `### END SOLUTION`, indented with blanks; hidden checks go to "
    "rag_kit/teaching/grading/cases/"
)
_HEADING = re.compile(r"# #+ (Exercise \d\d\.\d+: \S.*)")
_CELL = re.compile(r"# %%(?P<markdown> \[markdown\])?")


def exercise_notebook(lesson: Lesson) -> Any:
    """Return the learner's notebook: stubs for solutions, and nothing that only the solution has."""
    notebook = to_notebook(replace(lesson, source=strip_solutions(lesson.source, lesson.name)))
    kept = _without(notebook, SOLUTION_ONLY)
    for place, cell in enumerate(kept.cells, 1):
        if cell.cell_type == "code" and parse_cell(cell.source) is None:
            raise InvalidValue(
                f"{lesson.name}: cell {place} of the exercise is no Python once the solution is taken out: "
                "indent the marker like the code around it"
            )
    return kept


def solution_notebook(lesson: Lesson) -> Any:
    """Return the solved notebook, not executed; the markers stay and show which part was to be written."""
    strip_solutions(lesson.source, lesson.name)  # the markers have to be right here too
    return _without(to_notebook(lesson), EXERCISE_ONLY)


@dataclass(frozen=True, slots=True)
class Region:
    """A solution: the line numbers of its markers, counted from 1, and the stub that replaces it."""

    first: int
    last: int
    stub: str


def strip_solutions(source: str, name: str) -> str:
    r"""Replace each solution in a source by a stub named after the exercise's heading.

    >>> source = "# %% [markdown]\n# ## Exercise 01.2: fill\n# %%\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION"
    >>> print(strip_solutions(source, "lessons/01.py").splitlines()[-1])
    raise NotImplementedError("Exercise 01.2: fill")
    """
    lines = source.split("\n")
    for region in reversed(find_regions(source, name)):
        lines[region.first - 1 : region.last] = [region.stub]
    return "\n".join(lines)


def find_regions(source: str, name: str) -> list[Region]:
    """Find the solutions of a source.

    Raises InvalidValue with file and line for a marker that is nested, unclosed, without its beginning,
    misspelt, in a Markdown cell, before any exercise's heading, or not indented like its solution.
    """
    lines = source.split("\n")
    regions: list[Region] = []
    begun, indent, heading, in_markdown = 0, "", "", False
    for number, line in enumerate(lines, 1):
        marker = _MARKER.fullmatch(line.rstrip(" "))
        cell = _CELL.match(line)
        if marker is None and _LOOKS_LIKE_ONE.search(line):
            raise _fault(name, number, f"{line.strip()!r} is no marker: {_SPELLING}")
        if cell and begun:
            raise _fault(
                name, number, f"the cell ends inside the solution begun in line {begun}: close it first"
            )
        if cell:
            in_markdown = bool(cell["markdown"])
        if marker is None:
            if in_markdown and (said := _HEADING.fullmatch(line.rstrip())):
                heading = said[1]
        elif in_markdown:
            raise _fault(name, number, "a marker in a Markdown cell: solutions are code")
        elif marker["side"] == "BEGIN":
            if begun:
                raise _fault(
                    name, number, f"a solution inside the one begun in line {begun}: close that first"
                )
            if not heading:
                raise _fault(
                    name, number, "a solution before any heading: add one like `## Exercise 01.2: …`"
                )
            begun, indent = number, marker["indent"]
        else:
            if not begun:
                raise _fault(name, number, "an end without its `### BEGIN SOLUTION`")
            if marker["indent"] != indent:
                raise _fault(name, number, f"indented otherwise than its beginning in line {begun}")
            _check_indents(lines[begun : number - 1], begun, indent, name)
            title = heading.replace("\\", "\\\\").replace('"', '\\"')
            regions.append(Region(begun, number, f'{indent}raise NotImplementedError("{title}")'))
            begun = 0
    if begun:
        raise _fault(name, begun, "a solution that never ends: write `### END SOLUTION` after it")
    return regions


def _check_indents(body: list[str], begun: int, indent: str, name: str) -> None:
    """Raise unless the first line stands exactly under its marker and no other further left."""
    filled = [(begun + place, line) for place, line in enumerate(body, 1) if line.strip()]
    if not filled:
        raise _fault(name, begun, "a solution with nothing in it")
    for place, (number, line) in enumerate(filled):
        depth = len(line) - len(line.lstrip())
        if not line.startswith(indent) or (place == 0 and depth != len(indent)):
            raise _fault(
                name, number, f"indented otherwise than the marker in line {begun}: indent both alike"
            )


def _fault(name: str, number: int, said: str) -> InvalidValue:
    return InvalidValue(f"{name}, line {number}: {said}")


def _without(notebook: Any, tag: str) -> Any:
    notebook.cells = [cell for cell in notebook.cells if tag not in cell.metadata.get("tags", [])]
    return notebook
