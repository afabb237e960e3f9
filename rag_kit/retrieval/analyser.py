"""The analyser: a text to the terms that lexical search counts. Documents and questions go through the same.

A code is kept whole and is found by its parts too: ``XX-1042`` gives ``xx-1042``, ``xx1042``, ``xx`` and
``1042``. Words are folded in case, width and accents and cut to their English stem; words that stand in any
text are left out. Scripts that write no blanks give pairs of neighbouring signs.
"""

from __future__ import annotations

import unicodedata
from itertools import chain

import regex
import Stemmer

from rag_kit.hidden import visible
from rag_kit.wording import STOP_WORDS, plain_hyphens

LONGEST_REMEMBERED = 40
MOST_REMEMBERED = 500_000
"""Written words whose terms are kept: a text repeats its words, and looking one up is cheaper."""

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Myanmar}\p{Khmer}"
"""Scripts without blanks between words."""
_RUN = regex.compile(rf"([{_UNSPACED}\u30fc\u3005]\p{{M}}*)+|[^{_UNSPACED}\u30fc\u3005]+")
_TOKEN = regex.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)"  # a number with commas between its thousands
    r"|[\p{L}\p{N}](?:[\w\p{M}]|[-./:@&'’](?=\w))*(?:\+\+|\#)?(?!\w)"
)
_MARKS = ".,;:!?()[]'\""
_NUMBER = regex.compile(r"\d+(?:\.\d+)?")
_VERSION = regex.compile(r"v(\d+(?:\.\d+)*)")
_POSSESSIVE = regex.compile(r"['’]s$")
_PART = regex.compile(r"\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}\p{M}+|\p{N}+")
"""A part of a code: capitals, a word that may begin with one, or digits."""
_DOTTED = regex.compile(r"\p{L}(?:\.\p{L})+")
ACRONYMS = frozenset(["US", "IT", "WHO"])
"""Names that are words of any text when they are not written in capitals."""
_SIGNS = regex.compile(r"(?<=[\p{Latin}\p{Greek}])[\u0300-\u036f]+")
_SPARSE = regex.compile(f"[{_UNSPACED}]")


class Analyser:
    """Turns texts into terms. ``stemming`` and ``stop_words`` can be switched off, to see what they are for."""

    def __init__(self, *, stemming: bool = True, stop_words: frozenset[str] = STOP_WORDS) -> None:
        self.stop_words = stop_words
        self._stem = Stemmer.Stemmer("english").stemWord if stemming else None
        self._known: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text, in order, each as often as it stands there.

        >>> Analyser().terms("Error XX-1042: resetting the hubs.")
        ['error', 'xx-1042', 'xx1042', 'xx', '1042', 'reset', 'hub']
        >>> Analyser().terms("Le théâtre, 7,318,400 ＣＯＤＥ")
        ['le', 'theatr', '7318400', 'code']
        """
        return list(chain.from_iterable(map(self.terms_of_word, text.split())))

    def terms_of_word(self, written: str) -> tuple[str, ...]:
        """Return the terms of what stands between two blanks.

        >>> Analyser().terms_of_word("readUserName(),")
        ('readusernam', 'read', 'user', 'name')
        """
        found = self._known.get(written)
        if found is None:
            found = tuple(self._analyse(written))
            if len(written) <= LONGEST_REMEMBERED:
                if len(self._known) >= MOST_REMEMBERED:
                    self._known.clear()
                self._known[written] = found
        return found

    def _analyse(self, written: str) -> list[str]:
        bare = written.strip(_MARKS)
        if bare.isascii() and bare.isalpha() and bare[1:].islower():  # as most are: no code, nothing to fold
            return self._of_plain(bare.lower())
        if not written.isascii():
            written = unicodedata.normalize("NFKC", visible(plain_hyphens(written)))
        terms: list[str] = []
        for token in _TOKEN.findall(written):
            if token.isascii() or not _SPARSE.search(token):
                terms += self._of_token(token)
            else:
                for run in _RUN.finditer(token):
                    terms += _pairs(run[0]) if _SPARSE.match(run[0]) else self._of_token(run[0])
        return terms

    def _of_token(self, token: str) -> list[str]:
        token = _POSSESSIVE.sub("", token).strip("-_./:@&'’")
        whole = _fold(token)
        if token in ACRONYMS:
            return [whole]
        if _DOTTED.fullmatch(whole):
            return [whole, whole.replace(".", "")]  # U.S. is US
        if _NUMBER.fullmatch(plain := whole.replace(",", "")):
            return [plain]
        parts = _PART.findall(token)
        if len(parts) < 2 or whole in self.stop_words:
            return self._of_plain(whole)
        # A single letter or figure of a code says nothing by itself.
        kept = [
            self._stemmed(_fold(part))
            for part in parts
            if len(part) > 1 and (part in ACRONYMS or _fold(part) not in self.stop_words)
        ]
        if "'" in token or "’" in token:
            return kept
        forms = [whole]
        if any(sign.isalpha() for sign in whole):
            forms.append(whole.replace("-", "").replace("_", ""))
        if version := _VERSION.fullmatch(whole):
            forms.append(version[1])
        return [*dict.fromkeys(map(self._stemmed, forms)), *kept]

    def _of_plain(self, word: str) -> list[str]:
        return [] if not word or word in self.stop_words else [self._stemmed(word)]

    def _stemmed(self, term: str) -> str:
        return self._stem(term) if self._stem and term.isalpha() else term


def _fold(text: str) -> str:
    r"""Take case and accents off; signs on letters that are not Latin or Greek change the word, and stay.

    >>> _fold("Go\u0308del"), _fold("Soufflé")
    ('godel', 'souffle')
    """
    folded = text.casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", _SIGNS.sub("", unicodedata.normalize("NFD", folded)))


def _pairs(run: str) -> list[str]:
    """Return the pairs of neighbouring signs, or the one sign there is.

    >>> _pairs("退款期限")
    ['退款', '款期', '期限']
    """
    return [run[at : at + 2] for at in range(max(len(run) - 1, 1))]
