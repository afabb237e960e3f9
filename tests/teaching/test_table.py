"""A table of results: which columns stand at the right."""

import pytest

from rag_kit.teaching import show_table


def alignment(*cells):
    return show_table(["c"], [[cell] for cell in cells]).data.splitlines()[1]


@pytest.mark.parametrize(
    "cells",
    [
        (1, 2.5),
        (1, "–"),
        ("", 0.5),
        ("3", "–", "40"),
        ("+0.5", "-0.5", "−0.5"),
        ("4 %", "50%", "1,250"),
        ("0.65 (0.45 to 0.83)", "–"),
        ("-0.1 (-0.2 to +0.3)", "0.5 [0.1, 0.7]"),
        ("**+0.050** (0.01 to 0.09)", "**3**", "**4 %**", "**0.5 (0.1 to 0.7)**", "–", 2),
    ],
)
def test_numbers_stand_at_the_right_beside_cells_that_say_there_is_none(cells):
    assert alignment(*cells) == "|---:|"


@pytest.mark.parametrize(
    "cells",
    [
        (),
        ("–", ""),
        (1, "not found"),
        ("2 of 5",),
        ("4.1 Inspection",),
        ("6, 1", 2),
        ("0.8 / 0.6",),
        ("0.1 (0.0 to 0.3), better",),
        ("30 W",),
        ("12.5.2026",),
        ("**3",),
        ("2**10",),
        ("**very** 5",),
        ("",),
    ],
)
def test_a_column_with_any_other_cell_is_one_of_words(cells):
    assert alignment(*cells) == "|---|"


def test_each_column_is_looked_at_alone_and_the_cells_stay_as_they_were():
    table = show_table(["word|sign", "rank", "share"], [["a|b", 1200, 0.5], ["c\nd", "–", 1.0]])
    assert table.data.splitlines() == [
        "| word\\|sign | rank | share |",
        "|---|---:|---:|",
        "| a\\|b | 1,200 | 0.500 |",
        "| c d | – | 1.000 |",
    ]
