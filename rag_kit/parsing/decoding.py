"""Bytes to text: marks, declared and guessed encodings, line ends, and an error where it cannot be told."""

from __future__ import annotations

import codecs
import re

from rag_kit.errors import UnreadableDocument
from rag_kit.parsing.guessing import guess
from rag_kit.types import Notice

# UTF-32 first: its little-endian mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SHIFTED_JAPANESE = re.compile(rb"\x1b\$[@B]")
# What browsers read under these names, after the WHATWG's list.
_MEANT = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
}
_OF_TEXT = re.compile(r"ascii|big5|cp\d|euc|gb|iso8859|koi8|mac|shift_jis")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
MEND = "save the file as UTF-8"


def decode(data: bytes, source_uri: str, *, declared: str | None = None) -> tuple[str, list[Notice]]:
    r"""Decode a file: by its mark, else as UTF-8, else as it declares, else as can be told, with a notice.

    The mark is dropped and ``\r\n`` and lone ``\r`` become ``\n``. Raises UnreadableDocument (``binary``,
    ``encoding``) rather than storing a replacement character or a guess that does not read as a language.

    >>> decode(b"\xef\xbb\xbfa\r\nb", "a.md")[0]
    'a\nb'
    """
    text, notices = _decode(data, source_uri, declared)
    if "\x00" in text:
        message = "this is not text (it holds NUL bytes): check the file's type"
        raise UnreadableDocument(source_uri, "binary", message)
    if lost := text.count("\ufffd"):
        message = f"{lost} letters were lost before this file was saved (U+FFFD): {MEND} from its source"
        notices.append(Notice("replacement_characters", message))
    return text.replace("\r\n", "\n").replace("\r", "\n"), notices


def _decode(data: bytes, source_uri: str, declared: str | None) -> tuple[str, list[Notice]]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], encoding, source_uri), []
    unmarked = _unmarked(data) or ("iso2022_jp" if _SHIFTED_JAPANESE.search(data) else None)
    if unmarked and (text := _attempt(data, unmarked)) and not _CONTROLS.search(text):
        return text, [_read_as(unmarked.upper().replace("_", "-"))]
    for name in ("utf-8", _known(declared)):
        if name and (text := _attempt(data, name)) is not None:
            return text, []
    if b"\x00" in data:
        return "\x00", []
    if found := guess(data):
        return found[0], [_read_as(found[1])]
    raise UnreadableDocument(source_uri, "encoding", f"the encoding cannot be told: {MEND}")


def _unmarked(data: bytes) -> str | None:
    """Tell UTF-16 and UTF-32 without a mark by their zero bytes: every other one, or three of four."""
    fourth = len(data) // 4
    zeros = [data[place::4].count(0) for place in range(4)]
    if len(data) % 4 == 0 and fourth:
        if zeros[2] == zeros[3] == fourth > zeros[0]:
            return "utf-32-le"
        if zeros[0] == zeros[1] == fourth > zeros[3]:
            return "utf-32-be"
    pairs = len(data) // 2
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if len(data) % 2 or max(even, odd) < 0.3 * pairs or min(even, odd) > 0.01 * pairs or not pairs:
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _known(declared: str | None) -> str | None:
    """Return Python's name of a declared encoding; a page that could be read so far is not in UTF-16."""
    try:
        name = codecs.lookup(declared.strip()).name if declared else ""
    except (LookupError, ValueError):
        return None
    return _MEANT.get(name, name) if _OF_TEXT.match(name) else None


def _attempt(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _strict(data: bytes, encoding: str, source_uri: str) -> str:
    text = _attempt(data, encoding)
    if text is None:
        message = f"this begins as {encoding.upper()} and does not go on so: {MEND}"
        raise UnreadableDocument(source_uri, "encoding", message)
    return text


def _read_as(name: str) -> Notice:
    return Notice("encoding", f"not marked as Unicode: read as {name}; {MEND} if letters look wrong")
