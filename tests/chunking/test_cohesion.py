"""Distances of words by hand, and what any texts give."""

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.chunking.cohesion import word_distances


def test_distances_by_hand():
    # "fee" is in 2 of 3 texts and weighs log(4 / 2), "card" and "moon" in one and weigh log(4): fee and card
    # against fee alone, then fee against moon.
    fee, card = log(2), log(4)
    cosine = fee * fee / (sqrt(fee**2 + card**2) * fee)
    assert word_distances(["fee card", "a fee", "the moon"], [2, 2, 2], window=2) == [
        round(1 - cosine, 5),
        1.0,
    ]


def test_a_window_is_of_tokens_and_of_whole_texts():
    texts = ["moon", "fee", "fee", "moon"]
    assert word_distances(texts, [1] * 4, window=1) == [1.0, 0.0, 1.0]
    assert word_distances(texts, [1] * 4, window=2) == [1.0, 0.0, 1.0]
    # Each word is in two of the texts: moon against fee, fee and moon.
    far = round(1 - 1 / sqrt(5), 5)
    assert word_distances(texts, [1] * 4, window=3) == [far, 0.0, far]
    assert word_distances(texts, [9] * 4, window=2) == [1.0, 0.0, 1.0]


def test_a_word_that_stands_everywhere_says_less_than_one_that_does_not():
    everywhere = word_distances(["page one", "page two", "page one"], [2] * 3, window=2)[0]
    here = word_distances(["page one", "page two", "book one"], [2] * 3, window=2)[0]
    assert everywhere > here


def test_words_are_compared_as_a_search_compares_them():
    assert word_distances(["Fees", "fee", "The 1,500", "1500"], [1] * 4, window=1) == [0.0, 1.0, 0.0]
    assert word_distances(["退款", "退款期限"], [2, 4])[0] < 1.0
    assert word_distances(["of the", "fee"], [2, 1]) == [1.0]


@pytest.mark.parametrize("texts", [[], ["fee"]])
def test_where_there_is_no_place_there_is_no_distance(texts):
    assert word_distances(texts, [1] * len(texts)) == []


@given(
    st.lists(
        st.tuples(st.text(max_size=30) | st.sampled_from(["fee card", "fee"]), st.integers(0, 9)), max_size=9
    )
)
def test_for_any_texts_distances_are_shares_and_the_same_from_behind(rows):
    texts, tokens = [text for text, _ in rows], [count for _, count in rows]
    found = word_distances(texts, tokens, window=8)
    assert len(found) == max(len(texts) - 1, 0)
    assert all(0 <= far <= 1 for far in found)
    assert word_distances(texts[::-1], tokens[::-1], window=8)[::-1] == pytest.approx(found, abs=2e-5)
