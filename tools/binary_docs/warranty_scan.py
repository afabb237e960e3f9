"""A warranty letter as a scanner gives it: pictures of two pages, slightly askew, and no text at all."""

import io
from datetime import date

import numpy as np
import pypdfium2
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

from tools.binary_docs.pages import BODY, BOLD, HEIGHT, WIDTH, broken, finish, new_canvas
from tools.binary_docs.record import About

ABOUT = About(
    path="support/brindle-reservoir-warranty-letter-scan.pdf",
    id="brindle-warranty-letter",
    title="Warranty letter to Brindle Reservoir Trust, 7 October 2026 (scan)",
    document_version="1.0",
    updated_at=date(2026, 10, 7),
    department="support",
    product="XX-5310",
    access_tags=("support",),
)
DPI = 150
TURNS = (0.5, -0.4)
"""Degrees by which each page lies askew on the glass."""
LETTER = [
    "Your claim of 16 September 2026, case 48268",
    "Dear Ms Ellwood,",
    "Thank you for sending us three level probes XX-5310-10 from your dam shafts. They arrived at Port "
    "Lindow on 22 September 2026 under the numbers RMA-7714, RMA-7715 and RMA-7716. We have examined all "
    "three and give you the result below. The findings for each probe are on page 2.",
    "Probe 5310-26-00418 has a fault of the weld between housing and membrane. This is a fault of "
    "manufacture. We replace the probe free of charge and send the new one to you on 14 October 2026.",
    "Probe 5310-26-00421 has moisture in the vent tube. No desiccant cartridge was in its junction box. "
    "Moisture in the vent tube is not covered by the warranty. We can dry the tube and renew the seals "
    "for €128.",
    "Probe 5310-26-00433 shows no fault. The offset that you saw, 55 mm, went away after the membrane was "
    "cleaned. We send this probe back without charge.",
    "The new probe carries the remaining warranty of the old one, which ends on 19 November 2028. Please "
    "tell us by 6 November 2026 whether we are to repair probe 5310-26-00421. Without an answer by then "
    "we send it back as it is.",
    "Yours sincerely,",
    "Service hub Port Lindow, returns desk",
]
FINDINGS = [
    ("Serial number", "Found in air", "After cleaning", "Insulation", "Decision"),
    ("5310-26-00418", "4.61 mA", "4.60 mA", "0.2 MOhm", "replaced"),
    ("5310-26-00421", "4.17 mA", "4.15 mA", "38 MOhm", "refused"),
    ("5310-26-00433", "4.09 mA", "4.00 mA", "over 500 MOhm", "no fault"),
]
REMARKS = [
    "Limits: 3.98 to 4.02 mA in air; insulation not less than 100 MOhm at 50 V.",
    "Examined on 29 September 2026 with loop simulator AC-455, number 17.",
    "The old probe 5310-26-00418 is kept until 12 January 2027 for the quality team.",
]


def _letter(canvas: Canvas) -> None:
    canvas.setFont(BOLD, 14)
    canvas.drawString(80, HEIGHT - 90, "Quernmere Instruments")
    canvas.setFont(BODY, 11)
    for number, line in enumerate(("Brindle Reservoir Trust", "Weir Cottage", "Upper Brindle")):
        canvas.drawString(80, HEIGHT - 140 - 15 * number, line)
    canvas.drawRightString(WIDTH - 80, HEIGHT - 140, "Port Lindow, 7 October 2026")
    y = HEIGHT - 225
    for number, paragraph in enumerate(LETTER):
        font = BODY if number else BOLD
        canvas.setFont(font, 11)
        for line in broken(paragraph, font, 11, WIDTH - 160, hyphens=False):
            canvas.drawString(80, y, line)
            y -= 15
        y -= 8
    canvas.showPage()


def _findings(canvas: Canvas) -> None:
    canvas.setFont(BOLD, 12)
    canvas.drawString(80, HEIGHT - 100, "Findings, case 48268")
    table = Table(FINDINGS, colWidths=(98, 84, 90, 92, 76), rowHeights=26)
    table.setStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.8, "black"),
            ("FONT", (0, 0), (-1, -1), BODY, 10.5),
            ("FONT", (0, 0), (-1, 0), BOLD, 10.5),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ]
    )
    _, height = table.wrapOn(canvas, WIDTH, HEIGHT)
    table.drawOn(canvas, 80, HEIGHT - 125 - height)
    canvas.setFont(BODY, 11)
    for number, remark in enumerate(REMARKS):
        canvas.drawString(80, HEIGHT - 160 - height - 18 * number, remark)
    canvas.showPage()


def _scanned(data: bytes) -> list[bytes]:
    """Return each page as a JPEG: askew, on greyish paper, with specks."""
    document = pypdfium2.PdfDocument(data)
    noise = np.random.RandomState(20261007)  # Its stream of numbers is frozen, that of Generator is not.
    pages = []
    for page, turn in zip(document, TURNS, strict=True):
        sheet = page.render(scale=DPI / 72, grayscale=True).to_pil()
        turned = sheet.rotate(turn, resample=Image.Resampling.BILINEAR, fillcolor=255)
        grey = np.asarray(turned, dtype=np.int16) * 225 // 255 + 18
        specks = noise.randint(0, 6000, grey.shape) == 0
        grey[specks] = noise.randint(60, 200, int(specks.sum()))
        buffer = io.BytesIO()
        Image.fromarray(grey.astype(np.uint8)).save(buffer, "JPEG", quality=45, dpi=(DPI, DPI))
        pages.append(buffer.getvalue())
    document.close()
    return pages


def build() -> bytes:
    """Set the letter, make pictures of it and bind these; what was text is then gone."""
    canvas, buffer = new_canvas(ABOUT.title, ABOUT.updated_at)
    _letter(canvas)
    _findings(canvas)
    pictures = _scanned(finish(canvas, buffer))
    canvas, buffer = new_canvas("Scan 2026-10-07", ABOUT.updated_at)
    for picture in pictures:
        canvas.drawImage(ImageReader(io.BytesIO(picture)), 0, 0, WIDTH, HEIGHT)
        canvas.showPage()
    return finish(canvas, buffer)
