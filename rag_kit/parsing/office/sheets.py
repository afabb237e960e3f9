"""The cells of a workbook's visible sheets as texts, with what is merged, and with what was left out."""

from __future__ import annotations

import io
import re
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

import openpyxl
from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.worksheet._reader import WorkSheetParser

from rag_kit.parsing.office.formats import shown

_FORMULA = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}f"
_VALUE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}v"
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell that holds a text: where it stands among the visible rows and columns, and how far it reaches."""

    text: str
    row: int
    column: int
    height: int
    width: int
    reference: str
    is_strong: bool


@dataclass(slots=True)
class Sheet:
    """A visible sheet; hidden rows and columns are counted where they hold something."""

    name: str
    cells: list[Placed] = field(default_factory=list)
    hidden_rows: int = 0
    hidden_columns: int = 0
    without_value: int = 0
    odd_values: int = 0
    """Values that are not what their cell says they are; they are read as they were written."""
    under_merges: int = 0
    """Values below a merged cell, which no program shows."""


def visible_sheets(content: bytes) -> tuple[list[Sheet], list[str]]:
    """Read the visible sheets, and the names of the hidden ones.

    The cells are read one by one: what a sheet says of its own size, and a merge over millions of empty
    cells, takes no memory. Raises what zipfile, XML and openpyxl raise on a damaged file.
    """
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    try:
        hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
        shown_ones = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        return [_read(book, sheet) for sheet in shown_ones], hidden
    finally:
        book.close()


class _Cells(WorkSheetParser):  # type: ignore[misc]
    """Reads values as they were last computed; a formula without one as its text."""

    odd_values = 0
    col_counter: int

    def parse_cell(self, element: Any) -> dict[str, Any]:
        before = self.col_counter
        try:
            cell: dict[str, Any] = super().parse_cell(element)
        except (ValueError, IndexError, KeyError, TypeError, OverflowError):
            # Other programs write `true` for 1, or count their strings wrong: one cell is no reason to lose all.
            self.col_counter = before
            cell = self._as_written(element)
        if cell["value"] is None and element.find(_FORMULA) is not None:
            formula = self.parse_formula(element)
            cell.update(value=str(getattr(formula, "text", formula)), data_type="f")
        return cell

    def _as_written(self, element: Any) -> dict[str, Any]:
        """Read a cell whose value is not of the type that it gives; raises where its place is none."""
        written = (element.findtext(_VALUE) or "").strip()
        if element.get("t") == "b" and written.lower() in ("true", "false"):
            element.find(_VALUE).text = str(int(written.lower() == "true"))
            return cast(dict[str, Any], super().parse_cell(element))
        self.odd_values += 1
        text = "#REF!" if element.get("t") == "s" else written  # the number of a string says nothing
        element.set("t", "str")
        element.find(_VALUE).text = text
        return cast(dict[str, Any], super().parse_cell(element))


def _read(book: Any, sheet: Any) -> Sheet:
    found = Sheet(sheet.title)
    values: dict[tuple[int, int], tuple[str, bool]] = {}
    with book._archive.open(sheet._worksheet_path) as source:
        parser = _Cells(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for row, cells in parser.parse():
            for cell in cells:
                if cell["value"] is not None and (text := _text(book, cell)):
                    values[row, cell["column"]] = text, _is_bold(book, cell["style_id"])
                    found.without_value += cell["data_type"] == "f"
    rows = {int(row) for row, given in parser.row_dimensions.items() if _is_on(given.get("hidden"))}
    columns = set(_hidden_columns(parser))
    found.hidden_rows = len(rows & {row for row, _ in values})
    found.hidden_columns = len(columns & {column for _, column in values})
    held = len(values)
    merged = _merged(parser, values)
    found.odd_values, found.under_merges = parser.odd_values, held - len(values)
    found.cells = list(_placed(values, merged, sorted(rows), sorted(columns)))
    return found


def _placed(
    values: dict[tuple[int, int], tuple[str, bool]],
    merged: dict[tuple[int, int], tuple[int, int]],
    rows: list[int],
    columns: list[int],
) -> Iterator[Placed]:
    """Yield the cells that are seen, counted without the hidden rows and columns."""

    def before(hidden: list[int], place: int) -> int:
        return place - 1 - bisect_left(hidden, place)

    for (row, column), (text, strong) in sorted(values.items()):
        last_row, last_column = merged.get((row, column), (row, column))
        top, left = before(rows, row), before(columns, column)
        height, width = before(rows, last_row + 1) - top, before(columns, last_column + 1) - left
        if height > 0 and width > 0:
            yield Placed(text, top, left, height, width, f"{get_column_letter(column)}{row}", strong)


def _merged(parser: Any, values: dict[tuple[int, int], Any]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return how far each merged cell with a text reaches, and never beyond the last cell that holds one."""
    last_row = max((row for row, _ in values), default=0)
    last_column = max((column for _, column in values), default=0)
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for merge in parser.merged_cells.mergeCell if parser.merged_cells else ():
        left, top, right, bottom = range_boundaries(merge.ref)
        if (top, left) not in values:
            continue
        right, bottom = min(right, last_column), min(bottom, last_row)
        covered = (bottom - top + 1) * (right - left + 1)
        if covered <= 10_000:
            # A damaged file has values below a merge: Excel shows none of them.
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    if (row, column) != (top, left):
                        values.pop((row, column), None)
        found[top, left] = bottom, right
    return found


def _hidden_columns(parser: Any) -> Iterator[int]:
    for given in parser.column_dimensions.values():
        if _is_on(given.get("hidden")):
            yield from range(int(given["min"]), min(int(given["max"]), 16_384) + 1)


def _is_on(value: str | None) -> bool:
    return value in ("1", "true")


def _text(book: Any, cell: dict[str, Any]) -> str:
    value = cell["value"]
    if isinstance(value, str):
        text = _ESCAPED.sub(lambda match: _sign(int(match[1], 16)) or match[0], value)
        lines = (" ".join(line.split()) for line in text.split("\n"))
        return "\n".join(line for line in lines if line)
    return shown(value, _number_format(book, cell["style_id"]))


def _sign(code: int) -> str:
    return "" if 0xD800 <= code < 0xE000 else "\n" if code == 10 else chr(code) if code >= 32 else " "


def _number_format(book: Any, style: int) -> str:
    with suppress(IndexError):  # of a style or a format that the file does not hold
        number = book._cell_styles[style].numFmtId
        if number < BUILTIN_FORMATS_MAX_SIZE:
            return str(BUILTIN_FORMATS.get(number, "General"))
        return str(book._number_formats[number - BUILTIN_FORMATS_MAX_SIZE])
    return "General"


def _is_bold(book: Any, style: int) -> bool:
    with suppress(IndexError):
        return bool(book._fonts[book._cell_styles[style].fontId].b)
    return False
