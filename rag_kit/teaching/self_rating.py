"""How well a learner knows a lesson, by their own word: at its end, and again when they come back."""

from __future__ import annotations

import re
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.teaching.grading.results import Results, State
from rag_kit.teaching.markup import BODY, MUTED, escape
from rag_kit.teaching.twin import Twin, load_widgets

RATINGS = {
    "new to it": "I would have to read it again.",
    "getting there": "I can do it with the notebook open beside me.",
    "confident": "I could do it on my own data, and explain it to somebody else.",
}


class SelfRating(Twin):
    """Ask for a rating of one lesson, such as ``SelfRating("01")``, and keep it."""

    def __init__(self, lesson: str, *, results: Results | None = None) -> None:
        if not re.fullmatch(r"\d\d", lesson):
            raise InvalidValue(f"lesson {lesson!r} is not like '01': give its two digits as a text")
        self.lesson = lesson
        self._results = results or Results()
        kept = self._results.read().ratings.get(lesson)
        self.rating = kept if kept in RATINGS else None
        if widgets := load_widgets():
            self._build(widgets)

    def rate(self, rating: str) -> None:
        """Record a rating."""
        if rating not in RATINGS:
            raise InvalidValue(f"rating {rating!r} is not known; choose from {', '.join(RATINGS)}")
        self.rating = rating

        def note(state: State) -> None:
            state.ratings[self.lesson] = rating

        self._results.change(note)

    def html(self) -> str:
        """Return the question, what each answer means, and the one that was given."""
        items = "".join(
            f"<li>{f'<strong>{name} (your rating)</strong>' if name == self.rating else name}: {meaning}</li>"
            for name, meaning in RATINGS.items()
        )
        return f'<div style="{BODY}"><p><strong>{escape(self._question)}</strong></p><ul>{items}</ul></div>'

    def text(self) -> str:
        """Return the same as plain text."""
        marks = {name: "*" if name == self.rating else "-" for name in RATINGS}
        return "\n".join(
            [self._question, *(f"  {marks[name]} {name}: {said}" for name, said in RATINGS.items())]
        )

    @property
    def _question(self) -> str:
        return f"How well do you know lesson {self.lesson} now?"

    def _build(self, widgets: Any) -> None:
        question = widgets.HTML(f'<div style="{BODY}"><strong>{escape(self._question)}</strong></div>')
        self.choice = widgets.ToggleButtons(options=list(RATINGS), value=self.rating)
        self.said = widgets.HTML(self._said())
        self.choice.observe(self._chosen, "value")
        self.root = widgets.VBox([question, self.choice, self.said])

    def _chosen(self, change: Any) -> None:
        if change["new"] is not None:
            self.rate(change["new"])
        self.said.value = self._said()

    def _said(self) -> str:
        if self.rating is None:
            return ""
        return f'<div role="status" style="{BODY};{MUTED}">Kept: {self.rating}. {RATINGS[self.rating]}</div>'
