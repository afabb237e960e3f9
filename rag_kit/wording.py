"""The words that carry what a text says: function words out, numbers and codes whole, a plural s taken off."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and any are as at be by can could did do does for from get had has have how i if in into is it its"
        " may me much many must my no not of off on one or our out over per shall should so than that the their"
        " them then there they this to up us was we were what when where which who whom whose why will with"
        " within would you your",
    )
)
"""What a question is made of besides what it asks about; the offline reader was trained with these."""

STOP_WORDS = FUNCTION_WORDS | frozenset(
    re.findall(
        r"\w+",
        "about also am been being both but each either he her him his just nor only other she such these those"
        " very",
    )
)
"""Words that stand in any text and tell none from another."""
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=2
    )
}
IDEOGRAPH = "\u2e80-\u2fdf\u3005\u3007\u3040-\u9fff\uf900-\ufaff"
"""Chinese and Japanese signs, for a class of a regular expression: they are written without blanks."""
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:[.,]\d+)*)|[{IDEOGRAPH}]"
    rf"|(?:(?![{IDEOGRAPH}])[^\W\d_])(?:(?![{IDEOGRAPH}])\w)*(?:[-_]\w*\d\w*)*"
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ORDINAL = ("st", "nd", "rd", "th")
_HYPHENS = {0x00AD: None, 0x2010: "-", 0x2011: "-", 0xFE63: "-", 0xFF0D: "-"}


def plain_hyphens(text: str) -> str:
    r"""Write every hyphen as the keyboard does, and take out soft ones, which only show where a line ends.

    >>> plain_hyphens("XX\u20111042 war\u00adranty")
    'XX-1042 warranty'
    """
    return text if text.isascii() else text.translate(_HYPHENS)


def one_form(name: str) -> str:
    r"""Write a name in the one form (NFC) in which names compare: an accent may be a sign of its own.

    >>> len("e\u0301"), len(one_form("e\u0301"))
    (2, 1)
    """
    return unicodedata.normalize("NFC", name)


def stem(word: str) -> str:
    """Take off the s of a plural.

    >>> stem("fees"), stem("bus"), stem("pass")
    ('fee', 'bus', 'pass')
    """
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "su" else word


def count_signs(text: str) -> int:
    """Count the signs of scripts that write no blanks: each is about a word.

    >>> count_signs("费用为 5 euros")
    3
    """
    return len(re.findall(f"[{IDEOGRAPH}]", text))


def all_words(text: str) -> list[str]:
    """Return every word of a text, numbers in one spelling and codes whole.

    >>> all_words("The XX-1042's 1,500 fees: 4th, 05, ten")
    ['the', 'xx-1042', 's', '1500', 'fee', '4', '5', '10']
    """
    return [word for _, word in _read(text)]


def content_words(text: str) -> list[str]:
    """Return the words of a text without those that stand in any text: articles, pronouns, auxiliaries.

    >>> content_words("Does this moon consist of cheese in 2 ways?")
    ['moon', 'consist', 'cheese', '2', 'way']
    """
    return [
        word
        for written, word in _read(text)
        if is_number(word) or not (written in STOP_WORDS or word in STOP_WORDS or _is_letter(word))
    ]


def is_number(word: str) -> bool:
    """Tell whether a word is a number; a code with digits in it is a name.

    >>> is_number("1500"), is_number("xx-1042")
    (True, False)
    """
    return word[:1].isdecimal()


def _read(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word as it is written, and as it is compared: "does" would be "doe" there."""
    text = plain_hyphens(text)
    for match in _TOKEN.finditer(text):
        written = match.group().casefold()
        if match["number"]:
            yield written, _plain_number(written)
        elif not (written in _ORDINAL and text[match.start() - 1 : match.start()].isdecimal()):
            yield written, _NUMBER_WORDS.get(written) or stem(written)


def _is_letter(word: str) -> bool:
    return len(word) == 1 and word.isascii()


def _plain_number(number: str) -> str:
    """Write a number without the commas of thousands and without zeros before it."""
    return re.sub(r"^0+(?=\d)", "", _THOUSANDS.sub("", number))
