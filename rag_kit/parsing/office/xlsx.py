"""Excel: each visible sheet a section, what stands on it as tables and notes, values as the sheet shows them."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from pathlib import PurePosixPath

from rag_kit.errors import UnreadableDocument
from rag_kit.parsing.blocks import build_document
from rag_kit.parsing.office.package import Package, attribute, child, kind, open_package, readable
from rag_kit.parsing.office.properties import properties_of
from rag_kit.parsing.office.regions import Cells, is_scattered, notes_around, regions, table_rows
from rag_kit.parsing.office.sheets import Sheet, visible_sheets
from rag_kit.parsing.tables import reads_as_number
from rag_kit.parsing.writer import TextWriter
from rag_kit.types import Document, Notice

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def parse_xlsx(
    content: bytes, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> Document:
    """Parse a workbook into a document: a heading a sheet, its tables, and lone cells as paragraphs.

    Formulas are read as their last values. A block's anchor is its first cell, as in ``Fees!A1``. Raises
    UnreadableDocument where the file has a password, is no workbook or is damaged.

    >>> import io, openpyxl
    >>> made, file = openpyxl.Workbook(), io.BytesIO()
    >>> made.active.append(["Plan", "Fee"]), made.active.append(["Pro", 5]), made.save(file)
    (None, None, None)
    >>> print(parse_xlsx(file.getvalue(), source_uri="a.xlsx", relative_path="a.xlsx").text)
    ## Sheet
    <BLANKLINE>
    | Plan | Fee |
    | --- | --- |
    | Pro | 5 |
    """
    package = open_package(content, source_uri, suffix=".xlsx", program="Excel")
    with readable(source_uri, "Excel"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # What openpyxl leaves out is not read here either.
        main = next(iter(package.related("", "officeDocument")), "")
        if not main.endswith(".xml") or kind(package.xml(main)) != ":workbook":
            message = "this is no workbook, whatever its name says: save it as .xlsx in Excel"
            raise UnreadableDocument(source_uri, "not_xlsx", message)
        front, kept = properties_of(package)
        title = front.title or kept
        sheets, hidden = visible_sheets(content)
        writer = TextWriter()
        writer.title(title or "", 1)
        for sheet in sheets:
            _write_sheet(writer, sheet)
        found = [*_not_there(package, main), *_found(sheets, hidden)]
        if len(writer.pieces) == bool(title):
            writer = TextWriter()  # A title alone is no text.
    return build_document(
        writer.text,
        writer.pieces,
        replace(front, title=title or PurePosixPath(relative_path).stem),
        source_uri=source_uri,
        relative_path=relative_path,
        notices=[*notices, *found],
    )


def _write_sheet(writer: TextWriter, sheet: Sheet) -> None:
    if not sheet.cells:
        return
    name = sheet.name if _PLAIN_NAME.fullmatch(sheet.name) else "'" + sheet.name.replace("'", "''") + "'"
    writer.title(sheet.name, 2, anchor=f"{name}!A1")
    for region in regions(sheet.cells):
        above, table, below = notes_around(region)
        _write_notes(writer, above, name)
        if table:
            _write_table(writer, table, name)
        _write_notes(writer, below, name)


def _write_notes(writer: TextWriter, cells: Cells, name: str) -> None:
    for cell in cells:
        writer.paragraph(cell.text, anchor=f"{name}!{cell.reference}")


def _write_table(writer: TextWriter, cells: Cells, name: str) -> None:
    cells = sorted(cells, key=lambda cell: (cell.row, cell.column))
    anchor = f"{name}!{cells[0].reference}"
    if is_scattered(cells):
        writer.paragraph("\n".join(f"{cell.reference}: {cell.text}" for cell in cells), anchor=anchor)
    elif len({cell.column for cell in cells}) == 1 and not any(reads_as_number(cell.text) for cell in cells):
        writer.paragraph("\n".join(cell.text for cell in cells), anchor=anchor)
    else:
        rows, heads = table_rows(cells)
        writer.table(rows, heads=heads, anchor=anchor)


def _not_there(package: Package, main: str) -> list[Notice]:
    """Notice the sheets that a workbook names and does not hold: openpyxl passes over them."""
    relations, held = package.relations(main), package.related(main, "worksheet")
    names = []
    sheets = child(package.xml(main), ":sheets")
    for sheet in sheets if sheets is not None else ():
        relation = relations.get(attribute(sheet, "id") or "")
        if relation is None or (relation.kind == "worksheet" and relation.target not in held):
            names.append(attribute(sheet, "name") or "")
    if not names:
        return []
    message = f"the file lacks {len(names)} of its sheets ({', '.join(names)}): fetch it anew"
    return [Notice("sheets_missing", " ".join(message.split()))]


def _found(sheets: list[Sheet], hidden: list[str]) -> list[Notice]:
    found = []
    if hidden:
        message = (
            f"{len(hidden)} hidden sheets are left out ({', '.join(hidden)}): show them to have them read"
        )
        found.append(Notice("hidden_sheets", " ".join(message.split())))
    for sheet in sheets:
        if sheet.hidden_rows or sheet.hidden_columns:
            counts = f"{sheet.hidden_rows} hidden rows and {sheet.hidden_columns} hidden columns"
            message = f"sheet {sheet.name}: {counts} are left out: show them to have them read"
            found.append(Notice("hidden_cells", message))
        if sheet.without_value:
            message = (
                f"sheet {sheet.name}: {sheet.without_value} formulas have no value: open and save it in Excel"
            )
            found.append(Notice("no_cached_value", message))
        if sheet.odd_values:
            message = (
                f"sheet {sheet.name}: {sheet.odd_values} values are not of the type that they give and are read "
                "as written: open and save it in Excel"
            )
            found.append(Notice("odd_values", message))
        if sheet.under_merges:
            message = (
                f"sheet {sheet.name}: {sheet.under_merges} values below merged cells are left out, as Excel shows "
                "none of them: part the cells to have them read"
            )
            found.append(Notice("under_merges", message))
    return found
