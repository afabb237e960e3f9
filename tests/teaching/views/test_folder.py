"""The folder panel: reading, asking, and every way in which that goes wrong, without a front end."""

import os
import re
import sys
from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import pytest

from rag_kit import EmptyCorpus, InvalidValue, load_settings, open_library
from rag_kit.teaching import CitationPanel, FolderPanel, ask_folder
from rag_kit.teaching.building.canonical import WIDGET_VIEW
from rag_kit.teaching.views.folder_view import find_path
from rag_kit.testing import ListRetriever, ScriptedTransport, make_chunk, make_evidence

CLICK, ENTER = {"event": "click"}, {"event": "submit"}
FEES = "---\naccess_tags: [public]\n---\n# Fees\n\nThe entry fee is 5 euros. It is paid at the door.\n"
CATS = "# Cats\n\nThe museum cat is called Ptolemy. She sleeps in room four.\n"
QUESTION = "What is the museum cat called?"
OFFLINE = load_settings(offline=True)


def click(button):
    """Send what a browser sends; it sends nothing for a button that is disabled."""
    assert not button.disabled
    button._handle_custom_msg(CLICK, [])


def enter(field):
    assert not field.disabled
    field._handle_custom_msg(ENTER, [])


def shown(widget):
    """Return the HTML that a reader sees, from top to bottom."""
    own = widget.value if type(widget).__name__ == "HTML" else ""
    return own + "".join(shown(child) for child in getattr(widget, "children", ()))


def usable(panel):
    fields = (panel.folder_field, panel.question_field, panel.tags_field, panel.read_button, panel.ask_button)
    return not any(field.disabled for field in fields) and panel.bar.layout.display == "none"


@pytest.fixture
def docs(folder):
    return folder({"fees.md": FEES, "cats.md": CATS})


@pytest.fixture
def library(docs):
    return open_library(docs, settings=OFFLINE)


def opening(library):
    """Return what stands for ``open_library`` and gives a library that is ready."""
    return lambda path, **options: library


def panel_of(*arguments, **options):
    return FolderPanel(*arguments, settings=OFFLINE, **options)


def test_a_reader_reads_a_folder_and_asks_it(docs):
    panel = panel_of()
    panel.folder_field.value = str(docs)
    click(panel.read_button)
    assert "2 documents read, cut into 2 passages." in shown(panel.root)
    assert "could not be read" not in shown(panel.root)
    panel.question_field.value = QUESTION
    click(panel.ask_button)
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", shown(panel.root)) == ["The museum cat is called Ptolemy."]
    assert "<summary>What was retrieved</summary><table>" in shown(panel.root)
    assert usable(panel)
    assert panel.error is None


def test_enter_does_what_the_button_beside_it_does(docs):
    panel = panel_of(docs)
    enter(panel.folder_field)
    assert panel.library is not None
    panel.question_field.value = QUESTION
    enter(panel.question_field)
    assert "Ptolemy" in panel.answer.text
    panel.tags_field.value = "public"
    enter(panel.tags_field)
    assert panel.answer.refusal is not None
    panel.question_field._handle_custom_msg({"event": "other"}, [])
    assert panel.answer.refusal is not None


def test_the_tags_decide_what_may_be_found(docs):
    panel = panel_of(docs, "What is the entry fee?", tags=" public , sales")
    panel.ask()
    assert [item.chunk.document_id for item in panel.answer.evidence] == ["fees.md"]
    panel.tags_field.value = ","
    click(panel.ask_button)
    assert panel.answer.refusal.kind == "no_evidence"
    panel.tags_field.value = "  "
    click(panel.ask_button)
    assert {item.chunk.document_id for item in panel.answer.evidence} == {"fees.md", "cats.md"}


