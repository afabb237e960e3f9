"""The words of a passage that a question's terms match, and the piece of it that shows most of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rag_kit.retrieval import Analyser
from rag_kit.spans import merge, shift
from rag_kit.types import Span
from rag_kit.wording import IDEOGRAPH

_WORD = re.compile(r"\S+")
_EDGES = re.compile(r"^[^\w]*(.*?)[^\w]*$", re.S)
_RUN = re.compile(f"[{IDEOGRAPH}]")

Match = tuple[Span, frozenset[str]]
"""Where a word stands, and which terms it holds."""


def match_terms(text: str, terms: Collection[str], analyser: Analyser) -> list[Match]:
    """Find the words that hold a term, as the analyser reads them: stems match, and so do parts of codes.

    >>> match_terms("Fees are paid (refunds: no).", ["fee", "refund"], Analyser())
    [((0, 4), frozenset({'fee'})), ((15, 22), frozenset({'refund'}))]
    """
    wanted = set(terms)
    found: list[Match] = []
    for word in _WORD.finditer(text):
        held = frozenset(wanted.intersection(analyser.terms_of_word(word[0])))
        if not held:
            continue
        if _RUN.search(word[0]):
            # Written without blanks: what stands between two blanks may be a sentence.
            found += [
                ((word.start() + at, word.start() + at + len(term)), frozenset([term]))
                for term in sorted(held)
                for at in _occurrences(word[0].casefold(), term)
            ]
        elif (inner := _EDGES.match(word[0])) and inner[1]:
            found.append(((word.start() + inner.start(1), word.start() + inner.end(1)), held))
    return sorted(found, key=lambda match: match[0])


def best_window(text: str, matches: Sequence[Match], width: int) -> Span:
    """Choose the piece of about ``width`` characters that holds most terms, the first such one.

    >>> text = "None of this. " * 9 + "The fee is 5."
    >>> start, end = best_window(text, match_terms(text, ["fee"], Analyser()), 30)
    >>> text[start:end]
    'None of this. The fee is 5.'
    """
    if len(text) <= width:
        return 0, len(text)
    starts = [0, *(max(0, span[0] - width // 3) for span, _ in matches)]

    def terms_from(start: int) -> int:
        inside = [held for (a, b), held in matches if start <= a and b <= start + width]
        return len(frozenset().union(*inside))

    start = max(dict.fromkeys(starts), key=lambda at: (terms_from(at), -at))
    start = min(start, len(text) - width) if terms_from(min(start, len(text) - width)) else start
    end = min(start + width, len(text))
    if start:  # between words, where there are any
        blank = text.find(" ", start, start + width // 3)
        start = blank + 1 if blank >= 0 else start
    if end < len(text):
        blank = text.rfind(" ", end - width // 3, end + 1)
        end = blank if blank > start else end
    return start, end


def excerpt(text: str, terms: Collection[str], analyser: Analyser, width: int) -> tuple[str, list[Span]]:
    """Return a piece of a text with most of the terms, and where they stand in it.

    >>> excerpt("The fee is 5.", ["fee"], Analyser(), 40)
    ('The fee is 5.', [(4, 7)])
    """
    joined = " ".join(text.split())
    matches = match_terms(joined, terms, analyser)
    start, end = best_window(joined, matches, width)
    before, after = "… " * (start > 0), " …" * (end < len(joined))
    inside = ((max(a, start), min(b, end)) for (a, b), _ in matches)
    marks = merge(shift((a, b), len(before) - start) for a, b in inside if a < b)
    return f"{before}{joined[start:end]}{after}", marks


def _occurrences(word: str, term: str) -> list[int]:
    return [at for at in range(len(word) - len(term) + 1) if word.startswith(term, at)]
