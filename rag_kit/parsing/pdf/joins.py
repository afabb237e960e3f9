"""Joining lines to running text: what a hyphen at a line's end was, decided by evidence in the document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from rag_kit.parsing.pdf.parts import Line

# First parts that keep their hyphen where nothing in the document decides.
_COMPOUND = re.compile(
    "all|cross|ex|full|half|high|ill|left|long|low|mid|multi|never|non|quasi|real|right|self|semi|short"
    "|single|state|still|third|two|user|well|wide|year"
)
_BROKEN = re.compile(r"([^\W_][\w'’.-]*|[^\W_])[-\u2010]$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_NEXT = re.compile(r"[\w'’]+(?:-[\w'’]+)*")
_NO_BLANKS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff01-\uff60]")
_TAIL = 100
SENTENCE_END = re.compile(r"[.!?:;…。！？]['\"”’»)\]⁰-⁹¹²³]*$")


class Vocabulary:
    """The words of a document, as they stand inside its lines."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._words: Counter[str] = Counter()
        for line in lines:
            words = _WORD.findall(line.casefold())
            # The first and the last word of a line can be pieces of one.
            self._words.update(words[1:-1])
            self._words.update(words[-1:] if not line.rstrip().endswith("-") else ())

    def __getitem__(self, word: str) -> int:
        return self._words[word.casefold()]


def joined(before: str, after: str, words: Vocabulary) -> str:
    """Join two lines; a word that the line end broke becomes one.

    The hyphen stays beside a figure or a capital, after the first part of a common compound, and where the
    document has the word with it elsewhere; it goes where the document has the word without it, and between
    small letters where nothing decides.

    >>> joined("The pay-", "ment window", Vocabulary())
    'The payment window'
    >>> joined("the well-", "known port", Vocabulary()), joined("Error XX-", "1042 is", Vocabulary())
    ('the well-known port', 'Error XX-1042 is')
    """
    before, after = before.rstrip(), after.lstrip()
    if not before or not after:
        return before + after
    if before.endswith("\u00ad"):
        return before[:-1] + after
    broken = _BROKEN.search(before)
    if not broken:
        return before + ("" if _NO_BLANKS.match(before[-1]) and _NO_BLANKS.match(after[0]) else " ") + after
    following = _NEXT.match(after)
    if not following:
        return before + " " + after
    return (before if _keeps(broken[1], following[0], words) else before[:-1]) + after


def _keeps(first: str, second: str, words: Vocabulary) -> bool:
    """Return whether the hyphen between two pieces belongs to the word."""
    if not (first + second[0]).replace("-", "").replace("'", "").replace("’", "").replace(".", "").isalpha():
        return True
    last = first.rsplit("-", 1)[-1]
    with_it, without = words[f"{last}-{second}"], words[last + second]
    if with_it != without:
        return with_it > without
    if second[0].isupper() or last[-1:].isupper():
        return True
    return bool(_COMPOUND.fullmatch(last.casefold()))


def join_lines(lines: Sequence[Line], words: Vocabulary) -> str:
    """Join the lines of a paragraph; lines that wide gaps part stay lines."""
    done: list[str] = []
    last = ""  # Only the end of what is joined decides how to go on: the whole would make it quadratic.
    for at, line in enumerate(lines):
        piece = line.text.strip()
        if at and (line.cells > 1 or lines[at - 1].cells > 1):
            last += "\n" + piece
        else:
            last = joined(last, piece, words)
        done.append(last[:-_TAIL])
        last = last[-_TAIL:]
    return "".join([*done, last])


def goes_on(before: str, after: str) -> bool:
    """Return whether a text that ended a column or page goes on with another.

    >>> goes_on("The fee is due", "within 30 days."), goes_on("The end.", "within"), goes_on("due", "Next")
    (True, False, False)
    """
    before, after = before.rstrip(), after.lstrip()
    if not before or not after or SENTENCE_END.search(before):
        return False
    if _BROKEN.search(before):
        return after[0].isalnum()
    return after[0].islower() or (before[-1] in ",–—(" and after[0].isalnum())
