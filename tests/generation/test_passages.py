"""What is shown of a passage: slices of the document, marks between them, and where they stand."""

from datetime import date

import pytest

from rag_kit.generation import Passage
from rag_kit.generation.passages import OMISSION, source_of
from rag_kit.labels import find_labels
from rag_kit.sentences import units
from rag_kit.sources import read_message
from rag_kit.testing import make_chunk, make_evidence

TABLE = "| Part | Price |\n|---|---|\n| XX-1 | 5 |\n| XX-2 | 6 |\n| XX-3 | 7 |\n"


def passage(text, *spans, **fields):
    (item,) = make_evidence(make_chunk(text, start=100, **fields))
    return Passage(item, tuple((100 + start, 100 + end) for start, end in spans))


def cut(text, *pieces, **fields):
    return passage(text, *((text.index(piece), text.index(piece) + len(piece)) for piece in pieces), **fields)


def test_a_whole_passage_is_its_chunk():
    (item,) = make_evidence(make_chunk(TABLE))
    assert Passage.of(item).whole
    assert Passage.of(item).text == TABLE
    assert not passage(TABLE, (0, 5)).whole


def test_sentences_of_one_line_are_marked_in_the_line():
    assert cut("One. Two. Three.", "One.", "Three.").text == "One. […] Three."


def test_paragraphs_stay_apart():
    assert cut("One.\n\nTwo.\n\nThree.", "One.", "Three.").text == "One.\n\n[…]\n\nThree."


def test_a_mark_between_rows_is_a_row_and_the_table_stays_one():
    shown = cut(TABLE, "| Part | Price |\n|---|---|", "| XX-2 | 6 |").text
    assert shown == "| Part | Price |\n|---|---|\n| […] |\n| XX-2 | 6 |"
    assert [unit.header for unit in units(shown) if "XX-2" in shown[slice(*unit.span)]] == [("Part", "Price")]


def test_two_tables_do_not_become_one():
    two = f"{TABLE}\n{TABLE.replace('XX', 'YY')}"
    assert cut(two, "| XX-1 | 5 |", "| YY-1 | 5 |").text == "| XX-1 | 5 |\n\n[…]\n\n| YY-1 | 5 |"


def test_the_mark_is_no_label_in_an_answer_and_none_in_a_prompt_written_by_hand():
    assert find_labels(f"The fee is 5 {OMISSION}. It is due {OMISSION} in May.") == []
    sources, _ = read_message(f"[1] One. {OMISSION} Two.\n{OMISSION}\nQuestion: What?")
    assert [source.label for source in sources] == ["[1]"]


def test_a_source_says_where_it_stands():
    chunk = make_chunk(
        "Five.",
        "fees",
        title="Fees",
        heading_path=("Fees", "Europe"),
        source_uri="a/fe\u200bes.pdf",
        pages=(3,),
    )
    (item,) = make_evidence(chunk)
    source = source_of(Passage.of(item))
    assert (source.title, source.section, source.source, source.page) == ("Fees", "Europe", "fees.pdf", "3")
    assert (source.expired, source.superseded) == ("", "")


@pytest.mark.parametrize(("spans", "page"), [([(0, 4), (10, 16)], "3-4"), ([(0, 4)], "3"), ([(10, 16)], "4")])
def test_the_pages_are_those_of_what_is_shown(spans, page):
    text = "One. Two. Three."
    shown = passage(text, *spans, pages=(3, 4), page_starts=((100, 3), (110, 4)))
    assert source_of(shown).page == page


@pytest.mark.parametrize(
    ("as_of", "expired", "superseded"),
    [
        (None, "", ""),
        (date(2026, 2, 28), "", ""),
        (date(2026, 3, 1), "2026-03-01", ""),
        (date(2026, 4, 1), "2026-03-01", "2026-04-01"),
    ],
)
def test_what_no_longer_holds_is_marked_from_that_day(as_of, expired, superseded):
    chunk = make_chunk("Five.", expires_at=date(2026, 3, 1), superseded_at=date(2026, 4, 1))
    (item,) = make_evidence(chunk)
    source = source_of(Passage.of(item), as_of)
    assert (source.expired, source.superseded) == (expired, superseded)
