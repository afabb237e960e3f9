"""Files and folders to documents: finding them, naming them, and what one version does to another."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rag_kit.errors import InvalidValue, UnreadableDocument
from rag_kit.parsing.cache import ResultCache
from rag_kit.parsing.language import language_notice
from rag_kit.parsing.reading import Reading, parse_file
from rag_kit.parsing.registry import PARSERS, Ocr, ReadOptions
from rag_kit.parsing.sidecar import described_by
from rag_kit.parsing.sniffing import known_by_content
from rag_kit.parsing.versions import end_superseded
from rag_kit.settings import LOCAL_EMBED_LANGUAGES, Settings, load_settings
from rag_kit.types import Document, ParseFailure

QUESTIONS_SUFFIX = ".questions.jsonl"
# Documents that somebody would expect to be read: passing over one in silence would hide a gap.
NOT_READ_YET = frozenset([".doc", ".odt", ".rtf", ".xls", ".pptx", ".msg", ".rst", ".adoc"])


@dataclass(frozen=True, slots=True)
class Parsed:
    """What came of some paths: the documents, the files that failed, and how many were no documents."""

    documents: tuple[Document, ...]
    errors: tuple[ParseFailure, ...]
    passed_over: dict[str, int]


def parse(
    paths: str | Path | Iterable[str | Path],
    *,
    languages: Collection[str] | None = LOCAL_EMBED_LANGUAGES,
    password: str | None = None,
    ocr: Ocr = "auto",
    settings: Settings | None = None,
) -> Parsed:
    """Parse files and folders into documents, sorted by path within each folder.

    A file that cannot be read becomes an error row and the rest goes on. Hidden files, question files and
    files of no document type are passed over in folders. A document in none of ``languages``, which are
    those that the embedder was made for, gets a notice; None checks nothing. ``password`` opens locked
    files; ``ocr="off"`` leaves text in pictures unread. The ``settings``, else the environment's, say what a
    file may take and where results are cached. Raises InvalidValue for a path that does not exist.
    """
    settings = settings or load_settings(offline=True)
    how = Reading(
        ReadOptions(password, ocr),
        settings.parse_seconds,
        settings.parse_memory_mb,
        ResultCache(settings.cache_dir),
    )
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
            for result in parse_file(path, relative_path, how):
                if isinstance(result, ParseFailure):
                    errors.append(result)
                elif other := documents.get(result.document_id):
                    message = f"document id {result.document_id!r} is taken by {other.source_uri}"
                    errors.append(
                        ParseFailure(path.as_posix(), "duplicate_id", f"{message}: give one another id")
                    )
                else:
                    documents[result.document_id] = _with_language(result, languages)
        except UnreadableDocument as error:
            errors.append(ParseFailure(error.source_uri, error.code, error.message))
    return Parsed(end_superseded(documents.values()), tuple(errors), dict(passed_over))


def _with_language(document: Document, languages: Collection[str] | None) -> Document:
    notice = language_notice(document.blocks, languages) if languages else None
    return replace(document, notices=(*document.notices, notice)) if notice else document


def _find(
    roots: list[Path], errors: list[ParseFailure], passed_over: Counter[str]
) -> Iterator[tuple[Path, str]]:
    """Yield each file once, with its path relative to the folder that was named."""
    seen: set[str] = set()
    for given in roots:
        root = _spelt_as_on_disk(given)
        if not os.path.lexists(root):
            raise InvalidValue(f"{root}: no such file or folder")
        for path, relative_path in _walk(root, errors) if os.path.isdir(root) else [(root, root.name)]:
            suffix, real_path = path.suffix.lower(), os.path.realpath(path)
            if failure := _no_document(path, named=path is root):
                if failure.code:
                    errors.append(failure)
                continue
            if real_path in seen:
                continue
            named = path is root or suffix in PARSERS or suffix in NOT_READ_YET
            if not named and not known_by_content(path):
                passed_over[suffix or "(no suffix)"] += 1
                continue
            seen.add(real_path)
            # A name whose bytes are no UTF-8 would be no text either, and ids and titles have to be.
            name = relative_path.encode("utf-8", "backslashreplace").decode("utf-8")
            yield path, unicodedata.normalize("NFC", name)


def _no_document(path: Path, *, named: bool) -> ParseFailure | None:
    """Tell a file that goes with documents and is none; the failure has no code where nobody need know."""
    code, message = "", ""
    if path.name.lower().endswith(QUESTIONS_SUFFIX):
        if named:
            code, message = "questions", "this is a question file and no document: name it with --questions"
    elif described := described_by(path):
        if not os.path.lexists(described):
            code, message = "sidecar", f"there is no {described.name} beside it: rename it or take it away"
        elif os.path.isdir(described) or described_by(described):
            what = "a folder" if os.path.isdir(described) else "another file of fields"
            code, message = "sidecar", f"this describes {what} and is not read: name it after one document"
        elif named:
            code, message = "sidecar", f"this is no document, it describes one: name {described.name}"
    else:
        return None
    return ParseFailure(path.as_posix(), code, message)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _spelt_as_on_disk(path: Path) -> Path:
    """Return a path in the form of its accents that the disk has; an archive may have changed it."""
    forms = (path, *(Path(unicodedata.normalize(form, str(path))) for form in ("NFC", "NFD")))
    return next((form for form in forms if os.path.lexists(form)), path)


def _walk(root: Path, errors: list[ParseFailure]) -> Iterator[tuple[Path, str]]:
    def report(error: OSError) -> None:
        message = f"{_reason(error)}: check its rights"
        errors.append(ParseFailure(Path(error.filename).as_posix(), "unreadable", message))

    for folder, subfolders, names in os.walk(root, onerror=report):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith((".", "~$")):
                path = Path(folder, name)
                yield path, path.relative_to(root).as_posix()
