"""A notebook without anything that changes from run to run: the same lesson gives the same bytes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rag_kit.errors import RagKitError

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
PLACEHOLDER = "(differs from run to run)\n"
VOLATILE = "volatile"
NOT_RUN = "skip-execution"
HIDDEN = "hide-input"
"""A cell whose code only carries prose: JupyterLab shows its output and folds the code away."""

_NBVAL = {VOLATILE: "nbval-ignore-output", NOT_RUN: "nbval-skip"}
_ADDRESS = re.compile(r"\bat 0x[0-9A-Fa-f]{6,}")
_ABSOLUTE = re.compile(
    r"(?<![\w./:~-])(?:/(?:home|Users|root|tmp|private|var/folders)/|[A-Za-z]:\\\w[\w .-]*\\)[^\s\"'<>]*"
)
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def canonical(notebook: Any, stem: str, name: str, *, outputs: bool = True) -> str:
    """Return an executed notebook's text; raise where an output cannot be the same on another machine.

    Without ``outputs`` it is as if it had not been run.

    Cell ids are made from the stem and the cell's place, and counts from the order of the code cells. A
    `volatile` cell keeps a placeholder, and tells nbval not to compare it.
    """
    import nbformat

    node: Any = nbformat.from_dict
    write: Any = nbformat.writes
    made = node({"metadata": METADATA, "nbformat": 4, "nbformat_minor": 5, "cells": []})
    count = 0
    for place, cell in enumerate(notebook.cells, 1):
        tags = _tags(cell)
        kept = {
            "cell_type": cell.cell_type,
            "id": cell_id(stem, place),
            "metadata": _metadata(tags),
            "source": cell.source,
        }
        if cell.cell_type == "code":
            count += 1
            kept["execution_count"] = count if outputs else None
            where = f"{name}: cell {place}"
            kept["outputs"] = list(_outputs(cell, tags, count, where)) if outputs else []
        made.cells.append(node(kept))
    nbformat.validate(made)
    return str(write(made, indent=1)).rstrip("\n") + "\n"


def cell_id(stem: str, place: int) -> str:
    """Return the id of a cell, counted from 1; nbformat allows 64 characters.

    >>> cell_id("00_start_here", 1)
    '00_start_here-01'
    """
    return f"{stem[:60]}-{place:02d}"


def absolute_path(text: str) -> str:
    """Return the first path in a text that only one machine has, or "".

    >>> absolute_path("see /home/ada/notes.md and /v1/embeddings")
    '/home/ada/notes.md'
    """
    match = _ABSOLUTE.search(text)
    return match.group() if match else ""


def _metadata(tags: list[str]) -> dict[str, Any]:
    hidden = {"jupyter": {"source_hidden": True}} if HIDDEN in tags else {}
    return {**hidden, **({"tags": tags} if tags else {})}


def _tags(cell: Any) -> list[str]:
    tags = list(cell.metadata.get("tags", []))
    return tags + [_NBVAL[tag] for tag in (VOLATILE, NOT_RUN) if tag in tags and _NBVAL[tag] not in tags]


def _outputs(cell: Any, tags: list[str], count: int, where: str) -> Iterator[dict[str, Any]]:
    if VOLATILE in tags:
        yield {"output_type": "stream", "name": "stdout", "text": PLACEHOLDER}
        return
    for output in _join_streams(cell.outputs):
        kept = {key: value for key, value in output.items() if key != "transient"}
        if "execution_count" in kept:
            kept["execution_count"] = count
        if "data" in kept:
            kept["data"] = _without_view(kept["data"], where)
            kept["metadata"] = {}
        _refuse_unstable(kept, where)
        yield kept


def _join_streams(outputs: list[Any]) -> Iterator[dict[str, Any]]:
    """Join what was printed between two displays: how it is cut into messages is chance."""
    held: dict[str, str] = {}
    for output in [*outputs, None]:
        if output is not None and output.output_type == "stream":
            held[output.name] = held.get(output.name, "") + output.text
            continue
        for stream in ("stdout", "stderr"):
            if text := held.pop(stream, ""):
                yield {"output_type": "stream", "name": stream, "text": text}
        if output is not None:
            yield dict(output)


def _without_view(data: dict[str, Any], where: str) -> dict[str, Any]:
    if WIDGET_VIEW in data and "text/html" not in data:
        raise RagKitError(
            f"{where} shows a bare widget, which is blank where no kernel runs: "
            "show a rag_kit.teaching view, which carries its HTML"
        )
    return {kind: value for kind, value in data.items() if kind != WIDGET_VIEW}


def _refuse_unstable(output: dict[str, Any], where: str) -> None:
    for text in _texts(output):
        if match := _ADDRESS.search(text):
            raise RagKitError(
                f"{where} prints a memory address ({match.group()}): show a field of it instead"
            )
        if path := absolute_path(text) or _own_path(text):
            raise RagKitError(
                f"{where} prints the absolute path {path!r}: show it relative, or tag it volatile"
            )


def _texts(output: dict[str, Any]) -> Iterator[str]:
    values = [output.get("text", ""), *output.get("traceback", [])]
    values += [value for kind, value in output.get("data", {}).items() if not kind.startswith("image/")]
    for value in values:
        yield value if isinstance(value, str) else repr(value)


def _own_path(text: str) -> str:
    places = {str(Path(place).resolve()) for place in (os.getcwd(), sys.prefix, Path.home())}
    deep = sorted(place for place in places if len(Path(place).parts) > 2)
    return next((place for place in deep if re.search(rf"(?<![\w.~-]){re.escape(place)}(?![\w-])", text)), "")
