"""Replacing a folder: the new one takes the old one's place when it is complete, or the old one stays."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from rag_kit.errors import InvalidValue


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Give a new folder to fill, beside ``folder``, and put it in its place at the end.

    Where filling it fails, the new folder goes and ``folder`` is as it was. Raises InvalidValue where the
    place cannot be written.
    """
    folder = folder.resolve()
    mark = uuid4().hex[:8]
    new, old = (folder.with_name(f".{folder.name}.{state}-{mark}") for state in ("new", "old"))
    try:
        new.mkdir(parents=True)
        yield new
        _swap(folder, new, old)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidValue(
            f"{folder} cannot be written ({reason}): choose another folder, or free what is in the way"
        ) from None
    finally:
        shutil.rmtree(new, ignore_errors=True)
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)


def _swap(folder: Path, new: Path, old: Path) -> None:
    with suppress(FileNotFoundError):
        os.rename(folder, old)
    try:
        os.rename(new, folder)
    except OSError:
        with suppress(OSError):
            os.rename(old, folder)
        raise
