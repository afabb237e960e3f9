"""A policy in Word with tracked changes: which figure is in force depends on who reads the XML."""

from datetime import date

from docx.document import Document

from tools.binary_docs.office import add_footnotes, change, footnote, new_document, page_field, saved
from tools.binary_docs.record import About

ABOUT = About(
    path="legal/subcontractor-policy-sb-05.docx",
    id="sb-05-subcontractors",
    title="Policy SB-05: subcontractors for work on site",
    document_version="3",
    updated_at=date(2026, 10, 26),
    department="legal",
    access_tags=("employee",),
)
# Words in {old|new} are a tracked change, and ^1 refers to footnote 1.
BODY: list[tuple[str, str]] = [
    ("Title", "Policy SB-05: subcontractors for work on site"),
    ("Normal", "Version 3, in force from 26 October 2026. The owner is the Legal department."),
    ("Heading 1", "1. Purpose"),
    (
        "Normal",
        "Quernmere may have work on a customer's site done by a subcontractor. This policy says which "
        "work that may be, who approves it, and what is kept on file. It does not apply to carriers or to "
        "the hosting of Millrace.",
    ),
    ("Heading 1", "2. What may be passed on"),
    ("List Bullet", "Laying and marking of cables outside cabinets."),
    ("List Bullet", "Mounting of brackets, stilling tubes and wall cabinets."),
    ("List Bullet", "Opening and draining of shafts, with a gas warner of the subcontractor."),
    (
        "Normal",
        "Commissioning, the setting of alarms and every work on a device under warranty stay with "
        "Quernmere's own engineers.^1",
    ),
    ("Heading 1", "3. Approval"),
    (
        "Normal",
        "An order to a subcontractor is approved by the hub manager up to {€4,000|€6,000}, and above that "
        "by the head of service. An order above {€25,000|€30,000} also needs the Legal department.",
    ),
    ("Heading 2", "3.1 Conditions by kind of work"),
    ("Table", ""),
    ("Heading 2", "3.2 Time limits"),
    (
        "Normal",
        "The request is made at least {10|7} working days before the work begins. The approver answers "
        "within 2 working days. An approval lapses after {60|45} days if the work has not begun.",
    ),
    ("Heading 1", "4. What the subcontractor shows"),
    ("List Number", "A certificate of insurance that is not older than 11 months."),
    ("List Number", "The names of the people on site, with their shaft course where a shaft is entered."),
    ("List Number", "A signed copy of the site rules of the customer."),
    ("List Number", "The name of a foreman who can be reached by telephone during the work."),
    (
        "Normal",
        "A subcontractor may not pass the work on to another company.{ With the consent of the hub "
        "manager it may take on single workers.|}",
    ),
    ("Heading 1", "5. Acceptance and defects"),
    (
        "Normal",
        "The hub accepts the work within 6 working days with photos. Quernmere holds back {5|8} % of the "
        "price until the customer has confirmed the work. The subcontractor answers for defects for 42 "
        "months from acceptance.^2",
    ),
    ("Heading 1", "6. List of subcontractors"),
    (
        "Normal",
        "The Legal department keeps the list. A company stays on the list for 3 years and is then "
        "assessed again. {|A company with two late starts in a calendar year is removed from the list for "
        "9 months.}",
    ),
]
# Kind, then per order: insurance cover, people at least, day report. The first column is merged downwards.
ROWS = [
    ("Kind of work", "Site", "Insurance cover", "People, at least"),
    ("Cables", "Indoors", "€0.5 million", "1"),
    ("", "Outdoors", "€1.2 million", "2"),
    ("Brackets and cabinets", "Indoors", "€0.8 million", "1"),
    ("", "On roofs", "€2.5 million", "3"),
    ("Shafts", "All", "€3 million", "3"),
]
NOTES = [
    "A loop check with the loop simulator AC-455 counts as commissioning.",
    "Compare clause 5 of the frame agreement for subcontractors, edition of 9 February 2026.",
]


def _paragraph(document: Document, style: str, text: str, first: int) -> int:
    """Add a paragraph with its changes and footnotes; return the number of the next change."""
    paragraph = document.add_paragraph(style=style)
    text, _, note = text.partition("^")
    while text:
        plain, opened, rest = text.partition("{")
        if plain:
            paragraph.add_run(plain)
        both, _, text = rest.partition("}")
        if opened:
            old, _, new = both.partition("|")
            change(paragraph, first, ABOUT.updated_at, old=old, new=new)
            first += 1
    if note:
        footnote(paragraph, int(note))
    return first


def _table(document: Document) -> None:
    table = document.add_table(rows=1 + len(ROWS), cols=4, style="Table Grid")
    table.cell(0, 0).merge(table.cell(0, 3)).text = "Conditions for an order to a subcontractor"
    for number, row in enumerate(ROWS, 1):
        for column, text in enumerate(row):
            if text:
                table.cell(number, column).text = text
    for first, last in ((2, 3), (4, 5)):
        text = table.cell(first, 0).text
        table.cell(first, 0).merge(table.cell(last, 0)).text = text


def build() -> bytes:
    """Write the policy with header, footer, footnotes and changes."""
    document = new_document(ABOUT.title, ABOUT.updated_at)
    section = document.sections[0]
    section.header.paragraphs[0].text = "Quernmere Instruments, Legal department\tSB-05, version 3"
    foot = section.footer.paragraphs[0]
    foot.text = "For employees only. Page "
    page_field(foot)
    number = 101
    for style, text in BODY:
        if style == "Table":
            _table(document)
        else:
            number = _paragraph(document, style, text, number)
    add_footnotes(document, NOTES)
    return saved(document, ABOUT.updated_at)
