"""A price table with a header of two levels and merged family labels that goes on without its header."""

from collections.abc import Sequence
from datetime import date

from reportlab.lib import colors
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

from tools.binary_docs.pages import BODY, BOLD, HEIGHT, WIDTH, finish, new_canvas
from tools.binary_docs.record import About

ABOUT = About(
    path="sales/accessories-and-services-price-table-2026.pdf",
    id="accessories-services-prices-2026",
    title="Accessories, probes and site services: price table 2026",
    document_version="2026.1",
    updated_at=date(2026, 9, 1),
    department="sales",
    access_tags=("public",),
)

# Family, number, description, then list and partner price for the region EU and for other regions.
ITEMS = [
    ("Level and\nconductivity", "XX-5310-04", "Level probe, 0 to 4 m", "465", "409", "498", "438"),
    ("", "XX-5310-10", "Level probe, 0 to 10 m", "490", "431", "525", "462"),
    ("", "XX-5310-25", "Level probe, 0 to 25 m", "545", "480", "584", "514"),
    ("", "XX-5130-S", "Conductivity sensor, steel cell", "620", "546", "664", "585"),
    ("", "XX-5130-G", "Conductivity sensor, graphite cell", "585", "515", "627", "552"),
    ("Mounting", "AC-401", "Suspension clamp, stainless steel", "38", "33", "41", "36"),
    ("", "AC-403", "Wall bracket with cable guide", "54", "48", "58", "51"),
    ("", "AC-405", "Ballast weight, 1.2 kg", "29", "26", "31", "27"),
    ("", "AC-407", "Stilling tube DN50, 1 m length", "46", "40", "49", "43"),
    ("", "AC-409", "Weld-in socket G 3/4", "27", "24", "29", "26"),
    ("Cable and\nprotection", "AC-410", "Junction box with vent", "72", "63", "77", "68"),
    ("", "AC-412", "Desiccant cartridges, box of 3", "21", "18", "23", "20"),
    ("", "AC-414", "Surge protector for a 24 V loop", "64", "56", "69", "61"),
    ("", "AC-416", "Loop isolator, one channel", "118", "104", "126", "111"),
    ("", "AC-418", "Vented extension cable, 10 m", "83", "73", "89", "78"),
    ("", "AC-421", "Loop display for the wall", "142", "125", "152", "134"),
    ("Cabinets", "AC-430", "Wall cabinet for one gateway", "265", "233", "284", "250"),
    ("", "AC-431", "Wall cabinet for two gateways", "338", "297", "362", "319"),
    ("", "AC-434", "Cabinet heater, 30 W", "57", "50", "61", "54"),
    ("", "AC-436", "Door contact with 2 m of cable", "19", "17", "20", "18"),
    ("Test\nequipment", "AC-450", "Hand pump in a case", "310", "273", "332", "292"),
    ("", "AC-452", "Level check tube, 2 m", "176", "155", "188", "165"),
    ("", "AC-455", "Loop simulator, 4-20 mA", "228", "201", "244", "215"),
]
ON_FIRST_PAGE = 14
SERVICES = [
    ("Site survey", "day", "780", "820", "805"),
    ("Supervision of cable work", "day", "860", "905", "885"),
    ("Loop check of analogue inputs", "loop", "34", "36", "35"),
    ("Call-out, working day before 18:00", "call", "290", "310", "300"),
    ("Call-out, night or weekend", "call", "540", "585", "560"),
    ("Remote configuration", "hour", "96", "96", "96"),
]
WIDTHS = (66, 64, 158, 42, 48, 42, 48)
RULED = [
    ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
    ("FONT", (0, 0), (-1, -1), BODY, 9),
    ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
    ("TOPPADDING", (0, 0), (-1, -1), 8),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 8),
]
INTRODUCTION = (
    "Valid for orders from 1 September 2026 to 31 March 2027. Prices in euro, without value added tax, ex "
    "works",
    "Tolvane. Accessories are not spare parts: the small-order charge of spare parts does not apply to them.",
    "Partner prices are for trained partners with a valid certificate and are not reduced any further.",
    "An accessory is taken back within 30 days if its bag is unopened; cable that was cut is not taken back.",
    "Probes and sensors come with one copy of the calibration certificate; a second copy costs €12.",
    "Orders from other regions are packed for sea freight, which adds 3 % to the price of cabinets.",
    "The column for the region EU also applies to deliveries to the three service hubs.",
)
NOTES = (
    "1) Call-outs include the first 90 minutes on site; each further half hour begun costs €48.",
    "2) A site survey that leads to an order above €6,500 within 60 days is credited in full.",
    "3) Boxes AC-412 are sold in lots of two or more boxes. AC-412 and AC-421 are different articles.",
)


