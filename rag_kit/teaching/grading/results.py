"""What a learner has done so far: checks, checkpoint questions and self-ratings, in one small file.

The file stands in the user's own data folder and never beside the notebooks. RAG_KIT_LEARNER_DIR names
another folder (the build and the tests use one that they throw away), and RAG_KIT_CACHE_DIR comes next.
Without a file that can be written all still works, and is forgotten when the kernel ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from rag_kit.console import say
from rag_kit.files import write_whole
from rag_kit.settings import folder_of

LEARNER_DIR = "RAG_KIT_LEARNER_DIR"
CACHE_DIR = "RAG_KIT_CACHE_DIR"
FILE = "learner.json"


@dataclass(slots=True)
class Checked:
    """One exercise: how many calls of its check failed, and the names of the checks that pass now."""

    failed_calls: int = 0
    passed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Answered:
    """One checkpoint question: choices made, whether the last was right, and the text of the first."""

    attempts: int = 0
    correct: bool = False
    first_choice: str | None = None


@dataclass(slots=True)
class State:
    """All of it, by exercise number, by question key and by lesson number."""

    checks: dict[str, Checked] = field(default_factory=dict)
    checkpoints: dict[str, Answered] = field(default_factory=dict)
    ratings: dict[str, str] = field(default_factory=dict)


_FILE = TypeAdapter(State)
_unsaved: dict[Path, State] = {}


def results_path(environ: Mapping[str, str] | None = None) -> Path:
    """Return where the results are kept.

    >>> results_path({"RAG_KIT_CACHE_DIR": "c"}).as_posix()
    'c/learner.json'
    """
    env = os.environ if environ is None else environ
    named = next((env[name].strip() for name in (LEARNER_DIR, CACHE_DIR) if env.get(name, "").strip()), None)
    if named is None:
        from platformdirs import user_data_dir

        named = user_data_dir("rag_kit", appauthor=False)
    return folder_of(named) / FILE


class Results:
    """The results at a path, or where the environment says at the moment of each call."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    @property
    def path(self) -> Path:
        """Return where the results are kept."""
        return self._path or results_path()

    def read(self) -> State:
        """Return what is kept; a damaged file is put aside and begun anew."""
        path = self.path
        if path in _unsaved:
            return deepcopy(_unsaved[path])
        try:
            return _FILE.validate_json(path.read_bytes())
        except FileNotFoundError:
            return State()
        except ValidationError:
            self._put_aside(path)
            return State()
        except OSError as error:
            say(f"{path}: cannot be read ({error.strerror}); results start anew")
            return State()

    def change(self, edit: Callable[[State], None]) -> State:
        """Edit what is kept and write it, whole or not at all; return it as it is now."""
        path, state = self.path, self.read()
        edit(state)
        try:
            write_whole(path, _FILE.dump_json(state, indent=1).decode() + "\n")
            _unsaved.pop(path, None)
        except OSError as error:
            if path not in _unsaved:
                say(f"{path}: cannot be written ({error.strerror}); results last until the kernel ends")
            _unsaved[path] = deepcopy(state)
        return state

    def _put_aside(self, path: Path) -> None:
        aside = path.with_suffix(".damaged.json")
        say(f"{path.name} was damaged and is begun anew; the old one is {aside}")
        try:
            os.replace(path, aside)
        except OSError as error:
            say(f"{path}: cannot be put aside ({error.strerror})")
