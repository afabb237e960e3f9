"""The vector cache on disk: one SQLite file an embedder, one row a text, keyed by the text's hash."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_LOOKUP = 500


class VectorCache:
    """Remembers vectors by embedder and text. The cache only saves time: without it all still works.

    A damaged file is put aside and begun anew; a folder that cannot be written leaves the cache unused,
    with one line on stderr.
    """

    def __init__(self, folder: str | Path, embedder: str) -> None:
        slug = re.sub(r"[^A-Za-z0-9._-]+", "_", embedder)[:60]
        digest = hashlib.sha256(embedder.encode()).hexdigest()[:10]
        self.path = Path(folder) / "vectors" / f"{slug}-{digest}.sqlite"

    def get(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return the vectors that are known, by text."""
        by_key = {_key(text): text for text in texts}
        keys = list(by_key)
        found: dict[str, NDArray[np.float32]] = {}

        def look_up(database: sqlite3.Connection) -> None:
            for at in range(0, len(keys), _LOOKUP):
                some = keys[at : at + _LOOKUP]
                marks = ",".join("?" * len(some))
                rows = database.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some)
                found.update((by_key[key], np.frombuffer(blob, dtype="<f4")) for key, blob in rows)

        self._use(look_up)
        return found

    def put(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Remember vectors by text, all of them or, where writing fails, none."""
        rows = [(_key(text), np.asarray(vector, dtype="<f4").tobytes()) for text, vector in vectors.items()]

        def write(database: sqlite3.Connection) -> None:
            with database:
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

        self._use(write)

    def _use(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do some work with the database, or leave it where the database cannot be used."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=30)) as database:
                database.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
                )
                work(database)
        except sqlite3.DatabaseError as error:
            # Only a damaged file is put aside: a full disk or a lock is an OperationalError and passes.
            if not isinstance(error, sqlite3.OperationalError) and self.path.exists():
                os.replace(self.path, self.path.with_suffix(".damaged"))
            self._say(str(error))
        except OSError as error:
            self._say(error.strerror or str(error))

    def _say(self, reason: str) -> None:
        print(f"rag_kit: vector cache {self.path.name} not used: {reason}", file=sys.stderr)  # noqa: T201


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
