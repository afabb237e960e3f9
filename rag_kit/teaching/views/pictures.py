"""What all pictures share: they read the same on a light and a dark page, with the figures in words beside them.

A picture is a white card with dark text, so no theme can make it unreadable: no one colour on a transparent
ground can have a contrast of 4.5 with both #fff and #111, for theirs with each other is 18.9, and the best that
both can have is its root, 4.35. It is drawn without pyplot,
so no cell's state reaches it, and two runs draw the same bytes.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Literal

from rag_kit.errors import InvalidValue, MissingModel
from rag_kit.teaching.markup import escape
from rag_kit.teaching.twin import Rendered

INK, GRID = "#1b1b1b", "#d9d9d9"
LOOKS = (("#0072b2", "o"), ("#c04f00", "s"), ("#007a5a", "^"), ("#8a3a76", "D"))
"""Colours that stand apart for every eye, each with a marker of its own."""
DOTS = 110
CARD = "margin:6px 0;padding:8px;background:#ffffff;color:#1b1b1b;border-radius:4px;max-width:60em"
_SAME_EVERYWHERE = {"svg.hashsalt": "rag_kit", "svg.fonttype": "path", "font.size": 10.5}


def load_figures() -> ModuleType:
    """Import matplotlib; raises MissingModel, with the mend, where it is not installed."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingModel.package("matplotlib", error) from None
    return matplotlib


@contextmanager
def blank_picture(size: tuple[float, float]) -> Iterator[tuple[Any, Any]]:
    """Make an empty figure with its axes, to be drawn and written inside; ``size`` is in inches."""
    matplotlib = load_figures()
    from matplotlib import figure

    with matplotlib.rc_context(_SAME_EVERYWHERE):
        make: Any = figure.Figure
        drawn = make(figsize=size, dpi=DOTS, facecolor="white", layout="constrained")
        yield drawn, drawn.add_subplot()


def plain_frame(axes: Any, *, lines: Literal["both", "x", "y"] = "both") -> None:
    """Give axes two borders and a pale grid behind what is drawn, across one axis or both."""
    axes.set_facecolor("white")
    axes.grid(color=GRID, linewidth=0.7, axis=lines)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)


def picture_bytes(drawn: Any, kind: str) -> bytes:
    """Return a figure as ``png`` or ``svg``, without dates and names of programs: they differ from run to run."""
    left_out = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
    if kind not in left_out:
        raise InvalidValue(f"a picture is no {kind!r}: choose {' or '.join(left_out)}")
    out = io.BytesIO()
    drawn.savefig(out, format=kind, metadata=left_out[kind], facecolor="white")
    return out.getvalue()


def on_card(picture: bytes, said: str) -> Rendered:
    """Show a PNG on a white card, with what it shows in words as its alternative text."""
    encoded = base64.b64encode(picture).decode("ascii")
    html = (
        f'<figure style="{CARD}"><img alt="{escape(said)}" src="data:image/png;base64,{encoded}" '
        'style="max-width:100%;height:auto"></figure>'
    )
    return Rendered({"text/html": html, "text/plain": said})
