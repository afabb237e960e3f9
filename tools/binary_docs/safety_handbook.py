"""A handbook that anybody may open and nobody may copy from: only an owner's password is set."""

from datetime import date

from reportlab.pdfgen.canvas import Canvas

from tools.binary_docs.pages import BODY, BOLD, HEIGHT, WIDTH, Flow, finish, new_canvas
from tools.binary_docs.record import About

ABOUT = About(
    path="people/field-safety-handbook-2026.pdf",
    id="field-safety-handbook-2026",
    title="Field safety handbook 2026",
    document_version="2026.2",
    updated_at=date(2026, 4, 20),
    department="people",
    access_tags=("employee",),
)
OWNER_PASSWORD = "quernmere-owner"
"""Not a secret: it only keeps the copying of text restricted, as an office program does."""
LEFT = 76
GAS = (
    ("Gas", "Alarm 1", "Alarm 2", "What alarm 2 means"),
    ("Oxygen, low", "19.5 %", "18.0 %", "leave the shaft at once"),
    ("Oxygen, high", "22.5 %", "23.5 %", "no tools, leave the shaft"),
    ("Hydrogen sulphide", "4 ppm", "9 ppm", "leave, shaft is closed for the day"),
    ("Carbon monoxide", "25 ppm", "60 ppm", "leave, look for engines nearby"),
    ("Methane", "8 % LEL", "15 % LEL", "leave, switch nothing on or off"),
)
LOADS = (
    ("Load", "One person", "Two people", "With the hoist"),
    ("Lifted from the floor", "18 kg", "32 kg", "80 kg"),
    ("Carried up a ladder", "7 kg", "not allowed", "45 kg"),
    ("Shaft cover, slid with a hook", "40 kg", "75 kg", "160 kg"),
)
SECTIONS: list[tuple[str, tuple[str | tuple[tuple[str, ...], ...], ...]]] = [
    (
        "1 Who this is for",
        (
            "The handbook is for field service engineers of Quernmere and for colleagues who go with them "
            "to a measuring point. It adds to section 8 of the employee handbook 2026 and was agreed with "
            "the safety officer and the staff council. Copies are numbered and are not passed on to "
            "customers.",
        ),
    ),
    (
        "2 Shafts and tanks",
        (
            "Nobody enters a shaft deeper than 1.2 m without a gas warner, a harness and a second person "
            "at the top. The air is measured at three heights before the first step, and for 5 minutes at "
            "the lowest of them. The gas warner is bump tested at the start of each shift.",
            "The levels at which the gas warner sounds are the following. After alarm 1, work goes on "
            "only with the blower running.",
            GAS,
            "The person at the top does no other work and stays within 3 m of the opening. The two speak "
            "to each other every 4 minutes. If there is no answer, the person at the top calls for help "
            "and does not climb down. The tripod and the hoist are examined every 10 months by a "
            "competent person.",
        ),
    ),
    (
        "3 Working alone",
        (
            "Work alone is allowed at measuring points above ground and without open water. The engineer "
            "sends a sign of life through the phone every 90 minutes. If a sign is missing for 15 "
            "minutes, the duty planner telephones; after a further 10 minutes the planner calls the "
            "emergency services to the site.",
            "No work alone takes place between 20:00 and 6:00, on roofs, and in the first 12 weeks of "
            "employment.",
        ),
    ),
    (
        "4 Loads",
        (
            "The hub plans a second person or the hoist whenever one of these loads is exceeded.",
            LOADS,
            "A shaft cover that is stuck is not freed with the vehicle. Hooks with a bent tip are handed in.",
        ),
    ),
    (
        "5 Driving",
        (
            "Working time and driving time together are limited to 11 hours a day, of which at most 5.5 "
            "hours are driving. After 2 hours at the wheel there is a break of 15 minutes. Winter tyres "
            "stay on the service vehicles from 15 October to 15 April.",
            "Loads behind the seats are strapped. The vehicle carries two fire extinguishers of 2 kg, a "
            "warning vest for each seat, and an eye-wash bottle that is replaced after 24 weeks.",
        ),
    ),
    (
        "6 Heat, cold and water",
        (
            "Above 30 °C in the shade there are 10 minutes of rest in each hour, and above 35 °C outdoor "
            "work ends. Below -12 °C, work outdoors is limited to 40 minutes at a time. Quernmere "
            "provides drinking water, 3 litres for each person and day of heat.",
            "At open water deeper than 0.8 m a life jacket of 150 N is worn. The jacket is inspected once "
            "a year and withdrawn after 9 years.",
        ),
    ),
    (
        "7 Personal equipment",
        (
            "Safety shoes are replaced after 14 months of field work, helmets after 4 years, and "
            "harnesses after 6 years, counted from the date of manufacture. Damaged equipment is cut up "
            "before it is thrown away. Prescription safety glasses are paid up to €180 every two years.",
        ),
    ),
    (
        "8 Training",
        (
            "The shaft course lasts two days and is repeated every 20 months. The first-aid course lasts "
            "9 hours and is repeated every two years. Without a valid shaft course nobody is planned for "
            "a shaft, not even as the second person.",
        ),
    ),
]


def _furniture(canvas: Canvas, page: int, pages: int) -> None:
    canvas.setFont(BODY, 8.5)
    canvas.drawString(LEFT, HEIGHT - 50, "Field safety handbook 2026")
    canvas.drawRightString(WIDTH - LEFT, HEIGHT - 50, "For employees only")
    canvas.drawCentredString(WIDTH / 2, 46, f"- {page} -")


def build() -> bytes:
    """Draw the handbook and lock it."""
    canvas, buffer = new_canvas(ABOUT.title, ABOUT.updated_at, owner_password=OWNER_PASSWORD)
    flow = Flow(canvas, ((LEFT, WIDTH - 2 * LEFT),), _furniture, top=HEIGHT - 80, bottom=80, size=11)
    flow.line("Field safety handbook 2026", font=BOLD, size=17)
    flow.y -= 10
    flow.paragraph("Version 2026.2, in force from 20 April 2026. Issued by the People team, Tolvane.")
    for title, parts in SECTIONS:
        flow.heading(title, size=13, before=10)
        for part in parts:
            if isinstance(part, str):
                flow.paragraph(part)
            else:
                flow.table(part, (0, 150, 230, 310))
    flow.draw()
    return finish(canvas, buffer)
