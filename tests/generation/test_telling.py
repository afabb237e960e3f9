"""What makes two sentences two, and what does not."""

import pytest

from rag_kit.generation.telling import holds_all, read_sentences

SAME = "The support desk at Larkspur answers within 4 hours, and returns are free for 30 days."
OTHERS = {
    "a figure": ("4 hours", "8 hours"),
    "a figure in words": ("4 hours", "six hours"),
    "what is counted": ("30 days", "30 months"),
    "an ordinal": ("30 days", "30th day"),
    "a plural": ("returns", "return"),
    "a name": ("Larkspur", "Millrace"),
    "a letter": ("desk at", "desk A at"),
    "a code": ("The support desk", "The XX-1042 desk"),
    "a denial": ("are free", "are not free"),
    "a short denial": ("are free", "aren't free"),
    "a bound": ("within 4", "after 4"),
    "a duty": ("returns are free", "returns must be free"),
    "a word of any kind": ("answers", "seldom answers"),
    "the order": ("support desk", "desk support"),
    "money": ("free for 30 days", "free for €30"),
    "per cent": ("free for 30 days", "free for 30 % days"),
    "a minus": ("30 days", "-30 days"),
    "a long minus": ("30 days", "\u221230 days"),
    "a point": ("4 hours", ".4 hours"),
    "a zero": ("4 hours", "4.0 hours"),
    "a range": ("30 days", "30–40 days"),
    "at least": ("30 days", "≥ 30 days"),
    "feet": ("30 days", "30' days"),
    "struck out": ("free for", "~~free~~ for"),
    "a tick": ("are free", "are ✗ free"),
    "a question": ("days.", "days?"),
    "a stop": ("hours, and", "hours. And"),
    "where a link leads": ("Larkspur", "[Larkspur](https://larkspur.example)"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_sentences_with_another_word_or_sign_are_two(name):
    other = SAME.replace(*OTHERS[name])
    assert other != SAME
    assert not holds_all(read_sentences(SAME), read_sentences(other))
    assert not holds_all(read_sentences(other), read_sentences(SAME))


@pytest.mark.parametrize(
    "other",
    [
        SAME.replace("30 days", "**30 days**"),
        f"__{SAME}__",
        f"- {SAME}",
        f"3. {SAME}",
        SAME.replace("The support", "So a support"),
        SAME.replace("hours,", "hours"),
        SAME.replace(" ", "\n"),
        SAME.upper(),
    ],
)
def test_markup_case_blanks_and_joints_make_no_second_sentence(other):
    assert read_sentences(other) == read_sentences(SAME)


def test_an_accent_is_the_same_however_it_is_written():
    assert read_sentences("Pay at the caf\u00e9.") == read_sentences("Pay at the cafe\u0301.")


def test_sentences_have_to_stand_in_the_same_order_and_as_often():
    one, two, both = (
        read_sentences(text) for text in ("It rains.", "Cards are blue.", "It rains. Cards are blue.")
    )
    assert holds_all(both, one)
    assert holds_all(both, two)
    assert holds_all(both, both)
    assert not holds_all(both, two + one)
    assert not holds_all(both, one + one)
    assert not holds_all(one, both)
    assert holds_all(one, ())


def test_a_part_of_a_sentence_is_not_the_sentence():
    assert not holds_all(read_sentences("Half of the members pay."), read_sentences("Members pay."))
    assert not holds_all(read_sentences("Members pay half."), read_sentences("Members pay."))


TABLE = "| Plan | Fee | Rest |\n|---|---|---|\n| Gold | 5 | |\n"


def test_a_row_comes_with_the_names_of_its_columns():
    assert ("plan", "gold", "fee", "5") in read_sentences(TABLE)
    for other in (TABLE.replace("Fee", "Discount"), TABLE.replace("| 5 | |", "| | 5 |")):
        assert not holds_all(read_sentences(TABLE), read_sentences(other))


def test_a_cell_without_a_name_is_told_by_its_place():
    row = "| Gold | 5 | |"
    assert not holds_all(read_sentences(row), read_sentences("| Gold | | 5 |"))
    assert holds_all(read_sentences(f"{row}\n| Zinc | 3 | |"), read_sentences(row))


@pytest.mark.parametrize("aside", ["## Guests", "Guests\n------", "```\npay --force\n```"])
def test_headings_and_code_are_told_too(aside):
    alone, more = read_sentences("The fee is 5."), read_sentences(f"{aside}\n\nThe fee is 5.")
    assert holds_all(more, alone)
    assert not holds_all(alone, more)


def test_a_sign_of_a_command_is_told():
    assert read_sentences("```\npay --force\n```") != read_sentences("```\npay force\n```")
    assert read_sentences("```\npay | count\n```") != read_sentences("```\npay count\n```")


def test_a_text_without_words_tells_nothing():
    assert read_sentences("") == read_sentences("---\n\n***\n") == ()
