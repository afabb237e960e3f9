"""Tables: merged cells in all their places, numbers told from words, and first rows that are headers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.parsing.tables import (
    MOST_REPEATED,
    SpannedCell,
    names_only,
    reads_as_header,
    reads_as_number,
    spread,
)


def test_a_label_stands_in_each_place_that_it_takes():
    cells = [
        SpannedCell("Plan", 0, 0, 2, 1),
        SpannedCell("Europe", 0, 1, 1, 2),
        SpannedCell("Net", 1, 1),
        SpannedCell("Gross", 1, 2),
        SpannedCell("Trial only", 2, 0, 1, 3),
    ]
    assert spread(cells, heads=2) == [
        ["Plan", "Europe", "Europe"],
        ["Plan", "Net", "Gross"],
        ["Trial only", "", ""],
    ]
    assert spread(cells[-1:], heads=3)[2] == ["Trial only"] * 3


@given(st.lists(st.lists(st.text(max_size=3), min_size=3, max_size=3), min_size=1, max_size=5))
def test_cells_that_are_not_merged_come_back(grid):
    cells = [
        SpannedCell(text, row, column) for row, line in enumerate(grid) for column, text in enumerate(line)
    ]
    assert spread(cells, heads=1) == grid


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 3), st.integers(0, 3))
def test_a_merged_cell_fills_its_places_and_no_other(height, width, row, column):
    cells = [SpannedCell("x", row, column, height, width), SpannedCell("", 0, 9)]
    rows = spread(cells, heads=0)
    places = {(r, c) for r, line in enumerate(rows) for c, text in enumerate(line) if text}
    assert places == {(row + r, column + c) for r in range(height) for c in range(width)}


def test_merged_cells_repeat_only_so_much():
    cells = [SpannedCell("x" * 1_000, 2 * at, 0, 1, 60) for at in range(100)] + [SpannedCell("y", 0, 60)]
    assert sum(len(text) for row in spread(cells, heads=0) for text in row) < MOST_REPEATED + 200_000


@pytest.mark.parametrize(
    "text",
    ["5", "-5", "+5", "1,234.50", "1.234,50", "1 234", "12.5%", "30 %", "€5", "5 €", "EUR 5", "5 EUR", "$1,234.00",
     "(5.00)", "5 kg", "2026-03-04", "04.03.2026", "3/4/26", "09:30", "2026-03-04 09:30", "1.2E-4", "~5", "<0.5"],
)  # fmt: skip
def test_numbers_amounts_measures_and_dates_are_numbers(text):
    assert reads_as_number(text)


@pytest.mark.parametrize("text", ["", " ", "-", "n/a", "Pro", "Q1", "XX-1042", "Plan 9", "5 litres a day"])
def test_words_and_part_numbers_are_none(text):
    assert not reads_as_number(text)


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([["Plan", "Seats"], ["Pro", "40"]], True),
        ([["", "2025", "2026"], ["EU", "5", "6"]], True),
        ([["Plan", "2025", "2026"], ["EU", "5", "6"]], True),
        ([["Plan", "Seats"], ["Pro", "40"], ["Basic", "n/a"], ["Team", "7"]], True),
        ([["Plan", ""], ["Pro", "40"]], False),
        ([["Card", "yes"], ["Cash", "no"]], False),
        ([["Pro", "40"], ["Basic", "5"]], False),
        ([["2025", "2026"], ["5", "6"]], False),
        ([["Plan", "Seats"]], False),
    ],
)
def test_a_first_row_is_a_header_where_words_stand_over_numbers(rows, header):
    assert reads_as_header(rows) is header


def test_years_are_names_only_beside_a_name_or_an_empty_corner():
    assert names_only(["Plan", "2025"])
    assert names_only(["", "2025"])
    assert not names_only(["2024", "2025"])
    assert not names_only(["Plan", "20"])
