"""Excel: sheets and their tables, values as shown, merged and hidden cells, and files that cannot be read."""

import io
import zipfile
from contextlib import suppress
from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.styles import Font

from rag_kit import UnreadableDocument
from rag_kit.parsing.office import parse_xlsx
from rag_kit.parsing.tables import labelled_cells, markdown_row


def saved(book):
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def book_of(*rows, merged=(), name="Fees"):
    book = Workbook()
    book.active.title = name
    for row in rows:
        book.active.append(row)
    for reference in merged:
        book.active.merge_cells(reference)
    return book


def read(book, path="sub/prices.xlsx"):
    data = book if isinstance(book, bytes) else saved(book)
    return parse_xlsx(data, source_uri=f"docs/{path}", relative_path=path)


def blocks(book):
    return [(block.block_type, block.text) for block in read(book).blocks]


def tables(book):
    return [block.text.split("\n") for block in read(book).blocks if block.block_type == "table"]


def failure(data):
    with pytest.raises(UnreadableDocument) as caught:
        read(data)
    return caught.value


def edited(data, part, old, new):
    """Replace words in one part of a saved file."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            body = source.read(name)
            target.writestr(name, body.replace(old, new) if name == part else body)
    return out.getvalue()


def test_a_sheet_is_a_section_and_its_range_a_table():
    document = read(book_of(["Plan", "Seats"], ["Pro", 40], ["Basic", 5]))
    assert document.title == "prices"
    assert document.text == "## Fees\n\n| Plan | Seats |\n| --- | --- |\n| Pro | 40 |\n| Basic | 5 |"
    assert [(block.anchor, block.heading_path) for block in document.blocks] == [("Fees!A1", ("Fees",))] * 2


def test_values_are_written_as_the_sheet_shows_them():
    book = book_of(
        ["Name", "Value"], ["share", 0.125], ["price", 1234.5], ["day", date(2026, 3, 4)], ["on", True]
    )
    for reference, form in (("B2", "0.0%"), ("B3", '#,##0.00 "€"'), ("B4", "dd.mm.yyyy")):
        book.active[reference].number_format = form
    values = {cell.row: cell.text for cell in labelled_cells(read(book).text)}
    assert values == {"share": "12.5%", "price": "1,234.50 €", "day": "2026-03-04", "on": "TRUE"}


def test_merged_cells_keep_each_value_under_its_labels():
    book = book_of(
        ["Plan", "Europe", None, "Asia"],
        [None, "Net", "Gross", "Net"],
        ["Pro", 1, 2, 3],
        [None, 4, 5, 6],
        ["Trial only"],
        merged=["A1:A2", "B1:C1", "A3:A4", "A5:D5"],
    )
    assert blocks(book)[1:] == [
        (
            "table",
            "| Plan | Europe / Net | Europe / Gross | Asia / Net |\n| --- | --- | --- | --- |\n"
            "| Pro | 1 | 2 | 3 |\n| Pro | 4 | 5 | 6 |",
        ),
        ("paragraph", "Trial only"),
    ]


def test_a_note_across_the_table_between_its_rows_stands_there_once():
    book = book_of(["Plan", "Seats"], ["Pro", 40], ["Note: trial", None], ["Basic", 5], merged=["A3:B3"])
    assert tables(book)[0][2:] == ["| Pro | 40 |", "| Note: trial |  |", "| Basic | 5 |"]


def test_a_title_above_and_notes_below_are_paragraphs():
    book = book_of(["Fees 2026", None], ["Plan", "Fee"], ["Pro", 5], ["* net of tax"], merged=["A1:B1"])
    assert [(kind, text.split("\n")[0]) for kind, text in blocks(book)] == [
        ("title", "## Fees"),
        ("paragraph", "Fees 2026"),
        ("table", "| Plan | Fee |"),
        ("paragraph", "\\* net of tax"),
    ]


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([["Plan", "Fee"], ["Pro", 5], [], [], ["City", "Tax"], ["Rome", 3]], 2),
        ([["Plan", "Fee"], ["Pro", 5], [], ["City", "Tax"], ["Rome", 3]], 2),
        ([["Plan", "Fee"], ["Pro", 5], [], ["Basic", 3], ["Team", 4]], 1),
        ([["Plan", "Fee", None, "City", "Tax"], ["Pro", 5, None, "Rome", 3]], 2),
        ([["Plan", "Fee", None, "Tax"], ["Pro", 5, None, 3]], 1),
    ],
)
def test_a_sheet_is_parted_where_tables_are_clearly_separate(rows, count):
    found = tables(book_of(*rows))
    assert len(found) == count
    assert found[-1][-1].rstrip(" |").endswith(("3", "4"))


def test_the_anchor_is_the_first_cell_and_odd_names_are_quoted():
    book = book_of(name="Price list's")
    for reference, value in (("C3", "Plan"), ("D3", "Fee"), ("C4", "Pro"), ("D4", 5)):
        book.active[reference] = value
    assert [block.anchor for block in read(book).blocks] == ["'Price list''s'!A1", "'Price list''s'!C3"]


@pytest.mark.parametrize(
    ("rows", "bold", "header"),
    [
        ([["Plan", "Seats"], ["Pro", 40]], False, "| Plan | Seats |"),
        ([[None, 2025, 2026], ["EU", 5, 6]], False, "|  | 2025 | 2026 |"),
        ([["Card", "yes"], ["Cash", "no"]], False, "|  |  |"),
        ([["Means", "Taken"], ["Cash", "no"]], True, "| Means | Taken |"),
        ([["Pro", 40], ["Basic", 5]], False, "|  |  |"),
    ],
)
def test_the_first_row_is_the_header_where_it_reads_or_looks_like_one(rows, bold, header):
    book = book_of(*rows)
    for cell in book.active[1]:
        cell.font = Font(bold=bold)
    assert tables(book)[0][0] == header


def test_prose_in_one_column_is_no_table():
    assert blocks(book_of(["Read me."], ["Prices are net."])) == [
        ("title", "## Fees"),
        ("paragraph", "Read me.\nPrices are net."),
    ]


def test_hidden_sheets_rows_and_columns_are_left_out_and_said():
    book = book_of(["Plan", "Cost", "Fee"], ["Pro", 1, 5], ["Old", 2, 6], ["Basic", 3, 7])
    book.active.column_dimensions["B"].hidden = True
    book.active.row_dimensions[3].hidden = True
    book.create_sheet("Secret").append(["margin"])
    book["Secret"].sheet_state = "hidden"
    document = read(book)
    assert document.blocks[1].text.split("\n") == [
        "| Plan | Fee |", "| --- | --- |", "| Pro | 5 |", "| Basic | 7 |"
    ]  # fmt: skip
    assert [notice.code for notice in document.notices] == ["hidden_sheets", "hidden_cells"]
    assert "Secret" in document.notices[0].message
    assert "1 hidden rows and 1 hidden columns" in document.notices[1].message


def test_a_formula_is_its_last_value_and_without_one_its_text():
    data = saved(book_of(["Plan", "Fee"], ["Pro", "=1+1"], ["Basic", "=2+2"]))
    data = edited(data, "xl/worksheets/sheet1.xml", b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>")
    data = edited(data, "xl/worksheets/sheet1.xml", b"<f>1+1</f><v />", b"<f>1+1</f><v>2</v>")
    document = read(data)
    assert document.text.endswith("| Pro | 2 |\n| Basic | =2+2 |")
    assert [notice.code for notice in document.notices] == ["no_cached_value"]


def test_formats_and_merges_over_the_whole_sheet_cost_nothing():
    book = book_of(["Plan", "Fee"], ["Pro", 5])
    book.active["XFD1048576"].font = Font(bold=True)
    data = edited(
        saved(book), "xl/worksheets/sheet1.xml", b"</sheetData>",
        b'</sheetData><mergeCells count="1"><mergeCell ref="A5:XFD1048576"/></mergeCells>',
    )  # fmt: skip
    assert read(data).text.endswith("| Pro | 5 |")


def test_cells_far_apart_make_no_huge_table():
    book = book_of()
    for at in range(1, 3_000, 2):
        book.active.cell(at, at, f"v{at}")
        book.active.cell(at + 1, at + 1, at)
    text = read(book).text
    assert len(text) < 100_000
    assert "v2999" in text


def test_properties_give_title_date_author_and_the_documents_own_fields():
    from openpyxl.packaging.custom import BoolProperty, StringProperty

    book = book_of(["Plan", "Fee"], ["Pro", 5])
    book.properties.title, book.properties.creator = "Prices 2026", "Ada"
    book.properties.modified = datetime(2026, 3, 4)
    for name, value in (("id", "prices"), ("document_version", "2.10"), ("access_tags", "sales, all")):
        book.custom_doc_props.append(StringProperty(name=name, value=value))
    book.custom_doc_props.append(BoolProperty(name="draft", value=True))
    document = read(book)
    assert (document.document_id, document.title, document.document_version) == (
        "prices",
        "Prices 2026",
        "2.10",
    )
    assert document.access_tags == ("all", "sales")
    assert document.metadata == {"author": "Ada", "draft": True}
    assert document.text.startswith("# Prices 2026\n\n## Fees\n\n")
    assert document.updated_at is not None


def test_an_empty_workbook_says_so():
    assert [notice.code for notice in read(Workbook()).notices] == ["empty"]


OLE = bytes.fromhex("d0cf11e0a1b11ae1")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_xlsx"),
        (b"<html><table>", "not_xlsx"),
        (b"PK\x03\x04 cut", "damaged"),
        (OLE + b"Workbook", "old_format"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "password"),
    ],
)
def test_what_is_no_workbook_is_refused_with_the_mend(data, code):
    error = failure(data)
    assert error.code == code
    assert "Excel" in error.message


def test_a_zip_that_would_fill_the_memory_is_not_unpacked():
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target,
        target.open("xl/a.xml", "w") as part,
    ):
        for _ in range(201):
            part.write(bytes(1_000_000))
    assert failure(out.getvalue()).code == "too_large"


def test_another_zip_is_no_workbook():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        target.writestr("a.txt", "a")
    assert failure(out.getvalue()).code == "not_xlsx"


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=6).filter(
    lambda text: "_x" not in text and not text.startswith("=")
)


@settings(max_examples=25)
@given(
    st.integers(2, 4).flatmap(
        lambda n: st.lists(
            st.lists(WORDS | st.integers(0, 10**9), min_size=n, max_size=n), min_size=2, max_size=5
        )
    )
)
def test_any_grid_comes_back_cell_by_cell(grid):
    book = book_of()
    for row_at, row in enumerate(grid, start=1):
        for column_at, value in enumerate(row, start=1):
            book.active.cell(row_at, column_at).value = value
            if isinstance(value, str):
                book.active.cell(row_at, column_at).data_type = "s"
    (lines,) = tables(book)
    wanted = [markdown_row([str(value) for value in row]) for row in grid]
    assert [line for at, line in enumerate(lines) if at != 1 and set(line) - set("| ")] == [
        line for line in wanted if set(line) - set("| ")
    ]


SAMPLE = saved(book_of(["Plan", "Fee"], ["Pro", 5], ["Sum", "=B2"], merged=["A3:A4"]))


@settings(max_examples=80)
@given(st.integers(0, len(SAMPLE)), st.binary(max_size=8), st.booleans())
def test_no_damage_raises_anything_but_the_typed_error(at, put, cut):
    data = SAMPLE[:at] + put + (b"" if cut else SAMPLE[at + len(put) :])
    with suppress(UnreadableDocument):
        document = read(data)
        assert all(block.text == document.text[slice(*block.span)] for block in document.blocks)


@settings(max_examples=40)
@given(st.data())
def test_no_damage_inside_a_part_raises_either(data):
    with zipfile.ZipFile(io.BytesIO(SAMPLE)) as archive:
        part = data.draw(st.sampled_from(sorted(archive.namelist())))
        body = archive.read(part)
    at = data.draw(st.integers(0, len(body)))
    put = data.draw(st.sampled_from([b"", b"<", b'"', b"9", b"x", b"/>"]))
    rest = body[at + data.draw(st.integers(0, 3)) :]
    with suppress(UnreadableDocument):
        read(edited(SAMPLE, part, body, body[:at] + put + rest))


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (b"<v>7</v>", b"<v>1,5</v>", "1,5"),
        (b"<v>7</v>", b"<v>NaN</v>", "NaN"),
        (b'" t="n"><v>7</v>', b'" t="s"><v>99</v>', "#REF!"),
        (b'" t="n"><v>7</v>', b'" t="b"><v>maybe</v>', "maybe"),
        (b'" t="n"><v>7</v>', b'" t="d"><v>2024-99-99</v>', "2024-99-99"),
    ],
)
def test_a_value_that_is_not_of_its_type_costs_no_other_cell(old, new, shown):
    data = edited(saved(book_of(["Plan", "Seats"], ["Pro", 7])), "xl/worksheets/sheet1.xml", old, new)
    document = read(data)
    assert f"| Pro | {shown} |" in document.text.split("\n")
    assert [notice.code for notice in document.notices] == ["odd_values"]


@pytest.mark.parametrize(("written", "shown"), [(b"true", "TRUE"), (b"false", "FALSE"), (b"1", "TRUE")])
def test_truth_is_read_as_words_and_as_numbers(written, shown):
    book = saved(book_of(["Plan", "Open"], ["Pro", 7]))
    new = b'" t="b"><v>' + written + b"</v>"
    document = read(edited(book, "xl/worksheets/sheet1.xml", b'" t="n"><v>7</v>', new))
    assert (f"| Pro | {shown} |" in document.text, document.notices) == (True, ())


def test_a_style_that_the_file_does_not_hold_is_none():
    book = saved(book_of(["Plan", "Seats"], ["Pro", 7]))
    data = edited(book, "xl/worksheets/sheet1.xml", b'r="B2"', b'r="B2" s="999"')
    assert "| Pro | 7 |" in read(data).text


def test_a_sheet_that_the_file_lacks_is_noticed():
    book = book_of(["Plan", "Seats"], ["Pro", 7])
    book.create_sheet("Caps").append(["North", 5])
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(book))) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            if name != "xl/worksheets/sheet2.xml":
                target.writestr(name, source.read(name))
    document = read(out.getvalue())
    assert "| Pro | 7 |" in document.text
    assert [(n.code, n.message) for n in document.notices] == [
        ("sheets_missing", "the file lacks 1 of its sheets (Caps): fetch it anew")
    ]


def test_values_below_a_merge_are_counted():
    data = saved(book_of(["Plan", "Seats", "Fee"], ["Pro", 7, 5]))
    merge = b'</sheetData><mergeCells count="1"><mergeCell ref="A2:C2"/></mergeCells>'
    document = read(edited(data, "xl/worksheets/sheet1.xml", b"</sheetData>", merge))
    assert "5" not in document.text
    assert [n.message.partition(":")[2].split()[0] for n in document.notices if n.code == "under_merges"] == [
        "2"
    ]
