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
        questions = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        if key in questions:
            return _quiz(questions[key], key, f"{path.name}, {key}")
    raise InvalidValue(f"no checkpoint {key!r} in {folder.name}/{QUIZZES}: look at the key")


def _quiz(row: dict[str, Any], key: str, where: str) -> Quiz:
    try:
        options = [(option["text"], option["feedback"]) for option in row["options"]]
        right = [place for place, option in enumerate(row["options"]) if option.get("right")]
        question = row["question"]
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidValue(f"{where}: {error} is missing; give question and options") from None
    if len(right) != 1:
        raise InvalidValue(f"{where}: {len(right)} options are marked right; mark one with `right: true`")
    return Quiz(question, options, answer=right[0], key=key)
