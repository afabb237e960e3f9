"""Fusion: RRF by hand, scores on one scale, ties, and what is kept."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import InvalidValue
from rag_kit.retrieval import Fusion, fuse_scores, reciprocal_rank_fusion, rrf_scores
from rag_kit.testing import make_chunk
from rag_kit.types import Evidence

CHUNKS = {name: make_chunk(name, name) for name in "ABCDEF"}


def listed(way, names, scores=None):
    scores = scores or [float(len(names) - at) for at in range(len(names))]
    return [
        Evidence(CHUNKS[name], rank, score, score if way == "dense" else None, {way: rank}, {way: score})
        for rank, (name, score) in enumerate(zip(names, scores, strict=True), start=1)
    ]


def lists(dense, bm25):
    return {"dense": listed("dense", dense), "bm25": listed("bm25", bm25)}


def order(evidence):
    return "".join(item.chunk.document_id for item in evidence)


def test_rrf_by_hand():
    fused = reciprocal_rank_fusion(lists("ABC", "CD"))
    assert [(i.chunk.document_id, i.score) for i in fused] == [
        ("C", pytest.approx(1 / 63 + 1 / 61, abs=1e-9)),
        ("A", pytest.approx(1 / 61, abs=1e-9)),
        ("B", pytest.approx(1 / 62, abs=1e-9)),
        ("D", pytest.approx(1 / 62, abs=1e-9)),
    ]
    assert fused[0].ranks == {"dense": 3, "bm25": 1}
    assert fused[0].scores == {"dense": 1.0, "bm25": 2.0}
    assert fused[0].similarity == 1.0
    assert fused[3].similarity is None
    assert [item.rank for item in fused] == [1, 2, 3, 4]


def test_k_and_weights():
    assert rrf_scores({"a": ["x"], "b": ["y", "x"]}, k=0, weights={"b": 0.5}) == {"x": 1.25, "y": 0.5}
    assert order(reciprocal_rank_fusion(lists("AB", "BA"), weights={"bm25": 2})) == "BA"
    assert order(reciprocal_rank_fusion(lists("AB", "CA"), weights={"bm25": 0})) == "ABC"


@pytest.mark.parametrize(
    ("k", "weights"), [(-1, {}), (float("nan"), {}), (60, {"a": -1}), (60, {"a": float("inf")})]
)
def test_numbers_that_are_none_are_refused(k, weights):
    with pytest.raises(InvalidValue):
        rrf_scores({"a": ["x"]}, k=k, weights=weights)


def test_a_document_does_not_win_for_its_length():
    long = [make_chunk(f"part {n}", "A") for n in range(3)]
    other, third = make_chunk("other", "B"), make_chunk("third", "C")
    dense = [Evidence(chunk, rank, 1 / rank, 0.5) for rank, chunk in enumerate([*long, other], start=1)]
    bm25 = [Evidence(chunk, rank, 1 / rank) for rank, chunk in enumerate([other, third], start=1)]
    fused = reciprocal_rank_fusion({"dense": dense, "bm25": bm25}, by="document")
    assert [(i.chunk.document_id, round(i.score, 6)) for i in fused] == [
        ("B", 0.032522),
        ("A", 0.016393),
        ("C", 0.016129),
    ]
    assert fused[1].chunk.text == "part 0"


def test_a_document_keeps_the_score_that_each_list_gave_and_stands_first_where_it_is_first_in_both():
    one, two = sorted([make_chunk("d1", "D"), make_chunk("d2", "D")], key=lambda chunk: chunk.chunk_id)
    dense = [
        Evidence(one, 1, 0.9, 0.9, {"dense": 1}, {"dense": 0.9, "bm25": 0.5}),
        *listed("dense", "EF", [0.8, 0.0]),
    ]
    bm25 = [
        Evidence(two, 1, 5.0, 0.1, {"bm25": 1}, {"bm25": 5.0, "dense": 0.1}),
        *listed("bm25", "E", [1.0]),
    ]
    for both in ({"dense": dense, "bm25": bm25}, {"bm25": bm25, "dense": dense}):
        fused = fuse_scores(both, by="document", normalise="minmax")
        assert [(item.chunk.document_id, item.score) for item in fused] == [
            ("D", 2.0), ("E", pytest.approx(0.8 / 0.9, abs=1e-9)), ("F", 0.0),
        ]  # fmt: skip
        best = fused[0]
        assert (best.chunk, best.similarity, best.scores) == (one, 0.9, {"dense": 0.9, "bm25": 5.0})


@pytest.mark.parametrize("fuse", [reciprocal_rank_fusion, fuse_scores])
def test_a_document_is_shown_by_its_chunk_at_the_best_rank(fuse):
    late, early = make_chunk("late", "D"), make_chunk("early", "D")
    dense = [*listed("dense", "A", [0.9]), Evidence(late, 2, 0.5, 0.5, {"dense": 2}, {"dense": 0.5})]
    for similarity, shown in ((0.25, 0.25), (None, 0.5)):
        bm25 = [Evidence(early, 1, 7.0, similarity, {"bm25": 1}, {"bm25": 7.0})]
        for both in ({"dense": dense, "bm25": bm25}, {"bm25": bm25, "dense": dense}):
            [found] = [item for item in fuse(both, by="document") if item.chunk.document_id == "D"]
            assert (found.chunk, found.similarity) == (early, shown)
            assert (found.ranks, found.scores) == ({"dense": 2, "bm25": 1}, {"dense": 0.5, "bm25": 7.0})


SCORES = st.sampled_from([-2.0, 0.0, 0.1, 0.7, 1 / 3, 5.0])
PASSAGES = [make_chunk(f"part {part}", name) for name in "ABC" for part in range(3)]
FOUND = st.builds(
    lambda chunk, score, similarity, scores: Evidence(chunk, 1, score, similarity, {}, scores),
    st.sampled_from(PASSAGES),
    SCORES,
    st.none() | SCORES,
    st.dictionaries(st.sampled_from(["dense", "bm25", "titles", "other"]), SCORES),
)


@given(
    st.permutations(["dense", "bm25", "titles"]),
    st.lists(st.lists(FOUND, max_size=6), min_size=3, max_size=3),
    st.sampled_from(["rrf", "zscore", "minmax"]),
    st.sampled_from(["chunk", "document"]),
)
def test_the_order_of_the_lists_changes_nothing(names, found, method, by):
    given_lists = dict(zip(["dense", "bm25", "titles"], found, strict=True))
    fusion = Fusion(method, weights={"dense": 0.3, "titles": 0.7})
    fused = fusion.fuse(given_lists, by=by)
    assert fusion.fuse({name: given_lists[name] for name in names}, by=by) == fused
    for item in fused:
        for name in item.ranks:
            first = next(
                e
                for e in given_lists[name]
                if (e.chunk == item.chunk if by == "chunk" else e.chunk.document_id == item.chunk.document_id)
            )
            assert item.scores[name] == first.scores.get(name, first.score)


def test_equal_scores_go_by_best_rank_and_then_by_chunk_id():
    assert order(reciprocal_rank_fusion(lists("DA", "AD"))) == "AD"
    assert order(reciprocal_rank_fusion(lists("AD", "DA"))) == "AD"
    assert order(reciprocal_rank_fusion(lists("C", "B"))) == "BC"


def test_scores_are_brought_to_one_scale():
    # dense: mean 2, deviation 1; bm25: A is not in the list and counts as the lowest, 10.
    both = {"dense": listed("dense", "AB", [3.0, 1.0]), "bm25": listed("bm25", "BC", [30.0, 10.0])}
    fused = {i.chunk.document_id: i.score for i in fuse_scores(both, normalise="minmax")}
    assert fused == {"A": 1.0, "B": 1.0, "C": 0.0}
    weighted = fuse_scores(both, normalise="minmax", weights={"bm25": 0.5})
    assert {i.chunk.document_id: i.score for i in weighted} == {"A": 1.0, "B": 0.5, "C": 0.0}
    zs = {i.chunk.document_id: i.score for i in fuse_scores({"dense": listed("dense", "AB", [3.0, 1.0])})}
    assert zs == {"A": 1.0, "B": -1.0}


def test_a_score_that_a_list_does_not_show_is_used_where_it_is_known():
    known = [Evidence(CHUNKS["A"], 1, 9.0, 0.2, {"bm25": 1}, {"bm25": 9.0, "dense": 0.2})]
    fused = fuse_scores({"dense": listed("dense", "BC", [0.9, 0.1]), "bm25": known}, normalise="minmax")
    assert [(i.chunk.document_id, i.score) for i in fused] == [("B", 1.0), ("A", 0.125), ("C", 0.0)]


def test_equal_scores_say_nothing():
    fused = fuse_scores({"dense": listed("dense", "BA", [0.5, 0.5])})
    assert [i.score for i in fused] == [0.0, 0.0]


def test_nothing_fused_is_nothing():
    assert (
        reciprocal_rank_fusion({}) == fuse_scores({"dense": []}) == Fusion().fuse({"dense": [], "bm25": []})
    )


def test_a_method_that_is_none_is_refused():
    with pytest.raises(InvalidValue, match="unknown fusion 'best'; choose 'rrf', 'zscore' or 'minmax'"):
        Fusion("best")
    with pytest.raises(InvalidValue, match="unknown scale 'best'; choose 'zscore' or 'minmax'"):
        fuse_scores(lists("A", "B"), normalise="best")


@pytest.mark.parametrize("fuse", [reciprocal_rank_fusion, fuse_scores])
def test_what_can_be_fused_is_chunks_and_documents(fuse):
    with pytest.raises(InvalidValue, match="unknown unit of fusion 'page'; choose 'chunk' or 'document'"):
        fuse(lists("A", "B"), by="page")


NAMES = st.lists(st.sampled_from("ABCDEF"), max_size=6, unique=True)


@given(NAMES, NAMES, st.sampled_from(["rrf", "zscore", "minmax"]))
def test_a_fusion_holds_each_chunk_once_and_falls(dense, bm25, method):
    given_lists = lists(dense, bm25)
    fused = Fusion(method).fuse(given_lists)
    assert sorted(order(fused)) == sorted(set(dense) | set(bm25))
    scores = [item.score for item in fused]
    assert scores == sorted(scores, reverse=True)
    turned = Fusion(method).fuse(dict(reversed(given_lists.items())))
    assert [(i.chunk.chunk_id, i.score) for i in turned] == [(i.chunk.chunk_id, i.score) for i in fused]
    for item in fused:
        for way, names in (("dense", dense), ("bm25", bm25)):
            name = item.chunk.document_id
            assert item.ranks.get(way) == (names.index(name) + 1 if name in names else None)


@given(
    st.permutations("ABCDEF"),
    st.permutations("ABCDEF"),
    st.integers(1, 7),
    st.sampled_from(["rrf", "zscore"]),
)
def test_the_best_few_are_the_front_of_all(dense, bm25, top_k, method):
    given_lists = lists("".join(dense[:4]), "".join(bm25[:4]))
    fusion = Fusion(method)
    assert fusion.fuse(given_lists, top_k=top_k) == fusion.fuse(given_lists)[:top_k]


@pytest.mark.parametrize("fuse", [reciprocal_rank_fusion, fuse_scores])
def test_lists_may_be_read_once_and_no_count_below_1_is_taken(fuse):
    known = lists("ABC", "CA")
    assert fuse({name: iter(items) for name, items in known.items()}) == fuse(known)
    for top_k in (0, -1):
        with pytest.raises(InvalidValue, match="asks for nothing"):
            fuse(known, top_k=top_k)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("normalise", ["zscore", "minmax"])
def test_a_score_that_is_no_number_spoils_no_other(bad, normalise):
    fused = fuse_scores({"dense": listed("dense", "ABC", [2.0, 1.0, bad])}, normalise=normalise)
    assert order(fused) == "ABC"
    assert all(math.isfinite(item.score) for item in fused)


@pytest.mark.parametrize("k", [math.nan, math.inf, -1])
def test_a_k_that_is_no_number_is_refused_before_anything_is_fused(k):
    with pytest.raises(InvalidValue, match="60 is usual"):
        Fusion(k=k)
