"""Cohesion: how far what stands before a place and what stands after it speak of different things.

It is read off the words alone, as in TextTiling (Hearst, Computational Linguistics 23, 1997): where the words
change, the subject does. No embedder is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt

from rag_kit.wording import content_words

WINDOW = 64
"""Tokens on either side that are compared: about three sentences."""


def word_distances(texts: Sequence[str], tokens: Sequence[int], window: int = WINDOW) -> list[float]:
    """Compute how unlike the words before and after each place are: n texts give n - 1 numbers, 0 to 1.

    distance = 1 - cos(words of up to ``window`` tokens before, words of as many after), whole texts and one at
    the least. A word counts as often as it occurs, times log((n + 1) / in how many of the texts it does), so
    that what stands everywhere says little. Function words are left out; 1 beside a place without words.

    >>> word_distances(["the fee", "a fee", "moon and stars"], [2, 2, 3], window=2)
    [0.0, 1.0]
    """
    counts = [Counter(content_words(text)) for text in texts]
    found_in = Counter(word for count in counts for word in count)
    weights = {word: log((len(texts) + 1) / times) for word, times in found_in.items()}
    apart: list[float] = []
    for place in range(1, len(texts)):
        before = _words(counts, tokens, range(place - 1, -1, -1), window)
        after = _words(counts, tokens, range(place, len(texts)), window)
        # Machines differ in the last bits, and so would the cuts.
        apart.append(round(1 - _cosine(before, after, weights), 5))
    return apart


def _words(
    counts: Sequence[Counter[str]], tokens: Sequence[int], places: Iterable[int], window: int
) -> Counter[str]:
    found: Counter[str] = Counter()
    left = window
    for place in places:
        found.update(counts[place])
        left -= tokens[place]
        if left <= 0:
            break
    return found


def _cosine(one: Mapping[str, int], two: Mapping[str, int], weights: Mapping[str, float]) -> float:
    lengths = sqrt(_product(one, one, weights) * _product(two, two, weights))
    return _product(one, two, weights) / lengths if lengths else 0.0


def _product(one: Mapping[str, int], two: Mapping[str, int], weights: Mapping[str, float]) -> float:
    return sum(times * two[word] * weights[word] ** 2 for word, times in one.items() if word in two)
