"""Word's equations as one line of text: fractions, powers and roots keep their meaning."""

from __future__ import annotations

import re
from typing import Any

from rag_kit.parsing.office.package import attribute, child, kind
from rag_kit.parsing.raised import raised

_PROPERTIES = re.compile(r"m:\w+Pr")


def linear(element: Any) -> str:
    """Return an equation in one line: ``(a+b)/2``, ``x²``, ``√(2)``."""
    name = kind(element)
    if name == "m:t":
        return element.text or ""
    if name in _WRITTEN:
        return _WRITTEN[name](element)
    return _inside(element)


def _inside(element: Any | None) -> str:
    parts = element if element is not None else ()
    return "".join(linear(part) for part in parts if not _PROPERTIES.fullmatch(kind(part)))


def _fraction(element: Any) -> str:
    return f"{_grouped(_inside(child(element, 'm:num')))}/{_grouped(_inside(child(element, 'm:den')))}"


def _power(element: Any) -> str:
    base, power = _grouped(_inside(child(element, "m:e"))), _inside(child(element, "m:sup"))
    return base + (raised(power) or f"^{_grouped(power)}")


def _index(element: Any) -> str:
    return f"{_inside(child(element, 'm:e'))}_{_grouped(_inside(child(element, 'm:sub')))}"


def _both(element: Any) -> str:
    power = _inside(child(element, "m:sup"))
    return _index(element) + (raised(power) or f"^{_grouped(power)}")


def _root(element: Any) -> str:
    degree = _inside(child(element, "m:deg"))
    return f"{raised(degree) or degree}√({_inside(child(element, 'm:e'))})"


def _sum(element: Any) -> str:
    sign = attribute(child(element, "m:naryPr", "m:chr"), "val") or "∫"
    low, high = _inside(child(element, "m:sub")), _inside(child(element, "m:sup"))
    limits = (f"_{_grouped(low)}" if low else "") + (f"^{_grouped(high)}" if high else "")
    return f"{sign}{limits} {_inside(child(element, 'm:e'))}"


def _brackets(element: Any) -> str:
    given = {part: attribute(child(element, "m:dPr", f"m:{part}"), "val") for part in ("begChr", "endChr")}
    inner = "; ".join(_inside(part) for part in element if kind(part) == "m:e")
    opening, closing = (
        value if value is not None else default for value, default in zip(given.values(), "()", strict=True)
    )
    return f"{opening}{inner}{closing}"


def _grouped(text: str) -> str:
    return text if re.fullmatch(r"[\w.,]*|\(.*\)", text) else f"({text})"


_WRITTEN = {
    "m:f": _fraction,
    "m:sSup": _power,
    "m:sSub": _index,
    "m:sSubSup": _both,
    "m:rad": _root,
    "m:nary": _sum,
    "m:d": _brackets,
}
