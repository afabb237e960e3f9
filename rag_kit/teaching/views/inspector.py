"""The chunk inspector: choose how a document is cut, and watch the borders, the findings and the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rag_kit.chunking import STRATEGIES
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.questions import Question
from rag_kit.llm import connect
from rag_kit.operations.library import embedder_of, tokenizer_of
from rag_kit.settings import Settings, load_settings
from rag_kit.teaching.twin import Twin, load_widgets
from rag_kit.teaching.views.folder_view import explain, trouble_html
from rag_kit.teaching.views.inspection import TOP_K, Inspection, inspect_chunks
from rag_kit.teaching.views.inspection_view import inspection_html, inspection_text
from rag_kit.types import Document

if TYPE_CHECKING:
    import openai

SMALLEST = 32
WAIT = "<p>Cutting, and embedding what is new …</p>"
_CHANGEABLE = ("document_id", "strategy", "size", "overlap", "question")
_LABELS = {"description_width": "6em"}
_WIDE = {"width": "100%", "max_width": "50em"}


class ChunkInspector(Twin):
    """Show a document with its chunk borders, findings, and the chunks that a question brings back.

    ``questions`` are those to choose from; with their gold spans the inspector says where the evidence went.
    Change ``strategy``, ``size``, ``overlap``, ``question`` or ``document_id`` with :meth:`show`, or by the
    controls. What goes wrong is said in the panel, is kept in ``error``, and nothing is raised: a notebook would
    not see an exception from a control.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        questions: Sequence[Question] = (),
        *,
        strategy: str = "structure",
        size: int | None = None,
        overlap: int = 0,
        question: str = "",
        top_k: int = TOP_K,
        settings: Settings | None = None,
        client: openai.OpenAI | None = None,
    ) -> None:
        if not documents:
            raise InvalidValue("there is no document to look at: give one or more")
        settings = settings or load_settings()
        self.documents = {document.document_id: document for document in documents}
        self.questions = {question.question: question for question in questions}
        self.tokenizer = tokenizer_of(settings)
        self.embedder = embedder_of(client or connect(settings), settings)
        self.top_k = top_k
        self.strategy, self.overlap, self.question = strategy, overlap, question
        self.document_id = self._home_of(question) or documents[0].document_id
        self.size = size or self.tokenizer.max_tokens
        self.seen: Inspection | None = None
        self.error: Exception | None = None
        self.trouble = ""
        self._changing = False
        self._inspect()
        if widgets := load_widgets():
            self._build(widgets)

    def show(self, **changes: Any) -> None:
        """Change one or several of document_id, strategy, size, overlap and question, and look again."""
        for name in changes:
            if name not in _CHANGEABLE:
                raise InvalidValue(f"{name!r} cannot be changed: choose {', '.join(_CHANGEABLE)}")
        before = {name: getattr(self, name) for name in _CHANGEABLE}
        for name, value in changes.items():
            setattr(self, name, value)
        home = self._home_of(self.question)
        if self.question != before["question"]:
            self.document_id = home or self.document_id
        elif home and self.document_id != before["document_id"]:
            self.question = ""  # It is answered in another document than the one that was chosen.
        self._inspect()
        self._refresh()

    def html(self) -> str:
        """Return the static HTML of the present state."""
        how = f"strategy {self.strategy}, size {self.size}, overlap {self.overlap}"
        return f"<p><strong>Chunk inspector</strong> · {how}</p>{self._view(whole=False)}"

    def text(self) -> str:
        """Return the present state as plain text."""
        said = self.trouble or (inspection_text(self.seen) if self.seen else "")
        return f"Chunk inspector: strategy {self.strategy}, size {self.size}, overlap {self.overlap}\n{said}"

    def _inspect(self) -> None:
        self.seen, self.error, self.trouble = None, None, ""
        try:
            if self.document_id not in self.documents:
                raise InvalidValue(f"no document has the id {self.document_id!r}")
            self.seen = inspect_chunks(
                self.documents[self.document_id],
                self.tokenizer,
                self.embedder,
                strategy=self.strategy,
                size=self.size,
                overlap=self.overlap,
                question=self.questions.get(self.question, self.question),
                top_k=self.top_k,
            )
        except Exception as error:
            self.error, self.trouble = error, explain(error)

    def _home_of(self, question: str) -> str | None:
        """Return the document that a question of the list is answered in."""
        asked = self.questions.get(question)
        here = (
            [gold.document_id for gold in asked.evidence if gold.document_id in self.documents]
            if asked
            else []
        )
        return here[0] if here else None

    def _view(self, *, whole: bool) -> str:
        if self.trouble:
            return trouble_html("Not cut.", self.trouble)
        return inspection_html(self.seen, whole=whole) if self.seen else ""

    # --- the live panel ---

    def _build(self, widgets: Any) -> None:
        def field(kind: Any, label: str, **options: Any) -> Any:
            made = kind(description=label, style=_LABELS, layout=_WIDE, **options)
            made.observe(self._changed, "value")
            return made

        named = [(document.title, document.document_id) for document in self.documents.values()]
        most = self.tokenizer.max_tokens
        calm = {"continuous_update": False}
        self.document_field = field(widgets.Dropdown, "Document", options=named)
        self.strategy_field = field(widgets.Dropdown, "Strategy", options=list(STRATEGIES))
        self.size_field = field(
            widgets.IntSlider, "Size", min=SMALLEST, max=most, step=16, value=most, **calm
        )
        self.overlap_field = field(widgets.IntSlider, "Overlap", min=0, max=most // 2, step=8, **calm)
        self.question_field = field(
            widgets.Combobox,
            "Question",
            options=list(self.questions),
            placeholder="Type one, or choose",
            **calm,
        )
        self._shown = widgets.HTML()
        controls = [self.document_field, self.strategy_field, self.size_field, self.overlap_field]
        self.root = widgets.VBox([*controls, self.question_field, self._shown], layout={"width": "100%"})
        self._refresh()

    def _changed(self, _change: object) -> None:
        if not self._changing:
            self._shown.value = WAIT
            self.show(
                document_id=self.document_field.value,
                strategy=self.strategy_field.value,
                size=self.size_field.value,
                overlap=self.overlap_field.value,
                question=self.question_field.value,
            )

    def _refresh(self) -> None:
        if self.root is None:
            return
        # Setting a field calls _changed again, which would cut the document once for every field.
        self._changing = True
        try:
            self.document_field.value = self.document_id if self.document_id in self.documents else None
            self.strategy_field.value = self.strategy if self.strategy in STRATEGIES else None
            self.size_field.min = max(1, min(SMALLEST, self.size))
            self.size_field.value, self.overlap_field.value = self.size, self.overlap
            self.question_field.value = self.question
        finally:
            self._changing = False
        self._shown.value = self._view(whole=True)
