"""The chunk inspector: what it says of a document, a question and its gold, and what a browser does to it."""

import re
import sys

import pytest

from rag_kit import InvalidValue, load_settings
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.parsing import parse
from rag_kit.teaching import ChunkInspector
from rag_kit.teaching.building.canonical import WIDGET_VIEW
from rag_kit.teaching.views.inspection import inspect_chunks
from rag_kit.teaching.views.inspection_view import inspection_html, inspection_text, summary
from rag_kit.testing import FakeTokenizer, ScriptedTransport, WordEmbedder

OFFLINE = load_settings(offline=True)
QUOTE = "The museum cat is called Ptolemy by all."
FEES = f"# Fees\n\nThe entry fee is five euros for a visitor.\n\n# Cats\n\n{QUOTE}\n"
CAT = "What is the cat called?"
WORDS = WordEmbedder("fee", "cat", "euros", "ptolemy")


@pytest.fixture
def documents(folder):
    docs = folder(
        {"museum.md": FEES, "garden.md": "# Garden\n\nThe garden closes at dusk, in winter at four.\n"}
    )
    return parse(docs).documents


@pytest.fixture
def museum(documents):
    return next(d for d in documents if d.title == "Fees")


@pytest.fixture
def asked(museum):
    start = museum.text.index(QUOTE)
    return Question("1", CAT, "answer", (Gold(museum.document_id, (start, start + len(QUOTE))),))


def inspected(document, question="", **how):
    return inspect_chunks(document, FakeTokenizer(), WORDS, question=question, **how)


def panel_of(documents, *arguments, **options):
    return ChunkInspector(documents, *arguments, settings=OFFLINE, **options)


def test_the_gold_quote_is_followed_to_the_chunk_that_came_back(museum, asked):
    seen = inspected(museum, asked, strategy="structure", size=13)
    assert [seen.holds(piece) for piece in seen.chunks] == [0, 1]
    assert seen.ranks[seen.chunks[1].chunk_id] == 1
    assert "The gold quote is whole in chunk 2, and it came back at rank 1." in summary(seen)
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", inspection_html(seen)) == [QUOTE]


def test_a_gold_quote_that_is_cut_is_said_to_be_cut(museum, asked):
    seen = inspected(museum, asked, strategy="fixed", size=6, overlap=0)
    parts = [piece for piece in seen.chunks if seen.holds(piece)]
    assert len(parts) > 1
    assert (
        f"The gold quote is cut: {len(parts)} chunks hold a part of it, and none holds it whole."
        in summary(seen)
    )
    marks = "".join(re.findall(r"<mark[^>]*>(.*?)</mark>", inspection_html(seen)))
    assert marks.replace(" ", "") == QUOTE.replace(" ", "")


def test_a_gold_quote_that_does_not_come_back_is_said_to_be_away(museum, asked):
    elsewhere = Question("2", "What is the fee in euros?", "answer", asked.evidence)
    seen = inspected(museum, elsewhere, strategy="structure", size=13, top_k=1)
    assert "The gold quote is whole in chunk 2, and it is not among the first 1." in summary(seen)


def test_what_a_chunk_repeats_is_counted_and_shown_once_as_repeated(museum):
    seen = inspected(museum, strategy="fixed", size=8, overlap=3)
    repeated = sum(piece.overlap for piece in seen.chunks)
    assert repeated > 0
    assert f"{repeated:,} characters stand in two chunks." in summary(seen)[0]
    assert (
        "nothing stands in two chunks." in summary(inspected(museum, strategy="fixed", size=8, overlap=0))[0]
    )


def test_findings_stand_at_their_chunk(museum):
    seen = inspected(museum, strategy="fixed", size=6, overlap=0)
    cut = [finding for finding in seen.findings if finding.code == "sentence_cut"]
    assert cut
    assert f"sentence cut ({len(cut)})" in summary(seen)[1]
    page = inspection_html(seen, whole=True)
    assert page.count("sentence cut</span>") == len({finding.chunk_id for finding in cut})
    assert cut[0].message in page


def test_a_page_that_nobody_can_click_is_short_and_a_live_one_is_whole(folder):
    text = "\n\n".join(
        f"# Part {n}\n\nSentence number {n} is about nothing at all, as is its neighbour." for n in range(200)
    )
    [document] = parse(folder({"long.md": text + "\n\n# Cat\n\nThe cat sleeps.\n"})).documents
    seen = inspected(document, "Where is the cat?", strategy="structure", size=20, top_k=1)
    assert len(seen.chunks) > 100
    static, live = inspection_html(seen), inspection_html(seen, whole=True)
    assert static.count("<details") <= 3
    assert live.count("<details") == len(seen.chunks)
    assert len(static) < len(live) / 3
    assert len(inspection_text(seen).splitlines()) < 10


