"""Checkpoint questions by key, read from the lessons' quiz files.

The questions stand beside the lesson and not in its cells, so that a reader does not see the answer first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from rag_kit.errors import InvalidValue
from rag_kit.teaching.quiz import Quiz

QUIZZES = "*.quiz.yaml"


def checkpoint(key: str, folder: Path | None = None) -> Quiz:
    """Return the checkpoint question of that key; ``folder`` is the kit's own ``lessons/`` unless given.

    Raises InvalidValue for an unknown key or a question that is not complete.
    """
    folder = folder or Path(__file__).parents[2] / "lessons"
    for path in sorted(folder.glob(QUIZZES)):
        questions = _read(path)
        if key in questions:
            return _quiz(questions[key], key, f"{path.name}, {key}")
    raise InvalidValue(f"no checkpoint {key!r} in {folder.name}/{QUIZZES}: look at the key")


def _read(path: Path) -> dict[str, Any]:
    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f", line {mark.line + 1}" if mark else ""
        raise InvalidValue(f"{path.name}{place}: not YAML ({error.problem or error.context})") from None
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        raise InvalidValue(f"{path.name}: not YAML ({' '.join(str(error).split())[:80]})") from None
    if loaded is not None and not isinstance(loaded, dict):
        raise InvalidValue(f"{path.name}: not checkpoint questions: write each under its key, like '01.1':")
    return {str(key): row for key, row in (loaded or {}).items()}


def _quiz(row: Any, key: str, where: str) -> Quiz:
    rows = row.get("options") if isinstance(row, dict) else None
    if not isinstance(rows, list) or not all(isinstance(option, dict) for option in rows):
        raise InvalidValue(f"{where}: options are missing: give question and a list of options")
    question = _text(row, "question", where)
    options = [(_text(option, "text", where), _text(option, "feedback", where)) for option in rows]
    right = [place for place, option in enumerate(rows) if option.get("right")]
    if len(right) != 1:
        raise InvalidValue(f"{where}: {len(right)} options are marked right; mark one with `right: true`")
    return Quiz(question, options, answer=right[0], key=key)


def _text(row: dict[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InvalidValue(
            f"{where}: {key!r} is missing or no text; give question and options, and put it in quotes"
        )
    return value
