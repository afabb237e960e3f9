"""The retrieval inspector: one question, several ways to search, and what each of them makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_kit.access import Filters
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.questions import Question
from rag_kit.hidden import show_unseen
from rag_kit.operations import Library
from rag_kit.protocols import Reranker
from rag_kit.retrieval import Fusion
from rag_kit.retrieval.fusion import K, Method
from rag_kit.retrieval.hybrid import WAYS
from rag_kit.teaching.markup import MUTED, escape
from rag_kit.teaching.twin import Twin, load_widgets
from rag_kit.teaching.views.folder_view import explain, trouble_html
from rag_kit.teaching.views.retrieval.controls import describe_filters, narrow_filters
from rag_kit.teaching.views.retrieval.fields import RetrievalFields
from rag_kit.teaching.views.retrieval.inspection import (
    CANDIDATES,
    TOP_K,
    RetrievalInspection,
    inspect_retrieval,
)
from rag_kit.teaching.views.retrieval.view import retrieval_html, retrieval_text, settings_text

_CHANGEABLE: dict[str, type] = {
    "query": str,
    "method": str,
    "k": int,
    "weights": dict,
    "top_k": int,
    "tags": str,
    "where": str,
    "include_superseded": bool,
    "why": str,
}
_KINDS = {str: "a text", int: "a whole number", bool: "true or false", dict: "weights by name"}


class RetrievalInspector(Twin):
    """Show what is found by meaning, by words, fused and, with a ``reranker``, reranked, side by side.

    ``questions`` are those to choose from; ``query`` is the text or the id of one, or a question of one's
    own. With their gold the inspector says where the evidence stands. ``filters`` are who looks and at what:
    the fields can narrow them, and never widen whose tags count; nothing that they hide is shown or kept.
    What goes wrong is said in the panel, is kept in ``error``, and nothing is raised. A library that finds
    sections by their small chunks is looked at chunk by chunk.
    """

    def __init__(
        self,
        library: Library,
        questions: Sequence[Question] | None = None,
        *,
        filters: Filters,
        query: str = "",
        method: Method = "rrf",
        k: int = K,
        weights: Mapping[str, float] | None = None,
        top_k: int = TOP_K,
        max_candidates: int = CANDIDATES,
        reranker: Reranker | None = None,
    ) -> None:
        self.library, self.opened, self.reranker = library, filters, reranker
        self.questions = {question.id: question for question in questions or ()}
        self.question: Question | None = None
        self.query, self.method, self.k = query, method, k
        self.weights = dict(weights or {"dense": 1.0, "bm25": 1.0})
        self.top_k, self.max_candidates = top_k, max_candidates
        self.tags = self.where = self.why = ""
        self.include_superseded = filters.include_superseded
        self.seen: RetrievalInspection | None = None
        self.filters = filters
        self.error: Exception | None = None
        self.trouble = ""
        self._changing = False
        self._inspect()
        if widgets := load_widgets():
            self._build(widgets)

    def show(self, **changes: Any) -> None:
        """Change one or several of query, method, k, weights, top_k, tags, where, include_superseded and why.

        ``tags`` and ``where`` are written as on the command line, conditions parted by ``;``. ``why`` is the
        letter or the id of a chunk whose reasons are unfolded.
        """
        for name in changes:
            if name not in _CHANGEABLE:
                raise InvalidValue(f"{name!r} cannot be changed: choose {', '.join(_CHANGEABLE)}")
        for name, value in changes.items():
            setattr(self, name, value)
        self._inspect()
        self._refresh()

    def html(self) -> str:
        """Return the static HTML of the present state."""
        return f"<p><strong>Retrieval inspector</strong> · {escape(self._setting())}</p>{self._view()}"

    def text(self) -> str:
        """Return the present state as plain text."""
        said = self.trouble or (retrieval_text(self.seen) if self.seen else "")
        return show_unseen(f"Retrieval inspector: {self._setting()}\n{said}")

    def _inspect(self) -> None:
        self.seen, self.error, self.trouble = None, None, ""
        try:
            self._check()
            self.question = self._labelled()
            self.filters = narrow_filters(
                self.opened,
                tags=self.tags,
                where=self.where,
                include_superseded=self.include_superseded,
            )
            self.seen = inspect_retrieval(
                self.library.store,
                self.question or self.query,
                filters=self.filters,
                fusion=Fusion(self.method, self.k, self.weights),
                top_k=self.top_k,
                candidates=self.max_candidates,
                reranker=self.reranker,
            )
        except Exception as error:
            self.error, self.trouble = error, explain(error)
        letters = self.seen.letters if self.seen else {}
        asked = {self.why} if isinstance(self.why, str) else set()
        self.why = next((name for name, letter in letters.items() if asked & {name, letter}), "")

    def _check(self) -> None:
        for name, kind in _CHANGEABLE.items():
            value = getattr(self, name)
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                raise InvalidValue(f"{name} {value!r} is not {_KINDS[kind]}")
        for name, weight in self.weights.items():
            if name not in WAYS or not isinstance(weight, (int, float)):
                raise InvalidValue(
                    f"the weight {weight!r} of {name!r}: give numbers for {' and '.join(WAYS)}"
                )

    def _labelled(self) -> Question | None:
        """Return the question of the list that is asked, by its id or its words; then its words are the query."""
        found = self.questions.get(self.query)
        if found is None and self.question and self.question.question == self.query:
            found = self.question  # Two questions may be worded alike.
        if found is None:
            found = next((q for q in self.questions.values() if q.question == self.query), None)
        self.query = found.question if found else self.query
        return found

    def _setting(self) -> str:
        if self.seen is None:
            return "nothing to show"
        rows = f"{self.seen.top_k} rows of {self.seen.candidates} candidates"
        return "; ".join([settings_text(self.seen), rows, describe_filters(self.filters)])

    def _view(self) -> str:
        if self.trouble:
            return trouble_html("Not searched.", self.trouble)
        return retrieval_html(self.seen, self.why) if self.seen else ""

    # --- the live panel ---

    def _build(self, widgets: Any) -> None:
        self.fields = RetrievalFields(widgets, self.questions.values(), self.opened, self._changed)
        self._said, self._shown = widgets.HTML(), widgets.HTML()
        self.root = widgets.VBox([*self.fields.rows, self._said, self._shown])
        self._refresh()

    def _changed(self, change: Any) -> None:
        if not self._changing:
            self.show(**self.fields.read(change["owner"]))

    def _refresh(self) -> None:
        if self.root is None:
            return
        # Setting a field calls _changed again, which would search once for every field.
        self._changing = True
        try:
            self.fields.write(self)
        finally:
            self._changing = False
        self._said.value = f'<div style="{MUTED};line-height:1.5">{escape(self._setting())}</div>'
        self._shown.value = self._view()