def test_markup_in_a_document_is_shown_and_not_obeyed(folder):
    [document] = parse(folder({"x.md": "# A <b>\n\n<script>alert(1)</script> The cat.\n"})).documents
    for whole in (False, True):
        page = inspection_html(inspected(document, "cat <i>"), whole=whole)
        assert "<script" not in page
        assert "<i>" not in page


def test_an_empty_document_has_nothing_to_cut(folder):
    [document] = parse(folder({"x.md": "---\ntitle: Nothing\n---\n"})).documents
    assert summary(inspected(document, "cat")) == ["There is nothing to cut: the document holds no text."]
    assert "nothing to cut" in inspection_html(inspected(document))


def test_a_reader_moves_the_borders(folder):
    panel = panel_of(parse(folder({"long.md": FEES * 6})).documents, size=64)
    before = len(panel.seen.chunks)
    panel.strategy_field.set_state({"index": panel.strategy_field.options.index("fixed")})
    panel.size_field.set_state({"value": 32})
    assert panel.seen.chunks[0].tokens <= 32
    assert len(panel.seen.chunks) > before
    panel.overlap_field.set_state({"value": 8})
    assert sum(piece.overlap for piece in panel.seen.chunks) > 0
    assert f"{len(panel.seen.chunks)} chunks of" in panel._shown.value


def test_a_question_of_the_list_opens_its_document(documents, museum, asked):
    garden = next(d for d in documents if d is not museum)
    panel = panel_of([garden, museum], [asked], size=32)
    assert panel.document_field.value == garden.document_id
    panel.question_field.set_state({"value": CAT})
    assert panel.document_field.value == museum.document_id
    assert "The gold quote is whole in chunk" in panel._shown.value
    panel.document_field.set_state({"index": 0})
    assert panel.question_field.value == ""
    assert "Question:" not in panel._shown.value


def test_a_question_of_ones_own_is_searched(documents, museum):
    panel = panel_of([museum], size=32)
    panel.question_field.set_state({"value": "Who is Ptolemy?"})
    assert "Question: Who is Ptolemy?" in panel._shown.value
    assert "rank 1</span>" in panel._shown.value
    panel.question_field.set_state({"value": "   "})
    assert "rank 1" not in panel._shown.value


def test_what_does_not_fit_is_said_and_the_panel_stays_usable(documents):
    panel = panel_of(documents, size=64)
    panel.size_field.set_state({"value": 32})
    panel.overlap_field.set_state({"value": 64})
    assert "overlap 64 does not fit a size of 32: choose 0 to 31" in panel._shown.value
    assert 'role="alert"' in panel._shown.value
    assert isinstance(panel.error, InvalidValue)
    assert "overlap 64 does not fit" in panel.text()
    panel.overlap_field.set_state({"value": 8})
    assert panel.error is None
    assert "chunks of" in panel._shown.value


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"size": 0}, "size 0 is not a chunk size"),
        ({"size": 5_000}, "size 5000 is more than the embedder reads (256 tokens)"),
        ({"strategy": "magic"}, "unknown strategy"),
        ({"document_id": "nowhere"}, "no document has the id"),
    ],
)
def test_a_cell_that_asks_for_what_cannot_be_gets_a_line(documents, changes, said):
    panel = panel_of(documents)
    panel.show(**changes)
    for shown in (panel.html(), panel.text(), panel._shown.value):
        assert said in shown.replace("&#x27;", "'")


def test_a_server_that_fails_is_a_line_too(documents):
    panel = panel_of(documents, client=ScriptedTransport().client(max_retries=0), question="cat")
    assert panel.seen is None
    assert panel.error is not None
    assert 'role="alert"' in panel._shown.value


def test_a_wrong_name_or_no_document_is_an_error_in_the_cell(documents):
    with pytest.raises(InvalidValue, match="'colour' cannot be changed: choose document_id"):
        panel_of(documents).show(colour="red")
    with pytest.raises(InvalidValue, match="there is no document to look at"):
        panel_of([])


def test_the_document_is_cut_once_for_each_change(museum):
    panel = panel_of([museum], size=64)
    panel.embedder = words = WordEmbedder("cat")
    panel.show(strategy="fixed", size=32, question="cat")
    # The chunks once, the question once: a field that follows the others must not cut again.
    assert words.calls == 2


def test_the_twin_says_the_same_without_a_kernel_and_without_ipywidgets(documents, monkeypatch):
    live = panel_of(documents, question="Who is Ptolemy?")
    bundle = live._repr_mimebundle_()
    assert {WIDGET_VIEW, "text/html", "text/plain"} <= set(bundle)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    bare = panel_of(documents, question="Who is Ptolemy?")
    assert bare.root is None
    assert bare._repr_mimebundle_() == {"text/html": bundle["text/html"], "text/plain": bundle["text/plain"]}
    bare.show(size=64)
    assert "size 64" in bare.html()
