"""Tables among recognised pieces of lines."""

import pytest

from rag_kit.parsing.pdf.recognised import take_tables
from rag_kit.parsing.pdf.segments import Segment

ROWS = [
    ["Serial number", "In air", "Decision"],
    ["26-00418", "4.61 mA", "replaced"],
    ["26-00421", "4.17 mA", "refused"],
    ["26-00433", "over 500 mA", "no fault"],
]


def piece(text, x, top, sure=0.9, char=5.5, high=14):
    return Segment(text, x, top, x + char * len(text), top + high, top + 0.8 * high, 11, confidence=sure)


@pytest.mark.parametrize("drop", [0.0, 2.0])
def test_each_figure_keeps_its_labels(drop):
    text = [piece("The findings for each of the probes are in the table that follows", 72, 90)]
    end = [piece("Limits are 3.98 to 4.02 mA in air, and never less than that at all.", 72, 250)]
    cells = [
        piece(cell, x, 120 + 26 * at + number * drop, sure=0.8)
        for at, row in enumerate(ROWS)
        for number, (x, cell) in enumerate(zip([72, 190, 300], row, strict=True))
    ]
    (table,), rest = take_tables([*text, *cells, *end])
    assert table.found.rows == ROWS
    assert table.found.heads == 1
    assert table.confidence == pytest.approx(0.8)
    assert rest == [*text, *end]


def test_lines_of_text_are_no_table():
    lines = [
        piece("The findings for each of the probes are in the letter", 72, 90 + 16 * at) for at in range(9)
    ]
    assert take_tables(lines) == ([], lines)
    assert take_tables([]) == ([], [])
