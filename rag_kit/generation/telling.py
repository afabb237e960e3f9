"""What two texts must share to be one told twice: whole sentences, in order.

"Members pay" and "members rarely pay" share most of their words, and the shorter one has no word of its own; yet
they are two facts. So one text tells what another one does only if each sentence of the other stands in it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rag_kit.sentences import Unit, plain, table_cells, units
from rag_kit.wording import plain_hyphens

Told = tuple[tuple[str, ...], ...]
"""A text's sentences, in order, each as its words and signs."""

JOINTS = frozenset(["a", "an", "the", "then", "so", "also", "please", "that", "this", "these", "such"])
"""Words that come and go with the way a thing is put."""

_MARKER = re.compile(r"[ \t]*(?:#{1,6}[ \t]+|(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\Z))")
_LETTER = re.compile(r"[^\W_]")
_TOKEN = re.compile(
    r"(?:(?<!\w)\.(?=\d))?\w+(?:[-–.,:/'’](?=[^\W_])\w+)*"  # "isn't", "10:30", "1.5", "5-10" and "XX-1042" are one
    r"|(?<!\S)-+(?=\w)|[-–—](?=\s*[^\w\s]?\d)"  # "--force", minus
    r"|(?<=\d)['\"’”]"  # feet and inches
    r"|[^\w\s.,;:!…'\"‘’‚“”„«»‹›()\[\]{}*`\\•–—。，、：；！（）「」『』【】-]"
)


def read_sentences(text: str) -> Told:
    r"""Return the words and signs of each sentence, list item and table row, and of each other line.

    Other lines are headings, headers of tables and code. Case, markup, ordinary punctuation and ``JOINTS`` are
    left out; a table row comes with the names of its columns.

    >>> read_sentences("# Fees\n\nThe fee **isn't** €5. Pay ≥ -5 %!\n\n1. Wait.")
    (('fees',), ('fee', "isn't", '€', '5'), ('pay', '≥', '-', '5', '%'), ('wait',))
    """
    told = (_tokens(sentence) for sentence in _sentences(text))
    return tuple(tokens for tokens in told if tokens)


def holds_all(more: Told, less: Told) -> bool:
    """Tell whether each sentence of ``less`` stands in ``more``, in the same order.

    >>> fee, more = read_sentences("The fee is due."), read_sentences("A fee is due. Pay it.")
    >>> holds_all(more, fee), holds_all(fee, more), holds_all(read_sentences("No fee is due. Pay it."), fee)
    (True, False, False)
    """
    rest = iter(more)
    return all(sentence in rest for sentence in less)


def _sentences(text: str) -> Iterator[str]:
    at = 0
    for unit in [*units(text), Unit((len(text), len(text)), "end")]:
        for line in text[at : unit.span[0]].splitlines():
            if _LETTER.search(line):  # else a rule, or what underlines a title
                yield _MARKER.sub("", line, count=1)
        # The blank makes a link no link: where it leads is told too.
        yield _named(text[slice(*unit.span)].replace("](", "] ("), unit.header)
        at = unit.span[1]


def _named(sentence: str, header: tuple[str, ...]) -> str:
    """Name the cells of a row; where they have no names, their bars tell which is which."""
    return plain(sentence, header) if header and len(header) == len(table_cells(sentence)) else sentence


def _tokens(sentence: str) -> tuple[str, ...]:
    found = _TOKEN.findall(unicodedata.normalize("NFC", plain_hyphens(sentence)))
    # A letter within a sentence is a name: "zone A".
    names = [at > 0 and token == "A" for at, token in enumerate(found)]
    tokens = [token.casefold().replace("’", "'").strip("_") for token in found]
    return tuple(
        token for token, named in zip(tokens, names, strict=True) if token and (named or token not in JOINTS)
    )
