"""A product manual in two columns with a side bar, figures, footnotes and words broken at line ends."""

from collections.abc import Callable
from datetime import date

from reportlab.lib import colors
from reportlab.pdfgen.canvas import Canvas

from tools.binary_docs.pages import (
    BODY,
    BOLD,
    HEIGHT,
    ITALIC,
    WIDTH,
    Flow,
    Line,
    broken,
    finish,
    from_the_top,
    new_canvas,
)
from tools.binary_docs.probe_manual_text import NOTES, SIDE_BAR, TEXT, H, N, P, T
from tools.binary_docs.record import About

ABOUT = About(
    path="products/xx-5310-level-probe-manual.pdf",
    id="xx-5310-manual",
    title="XX-5310 level probe, installation and operating manual",
    document_version="1.2",
    updated_at=date(2026, 10, 5),
    department="products",
    product="XX-5310",
    access_tags=("public",),
)
LEFT, GUTTER = 56, 22
COLUMN = (WIDTH - 2 * LEFT - GUTTER) / 2
COLUMNS = ((LEFT, COLUMN), (LEFT + COLUMN + GUTTER, COLUMN))


def _shaft(canvas: Canvas, x: float, y: float, width: float) -> None:
    canvas.setStrokeColor(colors.black)
    canvas.rect(x + 40, y, width - 80, 84)
    canvas.setFillColor(colors.lightblue)
    canvas.rect(x + 41, y + 1, width - 82, 52, stroke=0, fill=1)
    canvas.setFillColor(colors.black)
    canvas.line(x + width / 2, y + 88, x + width / 2, y + 22)
    canvas.rect(x + width / 2 - 3, y + 10, 6, 14, fill=1)
    canvas.rect(x + width / 2 - 9, y + 8, 18, 70)
    canvas.setFont(BODY, 7)
    for label, dx, dy in (("a", 6, 80), ("b", 13, 60), ("c", 13, 12)):
        canvas.drawString(x + width / 2 + dx, y + dy, label)


def _window(canvas: Canvas, x: float, y: float, width: float) -> None:
    for centre, colour in ((width / 3, colors.orange), (2 * width / 3, colors.green)):
        canvas.setFillColor(colour)
        canvas.circle(x + centre, y + 34, 24, stroke=1, fill=1)
    canvas.setFillColor(colors.black)


PICTURES: dict[str, Callable[[Canvas, float, float, float], None]] = {"shaft": _shaft, "window": _window}


def _furniture(canvas: Canvas, page: int, pages: int) -> None:
    canvas.setFont(BODY, 8)
    canvas.drawString(LEFT, HEIGHT - 48, "XX-5310 level probe")
    canvas.drawRightString(WIDTH - LEFT, HEIGHT - 48, "Manual 1.2, October 2026")
    canvas.line(LEFT, HEIGHT - 53, WIDTH - LEFT, HEIGHT - 53)
    canvas.drawString(LEFT, 40, "Quernmere Instruments, Harbour Works, Tolvane")
    canvas.drawRightString(WIDTH - LEFT, 40, f"{page} / {pages}")


def _side_bar(canvas: Canvas, flow: Flow) -> None:
    """Draw the grey box at the head of the second column; its words take part in the order of the page."""
    x, width = COLUMNS[1]
    title, rows = SIDE_BAR
    foot = flow.top - 16 - 13 * len(rows) - 8
    flow.art.append((1, lambda canvas: _box(canvas, x, foot, width, flow.top - foot)))
    flow.pages[0].append(Line(x + 8, flow.top - 14, title, BOLD, 9.5))
    flow.pages[0] += [Line(x + 8, flow.top - 28 - 13 * n, row, BODY, 9) for n, row in enumerate(rows)]


def _box(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    canvas.setFillColor(colors.whitesmoke)
    canvas.rect(x, y, width, height, stroke=0, fill=1)
    canvas.setFillColor(colors.black)


class _BesideTheBar(Flow):
    """The second column of the first page begins below the side bar."""

    def _start(self) -> float:
        beside = len(self.pages) == 1 and self.column == 1
        return self.top - 16 - 13 * len(SIDE_BAR[1]) - 20 if beside else super()._start()


def build() -> bytes:
    """Draw the manual from the top of each page downwards, across both columns."""
    canvas, buffer = new_canvas(ABOUT.title, ABOUT.updated_at)
    flow = _BesideTheBar(
        canvas, COLUMNS, _furniture, top=HEIGHT - 72, bottom=92, order=from_the_top, size=10.2
    )
    _side_bar(canvas, flow)
    flow.line("XX-5310 level probe", font=BOLD, size=16)
    flow.y -= 8
    flow.line("Installation and operating manual", font=ITALIC, size=10)
    flow.y -= 6
    for kind, value in TEXT:
        if kind == H:
            flow.heading(str(value))
        elif kind == P:
            flow.paragraph(str(value))
        elif kind == N:
            for number, step in enumerate(value, 1):  # type: ignore[arg-type]
                flow.paragraph(step, indent=14, label=f"{number}.")
        elif kind == T:
            rows, stops = value  # type: ignore[misc]
            flow.table(rows, stops)
        else:
            height, picture, caption = value  # type: ignore[misc]
            flow.figure(height, PICTURES[picture])
            for line in broken(caption, ITALIC, 8, COLUMN):
                flow.line(line, font=ITALIC, size=8)
            flow.y -= 6
    for page, notes in NOTES.items():
        flow.pages[page - 1] += [Line(LEFT, 74 - 10 * n, note, BODY, 7.5) for n, note in enumerate(notes)]
    flow.draw()
    return finish(canvas, buffer)
