"""Metrics: the published literals by hand, trec_eval as the oracle, and what holds for any ranking."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import InvalidValue
from rag_kit.evaluation.metrics import (
    average_precision,
    hit_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)

AT_K = (recall_at_k, precision_at_k, hit_at_k, reciprocal_rank, average_precision, ndcg_at_k)
IDS = [f"d{number}" for number in range(12)]
K = st.integers(1, 15)
GOLD = st.sets(st.sampled_from(IDS))


def test_an_id_that_comes_again_counts_once_and_takes_up_its_place():
    ranked, gold = ["A", "A", "C", "B"], {"A", "B"}
    assert recall_at_k(ranked, gold, 3) == 0.5
    assert hit_at_k(ranked, gold, 3) == 1
    assert reciprocal_rank(ranked, gold) == 1
    assert ndcg_at_k(ranked, gold, 3) == pytest.approx(0.6131, abs=5e-5)
    assert recall_at_k(ranked, gold, 4) == 1
    assert ndcg_at_k(ranked, gold, 4) == pytest.approx(0.8772, abs=5e-5)
    assert precision_at_k(ranked, gold, 4) == 0.5
    assert average_precision(ranked, gold) == (1 + 2 / 4) / 2


def test_several_relevant_ids_of_which_one_is_missing():
    ranked, gold = ["X", "B", "A", "Y"], {"A", "B", "C"}
    assert reciprocal_rank(ranked, gold) == 0.5
    assert reciprocal_rank(ranked, gold, 1) == 0
    assert recall_at_k(ranked, gold, 4) == pytest.approx(2 / 3)
    assert average_precision(ranked, gold) == pytest.approx(0.3889, abs=5e-5)
    assert average_precision(ranked, gold, 2) == pytest.approx(1 / 6)


@pytest.mark.parametrize("metric", AT_K)
def test_gold_written_twice_is_one(metric):
    ranked = ["X", "A", "B"]
    assert metric(ranked, ["A", "A"], 3) == metric(ranked, {"A"}, 3)


@pytest.mark.parametrize("metric", AT_K)
def test_where_nothing_is_relevant_or_nothing_was_found_it_is_0(metric):
    assert metric(["A", "B"], set(), 2) == 0
    assert metric([], {"A"}, 2) == 0
    assert metric([], [], 2) == 0


@pytest.mark.parametrize("metric", AT_K)
@pytest.mark.parametrize("k", [0, -1])
def test_k_below_1_is_refused(metric, k):
    with pytest.raises(InvalidValue, match=f"k {k} asks for nothing"):
        metric(["A"], {"A"}, k)


@pytest.mark.parametrize("metric", AT_K)
def test_one_text_is_neither_a_ranking_nor_gold(metric):
    with pytest.raises(InvalidValue, match="'AB' is one text"):
        metric(["A"], "AB", 1)
    with pytest.raises(InvalidValue, match="'AB' is one text"):
        metric("AB", ["A"], 1)


def test_places_beyond_the_ranking_are_empty_places():
    assert precision_at_k(["A"], {"A"}, 10) == 0.1
    assert recall_at_k(["A"], {"A"}, 10) == 1
    assert ndcg_at_k(["A"], {"A", "B"}, 10) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_gains_weigh_what_is_found():
    gains = {"A": 3.0, "B": 1.0, "C": 0.0}
    assert ndcg_at_k(["A", "B", "C"], gains, 3) == 1
    assert ndcg_at_k(["C", "B", "A"], gains, 3) == pytest.approx(
        (1 / math.log2(3) + 3 / 2) / (3 + 1 / math.log2(3))
    )
    assert ndcg_at_k(["C"], {"C": 0.0}, 1) == 0
    for gain in (-1.0, math.nan, math.inf):
        with pytest.raises(InvalidValue, match="of 'A' is none"):
            ndcg_at_k(["A"], {"A": gain}, 1)


@given(st.permutations(IDS), st.integers(0, len(IDS)), st.sets(st.sampled_from(IDS), min_size=1), K)
def test_each_is_trec_evals(order, length, gold, k):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    ranked = order[:length]
    measures = {f"{name}.{k}" for name in ("recall", "P", "success", "ndcg_cut", "map_cut")}
    judge = pytrec_eval.RelevanceEvaluator({"q": dict.fromkeys(gold, 1)}, measures | {"recip_rank", "map"})
    # It sorts by score, so each place has a score of its own; an empty ranking is one of a stranger.
    run = {name: float(len(ranked) - place) for place, name in enumerate(ranked)} or {"stranger": 1.0}
    theirs = judge.evaluate({"q": run})["q"]
    ours = {
        f"recall_{k}": recall_at_k(ranked, gold, k),
        f"P_{k}": precision_at_k(ranked, gold, k),
        f"success_{k}": hit_at_k(ranked, gold, k),
        f"ndcg_cut_{k}": ndcg_at_k(ranked, gold, k),
        f"map_cut_{k}": average_precision(ranked, gold, k),
        "map": average_precision(ranked, gold),
        "recip_rank": reciprocal_rank(ranked, gold),
    }
    assert ours == pytest.approx(theirs)


@given(st.permutations(IDS), st.dictionaries(st.sampled_from(IDS), st.integers(0, 3), min_size=1), K)
def test_graded_gains_are_trec_evals(ranked, gains, k):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    run = {name: float(len(ranked) - place) for place, name in enumerate(ranked)}
    measures = {f"ndcg_cut.{k}", f"recall.{k}", f"P.{k}", f"success.{k}", "map", "recip_rank"}
    theirs = pytrec_eval.RelevanceEvaluator({"q": gains}, measures).evaluate({"q": run})["q"]
    ours = {
        f"ndcg_cut_{k}": ndcg_at_k(ranked, gains, k),
        f"recall_{k}": recall_at_k(ranked, gains, k),
        f"P_{k}": precision_at_k(ranked, gains, k),
        f"success_{k}": hit_at_k(ranked, gains, k),
        "map": average_precision(ranked, gains),
        "recip_rank": reciprocal_rank(ranked, gains),
    }
    assert ours == pytest.approx(theirs)


@given(st.lists(st.sampled_from(IDS), max_size=20), GOLD, K)
def test_any_ranking_is_worth_0_to_1_and_repeats_are_worth_nothing(ranked, gold, k):
    strangers = [name if name not in ranked[:at] else f"again {at}" for at, name in enumerate(ranked)]
    for metric in AT_K:
        assert 0 <= metric(ranked, gold, k) <= 1
        assert metric(ranked, gold, k) == metric(strangers, gold, k)
    assert recall_at_k(ranked, gold, k) <= hit_at_k(ranked, gold, k)
    assert reciprocal_rank(ranked, gold, k) <= hit_at_k(ranked, gold, k)


@given(st.permutations(IDS), st.sets(st.sampled_from(IDS), min_size=1))
def test_relevant_ids_first_is_the_best_that_can_be(ranked, gold):
    best = sorted(ranked, key=lambda name: name not in gold)
    k = len(gold)
    assert [metric(best, gold, k) for metric in AT_K] == pytest.approx([1] * len(AT_K))
