"""Units that can be quoted: sentences, list items and table rows, each a slice of its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.sentences import plain, sentence_spans, table_cells, trim, units, words


def quoted(text):
    return [text[slice(*unit.span)] for unit in units(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It is 5. It was 4! Is it? Yes…", ["It is 5.", "It was 4!", "Is it?", "Yes…"]),
        ("Use 1.5 l, e.g. water, at max. 3 bar. Done.", ["Use 1.5 l, e.g. water, at max. 3 bar.", "Done."]),
        ("Ask Dr. May, cf. Fig. 2. Go.", ["Ask Dr. May, cf. Fig. 2.", "Go."]),
        ('He said "Never." Then left.', ['He said "Never."', "Then left."]),
        ("费用为五。期限三十天！", ["费用为五。", "期限三十天！"]),
        ("The fee is 5. [1] Next.", ["The fee is 5.", "[1] Next."]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_sentences(text, sentences):
    assert [text[a:b] for a, b in sentence_spans(text)] == sentences


def test_list_items_rows_and_sentences_are_units_and_headings_rules_and_code_are_not():
    text = (
        "# Title\n\nOne. Two\ngoes on.\n\nUnderlined\n----\n\n- first item.\n  It goes on.\n- second\n3) third\n\n"
        "* * *\n\n```\ncode. here.\n```\n\n| Part | Price |\n|---|:--|\n| A1 | 5 |\n| A2 | 6 |\n"
    )
    assert quoted(text) == [
        "One.", "Two\ngoes on.", "first item.", "It goes on.", "second", "third", "| A1 | 5 |", "| A2 | 6 |",
    ]  # fmt: skip
    assert [unit.header for unit in units(text)[-2:]] == [("Part", "Price")] * 2


def test_a_table_without_its_header_has_rows_without_one():
    assert [unit.header for unit in units("| A1 | 5 |\n| A2 | 6 |")] == [(), ()]
    assert quoted("|---|---|\n| A1 | 5 |") == ["| A1 | 5 |"]


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            ["# A", "One. Two.", "- a", "1. b", "| a | b |", "|---|---|", "```", "", "===", "> q", "  x"]
        )
    ).map("\n".join)
)
def test_units_are_slices_in_order_without_blanks_around_them(text):
    end = 0
    for unit in units(text):
        assert end <= unit.span[0] < unit.span[1] <= len(text)
        assert trim(text, unit.span) == unit.span
        end = unit.span[1]


@given(st.text())
def test_sentences_and_words_lose_no_letter(text):
    letters = "".join(text.split())
    assert "".join("".join(text[a:b].split()) for a, b in sentence_spans(text)) == letters
    assert "".join(text[a:b] for a, b in words(text)) == letters


@pytest.mark.parametrize(
    ("marked", "read"),
    [
        ("**Note:** _ten_ *days*", "Note: ten days"),
        ("See [the list](a.md) and ![plan](b.png).", "See the list and plan."),
        ("Run `kit_run` on snake_case_name", "Run kit_run on snake_case_name"),
        ("2 * 3 * 4 and __init__", "2 * 3 * 4 and init"),
        (r"costs \$5\* a day", "costs $5* a day"),
        ("quoted\n> over lines", "quoted over lines"),
        ("a\n  b\tc", "a b c"),
    ],
)
def test_the_readable_form_has_no_markup(marked, read):
    assert plain(marked) == read


def test_a_row_is_read_with_the_names_of_its_columns():
    assert plain("| A1 | **5 €** |", ("Part", "Price")) == "Part: A1; Price: 5 €"
    assert plain("| A1 | |", ("Part", "Price")) == "Part: A1"
    assert plain("| A1 | 5 | 6 |", ("Part", "Price")) == "A1; 5; 6"
    assert plain("| A1 | 5 |") == "A1; 5"
    assert table_cells(r"| a \| b | c |") == ("a | b", "c")
