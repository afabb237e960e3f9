"""The threshold of the offline reader: counts that can be checked by hand."""

import pytest

from rag_kit.evaluation.questions import Question
from rag_kit.evaluation.reader_threshold import Outcome, Tally, best_threshold, tally


def outcome(expected, score, right=False):
    return Outcome(Question("q", "Q?", expected, ()), score, right)


FOUND = [
    outcome("answer", 0.9, right=True),
    outcome("answer", 0.7),
    outcome("answer", 0.3, right=True),
    outcome("refuse", 0.6),
    outcome("refuse", 0.2),
]


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (0.0, Tally(0.0, 2, 3, 0, 0, 1.0, 0.0)),
        (0.3, Tally(0.3, 2, 2, 1, 0, 1.0, 0.5)),
        (0.65, Tally(0.65, 1, 1, 2, 1, pytest.approx(2 / 3), 1.0)),
        (1.0, Tally(1.0, 0, 0, 2, 3, 0.0, 1.0)),
    ],
)
def test_a_threshold_splits_the_outcomes(threshold, expected):
    assert tally(FOUND, threshold) == expected


def test_the_balance_is_youdens_j():
    # Two of three answered, both unanswerable ones refused: 2/3 + 1 - 1.
    assert tally(FOUND, 0.65).balance == pytest.approx(2 / 3)
    assert tally(FOUND, 0.0).balance == 0
    assert tally(FOUND, 1.0).balance == 0


def test_the_best_threshold_is_the_middle_of_the_best():
    # The balance is highest, 2/3, from 0.61 to 0.70: ten thresholds, the sixth of them is 0.66.
    assert best_threshold(FOUND).threshold == 0.66


def test_nothing_to_count_is_no_division_by_zero():
    assert tally([], 0.5).balance == -1
    assert tally([outcome("refuse", 0.1)], 0.5).refused == 1
