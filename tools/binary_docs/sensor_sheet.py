"""A data sheet whose landscape tables lie on their side: one page turned by /Rotate, one by its text."""

from collections.abc import Sequence
from datetime import date

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

from tools.binary_docs.pages import BODY, BOLD, HEIGHT, WIDTH, finish, new_canvas
from tools.binary_docs.record import About

ABOUT = About(
    path="products/xx-5130-conductivity-sensor-data-sheet.pdf",
    id="xx-5130-data-sheet",
    title="XX-5130 conductivity sensor, data sheet",
    document_version="1.0",
    updated_at=date(2026, 9, 28),
    department="products",
    product="XX-5130",
    access_tags=("public",),
)
DATA = [
    ("Property", "XX-5130-S", "XX-5130-G", "Remark"),
    ("Cell", "stainless steel, two rings", "graphite, two rods", "not exchangeable"),
    ("Cell constant", "0.50 /cm", "1.00 /cm", "on the label, to three digits"),
    ("Measuring range", "0.02 to 5 mS/cm", "0.1 to 20 mS/cm", "related to 25 °C"),
    ("Accuracy", "±2.0 % of reading", "±1.5 % of reading", "from 10 % of the range upwards"),
    ("Temperature of the liquid", "0 to 85 °C", "0 to 95 °C", "up to 30 minutes at 120 °C, G only"),
    ("Pressure at 25 °C", "14 bar", "8 bar", "see page 2 for hot liquids"),
    ("Response time (90 %)", "1.8 seconds", "2.6 seconds", "without the protective cage"),
    ("Thread", "G 3/4", "", "socket AC-409"),
    ("Tightening torque", "18 Nm", "12 Nm", "with flat seal"),
    ("Output", "4-20 mA", "", "limits set with the loop simulator AC-455"),
    ("Supply", "15 to 30 V DC", "", "0.8 W at most"),
    ("Protection class", "IP66", "IP67", "with the plug screwed on"),
    ("Life of the cell, drinking water", "about 8 years", "about 6 years", "shorter with strong lye"),
    ("Check with test solution", "every 6 months", "every 4 months", "1.41 or 12.9 mS/cm"),
    ("Warranty", "18 months", "", "from delivery"),
]
PRESSURE = [
    ("Liquid", "XX-5130-S", "XX-5130-G", "Immersion depth"),
    ("20 °C", "14 bar", "8 bar", "32 mm"),
    ("40 °C", "13 bar", "7.5 bar", "32 mm"),
    ("60 °C", "11 bar", "6 bar", "40 mm"),
    ("80 °C", "8.5 bar", "4.5 bar", "40 mm"),
    ("95 °C", "not allowed", "3 bar", "55 mm"),
]
RULED = [
    ("LINEBELOW", (0, 0), (-1, 0), 0.8, "black"),
    ("LINEBELOW", (0, 1), (-1, -1), 0.25, "grey"),
    ("FONT", (0, 0), (-1, -1), BODY, 9.5),
    ("FONT", (0, 0), (-1, 0), BOLD, 9.5),
]


def _turned(
    canvas: Canvas, title: str, rows: Sequence[Sequence[str]], widths: tuple[float, ...], foot: str
) -> None:
    """Draw a landscape page on a portrait one, its top along the left edge."""
    canvas.rotate(90)
    canvas.translate(0, -WIDTH)
    canvas.setFont(BOLD, 14)
    canvas.drawString(60, WIDTH - 62, "XX-5130 conductivity sensor")
    canvas.setFont(BODY, 10)
    canvas.drawString(60, WIDTH - 80, title)
    table = Table(rows, colWidths=widths)
    merged = [("SPAN", (1, number), (2, number)) for number, row in enumerate(rows) if not row[2]]
    table.setStyle([*RULED, *merged])
    _, height = table.wrapOn(canvas, HEIGHT, WIDTH)
    table.drawOn(canvas, 56, WIDTH - 96 - height)
    canvas.setFont(BODY, 8.5)
    canvas.drawString(60, WIDTH - 118 - height, foot)
    canvas.drawString(60, 44, "Quernmere Instruments, Tolvane. Data sheet 1.0, 28 September 2026")


def build() -> bytes:
    """Draw a page that the viewer turns, and one that the reader has to turn."""
    canvas, buffer = new_canvas(ABOUT.title, ABOUT.updated_at)
    canvas.setPageSize((HEIGHT, WIDTH))  # reportlab turns the page box together with the page.
    canvas.setPageRotation(90)
    note = "The sensor is available from 1 October 2026. It must not be mistaken for the level probe XX-5310."
    _turned(canvas, "Data of both variants", DATA, (190, 170, 170, 200), note)
    canvas.showPage()
    canvas.setPageSize((WIDTH, HEIGHT))
    canvas.setPageRotation(0)
    note = (
        "Between two temperatures the lower pressure applies. "
        "The immersion depth is measured from the sealing face."
    )
    _turned(canvas, "Highest pressure by temperature", PRESSURE, (150, 150, 150, 150), note)
    canvas.showPage()
    return finish(canvas, buffer)
