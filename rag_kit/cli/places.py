"""Where a command that measures puts its result: a place that loses nobody's file."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rag_kit.console import say
from rag_kit.errors import InvalidValue

PICTURES = (".png", ".svg")
RESULTS = ({"k", "pipelines", "comparisons"}, {"kind", "format", "arms"})
"""Names that a result of `benchmark` holds, and one of `sweep`."""


def check_places(options: argparse.Namespace) -> None:
    """Refuse, before anything is embedded, an --out or --plot that could not be written, or hold something else.

    A file that is there is replaced where it is a result, or for --plot a picture: a slip must not cost the
    questions or a document.
    """
    for name in filter(None, (options.out, options.plot)):
        try:
            _check_place(Path(name))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InvalidValue(f"{name}: {reason}: choose another place") from None
    if options.out and options.plot and os.path.realpath(options.out) == os.path.realpath(options.plot):
        raise InvalidValue(f"--out and --plot name the same file {options.out}: name two")
    if options.out and os.path.realpath(options.out) == os.path.realpath(options.questions):
        raise InvalidValue(f"--out {options.out} is the file of questions: choose another place")
    if options.out and Path(options.out).exists() and not _is_result(Path(options.out)):
        raise InvalidValue(
            f"--out {options.out} is there and is no result to be replaced: choose another place"
        )
    if options.plot:
        if Path(options.plot).suffix.lower() not in PICTURES:
            raise InvalidValue(f"--plot {options.plot}: name a file that ends in {' or '.join(PICTURES)}")
        from rag_kit.teaching.views.pictures import load_figures

        load_figures()


def save_if_named(name: str | None, write: Callable[[], None]) -> bool:
    """Write a file where one was named, and tell whether all went well: a place that fails loses no figures."""
    try:
        if name:
            write()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        say(f"{name} cannot be written ({reason}): choose another place")
        return False
    return True


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise InvalidValue(f"{path} is a folder: name a file")
    if path.exists() and not path.is_file():
        raise InvalidValue(f"{path} is no regular file: name one")
    if any(parent.exists() and not parent.is_dir() for parent in path.absolute().parents):
        raise InvalidValue(f"{path} lies below a file: choose another place")
    with suppress(FileNotFoundError):
        path.stat()  # of a link that leads to itself


def _is_result(path: Path) -> bool:
    """Tell whether a file is empty or holds what a command that measures has written."""
    try:
        text = path.read_text(encoding="utf-8")
        held = json.loads(text) if text.strip() else {}
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(held, dict) and (not held or any(names <= held.keys() for names in RESULTS))
