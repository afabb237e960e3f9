"""What the folder panel shows, as HTML and as text: pure functions of what was read and answered."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from rag_kit.errors import InvalidValue, RagKitError
from rag_kit.hidden import show_unseen
from rag_kit.llm.failures import explain_api_error
from rag_kit.notices import select_notices
from rag_kit.operations import Library
from rag_kit.settings import Settings
from rag_kit.teaching.markup import BODY, MUTED, escape, shorten
from rag_kit.teaching.views.evidence import evidence_table
from rag_kit.types import Answer

MOST_ROWS = 8
TITLE = "Ask your own folder"
HOW_TO = (
    "Run this cell to use the panel: type the path of a folder or a file, press “Read the folder”, then type a "
    "question and press “Ask”. In a terminal: python3 kit.py ask “…” --docs path/to/your/folder"
)
_LINE = "margin:4px 0"
_TROUBLE = "border-left:4px solid #d0672f;padding:2px 10px;margin:6px 0"


def find_path(text: str) -> Path:
    """Return the file or folder that a typed path means; raises InvalidValue where there is none.

    Quotes around it and ``~`` are understood. A relative path starts at the current folder, which is the
    notebook's, or at the kit's own, where the paths begin that JupyterLab copies.
    """
    typed = text.strip().strip("\"'").strip()
    if not typed:
        raise InvalidValue("no folder is named: type the path of a folder or of a file")
    path = Path(os.path.expanduser(typed))
    kit = Path(__file__).parents[3]
    for found in (path, kit / path):
        if os.path.exists(found):  # not Path.exists: it raises for a name that is too long
            return found
    starts = "" if path.is_absolute() else f", neither from {Path.cwd()} nor from {kit}"
    mend = "check the spelling, or give the whole path"
    raise InvalidValue(f"{shorten(typed, 100)}: no such file or folder{starts}: {mend}")


def explain(error: Exception) -> str:
    """Say in one line what went wrong.

    >>> explain(PermissionError(13, "Permission denied", "notes"))
    'notes: permission denied'
    >>> explain(RuntimeError("the index is gone"))
    'RuntimeError: the index is gone'
    """
    if isinstance(error, RagKitError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return where + error.strerror.lower()
    return explain_api_error(error) or f"{type(error).__name__}: {error}".removesuffix(": ")


def where_text_goes(settings: Settings) -> str:
    """Say what leaves this machine.

    >>> where_text_goes(Settings())
    'Nothing leaves this machine.'
    """
    if settings.remote_host is None:
        return "Nothing leaves this machine."
    what = (
        "The question and the passages found for it" if settings.embeds_locally else "All text of the folder"
    )
    return f"{what} will be sent to {settings.remote_host}."


def counted(library: Library) -> str:
    """Count what was read."""
    documents, passages = len(library.documents), len(library.chunks)
    return f"{_many(documents, 'document')} read, cut into {_many(passages, 'passage')}"


def unread(library: Library, place: Path) -> list[str]:
    """Name the files that could not be read, and why."""
    return [f"{_short(error.source_uri, place)}: {error.message}" for error in library.errors]


def noted(library: Library, place: Path) -> list[str]:
    """Name the documents that were read and whose answers may suffer, and why."""
    return [
        f"{_short(document.source_uri, place)}: {notice.message}"
        for document in library.documents
        for notice in select_notices(document)
    ]


def reading_html(library: Library, place: Path) -> str:
    """Return what was read, and what could not be."""
    parts = [f'<p style="{_LINE}"><strong>{escape(counted(library))}.</strong></p>']
    for head, rows in _lists(library, place):
        items = "".join(f"<li>{escape(row)}</li>" for row in rows)
        parts.append(f'<p style="{_LINE}">{escape(head)}:</p><ul style="{_LINE}">{items}</ul>')
    return f'<div role="status" style="{BODY};overflow-wrap:anywhere">{"".join(parts)}</div>'


def reading_text(library: Library, place: Path) -> str:
    """Return the same as plain text."""
    said = [f"{counted(library)}."]
    for head, rows in _lists(library, place):
        said += [f"{head}:", *(f"    {row}" for row in rows)]
    return show_unseen("\n".join(said))


def status_html(text: str) -> str:
    """Return a line about what goes on."""
    return f'<div role="status" style="{BODY}">{escape(text)}</div>'


def trouble_html(head: str, text: str) -> str:
    """Return a message about what did not work."""
    said = f"<strong>{escape(head)}</strong> {escape(text)}"
    return f'<div role="alert" style="{BODY};overflow-wrap:anywhere;{_TROUBLE}">{said}</div>'


def muted_html(text: str) -> str:
    """Return a line that stands back."""
    return f'<div style="{BODY};{MUTED}">{escape(text)}</div>'


def retrieved_html(answer: Answer) -> str:
    """Return what was retrieved, folded."""
    table = evidence_table(answer.evidence, answer.labels).bundle["text/html"]
    return f"<details><summary>What was retrieved</summary>{table}</details>"


def retrieved_text(answer: Answer) -> str:
    """Return the same as plain text."""
    return f"What was retrieved:\n{evidence_table(answer.evidence, answer.labels)!r}"


def _lists(library: Library, place: Path) -> Iterable[tuple[str, list[str]]]:
    failed, notes = unread(library, place), noted(library, place)
    if failed:
        yield f"{_many(len(failed), 'file')} could not be read", _first(failed)
    if notes:
        yield "Read, and worth knowing", _first(notes)


def _first(rows: list[str]) -> list[str]:
    more = len(rows) - MOST_ROWS
    return [*rows[:MOST_ROWS], f"and {more} more; kit.py parse names them all"] if more > 0 else rows


def _short(source_uri: str, place: Path) -> str:
    return source_uri.removeprefix(f"{place.as_posix()}/")


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + "s" * (count != 1)
