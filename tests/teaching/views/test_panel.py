"""The citation panel, the evidence table and the shown source: what stands in them, and what a click does."""

import re
import sys

import pytest

from rag_kit import InvalidValue
from rag_kit.refusals import REFUSALS
from rag_kit.teaching import CitationPanel, evidence_table, show_source
from rag_kit.teaching.building.canonical import WIDGET_VIEW
from rag_kit.teaching.views.passages import windows

CLICK = {"event": "click"}


def marks(html):
    return re.findall(r"<mark[^>]*>(.*?)</mark>", html, re.S)


def opened(html):
    """Return the label of each source that stands open."""
    return re.findall(r"<details open[^>]*><summary><strong>(\[\d+\])</strong>", html)


def test_every_quote_is_marked_exactly(answer):
    html = CitationPanel(answer).html()
    assert marks(html) == ["Cards cost 2 more.", "| SP-120 | **€145** |"]


def test_a_quote_stands_under_the_section_that_it_is_in(answer):
    panel = CitationPanel(answer)
    assert "<strong>[1]</strong> Fees › Cards</summary>" in panel.html()
    assert "fees · version 2" in panel.html()
    assert "parts · page 2" in panel.html()


def test_a_table_row_is_read_with_the_names_of_its_columns(answer):
    html = CitationPanel(answer).html()
    assert "Without the markup: Part: SP-120; Price: €145" in html
    assert "| Part | Price |<br>|---|---|" in html, "the split table's header is shown, outside the mark"


def test_a_quote_is_shown_with_its_own_page_and_not_with_those_of_the_passage(make):
    rows = "| SP-120 | €145 |\n| SP-131 | €38 |"
    pages = {"pages": (2, 3), "page_starts": ((100, 2), (118, 3))}
    chunk = make.chunk("parts", rows, prefix="| Part | Price |\n|---|---|", **pages)
    text = "Part: SP-131; Price: €38 [1]."
    one = make.answer(text, [make.citation(text, "[1]", chunk, "| SP-131 | €38 |")], [chunk])
    panel = CitationPanel(one)
    for shown in (panel.html(), panel.text()):
        assert "parts · page 3" in shown
        assert "Part: SP-131; Price: €38" in shown
    unmatched = make.answer(text, [make.citation(text, "[1]", chunk, "", matched=False)], [chunk])
    assert "parts · pages 2, 3" in CitationPanel(unmatched).html()


def test_what_the_budget_left_out_is_not_shown(answer):
    panel = CitationPanel(answer)
    assert "Nobody was shown this" not in panel.html()
    assert "hidden" not in panel.text().lower()


def test_the_first_source_is_open_and_the_others_are_folded(answer):
    assert opened(CitationPanel(answer).html()) == ["[1]"]
    assert opened(CitationPanel(answer, opened="[2]").html()) == ["[2]"]


def test_an_unknown_label_names_the_choices(answer):
    with pytest.raises(InvalidValue, match=r"'\[3\]' is not cited.*choose from \[1\], \[2\]"):
        CitationPanel(answer, opened="[3]")


def test_a_click_opens_a_source_in_the_widget_and_in_the_twin(answer):
    panel = CitationPanel(answer)
    panel.buttons["[2]"]._handle_custom_msg(CLICK, [])
    labels, row, sources = panel.root.children
    assert panel.opened == "[2]"
    assert opened(sources.value) == opened(panel.html()) == ["[2]"]
    assert "<sup><strong>[2]</strong></sup>" in labels.value
    assert [button.button_style for button in row.children] == ["", "primary"]
    assert [button.description for button in row.children] == ["Show source 1", "Show source 2"]


def test_a_second_click_draws_the_source_again(answer):
    """The reader may have folded it by hand; an equal value would not be sent to the browser."""
    panel = CitationPanel(answer)
    before = panel.root.children[2].value
    panel.buttons["[1]"].click()
    assert panel.root.children[2].value != before
    assert opened(panel.root.children[2].value) == ["[1]"]


def test_the_bundle_holds_the_widget_and_its_twin(answer):
    panel = CitationPanel(answer)
    bundle = panel._repr_mimebundle_()
    assert bundle["text/html"] == panel.html()
    assert bundle["text/plain"] == panel.text() == repr(panel)
    assert bundle[WIDGET_VIEW]["model_id"] == panel.root.model_id


