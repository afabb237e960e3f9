"""Similarity by shared runs of words: MinHash finds what comparing all pairs finds."""

import random

import numpy as np

from rag_kit.shingles import HASHES, Shingler, alike, similarity


def words_of(seed, count=60):
    return random.Random(seed).choices([f"w{n}" for n in range(400)], k=count)


def test_similarity_is_shared_runs_over_all_runs():
    shingler = Shingler()
    one, two = shingler("a b c d e f"), shingler("b c d e f g")
    # abc bcd cde def | bcd cde def efg
    assert similarity(one, two) == 3 / 5
    assert similarity(one, one) == 1.0
    assert similarity(one, shingler("x y z")) == 0.0


def test_the_order_of_words_counts():
    shingler = Shingler()
    assert similarity(shingler("a b c"), shingler("c b a")) == 0.0


def test_all_pairs_above_the_threshold_are_found_and_no_others():
    texts = []
    for seed in range(60):
        words = words_of(seed)
        texts.append(" ".join(words))
        if seed % 3 == 0:
            words[30] = "changed"
            texts.append(" ".join(words))
    sets = [Shingler()(text) for text in texts]
    exact = {
        (a, b)
        for a in range(len(sets))
        for b in range(a + 1, len(sets))
        if similarity(sets[a], sets[b]) >= 0.8
    }
    assert len(exact) == 20
    assert {(a, b) for a, b, _ in alike(sets, 0.8, rows=4)} == exact


def test_many_equal_sets_are_each_measured_against_few():
    held = Shingler()(" ".join(words_of(1)))
    pairs = list(alike([held] * 500, 0.8, rows=4))
    assert len(pairs) <= 2 * 499
    assert {share for _, _, share in pairs} == {1.0}


def test_empty_sets_are_like_nothing():
    empty = np.empty(0, dtype=np.uint64)
    assert list(alike([empty, empty], 0.1, rows=HASHES)) == []
    assert similarity(empty, empty) == 0.0
