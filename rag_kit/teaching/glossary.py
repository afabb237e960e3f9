"""The words of the course, each in one plain sentence: ``lessons/glossary.yaml``, its page, and one entry."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from rag_kit.errors import InvalidValue
from rag_kit.teaching.building.lessons import EXERCISE
from rag_kit.teaching.markup import BODY, MUTED, escape
from rag_kit.teaching.twin import Rendered

SOURCE = "glossary.yaml"
PAGE = "GLOSSARY.md"
_KEYS = {"meaning", "lesson", "also"}


@dataclass(frozen=True, slots=True)
class Term:
    """A word, what it means, the number of the lesson that brings it in, and its other names."""

    name: str
    meaning: str
    lesson: str
    also: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """Return the term with its other names."""
        return f"{self.name} (also: {', '.join(self.also)})" if self.also else self.name


def glossary(term: str, folder: Path | None = None) -> Rendered:
    """Show what a term means; ``folder`` is the kit's own ``lessons/`` unless given.

    Upper and lower case do not matter, and other names of a term find it too.
    """
    folder = folder or Path(__file__).parents[2] / "lessons"
    terms = read_terms(folder)
    by_name = {name.casefold(): entry for entry in terms for name in (entry.name, *entry.also)}
    asked = " ".join(term.split()).casefold()
    if asked not in by_name:
        close = difflib.get_close_matches(asked, by_name, n=3, cutoff=0.5)
        mend = f"did you mean {' or '.join(close)}?" if close else f"{PAGE} lists all terms"
        raise InvalidValue(f"no term {term!r} in the glossary: {mend}")
    entry = by_name[asked]
    return Rendered(
        {
            "text/html": f'<div style="{BODY}"><strong>{escape(entry.heading)}</strong>: {escape(entry.meaning)} '
            f'<span style="{MUTED}">Lesson {entry.lesson}.</span></div>',
            "text/plain": f"{entry.heading}: {entry.meaning} Lesson {entry.lesson}.",
        }
    )


def read_terms(folder: Path) -> list[Term]:
    """Read the glossary of a folder of lessons in alphabetical order; a folder without one has no terms."""
    path = folder / SOURCE
    if not path.exists():
        return []
    try:
        rows = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except yaml.YAMLError as error:
        raise InvalidValue(f"{folder.name}/{SOURCE} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(rows, dict):
        raise InvalidValue(f"{folder.name}/{SOURCE} is not a mapping; write each term before a colon")
    terms = [_term(str(name), row, f"{folder.name}/{SOURCE}, {name}") for name, row in rows.items()]
    seen: dict[str, str] = {}
    for term in terms:
        for name in (term.name, *term.also):
            if other := seen.get(name.casefold()):
                raise InvalidValue(
                    f"{folder.name}/{SOURCE}: {name!r} stands under {other!r} and {term.name!r}"
                )
            seen[name.casefold()] = term.name
    return sorted(terms, key=lambda term: term.name.casefold())


def glossary_page(root: Path) -> str | None:
    """Return the text of the kit's glossary page, or None where there is no glossary."""
    terms = read_terms(root / "lessons")
    if not terms:
        return None
    paths = (root / "lessons").glob("[0-9][0-9]_*.py")
    notebooks = {path.stem[:2]: path.stem for path in paths if not path.stem.endswith(EXERCISE)}
    rows = ["# Glossary", "", "Each word in one sentence, and the lesson that brings it in.", ""]
    rows += ["| Term | Meaning | Lesson |", "|---|---|---|"]
    for term in terms:
        stem = notebooks.get(term.lesson)
        lesson = f"[{term.lesson}](notebooks/{stem}.ipynb)" if stem else term.lesson
        rows.append(f"| **{_cell(term.name)}**{_others(term)} | {_cell(term.meaning)} | {lesson} |")
    return "\n".join([*rows, ""])


def _term(name: str, row: Any, where: str) -> Term:
    if not isinstance(row, dict) or not {"meaning", "lesson"} <= row.keys() <= _KEYS:
        raise InvalidValue(f"{where}: give `meaning` and `lesson`, and `also` for other names, nothing else")
    meaning, lesson, also = " ".join(str(row["meaning"]).split()), row["lesson"], row.get("also", [])
    if not isinstance(lesson, str) or not re.fullmatch(r"\d\d", lesson):
        raise InvalidValue(f'{where}: lesson {lesson!r} is not two digits in quotes, such as "01"')
    if not re.fullmatch(r"[^.!?]+(?:[.!?](?! )[^.!?]+)*\.", meaning):
        raise InvalidValue(f"{where}: the meaning is not one sentence with a full stop at its end")
    if not isinstance(also, list):
        raise InvalidValue(f"{where}: `also` is not a list of names")
    return Term(name, meaning, lesson, tuple(map(str, also)))


def _others(term: Term) -> str:
    return f" (also: {_cell(', '.join(term.also))})" if term.also else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
