"""Finding a quote in a text: what makes no difference, and what stands there where it is not the same."""

from types import SimpleNamespace

import pytest

from rag_kit.evaluation.golds import find_quote, place_quote
from rag_kit.testing import make_chunk


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


def stands(quote, *passages):
    """Return where a saved index holds a quote: its passages, each with its start, are all of document d."""
    saved = SimpleNamespace(
        documents=(), passages=tuple(make_chunk(text, "d", start=start) for start, text in passages)
    )
    return [(found.likeness, found.span) for _, found in place_quote(quote, saved)]


@pytest.mark.parametrize(
    ("quote", "text", "places"),
    [
        ("the fee is 5", "The fee is 5. Again: the fee is 5.", ["The fee is 5", "the fee is 5"]),
        ("fee is 5", "The fee is 5. Again: fee is 5.", ["fee is 5", "fee is 5"]),
        ("fee is 5", "fee is 6, **fee**\nis 5, FEE  is 5", ["fee**\nis 5", "FEE  is 5"]),
        # Of a place that is the same with its markup and without, the wider one.
        ("**fee** is", "The **fee** is, the fee is", ["**fee** is", "fee is"]),
        ("5, 5", "5, 5, 5", ["5, 5", "5, 5"]),
        ("s", "ß", ["ß"]),
    ],
)
def test_every_place_is_given_and_each_once(quote, text, places):
    found = stands(quote, (0, text))
    assert [likeness for likeness, _ in found] == ["same"] * len(places)
    spans = [span for _, span in found]
    assert [text[slice(*span)] for span in spans] == places
    assert sorted(set(spans)) == spans


def test_what_overlapping_passages_repeat_is_one_place():
    assert stands("fee is 5", (0, "The fee is 5. Yes."), (4, "fee is 5. Yes. No.")) == [("same", (4, 12))]
    # The second passage begins after the markup that the first one has too.
    assert stands("**fee** is 5", (0, "The **fee** is 5."), (6, "fee** is 5. Yes.")) == [("same", (4, 16))]
    two = stands("5 euro", (0, "It is 5 euro. Yes."), (6, "5 euro. Yes. 5 euro"), (19, "5 euro"))
    assert two == [("same", (6, 12)), ("same", (19, 25))]


def test_places_in_several_documents_are_all_given():
    documents = tuple(
        SimpleNamespace(document_id=name, text=text)
        for name, text in [("a", "The fee. The fee."), ("b", "No."), ("c", "THE FEE.")]
    )
    library = SimpleNamespace(documents=documents, passages=())
    found = [(gold.document_id, at.span) for gold, at in place_quote("The fee", library)]
    assert found == [("a", (0, 7)), ("a", (9, 16)), ("c", (0, 7))]
    assert [gold.document_id for gold, _ in place_quote("The fee", library, "c")] == ["c"]


def test_where_it_stands_nowhere_the_one_place_most_like_it_is_given():
    near = "The fee for a lost card is 50 euros."
    assert stands("The fee for a lost card is 35 euros", (0, "Hello."), (9, near)) == [("near", (9, 44))]
    broken = (60, "The f ee for a lost card is 35 euros.")
    assert stands("The fee for a lost card is 35 euros", (9, near), broken) == [("broken", (60, 96))]
