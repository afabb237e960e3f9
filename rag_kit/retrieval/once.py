"""What is made when it is first asked for, once, however many threads ask."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Makes something on first use, while others who ask wait for it; where that fails, the next one tries.

    >>> held = Once(lambda: ["made"])
    >>> held.is_made, held.get() is held.get(), held.is_made
    (False, True, True)
    """

    _made: T

    def __init__(self, make: Callable[[], T]) -> None:
        self._make: Callable[[], T] | None = make
        # Whoever makes it may ask for it too: that must not wait for itself.
        self._lock = RLock()

    @classmethod
    def of(cls, made: T) -> Once[T]:
        """Hold something that is made already."""
        held = cls(lambda: made)
        held.get()
        return held

    @property
    def is_made(self) -> bool:
        """Tell whether asking for it costs nothing."""
        return self._make is None

    def get(self) -> T:
        """Return it, made where it is not."""
        with self._lock:
            if self._make is not None:
                self._made = self._make()
                self._make = None  # and what only the making needed is let go
            return self._made
