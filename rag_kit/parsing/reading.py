"""One file to its documents: its bytes, what they are, and the parser that reads them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from rag_kit.errors import MissingModel, UnreadableDocument
from rag_kit.parsing.decoding import decode
from rag_kit.parsing.registry import PARSERS, Format, ReadOptions, Result
from rag_kit.parsing.sniffing import MENDS, Finding, judge
from rag_kit.types import Document, Notice, ParseFailure

PLAIN = ReadOptions()


def parse_file(
    path: Path, relative_path: str, options: ReadOptions = PLAIN
) -> Iterable[Document | ParseFailure]:
    """Parse one file by its suffix and content; raises UnreadableDocument where it cannot be read."""
    source_uri = path.as_posix()
    # Not Path.exists: it raises where the folder may not be entered, or a link leads to itself.
    if os.path.exists(path) and not os.path.isfile(path):
        raise UnreadableDocument(source_uri, "unreadable", "not a regular file: name a file or a folder")
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableDocument(
            source_uri, "unreadable", f"{reason}: check the file and its rights"
        ) from None
    suffix = path.suffix.lower()
    known = PARSERS.get(suffix)
    finding = judge(suffix, data, reads=known.reads if known else None)
    if finding.code:
        raise UnreadableDocument(source_uri, finding.code, finding.message)
    if finding.suffix is None:
        raise _not_read(source_uri, suffix)
    result = _read(
        data, PARSERS[finding.suffix], source_uri, relative_path, _noticed(finding, suffix), options
    )
    return [result] if isinstance(result, Document) else result


def _not_read(source_uri: str, suffix: str) -> UnreadableDocument:
    mend = MENDS.get(suffix)
    known = ", ".join(sorted(PARSERS))
    what = f": {mend}" if mend else f"; {known} are"
    return UnreadableDocument(source_uri, "file_type", f"files of this type are not read yet{what}")


def _noticed(finding: Finding, suffix: str) -> tuple[Notice, ...]:
    if not finding.renamed:
        return ()
    message = f"named {suffix}, but it is {finding.renamed} and was read as one: name it {finding.suffix}"
    return (Notice("content_type", message),)


def _read(
    data: bytes,
    form: Format,
    source_uri: str,
    relative_path: str,
    notices: tuple[Notice, ...],
    options: ReadOptions,
) -> Result:
    content: str | bytes = data
    if form.reads == "text":
        content, found = decode(data, source_uri)
        notices = (*notices, *found)
    try:
        result: Result = form.parser(
            content,
            source_uri=source_uri,
            relative_path=relative_path,
            notices=notices,
            **form.taken(options),
        )
    except MissingModel as error:
        raise UnreadableDocument(source_uri, "missing_package", str(error)) from None
    return result
