"""The characters of a page, each with its place and style, in the frame a reader sees: upright, top-down."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pypdfium2 as pdfium
from pypdfium2 import raw

Box = tuple[float, float, float, float]
"""x0, top, x1, bottom in points, from the top left corner of the page as it is shown."""

_BOLD = re.compile(r"bold|black|heavy|semibold|demi", re.I)
_MONO = re.compile(r"courier|mono(?!type)|consol|menlo|typewriter|cmtt|code", re.I)
_FIXED, _FORCE_BOLD = 1, 1 << 18
_HEAVY = 600
_LINE_END_HYPHEN = 2
LOST = "\ufffd"
"""Stands for a drawn sign that no font maps to a letter."""
_CLEAN = {
    "\u00a0": " ", "\u202f": " ", "\u2007": " ", "\u2009": " ", "\u2003": " ", "\u2002": " ",
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st",
    # What Symbol and Wingdings have where other fonts have bullets.
    "\uf0b7": "•", "\uf0a7": "•", "\uf0d8": "•", "\uf06e": "•", "\uf0fc": "✓", "\uf0a8": "•", "\uf02d": "-",
}  # fmt: skip
_CID = re.compile(r"\(cid:\d+\)")


@dataclass(frozen=True, slots=True)
class Style:
    """How characters are set; ``turn`` is the quarter turns clockwise from upright, None for a slant."""

    size: float
    bold: bool
    mono: bool
    turn: int | None = 0


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character with its box; ``base`` is the baseline and ``tail`` is written after it.

    ``unsure`` is True where its font has no code for it: then the text is the place in the font, or lost.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    base: float
    style: Style
    tail: str = ""
    unsure: bool = False


_LETTER = (0.0, 0.0, 612.0, 792.0)


@dataclass(frozen=True, slots=True)
class Frame:
    """Turns user space (from the bottom left, unrotated) into the page as it is shown."""

    box: Box
    rotation: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height as shown."""
        wide, high = self.box[2] - self.box[0], self.box[3] - self.box[1]
        return (high, wide) if self.rotation % 180 else (wide, high)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is shown.

        >>> Frame((0, 0, 200, 100)).point(10, 90), Frame((0, 0, 200, 100), 90).point(10, 90)
        ((10, 10), (90, 10))
        """
        x0, y0, x1, y1 = self.box
        turned = {0: (x - x0, y1 - y), 90: (y - y0, x - x0), 180: (x1 - x, y - y0), 270: (y1 - y, x1 - x)}
        return turned[self.rotation]

    def rectangle(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """Return where a rectangle is shown."""
        (a, b), (c, d) = self.point(x0, y0), self.point(x1, y1)
        return min(a, c), min(b, d), max(a, c), max(b, d)


@dataclass(slots=True)
class Unmapped:
    """Counts the characters that no font mapped to a letter."""

    count: int = field(default=0)

    def clean(self, text: str) -> str:
        r"""Spell ligatures out, make odd blanks plain, drop control characters; count what no font mapped.

        >>> Unmapped().clean("e\ufb03cient\u00a0use\x07")
        'efficient use'
        """
        text, cids = _CID.subn("\ufffd", text)
        text = plain(text)
        self.count += sum(map(is_lost, text))
        return text


def plain(text: str) -> str:
    """Return text with ligatures spelt out and odd blanks plain, without control characters."""
    return "".join(_plain(sign) for sign in text if sign in "\n\t" or not _is_control(sign))


def _plain(sign: str) -> str:
    """Return a sign as it is typed; letters of Arabic and Hebrew script come in the form that joins them."""
    formed = "\ufb1d" <= sign <= "\ufdff" or "\ufe70" <= sign <= "\ufefc"
    return _CLEAN.get(sign, unicodedata.normalize("NFKC", sign) if formed else sign)


def _is_control(sign: str) -> bool:
    return sign < " " or "\x7f" <= sign <= "\x9f" or sign in "\ufeff\ufffe\uffff"


def is_lost(sign: str) -> bool:
    """Return whether a character is one that no font maps to a letter."""
    return sign == LOST or "\ue000" <= sign <= "\uf8ff"


def page_frame(page: pdfium.PdfPage) -> Frame:
    """Return the frame of a page: its media box, turned as the page says; viewers take letter size for none."""
    box = _normal(page.get_mediabox())
    return Frame(_LETTER if _is_empty(box) else box, page.get_rotation() % 360)


def _shown(page: pdfium.PdfPage, frame: Frame) -> Box:
    """Return the part of a page that is shown: all of it where the file gives a part without any size."""
    box = _normal(page.get_cropbox())
    return frame.rectangle(*(frame.box if _is_empty(box) else box))


def _is_empty(box: Box) -> bool:
    return not (box[2] > box[0] and box[3] > box[1])


def _normal(box: Box) -> Box:
    """Return a box from its lower left to its upper right corner; files have them the other way round too."""
    x0, y0, x1, y1 = box
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def read_glyphs(page: pdfium.PdfPage, frame: Frame, unmapped: Unmapped) -> list[Glyph]:
    """Read the characters of a page, in the file's order, without those outside the part that is shown."""
    text_page = page.get_textpage()
    try:
        return list(_read(text_page, frame, _shown(page, frame), unmapped))
    finally:
        text_page.close()


