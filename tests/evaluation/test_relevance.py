"""What is relevant: half of a gold span or the document; overlap, parents, and gold in pieces."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import InvalidValue
from rag_kit.evaluation.metrics import average_precision, hit_at_k, ndcg_at_k, precision_at_k, recall_at_k
from rag_kit.evaluation.questions import Gold
from rag_kit.evaluation.relevance import MEASURES, holds, judge, score_ranking
from rag_kit.testing import make_chunk

SECOND = 1 / math.log2(3)


def at(start, end, document_id="d"):
    """Make a chunk that stands at a span, its text its own."""
    return make_chunk("x" * (end - start), document_id, start=start, chunk_id=f"{document_id}#{start}-{end}")


@pytest.mark.parametrize(
    ("span", "relevant"),
    [
        ((0, 10), True),
        ((10, 20), True),
        ((15, 25), True),
        ((16, 26), False),
        ((-1, 5), True),
        ((20, 30), False),
    ],
)
def test_a_passage_is_relevant_when_it_holds_at_least_half_of_the_gold(span, relevant):
    # The passage stands at 0 to 20; of the gold at 15 to 25 it holds 5 of 10.
    assert holds(at(0, 20), Gold("d", span)) is relevant
    assert holds(at(0, 20, "e"), Gold("d", span)) is False


def test_of_an_uneven_length_half_is_rounded_up():
    assert holds(at(0, 3), Gold("d", (0, 5)))
    assert not holds(at(0, 2), Gold("d", (0, 5)))


def test_gold_without_a_span_is_found_with_any_passage_of_the_document():
    found = [at(0, 9, "other"), at(40, 50), at(0, 9), at(9, 20)]
    scores = score_ranking([Gold("d")], found, 4)
    assert scores["recall"] == scores["span_recall"] == scores["hit"] == 1
    assert (scores["mrr"], scores["precision"]) == (0.5, 0.75)
    # Further passages of the same document are nothing new, and take nothing away.
    assert (scores["ndcg"], scores["map"]) == (pytest.approx(SECOND), 0.5)


def test_two_passages_that_hold_the_same_gold_are_one_piece_found_and_two_relevant_places():
    found = [at(0, 20), at(5, 25), at(50, 60)]
    scores = score_ranking([Gold("d", (5, 15)), Gold("d", (50, 60))], found, 2)
    assert scores["recall"] == scores["span_recall"] == 0.5
    assert scores["precision"] == 1
    assert scores["map"] == 0.5
    assert scores["ndcg"] == pytest.approx(1 / (1 + SECOND))
    # At 3 the second piece is found, behind a place that brought nothing new.
    assert score_ranking([Gold("d", (5, 15)), Gold("d", (50, 60))], found, 3)["map"] == (1 + 2 / 3) / 2


def test_one_passage_that_holds_all_the_gold_is_the_best_ranking_there_is():
    scores = score_ranking([Gold("d", (0, 10)), Gold("d", (50, 60))], [at(0, 100), at(200, 300)], 2)
    assert {name: scores[name] for name in ("recall", "mrr", "ndcg", "map", "span_recall")} == dict.fromkeys(
        ("recall", "mrr", "ndcg", "map", "span_recall"), 1
    )
    assert scores["precision"] == 0.5


def test_gold_cut_into_pieces_too_small_is_lost_and_still_counted():
    pieces = [at(0, 4), at(4, 8), at(8, 12)]
    scores = score_ranking([Gold("d", (0, 12))], pieces, 3)
    assert scores.pop("span_recall") == 1, "every character is there"
    assert set(scores.values()) == {0.0}
    halves = score_ranking([Gold("d", (0, 12))], [at(0, 6), at(6, 12)], 1)
    assert (halves["recall"], halves["span_recall"]) == (1, 0.5)


def test_gold_named_twice_is_one_piece():
    twice = score_ranking([Gold("d", (0, 10)), Gold("d", (0, 10))], [at(0, 10)], 1)
    assert twice == score_ranking([Gold("d", (0, 10))], [at(0, 10)], 1)
    assert set(twice.values()) == {1.0}


def test_a_passage_that_comes_again_takes_up_a_place_and_counts_once():
    again = score_ranking([Gold("d", (0, 10)), Gold("e", (0, 10))], [at(0, 10), at(0, 10), at(0, 10, "e")], 2)
    assert (again["recall"], again["precision"], again["span_recall"]) == (0.5, 0.5, 0.5)


def test_a_question_without_gold_has_no_recall_rather_than_one_of_0():
    with pytest.raises(InvalidValue, match="without gold cannot be scored"):
        score_ranking([], [at(0, 10)], 5)
    with pytest.raises(InvalidValue, match="k 0 asks for nothing"):
        score_ranking([Gold("d")], [], 0)


def test_where_nothing_is_found_everything_is_0():
    assert score_ranking([Gold("d", (0, 9))], [], 5) == dict.fromkeys(MEASURES, 0.0)


def test_each_place_says_which_gold_it_holds():
    golds = [Gold("d", (0, 10)), Gold("d", (20, 30)), Gold("e"), Gold("f")]
    judged = judge(golds, [at(0, 30), at(90, 99), at(20, 40), at(0, 5, "e")])
    assert judged.held == ((0, 1), (), (1,), (2,))
    assert judged.relevant == {"d#0-30", "d#20-40", "e#0-5"}
    assert len(judged.new) == 3, "two passages with something new, and a name for what is not found"


PASSAGES = [at(number * 10, number * 10 + 10) for number in range(9)]


@given(st.permutations(PASSAGES), st.sets(st.integers(0, 8), min_size=1), st.integers(1, 12))
def test_where_each_piece_of_gold_is_a_passage_of_its_own_it_is_what_the_ids_say(found, numbers, k):
    golds = [Gold("d", PASSAGES[number].span) for number in sorted(numbers)]
    ranked, relevant = [chunk.chunk_id for chunk in found], {PASSAGES[number].chunk_id for number in numbers}
    scores = score_ranking(golds, found, k)
    assert scores["recall"] == scores["span_recall"] == pytest.approx(recall_at_k(ranked, relevant, k))
    assert scores["precision"] == precision_at_k(ranked, relevant, k)
    assert scores["hit"] == hit_at_k(ranked, relevant, k)
    assert scores["ndcg"] == pytest.approx(ndcg_at_k(ranked, relevant, k))
    assert scores["map"] == pytest.approx(average_precision(ranked, relevant, k))


SPAN = st.tuples(st.integers(0, 40), st.integers(1, 15)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(
    st.lists(st.one_of(st.none(), SPAN), min_size=1, max_size=4),
    st.lists(SPAN, max_size=6),
    st.integers(1, 6),
)
def test_whatever_overlaps_what_every_measure_is_0_to_1(golds, spans, k):
    scores = score_ranking([Gold("d", span) for span in golds], [at(*span) for span in spans], k)
    assert set(scores) == set(MEASURES)
    assert all(0 <= value <= 1 for value in scores.values())
    assert scores["recall"] <= scores["hit"] == min(1, math.ceil(scores["precision"]))
    assert bool(scores["map"]) == bool(scores["ndcg"]) == bool(scores["hit"])
