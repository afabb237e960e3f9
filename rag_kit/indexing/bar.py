"""The bar that shows how far the embedding is."""

from __future__ import annotations

from typing import Any

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def open_bar(total: int) -> Any:
    """Return a tqdm bar for ``total`` texts: a widget in a notebook, a line on stderr elsewhere.

    In a notebook nothing but the widget is shown, no plain text beside it: whether there is a bar depends on
    what is remembered from before, and what a cell has said must not. Who compares outputs leaves widgets out.
    """
    from tqdm.auto import tqdm

    about: dict[str, Any] = {"total": total, "desc": "embedding", "unit": "text"}
    # Asked of the class, as importing tqdm.notebook would load the widgets in a terminal too.
    if not any(base.__module__ == "tqdm.notebook" for base in tqdm.__mro__):
        return tqdm(**about)
    from IPython import display

    publish: Any = display.publish_display_data
    bar: Any = tqdm(**about, display=False)
    publish({WIDGET_VIEW: bar.container.get_view_spec()})
    return bar
