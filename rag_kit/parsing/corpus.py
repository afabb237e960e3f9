"""Files and folders to documents: finding them, naming them, and what one version does to another."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rag_kit.errors import InvalidValue, UnreadableDocument
from rag_kit.parsing.decoding import decode
from rag_kit.parsing.markdown import parse_markdown
from rag_kit.parsing.text import parse_text
from rag_kit.types import Document, Notice, ParseFailure

PARSERS: dict[str, Callable[..., Document]] = {
    ".md": parse_markdown,
    ".markdown": parse_markdown,
    ".txt": parse_text,
    ".text": parse_text,
}
QUESTIONS_SUFFIX = ".questions.jsonl"
# Documents that somebody would expect to be read: passing over one in silence would hide a gap.
NOT_READ_YET = frozenset(
    [
        ".pdf",
        ".docx",
        ".doc",
        ".odt",
        ".rtf",
        ".html",
        ".htm",
        ".json",
        ".jsonl",
        ".csv",
        ".xlsx",
        ".xls",
        ".pptx",
        ".eml",
        ".msg",
        ".rst",
        ".adoc",
    ]
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What came of some paths: the documents, the files that failed, and how many were no documents."""

    documents: tuple[Document, ...]
    errors: tuple[ParseFailure, ...]
    passed_over: dict[str, int]


def parse(paths: str | Path | Iterable[str | Path]) -> Parsed:
    """Parse files and folders into documents, sorted by path within each folder.

    A file that cannot be read becomes an error row and the rest goes on. Hidden files, question files and
    files of no document type are passed over in folders. Raises InvalidValue for a path that does not exist.
    """
    named = [paths] if isinstance(paths, (str, Path)) else list(paths)
    if "" in named:
        # Path("") is the current folder, which nobody meant who passed on an unset variable.
        raise InvalidValue("a path is empty: name a file or a folder")
    roots = [Path(path) for path in named]
    documents: dict[str, Document] = {}
    errors: list[ParseFailure] = []
    passed_over: Counter[str] = Counter()
    for path, relative_path in _find(roots, errors, passed_over):
        try:
            document = parse_file(path, relative_path)
            if other := documents.get(document.document_id):
                raise UnreadableDocument(
                    path.as_posix(),
                    "duplicate_id",
                    f"document id {document.document_id!r} is taken by {other.source_uri}: give one another id",
                )
            documents[document.document_id] = document
        except UnreadableDocument as error:
            errors.append(ParseFailure(error.source_uri, error.code, error.message))
    return Parsed(tuple(_supersede(documents)), tuple(errors), dict(passed_over))


def parse_file(path: Path, relative_path: str) -> Document:
    """Parse one file by its suffix; raises UnreadableDocument where it cannot be read."""
    source_uri = path.as_posix()
    parser = PARSERS.get(path.suffix.lower())
    if parser is None:
        known = ", ".join(sorted(PARSERS))
        raise UnreadableDocument(source_uri, "file_type", f"files of this type are not read yet; {known} are")
    if path.exists() and not path.is_file():
        raise UnreadableDocument(source_uri, "unreadable", "not a regular file: name a file or a folder")
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableDocument(
            source_uri, "unreadable", f"{reason}: check the file and its rights"
        ) from None
    text, notices = decode(data, source_uri)
    return parser(text, source_uri=source_uri, relative_path=relative_path, notices=tuple(notices))


def _find(
    roots: list[Path], errors: list[ParseFailure], passed_over: Counter[str]
) -> Iterator[tuple[Path, str]]:
    """Yield each file once, with its path relative to the folder that was named."""
    seen: set[Path] = set()
    for root in roots:
        # Not Path.exists: it raises for a name that is too long.
        if not os.path.exists(root):
            raise InvalidValue(f"{root}: no such file or folder")
        for path, relative_path in _walk(root, errors) if root.is_dir() else [(root, root.name)]:
            suffix = path.suffix.lower()
            if path.name.endswith(QUESTIONS_SUFFIX) or path.resolve() in seen:
                continue
            if path is not root and suffix not in PARSERS and suffix not in NOT_READ_YET:
                passed_over[suffix or "(no suffix)"] += 1
                continue
            seen.add(path.resolve())
            # A name whose bytes are no UTF-8 would be no text either, and ids and titles have to be.
            name = relative_path.encode("utf-8", "backslashreplace").decode("utf-8")
            yield path, unicodedata.normalize("NFC", name)


def _walk(root: Path, errors: list[ParseFailure]) -> Iterator[tuple[Path, str]]:
    def report(error: OSError) -> None:
        reason = (error.strerror or str(error)).lower()
        errors.append(
            ParseFailure(Path(error.filename).as_posix(), "unreadable", f"{reason}: check its rights")
        )

    for folder, subfolders, names in os.walk(root, onerror=report):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith((".", "~$")):
                path = Path(folder, name)
                yield path, path.relative_to(root).as_posix()


def _supersede(documents: dict[str, Document]) -> Iterator[Document]:
    """Date the end of each version that another document replaces."""
    dated = dict(documents)
    for newer in documents.values():
        older_id = newer.metadata.get("supersedes")
        if not older_id:
            continue
        older = dated.get(str(older_id))
        if older is None or older is newer or newer.updated_at is None:
            why = (
                "has no updated_at"
                if newer.updated_at is None
                else f"no other document has the id {older_id!r}"
            )
            notice = Notice("supersedes", f"supersedes {older_id!r} has no effect: {why}")
            dated[newer.document_id] = replace(
                dated[newer.document_id], notices=(*dated[newer.document_id].notices, notice)
            )
            continue
        # Of two documents that replace the same one, the earlier ends it.
        ends = min(filter(None, (older.superseded_at, newer.updated_at)))
        dated[older.document_id] = replace(older, superseded_at=ends)
    return iter(dated.values())