def _read(text_page: pdfium.PdfTextPage, frame: Frame, shown: Box, unmapped: Unmapped) -> Iterator[Glyph]:
    handle = text_page.raw
    box, x, y = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    styles: dict[int, Style] = {}
    high = 0
    for index in range(raw.FPDFText_CountChars(handle)):
        if raw.FPDFText_IsGenerated(handle, index) == 1:
            continue
        code = raw.FPDFText_GetUnicode(handle, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code, high = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00, 0
        sign = chr(code) if 0 < code < 0x110000 else LOST
        unsure = raw.FPDFText_HasUnicodeMapError(handle, index) == 1
        if raw.FPDFText_IsHyphen(handle, index) == 1:
            sign = "-"
        elif _is_control(sign) and (unsure or _is_drawn(handle, index, sign)):
            sign = LOST
        elif code == _LINE_END_HYPHEN:
            sign = "-"
        text = unmapped.clean(sign)
        if not text or not raw.FPDFText_GetLooseCharBox(handle, index, box):
            continue
        raw.FPDFText_GetCharOrigin(handle, index, x, y)
        key = ctypes.cast(raw.FPDFText_GetTextObject(handle, index), ctypes.c_void_p).value or 0
        style = styles.get(key)
        if style is None:
            style = styles[key] = _style(handle, index, frame.rotation)
        x0, top, x1, bottom = frame.rectangle(box.left, box.bottom, box.right, box.top)
        across, down = frame.point(x.value, y.value)
        # A place that is not finite is in no box either.
        if shown[0] <= (x0 + x1) / 2 <= shown[2] and shown[1] <= (top + bottom) / 2 <= shown[3]:
            yield _turned(Glyph(text, x0, top, x1, bottom, down, style, unsure=unsure), across, frame)


def _is_drawn(handle: raw.FPDF_TEXTPAGE, index: int, sign: str) -> bool:
    """Return whether there is ink where a control character stands: then it is the code of some letter."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    known = raw.FPDFText_GetCharBox(handle, index, left, right, bottom, top)
    ink = right.value - left.value > 0.1 and top.value - bottom.value > 0.1
    return bool(known) and ink and sign not in "\t\n\r\x02"


def _style(handle: raw.FPDF_TEXTPAGE, index: int, rotation: int) -> Style:
    name, flags, matrix = ctypes.create_string_buffer(128), ctypes.c_int(), raw.FS_MATRIX()
    raw.FPDFText_GetFontInfo(handle, index, name, len(name), flags)
    font = name.value.decode("utf-8", "replace")
    scale, turn = 1.0, 0.0
    if raw.FPDFText_GetMatrix(handle, index, matrix):
        scale = math.hypot(matrix.c, matrix.d) or 1.0
        turn = math.degrees(math.atan2(-matrix.b, matrix.a))
    turn = (turn + rotation) % 360
    quarter = round(turn / 90)
    mode = raw.FPDFTextObj_GetTextRenderMode(raw.FPDFText_GetTextObject(handle, index))
    bold = (
        bool(_BOLD.search(font) or flags.value & _FORCE_BOLD)
        or raw.FPDFText_GetFontWeight(handle, index) >= _HEAVY
        or mode == raw.FPDF_TEXTRENDERMODE_FILL_STROKE
    )
    return Style(
        size=round(raw.FPDFText_GetFontSize(handle, index) * scale, 1) or 1.0,
        bold=bold,
        mono=bool(_MONO.search(font) or flags.value & _FIXED),
        turn=quarter % 4 if abs(turn - 90 * quarter) < 10 else None,
    )


def _turned(glyph: Glyph, across: float, frame: Frame) -> Glyph:
    """Return the glyph in the frame of its own direction, in which it stands upright."""
    wide, high = frame.size
    x0, top, x1, bottom = glyph.x0, glyph.top, glyph.x1, glyph.bottom
    match glyph.style.turn:
        case 1:
            return replace(glyph, x0=top, x1=bottom, top=wide - x1, bottom=wide - x0, base=wide - across)
        case 2:
            return replace(
                glyph,
                x0=wide - x1,
                x1=wide - x0,
                top=high - bottom,
                bottom=high - top,
                base=high - glyph.base,
            )
        case 3:
            return replace(glyph, x0=high - bottom, x1=high - top, top=x0, bottom=x1, base=across)
        case _:
            return glyph
