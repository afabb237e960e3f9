"""Rankings kept in a file: what is read is what was written, and a fusion of it is the fusion of the kit."""

from datetime import date

import numpy as np
import pytest

from rag_kit.access import Filters
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.evaluation.rankings import RankedQuestion, load_rankings, rank_questions, save_rankings
from rag_kit.retrieval import MemoryStore, reciprocal_rank_fusion
from rag_kit.testing import WordEmbedder, make_chunk

OWNER = Filters.owner(as_of=date(2026, 11, 15))


@pytest.fixture
def store():
    texts = ("The fee is 5 a day.", "A day of the fee.", "No day is free.", "Nothing of it.")
    chunks = [make_chunk(text, f"d{at}") for at, text in enumerate(texts)]
    embedder = WordEmbedder("fee", "day", "free")
    return MemoryStore(chunks, np.asarray(embedder.embed(texts)), embedder)


@pytest.fixture
def asked():
    return [
        Question("one", "Which fee a day?", "answer", (Gold("d0", (0, 19)), Gold("d2"))),
        Question("two", "Is a day free?", "answer", (Gold("d2", (0, 15)),)),
        Question("none", "Who is it?", "refuse", ()),
    ]


def test_what_is_read_is_what_was_written(store, asked, tmp_path):
    rows = rank_questions(asked, store, filters=OWNER)
    save_rankings(rows, tmp_path / "r.json")
    assert load_rankings(tmp_path / "r.json") == rows
    assert [row.question_id for row in rows] == ["one", "two"]
    ids = [chunk.chunk_id for chunk in store.chunks]
    assert rows[0].golds == ((ids[0],), (ids[2],))


@pytest.mark.parametrize(("k", "weight"), [(60, 1.0), (0, 1.0), (5, 0.25), (60, 4.0)])
def test_a_fusion_of_the_ids_is_the_fusion_of_the_evidence(store, asked, k, weight):
    for question, row in zip(asked, rank_questions(asked, store, filters=OWNER), strict=False):
        lists = store.search(question.question, ways=("dense", "bm25"), filters=OWNER, top_k=50)
        fused = reciprocal_rank_fusion(lists, k=k, weights={"bm25": weight})
        assert row.fused(k=k, weights={"bm25": weight}) == [item.chunk.chunk_id for item in fused]


def test_recall_counts_gold_and_not_chunks():
    row = RankedQuestion("q", {}, (("A", "B"), ("C",), ()))
    assert row.recall(["A", "B"], 2) == pytest.approx(1 / 3)
    assert row.recall(["C", "B", "A"], 2) == pytest.approx(2 / 3)


def test_hidden_chunks_are_in_no_list(store, asked):
    nobody = Filters.for_tags(["public"], as_of=date(2026, 11, 15))
    assert rank_questions(asked, store, filters=nobody)[0].lists == {"dense": (), "bm25": ()}


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "3", '{"chunks": [], "questions": [{"id": "q", "golds": [[0]], "lists": {}}]}', None],
)
def test_a_file_that_is_none_is_named(text, tmp_path):
    path = tmp_path / "r.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidValue, match=r"r\.json: no saved rankings"):
        load_rankings(path)
