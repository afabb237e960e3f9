"""The order of a prompt: best first, or the best at both ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import InvalidValue
from rag_kit.generation import edges_first
from rag_kit.generation.ordering import arrange


@pytest.mark.parametrize(
    ("ranked", "placed"),
    [
        ([], []),
        ([1], [1]),
        ([1, 2], [1, 2]),
        ([1, 2, 3, 4], [1, 3, 4, 2]),
        ([1, 2, 3, 4, 5, 6], [1, 3, 5, 6, 4, 2]),
    ],
)
def test_the_best_stand_at_the_ends(ranked, placed):
    assert edges_first(ranked) == placed


@given(st.integers(1, 60))
def test_every_item_is_kept_and_from_both_ends_to_the_middle_they_get_worse(count):
    placed = edges_first(list(range(count)))
    assert sorted(placed) == list(range(count))
    worst = placed.index(count - 1)
    assert placed[: worst + 1] == sorted(placed[: worst + 1])
    assert placed[worst:] == sorted(placed[worst:], reverse=True)


def test_rank_changes_nothing_and_an_unknown_order_names_the_two():
    assert arrange([3, 1, 2], "rank") == [3, 1, 2]
    with pytest.raises(InvalidValue, match="unknown order 'random'; choose 'rank' or 'edges'"):
        arrange([1], "random")
