"""Scripts that run from the right: telling them, and the order in which their letters are read."""

from __future__ import annotations

import unicodedata
from itertools import groupby


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

    >>> logical_order("12 םולש")
    'שלום 12'
    """
    out: list[str] = []
    for number, group in groupby(reversed(text), key=_runs_left_to_right):
        signs = list(group)
        out.extend(reversed(signs) if number else signs)
    return "".join(out)


def _runs_left_to_right(sign: str) -> bool:
    return unicodedata.bidirectional(sign) in ("L", "EN", "AN", "ES", "ET", "CS")
