"""The zip file that a Word or Excel file is: opened with care, its parts as XML, and what they point at."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from lxml import etree

from rag_kit.errors import UnreadableDocument

LARGEST = 200_000_000
"""Bytes that the parts of a file may have unpacked, pictures aside: a small file could ask for terabytes."""

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_NOT_READ = ("/media/", "/embeddings/", "/fonts/")
_STANDARD, _STRICT = "http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/"
_PREFIXES = {
    f"{_STANDARD}wordprocessingml/2006/main": "w",
    f"{_STRICT}wordprocessingml/main": "w",
    f"{_STANDARD}officeDocument/2006/math": "m",
    f"{_STRICT}officeDocument/math": "m",
    f"{_STANDARD}drawingml/2006/main": "a",
    f"{_STRICT}drawingml/main": "a",
    f"{_STANDARD}markup-compatibility/2006": "mc",
    "urn:schemas-microsoft-com:vml": "v",
}


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part points at: its kind (``hyperlink``, ``footnotes``), and a part's name or an address."""

    kind: str
    target: str
    external: bool


@contextmanager
def readable(source_uri: str, program: str) -> Iterator[None]:
    """Raise UnreadableDocument (``damaged``) for whatever a file's contents make go wrong."""
    try:
        yield
    except UnreadableDocument:
        raise
    except Exception:  # Cut or changed bytes raise a dozen kinds in zipfile, lxml and openpyxl.
        message = f"the file is damaged or cut off: open it in {program} and save it again, or fetch it anew"
        raise UnreadableDocument(source_uri, "damaged", message) from None


def open_package(content: bytes, source_uri: str, *, suffix: str, program: str) -> Package:
    """Open a file's zip; raises UnreadableDocument naming the mend.

    Its codes are ``password``, ``old_format``, ``not_docx`` or ``not_xlsx``, ``damaged`` and ``too_large``.
    """
    if content.startswith(_OLE):
        if _ENCRYPTED in content:
            message = f"the file has a password: save a copy without one in {program}"
            raise UnreadableDocument(source_uri, "password", message)
        message = f"this is an Office file from before 2007: open it in {program} and save it as {suffix}"
        raise UnreadableDocument(source_uri, "old_format", message)
    if not content.startswith(b"PK"):
        message = f"this is no {suffix} file, whatever its name says: save it as {suffix} in {program}"
        raise UnreadableDocument(source_uri, f"not_{suffix[1:]}", message)
    with readable(source_uri, program):
        archive = zipfile.ZipFile(io.BytesIO(content))
        read = [
            entry for entry in archive.infolist() if not any(name in entry.filename for name in _NOT_READ)
        ]
        if any(entry.flag_bits & 1 for entry in read):
            message = "the zip has a password: save a copy without one"
            raise UnreadableDocument(source_uri, "password", message)
        if (size := sum(entry.file_size for entry in read)) > LARGEST:
            limit = f"{size // 1_000_000} MB, over {LARGEST // 1_000_000}"
            message = f"unpacked it has {limit}: split it into smaller files"
            raise UnreadableDocument(source_uri, "too_large", message)
        return Package(archive)


class Package:
    """The parts of a file by name, and the relations between them."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = {name.lower(): name for name in archive.namelist()}
        self._relations: dict[str, dict[str, Relation]] = {}

    def xml(self, name: str) -> Any | None:
        """Return the root of a part, or None where there is none; entities are not followed."""
        stored = self._names.get(name.lower())
        if stored is None:
            return None
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
        )
        return etree.fromstring(self._archive.read(stored), parser)

    def relations(self, name: str) -> dict[str, Relation]:
        """Return what a part points at, by id; ``""`` is the package itself."""
        if name not in self._relations:
            folder, file = posixpath.split(name)
            root = self.xml(posixpath.join(folder, "_rels", f"{file}.rels"))
            self._relations[name] = {
                entry.get("Id", ""): _relation(entry, folder) for entry in (root if root is not None else ())
            }
        return self._relations[name]

    def related(self, name: str, kind: str) -> list[str]:
        """Return the names of the parts of one kind that a part points at and that are there."""
        return [
            relation.target
            for relation in self.relations(name).values()
            if relation.kind == kind and not relation.external and relation.target.lower() in self._names
        ]


def kind(element: Any) -> str:
    """Return an element's name with Word's usual prefix, ``w:p``; ``:name`` for a namespace not used here."""
    tag = getattr(element, "tag", None)
    return _kind(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=2_000)
def _kind(tag: str) -> str:
    space, _, name = tag.rpartition("}")
    return f"{_PREFIXES.get(space[1:], '')}:{name}"


def attribute(element: Any, name: str) -> str | None:
    """Return an attribute by its plain name, whatever its namespace; None for no element."""
    if element is None:
        return None
    for key, value in element.attrib.items():
        if key == name or key.endswith("}" + name):
            return str(value)
    return None


def child(element: Any, *path: str) -> Any | None:
    """Return the first element down a path of names, each the first of its name; None where one is missing."""
    for name in path:
        if element is None:
            return None
        element = next((inner for inner in element if kind(inner) == name), None)
    return element


def switched_on(element: Any) -> bool:
    """Tell whether a property that is there is also on: it may say that it is off."""
    return element is not None and (attribute(element, "val") or "1").lower() not in ("0", "false", "off")


def _relation(entry: Any, folder: str) -> Relation:
    target = entry.get("Target", "")
    external = entry.get("TargetMode", "") == "External"
    if not external:
        target = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
    return Relation(entry.get("Type", "").rpartition("/")[2], target, external)
