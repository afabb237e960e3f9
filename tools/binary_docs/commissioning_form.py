"""A form whose answers are the values of its fields, which the text of the page does not hold."""

from datetime import date

from reportlab.lib import colors

from tools.binary_docs.pages import BODY, BOLD, HEIGHT, WIDTH, finish, new_canvas
from tools.binary_docs.record import About

ABOUT = About(
    path="support/saltmere-commissioning-record.pdf",
    id="saltmere-commissioning-record",
    title="Commissioning record, Saltmere pumping station, 21 October 2026",
    document_version="1.0",
    updated_at=date(2026, 10, 21),
    department="support",
    product="XX-5310",
    access_tags=("support",),
)
# Name of the field, its label, its value.
FIELDS = [
    ("record_number", "Record number", "CR-2026-0388"),
    ("site", "Site", "Saltmere pumping station, wet well 2"),
    ("engineer", "Engineer", "D. Harrowgate, service hub Ashby Quay"),
    ("device", "Device", "XX-5310-10"),
    ("serial_number", "Serial number", "5310-26-01177"),
    ("gateway", "Gateway and input", "XX-2210, input A3"),
    ("cable", "Cable, with extension", "30 m (20 m and one AC-418)"),
    ("membrane_height", "Membrane above the floor", "95 mm"),
    ("air_current", "Current in air", "4.01 mA"),
    ("level_shown", "Level shown by Millrace", "3.42 m"),
    ("level_dipped", "Level measured with the dip tape", "3.40 m"),
    ("offset", "Offset entered", "-20 mm"),
    ("high_alarm", "Alarm, level high", "6.80 m"),
    ("low_alarm", "Alarm, level low", "1.15 m"),
    ("insulation", "Insulation to the shield", "over 500 MOhm"),
    ("next_check", "Next check in air", "21 April 2027"),
]
CHECKS = [
    ("vent_open", "Blue plug taken off the vent tube", True),
    ("desiccant_dry", "Desiccant dry (orange)", True),
    ("surge_protector", "Surge protector AC-414 fitted", False),
    ("operator_told", "Operator instructed", True),
]
REMARK = "Surge protector to be fitted by the customer before 15 December 2026."


def build() -> bytes:
    """Draw the labels, and put the values into fields."""
    canvas, buffer = new_canvas(ABOUT.title, ABOUT.updated_at)
    canvas.setFont(BOLD, 15)
    canvas.drawString(70, HEIGHT - 80, "Commissioning record")
    canvas.setFont(BODY, 9)
    canvas.drawString(70, HEIGHT - 96, "Fill in one record for each level probe. Form F-31, edition 2.")
    y = HEIGHT - 135
    form = canvas.acroForm
    look = {
        "fontName": BODY,
        "fontSize": 10,
        "borderWidth": 0.5,
        "borderColor": colors.grey,
        "fillColor": None,
    }
    for name, label, value in FIELDS:
        canvas.setFont(BODY, 10)
        canvas.drawString(70, y, label)
        form.textfield(name=name, tooltip=label, value=value, x=240, y=y - 6, width=280, height=20, **look)
        y -= 27
    y -= 4
    for name, label, checked in CHECKS:
        form.checkbox(name=name, tooltip=label, checked=checked, x=72, y=y - 4, size=14, borderWidth=0.5)
        canvas.setFont(BODY, 10)
        canvas.drawString(96, y, label)
        y -= 22
    canvas.drawString(70, y - 8, "Remark")
    form.textfield(
        name="remark", tooltip="Remark", value=REMARK, x=150, y=y - 14, width=370, height=20, **look
    )
    canvas.setFont(BODY, 8.5)
    canvas.drawString(70, 50, "Quernmere Instruments, Tolvane")
    canvas.drawRightString(WIDTH - 70, 50, "Form F-31, page 1 of 1")
    canvas.showPage()
    return finish(canvas, buffer)