def test_the_day_is_todays_unless_another_is_given(folder):
    docs = folder({"cats.md": "---\nupdated_at: 2026-05-01\n---\n" + CATS})
    before = panel_of(docs, QUESTION, as_of=date(2026, 4, 30))
    before.ask()
    assert before.answer.refusal.kind == "no_evidence"
    after = panel_of(docs, QUESTION, as_of=date(2026, 5, 1))
    after.ask()
    assert "Ptolemy" in after.answer.text


def test_files_that_cannot_be_read_are_named_with_the_reason(folder):
    broken = {f"talk{n}.pptx": b"x" for n in range(10)}
    docs = folder({"cats.md": CATS, "sub/<b>bad</b>.md": b"\xff\xfe\x00", **broken})
    panel = panel_of(docs)
    click(panel.read_button)
    html = shown(panel.root)
    assert "1 document read, cut into 1 passage." in html
    assert "11 files could not be read" in html
    assert "<li>talk0.pptx: files of this type are not read yet:" in html
    assert "<li>and 3 more; kit.py parse names them all</li>" in html
    assert str(docs) not in html
    assert "<b>" not in html
    assert "talk0.pptx: files of this type" in panel.text()


def test_a_document_in_another_language_is_pointed_out(folder):
    german = "Die Katze des Museums heißt Ptolemäus und schläft fast immer in dem großen Saal. " * 8
    panel = panel_of(folder({"katze.md": german}))
    panel.read()
    assert re.search("Read, and worth knowing:</p><ul[^>]*><li>katze.md: ", shown(panel.root))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("", "no folder is named: type the path of a folder or of a file"),
        ("  ", "no folder is named"),
        ("no/such/folder", "no/such/folder: no such file or folder, neither from "),
        ("x" * 5_000, "x" * 100 + " …: no such file or folder"),
        ("a\0b", "a[U+0000]b: no such file or folder"),
        ("~nobody-of-that-name/docs", "~nobody-of-that-name/docs: no such file or folder"),
    ],
)
def test_a_path_that_means_nothing_is_said_in_the_panel(path, said):
    panel = panel_of()
    panel.folder_field.value = path
    click(panel.read_button)
    assert f"<strong>Not read.</strong> {said}" in shown(panel.root)
    assert 'role="alert"' in shown(panel.root)
    assert usable(panel)
    assert isinstance(panel.error, InvalidValue)


def test_an_empty_folder_is_said_and_the_next_one_is_read(folder, docs):
    panel = panel_of(folder({}, "nothing"))
    click(panel.read_button)
    assert "no text to search" in shown(panel.root)
    assert isinstance(panel.error, EmptyCorpus)
    panel.folder_field.value = str(docs)
    click(panel.read_button)
    assert "2 documents read" in shown(panel.root)
    assert 'role="alert"' not in shown(panel.root)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_the_right_to_read_it_is_said(docs):
    docs.chmod(0)
    panel = panel_of(docs)
    panel.read()
    docs.chmod(0o755)
    assert "permission denied" in shown(panel.root)
    assert usable(panel)


def test_an_error_of_the_system_is_said(docs):
    def refused(path, **options):
        raise PermissionError(13, "Permission denied", "notes")

    panel = panel_of(docs, open_folder=refused)
    click(panel.read_button)
    assert "<strong>Not read.</strong> notes: permission denied" in shown(panel.root)
    assert usable(panel)


def test_an_empty_question_is_said(docs):
    panel = panel_of(docs, "  ")
    click(panel.ask_button)
    assert "<strong>Not answered.</strong> the question is empty: ask something" in shown(panel.root)
    assert panel.library is None, "nothing is read for it"
    assert usable(panel)


def test_a_question_without_a_folder_is_said():
    panel = panel_of("", QUESTION)
    click(panel.ask_button)
    assert "Not read.</strong> no folder is named" in shown(panel.root)
    assert "Not answered.</strong> there is nothing to ask yet" in shown(panel.root)
    assert usable(panel)


class BrokenRetriever:
    def search(self, query, *, filters, top_k):
        raise RuntimeError("the <index> is gone")


