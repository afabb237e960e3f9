"""What keeps two texts that share most words two facts."""

import pytest

from rag_kit.generation.telling import read_telling, tell_the_same, tells_all_of

SAME = "The support desk at Larkspur answers within 4 hours, and returns are free for 30 days."
OTHERS = {
    "a figure": ("4 hours", "8 hours"),
    "a figure in words": ("4 hours", "six hours"),
    "what is counted": ("30 days", "30 months"),
    "a name": ("Larkspur", "Millrace"),
    "a code": ("The support desk", "The XX-1042 desk"),
    "a denial": ("are free", "are not free"),
    "a short denial": ("are free", "aren't free"),
    "a bound": ("within 4", "after 4"),
    "a duty": ("returns are free", "returns must be free"),
    "money": ("free for 30 days", "free for €30"),
    "a sign": ("free for 30 days", "free for 30 % days"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_texts_that_differ_in_what_tells_are_two_facts(name):
    other = SAME.replace(*OTHERS[name])
    assert other != SAME
    assert not tell_the_same(read_telling(SAME), read_telling(other))
    assert not tell_the_same(read_telling(other), read_telling(SAME))


def test_figures_that_changed_places_are_two_facts():
    one, two = "Gold costs 5 euros and silver 3 euros.", "Gold costs 3 euros and silver 5 euros."
    assert not tell_the_same(read_telling(one), read_telling(two))


@pytest.mark.parametrize(
    "other",
    [
        SAME.replace("answers", "replies"),
        SAME.replace("4 hours", "four hours"),
        SAME.replace("30 days", "**30 days**"),
        "So the support desk at Larkspur answers within 4 hours, and returns are free for 30 days.",
        SAME.replace(" ", "\n"),
    ],
)
def test_ordinary_words_markup_and_spelling_of_figures_make_no_second_fact(other):
    assert tell_the_same(read_telling(SAME), read_telling(other))


def test_a_name_that_begins_a_sentence_is_told_from_a_word_that_does():
    assert not tell_the_same(read_telling("Larkspur pays."), read_telling("Millrace pays."))
    assert tell_the_same(read_telling("Contact the desk."), read_telling("Please contact the desk."))


def test_a_name_may_begin_with_any_capital_and_stand_in_a_cell_or_brackets():
    for one, two in (
        ("at Émile", "at Élodie"),
        ("| Gold |", "| Zinc |"),
        ("(Ash)", "(Oak)"),
        ("24 Ash", "24 Oak"),
    ):
        assert not tell_the_same(read_telling(f"It stands {one}."), read_telling(f"It stands {two}."))
        assert read_telling(f"It stands {one}.").names


def test_all_is_told_where_facts_stand_in_order_and_names_somewhere():
    some = read_telling("Returns are free for 30 days.")
    assert tells_all_of(read_telling(SAME), some)
    assert not tells_all_of(some, read_telling(SAME))
    assert not tells_all_of(read_telling(SAME), read_telling("Returns at Millrace are free for 30 days."))
    assert tells_all_of(read_telling(""), read_telling(""))
