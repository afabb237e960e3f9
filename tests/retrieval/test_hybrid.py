"""Hybrid retrieval and the store under it: both ways, what each knows of a chunk, and changes."""

import math
from datetime import date

import numpy as np
import pytest

from rag_kit import Filters, InvalidValue
from rag_kit.retrieval import Fusion, HybridRetriever, MemoryStore
from rag_kit.testing import WordEmbedder, make_chunk

OWNER = Filters.owner(as_of=date(2026, 6, 1))
EMBEDDER = WordEmbedder("fee", "day", "charge")


def make_store(*texts, **options):
    chunks = [make_chunk(text, f"d{at}") for at, text in enumerate(texts)]
    return MemoryStore(chunks, EMBEDDER.embed(texts), EMBEDDER, **options)


def ids(evidence):
    return [item.chunk.document_id for item in evidence]


def test_each_way_finds_its_own_and_knows_the_other_score():
    store = make_store("fee fee", "XX-1042", "fee XX-1042 day day day")
    lists = store.search("fee XX-1042", ways=["dense", "bm25"], filters=OWNER, top_k=5)
    assert ids(lists["dense"]) == ["d0", "d2"], "a text without direction is close to nothing"
    assert set(ids(lists["bm25"])[:2]) == {"d1", "d2"}
    best = lists["dense"][0]
    assert best.similarity == best.scores["dense"] == 1.0
    assert best.scores["bm25"] > 0
    assert best.ranks == {"dense": 1}
    code = next(item for item in lists["bm25"] if item.chunk.document_id == "d1")
    assert code.similarity is None
    assert "dense" not in code.scores


def test_a_chunk_without_the_words_scores_nothing_by_them():
    store = make_store("fee", "charge")
    found = store.search("fee", ways=["dense", "bm25"], filters=OWNER, top_k=5)
    assert ids(found["bm25"]) == ["d0"]
    assert [item.scores["bm25"] for item in found["dense"]] == [pytest.approx(0.69315), 0.0]


def test_only_the_ways_asked_for_are_searched():
    assert set(make_store("fee").search("fee", ways=["bm25"], filters=OWNER, top_k=1)) == {"bm25"}
    with pytest.raises(InvalidValue, match="choose 'dense' or 'bm25'"):
        make_store("fee").search("fee", ways=["sparse"], filters=OWNER, top_k=1)


def test_the_hybrid_finds_what_either_finds():
    store = make_store("fee fee", "XX-1042 manual")
    found = HybridRetriever(store).search("fee of the XX-1042", filters=OWNER, top_k=5)
    assert set(ids(found)) == {"d0", "d1"}
    ranks = {item.chunk.document_id: item.ranks.keys() for item in found}
    assert ranks == {"d0": {"dense", "bm25"}, "d1": {"bm25"}}


@pytest.mark.parametrize(
    ("query", "counts"),
    [
        ("XX-1042", 3),
        ("What is the XX-1042?", 3),
        ("XX-1042 and E_CONN_RESET", 3),
        ("fee of the XX-1042", 1),
        ("What does the XX-1042 cost?", 1),
        ("fee", 1),
    ],
)
def test_the_words_count_for_more_where_a_question_is_nothing_but_a_code(query, counts):
    store = make_store("fee cost", "XX-1042 E_CONN_RESET", "day fee XX-1042")
    plain, heavy = (
        HybridRetriever(store, Fusion("rrf"), code_weight=weight).search(query, filters=OWNER, top_k=3)
        for weight in (1, 3)
    )
    before = {item.chunk.document_id: item.score for item in plain}
    assert any("bm25" in item.ranks for item in heavy)
    for item in heavy:
        by_words = 1 / (60 + item.ranks["bm25"]) if "bm25" in item.ranks else 0.0
        gain = (counts - 1) * by_words
        assert item.score - before[item.chunk.document_id] == pytest.approx(gain, abs=1e-8)


