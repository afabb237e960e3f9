"""The vector cache on disk: one SQLite file an embedder, one row a text, keyed by the text's hash."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag_kit.console import say

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
        self._usable = True

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

        self._use(look_up)
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
            self._use(write)

    def _use(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do some work with the database, or leave it where the database cannot be used."""
        if not self._usable:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=30)) as database:
                database.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
                )
                work(database)
        except sqlite3.OperationalError as error:  # a full disk, a lock: the file may well be whole
            self._leave(str(error))
        except sqlite3.DatabaseError as error:
            self._put_aside(str(error))
        except OSError as error:
            self._leave(error.strerror or str(error))

    def _put_aside(self, reason: str) -> None:
        try:
            os.replace(self.path, self.path.with_suffix(".damaged"))
        except OSError as error:
            self._leave(f"{reason}, and it cannot be put aside ({error.strerror}): delete {self.path}")
        else:
            say(f"vector cache {self.path.name} not used: {reason}; it is put aside and begun anew")

    def _leave(self, reason: str) -> None:
        # For good: trying again at each batch would wait for a lock, and say so, each time.
        self._usable = False
        say(f"vector cache {self.path.name} not used: {reason}")


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
