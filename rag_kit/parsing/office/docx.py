"""Word: the text in document order, with tables in place, notes at the end, and changes read as accepted.

The parts are read as XML. python-docx knows no notes, text boxes and tracked changes, gives a merged cell
once for each of its places, and stops at a picture that is missing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

from rag_kit.errors import UnreadableDocument
from rag_kit.parsing.blocks import build_document
from rag_kit.parsing.office.body import BodyWriter, is_paged
from rag_kit.parsing.office.numbering import Numbering
from rag_kit.parsing.office.package import Package, attribute, child, kind, open_package, readable
from rag_kit.parsing.office.properties import properties_of
from rag_kit.parsing.office.runs import NoteKey, RunReader
from rag_kit.parsing.office.styles import Styles
from rag_kit.types import Document, Notice

_RUNNING = ("header", "footer")
# What is left where the number of the page was a field.
_PAGE = re.compile(r"[\s|·–-]*\b(?:page|seite|pagina|página|p\.|s\.)\s*(?:of|von|de|di|/)?$", re.I)


def parse_docx(
    content: bytes, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> Document:
    """Parse a Word document into a document whose text is written here, once.

    Headers and footers are metadata, ``running_header`` and ``running_footer``. Pages are told only where
    Word noted them. Raises UnreadableDocument where the file has a password, is no .docx or is damaged.

    >>> import docx, io
    >>> made, file = docx.Document(), io.BytesIO()
    >>> _ = made.add_heading("Fees", 1), made.add_paragraph("Card", "List Bullet"), made.save(file)
    >>> print(parse_docx(file.getvalue(), source_uri="a.docx", relative_path="a.docx").text)
    # Fees
    <BLANKLINE>
    - Card
    """
    package = open_package(content, source_uri, suffix=".docx", program="Word")
    with readable(source_uri, "Word"):
        main = next(iter(package.related("", "officeDocument")), "")
        root = package.xml(main) if main.endswith(".xml") else None
        if kind(root) != "w:document" or child(root, "w:body") is None:
            message = "this is no Word document, whatever its name says: save it as .docx in Word"
            raise UnreadableDocument(source_uri, "not_docx", message)
        front, kept = properties_of(package)
        body = child(root, "w:body")
        styles = Styles(_first(package, main, "styles"))
        notes, parts = _notes(package, main)
        runs = RunReader(package, styles, notes)
        pages = _first(package, "", "extended-properties")
        writer = BodyWriter(
            runs,
            styles,
            Numbering(_first(package, main, "numbering")),
            part=main,
            paged=is_paged(body, pages),
        )
        writer.write(body)
        writer.write_notes(notes, parts)
        found = _found(runs.counts)
        metadata = {**_running(package, main, body, writer), **front.metadata}
    return build_document(
        writer.writer.text,
        writer.writer.pieces,
        replace(front, title=front.title or writer.title or kept, metadata=metadata),
        source_uri=source_uri,
        relative_path=relative_path,
        notices=[*notices, *found],
    )


def _first(package: Package, name: str, kind_of_part: str) -> Any | None:
    return next((package.xml(part) for part in package.related(name, kind_of_part)), None)


def _notes(package: Package, main: str) -> tuple[dict[NoteKey, Any], dict[str, str]]:
    """Return the foot- and endnotes by their ids, the lines that part them left out, and the parts' names."""
    notes: dict[NoteKey, Any] = {}
    parts: dict[str, str] = {}
    for form in ("footnote", "endnote"):
        for part in package.related(main, f"{form}s")[:1]:
            parts[form] = part
            for note in package.xml(part):  # type: ignore[union-attr]
                if attribute(note, "type") in (None, "normal"):
                    notes[form, attribute(note, "id") or ""] = note
    return notes, parts


def _running(package: Package, main: str, body: Any, writer: BodyWriter) -> dict[str, str]:
    """Return what stands above and below the pages, each text once."""
    found: dict[str, list[str]] = {}
    for node in body.iter():
        form = kind(node)[2:].removesuffix("Reference")
        if form not in _RUNNING or kind(node) != f"w:{form}Reference":
            continue
        relation = package.relations(main).get(attribute(node, "id") or "")
        root = package.xml(relation.target) if relation and not relation.external else None
        text = writer.flat_text(root, relation.target) if relation and root is not None else ""
        text = _PAGE.sub("", text)
        if text and text not in found.setdefault(f"running_{form}", []):
            found[f"running_{form}"].append(text)
    return {name: "; ".join(texts) for name, texts in found.items() if texts}


def _found(counts: Counter[str]) -> list[Notice]:
    found = []
    changed = [f"{counts[name]} {name}" for name in ("insertions", "deletions", "moves") if counts[name]]
    if changed:
        message = f"tracked changes were read as accepted: {', '.join(changed)}"
        found.append(Notice("tracked_changes", message))
    for name, message in (
        ("comments", "comments are left out"),
        ("hidden", "runs of hidden text are left out"),
        ("pictures", "pictures, charts and drawings were not read: say in words what they show"),
        ("symbols", "signs of a symbol font could not be told: compare them with the file"),
    ):
        if counts[name]:
            found.append(Notice(f"{name}_not_read", f"{counts[name]} {message}"))
    return found
