"""The text that parsers write: pieces slice back, nothing is taken for other markup, values keep labels."""

from hypothesis import given
from hypothesis import strategies as st

from rag_kit.parsing.blocks import build_document
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.parsing.markdown import markdown_pieces
from rag_kit.parsing.tables import labelled_cells, markdown_table
from rag_kit.parsing.writer import TextWriter
from rag_kit.sentences import units

words = st.text(alphabet="ab1#-*|`=_ >+.\n", max_size=20)


@given(st.lists(st.tuples(st.sampled_from(["paragraph", "code"]), words), max_size=6))
def test_what_was_written_slices_back_and_is_read_as_what_it_is(blocks):
    writer = TextWriter()
    for kind, text in blocks:
        writer.paragraph(" ".join(text.split())) if kind == "paragraph" else writer.code(text)
    document = build_document(
        writer.text, writer.pieces, FrontMatter(), source_uri="a", relative_path="a", notices=()
    )
    assert all(block.text == document.text[slice(*block.span)] for block in document.blocks)
    read = [(piece.block_type, piece.span) for piece in markdown_pieces(writer.text, 0)]
    assert [(p.block_type, p.span) for p in writer.pieces if p.block_type == "code"] == [
        pair for pair in read if pair[0] == "code"
    ]
    assert not [pair for pair in read if pair[0] in ("title", "table")]


def test_headings_form_a_path_and_a_deep_one_stays_in_it():
    writer = TextWriter()
    for name, level in (("One", 1), ("Two", 2), ("Deep", 9), ("Other", 2)):
        writer.title(name, level)
    assert [piece.heading_path for piece in writer.pieces] == [
        ("One",),
        ("One", "Two"),
        ("One", "Two", "Deep"),
        ("One", "Other"),
    ]
    assert "###### Deep" in writer.text


@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(
            st.lists(
                st.from_regex(r"[a-z0-9|\\]{0,3}[a-z0-9]", fullmatch=True), min_size=width, max_size=width
            ),
            min_size=2,
            max_size=5,
        )
    )
)
def test_each_value_of_a_table_is_reached_with_its_labels(rows):
    text = "\n".join(markdown_table(rows))
    head, *body = rows
    found = [(cell.row, cell.column, cell.text) for cell in labelled_cells(text)]
    wanted = [
        (row[0], column, value) for row in body for column, value in zip(head[1:], row[1:], strict=True)
    ]
    assert [tuple(part.replace("\\", "") for part in cell) for cell in found] == [
        tuple(part.replace("\\", "") for part in cell) for cell in wanted
    ]


def test_rows_without_their_header_are_labelled_by_the_prefix():
    (cell,) = labelled_cells("| XX-1 | 5 |", prefix="| Part | Price |\n| --- | --- |")
    assert (cell.row, cell.column, cell.text) == ("XX-1", "Price", "5")


def test_a_table_without_a_header_keeps_its_first_row():
    text = "\n".join(markdown_table([["South", "7"], ["West", "9"]], heads=0))
    assert [unit.header for unit in units(text)] == [("", ""), ("", "")]
    assert [(cell.row, cell.text) for cell in labelled_cells(text)] == [("South", "7"), ("West", "9")]
