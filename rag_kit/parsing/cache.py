"""What was read of files in heavy formats, on disk: a file is read again only where something changed.

A result is known by the file's bytes, its name in its folder, how it was read, and all code that had a part
in it. Files that could not be read are not kept, nor is what was read with a password.
"""

from __future__ import annotations

import functools
import hashlib
import json
import platform
import sqlite3
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_kit.parsing.registry import Format
from rag_kit.sqlite_file import SqliteFile
from rag_kit.types import Notice

PACKAGES = (
    "pdfplumber", "pdfminer.six", "pypdf", "pypdfium2", "rapidocr", "onnxruntime", "opencv-python-headless",
    "python-docx", "lxml", "openpyxl",
)  # fmt: skip
"""The packages whose releases change what is read."""
_KIT = "rag_kit."


class ResultCache:
    """Remembers the rows that were made of a file. The cache only saves time: without it all still works."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder) / "parsed"

    @functools.cached_property
    def path(self) -> Path:
        """Return the file, one for each state of the code."""
        return self._folder / f"{fingerprint()[:16]}.sqlite"

    @functools.cached_property
    def _file(self) -> SqliteFile:
        table = "parsed (key BLOB PRIMARY KEY, rows BLOB NOT NULL)"
        return SqliteFile(self.path, "cache of parsed documents", table)

    def get(self, key: bytes) -> tuple[list[dict[str, Any]], bool] | None:
        """Return the rows that are kept under a key, and whether they are one document; else None."""
        found: list[bytes] = []

        def look_up(database: sqlite3.Connection) -> None:
            found.extend(row for (row,) in database.execute("SELECT rows FROM parsed WHERE key = ?", (key,)))

        self._file.use(look_up)
        try:
            kept = json.loads(zlib.decompress(found[0])) if found else None
            return (kept["rows"], kept["single"]) if kept else None
        except (zlib.error, ValueError, KeyError, TypeError):  # a damaged row is as good as none
            return None

    def put(self, key: bytes, rows: list[dict[str, Any]], single: bool) -> None:
        """Keep the rows of a file."""
        body = zlib.compress(json.dumps({"rows": rows, "single": single}).encode("ascii"), level=1)

        def write(database: sqlite3.Connection) -> None:
            with database:
                database.execute("INSERT OR REPLACE INTO parsed VALUES (?, ?)", (key, body))

        self._file.use(write)


def can_keep(form: Format) -> bool:
    """Tell whether all code of a format is known here: a lesson's own parser may change at any time.

    >>> can_keep(Format("rag_kit.parsing.pdf:parse_pdf")), can_keep(Format("my_parsers:parse_log"))
    (True, False)
    """
    return isinstance(form.named, str) and form.named.startswith(_KIT)


def key_of(
    form: Format,
    content: bytes,
    relative_path: str,
    notices: tuple[Notice, ...],
    options: Mapping[str, str | None],
) -> bytes:
    """Return what a file's result is kept under; the password is no part of it."""
    how = sorted((name, value) for name, value in options.items() if name != "password")
    notes = [(notice.code, notice.message, notice.page) for notice in notices]
    named = json.dumps([form.named, relative_path, notes, how]).encode("ascii")
    return hashlib.sha256(hashlib.sha256(content).digest() + named).digest()


@functools.cache
def fingerprint() -> str:
    """Return a hash of all that makes a result of a file: the kit's code, the packages and Python."""
    digest = hashlib.sha256(platform.python_version().encode())
    for name in PACKAGES:
        digest.update(f"\0{name} {_held(name)}".encode())
    root = Path(__file__).parents[1]
    # The modules at the root are shared: the records, the signs that count as hidden, ...
    for path in sorted([*root.glob("*.py"), *(root / "parsing").rglob("*.py")]):
        digest.update(f"\0{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _held(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
