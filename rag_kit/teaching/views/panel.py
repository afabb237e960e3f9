"""The citation panel: an answer beside the passages that it rests on."""

from __future__ import annotations

from functools import partial
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.teaching.twin import Twin, load_widgets
from rag_kit.teaching.views.passages import cited_sources
from rag_kit.teaching.views.render import answer_html, panel_html, panel_text, sources_html
from rag_kit.types import Answer


class CitationPanel(Twin):
    """Show an answer; clicking a label shows the passage behind it, the quoted words marked.

    The first cited source is open unless ``opened`` names another label, such as ``"[2]"``.
    """

    def __init__(self, answer: Answer, *, opened: str | None = None) -> None:
        self.answer = answer
        self.labels = [source.label for source in cited_sources(answer)] if answer.refusal is None else []
        self.opened = self.labels[0] if self.labels else ""
        self.clicks = 0
        self.buttons: dict[str, Any] = {}
        if widgets := load_widgets():
            self._build(widgets)
        if opened is not None:
            self.open(opened)

    def open(self, label: str) -> None:
        """Unfold the source of ``label`` and fold the others."""
        if label not in self.labels:
            choices = ", ".join(self.labels) or "none: the answer cites nothing"
            raise InvalidValue(f"label {label!r} is not cited in this answer; choose from {choices}")
        self.opened = label
        self._refresh()

    def html(self) -> str:
        """Return the static HTML of the present state."""
        return panel_html(self.answer, self.opened)

    def text(self) -> str:
        """Return question, answer and quotes as plain text."""
        return panel_text(self.answer)

    def _build(self, widgets: Any) -> None:
        self._answer, self._sources = widgets.HTML(), widgets.HTML()
        for label in self.labels:
            number = label.strip("[]")
            button = widgets.Button(description=f"Show source {number}", layout={"width": "auto"})
            button.on_click(partial(self._clicked, label))
            self.buttons[label] = button
        row = widgets.HBox(list(self.buttons.values()), layout={"flex_flow": "row wrap"})
        children = [self._answer, row, self._sources] if self.buttons else [self._answer, self._sources]
        self.root = widgets.VBox(children, layout={"width": "100%"})
        self._refresh()

    def _clicked(self, label: str, _button: object) -> None:
        self.clicks += 1
        self.open(label)

    def _refresh(self) -> None:
        if self.root is None:
            return
        for label, button in self.buttons.items():
            button.button_style = "primary" if label == self.opened else ""
        self._answer.value = answer_html(self.answer, self.opened)
        # The reader may have folded the source by hand, which the kernel cannot know: the count makes the
        # value new, so that the front end draws it again.
        self._sources.value = sources_html(self.answer, self.opened) + f"<!-- {self.clicks} -->"
