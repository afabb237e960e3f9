"""In which order passages are shown: best first, or the best at both ends.

Models read what stands at the start and at the end of a long prompt better than what stands in between
(Liu et al., "Lost in the Middle", 2023). With ``edges`` the weakest passages take the middle. The offline
reader weighs each sentence by itself wherever it stands, and best first is easier to follow: that is the
default.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from rag_kit.errors import InvalidValue

Item = TypeVar("Item")
Order = Literal["rank", "edges"]


def edges_first(items: Sequence[Item]) -> list[Item]:
    """Put the best first, the second best last, the third second, and so on to the middle.

    >>> edges_first([1, 2, 3, 4, 5])
    [1, 3, 5, 4, 2]
    """
    return [*items[::2], *reversed(items[1::2])]


_ORDERS: dict[str, Callable[[Sequence[Item]], list[Item]]] = {"rank": list, "edges": edges_first}


def arrange(items: Sequence[Item], order: Order) -> list[Item]:
    """Put items, best first, into the order in which they are shown.

    >>> arrange(["a", "b", "c"], "edges")
    ['a', 'c', 'b']
    """
    if order not in _ORDERS:
        raise InvalidValue.unknown("order", order, _ORDERS)
    return _ORDERS[order](items)
