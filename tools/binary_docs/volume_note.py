"""A note with ligatures whose font maps no glyph to a letter, and with fractions drawn in pieces."""

from datetime import date

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from tools.binary_docs.pages import HEIGHT, WIDTH, Line, broken, draw, finish, new_canvas
from tools.binary_docs.record import About

ABOUT = About(
    path="products/volume-from-level-note.pdf",
    id="volume-from-level-note",
    title="From level to volume and flow, application note AN-17",
    document_version="1.1",
    updated_at=date(2026, 8, 24),
    department="products",
    product="XX-5310",
    access_tags=("public",),
)
LEFT, SIZE = 76, 10
SHAFT = (
    "A level probe measures a height. For a round shaft the volume follows from the inner diameter d and "
    "the height h of the water. Sloping floors are filled in by a fixed offset: the first 0.15 m count as "
    "0.08 m."
)
SHAFT_AFTER = (
    "Example: with d = 2.4 m and h = 1.9 m the volume is 8.60 m³. An error of 20 mm in the level is then "
    "0.09 m³, about 1.1 % of the filled volume. The diameter is measured at three heights, and the mean "
    "is entered."
)
WEIR = (
    "Over a sharp weir the overflow follows from the height h above the crest and the width b. The "
    "coefficient is 0.62 for a weir without side contraction and 0.58 with a narrowed inflow. The probe "
    "hangs at least four times the greatest height h before the weir, where the surface is flat."
)
WEIR_AFTER = (
    "Example: with b = 0.5 m, h = 0.12 m and the coefficient 0.62 the overflow is 38 litres a second. The "
    "formula is sufficient for heights from 0.03 to 0.35 m. Below 0.03 m the sheet of water clings to the "
    "weir, and the calculated flow is too low by up to 15 %."
)
FILTERS = (
    "To find a slow leak, the shaft is filled, closed for 6 hours and watched. A fall of less than 2 mm "
    "is within the drift of the probe. A fall of 2 to 8 mm is confirmed by a second night. Above 8 mm the "
    "shaft is emptied."
)


def _ligatures(text: str) -> str:
    """Set fi and fl as one glyph each, as typesetting programs do."""
    return text.replace("fi", "\ufb01").replace("fl", "\ufb02")


def _prose(text: str, y: float, font: str) -> tuple[list[Line], float]:
    rows = broken(_ligatures(text), font, SIZE, WIDTH - 2 * LEFT, hyphens=False)
    return [Line(LEFT, y - 15 * n, row, font, SIZE) for n, row in enumerate(rows)], y - 15 * len(rows)


def _without_mapping(data: bytes) -> bytes:
    """Make the tables from glyphs to letters unknown; the name has as many bytes, so every offset stays."""
    return data.replace(b"/ToUnicode", b"/NoUnicode")


def build() -> bytes:
    """Draw the note; upper and lower parts of fractions come after the prose that explains them."""
    for name, file in (("Vera", "Vera.ttf"), ("VeraBd", "VeraBd.ttf")):
        pdfmetrics.registerFont(TTFont(name, file))
    canvas, buffer = new_canvas(ABOUT.title, ABOUT.updated_at)
    lines = [
        Line(LEFT, HEIGHT - 80, "From level to volume and \ufb02ow", "VeraBd", 15),
        Line(LEFT, HEIGHT - 98, "Application note AN-17, version 1.1", "Vera", 9),
    ]
    late: list[Line] = []
    y = HEIGHT - 130
    for title, before, after, formula in (
        ("Round shafts", SHAFT, SHAFT_AFTER, "shaft"),
        ("Weirs", WEIR, WEIR_AFTER, "weir"),
        ("Finding a slow leak", FILTERS, "", ""),
    ):
        lines.append(Line(LEFT, y, _ligatures(title), "VeraBd", 12))
        rows, y = _prose(before, y - 20, "Vera")
        lines += rows
        if formula == "shaft":
            lines.append(Line(LEFT + 60, y - 20, "V  =", "Vera", 12))
            lines.append(Line(LEFT + 152, y - 20, "h", "Vera", 12))
            late += [
                Line(LEFT + 98, y - 12, "3.1416 d²", "Vera", 10),
                Line(LEFT + 116, y - 30, "4", "Vera", 10),
            ]
            canvas.line(LEFT + 94, y - 17, LEFT + 148, y - 17)
            y -= 56
        elif formula == "weir":
            lines.append(Line(LEFT + 60, y - 20, "Q  =", "Vera", 12))
            lines.append(Line(LEFT + 112, y - 20, "m b  (2 g)", "Vera", 12))
            lines.append(Line(LEFT + 188, y - 20, "h", "Vera", 12))
            late += [
                Line(LEFT + 98, y - 12, "2", "Vera", 10),
                Line(LEFT + 98, y - 30, "3", "Vera", 10),
                Line(LEFT + 172, y - 13, "0.5", "Vera", 7),
                Line(LEFT + 197, y - 13, "1.5", "Vera", 7),
            ]
            canvas.line(LEFT + 95, y - 17, LEFT + 107, y - 17)
            y -= 56
        rows, y = _prose(after, y, "Vera") if after else ([], y)
        lines += rows
        y -= 22
    lines.append(Line(LEFT, 50, "Quernmere Instruments, Tolvane, 24 August 2026", "Vera", 8))
    draw(canvas, [*lines, *late])
    canvas.showPage()
    return _without_mapping(finish(canvas, buffer))
