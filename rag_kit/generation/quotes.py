"""Finding the words of a source that an answer's statement rests on."""

from __future__ import annotations

import re
from collections import Counter

from rag_kit.labels import Mention, find_labels, strip_labels
from rag_kit.sentences import plain, sentence_spans, units
from rag_kit.types import Chunk, Span

LEAST_OVERLAP = 0.5
"""Share of the statement's words that a unit has to hold to be its quote."""

_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_CLOSED = re.compile(r"[\]】][.!?。]$")


def statement_of(answer: str, mention: Mention) -> str:
    """Return the sentence that a label closes, labels taken out.

    >>> from rag_kit.labels import find_labels
    >>> text = "The fee is 5 [1]. It is due in May [2]."
    >>> statement_of(text, find_labels(text)[1])
    'It is due in May.'
    """
    start, _ = mention.span
    leading = not answer[: find_labels(answer)[0].span[0]].strip()
    for a, b in sentence_spans(answer):
        if a <= start < b:
            # "The fee is 5. [1] It is due in May. [2]": a label after the full stop belongs to the sentence
            # before it, unless that one has its own label or the answer puts its labels first.
            own = leading or _CLOSED.search(answer[:a].rstrip()) or strip_labels(answer[a:start])
            said = strip_labels(answer[a:b])
            if a == 0 or (own and _words(said)):
                return said
            break
    before = sentence_spans(strip_labels(answer[:start]))
    head = strip_labels(answer[:start])
    return head[before[-1][0] : before[-1][1]] if before else ""


def locate_quote(statement: str, chunk: Chunk) -> Span | None:
    """Return the span, in the document, of the unit of ``chunk`` that ``statement`` rests on.

    The unit is the one whose words agree best with the statement's (F1 of word counts); None where no
    unit holds half of the statement's words, since a quote that says something else is worse than none.
    """
    said = Counter(_words(statement))
    best: tuple[float, Span] | None = None
    for unit in units(chunk.text):
        held = Counter(_words(plain(chunk.text[unit.span[0] : unit.span[1]], unit.header)))
        shared = (said & held).total()
        if not shared or shared < LEAST_OVERLAP * said.total():
            continue
        agreement = 2 * shared / (said.total() + held.total())
        if best is None or agreement > best[0]:
            best = (agreement, unit.span)
    return (chunk.span[0] + best[1][0], chunk.span[0] + best[1][1]) if best else None


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
