"""Which rows of an index a filter admits, asked once for all the chunks that it cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import Filters
from rag_kit.types import Chunk

KEPT = 16
"""Filters whose answer is remembered, and sets of keys whose groups are: whoever asks once asks again."""
Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")


class Visibility:
    """The chunks of an index in groups that differ in nothing a filter reads.

    :meth:`Filters.admits` decides for one chunk of each group, so that a hundred thousand chunks cost a few
    calls. The groups depend on the keys of the filter's conditions. Those of the last keys are kept for the
    next question; so is what the last filters admit.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks
        self._groups: dict[tuple[str, ...], tuple[NDArray[np.intp], list[Chunk]]] = {}
        self._masks: dict[Filters, NDArray[np.bool_]] = {}

    def mask(self, filters: Filters) -> NDArray[np.bool_]:
        """Return one truth value a chunk: whether the filters admit it. Not to be written to."""
        return _remembered(self._masks, filters, lambda: self._admitted(filters))

    def _admitted(self, filters: Filters) -> NDArray[np.bool_]:
        keys = tuple(sorted({condition.key for condition in filters.where}))
        groups, members = _remembered(self._groups, keys, lambda: self._group(filters))
        mask = np.array([filters.admits(chunk) for chunk in members], dtype=np.bool_)[groups]
        mask.flags.writeable = False
        return mask

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


def _remembered(held: dict[Key, Made], key: Key, make: Callable[[], Made]) -> Made:
    """Return what is held under a key, made where it is not; only the ``KEPT`` used last stay."""
    made = held.pop(key, None)
    if made is None:
        made = make()
    # Put back at the end, so that the one used longest ago stands first.
    held[key] = made
    for old in list(held)[:-KEPT]:
        held.pop(old, None)
    return made
