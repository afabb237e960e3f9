"""Calling a function that a learner wrote: whatever it does, what comes back is one clear line."""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from rag_kit.teaching.markup import shorten

WIDTH = 160
"""Characters of a value or an error that a message shows."""

_MOST_PRINTED = 2_000
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


class Complaint(AssertionError):
    """What is wrong with a learner's function, in words for the learner."""


class Stopped(Complaint):
    """The learner interrupted the kernel while the function ran."""


class NotWritten(Exception):
    """The function still is the stub of its exercise."""


class Printed(io.StringIO):
    """Keeps the beginning of what is printed, so that an endless loop cannot fill the memory."""

    def write(self, text: str) -> int:
        """Keep what there is room for."""
        super().write(text[: max(0, _MOST_PRINTED - self.tell())])
        return len(text)


class LearnerFunction:
    """A learner's function as the cases call it: on copies, with what it prints set aside.

    A case gets the value, or an exception whose text a learner understands.
    """

    def __init__(self, fn: object, arguments: Sequence[str] = ()) -> None:
        self.fn = fn
        self.arguments = tuple(arguments)
        self.printed = ""

    def __call__(self, *args: Any, **more: Any) -> Any:
        """Call the function; raise NotWritten for a stub and Complaint for whatever else goes wrong."""
        if not callable(self.fn):
            raise Complaint(
                f"this needs the function itself, by its name and without brackets; it got {show(self.fn)}"
            )
        self._accepts(args, more)
        given = [copied(value) for value in args]
        printed = Printed()
        try:
            with redirect_stdout(printed):
                value = self.fn(*given, **more)
        except Complaint:
            raise
        except NotImplementedError as error:
            raise NotWritten(str(error)) from None
        except KeyboardInterrupt:
            raise Stopped("it was stopped before it ended: is there a loop that never ends?") from None
        except BaseException as error:
            raise Complaint(describe(error, self.fn)) from error  # the cause is for expect_error
        finally:
            self.printed = printed.getvalue()
        if inspect.iscoroutine(value):
            value.close()
            raise Complaint("it is an async function: write `def`, not `async def`")
        for place, (before, after) in enumerate(zip(args, given, strict=True)):
            if not same(before, after):
                name = self.arguments[place] if place < len(self.arguments) else f"argument {place + 1}"
                raise Complaint(
                    f"it changes `{name}`, which belongs to whoever calls it: work on a copy, or build a new one"
                )
        return value

    def _accepts(self, args: Sequence[Any], more: dict[str, Any]) -> None:
        fn: Any = self.fn
        try:
            signature = inspect.signature(fn)
        except (TypeError, ValueError):
            return
        try:
            signature.bind(*args, **more)
        except TypeError as error:
            wanted = f"({', '.join(self.arguments)})" if self.arguments else f"{len(args)} arguments"
            raise Complaint(f"it cannot be called with {wanted}: {error}") from None


def describe(error: BaseException, fn: Callable[..., Any]) -> str:
    """Say in one line what a function raised, and in which of its lines.

    >>> def half(number):
    ...     return number / 0
    >>> try:
    ...     half(3)
    ... except ZeroDivisionError as error:
    ...     print(describe(error, half))
    it raised ZeroDivisionError: division by zero (line 2 of half)
    """
    if isinstance(error, SystemExit):
        return "it ends the program: return a value instead of calling exit()"
    where = _line_of(error, fn)
    if isinstance(error, RecursionError):
        return f"it calls itself without end{where}"
    said = f": {shorten(str(error), WIDTH)}" if str(error).strip() else ""
    return f"it raised {type(error).__name__}{said}{where}"


def show(value: object, width: int = WIDTH) -> str:
    """Write a value in one short line, without memory addresses; a function is shown by its name.

    >>> show([1, len, object()])
    '[1, <built-in function len>, <object object>]'
    """
    if inspect.isroutine(value):
        return str(getattr(value, "__name__", "a function"))
    try:
        return shorten(_ADDRESS.sub("", repr(value)), width)
    except Exception:
        return f"a {type(value).__name__} that cannot be shown"


def copied(value: Any) -> Any:
    """Copy lists, dicts, sets and arrays all the way down; what they hold besides is handed on as it is.

    >>> given = [[1], len]
    >>> copied(given) == given, copied(given)[0] is given[0], copied(given)[1] is len
    (True, False, True)
    """
    if isinstance(value, (np.ndarray, bytearray, set)):
        return value.copy()
    if type(value) in (list, tuple):
        return type(value)(map(copied, value))
    if type(value) is dict:
        return {key: copied(inner) for key, inner in value.items()}
    return value


def same(before: Any, after: Any) -> bool:
    """Tell whether data is as it was, arrays inside it included."""
    if isinstance(before, np.ndarray):
        return isinstance(after, np.ndarray) and np.array_equal(
            before, after, equal_nan=before.dtype.kind == "f"
        )
    if isinstance(before, (list, tuple)):
        return type(before) is type(after) and len(before) == len(after) and all(map(same, before, after))
    if isinstance(before, dict):
        return (
            isinstance(after, dict)
            and list(before) == list(after)
            and all(same(before[key], after[key]) for key in before)
        )
    return before is after or bool(before == after)


def _line_of(error: BaseException, fn: Callable[..., Any]) -> str:
    code = getattr(inspect.unwrap(fn), "__code__", None)
    step, place = error.__traceback__, ""
    while code is not None and step is not None:
        if step.tb_frame.f_code is code:
            place = f" (line {step.tb_lineno - code.co_firstlineno + 1} of {code.co_name})"
        step = step.tb_next
    return place
