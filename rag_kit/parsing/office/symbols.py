"""Signs that Word writes as places in a symbol font, as the characters that they look like."""

from __future__ import annotations

# The Greek letters of the font Symbol stand where their Latin neighbours do.
_GREEK = dict(zip("abgdezhqiklmnxoprstufcyw", "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
_SYMBOL = {
    **{ord(latin): greek for latin, greek in _GREEK.items()},
    **{ord(latin.upper()): greek.upper() for latin, greek in _GREEK.items()},
    0xA2: "′", 0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°",
    0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈",
    0xBC: "…", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD6: "√", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_WINGDINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "❑", 0x76: "❖", 0x9F: "•", 0xA7: "▪", 0xA8: "☐", 0xD8: "➢", 0xDF: "←",
    0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}


def symbol(font: str, code: str) -> str | None:
    """Return the character for a place in a font, given in hexadecimal; None for one that is not known.

    >>> symbol("Symbol", "F061"), symbol("Wingdings", "F0FC"), symbol("Arial", "20AC"), symbol("Odd", "F041")
    ('α', '✓', '€', None)
    """
    try:
        place = int(code, 16)
    except ValueError:
        return None
    known = _FONTS.get(font.lower())
    if known is not None and (place < 0x100 or 0xF000 <= place < 0xF100):
        sign = place & 0xFF
        return known.get(sign) or (chr(sign) if known is _SYMBOL and 0x20 <= sign < 0x40 else None)
    private = place < 0x20 or 0xD800 <= place < 0xF900 or place > 0x10FFFF
    return None if private else chr(place)
