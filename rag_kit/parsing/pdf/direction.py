"""Scripts that run from the right: telling them, and the order in which their letters are read."""

from __future__ import annotations

import re
import unicodedata

_SIGN = r"0-9A-Za-z\u00c0-\u024f\u0370-\u04ff\u0660-\u0669\u06f0-\u06f9%$€£"
# Figures and words of other scripts, with what may stand inside them.
_FORWARD = re.compile(rf"[{_SIGN}](?:[{_SIGN}.,:/'\- ]*[{_SIGN}])?")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def is_rtl(text: str) -> bool:
    """Return whether most letters of a text run from right to left.

    >>> is_rtl("שלום 12"), is_rtl("Total 12")
    (True, False)
    """
    if text.isascii():
        return False
    kinds = [unicodedata.bidirectional(sign) for sign in text]
    right = sum(kind in ("R", "AL") for kind in kinds)
    return right > sum(kind == "L" for kind in kinds)


def logical_order(text: str) -> str:
    """Turn characters as they stand from left to right into the order in which they are read.

    Figures and words of other scripts keep their order; brackets are mirrored, as they are in print.

    >>> logical_order("12 םולש"), logical_order("(New York) םולש")
    ('שלום 12', 'שלום (New York)')
    """
    return _FORWARD.sub(lambda run: run[0][::-1], text[::-1].translate(_MIRRORED))
