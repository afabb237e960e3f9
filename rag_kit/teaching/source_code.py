"""The package's own code, shown where a lesson explains it: never retyped, so never out of date."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.teaching.twin import Rendered


def show_source(fn: Callable[..., Any]) -> Rendered:
    """Show the source of a function or class, highlighted, under its full name.

    >>> repr(show_source(show_source)).splitlines()[0]
    '# rag_kit.teaching.source_code.show_source'
    """
    subject = inspect.unwrap(fn)
    try:
        code = textwrap.dedent(inspect.getsource(subject)).rstrip()
    except (OSError, TypeError):
        raise InvalidValue(
            f"no source to show for {fn!r}: name a function or class written in Python"
        ) from None
    name = f"{subject.__module__}.{subject.__qualname__}"
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", code)), default=0))
    return Rendered(
        {
            "text/markdown": f"`{name}`\n\n{fence}python\n{code}\n{fence}",
            "text/plain": f"# {name}\n{code}",
        }
    )
