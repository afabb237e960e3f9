"""One file to its documents: its bytes, what they are, and the parser that reads them."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rag_kit.errors import MissingModel, UnreadableDocument
from rag_kit.parsing.cache import ResultCache, can_keep, key_of
from rag_kit.parsing.decoding import decode
from rag_kit.parsing.limits import parse_limited
from rag_kit.parsing.registry import PARSERS, Format, ReadOptions
from rag_kit.parsing.rows import from_rows
from rag_kit.parsing.sidecar import describe, read_sidecar
from rag_kit.parsing.sniffing import MENDS, Sniffed, judge
from rag_kit.settings import PARSE_MEMORY_MB, PARSE_SECONDS
from rag_kit.types import Document, Notice, ParseFailure


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read: with which options, under which limits, and where results are kept, if anywhere."""

    options: ReadOptions = ReadOptions()
    seconds: float = PARSE_SECONDS
    memory_mb: int = PARSE_MEMORY_MB
    cache: ResultCache | None = None


PLAIN = Reading()
COPIES = 4
"""What this process holds of a text file at least, in sizes of it: its bytes, their letters, the blocks."""


def parse_file(path: Path, relative_path: str, how: Reading = PLAIN) -> list[Document | ParseFailure]:
    """Parse one file by its suffix and content; raises UnreadableDocument where it cannot be read."""
    source_uri = path.as_posix()
    # Not Path.exists: it raises where the folder may not be entered, or a link leads to itself.
    if os.path.exists(path) and not os.path.isfile(path):
        raise UnreadableDocument(source_uri, "unreadable", "not a regular file: name a file or a folder")
    known = PARSERS.get(path.suffix.lower())
    held = 1 if known and known.limited else COPIES
    try:
        if held * os.path.getsize(path) > how.memory_mb * 2**20:
            raise MemoryError  # before it is read, or this program would go down with it
        return _parse_bytes(path.read_bytes(), path, relative_path, how)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableDocument(
            source_uri, "unreadable", f"{reason}: check the file and its rights"
        ) from None
    except MemoryError:
        limit = f"needs more than {how.memory_mb:,} MB of memory"
        mend = "split the file or raise RAG_KIT_PARSE_MEMORY_MB"
        raise UnreadableDocument(source_uri, "too_big", f"{limit}: {mend}") from None


def _parse_bytes(data: bytes, path: Path, relative_path: str, how: Reading) -> list[Document | ParseFailure]:
    source_uri = path.as_posix()
    suffix = path.suffix.lower()
    known = PARSERS.get(suffix)
    sniffed = judge(suffix, data, reads=known.reads if known else None)
    if sniffed.code:
        raise UnreadableDocument(source_uri, sniffed.code, sniffed.message)
    if sniffed.suffix is None:
        raise _not_read(source_uri, suffix)
    form = PARSERS[sniffed.suffix]
    results, single = _read(data, form, source_uri, relative_path, _noticed(sniffed, suffix), how)
    return describe(results, read_sidecar(path), path, single=single)


def _not_read(source_uri: str, suffix: str) -> UnreadableDocument:
    mend = MENDS.get(suffix)
    known = ", ".join(sorted(PARSERS))
    what = f": {mend}" if mend else f"; {known} are"
    return UnreadableDocument(source_uri, "file_type", f"files of this type are not read yet{what}")


def _noticed(sniffed: Sniffed, suffix: str) -> tuple[Notice, ...]:
    if not sniffed.renamed:
        return ()
    message = f"named {suffix}, but it is {sniffed.renamed} and was read as one: name it {sniffed.suffix}"
    return (Notice("content_type", message),)


def _read(
    data: bytes, form: Format, source_uri: str, relative_path: str, notices: tuple[Notice, ...], how: Reading
) -> tuple[list[Document | ParseFailure], bool]:
    """Return what a parser makes of a file, and whether that is one document and no list."""
    content: str | bytes = data
    if form.reads == "text":
        content, found = decode(data, source_uri)
        notices = (*notices, *found)
    options = form.taken(how.options)
    if form.is_limited(len(data)):
        return _read_limited(content, data, form, source_uri, relative_path, notices, options, how)
    try:
        result = form.parser(
            content, source_uri=source_uri, relative_path=relative_path, notices=notices, **options
        )
    except MissingModel as error:
        raise UnreadableDocument(source_uri, "missing_package", str(error)) from None
    single = isinstance(result, Document)
    return [result] if single else list(result), single


def _read_limited(
    content: str | bytes,
    data: bytes,
    form: Format,
    source_uri: str,
    relative_path: str,
    notices: tuple[Notice, ...],
    options: dict[str, str | None],
    how: Reading,
) -> tuple[list[Document | ParseFailure], bool]:
    cache = how.cache if can_keep(form) else None
    key = key_of(form, data, relative_path, notices, options) if cache else b""
    # What could be read without a password is the same with one.
    if cache and (kept := cache.get(key)):
        with suppress(KeyError, TypeError, ValueError, AttributeError):  # a damaged row is as good as none
            return from_rows(kept[0], source_uri), kept[1]
    rows, single = parse_limited(
        form,
        content,
        source_uri=source_uri,
        relative_path=relative_path,
        notices=notices,
        options=options,
        seconds=how.seconds,
        memory_mb=how.memory_mb,
    )
    if cache and options.get("password") is None:
        cache.put(key, rows, single)
    return from_rows(rows, source_uri), single
