"""What a lesson has to keep to, checked before it runs.

A number in prose goes out of date unseen. So Markdown may hold digits only where they are names (lesson
numbers, list markers, citation labels, the two constants in ALLOWED) or repeat a literal of that lesson's
own code; a measured result belongs into a cell's output.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from rag_kit.teaching.building.canonical import absolute_path
from rag_kit.teaching.building.lessons import Lesson

ALLOWED = ("budget of 1,500", "k = 60", "k=60", "Python 3.11", "UTF-8")
"""Fixed constants of the kit and names that hold a digit; 1,500 is also allowed alone."""

NEEDED = {"title": str, "can_do": str, "minutes": int}

_NUMBER = re.compile(r"(?<![\w])\d+(?:,\d{3})*(?:\.\d+)?")
_NAMES = re.compile(
    r"\]\([^)\s]*\)|https?://\S+|<!--.*?-->"  # link targets
    r"|^#\s+\d\d\b|\b(?:[Ll]essons?|[Ee]xercises?|[Nn]otebooks?)\s+\d\d(?:\.\d+)?\b"  # lesson numbers
    r"|\b0\d\b(?![.,]\d)"
    r"|^[ \t>]*\d{1,2}[.)](?=\s)"  # list markers
    r"|[\[【][sS]?\d{1,3}(?:\s*[-–,;]\s*[sS]?\d{1,3})*[\]】]"  # citation labels
    r"|\b1,500\b|" + "|".join(rf"\b{re.escape(name)}\b" for name in ALLOWED),
    re.M | re.S,
)


def lint(lesson: Lesson, notebook: Any) -> list[str]:
    """Return what is wrong with a lesson, one line each, with file and cell."""
    found = [f"{lesson.name}: {problem}" for problem in _header_problems(lesson)]
    cells = notebook.cells
    known = {number for cell in cells if cell.cell_type == "code" for number in literals(cell.source)}
    for place, cell in enumerate(cells, 1):
        problems = list(_prose_problems(cell.source, known)) if cell.cell_type == "markdown" else []
        if cell.cell_type == "raw":
            problems.append("is a raw cell, which no reader sees; make it Markdown or code")
        if path := absolute_path(cell.source):
            problems.append(f"holds the absolute path {path!r}; write it relative to notebooks/")
        found += [f"{lesson.name}: cell {place} {problem}" for problem in problems]
    return found + [f"{lesson.name}: {problem}" for problem in _order_problems(cells)]


def literals(code: str) -> set[str]:
    """Return the numbers that code holds as literals, those inside its strings too.

    >>> sorted(literals("ask('Is XX-1042 out?', k=3, budget=1_500)"))
    ['1042', '1500', '3']
    """
    tree = parse_cell(code)
    values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)] if tree else [code]
    found = {repr(value) for value in values if type(value) in (int, float)}
    return found | {number for value in values if isinstance(value, str) for number in numbers(value)}


def numbers(text: str) -> set[str]:
    """Return the numbers of a text, thousands unseparated; digits that end a word are part of its name.

    >>> sorted(numbers("BM25 found 1,200 of 4.5"))
    ['1200', '4.5']
    """
    return {match.group().replace(",", "") for match in _NUMBER.finditer(text)}


def _prose_problems(prose: str, known: set[str]) -> Iterator[str]:
    for match in _NUMBER.finditer(_NAMES.sub(" ", prose)):
        number = match.group()
        if number.replace(",", "") not in known:
            yield (
                f'has the number {number} in its prose: let a code cell show it (display(Markdown(f"…"))), '
                "or name it in the lesson's code"
            )


def _header_problems(lesson: Lesson) -> Iterator[str]:
    for key, kind in NEEDED.items():
        value = lesson.header.get(key)
        if not isinstance(value, kind) or not value:
            yield f"the header needs `{key}` under `rag_kit:`, {'a whole number' if kind is int else 'a text'}"


def _order_problems(cells: list[Any]) -> Iterator[str]:
    if not cells or cells[0].cell_type != "markdown" or not re.match(r"# \S", cells[0].source):
        yield "cell 1 is not a Markdown heading; begin the lesson with '# Title'"
    code = [cell for cell in cells if cell.cell_type == "code"]
    tagged = [i for i, cell in enumerate(code) if "parameters" in cell.metadata.get("tags", [])]
    if tagged != [0]:
        yield 'tag exactly one cell tags=["parameters"], the first code cell'


def parse_cell(code: str) -> ast.AST | None:
    """Parse a code cell, magics included, or return None where it is no Python."""
    from IPython.core import inputtransformer2

    magics: Any = inputtransformer2.TransformerManager
    try:
        tree: ast.AST = compile(
            magics().transform_cell(code),
            "<cell>",
            "exec",
            ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
        )
    except SyntaxError:
        return None
    return tree
