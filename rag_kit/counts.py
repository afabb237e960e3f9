"""Counts that somebody asks for: how many results, from 1."""

from __future__ import annotations

from rag_kit.errors import InvalidValue


def check_count(name: str, count: int) -> None:
    """Raise InvalidValue, naming the parameter, for a count below 1: it asks for nothing.

    >>> check_count("top_k", 1)
    >>> check_count("top_k", 0)
    Traceback (most recent call last):
        ...
    rag_kit.errors.InvalidValue: top_k 0 asks for nothing: choose 1 or more
    """
    if count < 1:
        raise InvalidValue(f"{name} {count} asks for nothing: choose 1 or more")
