"""The words behind a label: a slice of the document that holds what was said, or nothing."""

import pytest

from rag_kit.generation.quotes import locate_quote, statements_of
from rag_kit.labels import find_labels
from rag_kit.testing import make_chunk


@pytest.mark.parametrize(
    ("answer", "statements"),
    [
        ("The fee is 5 [1]. It is due in May [2].", ["The fee is 5.", "It is due in May."]),
        ("The fee is 5. [1] It is due in May. [2]", ["The fee is 5.", "It is due in May."]),
        (
            "The fee is 5. [1][2] It is due in May. [3]",
            ["The fee is 5.", "The fee is 5.", "It is due in May."],
        ),
        ("[1] The fee is 5. [2] It is due in May.", ["The fee is 5.", "It is due in May."]),
        ("The fee is 5 [1]. [2] It is due in May.", ["The fee is 5.", "It is due in May."]),
        ("The fee is 5.\n[1]", ["The fee is 5."]),
        ("The fee is 5 [1, 2].", ["The fee is 5.", "The fee is 5."]),
        ("The fee is 5 [1][2].", ["The fee is 5.", "The fee is 5."]),
        ("[1] The fee is 5.", ["The fee is 5."]),
        ("[1]", [""]),
    ],
)
def test_a_label_belongs_to_the_sentence_it_closes(answer, statements):
    assert statements_of(answer, find_labels(answer)) == statements


TEXT = (
    "# Fees\n\nThe fee is 5 euros. It is due\nin May.\n\n- Cards cost **2** euros more.\n\n"
    "| Part | Price |\n|---|---|\n| A1 | 40 euros |\n| A2 | 60 euros |\n"
)


def quote(statement, start=0):
    span = locate_quote(statement, make_chunk(TEXT, start=start))
    return TEXT[span[0] - start : span[1] - start] if span else None


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("The fee is 5 euros.", "The fee is 5 euros."),
        ("It is due in May.", "It is due\nin May."),
        ("Cards cost 2 euros more.", "Cards cost **2** euros more."),
        ("Part: A2; Price: 60 euros.", "| A2 | 60 euros |"),
        ("THE FEE IS 5 EUROS", "The fee is 5 euros."),
        ("Dogs are not allowed in the canteen.", None),
        ("", None),
    ],
)
@pytest.mark.parametrize("start", [0, 700])
def test_the_quote_is_the_unit_that_agrees_best_as_it_stands(statement, expected, start):
    assert quote(statement, start) == expected


def test_half_of_what_is_said_has_to_be_there():
    assert quote("The fee plus seven other words that nobody wrote") is None
    assert quote("The fee is payable quickly") is None
    assert quote("The fee is 5") == "The fee is 5 euros."
