"""The table of lessons in README.md, made from the lessons' own headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rag_kit.errors import InvalidValue
from rag_kit.files import write_whole
from rag_kit.teaching.building.lessons import Lesson, read_lessons

START, END = "<!-- lessons -->", "<!-- /lessons -->"
_BETWEEN = re.compile(rf"{re.escape(START)}.*?{re.escape(END)}", re.S)


def lesson_table(root: Path) -> str:
    """Return the lessons of a kit as a Markdown table."""
    return table_of(read_lessons(root))


def table_of(lessons: Sequence[Lesson]) -> str:
    """Write lessons as a Markdown table.

    >>> header = {"title": "Start here", "can_do": "ask a folder", "minutes": 20}
    >>> print(table_of([Lesson(Path("00_start_here.py"), header, "")]).splitlines()[-1])
    | [00 Start here](notebooks/00_start_here.ipynb) | ask a folder | 20 |
    """
    rows = ["| Lesson | What you can do afterwards | Minutes |", "|---|---|---:|"]
    for lesson in lessons:
        title, can_do, minutes = (_cell(lesson.header.get(key)) for key in ("title", "can_do", "minutes"))
        link = f"[{f'{lesson.number} {title}'.strip()}](notebooks/{lesson.stem}.ipynb)"
        rows.append(f"| {link} | {can_do} | {minutes} |")
    return "\n".join(rows)


def sync_readme(root: Path, check: bool) -> bool:
    """Put the table between README.md's markers, and tell whether it differed; with ``check`` only tell."""
    readme = root / "README.md"
    wanted = readme_with_table(root)
    if wanted is None or readme.read_bytes() == wanted.encode():
        return False
    if not check:
        write_whole(readme, wanted)
    return True


def readme_with_table(root: Path) -> str | None:
    """Return README.md's text with the table as it should be, or None where there is no README.md."""
    readme = root / "README.md"
    if not readme.exists():
        return None
    text = readme.read_text(encoding="utf-8")
    if not _BETWEEN.search(text):
        raise InvalidValue(f"README.md has no place for the lessons: add the lines {START} and {END}")
    table = f"{START}\n{lesson_table(root)}\n{END}"
    return _BETWEEN.sub(lambda _: table, text, count=1)


def _cell(value: object) -> str:
    return " ".join(str("" if value is None else value).split()).replace("|", "\\|")
