"""What the cases say with: each helper raises AssertionError with one line that a learner understands.

They raise and do not ``assert``, so that the checks also check under ``python -O``.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from rag_kit.labels import label_for
from rag_kit.teaching.grading.learner import Complaint, LearnerFunction, show


def expect(holds: object, message: str) -> None:
    """Raise with the message unless it holds."""
    if not holds:
        raise AssertionError(message)


def expect_value(got: Any, kind: type, message: str = "") -> None:
    """Raise unless a value came back and is of that kind; the words tell None from a wrong type.

    >>> expect_value(None, str)
    Traceback (most recent call last):
    AssertionError: it returned None: end it with `return …`
    >>> expect_value(None, str, "for an empty list,")
    Traceback (most recent call last):
    AssertionError: for an empty list: it returned None: end it with `return …`
    """
    before = f"{message.rstrip(' ,')}: " if message else ""
    if got is None:
        raise AssertionError(f"{before}it returned None: end it with `return …`")
    if inspect.isgenerator(got):
        raise AssertionError(f"{before}it returned a generator: put list(…) around it, or replace `yield`")
    if not isinstance(got, kind):
        raise AssertionError(
            f"{before}it returned the {type(got).__name__} {show(got)}, not a {kind.__name__}"
        )


def expect_indices(got: Any, wanted: Sequence[int], said: str) -> None:
    """Raise unless these indices came back, in a list, tuple or array.

    >>> expect_indices(np.array([1, 0]), [0, 1], "for two vectors")
    Traceback (most recent call last):
    AssertionError: for two vectors it returned [1, 0]; expected [0, 1]
    """
    indices = list(got) if isinstance(got, (tuple, np.ndarray)) else got
    expect_value(indices, list, said)
    for item in indices:
        if isinstance(item, bool) or not isinstance(item, (int, np.integer)):
            raise AssertionError(f"{said} it returned {show(got)}, which holds {show(item)}: no whole number")
    plain = [int(item) for item in indices]
    expect(plain == list(wanted), f"{said} it returned {show(plain)}; expected {show(list(wanted))}")


def expect_text(got: Any, wanted: str, said: str) -> None:
    """Raise unless exactly this text came back."""
    expect_value(got, str, said)
    expect(got == wanted, f"{said} it returned {show(got)}; expected {show(wanted)}")


def expect_messages(got: Any) -> str:
    """Raise unless these are chat messages; return all that they say, for a look at what the model reads.

    >>> expect_messages([{"role": "user", "content": "Hello"}])
    'Hello'
    """
    expect_value(got, list, "messages")
    expect(got, "there is no message in the list: the model would be sent nothing")
    for message in got:
        expect(
            isinstance(message, dict) and isinstance(message.get("content"), str) and message.get("role"),
            f'{show(message)} is no message: write {{"role": "user", "content": "…"}}',
        )
        expect(
            message["role"] in ("system", "developer", "user", "assistant"),
            f"{show(message['role'])} is no role: choose 'system' or 'user'",
        )
    expect(got[-1]["role"] == "user", "the last message is not from the user: the question comes last")
    return "\n\n".join(message["content"] for message in got)


def expect_labelled(text: str, passages: Sequence[str]) -> None:
    """Raise unless the passages stand in a text word for word, in order, each with its label before it.

    >>> expect_labelled("[1] The fee is 5.", ["The fee is 5."])
    """
    at = 0
    for place, passage in enumerate(passages, 1):
        start, label = text.find(passage, at), label_for(place)
        expect(
            start >= 0,
            f"the passage {show(passage)} is not in what the model reads, or not word for word, or not in order",
        )
        expect(label in text[at:start], f"the label {label} does not stand before {show(passage)}")
        at = start + len(passage)


def expect_error(fn: LearnerFunction, kind: type[Exception], *args: Any, said: str) -> str:
    """Raise unless the call raises an error of that kind; return the error's words."""
    try:
        got = fn(*args)
    except Complaint as complaint:
        error = complaint.__cause__
        if isinstance(error, kind):
            return str(error)
        raise AssertionError(f"{said} {complaint}; expected a {kind.__name__}") from None
    raise AssertionError(f"{said} it returned {show(got)}; expected a {kind.__name__}")
