"""A workbook of two sheets whose figures get their meaning from formats: percent, currency, dates."""

import io
from collections.abc import Sequence
from datetime import date, datetime

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

from tools.binary_docs.office import settled
from tools.binary_docs.pages import AUTHOR
from tools.binary_docs.record import About

ABOUT = About(
    path="support/reference-gauges-and-hub-stock.xlsx",
    id="reference-gauges-hub-stock",
    title="Reference gauges and hub stock, 30 October 2026",
    document_version="2026.10",
    updated_at=date(2026, 10, 30),
    department="support",
    access_tags=("support",),
)
PERCENT, EURO, DAY = "0.00%", '"€"#,##0.00', "d mmm yyyy"
GAUGES = [
    ("Gauge", "Kind", "Hub", "Last checked", "Next check", "Deviation", "Cost of check"),
    ("RG-03", "Pressure, 0 to 16 bar", "Tolvane", date(2026, 3, 12), date(2027, 3, 12), 0.0004, 214.5),
    ("RG-07", "Pressure, 0 to 16 bar", "Ashby Quay", date(2026, 5, 27), date(2027, 5, 27), 0.0006, 214.5),
    ("RG-08", "Pressure, 0 to 4 bar", "Port Lindow", date(2026, 1, 20), date(2026, 12, 20), -0.0011, 186),
    ("RG-11", "Loop current, 0 to 24 mA", "Tolvane", date(2026, 7, 2), date(2027, 7, 2), 0.0002, 97.2),
    ("RG-12", "Loop current, 0 to 24 mA", "Port Lindow", date(2026, 7, 3), date(2027, 7, 3), -0.0003, 97.2),
    ("RG-15", "Conductivity, 1.41 mS/cm", "Ashby Quay", date(2026, 9, 18), date(2026, 12, 18), 0.0085, 61.4),
    ("RG-16", "Conductivity, 12.9 mS/cm", "Ashby Quay", date(2026, 9, 18), date(2026, 12, 18), 0.0125, 61.4),
]
STOCK = [
    (
        "Article",
        "Description",
        "Tolvane",
        "Ashby Quay",
        "Port Lindow",
        "Reorder at",
        "Value of stock",
        "Used in Q3",
    ),
    ("AC-401", "Suspension clamp", 46, 12, 17, 20, 1575, 0.31),
    ("AC-410", "Junction box with vent", 38, 9, 6, 15, 2173, 0.42),
    ("AC-412", "Desiccant cartridges, box of 3", 120, 44, 51, 60, 2795, 0.58),
    ("AC-414", "Surge protector", 22, 5, 8, 10, 1330, 0.17),
    ("AC-418", "Vented extension cable, 10 m", 16, 7, 3, 8, 1482, 0.35),
    ("AC-421", "Loop display", 11, 2, 4, 5, 1513, 0.09),
    ("XX-5310-10", "Level probe, 0 to 10 m", 27, 6, 9, 12, 14280, 0.46),
    ("XX-5130-S", "Conductivity sensor, steel cell", 14, 3, 2, 6, 8113, 0.22),
]


def _fill(sheet: Worksheet, title: str, rows: Sequence[Sequence[object]], formats: dict[int, str]) -> None:
    width = len(rows[0])
    sheet.append([title])
    sheet.merge_cells(start_row=1, start_column=1, end_row=1, end_column=width)
    sheet["A1"].font, sheet["A1"].alignment = Font(bold=True, size=14), Alignment(horizontal="center")
    sheet.append([])
    for row in rows:
        sheet.append(row)
    for cell in sheet[3]:
        cell.font = Font(bold=True)
    for column, number_format in formats.items():
        for row in sheet.iter_rows(min_row=4, min_col=column, max_col=column):
            row[0].number_format = number_format
    for column in range(1, width + 1):
        sheet.column_dimensions["ABCDEFGH"[column - 1]].width = 18
    sheet.freeze_panes = "A4"


def build() -> bytes:
    """Write both sheets."""
    book = Workbook()
    properties, day = book.properties, ABOUT.updated_at
    properties.title, properties.creator = ABOUT.title, AUTHOR
    properties.created = datetime(day.year, day.month, day.day, 8)
    sheet = book.active
    sheet.title = "Reference gauges"
    _fill(
        sheet,
        "Reference gauges of the laboratory and the hubs",
        GAUGES,
        {4: DAY, 5: DAY, 6: PERCENT, 7: EURO},
    )
    _fill(
        book.create_sheet("Hub stock"),
        "Stock of accessories and probes by hub, 30 October 2026",
        STOCK,
        {7: EURO, 8: "0%"},
    )
    buffer = io.BytesIO()
    book.save(buffer)
    return settled(buffer.getvalue(), day)
