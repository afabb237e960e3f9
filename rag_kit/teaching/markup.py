"""HTML that is safe to show and reads well in every front end.

Inline styles only: JupyterLab drops ``<style>``, ``<script>`` and any ``var(--…)`` from a notebook that it
does not trust, and GitHub drops all styles, so the tags alone have to carry the meaning. Translucent greys
fit a light and a dark theme.
"""

from __future__ import annotations

import html
import re

from rag_kit.hidden import show_unseen

BODY = "line-height:1.5;max-width:60em"
MUTED = "opacity:0.75"
BOX = "border:1px solid rgba(128,128,128,0.35);border-radius:4px;padding:4px 10px;margin:6px 0"
OPEN_BOX = (
    "border:1px solid rgba(128,128,128,0.35);border-left:4px solid #2f81d0;"
    "border-radius:4px;padding:4px 10px;margin:6px 0"
)
PASSAGE = (
    "white-space:pre-wrap;overflow-wrap:anywhere;margin:8px 0;padding:8px 12px;border:none;"
    "background:rgba(128,128,128,0.12);color:inherit"
)
MARK = "background:#ffe08a;color:#1b1b1b;padding:1px 2px;border-radius:2px"
CELL = "text-align:left;vertical-align:top;padding:4px 10px"
SHORT_CELL = CELL + ";white-space:nowrap"
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)


def escape(text: str) -> str:
    """Make a text of any origin safe to put into HTML, attributes included.

    >>> escape('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return html.escape(show_unseen(text), quote=True)


def lines(text: str) -> str:
    r"""Escape a text and keep its line ends, also where a style that keeps them is dropped.

    >>> lines("a < b\nc")
    'a &lt; b<br>c'
    """
    return escape(text.replace("\r\n", "\n").replace("\r", "\n")).replace("\n", "<br>")


def inline(text: str) -> str:
    """Escape a text as ``lines`` does, and show what stands between backticks as code.

    >>> inline("`a < b` holds")
    '<code>a &lt; b</code> holds'
    """
    shown, end = [], 0
    for span in _CODE.finditer(text):
        shown += [lines(text[end : span.start()]), f"<code>{escape(_code(span))}</code>"]
        end = span.end()
    return "".join([*shown, lines(text[end:])])


def without_ticks(text: str) -> str:
    """Take the backticks of code away, for a place that shows no markup.

    >>> without_ticks("what `ask` says")
    'what ask says'
    """
    return _CODE.sub(_code, text)


def shorten(text: str, width: int) -> str:
    """Cut a text to about ``width`` characters, between words where there are any.

    >>> shorten("The fee is five euros.", 12)
    'The fee is …'
    """
    joined = " ".join(text.split())
    if len(joined) <= width:
        return joined
    cut = joined.rfind(" ", width // 2, width + 1)
    return joined[: cut if cut > 0 else width].rstrip() + " …"


def _code(span: re.Match[str]) -> str:
    """Return the code of a span; one space at each end only keeps it apart from the backticks."""
    code = re.sub(r"\r\n?|\n", " ", span[2])
    return code[1:-1] if code[0] == code[-1] == " " and code.strip() else code
