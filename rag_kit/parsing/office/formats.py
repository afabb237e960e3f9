"""Numbers of a sheet as the sheet shows them: percent, currency, thousands, decimals, dates as ISO."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from functools import lru_cache
from typing import Any, NamedTuple

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]'
    r"|(?P<scientific>[Ee][+-]0+)|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<other>.)",
    re.S,
)
_GENERAL = re.compile(r"\s*(?:general|@)?\s*", re.I)
_LARGEST_SHOWN = 10**15


class _Section(NamedTuple):
    """One part of a number format: what stands around the digits, and how they are written."""

    before: str
    after: str
    whole: int
    least: int
    most: int
    thousands: bool
    scale: int
    scientific: bool
    plain: bool


def shown(value: Any, number_format: str) -> str:
    """Return a cell's value as the sheet shows it, in the notation of an English sheet; dates as ISO.

    >>> shown(0.125, "0.0%"), shown(-1234.5, '#,##0.00 "EUR"'), shown(datetime(2026, 3, 4), "d.m.yy")
    ('12.5%', '-1,234.50 EUR', '2026-03-04')
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return _number(value, number_format)
    if isinstance(value, datetime):
        if value.time() == time(0):
            return value.date().isoformat()
        return value.isoformat(" ", "minutes" if not (value.second or value.microsecond) else "seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return value.isoformat("minutes" if not (value.second or value.microsecond) else "seconds")
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(abs(value.total_seconds())), 60)
        sign = "-" if value < timedelta(0) else ""
        return f"{sign}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return "" if value is None else str(value)


def _number(value: float, number_format: str) -> str:
    try:
        exact = Decimal(repr(value))
    except InvalidOperation:
        return str(value)
    if not exact.is_finite():
        return str(value)
    sections = _sections(number_format)
    at = 1 if exact < 0 and len(sections) > 1 else 2 if exact == 0 and len(sections) > 2 else 0
    section = sections[at] if at < len(sections) else None
    if section is None or section.plain:
        return _general(value, exact)
    if not section.whole and not section.most:
        # A section of words alone, as "n/a" for zero.
        return (section.before + section.after).strip() or _general(value, exact)
    sign = "-" if exact < 0 and at == 0 else ""
    return f"{sign}{section.before}{_digits(abs(exact), section)}{section.after}".strip()


def _digits(value: Decimal, section: _Section) -> str:
    with localcontext() as context:
        context.prec = 400
        context.rounding = ROUND_HALF_UP
        scaled = value.scaleb(section.scale)
        if section.scientific:
            return f"{scaled:.{section.most}E}"
        text = f"{scaled.quantize(Decimal(1).scaleb(-section.most)):f}"
    whole, _, decimals = text.partition(".")
    decimals = decimals[: section.least] + decimals[section.least :].rstrip("0")
    whole = whole.lstrip("0").rjust(section.whole, "0")
    if section.thousands:
        whole = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", whole)
    return f"{whole}.{decimals}" if decimals else whole or "0"


def _general(value: float, exact: Decimal) -> str:
    if exact == exact.to_integral_value() and abs(exact) < _LARGEST_SHOWN:
        return str(int(exact))
    if isinstance(value, int):
        return str(value)
    return f"{value:.10g}".replace("e", "E")


@lru_cache(maxsize=500)
def _sections(number_format: str) -> list[_Section]:
    """Read the parts for positive and negative numbers and zero; a part with a condition of its own is plain."""
    parts = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', number_format[:500])
    return [_section(part) for part in parts[:3]]


def _section(text: str) -> _Section:
    around = ["", ""]
    whole = least = most = scale = 0
    decimals = thousands = scientific = seen = False
    plain = bool(_GENERAL.fullmatch(re.sub(r"\[[^\]$]*\]", "", text))) or bool(re.search(r"\[[<>=]", text))
    pending = 0
    for match in _TOKEN.finditer(text):
        kind, part = match.lastgroup, match[0]
        if kind == "digit":
            if around[1]:
                plain = plain or bool(around[1].strip())  # Signs between digits, as in a telephone number.
                around[1] = ""
            seen, thousands, pending = True, thousands or pending > 0, 0
            if decimals:
                most += not scientific
                least += part == "0" and not scientific
            else:
                whole += part == "0"
        elif kind == "point":
            decimals, seen = True, True
        elif kind == "comma" and seen and not decimals:
            pending += 1
        elif kind == "comma" and seen:
            scale -= 3
        elif kind == "scientific":
            scientific = True
        elif kind == "percent":
            scale += 2
            around[seen] += "%"
        elif kind in ("quoted", "escaped", "currency", "other"):
            around[seen] += match[kind]
            plain = plain or (kind == "other" and part == "/")  # A fraction.
    digits = bool(re.search(r"[0#?]", re.sub(r'"[^"]*"|\\.', "", text)))
    return _Section(
        around[0], around[1], max(whole, int(digits and not most and not whole)), least, most, thousands,
        scale - 3 * pending, scientific, plain,
    )  # fmt: skip
