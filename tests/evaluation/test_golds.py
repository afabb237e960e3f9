"""Finding a quote in a text: what makes no difference, and what stands there where it is not the same."""

import pytest

from rag_kit.evaluation.golds import find_quote


@pytest.mark.parametrize(
    ("quote", "text", "stands"),
    [
        ("the fee is 5", "Now the fee is 5.", "the fee is 5"),
        ("the fee is 5", "Now the fee\n  is 5.", "the fee\n  is 5"),
        ("The Fee is 5", "the **fee** is `5`.", "the **fee** is `5"),
        ("Valve 45", "| Valve | 45 |", "Valve | 45"),
        ("the file's “fee”", 'the ﬁle’s "fee"', 'the ﬁle’s "fee"'),
        ("the fee is 5", "the f\u200bee is 5", "the f\u200bee is 5"),
    ],
)
def test_blanks_markup_case_and_type_make_no_difference(quote, text, stands):
    found = find_quote(quote, text)
    assert found.likeness == "same"
    assert text[slice(*found.span)] == stands


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("The pay- ment is due.", "The pay- ment is due"),
        ("The pay-\nment is due.", "The pay-\nment is due"),
        ("Thepayment is due.", "Thepayment is due"),
        ("The p a y m e n t is due.", "The p a y m e n t is due"),
    ],
)
def test_broken_and_joined_words_are_told(text, stands):
    found = find_quote("The payment is due", text)
    assert (found.likeness, text[slice(*found.span)]) == ("broken", stands)


def test_what_is_nearly_the_same_is_shown():
    text = "Hello. The fee for a lost card is 50 euros. Bye."
    found = find_quote("The fee for a lost card is 35 euros", text)
    assert (found.likeness, text[slice(*found.span)]) == ("near", "The fee for a lost card is 50 euros")
    assert found.share == pytest.approx(8 / 9)


def test_words_that_stand_apart_are_pieces():
    text = "Valve\nRing\nSeal\nPrice\n45\n3\n2\nStock\n12\n9\n8\n"
    assert find_quote("Valve price 45 stock 12", text).likeness == "pieces"


def test_other_words_are_not_found():
    assert find_quote("the lift is old", "Meters are shipped in foam.").likeness == "none"
    assert find_quote("the lift is old", "").likeness == "none"