def test_a_retriever_that_raises_is_said_and_the_panel_goes_on(docs, library):
    libraries = [replace(library, store=SimpleNamespace(dense=BrokenRetriever()), pipeline="dense"), library]
    panel = panel_of(docs, QUESTION, open_folder=lambda path, **options: libraries.pop(0))
    click(panel.ask_button)
    said = "<strong>Not answered.</strong> RuntimeError: the &lt;index&gt; is gone"
    assert said in shown(panel.root)
    assert said in panel.html()
    assert "Not answered. RuntimeError: the <index> is gone" in panel.text()
    assert isinstance(panel.error, RuntimeError)
    assert usable(panel)
    click(panel.read_button)
    click(panel.ask_button)
    assert "Ptolemy" in panel.answer.text
    assert panel.error is None
    assert "RuntimeError" not in shown(panel.root)


def test_a_server_that_refuses_is_explained(docs, library):
    failing = replace(library, client=ScriptedTransport(401, error="bad key").client())
    panel = panel_of(docs, QUESTION, open_folder=opening(failing))
    panel.ask()
    assert "the model&#x27;s server failed (401: bad key): check OPENAI_API_KEY" in shown(panel.root)


def test_an_answer_that_failed_takes_the_old_one_away(docs, library):
    panel = panel_of(docs, QUESTION, open_folder=opening(library))
    panel.ask()
    assert "<mark" in shown(panel.root)
    panel.ask("")
    assert "<mark" not in shown(panel.root)
    assert panel.answer is None


def test_an_interruption_stops_and_leaves_the_panel_usable(docs, library):
    def interrupted(path, **options):
        raise KeyboardInterrupt

    panel = panel_of(docs, open_folder=interrupted)
    with pytest.raises(KeyboardInterrupt):
        panel.read()
    assert "<strong>Not read.</strong> it was stopped" in shown(panel.root)
    assert usable(panel)


def test_the_progress_is_shown_and_the_fields_are_locked_meanwhile(docs, library):
    seen = []

    def slow(path, *, on_progress, **options):
        seen.append(
            (panel.bar.layout.display, "Reading the files" in shown(panel.root), panel.read_button.disabled)
        )
        for done in (64, 70):
            on_progress(done, 70)
            seen.append((panel.bar.value, panel.bar.max, f"passages: {done} of 70" in shown(panel.root)))
        seen.append(panel.bar.layout.display)
        return library

    panel = panel_of(docs, open_folder=slow)
    panel.read()
    assert seen == [("none", True, True), (64, 70, True), (70, 70, True), ""]
    assert usable(panel)
    assert "Preparing" not in shown(panel.root)


def test_the_passages_are_counted_while_they_are_embedded(folder):
    docs = folder({"one.md": "# One\n\nA text that no other test has, for the cache.\n"})
    told = []
    open_library(docs, settings=OFFLINE, on_progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 1)]


def test_another_folder_in_the_field_is_read_before_it_is_asked(docs, folder):
    panel = panel_of(docs, QUESTION)
    panel.ask()
    other = folder({"dogs.md": "# Dogs\n\nThe museum dog is called Strabo.\n"}, "other")
    panel.folder_field.value = str(other)
    panel.question_field.value = "What is the museum dog called?"
    click(panel.ask_button)
    assert "Strabo" in panel.answer.text
    assert [document.document_id for document in panel.library.documents] == ["dogs.md"]


def test_the_same_folder_is_read_again_only_when_it_is_asked_for(docs, library):
    reads = []
    panel = panel_of(docs, QUESTION, open_folder=lambda path, **options: reads.append(path) or library)
    panel.ask()
    panel.ask()
    assert len(reads) == 1
    click(panel.read_button)
    assert len(reads) == 2
    assert panel.answer is None, "an answer of the folder as it was is no longer shown"


