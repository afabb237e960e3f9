"""A saved index: chunks and vectors in a folder, written whole or not at all, the same bytes in every run.

    manifest.json    what it is: format, embedder, chunk settings, documents, checksums of the others
    chunks.jsonl     one chunk a line, in the order of their vectors
    vectors.npy      the chunks' vectors, then those of the table rows in them; mapped into memory, not read
    owners.npy       for each vector, the place of its chunk in chunks.jsonl

An index remembers which embedder made it and refuses another, because similarities between two embedders'
vectors mean nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from pydantic import TypeAdapter, ValidationError

from rag_kit.errors import InvalidValue, UnusableIndex
from rag_kit.indexing.folder import replace_folder
from rag_kit.protocols import Owners, Vectors
from rag_kit.types import Chunk, Document

FORMAT = 2
KIND = "rag_kit index"
MANIFEST, CHUNKS, VECTORS, OWNERS = FILES = ("manifest.json", "chunks.jsonl", "vectors.npy", "owners.npy")
LITTER = {".DS_Store", "Thumbs.db", "desktop.ini"}
"""What file managers leave in the folders that they show."""
HOW = "with index --docs PATH --out DIR"
AGAIN = f"make it again {HOW}"


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """A document that an index was made of, and which state of it."""

    document_id: str
    document_version: str | None
    content_hash: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index is made of; no time stamp and no path, so that two runs write the same."""

    kind: str
    format: int
    kit_version: str
    embedder: str
    dimensions: int
    chunking: dict[str, Any]
    counts: dict[str, int]
    sha256: dict[str, str]
    documents: tuple[IndexedDocument, ...]


@dataclass(frozen=True, slots=True)
class SavedIndex:
    """An index as it was loaded: vector ``n`` belongs to the chunk at place ``owners[n]``."""

    manifest: Manifest
    chunks: tuple[Chunk, ...]
    vectors: Vectors
    owners: Owners


@cache
def _adapter(record: type) -> TypeAdapter[Any]:
    """Return what reads and writes a record; made on first use, for it takes a moment."""
    return TypeAdapter(record)


def save_index(
    folder: str | Path,
    chunks: Sequence[Chunk],
    vectors: Vectors,
    *,
    embedder: str,
    owners: Owners | None = None,
    documents: Iterable[Document] = (),
    chunking: dict[str, Any] | None = None,
) -> Manifest:
    """Write chunks and their vectors into a folder, in place of an older index, and return the manifest.

    ``embedder`` is the name of the embedder that made the vectors; ``owners`` says which chunk each is of,
    where there is more than one a chunk. Raises InvalidValue where the folder
    holds anything but an index, or cannot be written; what was there is then still there.
    """
    check_out(folder)
    owners = np.arange(len(chunks), dtype=np.int32) if owners is None else owners
    if not _belong(owners, len(chunks), len(vectors)):
        raise InvalidValue(
            f"{len(chunks)} chunks and {len(vectors)} vectors make no index: embed some chunks"
        )
    from rag_kit import __version__

    of = tuple(IndexedDocument(d.document_id, d.document_version, d.content_hash) for d in documents)
    with replace_folder(Path(folder)) as new:
        with (new / CHUNKS).open("wb") as file:
            file.writelines(map(_line, chunks))
        np.save(new / VECTORS, np.ascontiguousarray(vectors, dtype="<f4"))
        np.save(new / OWNERS, np.ascontiguousarray(owners, dtype="<i4"))
        manifest = Manifest(
            kind=KIND,
            format=FORMAT,
            kit_version=__version__,
            embedder=embedder,
            dimensions=vectors.shape[1],
            chunking=chunking or {},
            counts={"documents": len(of), "chunks": len(chunks)},
            sha256={name: _sha256(new / name) for name in FILES[1:]},
            documents=of,
        )
        (new / MANIFEST).write_bytes(_adapter(Manifest).dump_json(manifest, indent=2) + b"\n")
    return manifest


