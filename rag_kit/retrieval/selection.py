"""Choosing the best rows of many scores, the same ones on every machine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag_kit.types import Chunk

PLACES = 5
"""Scores are rounded to this many decimals before they are compared: machines differ in the last bits."""


def best_rows(scores: NDArray[np.floating], chunks: Sequence[Chunk], top_k: int) -> list[int]:
    """Return the rows of the ``top_k`` highest scores, best first; equal scores go by chunk id.

    Scores are compared as :func:`rounded` has them. A row of score -inf is none: what is hidden is left out
    before anything is selected.

    >>> from rag_kit.testing import make_chunk
    >>> chunks = [make_chunk(text, name) for text, name in (("x", "b"), ("y", "c"), ("z", "a"))]
    >>> best_rows(np.array([1.0, -np.inf, 1.0]), chunks, 5)
    [2, 0]
    """
    rows = np.flatnonzero(scores > -np.inf)
    if len(rows) > top_k:
        held = scores[rows]
        # From the small end, where partition does not slow down over many equal values.
        cut = -np.partition(-held, top_k - 1)[top_k - 1]
        # All that may tie with the last place come along, so that the chunk id decides and not the sort.
        rows = rows[held >= cut - 2 * 10.0**-PLACES]
    held_by = dict(zip(rows.tolist(), rounded(scores[rows]).tolist(), strict=True))
    return sorted(held_by, key=lambda row: (-held_by[row], chunks[row].chunk_id))[:top_k]


def rounded(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """Round scores as they are compared and shown.

    >>> rounded(np.array([0.7071068, 2.0])).tolist()
    [0.70711, 2.0]
    """
    return np.asarray(scores, dtype=np.float64).round(PLACES)
