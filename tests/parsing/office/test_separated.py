"""CSV: the separator, quotes, header, notes and ragged rows; each cell comes back where it stood."""

import csv
import io
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit import UnreadableDocument
from rag_kit.parsing.office import parse_csv
from rag_kit.parsing.office.separated import separator_of
from rag_kit.parsing.tables import labelled_cells
from rag_kit.sentences import table_cells


def read(content, path="a.csv"):
    data = content if isinstance(content, bytes) else content.encode()
    return parse_csv(data, source_uri=f"docs/{path}", relative_path=path)


def rows(content):
    (block,) = read(content).blocks
    assert block.block_type == "table"
    header, _, *rest = block.text.split("\n")
    return [list(table_cells(line)) for line in (header, *rest)]


def codes(document):
    return [notice.code for notice in document.notices]


@pytest.mark.parametrize(
    ("content", "sign"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("1,5;2,5\n3,5;4,5\n", ";"),
        ("a\tb\n1,5\t2;5\n", "\t"),
        ("a|b\n1,5|2\n", "|"),
        ("name,tags\nA,x;y\nB,x|y\n", ","),
        ('name,note\nA,"x;y;z"\nB,"p;q;r"\n', ","),
        ("Report; printed on Monday\n\na,b\n1,2\n3,4\n", ","),
        ("only\none\n", ","),
    ],
)
def test_the_separator_is_told_from_the_rows(content, sign):
    assert separator_of(content) == sign


def test_excels_own_line_names_the_separator_and_is_no_row():
    assert rows("sep=|\na|b\n1|2\n") == [["a", "b"], ["1", "2"]]


def test_quotes_hold_separators_line_ends_and_quotes():
    content = 'Part,Note\nXX-1,"red, or\nblue ""mat"""\n'
    assert rows(content) == [["Part", "Note"], ["XX-1", 'red, or blue "mat"']]


@pytest.mark.parametrize(
    ("content", "header"),
    [
        ("Plan,Seats\nPro,40\n", ["Plan", "Seats"]),
        (",2025,2026\nEU,5,6\n", ["", "2025", "2026"]),
        ("Plan,2025,2026\nEU,5,6\n", ["Plan", "2025", "2026"]),
        ("City,Country\nRome,Italy\nParis,France\n", ["City", "Country"]),
        ("Pro,40\nBasic,5\n", ["", ""]),
        ("yes,no\nyes,yes\n", ["", ""]),
        ("1,2\n3,4\n", ["", ""]),
    ],
)
def test_the_header_is_the_first_row_where_it_reads_as_one(content, header):
    assert rows(content)[0] == header


def test_lines_around_the_table_are_notes():
    document = read("Fees 2026\n\nPlan;Fee\nPro;1,5\nBasic;\n\nNet of tax\n")
    assert [(block.block_type, block.text.split("\n")[0]) for block in document.blocks] == [
        ("paragraph", "Fees 2026"),
        ("table", "| Plan | Fee |"),
        ("paragraph", "Net of tax"),
    ]
    assert document.blocks[1].text.endswith("| Basic |  |")


def test_ragged_rows_are_filled_up_and_noticed():
    document = read("a,b,c\n1,2,3\n4,5\n6,7,8\n9,10,11,12\n")
    assert codes(document) == ["ragged_rows"]
    assert "2 of 5 rows" in document.notices[0].message
    assert "| 4 | 5 |  |  |" in document.text.split("\n")


def test_empty_columns_at_the_end_are_left_off():
    assert rows("a,b,,\n1,2,,\n") == [["a", "b"], ["1", "2"]]


def test_a_quote_that_is_never_closed_swallows_no_rows():
    document = read('a,b\n1,2\n3,"4\n5,6\n7,8\n')
    assert codes(document) == ["open_quote"]
    assert "| 5 | 6 |" in document.text


def test_a_cell_longer_than_the_csv_module_takes_is_read():
    assert "x" * 200_000 in read("a,b\n1," + "x" * 200_000 + "\n").text


def test_a_number_is_reached_by_its_labels_and_its_comma_stays():
    (cell,) = labelled_cells(read("Plan;Fee\nPro;1.234,50\n").text)
    assert (cell.row, cell.column, cell.text) == ("Pro", "Fee", "1.234,50")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_are_read_as_text_files_are(encoding):
    content = "Ort;Gebühr\nKöln;fünf\nGröße;zwölf\nMünchen;über\n"
    assert "| Köln | fünf |" in read(content.encode(encoding)).text


@pytest.mark.parametrize("content", [b"", b"\n\n", b" , ,\n"])
def test_nothing_in_it_is_an_empty_document(content):
    assert codes(read(content)) == ["empty"]


CELLS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(
    lambda text: "\\" not in text and not text.startswith(("*", "_", "`", "~", "sep="))
)


@settings(max_examples=60)
@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=2, max_size=6)
    ),
    st.sampled_from(",;\t|"),
)
def test_any_grid_comes_back_cell_by_cell(grid, sign):
    # Each cell is quoted, so that only the real separator stands between quotes.
    out = io.StringIO()
    csv.writer(out, delimiter=sign, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(grid)
    (block,) = read(out.getvalue()).blocks
    lines = [line for line in block.text.split("\n") if set(line) - set("| ")]
    found = [line for at, line in enumerate(block.text.split("\n")) if at != 1]
    found = found if found[0] in lines else found[1:]
    assert found == ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in grid]


@given(st.binary(max_size=200) | st.text('",;|\t\n\r a1', max_size=80).map(str.encode))
def test_no_bytes_raise_anything_but_the_typed_error(data):
    with suppress(UnreadableDocument):
        document = read(data)
        assert all(block.text == document.text[slice(*block.span)] for block in document.blocks)
