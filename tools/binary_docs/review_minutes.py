"""Minutes of a meeting in Word, with a table of what was decided and who does it."""

from datetime import date

from tools.binary_docs.office import new_document, page_field, saved
from tools.binary_docs.record import About

ABOUT = About(
    path="products/xx-5310-design-review-minutes.docx",
    id="xx-5310-design-review",
    title="Minutes of the design review XX-5310, 3 November 2026",
    document_version="1.0",
    updated_at=date(2026, 11, 4),
    department="products",
    product="XX-5310",
    access_tags=("employee",),
)
BODY: list[tuple[str, str]] = [
    ("Title", "Minutes: design review XX-5310"),
    (
        "Normal",
        "Tolvane, 3 November 2026, 13:00 to 15:20. Minutes taken by R. Sallow, released on 4 November 2026.",
    ),
    ("Heading 1", "Present"),
    (
        "Normal",
        "J. Wickstead (chair), R. Sallow (development), T. Marrin (laboratory), P. Oduya (service), L. "
        "Fenn (purchasing)",
    ),
    ("Heading 1", "1. Returns since the start of delivery"),
    (
        "Normal",
        "Since delivery began on 2 March 2026, 1,246 level probes have been shipped and 29 have come "
        "back. Of these, 14 had moisture in the vent tube, 6 a fault of the weld, 4 a cut cable, and 5 no "
        "fault.",
    ),
    (
        "Normal",
        "The faults of the weld all come from week 9. T. Marrin has had 60 probes of that week opened: "
        "one more was faulty.",
    ),
    ("Heading 1", "2. Vent tube"),
    (
        "Normal",
        "P. Oduya reports that half of the moist probes had been joined to an extension cable without a "
        "junction box of its own. The drawing in the manual is to be clearer. A filter of expanded PTFE "
        "at the end of the tube was tried at six sites; the desiccant then lasted 15 months instead of 9.",
    ),
    ("List Bullet", "Decision: the filter becomes part of the junction box AC-410 from 1 February 2027."),
    ("List Bullet", "The price of the box does not change; the filter costs €1.70 in purchasing."),
    ("Heading 1", "3. Variant for 50 m"),
    (
        "Normal",
        "Four customers have asked for a span of 50 m. L. Fenn has one supplier for the ceramic, with a "
        "lead time of 22 weeks. The chair stops the work on this variant until the supplier has shown "
        "samples.",
    ),
    ("Heading 1", "4. Actions"),
    ("Table", ""),
    ("Heading 1", "5. Next meeting"),
    ("Normal", "The next review takes place on 19 January 2027 at 13:00, in the room Sluice."),
]
ACTIONS = [
    ("No.", "Action", "Who", "By"),
    ("A1", "New drawing of the joint with AC-418", "R. Sallow", "27 November 2026"),
    ("A2", "Report on the probes of week 9", "T. Marrin", "18 December 2026"),
    ("A3", "200 filters for the pilot run", "L. Fenn", "8 January 2027"),
    ("A4", "Letter to the six test sites", "P. Oduya", "11 December 2026"),
    ("A5", "Samples of ceramic for 50 m", "L. Fenn", "open"),
]


def build() -> bytes:
    """Write the minutes."""
    document = new_document(ABOUT.title, ABOUT.updated_at)
    section = document.sections[0]
    section.header.paragraphs[0].text = "Design review XX-5310\tInternal"
    foot = section.footer.paragraphs[0]
    foot.text = "Page "
    page_field(foot)
    for style, text in BODY:
        if style != "Table":
            document.add_paragraph(text, style=style)
            continue
        table = document.add_table(rows=0, cols=4, style="Table Grid")
        for row in ACTIONS:
            for cell, value in zip(table.add_row().cells, row, strict=True):
                cell.text = value
    return saved(document, ABOUT.updated_at)
