"""Intervals: by hand, against scipy, and what they promise about any values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit import InvalidValue
from rag_kit.evaluation.intervals import bootstrap_mean, paired_bootstrap, wilson

VALUES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30)


def test_wilson_of_no_cases_says_nothing():
    assert wilson(0, 0) == (0, 1)


def test_the_interval_of_a_mean_is_scipys():
    stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(7).random(80)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=4_000, method="percentile", rng=1)
    assert bootstrap_mean(values.tolist()) == pytest.approx(tuple(theirs.confidence_interval), abs=0.008)


def test_of_two_equally_likely_values_every_mean_can_come_up():
    # Of two cases the resampled mean is 0, 1/2 or 1 with chances 1/4, 1/2, 1/4.
    assert bootstrap_mean([0, 1]) == (0, 1)
    assert bootstrap_mean([0, 1], level=0.4) == (0.5, 0.5)


def test_pairing_sees_a_small_gain_that_hard_and_easy_questions_would_hide():
    hard = np.random.default_rng(3).random(60)
    found = paired_bootstrap((hard + 0.02).tolist(), hard.tolist())
    assert found.better is True
    assert found.low == pytest.approx(0.02)
    assert found.high == pytest.approx(0.02)


def test_no_difference_is_not_shown_where_the_interval_holds_zero():
    assert paired_bootstrap([0.4, 0.4], [0.4, 0.4]).better is None
    assert paired_bootstrap([1, 0, 1, 0], [0, 1, 0, 1]).better is None


def test_fewer_than_six_questions_show_no_difference_whatever_their_values():
    found = [paired_bootstrap([1.0] * count, [0.0] * count) for count in range(1, 8)]
    assert [difference.better for difference in found] == [None] * 5 + [True] * 2
    assert [difference.mean for difference in found] == [1.0] * 7


@settings(max_examples=30)
@given(VALUES)
def test_turned_round_the_difference_is_the_other_one_and_twice_is_the_same(pairs):
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    one, two = paired_bootstrap(a, b, resamples=500), paired_bootstrap(b, a, resamples=500)
    assert one == paired_bootstrap(a, b, resamples=500)
    assert (one.mean, one.low, one.high) == pytest.approx((-two.mean, -two.high, -two.low), abs=1e-12)
    assert min(x - y for x, y in pairs) - 1e-12 <= one.low <= one.high <= max(x - y for x, y in pairs) + 1e-12


def test_another_seed_draws_other_resamples_with_nearly_the_same_ends():
    values = np.random.default_rng(5).random(40).tolist()
    one, two = bootstrap_mean(values, seed=0), bootstrap_mean(values, seed=1)
    assert one != two
    assert one == pytest.approx(two, abs=0.01)


@pytest.mark.parametrize(
    ("a", "b", "fault"),
    [
        ([1.0], [1.0, 2.0], "1 values against 2"),
        ([], [], "0 values make no interval"),
        ([float("nan")], [0.0], "finite number"),
    ],
)
def test_values_that_cannot_be_compared_are_refused(a, b, fault):
    with pytest.raises(InvalidValue, match=fault):
        paired_bootstrap(a, b)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_is_a_share(level):
    with pytest.raises(InvalidValue, match="choose a level"):
        bootstrap_mean([1.0], level=level)
