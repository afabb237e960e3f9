"""The static twin: what a view shows where no kernel runs, from the same state as the live widget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, repr=False)
class Rendered:
    """A view that does not react: one text for each kind of front end."""

    bundle: dict[str, str]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return dict(self.bundle)

    def __repr__(self) -> str:
        return self.bundle["text/plain"]


class Twin:
    """Base of the live views. ``root`` is the widget, or None where ipywidgets is not installed.

    JupyterLab prefers the widget while a kernel runs; an executed notebook opened without running, GitHub
    and nbconvert show the HTML.
    """

    root: Any = None

    def html(self) -> str:
        """Return the static HTML of the present state."""
        raise NotImplementedError

    def text(self) -> str:
        """Return the present state as plain text."""
        raise NotImplementedError

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        live = self.root._repr_mimebundle_() if self.root is not None else {}
        return {**live, "text/html": self.html(), "text/plain": self.text()}

    def __repr__(self) -> str:
        return self.text()


def load_widgets() -> Any:
    """Import ipywidgets, or return None where it is not installed."""
    try:
        import ipywidgets
    except ImportError:
        return None
    return ipywidgets
