"""The vector cache on disk: one SQLite file an embedder, one row a text, keyed by the text's hash."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag_kit.sqlite_file import SqliteFile

_LOOKUP = 500


class VectorCache:
    """Remembers vectors by embedder and text. The cache only saves time: without it all still works.

    A damaged file is put aside and begun anew, a damaged row is as good as none, and a folder that cannot be
    written leaves the cache unused: one line on stderr says so, once.
    """

    def __init__(self, folder: str | Path, embedder: str) -> None:
        slug = re.sub(r"[^A-Za-z0-9._-]+", "_", embedder)[:60]
        digest = hashlib.sha256(embedder.encode()).hexdigest()[:10]
        self.path = Path(folder) / "vectors" / f"{slug}-{digest}.sqlite"
        self._file = SqliteFile(
            self.path, "vector cache", "vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
        )

    def get(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return the vectors that are known, by text."""
        by_key = {_key(text): text for text in texts}
        keys = list(by_key)
        found: dict[str, NDArray[np.float32]] = {}

        def look_up(database: sqlite3.Connection) -> None:
            (size,) = database.execute("PRAGMA user_version").fetchone()
            for at in range(0, len(keys), _LOOKUP):
                some = keys[at : at + _LOOKUP]
                marks = ",".join("?" * len(some))
                rows = database.execute(
                    f"SELECT key, vector FROM vectors WHERE key IN ({marks}) AND length(vector) = ?",
                    [*some, size],
                )
                found.update((by_key[key], np.frombuffer(blob, dtype="<f4")) for key, blob in rows)

        self._file.use(look_up)
        return found

    def put(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Remember vectors by text, all of them or, where writing fails, none."""
        rows = [(_key(text), np.asarray(vector, dtype="<f4").tobytes()) for text, vector in vectors.items()]

        def write(database: sqlite3.Connection) -> None:
            with database:
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
                # How many bytes a vector has now: rows of any other size are damaged or an older model's.
                database.execute(f"PRAGMA user_version = {len(rows[0][1])}")

        if rows:
            self._file.use(write)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