def test_the_twin_says_how_to_use_it_and_shows_the_last_answer(docs):
    panel = panel_of(docs)
    assert "press “Read the folder”" in panel.html()
    assert "python3 kit.py ask" in panel.text()
    panel.ask(QUESTION)
    bundle = panel._repr_mimebundle_()
    assert bundle["text/html"] == panel.html()
    assert bundle["text/plain"] == panel.text() == repr(panel)
    assert bundle[WIDGET_VIEW]["model_id"] == panel.root.model_id
    assert "Ptolemy.</mark>" in panel.html()
    assert "<details><summary>What was retrieved</summary>" in panel.html()
    assert "“The museum cat is called Ptolemy.”" in panel.text()
    assert "<input" not in panel.html()


def test_hostile_text_stays_text(folder):
    panel = panel_of("<script>alert(1)</script>", "<img src=x onerror=alert(1)>\u202e")
    panel.ask()
    panel.trouble["ask"] = "<script>"
    for html in (panel.html(), shown(panel.root)):
        assert "<script" not in html
        assert "<img" not in html
    assert "\u202e" not in panel.text()


def test_without_ipywidgets_the_twin_and_the_plain_call_are_left(docs, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    panel = panel_of(docs, QUESTION)
    panel.ask()
    assert panel.root is None
    assert set(panel._repr_mimebundle_()) == {"text/html", "text/plain"}
    assert "Ptolemy.</mark>" in panel.html()
    panel.ask("")
    assert "Not answered. the question is empty" in panel.text()
    answer = ask_folder(docs, QUESTION, settings=OFFLINE)
    assert isinstance(answer, CitationPanel)
    assert "“The museum cat is called Ptolemy.”" in answer.text()


def test_the_plain_call_raises_what_the_panel_would_say(docs, folder):
    with pytest.raises(InvalidValue, match="the question is empty"):
        ask_folder(docs, " ", settings=OFFLINE)
    with pytest.raises(InvalidValue, match="no such file or folder"):
        ask_folder(docs / "nowhere", QUESTION, settings=OFFLINE)
    with pytest.raises(EmptyCorpus):
        ask_folder(folder({}, "nothing"), QUESTION, settings=OFFLINE)
    refused = ask_folder(docs, QUESTION, tags="public", settings=OFFLINE).answer
    assert refused.refusal is not None


def test_a_single_file_can_be_asked(docs):
    panel = panel_of(docs / "cats.md", QUESTION)
    panel.ask()
    assert "1 document read" in panel.text()
    assert "Ptolemy" in panel.answer.text


def test_paths_as_people_paste_them(docs, monkeypatch):
    assert find_path(f'  "{docs}" ') == docs
    monkeypatch.setenv("HOME", str(docs.parent))
    monkeypatch.setenv("USERPROFILE", str(docs.parent))
    assert find_path("~/docs") == docs
    monkeypatch.chdir(docs.parent)
    assert find_path("docs/cats.md").samefile(docs / "cats.md")
    assert find_path("sample_docs").name == "sample_docs", "what JupyterLab copies begins at the kit"


def test_what_leaves_the_machine_is_said(docs):
    there = load_settings({"OPENAI_BASE_URL": "http://user:secret@gateway.example/v1"})
    panel = FolderPanel(docs, settings=there)
    assert "The question and the passages found for it will be sent to gateway.example." in shown(panel.root)
    both = load_settings({"OPENAI_API_KEY": "k"})
    assert "All text of the folder will be sent to api.openai.com." in FolderPanel(docs, settings=both).text()
    assert "Nothing leaves this machine." in panel_of(docs).html()


def test_the_retriever_may_be_any_that_searches(docs, library):
    chunk = make_chunk("The museum cat is called Ptolemy.", "cats", title="Cats")
    told = replace(
        library, store=SimpleNamespace(dense=ListRetriever(make_evidence(chunk))), pipeline="dense"
    )
    panel = panel_of(docs, QUESTION, open_folder=opening(told))
    panel.ask()
    assert [item.chunk.document_id for item in panel.answer.evidence] == ["cats"]
