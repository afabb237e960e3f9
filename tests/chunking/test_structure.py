"""Chunks that follow the structure: what is promised of spans, sizes, tables, overlap, merging and ids."""

import re

import pytest

from rag_kit import InvalidValue
from rag_kit.chunking import chunk_structure
from rag_kit.generation.quotes import locate_quote
from rag_kit.parsing import parse_markdown
from rag_kit.testing import FakeTokenizer


def markdown(text):
    return parse_markdown(text, source_uri="a.md", relative_path="a.md")


def chunks(text, tokenizer=None, **options):
    return chunk_structure([markdown(text)], tokenizer or FakeTokenizer(), **options)


def texts(found):
    return [chunk.text for chunk in found]


def words(count, name="w"):
    return " ".join(f"{name}{n}" for n in range(1, count + 1))


def test_a_section_that_fits_is_one_chunk_without_its_heading():
    found = chunks(f"# A\n\n{words(6)}\n\n## B\n\n{words(6, 'v')}\n", size=10)
    assert texts(found) == [words(6), words(6, "v")]
    assert [chunk.heading_path for chunk in found] == [("A",), ("A", "B")]


def test_a_long_section_is_cut_between_blocks_and_a_long_block_between_sentences():
    # The title "A" takes 1 of 7 tokens.
    found = chunks("# A\n\na1 a2 a3.\n\nb1 b2 b3. c1 c2 c3. d1 d2 d3.\n", size=7, overlap=0)
    assert texts(found) == ["a1 a2 a3.\n\nb1 b2 b3.", "c1 c2 c3. d1 d2 d3."]


FEES = [f"The fee of card {n} is charged at the end of the month." for n in range(1, 5)]
SHIPS = [f"A ship leaves harbour {n} with grain and steel." for n in range(1, 4)]


@pytest.mark.parametrize(("fees", "size"), [(2, 46), (3, 56), (4, 60)])
def test_a_long_paragraph_is_cut_where_its_words_change(fees, size):
    # A sentence is 9 or 12 words: by size alone the cut could stand elsewhere too.
    one, two = FEES[:fees], SHIPS
    found = chunks("# A\n\n" + " ".join(one + two), size=size, overlap=0)
    assert texts(found) == [" ".join(one), " ".join(two)]


def test_a_section_that_fits_is_whole_however_much_its_words_change():
    text = " ".join(FEES[:2] + SHIPS[:2])
    assert texts(chunks(f"# A\n\n{text}", size=60)) == [text]


def test_words_of_another_section_move_no_cut():
    one = "# A\n\n" + " ".join(FEES[:3] + SHIPS)
    other = "\n\n# B\n\n" + " ".join(f"Grain and steel of fee {n}." for n in range(9))
    assert texts(chunks(one + other, size=56, overlap=0))[:2] == texts(chunks(one, size=56, overlap=0))


def test_a_list_and_code_are_cut_between_lines():
    found = chunks("# A\n\n- i1 i2\n- i3 i4\n- i5 i6\n\n```\nc1 c2\nc3 c4\n```\n", size=7, overlap=0)
    assert texts(found) == ["- i1 i2\n- i3 i4", "- i5 i6", "```\nc1 c2\nc3 c4\n```"]


def test_a_sentence_that_is_too_long_is_cut_between_words():
    assert texts(chunks(f"# A\n\n{words(7)}", size=4, overlap=0)) == ["w1 w2 w3", "w4 w5 w6", "w7"]


def test_small_neighbours_under_one_parent_are_merged_with_the_heading_between_them():
    text = "# A\n\n## B\n\nb1 b2.\n\n## C\n\nc1 c2.\n\n# D\n\nd1 d2.\n"
    found = chunks(text, size=40)
    assert texts(found) == ["b1 b2.\n\n## C\n\nc1 c2.", "d1 d2."]
    assert found[0].heading_path == ("A", "B")
    assert [path for _, path in found[0].headings] == [("A", "C")]


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        ("Fees", "Tax", False),
        ("What is the fee?", "Is there tax?", True),
        ("What is the fee?", "Tax", True),
        ("Fees", "Is there tax?", True),
        ("費用はいくらですか？", "Tax", True),
        ("What is the fee? A guide", "Tax", False),
        ("Why?!", "Tax", True),
        ("“What is the fee?”", "Tax", True),
        ("ما هي الرسوم؟", "Tax", True),
    ],
)
def test_a_question_and_its_answer_stay_by_themselves(first, second, apart):
    found = chunks(f"# A\n\n## {first}\n\nb1 b2.\n\n## {second}\n\nc1 c2.\n", size=60)
    assert [chunk.heading_path[-1] for chunk in found] == ([first, second] if apart else [first])


def test_what_stands_under_one_question_is_one_passage():
    found = chunks(
        "# How do I pay?\n\nIn two ways.\n\n## By card\n\nb1 b2.\n\n## By bank\n\nc1 c2.\n", size=60
    )
    assert [chunk.heading_path for chunk in found] == [("How do I pay?",)]
    found = chunks("# A\n\n## What is the fee?\n\nb1 b2.\n\n- c1\n- c2\n", size=60)
    assert texts(found) == ["b1 b2.\n\n- c1\n- c2"]


