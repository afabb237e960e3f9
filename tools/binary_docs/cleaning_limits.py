"""A table drawn column by column, as some report writers do: its words without its cells are word soup."""

from collections.abc import Sequence
from datetime import date

from tools.binary_docs.pages import BODY, BOLD, HEIGHT, WIDTH, Line, broken, draw, finish, new_canvas
from tools.binary_docs.record import About

ABOUT = About(
    path="products/probe-cleaning-limits.pdf",
    id="probe-cleaning-limits",
    title="Cleaning limits for level probes and conductivity sensors",
    document_version="3",
    updated_at=date(2026, 10, 12),
    department="products",
    access_tags=("public",),
)
# An empty cell means that the agent is not allowed for the device.
AGENTS = (
    ("Agent", "XX-5310", "XX-5130-S", "XX-5130-G", "Hottest", "Contact"),
    ("Citric acid", "6 %", "10 %", "10 %", "45 °C", "20 min"),
    ("Phosphoric acid", "2 %", "8 %", "12 %", "60 °C", "15 min"),
    ("Nitric acid", "", "3 %", "", "50 °C", "10 min"),
    ("Sodium hydroxide", "1 %", "4 %", "5 %", "70 °C", "25 min"),
    ("Sodium hypochlorite", "0.05 %", "", "0.2 %", "25 °C", "5 min"),
    ("Peracetic acid", "0.1 %", "0.4 %", "0.3 %", "30 °C", "12 min"),
    ("Hydrogen peroxide", "3 %", "7 %", "", "35 °C", "30 min"),
    ("Isopropanol", "", "70 %", "50 %", "20 °C", "2 min"),
)
RINSING = (
    ("Device", "Rinse water", "Rinse time", "Hottest rinse", "Wait before use"),
    ("XX-5310", "4 litres", "3 min", "50 °C", "40 min"),
    ("XX-5130-S", "7 litres", "4 min", "85 °C", "15 min"),
    ("XX-5130-G", "9 litres", "6 min", "95 °C", "55 min"),
)
LEFT = 70
BEFORE = (
    "This list names the highest concentration, the highest temperature and the longest contact time of "
    "each agent. An empty cell means that the agent is not allowed for the device. The list replaces "
    "version 2, which did not name the graphite cell."
)
BETWEEN = (
    "After cleaning, the device is rinsed with drinking water. The wait begins when the rinse ends; until "
    "then the reading is not used."
)
AFTER = (
    "Agents are never mixed. An acid and sodium hypochlorite together set free chlorine. Damage by an "
    "agent above its limit is visible as a white edge on the membrane and is not covered by the warranty. "
    "The conductivity sensor is cleaned at most 40 times a year, the level probe at most 12 times."
)


def column_by_column(
    rows: Sequence[Sequence[str]], stops: Sequence[float], top: float, leading: float
) -> list[Line]:
    """Return the cells of a table in the order first column, second column, and so on."""
    lines = []
    for column, stop in enumerate(stops):
        for number, row in enumerate(rows):
            if row[column]:
                font = BODY if number else BOLD
                lines.append(Line(LEFT + stop, top - leading * number, row[column], font, 9.5))
    return lines


def _prose(text: str, y: float) -> list[Line]:
    width = WIDTH - 2 * LEFT
    return [Line(LEFT, y - 14 * n, line, BODY, 10) for n, line in enumerate(broken(text, BODY, 10, width))]


def build() -> bytes:
    """Draw one page; its rules say where the cells are, its text does not."""
    canvas, buffer = new_canvas(ABOUT.title, ABOUT.updated_at)
    top, second = HEIGHT - 178, HEIGHT - 462
    lines = [
        Line(LEFT, HEIGHT - 76, "Cleaning limits", BOLD, 16),
        Line(LEFT, HEIGHT - 94, "Level probe XX-5310 and conductivity sensor XX-5130, version 3", BODY, 10),
        *_prose(BEFORE, HEIGHT - 118),
        *column_by_column(AGENTS, (0, 116, 180, 252, 324, 390), top, 22),
        Line(LEFT, HEIGHT - 392, "Rinsing after cleaning", BOLD, 12),
        *_prose(BETWEEN, HEIGHT - 412),
        *column_by_column(RINSING, (0, 90, 176, 256, 346), second, 22),
        *_prose(AFTER, second - 110),
        Line(LEFT, 50, "Quernmere Instruments, Tolvane, 12 October 2026", BODY, 8.5),
    ]
    canvas.setLineWidth(0.3)
    for rows, first in ((AGENTS, top), (RINSING, second)):
        for number in range(len(rows) + 1):
            canvas.line(LEFT - 4, first + 14 - 22 * number, WIDTH - LEFT + 4, first + 14 - 22 * number)
    draw(canvas, lines)
    canvas.showPage()
    return finish(canvas, buffer)
