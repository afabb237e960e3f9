"""How telling a word is by how few texts hold it: idf, the inverse document frequency, as BM25 takes it.

    idf = log(1 + (N - n + 0.5) / (n + 0.5))

n of the N texts hold the word. This is Lucene's form: the 1 keeps it above zero, also where every text holds
the word.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence


def idf(holding: int, total: int) -> float:
    """Return how telling a term is that ``holding`` of ``total`` chunks hold; always more than 0.

    >>> [round(idf(holding, 4), 4) for holding in (2, 3, 4)]
    [0.6931, 0.3567, 0.1054]
    """
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def rarity(words: Iterable[str], texts: Sequence[Collection[str]]) -> dict[str, float]:
    """Return the idf of each word over some texts, each given as the words that it holds.

    >>> {word: round(value, 4) for word, value in rarity(["fee"], [["fee"], ["fee"], ["term"], []]).items()}
    {'fee': 0.6931}
    """
    wanted = dict.fromkeys(words)
    counts = Counter(word for own in texts for word in wanted.keys() & set(own))
    return {word: idf(counts[word], len(texts)) for word in wanted}
