"""How alike two texts are, by the runs of three words that they share, without comparing all pairs.

Similarity is Jaccard's: shared runs over all runs. MinHash (Broder, 1997) estimates it: the share of hash
functions under which two sets have the same least element. Sets that agree in a whole band of functions are
candidates, and a candidate is then measured exactly.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rag_kit.wording import IDEOGRAPH

Shingles = NDArray[np.uint64]
RUN = 3
"""Words in a shingle; of Chinese and Japanese, signs."""
LETTERS_IN_A_RUN = 9
"""Letters of Thai, Lao, Myanmar or Khmer in a shingle: words of these scripts have no blanks around them."""
NEARLY = 0.8
"""Share of three-word runs in common from which two texts are nearly the same: of 60 words, 4 may differ."""
FEWEST_RUNS = 8
"""Runs of three words below which a text is too short to be called a copy: ten words."""
HASHES = 32
_BATCH = 2_000
_LETTERS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = f"{IDEOGRAPH}{_LETTERS}"
_LETTER = re.compile(f"[{_LETTERS}]")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


class Shingler:
    """Makes the shingles of texts; each distinct word is hashed once."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def __call__(self, text: str) -> Shingles:
        """Return the hashes of a text's runs of words, sorted, each once; none for fewer than three words.

        >>> len(Shingler()("the fee is five euros")), len(Shingler()("the fee"))
        (3, 0)
        """
        known = self._known
        words = _WORD.findall(text.casefold())
        by_letter = 0 if text.isascii() else len(_LETTER.findall(text))
        run = LETTERS_IN_A_RUN if 2 * by_letter > len(words) else RUN
        if len(words) < run:
            return np.empty(0, dtype=np.uint64)
        for word in words:
            if word not in known:
                known[word] = crc32(word.encode("utf-8", "surrogatepass"))
        hashes = np.array([known[word] for word in words], dtype=np.uint64)
        mixed = hashes[: len(hashes) - run + 1]
        for at in range(1, run):
            mixed = _mix(mixed) ^ hashes[at : len(hashes) - run + 1 + at]
        return np.unique(_mix(mixed))


def similarity(one: Shingles, two: Shingles) -> float:
    """Compute Jaccard's similarity: |one ∩ two| / |one ∪ two|.

    >>> similarity(np.array([1, 2, 3], dtype=np.uint64), np.array([2, 3, 4], dtype=np.uint64))
    0.5
    """
    shared = len(np.intersect1d(one, two, assume_unique=True))
    total = len(one) + len(two) - shared
    return shared / total if total else 0.0


def alike(sets: Sequence[Shingles], least: float, *, rows: int) -> Iterator[tuple[int, int, float]]:
    """Yield pairs whose similarity is at least ``least``, with it, each later one with an earlier one.

    ``rows`` functions make a band. Two sets of similarity s become candidates with probability
    1 - (1 - s^rows)^(32 / rows): 0.985 for s = 0.8 and 4 rows. Within a band's group each set is measured
    against the first and the one before it alone, so the work grows with the number of sets.
    """
    numbers = [number for number, held in enumerate(sets) if len(held)]
    signatures = _signatures([sets[number] for number in numbers])
    measured: set[tuple[int, int]] = set()
    for band in range(0, HASHES, rows):
        groups: dict[bytes, list[int]] = defaultdict(list)
        for number, row in zip(numbers, signatures[:, band : band + rows], strict=True):
            groups[row.tobytes()].append(number)
        for group in groups.values():
            for at, number in enumerate(group[1:], start=1):
                for other in {group[0], group[at - 1]}:
                    if (other, number) in measured:
                        continue
                    measured.add((other, number))
                    if (share := similarity(sets[other], sets[number])) >= least:
                        yield other, number, share


class Groups:
    """Things joined two by two (union-find)."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def of(self, item: int) -> int:
        """Return the least member of an item's group."""
        path = []
        while (above := self._above.get(item, item)) != item:
            path.append(item)
            item = above
        for passed in path:
            self._above[passed] = item
        return item

    def join(self, one: int, two: int) -> None:
        """Put two items into one group."""
        first, second = sorted((self.of(one), self.of(two)))
        self._above[second] = first

    def all(self) -> list[list[int]]:
        """Return the groups of two and more, members and groups in order.

        >>> groups = Groups()
        >>> groups.join(4, 2)
        >>> groups.join(7, 4)
        >>> groups.all()
        [[2, 4, 7]]
        """
        found: dict[int, list[int]] = defaultdict(list)
        for item in sorted({*self._above, *self._above.values()}):
            found[self.of(item)].append(item)
        return [members for members in found.values() if len(members) > 1]


def _signatures(sets: Sequence[Shingles]) -> NDArray[np.uint64]:
    """Return the least hash of each set (row) under each function (column)."""
    # A fixed seed: the same pairs are candidates on every machine.
    keys = np.random.default_rng(17).integers(0, 2**64, size=HASHES, dtype=np.uint64)
    signatures = np.empty((len(sets), HASHES), dtype=np.uint64)
    for at in range(0, len(sets), _BATCH):
        batch = sets[at : at + _BATCH]
        starts = np.cumsum([0, *(len(held) for held in batch[:-1])])
        joined = np.concatenate(batch)
        for column, key in enumerate(keys):
            signatures[at : at + len(batch), column] = np.minimum.reduceat(_mix(joined ^ key), starts)
    return signatures


def _mix(values: Shingles) -> Shingles:
    """Spread the bits of each value (the finaliser of splitmix64)."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed: Shingles = values ^ (values >> np.uint64(31))
    return mixed