def _merged(rows: Sequence[Sequence[str]], first: int) -> list[tuple[object, ...]]:
    """Return the spans of the family labels: a label covers the rows below it that have none."""
    starts = [number for number, row in enumerate(rows) if row[0] or not number]
    ends = [*(start - 1 for start in starts[1:]), len(rows) - 1]
    return [("SPAN", (0, first + start), (0, first + end)) for start, end in zip(starts, ends, strict=True)]


def _items(
    canvas: Canvas, rows: Sequence[Sequence[str]], header: Sequence[Sequence[str]], top: float
) -> float:
    spans = [("SPAN", (column, 0), (column, 1)) for column in range(3)] if header else []
    if header:
        spans += [("SPAN", (3, 0), (4, 0)), ("SPAN", (5, 0), (6, 0)), ("FONT", (0, 0), (-1, 1), BOLD, 9)]
        spans += [("ALIGN", (3, 0), (-1, 1), "CENTER"), ("BACKGROUND", (0, 0), (-1, 1), colors.whitesmoke)]
    table = Table([*header, *rows], colWidths=WIDTHS)
    style = [*RULED, *spans, *_merged(rows, len(header)), ("ALIGN", (3, len(header)), (-1, -1), "RIGHT")]
    table.setStyle(style)
    _, height = table.wrapOn(canvas, WIDTH, HEIGHT)
    table.drawOn(canvas, 62, top - height)
    return top - height


def _services(canvas: Canvas, top: float) -> float:
    header = [
        ("Service", "Unit", "Engineer sets out from", "", ""),
        ("", "", "Tolvane", "Ashby Quay", "Port Lindow"),
    ]
    table = Table([*header, *SERVICES], colWidths=(176, 52, 76, 82, 82))
    table.setStyle(
        [
            *RULED,
            ("SPAN", (0, 0), (0, 1)),
            ("SPAN", (1, 0), (1, 1)),
            ("SPAN", (2, 0), (4, 0)),
            ("FONT", (0, 0), (-1, 1), BOLD, 9),
            ("BACKGROUND", (0, 0), (-1, 1), colors.whitesmoke),
            ("ALIGN", (2, 0), (-1, 0), "CENTER"),
            ("ALIGN", (2, 1), (-1, -1), "RIGHT"),
        ]
    )
    _, height = table.wrapOn(canvas, WIDTH, HEIGHT)
    table.drawOn(canvas, 62, top - height)
    return top - height


def _foot(canvas: Canvas, page: int) -> None:
    canvas.setFont(BODY, 8)
    canvas.drawString(62, 46, "Quernmere Instruments, Tolvane")
    canvas.drawRightString(WIDTH - 62, 46, f"Price table 2026.1, page {page} of 2")


def build() -> bytes:
    """Draw two pages; the second begins in the middle of a family, without header and label."""
    canvas, buffer = new_canvas(ABOUT.title, ABOUT.updated_at)
    canvas.setFont(BOLD, 15)
    canvas.drawString(62, HEIGHT - 76, "Accessories, probes and site services")
    canvas.setFont(BOLD, 11)
    canvas.drawString(62, HEIGHT - 94, "Price table 2026")
    canvas.setFont(BODY, 9.5)
    for number, line in enumerate(INTRODUCTION):
        canvas.drawString(62, HEIGHT - 120 - 15 * number, line)
    header = [
        ("Family", "Number", "Description", "Region EU", "", "Other regions", ""),
        ("", "", "", "List", "Partner", "List", "Partner"),
    ]
    _items(canvas, ITEMS[:ON_FIRST_PAGE], header, HEIGHT - 238)
    _foot(canvas, 1)
    canvas.showPage()
    y = _items(canvas, ITEMS[ON_FIRST_PAGE:], [], HEIGHT - 70)
    canvas.setFont(BOLD, 12)
    canvas.drawString(62, y - 34, "Site services")
    canvas.setFont(BODY, 9.5)
    canvas.drawString(
        62, y - 51, "Prices in euro, without value added tax, by the place from which the engineer sets out."
    )
    y = _services(canvas, y - 64)
    canvas.setFont(BODY, 9)
    for number, note in enumerate(NOTES):
        canvas.drawString(62, y - 22 - 13 * number, note)
    _foot(canvas, 2)
    canvas.showPage()
    return finish(canvas, buffer)
