"""A folder of one's own: read it, ask it, see the answer with its sources."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_kit.access import Filters
from rag_kit.errors import InvalidValue
from rag_kit.hidden import show_unseen
from rag_kit.operations import Library, open_library
from rag_kit.settings import Settings, load_settings
from rag_kit.teaching.markup import BODY, BOX, escape
from rag_kit.teaching.twin import Twin, load_widgets
from rag_kit.teaching.views import folder_view as view
from rag_kit.teaching.views.panel import CitationPanel
from rag_kit.types import Answer

if TYPE_CHECKING:
    import openai

_LABELS = {"description_width": "8.5em"}
_ROW = {"width": "100%", "max_width": "60em"}
_HEADS = {"read": "Not read.", "ask": "Not answered."}
_DOING = {"read": "Reading the files …", "ask": "Looking for an answer …"}


def ask_folder(
    path: str | Path,
    question: str,
    *,
    tags: str = "",
    as_of: date | None = None,
    settings: Settings | None = None,
    client: openai.OpenAI | None = None,
) -> CitationPanel:
    """Read a folder or file and answer one question from it; needs no widgets.

    ``tags`` are those of somebody who may see only documents with one of them, such as ``"public, sales"``;
    empty means the owner of the files. Raises RagKitError where there is nothing to read or to ask.
    """
    if not question.strip():
        raise InvalidValue("the question is empty: ask something")
    library = open_library(view.find_path(str(path)), settings=settings, client=client)
    return CitationPanel(library.ask(question, filters=filters_for(tags, as_of)))


def filters_for(tags: str, as_of: date | None = None) -> Filters:
    """Make the filters of somebody who holds these tags, or of the owner where none are written.

    >>> sorted(filters_for("sales, public").access_tags)
    ['public', 'sales']
    >>> filters_for(" ").access_tags is None
    True
    """
    if not tags.strip():
        return Filters.owner(as_of=as_of)
    return Filters.for_tags([tag.strip() for tag in tags.split(",") if tag.strip()], as_of=as_of)


class FolderPanel(Twin):
    """Read a folder and ask it: two buttons, or ``read()`` and ``ask()`` from code.

    What goes wrong stands in the panel in words, and ``error`` keeps it; nothing is raised, as nobody would
    see an exception from a button. ``as_of`` is another day than today; ``open_folder`` reads a folder in
    place of ``open_library``.
    """

    def __init__(
        self,
        folder: str | Path = "",
        question: str = "",
        *,
        tags: str = "",
        as_of: date | None = None,
        settings: Settings | None = None,
        client: openai.OpenAI | None = None,
        open_folder: Callable[..., Library] = open_library,
    ) -> None:
        self.folder, self.question, self.tags, self.as_of = str(folder), question, tags, as_of
        self.settings, self.client, self._open_folder = settings or load_settings(), client, open_folder
        self.library: Library | None = None
        self.error: Exception | None = None
        self.trouble = {"read": "", "ask": ""}
        self.panel: CitationPanel | None = None
        self._place, self._folder_read = Path(), ""
        if widgets := load_widgets():
            self._build(widgets)

    @property
    def answer(self) -> Answer | None:
        """Return the answer that is shown, if one is."""
        return self.panel.answer if self.panel else None

    def read(self, folder: str | Path | None = None) -> bool:
        """Read the folder, another one where it is named, and tell whether there is something to ask."""
        if folder is not None:
            self.folder = str(folder)
        self.library = self.panel = None
        self.trouble = {"read": "", "ask": ""}
        self._attempt("read", self._read)
        return self.library is not None

    def ask(self, question: str | None = None) -> None:
        """Answer the question, another one where it is given; a folder that is not read yet is read first."""
        if question is not None:
            self.question = question
        self.panel, self.trouble["ask"] = None, ""
        if not self.question.strip():
            self.trouble["ask"] = "the question is empty: ask something"
        elif (self.library and self.folder == self._folder_read) or self.read():
            self._attempt("ask", self._ask)
        else:
            self.trouble["ask"] = "there is nothing to ask yet: name a folder that can be read"
        self._refresh()

    def html(self) -> str:
        """Return how to use the panel, and the last answer if there is one."""
        parts = [f"<p><strong>{view.TITLE}</strong></p>", view.muted_html(view.HOW_TO), self._privacy()]
        if self.folder:
            parts.append(f"<p>Folder: <code>{escape(self.folder)}</code></p>")
        parts += [self._reading_html(), self._trouble_html()]
        if self.panel:
            parts += [self.panel.html(), view.retrieved_html(self.panel.answer)]
        return f'<div style="{BODY};{BOX}">{"".join(parts)}</div>'

    def text(self) -> str:
        """Return the same as plain text."""
        said = [view.TITLE, view.HOW_TO, view.where_text_goes(self.settings)]
        if self.folder:
            said.append(f"Folder: {self.folder}")
        if self.library:
            said.append(view.reading_text(self.library, self._place))
        said += [f"{_HEADS[name]} {told}" for name, told in self.trouble.items() if told]
        if self.panel:
            said += [self.panel.text(), view.retrieved_text(self.panel.answer)]
        return show_unseen("\n".join(said))

    def _read(self) -> None:
        self._place, self._folder_read = view.find_path(self.folder), self.folder
        self.library = self._open_folder(
            self._place, settings=self.settings, client=self.client, on_progress=self._embedded
        )

    def _ask(self) -> None:
        if self.library is not None:
            filters = filters_for(self.tags, self.as_of)
            self.panel = CitationPanel(self.library.ask(self.question, filters=filters))

    def _attempt(self, name: str, work: Callable[[], None]) -> None:
        """Do some work with the fields locked, and keep what goes wrong; an interruption goes on upwards."""
        self.error, told = None, "it was stopped"
        self._lock(name)
        try:
            work()
            told = ""
        except Exception as error:
            self.error, told = error, view.explain(error)
        finally:
            self.trouble[name] = told
            self._lock("")

    # --- the live panel: state to widgets, and back at a click ---

    def _build(self, widgets: Any) -> None:
        def row(label: str, hint: str, act: Callable[[], object], *more: Any) -> Any:
            field = widgets.Text(
                description=label,
                placeholder=hint,
                style=_LABELS,
                layout={"flex": "1 1 20em", "width": "auto"},
            )
            field.on_msg(partial(self._entered, act))
            return field, widgets.HBox([field, *more], layout=_ROW)

        def button(label: str, act: Callable[[], object]) -> Any:
            made = widgets.Button(description=label, button_style="primary", layout={"width": "11em"})
            made.on_click(partial(self._clicked, act))
            return made

        self.read_button, self.ask_button = button("Read the folder", self.read), button("Ask", self.ask)
        self.folder_field, first = row("Folder or file", "path/to/your/folder", self.read, self.read_button)
        self.question_field, second = row(
            "Question", "What would you like to know?", self.ask, self.ask_button
        )
        hint = "tags, such as public, sales; empty: the owner, who sees all"
        self.tags_field, third = row("Asked by", hint, self.ask)
        self.bar = widgets.IntProgress(layout={"display": "none", "width": "100%", "max_width": "60em"})
        self._reading, self._said, self._retrieved = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self._results = widgets.VBox()
        top = [widgets.HTML(self._privacy()), first, self.bar, self._reading]
        self.root = widgets.VBox([*top, second, third, self._said, self._results], layout={"width": "100%"})
        self._refresh()

    def _clicked(self, act: Callable[[], object], _button: object) -> None:
        self.folder, self.question = self.folder_field.value, self.question_field.value
        self.tags = self.tags_field.value
        act()

    def _entered(self, act: Callable[[], object], field: object, content: Any, _buffers: object) -> None:
        if content.get("event") == "submit":  # what a field sends when Enter is pressed
            self._clicked(act, field)

    def _embedded(self, done: int, total: int) -> None:
        """Show how far the passages are; the question, embedded later by the same hand, is no reading."""
        if self.root is not None and self.library is None:
            self.bar.max, self.bar.value, self.bar.layout.display = total, done, ""
            self._reading.value = view.status_html(f"Preparing the passages: {done:,} of {total:,}")

    def _lock(self, name: str) -> None:
        """Lock the fields and say what goes on, or unlock them again where the name is empty."""
        self._refresh()
        if self.root is None:
            return
        fields = (self.folder_field, self.question_field, self.tags_field, self.read_button, self.ask_button)
        for field in fields:
            field.disabled = bool(name)
        if name:
            line = self._reading if name == "read" else self._said
            line.value = view.status_html(_DOING[name])
        self.bar.layout.display = "none"

    def _refresh(self) -> None:
        if self.root is None:
            return
        self.folder_field.value, self.question_field.value = self.folder, self.question
        self.tags_field.value = self.tags
        self._reading.value = self._reading_html()
        self._said.value = self._trouble_html("ask")
        if self.panel is None:
            self._results.children = ()
        else:
            self._retrieved.value = view.retrieved_html(self.panel.answer)
            self._results.children = (self.panel.root, self._retrieved)

    def _privacy(self) -> str:
        return view.muted_html(view.where_text_goes(self.settings))

    def _reading_html(self) -> str:
        read = view.reading_html(self.library, self._place) if self.library else ""
        return read + self._trouble_html("read")

    def _trouble_html(self, name: str = "ask") -> str:
        return view.trouble_html(_HEADS[name], self.trouble[name]) if self.trouble[name] else ""
