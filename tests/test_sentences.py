"""Units that can be quoted: sentences, list items and table rows, each a slice of its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.sentences import plain, sentence_spans, table_cells, trim, units, word_pieces, words


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
        ("「五日です。」次に。", ["「五日です。」", "次に。"]),
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
            [
                "# A",
                "One. Two.",
                "- a",
                "1. b",
                "| a | b |",
                "|---|---|",
                "a | b",
                "--|--",
                "```",
                "````",
                "~~~",
                "",
                "===",
                "> q",
                "  x",
            ]
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


@pytest.mark.parametrize(
    ("text", "quotable"),
    [
        ("````\n```\nx. y.\n```\n````\nOut.", ["Out."]),
        ("~~~\n```\nx.\n~~~\nOut.", ["Out."]),
        ("```\nx.\n~~~\ny.\n`````\nOut.", ["Out."]),
        ("```py\nx.\n```py\ny.\n```\nOut.", ["Out."]),
        ("``` a ` b\nIn.", ["``` a ` b\nIn."]),
        ("- ```\n  x.\n  ```\n- Out.", ["Out."]),
        ("> ~~~\n> x.\n> ~~~\n\nOut.", ["Out."]),
        ("```\nnever closed.", []),
    ],
)
def test_a_fence_ends_on_its_own_sign_at_least_as_often_and_alone(text, quotable):
    assert quoted(text) == quotable


def test_a_table_needs_no_bars_at_its_ends():
    text = "Seats per plan.\na | b\n--|:-:\n1 | 2\n3 | 4\n\nAfter | all.\n"
    assert quoted(text) == ["Seats per plan.", "1 | 2", "3 | 4", "After | all."]
    rows = units(text)[1:3]
    assert [unit.header for unit in rows] == [("a", "b")] * 2
    assert plain("1 | 2", rows[0].header) == "a: 1; b: 2"
    assert [unit.kind for unit in units("a | b | c\n--|--\n1 | 2")] == ["sentence"], "a header of other width"


def test_rows_under_a_prefix_have_its_header_and_their_own_spans():
    rows = units("| A1 | 5 |\n| A2 | 6 |", prefix="| Part | Price |\n|---|---|")
    assert [(unit.span, unit.header) for unit in rows] == [
        ((0, 10), ("Part", "Price")),
        ((11, 21), ("Part", "Price")),
    ]


@given(st.text(), st.text())
def test_a_prefix_adds_no_unit_of_its_own(text, prefix):
    for unit in units(text, prefix=prefix):
        assert 0 <= unit.span[0] < unit.span[1] <= len(text)


def test_long_runs_are_cut_and_scripts_without_blanks_between_any_two_signs():
    assert word_pieces("五日。次に") == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert word_pieces("ten " + "=" * 201) == [(0, 3), (4, 104), (104, 204), (204, 205)]


@pytest.mark.parametrize("part", ["**a ", "e.g. ", "[", "[](x", "_a *b "])
def test_signs_without_a_partner_stay_where_they_are_however_many(part):
    text = (part * 30_000).rstrip()
    assert plain(text) == text
    assert [unit.span for unit in units(text)] == [(0, len(text))]
