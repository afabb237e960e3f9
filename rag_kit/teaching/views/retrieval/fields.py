"""The controls of the retrieval inspector: made, read after a change, and brought to its state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, get_args

from rag_kit.access import Filters
from rag_kit.evaluation.questions import Question
from rag_kit.hidden import show_unseen, visible
from rag_kit.retrieval.fusion import Method
from rag_kit.teaching.markup import shorten
from rag_kit.teaching.views.passages import place
from rag_kit.teaching.views.retrieval.controls import balance_of, weights_at
from rag_kit.teaching.views.retrieval.inspection import RetrievalInspection

if TYPE_CHECKING:
    from rag_kit.teaching.views.retrieval.inspector import RetrievalInspector

METHODS: tuple[Method, ...] = get_args(Method)
MOST_K, MOST_ROWS = 120, 20
OWN = "a question of your own, typed below"
NO_LETTER = ("choose a letter", "")
_LABELS = {"description_width": "7em"}
_WIDE = {"width": "100%", "max_width": "60em"}
_HALF = {"flex": "1 1 20em", "width": "auto", "max_width": "30em"}


class RetrievalFields:
    """The fields, in rows. ``changed`` is called with ipywidgets' change whenever one has a new value."""

    def __init__(
        self,
        widgets: Any,
        questions: Iterable[Question],
        opened: Filters,
        changed: Callable[[Any], None],
    ) -> None:
        def field(kind: Any, label: str, **options: Any) -> Any:
            made = kind(**{"description": label, "style": _LABELS, "layout": _HALF, **options})
            made.observe(changed, "value")
            return made

        def row(*fields: Any) -> Any:
            return widgets.HBox(list(fields), layout={**_WIDE, "flex_flow": "row wrap"})

        calm = {"continuous_update": False}
        labelled = [(_title(question), question.id) for question in questions]
        self.chosen = field(widgets.Dropdown, "Labelled", layout=_WIDE, options=[(OWN, ""), *labelled])
        self.query = field(widgets.Text, "Question", layout=_WIDE, placeholder="Type a question", **calm)
        self.method = field(widgets.Dropdown, "Fusion", options=list(METHODS))
        self.k = field(widgets.IntSlider, "RRF's k", min=0, max=MOST_K, **calm)
        self.balance = field(
            widgets.FloatSlider, "BM25 share", min=0, max=1, step=0.05, readout_format=".2f", **calm
        )
        self.top_k = field(widgets.IntSlider, "Rows", min=1, max=MOST_ROWS, **calm)
        self.tags = field(widgets.Text, "Seen as", placeholder=_who(opened), **calm)
        self.where = field(widgets.Text, "Where", placeholder="department=sales; version>=2", **calm)
        self.superseded = field(widgets.Checkbox, "Superseded versions too")
        self.why = field(widgets.Dropdown, "Why here", options=[NO_LETTER])
        self.rows = [
            *([self.chosen] if labelled else []),
            self.query,
            row(self.method, self.top_k),
            row(self.k, self.balance),
            row(self.tags, self.where),
            row(self.why, self.superseded),
        ]

    def read(self, changed: Any) -> dict[str, Any]:
        """Return what the fields say, as the inspector's ``show`` takes it; ``changed`` is the one touched."""
        said = {
            "query": self.query.value if changed is not self.chosen else self.chosen.value or "",
            "method": self.method.value,
            "k": self.k.value,
            "top_k": self.top_k.value,
            "tags": self.tags.value,
            "where": self.where.value,
            "include_superseded": self.superseded.value,
            "why": self.why.value or "",
        }
        # Weights given in code may lie between the slider's steps: they stay until it is moved.
        return said | ({"weights": weights_at(self.balance.value)} if changed is self.balance else {})

    def write(self, state: RetrievalInspector) -> None:
        """Bring the fields to the inspector's state; one whose state does not fit it stays as it is."""
        self.chosen.value = state.question.id if state.question else ""
        for field, text in ((self.query, state.query), (self.tags, state.tags), (self.where, state.where)):
            if isinstance(text, str):
                field.value = text
        for slider, number in ((self.k, state.k), (self.top_k, state.top_k)):
            if isinstance(number, int) and number >= slider.min:
                slider.max = max(slider.max, number)
                slider.value = number
        self.method.value = state.method if state.method in METHODS else None
        self.k.disabled = state.method != "rrf"
        self.superseded.value = bool(state.include_superseded)
        if state.seen:
            self.balance.value = balance_of(state.weights)
        self.why.options = _letters(state.seen)
        self.why.value = state.why


def _title(question: Question) -> str:
    said = [question.id, *([question.kind] if question.kind else []), shorten(question.question, 100)]
    if question.user_tags is not None:
        said.append(f"asked as {', '.join(question.user_tags) or 'nobody'}")
    return show_unseen(" · ".join(said))


def _who(opened: Filters) -> str:
    if opened.access_tags is None:
        return "the owner; or tags: public, sales"
    return ", ".join(sorted(opened.access_tags)) or "nobody: no tag"


def _letters(seen: RetrievalInspection | None) -> list[tuple[str, str]]:
    named = [
        (show_unseen(f"{seen.letters[name]} · {shorten(visible(place(c.title, c.heading_path)), 80)}"), name)
        for name, c in (seen.chunks.items() if seen else ())
        if seen
    ]
    return [NO_LETTER, *named]
