"""Bytes to text: byte-order marks, line ends, and an error where the encoding cannot be told."""

from __future__ import annotations

import codecs

from rag_kit.errors import UnreadableDocument
from rag_kit.types import Notice

# UTF-32 first: its little-endian mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes, source_uri: str) -> tuple[str, list[Notice]]:
    r"""Decode a file: the mark's encoding, else UTF-8, else Windows-1252 with a notice.

    The mark is dropped and ``\r\n`` and lone ``\r`` become ``\n``. Raises UnreadableDocument (``binary``,
    ``encoding``) rather than storing a replacement character.

    >>> decode(b"\xef\xbb\xbfa\r\nb", "a.md")[0]
    'a\nb'
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _fold_line_ends(_strict(data[len(mark) :], encoding, source_uri)), []
    if b"\x00" in data:
        raise UnreadableDocument(
            source_uri, "binary", "this is not text (it holds NUL bytes): check the file's type"
        )
    try:
        return _fold_line_ends(data.decode("utf-8")), []
    except UnicodeDecodeError:
        text = _strict(data, "cp1252", source_uri)
    message = "not valid UTF-8: read as Windows-1252; save the file as UTF-8 if letters look wrong"
    return _fold_line_ends(text), [Notice("encoding", message)]


def _strict(data: bytes, encoding: str, source_uri: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        where = f"byte {error.start}"
        message = (
            f"the encoding cannot be told ({where} is neither UTF-8 nor {encoding}): save the file as UTF-8"
        )
        raise UnreadableDocument(source_uri, "encoding", message) from None


def _fold_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
