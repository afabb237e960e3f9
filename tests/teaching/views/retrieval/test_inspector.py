"""The retrieval inspector: what a browser does to it, what it refuses, and what its tags keep from it."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import Filters, InvalidValue
from rag_kit.teaching import RetrievalInspector
from rag_kit.teaching.building.canonical import WIDGET_VIEW
from rag_kit.teaching.views.retrieval.controls import balance_of, describe_filters, narrow_filters, weights_at
from rag_kit.testing import make_chunk

SECRETS = ("Hypatia", "Payroll", "pay#", "Salaries")


@pytest.fixture
def panel(museum):
    return RetrievalInspector(museum.library, museum.questions, filters=museum.owner, query="q-fee")


def choose(field, value):
    """Choose from a drop-down as a browser does: by its place."""
    values = [option[1] if isinstance(option, tuple) else option for option in field.options]
    field.set_state({"index": values.index(value)})


def states(widget):
    """Yield all that a widget and those within it send to a browser."""
    yield repr(widget.get_state())
    for child in getattr(widget, "children", ()):
        yield from states(child)


def everything(panel):
    return "\n".join(
        [panel.html(), panel.text(), repr(panel), repr(panel.seen), panel.trouble, *states(panel.root)]
    )


def letters(panel, name):
    seen = panel.seen
    [ranking] = [ranking for ranking in seen.rankings if ranking.name == name]
    return "".join(seen.letters[item.chunk.chunk_id] for item in seen.rows(ranking))


def test_a_question_of_the_list_by_id_by_words_or_by_the_chooser(panel, museum):
    assert panel.fields.chosen.value == "q-fee"
    assert panel.fields.query.value == "What is the fee?"
    choose(panel.fields.chosen, "q-pay")
    assert panel.fields.query.value == "Who earns plenty?"
    assert "at place 1" in panel._shown.value
    panel.fields.query.set_state({"value": "What is the fee?"})
    assert panel.fields.chosen.value == "q-fee"
    panel.fields.query.set_state({"value": "card"})
    assert panel.fields.chosen.value == ""
    assert panel.seen.gold == ()
    choose(panel.fields.chosen, "q-none")
    assert "the right answer is a refusal" in panel._shown.value
    choose(panel.fields.chosen, "")
    assert "Choose a question, or type one." in panel._shown.value
    assert [label for label, _ in panel.fields.chosen.options][2] == "q-pay · Who earns plenty? · asked as hr"


def test_of_two_questions_worded_alike_the_chosen_one_stays(museum):
    one, two, *_ = museum.questions
    alike = [one, type(two)("q-two", one.question, "refuse", ())]
    panel = RetrievalInspector(museum.library, alike, filters=museum.owner, query="q-two")
    panel.fields.k.set_state({"value": 3})
    assert panel.question.id == panel.fields.chosen.value == "q-two"


def test_k_and_the_weights_move_the_fused_list(panel):
    panel.show(query="fee of the museum")
    assert letters(panel, "fused") == "ABC"
    panel.fields.balance.set_state({"value": 1.0})
    assert letters(panel, "fused") == letters(panel, "bm25") == "CBA"
    assert "weights dense 0, bm25 1" in panel._said.value
    panel.fields.balance.set_state({"value": 0.5})
    panel.fields.k.set_state({"value": 0})
    # 1 + 1/3, 1/2 + 1/2 and 1: of the two that are equal, the one with a first place.
    assert letters(panel, "fused") == "ACB"
    assert "k = 0" in panel._said.value
    panel.fields.top_k.set_state({"value": 1})
    assert letters(panel, "fused") == "A"


def test_other_fusions_have_no_k(panel):
    choose(panel.fields.method, "zscore")
    assert panel.fields.k.disabled
    assert "zscore, weights dense 1, bm25 1" in panel._shown.value
    choose(panel.fields.method, "minmax")
    assert "1 × " in panel._shown.value
    choose(panel.fields.method, "rrf")
    assert not panel.fields.k.disabled


def test_weights_from_code_stay_until_the_slider_moves(panel):
    panel.show(weights={"dense": 1, "bm25": 0.33})
    panel.fields.k.set_state({"value": 7})
    assert panel.weights == {"dense": 1, "bm25": 0.33}
    assert panel.fields.balance.value == pytest.approx(0.165, abs=0.01)
    panel.fields.balance.set_state({"value": 0.75})
    assert panel.weights == {"dense": 0.5, "bm25": 1.0}


def test_the_reasons_stay_open_while_k_moves(panel, museum):
    panel.show(query="fee of the museum")
    choose(panel.fields.why, museum.fees.chunk_id)
    assert re.search(r"<details open.*?1/\(60 \+ 1\) \+ 1/\(60 \+ 3\) = 0.0323", panel._shown.value)
    panel.fields.k.set_state({"value": 0})
    assert re.search(r"<details open.*?1/\(0 \+ 1\) \+ 1/\(0 \+ 3\) = 1.3333", panel._shown.value)
    panel.show(why="B")
    assert panel.fields.why.value == museum.cards.chunk_id
    panel.show(query="cat")
    assert (panel.why, panel.fields.why.value) == ("", "")


def test_what_the_tags_hide_is_nowhere_in_state_or_page(panel):
    choose(panel.fields.chosen, "q-pay")
    assert all(secret in everything(panel) for secret in SECRETS)
    choose(panel.fields.why, panel.seen.rankings[1].items[0].chunk.chunk_id)
    panel.fields.tags.set_state({"value": "all"})
    assert "the evidence is hidden from these tags" in panel._shown.value
    for secret in SECRETS:
        assert secret not in everything(panel)


def test_tags_can_be_narrowed_and_not_widened(museum):
    panel = RetrievalInspector(museum.library, museum.questions, filters=museum.guest, query="q-pay")
    assert panel.fields.tags.placeholder == "all"
    for typed in ("hr", "all, hr", "Salaries", ","):
        panel.fields.tags.set_state({"value": typed})
        for secret in SECRETS:
            assert secret not in everything(panel).replace(typed, "")
    panel.fields.tags.set_state({"value": "hr"})
    assert "the tag &#x27;hr&#x27; is not one that the inspector was opened with" in panel._shown.value
    panel.fields.tags.set_state({"value": "all"})
    assert not panel.trouble


TAGS = st.frozensets(st.sampled_from("abc"), max_size=2)


@given(st.none() | TAGS, TAGS, TAGS)
def test_nobody_sees_more_by_typing(opened, typed, held):
    filters = Filters.owner() if opened is None else Filters.for_tags(opened)
    item = make_chunk("x", access_tags=tuple(held))
    try:
        narrowed = narrow_filters(filters, tags=",".join(typed), where="", include_superseded=False)
    except InvalidValue:
        assert opened is not None
        assert typed - opened
        return
    assert filters.admits(item) or not narrowed.admits(item)
    if typed:
        assert narrowed.access_tags == typed


def test_conditions_narrow_what_is_searched(panel):
    panel.show(query="fee cat")
    panel.fields.where.set_state({"value": "document_id=cats; title=Cats"})
    assert "where document_id=cats and title=Cats" in panel._said.value
    assert letters(panel, "fused") == "A"
    panel.fields.superseded.set_state({"value": True})
    assert panel.filters.include_superseded
    assert "superseded versions too" in panel._said.value


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"where": "nonsense"}, "'nonsense' is not a condition"),
        ({"k": -1}, "k -1 is no number from 0"),
        ({"k": 1.5}, "k 1.5 is not a whole number"),
        ({"top_k": 0}, "top_k 0 asks for nothing"),
        ({"method": "max"}, "unknown fusion 'max'; choose 'rrf', 'zscore' or 'minmax'"),
        ({"weights": {"dense": -1}}, "the weight -1 of dense is no number from 0"),
        ({"weights": {"dense": "much"}}, "the weight 'much' of 'dense': give numbers for dense and bm25"),
        ({"weights": {"words": 1}}, "the weight 1 of 'words': give numbers for dense and bm25"),
        ({"weights": None}, "weights None is not weights by name"),
        ({"tags": ["all"]}, "tags ['all'] is not a text"),
        ({"query": None}, "query None is not a text"),
        ({"why": ["A"]}, "why ['A'] is not a text"),
        ({"include_superseded": 1}, "include_superseded 1 is not true or false"),
    ],
)
def test_what_does_not_fit_is_a_line_and_the_panel_stays_usable(panel, changes, said):
    before = {name: getattr(panel, name) for name in changes}
    panel.show(**changes)
    for shown in (panel.html(), panel.text(), panel._shown.value):
        assert said in shown.replace("&#x27;", "'")
    assert 'role="alert"' in panel._shown.value
    assert isinstance(panel.error, InvalidValue)
    assert panel.seen is None
    panel.show(**before)
    assert (panel.error, panel.trouble) == (None, "")
    assert "Why here?" in panel._shown.value


def test_a_reranker_that_fails_is_a_line_too(museum):
    class Broken:
        name = "broken"

        def rerank(self, query, candidates, *, top_n):
            raise TimeoutError("no answer")

    panel = RetrievalInspector(museum.library, filters=museum.owner, query="fee", reranker=Broken())
    assert "TimeoutError: no answer" in panel._shown.value


def test_a_wrong_name_is_an_error_in_the_cell(panel):
    with pytest.raises(InvalidValue, match="'colour' cannot be changed: choose query, method, k"):
        panel.show(colour="red")


def test_without_questions_there_is_no_chooser(museum):
    panel = RetrievalInspector(museum.library, filters=museum.owner)
    assert panel.fields.chosen not in panel.root.children
    panel.fields.query.set_state({"value": "fee"})
    assert letters(panel, "dense") == "AB"


def test_each_change_searches_once(panel, museum):
    embedder = museum.store.dense.embedder
    before = embedder.calls
    panel.show(query="card", k=3, method="zscore", weights={"dense": 0.2, "bm25": 1.0}, top_k=2, tags="all")
    assert embedder.calls == before + 1
    panel.fields.k.set_state({"value": 9})
    assert embedder.calls == before + 2


def test_the_twin_says_the_same_without_a_kernel_and_without_ipywidgets(museum, panel, monkeypatch):
    bundle = panel._repr_mimebundle_()
    assert {WIDGET_VIEW, "text/html", "text/plain"} <= set(bundle)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    bare = RetrievalInspector(museum.library, museum.questions, filters=museum.owner, query="q-fee")
    assert bare.root is None
    assert bare._repr_mimebundle_() == {"text/html": bundle["text/html"], "text/plain": bundle["text/plain"]}
    bare.show(k=7)
    assert "k = 7" in bare.html()


@given(st.floats(0, 1))
def test_a_balance_comes_back_from_its_weights(balance):
    assert balance_of(weights_at(balance)) == pytest.approx(balance, abs=0.02)


def test_filters_in_words():
    assert describe_filters(Filters.owner()) == "seen by the owner"
    assert describe_filters(Filters.for_tags([])) == "seen without a tag"
