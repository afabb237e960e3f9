"""What is remembered for the next question, up to a bound: vectors of texts, scores of pairs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Generic, TypeVar

import numpy as np

from rag_kit.protocols import Embedder, Vectors

MOST_VECTORS = 50_000
"""About 80 MB at 384 dimensions."""
MOST_PASSAGES = 20_000
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Bounded(Generic[K, V]):
    """Keeps the last ``most`` things that were put in or asked for. Threads may share it.

    >>> kept: Bounded[str, int] = Bounded(2)
    >>> kept.put({"a": 1, "b": 2})
    >>> kept.get(["a"])
    {'a': 1}
    >>> kept.put({"c": 3})
    >>> kept.get(["a", "b", "c"])
    {'a': 1, 'c': 3}
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, keys: Iterable[K]) -> dict[K, V]:
        """Return what is kept of these."""
        with self._lock:
            found = {key: self._held[key] for key in keys if key in self._held}
            for key in found:
                self._held.move_to_end(key)
        return found

    def put(self, items: Mapping[K, V]) -> None:
        """Keep these, and let go of what was not asked for longest."""
        with self._lock:
            self._held.update(items)
            while len(self._held) > self.most:
                self._held.popitem(last=False)


class VectorMemory:
    """An embedder that remembers. Keyed by the text itself, so that a changed passage is never answered for.

    It stands before whatever cache the embedder has on disk.

    >>> from rag_kit.testing import WordEmbedder
    >>> embedder = WordEmbedder("fee", "day")
    >>> memory = VectorMemory(embedder)
    >>> memory.of(["fee", "day"]).tolist(), memory.of(["day"]).tolist(), embedder.texts
    ([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0]], ['fee', 'day'])
    """

    def __init__(self, embedder: Embedder, *, most: int = MOST_VECTORS) -> None:
        self.embedder = embedder
        self._held: Bounded[str, Vectors] = Bounded(most)

    def of(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, in order; what is not remembered is embedded in one call."""
        wanted = dict.fromkeys(texts)
        known = self._held.get(wanted)
        fresh = [text for text in wanted if text not in known]
        if fresh:
            made = dict(zip(fresh, self.embedder.embed(fresh), strict=True))
            self._held.put(made)
            known |= made
        return np.stack([known[text] for text in texts])
