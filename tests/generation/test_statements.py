"""Which statement a label stands for, and which words of a source may stand behind it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.generation.ask import cite
from rag_kit.generation.quotes import locate_quote, quote_text, statements_of
from rag_kit.labels import find_labels
from rag_kit.testing import make_chunk, make_evidence
from rag_kit.types import Citation


@pytest.mark.parametrize(
    ("answer", "statements"),
    [
        ("- fee is 5 [1]\n- due May [2]\n", ["fee is 5", "due May"]),
        ("Two rules:\n- [1] The fee is 5.\n- [2] It is due in May.", ["The fee is 5.", "It is due in May."]),
        ("1. The fee is 5. [1]\n2. It is due in May. [2]", ["The fee is 5.", "It is due in May."]),
        ("- The fee is 5.\n- It is due in May.\n\n[2]", ["It is due in May."]),
        ("The fee is 5.\n\n[1] It is due in May.", ["It is due in May."]),
        ("The fee is 5 [1]. [2] It is due in May.", ["The fee is 5.", "It is due in May."]),
        ("# Fees [1]\n\nThe fee is 5 [2].", ["# Fees", "The fee is 5."]),
        ("| Part | Price |\n|---|---|\n| A1 | 5 [1] |\n| A2 | 6 [2] |", ["| A1 | 5 |", "| A2 | 6 |"]),
        ("费用为五[1]。期限三十天[2]。", ["费用为五。", "期限三十天。"]),
        ("[1] [2]", ["", ""]),
    ],
)
def test_a_label_stands_for_its_sentence_item_or_row(answer, statements):
    mentions = find_labels(answer)
    assert statements_of(answer, mentions) == statements
    assert [statements_of(answer, [mention])[0] for mention in mentions] == statements


@given(st.text("ab5 [12].-#|\n`", max_size=60))
def test_every_mention_in_any_answer_gets_one_statement(answer):
    mentions = find_labels(answer)
    assert len(statements_of(answer, mentions)) == len(mentions)


NOTE = "A doctor's sick note is required from the 4th day of illness."
TEXT = (
    f"{NOTE} Employees get 27 days of leave a year. Invoices over 1,500 euros are due within ten days.\n\n"
    "The fee is 5 euros. The fee is 7 euros for guests.\n\n| Part | Price |\n|---|---|\n| SP-120 | €145 |\n"
)


def quote(statement, **fields):
    span = locate_quote(statement, make_chunk(TEXT, **fields))
    return TEXT[slice(*span)] if span else None


@pytest.mark.parametrize(
    "statement",
    [
        "The moon is made of cheese.",
        "It is the one of the.",
        "A doctor's sick note is required from the 3rd day of illness.",
        "Employees get 28 days of leave a year.",
        "Employees get 27 days of leave a year, and 5 more days of leave.",
        "Invoices over 1,500 euros are due within two days.",
        "Part: SP-120; Price: €146",
        "Invoices over 15 euros are due within ten days.",
        "",
    ],
)
def test_function_words_and_other_numbers_make_no_quote(statement):
    assert quote(statement) is None


@pytest.mark.parametrize(
    ("statement", "begins"),
    [
        ("You need a sick note from day 4.", "A doctor's"),
        ("There are 27 leave days for each employee.", "Employees"),
        ("An invoice over 1500 euros is due in 10 days.", "Invoices"),
        ("The fee is 7 euros.", "The fee is 7"),
        ("The fee is 5 euros.", "The fee is 5"),
        ("SP-120 costs €145.", "| SP-120"),
    ],
)
def test_a_claim_in_other_words_finds_its_sentence(statement, begins):
    assert quote(statement).startswith(begins)


def test_what_title_and_headings_say_need_not_be_in_the_sentence():
    said = "For the gateway XX-2210, the yearly fee is 5 euros."
    assert quote(said) is None
    assert (
        quote(said, title="Gateway XX-2210", heading_path=("Prices a year", "Yearly"))
        == "The fee is 5 euros."
    )


def test_rows_of_a_cut_table_are_quoted_and_read_with_the_names_of_their_columns():
    chunk = make_chunk(
        "| A1 | 5 | 3 |\n| A2 | 6 | 4 |", start=40, prefix="| Part | Price | Weight |\n|---|---|---|"
    )
    span = locate_quote("Part: A2; Price: 6; Weight: 4.", chunk)
    assert span == (55, 69)
    read = quote_text(chunk, Citation("[1]", chunk.chunk_id, "| A2 | 6 | 4 |", (0, 3), span, "valid"))
    assert read == "Part: A2; Price: 6; Weight: 4"


def test_a_hidden_character_does_not_hide_a_quote():
    chunk = make_chunk("The f\u200bee is 5 eu\U000e0041ros.")
    assert locate_quote("The fee is 5 euros.", chunk) == chunk.span


def test_what_a_source_says_word_for_word_is_its_quote():
    for text in ("It is up to you.", "费用为五。", "No."):
        assert locate_quote(text, make_chunk(text)) == (0, len(text))


def test_a_long_answer_is_cited_in_one_go():
    answer = "- The fee is 5 euros [1]\n" * 2_000 + "[1]" * 2_000
    shown = {"[1]": make_evidence("The fee is 5 euros.")[0]}
    found = cite(answer, shown)
    assert len(found) == 4_000
    assert {citation.quote for citation in found} == {"The fee is 5 euros."}
