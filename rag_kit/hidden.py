"""Characters that nobody sees: zero-width controls and tag characters, which can hide words or orders.

A document keeps them, so that spans still slice the original; what is shown to a model or a reader goes
through :func:`visible`. Where such a character joins what belongs together, it stays: emoji sequences, the
three flags spelt in tags, Persian and Indic joiners, word breaks in scripts that write no blanks.
"""

from __future__ import annotations

import re

_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# Scripts whose letters change shape beside a joiner: Arabic, Syriac, Indic, Tibetan, Mongolian and their kin.
_JOINING = (
    "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ua840-\ua87f\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc"
)
# Thai, Lao, Myanmar and Khmer mark the places between words with U+200B.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_HAN = "\u2e80-\u2fdf\u3005\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_FLAGS = "|".join(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in flag) + "\U000e007f"
    for flag in ("gbeng", "gbsct", "gbwls")
)

_KEPT = re.compile(
    f"(?:{_FLAGS})"
    f"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_JOINING}])[\u200c\u200d]"
    f"|(?<=[{_UNSPACED}])\u200b(?=[{_UNSPACED}])"
    f"|(?<=[{_HAN}])[\U000e0100-\U000e01ef]"
    "|(?<![\ufe00-\ufe0f])[\ufe00-\ufe0f]"
)
_HIDDEN = re.compile(
    "[\u180e\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
# Controls, half surrogates and changes of writing direction besides.
_UNSEEN = re.compile(
    f"({_KEPT.pattern})|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_EITHER = re.compile(f"({_KEPT.pattern})|{_HIDDEN.pattern}")


def visible(text: str) -> str:
    r"""Return a text as a reader sees it: hidden characters out, joiners and emoji whole.

    >>> visible("Dis\u200bregard\U000e0041")
    'Disregard'
    >>> visible("\u0645\u06cc\u200c\u062e") == "\u0645\u06cc\u200c\u062e"
    True
    """
    # What is left after one pass may stand together in a new way.
    while _HIDDEN.search(text) and (shorter := _EITHER.sub(lambda match: match[1] or "", text)) != text:
        text = shorter
    return text


def count_hidden(text: str) -> int:
    r"""Count the characters that :func:`visible` takes out.

    >>> count_hidden("Dis\u200bregard\U000e0041")
    2
    """
    return len(text) - len(visible(text))


def show_unseen(text: str) -> str:
    r"""Replace the characters that hide or reorder text, or steer a terminal, by their code points.

    >>> show_unseen("safe\u202eevil\x1b[2J")
    'safe[U+202E]evil[U+001B][2J'
    """
    return _UNSEEN.sub(lambda match: match[1] or f"[U+{ord(match.group()):04X}]", text)


def for_terminal(text: str) -> str:
    r"""Return a text of any origin fit for a terminal: hidden characters out, the others that steer it shown.

    >>> for_terminal("five\u200b\x1b[2J\rsix")
    'five[U+001B][2J[U+000D]six'
    """
    return show_unseen(visible(text.replace("\r\n", "\n"))).replace("\r", "[U+000D]")
