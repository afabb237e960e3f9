"""Trying a learner's function outside its check: the value, or one line that says why there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rag_kit.hidden import show_unseen
from rag_kit.teaching.grading.learner import Complaint, LearnerFunction, NotWritten, show
from rag_kit.teaching.grading.running import NOT_WRITTEN
from rag_kit.teaching.markup import BODY, PASSAGE, escape
from rag_kit.teaching.twin import Rendered

_LONGEST = 2_000


def try_it(fn: Callable[..., Any], *args: Any, **more: Any) -> Rendered:
    """Call a function and show the call with its value, or "not written yet", or the error in one line.

    >>> try_it(sorted, [3, 1, 2])
    sorted([3, 1, 2]) → [1, 2, 3]
    """
    called = LearnerFunction(fn)
    name = getattr(fn, "__name__", show(fn, 40))
    given = [show(value, 60) for value in args] + [f"{key}={show(value, 60)}" for key, value in more.items()]
    call = f"{name}({', '.join(given)})"
    block = ""
    try:
        value = called(*args, **more)
    except NotWritten as stub:
        where = f" ({stub})" if str(stub) else ""
        said = f"{NOT_WRITTEN}{where}"
    except Complaint as error:
        said = str(error)
    else:
        if isinstance(value, str) and "\n" in value:
            said, block = "", show_unseen(value[:_LONGEST])
        else:
            said = show(value)
    printed = show_unseen(called.printed.rstrip("\n"))
    return Rendered(
        {"text/html": _html(call, said, block, printed), "text/plain": _text(call, said, block, printed)}
    )


# Said here again: a page made by nbconvert gives <pre> the font of its prose.
_CODE = "font-family:monospace;word-break:normal"


def _text(call: str, said: str, block: str, printed: str) -> str:
    shown = "\n".join(filter(None, [show_unseen(f"{call} → {said}".rstrip()), block]))
    return f"{shown}\nprinted:\n{printed}" if printed else shown


def _html(call: str, said: str, block: str, printed: str) -> str:
    parts = [f"<p><code>{escape(call)}</code> → {f'<code>{escape(said)}</code>' if said else ''}</p>"]
    parts += [f'<pre style="{PASSAGE};{_CODE}">{escape(block)}</pre>'] if block else []
    parts += [f'<p>printed:</p><pre style="{PASSAGE};{_CODE}">{escape(printed)}</pre>'] if printed else []
    return f'<div style="{BODY}">{"".join(parts)}</div>'
