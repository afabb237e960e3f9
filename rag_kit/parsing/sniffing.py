"""What a file is by its content: names lie, and exports, downloads and portals rename."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

HEAD = 1024
"""Bytes at the start that PDF readers search for ``%PDF-``."""

Kind = Literal[
    ".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".zip", ".html", ".eml", ".json", ".rtf",
    ".doc", ".xls", ".ppt", ".msg", "ole", "locked", "picture",
]  # fmt: skip
"""A kind is named by its usual suffix, or by a word where there is none."""

KINDS: dict[str, str] = {
    ".pdf": "a PDF",
    ".docx": "a Word document",
    ".xlsx": "an Excel workbook",
    ".pptx": "a presentation",
    ".odt": "an OpenDocument file",
    ".zip": "a zip archive",
    ".html": "a web page",
    ".eml": "a mail",
    ".json": "JSON",
    ".rtf": "an RTF document",
    ".doc": "an old Word document",
    ".xls": "an old Excel workbook",
    ".ppt": "an old presentation",
    ".msg": "an Outlook mail",
    "ole": "an old Office file",
    "locked": "an Office file locked with a password",
    "picture": "a picture",
}
MENDS: dict[str, str] = {
    ".pptx": "save it as .pdf",
    ".odt": "save it as .docx or .pdf",
    ".zip": "unpack it and name the documents",
    ".rtf": "save it as .docx",
    ".doc": "save it as .docx",
    ".xls": "save it as .xlsx",
    ".ppt": "save it as .pdf",
    ".msg": "save it as .eml",
    "ole": "save it in its new form, .docx or .xlsx",
    "locked": "open it and save it without the password",
    "picture": "save it as .pdf",
    ".rst": "save it as .md or .txt",
    ".adoc": "save it as .md or .txt",
}
"""What to do with a kind that is not read."""
READ = frozenset([".pdf", ".docx", ".xlsx", ".html"])
"""The kinds that are read under any name."""
PACKED = frozenset([".pdf", ".docx", ".xlsx"])
"""Formats that no text can be, so that their files are known by their first bytes."""
TEXTUAL = frozenset([".html", ".htm", ".xhtml", ".csv", ".tsv", ".eml"])
"""Formats of text that want the bytes, to decode them as they declare."""

_PDF = re.compile(rb"\s*%PDF-\d\.\d")
_PAGE = re.compile(rb"(?:<\?xml[^>]*>|<!--.*?-->|\s)*<(?:!doctype\s+html|html[\s>])", re.I | re.S)
_MAIL = re.compile(
    rb"(?:(?:From|To|Subject|Date|Message-ID|Received|Return-Path|MIME-Version|Content-Type|Delivered-To|"
    rb"DKIM-Signature|X-[\w-]+): [^\n]*\n(?:[ \t][^\n]*\n)*){3}",
    re.I,
)
_JSON = re.compile(rb'\s*(?:\{\s*(?:"|\})|\[\s*(?:[\[{"\]]|-?\d))')
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Streams that tell one old format from the other; their names stand in UTF-16. A locked file holds no other.
_STREAMS: tuple[tuple[str, Kind], ...] = (
    ("EncryptedPackage", "locked"),
    ("WordDocument", ".doc"),
    ("PowerPoint Document", ".ppt"),
    ("__properties_version1.0", ".msg"),
    ("Workbook", ".xls"),
    ("Book", ".xls"),
)
_FOLDERS: tuple[tuple[str, Kind], ...] = (("word/", ".docx"), ("xl/", ".xlsx"), ("ppt/", ".pptx"))
_OF_OFFICE = (".doc", ".xls", ".ppt", "ole", "locked")
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*")


def sniff(data: bytes) -> Kind | None:
    r"""Tell what a content is, or None where it shows no sign: plain text, or a format not known here.

    >>> sniff(b"<!DOCTYPE html>\n<title>Sign in</title>"), sniff(b"Dear all,")
    ('.html', None)
    """
    head = data[:HEAD].removeprefix(b"\xef\xbb\xbf")
    if data.startswith(_ZIP):
        return _in_zip(io.BytesIO(data))
    if data.startswith(_OLE):
        return next((kind for name, kind in _STREAMS if name.encode("utf-16-le") in data), "ole")
    if head.startswith(_PICTURES):
        return "picture"
    if head.startswith(b"{\\rtf"):
        return ".rtf"
    if _PDF.match(head):
        return ".pdf"
    if _PAGE.match(data[: 4 * HEAD].removeprefix(b"\xef\xbb\xbf")):
        return ".html"
    if _JSON.match(head):
        return ".json"
    if _MAIL.match(data[: 16 * HEAD].replace(b"\r\n", b"\n")):
        return ".eml"
    return ".pdf" if b"%PDF-" in head and b" obj" in data else None


def known_by_content(path: Path) -> bool:
    """Tell whether a file of no known suffix is of a kind that is read under any name."""
    try:
        if not path.is_file():  # a pipe would be waited for
            return False
        with path.open("rb") as file:
            head = file.read(4 * HEAD)
            # Of a zip, which may be large, the names stand at the end.
            return (_in_zip(file) if head.startswith(_ZIP) else sniff(head)) in READ
    except OSError:
        return False


def _in_zip(file: BinaryIO) -> Kind | None:
    """Tell by the names in a zip; one that is cut off, or damaged, is not told."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            if "mimetype" in names:
                with archive.open("mimetype") as told:
                    return ".odt" if b"opendocument" in told.read(HEAD) else ".zip"
    except Exception:  # Damaged archives raise zlib's errors, RuntimeError, NotImplementedError, ...
        return None
    for folder, kind in _FOLDERS:
        if f"{folder}workbook.bin" not in names and any(name.startswith(folder) for name in names):
            return kind
    return ".zip"


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What is to be done with a file: read as the format of ``suffix``, or not, for a reason.

    ``renamed`` is what the content is where the name says otherwise.
    """

    suffix: str | None
    code: str = ""
    message: str = ""
    renamed: str = ""


def judge(suffix: str, data: bytes, *, reads: Literal["text", "bytes"] | None) -> Sniffed:
    r"""Decide by name and content together how a file is read; ``suffix`` is the name's, in small letters.

    ``reads`` is what the suffix's parser wants, None where there is no such parser. A file of no parser, and
    of no kind that is read under any name, gives neither a suffix nor a code.

    >>> judge(".pdf", b"<html><body>Sign in", reads="bytes").message
    'this is a web page and no PDF: save the PDF itself again'
    >>> judge("", b"%PDF-1.7", reads=None).suffix
    '.pdf'
    """
    own = suffix if reads else None
    textual = reads == "text" or suffix in TEXTUAL
    if suffix in PACKED and not data:
        return Sniffed(None, "empty", "the file is empty (0 bytes): save it again")
    if reads and not textual and suffix not in PACKED:
        return Sniffed(own)
    kind = sniff(data)
    if kind is None or kind == suffix:
        return Sniffed(own)
    if suffix in PACKED:
        return _wrong(suffix, kind)
    if textual and not _no_text(kind, data):
        return Sniffed(own)
    if kind in READ:
        return Sniffed(kind, renamed=KINDS[kind] if suffix else "")
    if textual:
        return Sniffed(None, f"not_{suffix[1:]}", f"this is {KINDS[kind]} and no text: {MENDS[kind]}")
    return Sniffed(None)


def _no_text(kind: Kind, data: bytes) -> bool:
    """Tell whether a file named as text is of a packed kind; a text may well begin as a PDF does."""
    if kind == ".pdf":
        return bool(_PDF.match(data)) and b" obj" in data
    # That a picture is no text, the decoding says.
    return kind not in (".html", ".eml", ".json", ".rtf", "picture")


def _wrong(suffix: str, kind: Kind) -> Sniffed:
    code = "encrypted" if kind == "locked" else f"not_{suffix[1:]}"
    if kind in _OF_OFFICE:
        return Sniffed(None, code, f"this is {KINDS[kind]}: {MENDS[kind]}")
    what = KINDS[suffix].partition(" ")[2]
    mend = f"name it {kind}" if kind in PACKED else MENDS.get(kind, f"save the {what} itself again")
    return Sniffed(None, code, f"this is {KINDS[kind]} and no {what}: {mend}")
