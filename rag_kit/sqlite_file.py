"""A SQLite file that only saves time: damaged, locked or on a full disk, it is done without."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from rag_kit.console import say


class SqliteFile:
    """A cache's file: a damaged one is put aside and begun anew, one that cannot be used is left alone.

    Either way one line on stderr says so, once, under the name of ``what``.
    """

    def __init__(self, path: Path, what: str, table: str) -> None:
        self.path = path
        self._what = what
        self._table = table
        self._usable = True

    def use(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do some work with the database, or leave it where the database cannot be used."""
        if not self._usable:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=30)) as database:
                database.execute(f"CREATE TABLE IF NOT EXISTS {self._table}")
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
            say(f"{self._what} {self.path.name} not used: {reason}; it is put aside and begun anew")

    def _leave(self, reason: str) -> None:
        # For good: trying again at each batch would wait for a lock, and say so, each time.
        self._usable = False
        say(f"{self._what} {self.path.name} not used: {reason}")