def test_neighbours_that_are_not_small_stay_apart():
    text = f"# A\n\n## B\n\n{words(11)}\n\n## C\n\n{words(11, 'v')}\n"
    assert len(chunks(text, size=40)) == 2
    assert len(chunks(text, size=50)) == 1


def test_a_heading_with_nothing_under_it_stays():
    found = chunks(f"# A\n\n{words(9)}\n\n# B\n\n# C\n\n{words(9, 'v')}\n", size=12)
    assert texts(found) == [f"{words(9)}\n\n# B", words(9, "v")]


def test_overlap_repeats_whole_sentences_of_the_same_section_and_is_declared():
    text = "# A\n\na1 a2. b1 b2. c1 c2. d1 d2. e1 e2.\n\n# B\n\nf1 f2. g1 g2. h1 h2.\n"
    # "A" takes 1 of 9 tokens, and "A > B" 3.
    found = chunks(text, size=9, overlap=2)
    assert texts(found) == ["a1 a2. b1 b2. c1 c2. d1 d2.", "d1 d2. e1 e2.", "f1 f2. g1 g2. h1 h2."]
    assert [chunk.overlap for chunk in found] == [0, len("d1 d2."), 0]
    # Of a sentence longer than the overlap nothing is repeated, and the chunk says so.
    assert {chunk.overlap for chunk in chunks(text, size=9, overlap=1)} == {0}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": 0}, "choose 1 or more"),
        ({"size": 9, "overlap": 9}, "choose 0 to 8"),
        ({"size": 2_000}, "more than the embedder reads"),
        ({"unit": "chars"}, "'chars' does not go with strategy 'structure'"),
    ],
)
def test_what_does_not_fit_is_refused(options, said):
    with pytest.raises(InvalidValue, match=said):
        chunks("Text.", **options)


ROWS = [f"| P{n} | 1{n} |" for n in range(1, 7)]
TABLE = "| Plan | Seats |\n|---|---|"


def test_a_long_table_is_cut_between_rows_and_each_part_has_its_header():
    # Title 1, a row 5, the header 5 and the rule 1: two rows and the header in 17.
    text = "# T\n\nSeats per plan\n\n" + "\n".join([TABLE, *ROWS])
    found = chunks(text, size=17, overlap=0)
    assert "".join(texts(found)).count("Seats per plan") == 1
    assert texts(found)[0].startswith("Seats per plan")
    rows = [row for chunk in found for row in re.findall(r"\| P\d \| 1\d \|", chunk.text)]
    assert rows == ROWS, "each row once and in order"
    for chunk in found:
        assert chunk.tokens <= 17
        shown = f"{chunk.prefix}\n{chunk.text}" if chunk.prefix else chunk.text
        assert shown.count(TABLE) == 1
        assert "\n\n" not in shown[shown.index(TABLE) :]
        assert shown in chunk.embed_text()
        assert chunk.text == text[slice(*chunk.span)]
    (fifth,) = [chunk for chunk in found if "P5" in chunk.text]
    assert "Seats" in fifth.embed_text()
    span = locate_quote("Plan: P5; Seats: 15", fifth)
    assert text[slice(*span)] == "| P5 | 15 |"


def test_rows_after_a_row_that_was_itself_cut_keep_the_header():
    first = f"| P1 | {words(30)} |"
    found = chunks("# T\n\n" + "\n".join([TABLE, first, *ROWS[1:]]), size=20, overlap=0)
    assert found[0].text.startswith(TABLE)
    assert found[0].prefix == ""
    assert {chunk.prefix for chunk in found[1:]} == {TABLE}
    assert max(chunk.tokens for chunk in found) <= 20
    middle = f"| P3 | {words(30)} |"
    cut = chunks("# T\n\n" + "\n".join([TABLE, ROWS[0], middle, *ROWS[3:]]), size=20, overlap=0)
    assert {chunk.prefix for chunk in cut[1:]} == {TABLE}
    assert max(chunk.tokens for chunk in cut) <= 20


def test_a_header_of_more_than_half_a_chunk_stands_above_the_first_rows_alone():
    wide = f"| {words(12)} |\n|---|"
    found = chunks("# T\n\n" + "\n".join([wide, *(f"| {words(9, f'r{n}x')} |" for n in range(4))]), size=20)
    assert [chunk.prefix for chunk in found] == [""] * len(found)
    assert found[0].text.startswith(wide.split(" |\n")[0])


def test_a_table_without_bars_at_its_ends_is_cut_between_rows_too():
    rows = [f"r{n} | {n}" for n in range(6)]
    found = chunks("# T\n\n" + "\n".join(["Plan | Seats", "--|--", *rows]), size=12, overlap=0)
    assert {chunk.prefix for chunk in found[1:]} == {"Plan | Seats\n--|--"}
    assert [row for chunk in found for row in chunk.text.splitlines() if row in rows] == rows
    assert locate_quote("Plan: r4; Seats: 4", found[-1]) is not None


def test_ids_stay_when_text_is_inserted_above():
    body = "".join(f"\n\n## S{n}\n\n{words(14, f's{n}x')}. {words(14, f't{n}x')}." for n in range(4))
    before = {chunk.chunk_id for chunk in chunks(f"# A{body}", size=20)}
    after = {chunk.chunk_id for chunk in chunks(f"# A\n\n## New\n\n{words(14, 'n')}.{body}", size=20)}
    assert len(after) == len(before) + 1
    assert before < after