def load_index(folder: str | Path, *, embedder: str) -> SavedIndex:
    """Load an index for an embedder, by its name. Raises UnusableIndex with the mend where that cannot be."""
    folder = Path(folder)
    manifest = _read_manifest(folder)
    if manifest.embedder != embedder:
        raise UnusableIndex(
            f"{folder}: this index was made with the embedder {manifest.embedder!r} and would be searched with "
            f"{embedder!r}: index again, or choose the embedder that made it"
        )
    try:
        for name in FILES[1:]:
            if _sha256(folder / name) != manifest.sha256.get(name):
                raise UnusableIndex(f"{folder / name} is damaged or of another index: {AGAIN}")
        vectors = np.load(folder / VECTORS, mmap_mode="r", allow_pickle=False)
        owners = np.load(folder / OWNERS, allow_pickle=False)
        with (folder / CHUNKS).open("rb") as file:
            read = _adapter(Chunk).validate_python
            chunks = tuple(_shared(read(json.loads(line)) for line in file))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, UnusableIndex):
            raise
        raise UnusableIndex(f"{folder}: this index cannot be read ({_reason(error)}): {AGAIN}") from None
    whole = vectors.dtype == np.float32 and owners.dtype == np.int32
    if (
        not whole
        or vectors.shape[1:] != (manifest.dimensions,)
        or not _belong(owners, len(chunks), len(vectors))
    ):
        raise UnusableIndex(f"{folder}: chunks and vectors of this index do not belong together: {AGAIN}")
    if not np.isfinite(vectors).all():
        raise UnusableIndex(f"{folder / VECTORS} holds numbers that are none: {AGAIN}")
    return SavedIndex(manifest, chunks, vectors, owners)


def check_out(folder: str | Path) -> None:
    """Raise InvalidValue unless an index may be written to ``folder``: it is new, empty or an index."""
    folder = Path(folder)
    try:
        if folder.resolve() in (Path.cwd(), Path(folder.resolve().anchor)):
            raise InvalidValue(
                f"{str(folder)!r} is no folder to put an index in place of: name one of its own"
            )
        if not folder.exists():
            return
        if not folder.is_dir():
            raise InvalidValue(f"{folder} is a file: choose a folder of its own for the index")
        names = {path.name for path in folder.iterdir()} - LITTER
    except OSError as error:
        raise InvalidValue(f"{folder}: {_reason(error)}: choose another folder") from None
    # A damaged index may be replaced too: it has the four files, and no others.
    if names and names != set(FILES) and not (names < set(FILES) and _is_ours(folder)):
        raise InvalidValue(f"{folder} holds files that are not of an index: choose an empty or a new folder")


def _belong(owners: Owners, chunks: int, vectors: int) -> bool:
    """Tell whether each vector has a chunk and each chunk a vector."""
    return chunks > 0 and owners.shape == (vectors,) and np.array_equal(np.unique(owners), np.arange(chunks))


def _is_ours(folder: Path) -> bool:
    try:
        _read_manifest(folder)
    except UnusableIndex:
        return False
    return True


def _read_manifest(folder: Path) -> Manifest:
    try:
        held = json.loads((folder / MANIFEST).read_bytes())
    except FileNotFoundError:
        missing = "no saved index in it" if folder.is_dir() else "no such folder"
        raise UnusableIndex(f"{folder}: {missing}: make one {HOW}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise UnusableIndex(f"{folder / MANIFEST} cannot be read ({_reason(error)}): {AGAIN}") from None
    if not isinstance(held, dict) or held.get("kind") != KIND:
        raise UnusableIndex(f"{folder / MANIFEST} is not of a saved index: name another folder")
    if held.get("format") != FORMAT:
        raise UnusableIndex(
            f"{folder}: this index has format {held.get('format')!r} (kit {held.get('kit_version')}) and this kit "
            f"reads format {FORMAT}: index again, or use that kit"
        )
    try:
        return cast(Manifest, _adapter(Manifest).validate_python(held))
    except ValidationError as error:
        raise UnusableIndex(f"{folder / MANIFEST} is damaged ({_reason(error)}): {AGAIN}") from None


def _line(chunk: Chunk) -> bytes:
    row = json.dumps(_adapter(Chunk).dump_python(chunk, mode="json"), ensure_ascii=False)
    # Half of a surrogate pair is not UTF-8, but a document may hold one.
    return row.encode("utf-8", "surrogatepass") + b"\n"


def _shared(chunks: Iterable[Chunk]) -> Iterable[Chunk]:
    """Let the chunks of a document share what is equal, as they did before they were saved."""
    last: Chunk | None = None
    for chunk in chunks:
        if last and last.document_id == chunk.document_id:
            names = ("document_id", "title", "source_uri", "metadata", "access_tags", "heading_path")
            same = {n: getattr(last, n) for n in names if getattr(last, n) == getattr(chunk, n)}
            chunk = replace(chunk, **same)
        yield chunk
        last = chunk


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return " ".join(str(error).split())[:120]
