"""The package's own code, shown where a lesson explains it: never retyped, so never out of date."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.teaching.markup import BOX
from rag_kit.teaching.twin import Rendered

_OPEN = (
    f'<div style="{BOX};overflow-x:auto;font-size:0.93em;line-height:1.4;'
    'font-family:ui-monospace,Menlo,Consolas,monospace"><div style="width:max-content">'
)
"""A highlighted block takes over the letter of what is around it on nbconvert's page, and breaks its lines
inside words. So the box around it sets the letter and is as wide as the longest line, and scrolls."""
_CLOSE = "</div></div>"


def show_source(fn: Callable[..., Any]) -> Rendered:
    """Show the source of a function or class, highlighted, under its full name.

    It is Markdown, which every front end highlights in the colours of its own theme.

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
            "text/markdown": f"{_OPEN}\n\n`{name}`\n\n{fence}python\n{code}\n{fence}\n\n{_CLOSE}",
            "text/plain": f"# {name}\n{code}",
        }
    )
