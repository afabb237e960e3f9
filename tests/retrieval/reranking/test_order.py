"""New scores, new order: never misaligned, never a NaN on top."""

import math

import pytest

from rag_kit import InvalidValue
from rag_kit.retrieval.reranking.order import reorder, standardise
from rag_kit.testing import make_evidence

THREE = make_evidence("One.", "Two.", "Three.")


def order(found):
    return [item.chunk.text for item in found]


def test_scores_that_are_all_equal_leave_the_order():
    found = reorder(THREE, [1.0, 1.0, 1.0], top_n=2)
    assert [(item.chunk.text, item.rank, item.score) for item in found] == [
        ("One.", 1, 1.0),
        ("Two.", 2, 1.0),
    ]


def test_scores_that_differ_in_their_last_bits_are_equal():
    assert order(reorder(THREE, [0.1 + 0.2, 0.3, 0.3 + 1e-9], top_n=3)) == ["One.", "Two.", "Three."]


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_comes_last_with_a_warning_and_no_odd_score_leaves(odd):
    with pytest.warns(UserWarning, match="1 of 3 scores are no numbers"):
        found = reorder(THREE, [0.9, odd, 0.1], top_n=3)
    assert [(item.chunk.text, item.score) for item in found] == [
        ("One.", 0.9),
        ("Three.", 0.1),
        ("Two.", 0.1),
    ]


def test_where_no_score_is_a_number_the_order_stays():
    with pytest.warns(UserWarning, match="3 of 3"):
        found = reorder(THREE, [math.nan] * 3, top_n=3)
    assert [(item.chunk.text, item.score) for item in found] == [
        ("One.", 0.0),
        ("Two.", 0.0),
        ("Three.", 0.0),
    ]


@pytest.mark.parametrize("scores", [[], [0.5, 0.2], [0.5, 0.2, 0.1, 0.0]])
def test_too_few_or_too_many_scores_are_never_matched_up(scores):
    with pytest.raises(InvalidValue, match=f"{len(scores)} scores for 3 candidates"):
        reorder(THREE, scores, top_n=2)


def test_z_scores_have_mean_nought_and_spread_one():
    assert standardise([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).tolist() == [
        -1.5, -0.5, -0.5, -0.5, 0.0, 0.0, 1.0, 2.0,
    ]  # fmt: skip
    assert standardise([]).tolist() == []
    assert standardise([3.0]).tolist() == [0.0]
