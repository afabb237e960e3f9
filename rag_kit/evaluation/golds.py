"""Placing a quote in a text or a library, and saying what stands there where it is not the same.

White space, markup, case and typographic forms (ligatures, curly quotes, dashes) make no difference. A word
broken by a hyphen or a blank does: the embedder and the reader get the broken word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal, get_args

from rag_kit.errors import InvalidValue
from rag_kit.evaluation.questions import Gold
from rag_kit.evaluation.stages import Searched
from rag_kit.hidden import visible
from rag_kit.spans import shift
from rag_kit.types import Span

Likeness = Literal["same", "broken", "near", "pieces", "none"]
LIKENESSES: tuple[Likeness, ...] = get_args(Likeness)
"""The most alike first."""
NEAR = 0.7
"""Share of the quote's words that a stretch of the text holds in their order, to be called near."""
IN_PIECES = 0.9
"""Share of the quote's words that stand somewhere in the text, to say that it is there in pieces."""
_MARKUP = frozenset("*_`#>|~\\[]")
_PLAIN = str.maketrans("‘’‚“”„–—−‑", "'''\"\"\"----")
_WORD = re.compile(r"\w+")
_MOST_TRIED = 50


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quote stands: the span of the same words, or of what is most like them."""

    likeness: Likeness
    span: Span | None
    share: float


def find_quote(quote: str, text: str) -> Found:
    r"""Find a quote in a text: the same, with its words broken, nearly the same, in pieces, or not at all.

    >>> find_quote("the FEE is 5", "Now:\nThe **fee**\nis 5.")
    Found(likeness='same', span=(5, 21), share=1.0)
    >>> find_quote("the payment is due", "The pay- ment is due.").likeness
    'broken'
    """
    if quote and (at := text.find(quote)) >= 0:
        return Found("same", (at, at + len(quote)), 1.0)
    spans = _same_words(quote, text, keep_blanks=True)
    return Found("same", spans[0], 1.0) if spans else _most_like(quote, text)


def place_quote(quote: str, library: Searched, document_id: str | None = None) -> list[tuple[Gold, Found]]:
    """Return the places of a quote in a library: all where it stands, each once, else the one most like it.

    ``document_id`` says in which document to look, where it could be in several. Raises InvalidValue for an
    empty quote and for an id that no document has.

    >>> from types import SimpleNamespace
    >>> from rag_kit.testing import make_chunk
    >>> saved = SimpleNamespace(documents=(), passages=(make_chunk("The fee is 5.", "fees", start=20),))
    >>> [(gold.document_id, found.likeness, found.span) for gold, found in place_quote("fee is 5", saved)]
    [('fees', 'same', (24, 32))]
    """
    quote = quote.strip()
    if not quote:
        raise InvalidValue("the quote is empty: write the words that hold the answer")
    texts = [(d.document_id, d.text, 0) for d in library.documents]
    # A saved index holds no documents, and what stands between its chunks is not known.
    texts = texts or [(c.document_id, c.text, c.span[0]) for c in library.passages]
    texts = [held for held in texts if document_id in (None, held[0])]
    if not texts:
        raise InvalidValue(f"no document has the id {document_id!r}: look at the ids that `parse` shows")
    spans: dict[str, list[Span]] = {}
    for name, text, start in texts:
        spans.setdefault(name, []).extend(shift(span, start) for span in _stands(quote, text))
    same = [
        (Gold(name), Found("same", span, 1.0)) for name, held in spans.items() for span in _each_once(held)
    ]
    if same:
        return same
    found = []
    for name, text, start in texts:
        at = _most_like(quote, text)
        found.append((Gold(name), replace(at, span=shift(at.span, start)) if at.span else at))
    return [min(found, key=lambda pair: (LIKENESSES.index(pair[1].likeness), -pair[1].share))]


def _stands(quote: str, text: str) -> list[Span]:
    """Return where a text holds a quote as it is, or with what makes no difference; one place may come twice."""
    as_it_is = [(at, at + len(quote)) for at in _every_start(quote, text)]
    return as_it_is + _same_words(quote, text, keep_blanks=True)


def _each_once(spans: Iterable[Span]) -> list[Span]:
    """Return places in order; one inside another is the same place, without the markup at its ends.

    >>> _each_once([(4, 12), (21, 25), (4, 12), (6, 10), (23, 27)])
    [(4, 12), (21, 25), (23, 27)]
    """
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or span[1] > kept[-1][1]:
            kept.append(span)
    return kept


def _same_words(quote: str, text: str, *, keep_blanks: bool) -> list[Span]:
    wanted = _reduced(quote.strip(), keep_blanks)[0].strip()
    held, offsets = _reduced(text, keep_blanks)
    return [(offsets[at], offsets[at + len(wanted) - 1] + 1) for at in _every_start(wanted, held)]


def _every_start(wanted: str, text: str) -> Iterator[int]:
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _most_like(quote: str, text: str) -> Found:
    """Find what is most like a quote that does not stand in a text."""
    spans = _same_words(quote, text, keep_blanks=False)
    return Found("broken", spans[0], 1.0) if spans else _nearest(quote, text)


def _nearest(quote: str, text: str) -> Found:
    """Find the stretch that holds most words of the quote in their order, tried where its rarest words stand."""
    wanted = [word.casefold() for word in _WORD.findall(quote)]
    placed = [(match.group().casefold(), match.span()) for match in _WORD.finditer(text)]
    held = [word for word, _ in placed]
    counts = Counter(held)
    known = [word for word in wanted if counts[word]]
    if not wanted or not known:
        return Found("none", None, 0.0)
    rarest = min(known, key=lambda word: counts[word])
    best, place = 0.0, (0, 1)
    for at in [at for at, word in enumerate(held) if word == rarest][:_MOST_TRIED]:
        start = max(at - wanted.index(rarest), 0)
        window = held[start : start + len(wanted) + 4]
        blocks = SequenceMatcher(None, wanted, window, autojunk=False).get_matching_blocks()
        ends = [block for block in blocks if block.size]
        stretch = ends[-1].b + ends[-1].size - ends[0].b
        same = sum(block.size for block in ends) / max(len(wanted), stretch)
        if same > best:
            best, place = same, (start + ends[0].b, start + ends[-1].b + ends[-1].size)
    span = placed[place[0]][1][0], placed[place[1] - 1][1][1]
    if best >= NEAR:
        return Found("near", span, best)
    share = len(known) / len(wanted)
    return (
        Found("pieces", span, share) if share >= IN_PIECES and len(wanted) > 2 else Found("none", None, share)
    )


def _reduced(text: str, keep_blanks: bool) -> tuple[str, list[int]]:
    """Return a text without what makes no difference, and where each of its letters stands in the original."""
    letters: list[str] = []
    offsets: list[int] = []
    for at, sign in enumerate(text):
        if sign.isspace():
            if keep_blanks and letters and letters[-1] != " ":
                letters.append(" ")
                offsets.append(at)
            continue
        if sign in _MARKUP or (not keep_blanks and sign in "-\u00ad\u2010\u2011"):
            continue
        if not sign.isascii() and not visible(sign):
            continue
        plain = sign.casefold() if sign.isascii() else unicodedata.normalize("NFKC", sign).casefold()
        for letter in plain.translate(_PLAIN):
            letters.append(letter)
            offsets.append(at)
    return "".join(letters), offsets
