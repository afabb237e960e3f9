"""Raised figures: exponents and the marks of notes, which as plain digits would change the number before them."""

from __future__ import annotations

import re

RAISED_SIGNS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_EXPONENT = re.compile(r"[0-9+\-\u2212]{1,9}")
_RAISED = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")


def raised(text: str) -> str | None:
    """Return a number in raised figures; None for what is none.

    >>> raised("-3"), raised("th")
    ('⁻³', None)
    """
    text = text.strip()
    return text.translate(_RAISED) if _EXPONENT.fullmatch(text) else None
