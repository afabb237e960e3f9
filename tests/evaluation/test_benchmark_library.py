"""The benchmark of a library: the floor comes along, whoever asks is asked for, and an index stands in."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from rag_kit import Filters, InvalidValue, load_settings, open_library
from rag_kit.evaluation.benchmark import WARM_UP
from rag_kit.evaluation.benchmark_library import benchmark_library, documents_of
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.operations import Library
from rag_kit.retrieval import MemoryStore
from rag_kit.testing import WordEmbedder, make_chunk

OWNER = Filters.owner(as_of=date(2026, 6, 1))
PAY = (
    "---\nid: pay\naccess_tags: [hr]\n---\n# Pay\n\nThe porter earns 9 euros.\n\n## Bonus\n\nThere is none.\n"
)
FEES = "# Fees\n\nThe fee is 5 euros.\n\n\n## Cards\n\nA lost card costs 2 euros.\n"


@pytest.fixture
def library(folder):
    docs = folder({"pay.md": PAY, "fees.md": FEES})
    return open_library(docs, settings=load_settings(offline=True), size=16)


def asking(name, question, *golds, **fields):
    return Question(name, question, "answer", golds, **fields)


FEE = asking("fee", "What is the fee?", Gold("fees.md"))
PORTER = asking(
    "porter", "What does the porter earn?", Gold("pay"), user_tags=("hr",), denied_tags=("staff",)
)


def test_each_question_is_asked_by_whom_it_names_and_the_rest_by_whoever_runs_it(library):
    result = benchmark_library(library, [FEE, PORTER], filters=OWNER, pipelines=["dense"], k=9)
    assert [row.name for row in result.pipelines] == ["bm25", "dense"]
    seen = {place.document_id for place in result.pipelines[1].ranked[1]}
    assert seen == {"pay"}, "HR sees no fees, for they have no tag"
    assert {place.document_id for place in result.pipelines[1].ranked[0]} == {"pay", "fees.md"}
    assert (result.denied, [row.leaks for row in result.pipelines]) == (1, [0, 0])
    assert all(row.values["recall"] == (1, 1) for row in result.pipelines)
    assert set(result.overlap) == {"fee", "porter"}
    with pytest.raises(InvalidValue, match="porter rests on pay, which is left out"):
        benchmark_library(library, [replace(PORTER, user_tags=("staff",))], filters=OWNER)


def test_the_overlap_is_the_plain_share_of_the_words_that_the_evidence_holds(library):
    parking = asking("parking", "What is the fee for parking a car?", Gold("fees.md"))
    result = benchmark_library(library, [FEE, parking], filters=OWNER, pipelines=["bm25"])
    assert result.overlap == {"fee": 1.0, "parking": pytest.approx(1 / 3)}


def test_an_unknown_pipeline_is_refused_before_anything_is_asked(library):
    with pytest.raises(InvalidValue, match="unknown pipeline 'magic'; choose 'dense', 'bm25'"):
        benchmark_library(library, [FEE], filters=OWNER, pipelines=["dense", "magic"])


def test_of_an_index_every_span_slices_back_to_its_text(library):
    stand_ins = documents_of(replace(library, documents=()), OWNER)
    texts = {document.document_id: document.text for document in stand_ins}
    assert set(texts) == {"pay", "fees.md"}
    assert len(library.chunks) > 2
    for chunk in library.chunks:
        assert texts[chunk.document_id][slice(*chunk.span)] == chunk.text
    assert documents_of(library, OWNER) == list(library.documents)


@pytest.mark.parametrize("saved", [False, True])
def test_documents_are_those_that_whoever_asks_may_see(library, saved):
    held = replace(library, documents=()) if saved else library
    for tags, seen in ([], []), (["staff"], []), (["hr", "staff"], ["pay"]):
        # Of whatever date and fields: why one of them is left out may be told.
        filters = Filters.for_tags(tags, as_of=date(1999, 1, 1), where=["region=EU"])
        assert [one.document_id for one in documents_of(held, filters)] == seen


def test_the_tags_of_a_question_open_nothing_that_whoever_asks_may_not_see(library):
    both = replace(PORTER, user_tags=("hr", "board"), denied_tags=("hr",))
    result = benchmark_library(library, [both], filters=Filters.for_tags(["hr"]), pipelines=["bm25"], k=9)
    assert {place.document_id for place in result.pipelines[0].ranked[0]} == {"pay"}
    assert result.pipelines[0].leaks > 0, "a denial with a tag that whoever asks holds is looked at"
    with pytest.raises(InvalidValue, match="no document has the id|left out"):
        benchmark_library(library, [both], filters=Filters.for_tags(["staff"]), pipelines=["bm25"])
    open_to_all = asking("moon", "What does the porter earn?", Gold("pay"), user_tags=("staff",))
    for filters in (OWNER, Filters.for_tags(["hr"])):
        with pytest.raises(InvalidValue, match="rests on pay, which is left out"):
            benchmark_library(library, [open_to_all], filters=filters, pipelines=["bm25"])


CHUNKS = (
    make_chunk("The fee of plan Oslo is 5.", "oslo"),
    make_chunk("The fee of plan Rome is 7.", "rome", start=1),
)
COMPARED = asking("both", "Compare the fee of plan Oslo and plan Rome.", Gold("oslo"), Gold("rome"))
SPACED = asking("spaced", "  What is the fee\n", Gold("oslo"))
OSLO = asking("oslo", "What is the fee of plan Oslo?", Gold("oslo"))
THANKS = Question("thanks", "Thanks a lot!", "refuse", ())


@pytest.fixture
def watched():
    """Two passages, embedded on demand by an embedder that keeps what it was asked for; there is no server."""
    embedder = WordEmbedder("fee", "oslo", "rome")
    settings = load_settings({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "RAG_KIT_EMBED_MODEL": "none"})

    def embed():
        return embedder.embed([chunk.text for chunk in CHUNKS]), np.arange(len(CHUNKS), dtype=np.int32)

    return Library((), (), CHUNKS, MemoryStore(CHUNKS, embed, embedder), None, settings), embedder


@pytest.mark.parametrize(
    "pipelines", [["dense"], ["hybrid"], ["bm25", "dense", "hybrid"], ["hybrid", "bm25"]]
)
def test_no_pipeline_pays_for_a_question_or_what_is_searched_for_in_its_place(watched, pipelines):
    library, embedder = watched
    asked = [COMPARED, SPACED, THANKS, OSLO]
    benchmark_library(library, asked, filters=OWNER, pipelines=pipelines)
    others = {WARM_UP, *(chunk.text for chunk in CHUNKS)}
    texts = [text for text in embedder.texts if text not in others]
    # Each is asked for once before the first search, and what a search asks for has been.
    each = list(dict.fromkeys(texts))
    assert texts[: len(each)] == each
    assert embedder.texts.index(WARM_UP) >= len(each)
    assert len(texts) > len(each)
    if "hybrid" in pipelines:
        assert {"the fee of plan Oslo", "the fee of plan Rome", "What is the fee"} <= set(each)


def test_the_sentences_that_a_reranker_reads_are_its_own(watched):
    library, embedder = watched
    benchmark_library(library, [COMPARED], filters=OWNER, pipelines=["hybrid+rerank"])
    first = embedder.texts.index(WARM_UP)
    later = set(embedder.texts[first:]) - {WARM_UP} - set(embedder.texts[:first])
    assert not later & {COMPARED.question, "the fee of plan Oslo", "the fee of plan Rome"}


def test_where_no_pipeline_needs_vectors_nothing_is_embedded(watched):
    library, embedder = watched
    result = benchmark_library(library, [COMPARED, OSLO], filters=OWNER, pipelines=["bm25"])
    assert (embedder.texts, result.embed_ms, result.without_vectors) == ([], None, ("bm25",))
    assert result.pipelines[0].values["hit"] == (1, 1)