def test_weights_are_the_fusions():
    store = make_store("fee fee", "fee charge day day")
    dense_only = HybridRetriever(store, Fusion(weights={"bm25": 0.0}))
    words_only = HybridRetriever(store, Fusion(weights={"dense": 0.0}))
    assert ids(dense_only.search("fee charge", filters=OWNER, top_k=2)) == ["d0", "d1"]
    assert ids(words_only.search("fee charge", filters=OWNER, top_k=2)) == ["d1", "d0"]


def test_more_than_the_candidates_can_be_asked_for():
    store = make_store(*(f"fee {'day ' * n}" for n in range(8)))
    assert len(HybridRetriever(store, candidates=2).search("fee", filters=OWNER, top_k=6)) == 6


def test_a_store_takes_new_chunks_and_puts_them_in_place_of_the_old():
    store = make_store("fee", "day")
    new = [make_chunk("charge charge", "d2"), store.chunks[0]]
    store.upsert(new, EMBEDDER.embed([chunk.text for chunk in new]))
    assert sorted(chunk.document_id for chunk in store.chunks) == ["d0", "d1", "d2"]
    for word, name in (("charge", "d2"), ("fee", "d0"), ("day", "d1")):
        for way, found in store.search(word, ways=["dense", "bm25"], filters=OWNER, top_k=5).items():
            assert ids(found)[0] == name, way


def test_a_store_can_begin_empty():
    store = MemoryStore([], np.zeros((0, 3), np.float32), EMBEDDER)
    assert store.search("fee", ways=["dense", "bm25"], filters=OWNER, top_k=3) == {"dense": [], "bm25": []}
    store.upsert([make_chunk("fee")], EMBEDDER.embed(["fee"]))
    assert ids(HybridRetriever(store).search("fee", filters=OWNER, top_k=3)) == ["d"]


@pytest.mark.parametrize(
    ("texts", "width", "message"), [(["fee", "fee"], 3, "stands twice"), (["fee"], 2, "same embedder")]
)
def test_what_cannot_be_added_is_refused_and_nothing_changes(texts, width, message):
    store = make_store("day")
    with pytest.raises(InvalidValue, match=message):
        store.upsert([make_chunk(text, "new") for text in texts], np.ones((len(texts), width), np.float32))
    assert [chunk.text for chunk in store.chunks] == ["day"]


def test_no_candidates_are_refused():
    with pytest.raises(InvalidValue, match="candidates 0"):
        HybridRetriever(make_store("day"), candidates=0)


@pytest.mark.parametrize("weight", [-1, -0.5, math.nan, math.inf, -math.inf])
def test_a_weight_of_codes_that_is_no_number_is_refused_before_anything_is_asked(weight):
    with pytest.raises(InvalidValue, match=f"code_weight {weight} is no number from 0: 2 is usual"):
        HybridRetriever(make_store("day"), code_weight=weight)


def test_a_weight_of_codes_may_be_nothing():
    found = HybridRetriever(make_store("fee", "XX-1042"), code_weight=0).search(
        "What is XX-1042?", filters=OWNER, top_k=2
    )
    assert [item.score for item in found if "bm25" in item.ranks] == [0.0]


def test_what_is_ended_is_found_only_where_it_is_asked_for():
    store = make_store("fee", "fee day")
    assert store.supersede("d0", date(2026, 1, 1)) == 1
    assert store.supersede("nobody", date(2026, 1, 1)) == 0
    older = Filters.owner(as_of=date(2026, 6, 1), include_superseded=True)
    for way in ("dense", "bm25"):
        assert ids(store.search("fee", ways=[way], filters=OWNER, top_k=5)[way]) == ["d1"]
        assert ids(store.search("fee", ways=[way], filters=older, top_k=5)[way]) == ["d0", "d1"]


def test_the_store_of_some_chunks_finds_only_these():
    store = make_store("fee", "day", "fee day")
    kept = store.keeping([2], [store.chunks[2]])
    assert {
        way: ids(found)
        for way, found in kept.search("fee", ways=["dense", "bm25"], filters=OWNER, top_k=5).items()
    } == {
        "dense": ["d2"],
        "bm25": ["d2"],
    }
