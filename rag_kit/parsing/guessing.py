"""Bytes that are not UTF-8: which of the old encodings they are in, where that can be told.

Nearly every file decodes as Windows-1252, so decoding proves nothing. What can be checked is the result:
letters of the language it turns out to be in, capitals where capitals stand, signs where signs stand. Text
in an encoding that is not listed fails these checks and stays unread, which is better than read wrongly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from rag_kit.parsing.language import SURE, detect

ENOUGH = 40
"""Letters below which only the Western encoding is tried."""
SAMPLE = 5_000
SURE_OF_CHINESE = 0.75
TOLERANCE = 0.01
_WESTERN = (
    "de",
    "en",
    "fr",
    "es",
    "it",
    "pt",
    "nl",
    "sv",
    "da",
    "no",
    "nn",
    "fi",
    "is",
    "ca",
    "gl",
    "eu",
    "ga",
    "id",
)
_CENTRAL = ("cs", "sk", "pl", "hu", "sl", "hr", "bs", "ro", "sq")
_WESTERN_LETTERS = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþßœ"
_CENTRAL_LETTERS = "áäąăâčćçďđéěęëíîĺľłňńóôöőŕřšśşťţúůüűýžźżß"
# Windows-1250 and ISO-8859-2 differ in few letters, and read as each other give letters of a neighbour.
_OWN_LETTERS = {
    "cs": "áčďéěíňóřšťúůýž",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "pl": "ąćęłńóśźż",
    "hu": "áéíóöőúüű",
    "sl": "čšž",
    "hr": "čćđšž",
    "bs": "čćđšž",
    "ro": "ăâîşţ",
    "sq": "çë",
}
_CYRILLIC_LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўјљњћџђѓќѕ"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An encoding, the languages that are written in it, and their letters beyond ASCII ("": any)."""

    encoding: str
    name: str
    languages: tuple[str, ...]
    letters: str = ""


CANDIDATES = (
    Candidate("cp1252", "Windows-1252", _WESTERN, _WESTERN_LETTERS),
    Candidate("iso8859-15", "ISO-8859-15", _WESTERN, _WESTERN_LETTERS),
    Candidate("cp1250", "Windows-1250", _CENTRAL, _CENTRAL_LETTERS),
    Candidate("iso8859-2", "ISO-8859-2", _CENTRAL, _CENTRAL_LETTERS),
    Candidate("cp1254", "Windows-1254", ("tr",), "çğıöşüâîûi̇"),
    Candidate("cp1251", "Windows-1251", ("ru", "uk", "bg", "be", "mk", "sr"), _CYRILLIC_LETTERS),
    Candidate("koi8-r", "KOI8-R", ("ru",), _CYRILLIC_LETTERS),
    Candidate("cp1253", "Windows-1253", ("el",), "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"),
    Candidate("cp1255", "Windows-1255", ("he",), "אבגדהוזחטיךכלםמןנסעףפץצקרשת"),
    Candidate("cp932", "Shift-JIS", ("ja",)),
    Candidate("euc-jp", "EUC-JP", ("ja",)),
    Candidate("gb18030", "GB18030", ("zh",)),
    Candidate("big5", "Big5", ("zh",)),
    Candidate("cp949", "EUC-KR", ("ko",)),
)
# These stand between letters too: apostrophe, dashes, ellipsis, middle dot, soft hyphen, no-break space.
_JOINS = frozenset("’‘–—…·\xad\xa0")
_SIGNS = _JOINS | frozenset("€‚„…‰‹›“”•™¡¢£¥¦§¨©ª«®¯°±²³´µ¶¸¹º»¼½¾¿×÷№")
_APOSTROPHES = ("en", "fr", "it", "ca", "nl", "ga")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
# The dashes and quotes of an old Mac, read as Western capitals.
_MAC_SIGNS = "ÐÑÒÔÕ"
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_ACCENTS = re.compile(r"[^\x00-\x7f\W\d_]{4,}")


def guess(data: bytes) -> tuple[str, str] | None:
    """Return the text and the encoding's name, or None where it cannot be told.

    >>> guess("Größe 5 €".encode("cp1252"))
    ('Größe 5 €', 'Windows-1252')
    >>> guess("Größe 5 €".encode("mac-roman")) is None
    True
    """
    if _CONTROLS.search(data):
        return None
    best: tuple[float, str, str] | None = None
    for candidate in CANDIDATES:
        try:
            text = data.decode(candidate.encoding)
        except UnicodeDecodeError:
            continue
        score = _score(text, candidate)
        if score and (best is None or score > best[0]):
            best = (score, text, candidate.name)
    return best and best[1:]


def _score(text: str, candidate: Candidate) -> float:
    """Say from 0 to 1 how well a text reads as one of the candidate's languages; 0 is not at all."""
    beyond = len(_beyond(text))
    allowed = int(TOLERANCE * beyond)
    odd = len(list(islice(_oddities(text, candidate), allowed + 1)))
    if odd > allowed:
        return 0.0
    sample = _sample(text)
    western = candidate.languages is _WESTERN
    code, probability = detect(sample)
    if sum(map(str.isalpha, sample)) < ENOUGH:
        return 0.5 if western and (probability < SURE or code in _WESTERN) else 0.0
    if western and probability < SURE:
        return 0.0 if any(code in other.languages for other in CANDIDATES[2:]) else 0.5
    # An i with an accent reads as an apostrophe when it comes from an old Mac.
    if western and code not in _APOSTROPHES and _joined(sample) > sum(map(str.isalpha, _beyond(sample))):
        return 0.0
    # Chinese is hardly ever surer: its near relations share the signs.
    if code not in candidate.languages or probability < (SURE_OF_CHINESE if code == "zh" else SURE):
        return 0.0
    return round(probability, 2) - odd / beyond - _foreign(text, code) / beyond


def _oddities(text: str, candidate: Candidate) -> Iterator[str]:
    """Yield what is beyond ASCII and not where or what a text in one of these languages would have."""
    if not candidate.letters:
        yield from (sign for sign in _beyond(text) if unicodedata.category(sign) in ("Cc", "Cn", "Co"))
        return
    if candidate.languages is _WESTERN:
        # Western words are mostly ASCII: a run of accents is Greek or Russian read wrongly.
        yield from _ACCENTS.findall(text)
    for match in _BEYOND_ASCII.finditer(text):
        sign, at = match[0], match.start()
        if _is_odd(sign, text[max(at - 1, 0) : at], text[at + 1 : at + 2], candidate.letters):
            yield sign


def _is_odd(sign: str, before: str, after: str, letters: str) -> bool:
    if sign in _SIGNS:
        return sign not in _JOINS and before.isalpha() and after.isalpha()
    if sign in _MAC_SIGNS and not after.isalpha():
        return True
    return sign.lower() not in letters or (sign.isupper() and before.islower())


def _foreign(text: str, code: str) -> int:
    """Count the letters beyond ASCII that the language does not have, where that is known."""
    own = _OWN_LETTERS.get(code)
    return sum(sign.isalpha() and sign.lower() not in own for sign in _beyond(text)) if own else 0


def _beyond(text: str) -> list[str]:
    return _BEYOND_ASCII.findall(text)


def _joined(text: str) -> int:
    return len(re.findall(r"(?<=[^\W\d_])[’‘–—](?=[^\W\d_])", text))


def _sample(text: str) -> str:
    """Take the lines that hold anything beyond ASCII: the others say nothing of the encoding."""
    return "\n".join(line for line in text.splitlines() if not line.isascii())[:SAMPLE]
