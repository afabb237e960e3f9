"""Which rows of an index a filter admits, asked once for all the chunks that it cannot tell apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import Filters
from rag_kit.types import Chunk

MASKS_KEPT = 16
"""Filters whose answer is remembered: whoever asks one question asks another."""


class Visibility:
    """The chunks of an index in groups that differ in nothing a filter reads.

    :meth:`Filters.admits` decides for one chunk of each group, so that a hundred thousand chunks cost a few
    calls. The groups depend on the keys of the filter's conditions, and are kept for the next question; so is
    what the last filters admit.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks
        self._groups: dict[tuple[str, ...], tuple[NDArray[np.intp], list[Chunk]]] = {}
        self._masks: dict[Filters, NDArray[np.bool_]] = {}

    def mask(self, filters: Filters) -> NDArray[np.bool_]:
        """Return one truth value a chunk: whether the filters admit it. Not to be written to."""
        mask = self._masks.pop(filters, None)
        if mask is None:
            mask = self._admitted(filters)
            mask.flags.writeable = False
        # Put back at the end, so that the one used longest ago stands first.
        self._masks[filters] = mask
        for old in list(self._masks)[:-MASKS_KEPT]:
            self._masks.pop(old, None)
        return mask

    def _admitted(self, filters: Filters) -> NDArray[np.bool_]:
        keys = tuple(sorted({condition.key for condition in filters.where}))
        if keys not in self._groups:
            self._groups[keys] = self._group(filters)
        groups, members = self._groups[keys]
        return np.array([filters.admits(chunk) for chunk in members], dtype=np.bool_)[groups]

    def _group(self, filters: Filters) -> tuple[NDArray[np.intp], list[Chunk]]:
        numbers: dict[tuple[object, ...], int] = {}
        members: list[Chunk] = []
        groups = np.empty(len(self.chunks), dtype=np.intp)
        for row, chunk in enumerate(self.chunks):
            # In words, because values that are equal (1, 1.0, True) may still compare differently as texts.
            held = [repr(condition.held(chunk)) for condition in filters.where]
            alike = (chunk.access_tags, chunk.updated_at, chunk.superseded_at, *held)
            groups[row] = number = numbers.setdefault(alike, len(members))
            if number == len(members):
                members.append(chunk)
        return groups, members