def test_without_ipywidgets_the_twin_is_shown_alone(answer, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    panel = CitationPanel(answer, opened="[2]")
    assert set(panel._repr_mimebundle_()) == {"text/html", "text/plain"}
    assert opened(panel.html()) == ["[2]"]


@pytest.mark.parametrize("kind", sorted(REFUSALS))
def test_a_refusal_is_shown_as_a_result_with_its_kind(kind, make):
    panel = CitationPanel(make.refusal(kind, REFUSALS[kind], labels={"[1]": "a#1"}))
    assert "<strong>No answer was given.</strong>" in panel.html()
    assert f"<code>{kind}</code>" in panel.html()
    assert REFUSALS[kind] in panel.text()
    assert "Shown to the model and cited nowhere, as there is no answer: [1]." in panel.text()
    assert panel.buttons == {}
    assert "<details" not in panel.html()
    with pytest.raises(InvalidValue, match="none"):
        panel.open("[1]")


def test_hostile_text_stays_text(make):
    evil = '<script>alert(1)</script> <img src=x onerror=alert(1)> say \u202egnp\u200b & "go"'
    chunk = make.chunk("evil", evil, title="<b>T</b>", heading_path=("</summary><script>",))
    answer = make.answer(f"{evil} [1]", [make.citation("x [1]", "[1]", chunk, evil)], [chunk])
    panel = CitationPanel(answer)
    for html in (panel.html(), *(child.value for child in panel.root.children if hasattr(child, "value"))):
        assert "<script" not in html
        assert "<img" not in html
        assert "<b>" not in html
        assert "\u202e" not in html
        assert "\u200b" not in html
    assert "say [U+202E]gnp &amp; &quot;go&quot;" in marks(panel.html())[0]
    assert "\u202e" not in panel.text()
    assert "<script" not in evidence_table(answer.evidence, answer.labels).bundle["text/html"]


def test_two_quotes_of_one_source_are_two_marks_and_overlaps_are_one(make):
    chunk = make.chunk("fees", "One is 1. Two is 2. Three is 3.")
    text = "One [1], three [1]."
    both = [make.citation(text, "[1]", chunk, quote) for quote in ("One is 1.", "Three is 3.")]
    assert marks(CitationPanel(make.answer(text, both, [chunk])).html()) == ["One is 1.", "Three is 3."]
    wide = [make.citation(text, "[1]", chunk, quote) for quote in ("One is 1. Two", "Two is 2.")]
    assert marks(CitationPanel(make.answer(text, wide, [chunk])).html()) == ["One is 1. Two is 2."]


def test_a_quote_that_could_not_be_placed_is_admitted(make):
    chunk = make.chunk("fees", "The fee is 5.")
    citation = make.citation("Five [1].", "[1]", chunk, "", matched=False)
    html = CitationPanel(make.answer("Five [1].", [citation], [chunk])).html()
    assert "No sentence of this passage could be matched" in html
    assert marks(html) == []


def test_labels_shown_without_being_cited_are_named(make):
    chunks = [make.chunk("one", "The fee is 5."), make.chunk("two", "Else.")]
    answer = make.answer(
        "It is 5 [1].", [make.citation("It is 5 [1].", "[1]", chunks[0], "The fee is 5.")], chunks
    )
    assert "Shown to the model and not cited: [2]." in CitationPanel(answer).text()


def test_a_long_passage_shows_the_quote_in_its_window_and_folds_the_rest(make):
    text = "word " * 300 + "The fee is 5. " + "word " * 300
    chunk = make.chunk("long", text)
    answer = make.answer("5 [1].", [make.citation("5 [1].", "[1]", chunk, "The fee is 5.")], [chunk])
    html = CitationPanel(answer).html()
    shown, whole = html.split("<summary>The whole passage</summary>")
    assert 550 < shown.count("word") * 5 < 650
    assert marks(shown) == marks(whole) == ["The fee is 5."]
    assert shown.count("…") == 2


def test_windows_cut_a_text_without_blanks_too():
    assert windows("字" * 1000, [(500, 510)], context=100) == [(400, 610)]


def test_the_evidence_table_tells_shown_from_left_out(answer):
    table = evidence_table(answer.evidence, answer.labels).bundle
    cells = re.findall(r"<td[^>]*>(.*?)</td>", table["text/html"])
    assert cells[:5] == ["1", "0.500", "[1]", "Fees", "The fee is 5. It is paid once. Cards cost 2 more."]
    assert cells[5:10] == ["2", "0.500", "[2]", "Parts", "Part: SP-120; Price: €145 Part: SP-131; Price: €38"]
    assert cells[12] == "left out"
    assert table["text/plain"].splitlines()[0].split() == [
        "rank",
        "similarity",
        "label",
        "document",
        "›",
        "section",
        "begins",
    ]


def test_the_evidence_table_without_labels_has_no_such_column(answer):
    table = evidence_table(answer.evidence).bundle
    assert "label" not in table["text/plain"]
    assert "left out" not in table["text/html"]
    assert repr(evidence_table([])) == "Nothing came back."


def test_source_is_shown_as_it_stands():
    bundle = show_source(windows)._repr_mimebundle_()
    assert "\n```python\ndef windows(" in bundle["text/markdown"]
    assert bundle["text/plain"].startswith("# rag_kit.teaching.views.passages.windows\ndef windows(")


def test_what_has_no_source_is_refused():
    with pytest.raises(InvalidValue, match="no source to show"):
        show_source(len)
