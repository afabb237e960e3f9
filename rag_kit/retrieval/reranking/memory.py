"""Vectors that are remembered for the next question, up to a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from rag_kit.protocols import Embedder, Vectors

MOST_VECTORS = 50_000
"""About 80 MB at 384 dimensions; the longest unused go first."""


class VectorMemory:
    """An embedder that remembers. Keyed by the text itself, so that a changed passage is never answered for.

    It stands before whatever cache the embedder has on disk. Threads may share it.

    >>> from rag_kit.testing import WordEmbedder
    >>> embedder = WordEmbedder("fee", "day")
    >>> memory = VectorMemory(embedder)
    >>> memory.of(["fee", "day"]).tolist(), memory.of(["day"]).tolist(), embedder.texts
    ([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0]], ['fee', 'day'])
    """

    def __init__(self, embedder: Embedder, *, most: int = MOST_VECTORS) -> None:
        self.embedder = embedder
        self.most = most
        self._held: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def of(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, in order; what is not remembered is embedded in one call."""
        with self._lock:
            known = {text: self._held[text] for text in dict.fromkeys(texts) if text in self._held}
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if fresh:
            known.update(zip(fresh, self.embedder.embed(fresh), strict=True))
        with self._lock:
            for text, vector in known.items():
                self._held[text] = vector
                self._held.move_to_end(text)
            while len(self._held) > self.most:
                self._held.popitem(last=False)
        return np.stack([known[text] for text in texts])
