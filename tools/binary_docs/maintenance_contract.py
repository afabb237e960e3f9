"""A contract with running headers, "Page 3 of 5", numbered clauses and words broken over line ends."""

from datetime import date

from reportlab.pdfgen.canvas import Canvas

from tools.binary_docs.pages import BODY, BOLD, HEIGHT, WIDTH, Flow, finish, new_canvas
from tools.binary_docs.record import About

ABOUT = About(
    path="legal/fennick-springs-maintenance-contract.pdf",
    id="fennick-springs-contract",
    title="Field maintenance contract FM-2026-007 with Fennick Springs",
    document_version="1.0",
    updated_at=date(2026, 9, 14),
    department="legal",
    access_tags=("legal",),
)
CLAUSES: list[tuple[str, tuple[str, ...]]] = [
    (
        "1 Subject",
        (
            "Quernmere maintains the measuring points of the Customer in the three bottling halls Upper "
            "Hall, Lower Hall and Spring House. Maintenance means planned visits, urgent visits, and the "
            "keeping of a store of parts on the premises of the Customer.",
            "At the start of the contract there are 128 measuring points: 84 flow meters, 31 level probes "
            "XX-5310 and 13 conductivity sensors XX-5130. Annex 1 lists them with their places.",
            "The cloud service Millrace is not a subject of this contract. The Customer remains on the "
            "plan that it has ordered through the portal.",
        ),
    ),
    (
        "2 Term",
        (
            "The contract runs for 30 months from 1 October 2026 and ends on 31 March 2029.",
            "It is extended by 6 months at a time unless a party objects in writing at least 10 weeks "
            "before its end.",
            "The first three months count as a settling-in period. Within this period the parties correct "
            "Annex 1, and neither party may claim a credit or a surcharge.",
        ),
    ),
    (
        "3 Fee",
        (
            "The yearly fee is €31,620, plus value added tax. Quernmere invoices it in four parts of "
            "€7,905, each in the first month of a quarter.",
            "A measuring point that is added after the settling-in period raises the yearly fee by €235, "
            "and one that is removed lowers it by €190. The change takes effect with the next quarter.",
            "The fee contains travel, working time and small material up to €40 for each visit. Parts "
            "from the store under clause 6 are charged as they are used.",
            "The fee rises by 2.4 % on 1 January 2028. It is not adjusted at any other time.",
        ),
    ),
    (
        "4 Planned visits",
        (
            "Quernmere makes two planned visits to each hall in a calendar year: one in the weeks 14 to "
            "16 and one in the weeks 38 to 40. A planned visit to a hall takes up to three working days.",
            "Quernmere proposes the days at least five weeks ahead. The Customer may move a visit once, "
            "by up to 12 working days, without giving a reason.",
            "During a planned visit the engineer checks every level probe in air, replaces the desiccant, "
            "compares the conductivity sensors with a test solution of 1.41 mS/cm, and tightens the "
            "terminals in the cabinets.",
            "The engineer hands over a signed list of findings before leaving the hall. A full report "
            "follows within 8 working days.",
            "If Quernmere misses a planned visit without agreement on a new day, the Customer receives a "
            "credit of €450 for the hall concerned.",
        ),
    ),
    (
        "5 Urgent visits",
        (
            "The Customer may call for an urgent visit when a measuring point has failed and bottling "
            "stands still or is about to stand still. The call is made by telephone and confirmed in the "
            "portal.",
            "An engineer arrives at the hall within the time of the following table. The time runs from "
            "the telephone call, on every day of the year.",
            "TABLE",
            "If the engineer arrives later than stated, the Customer receives a credit of 6 % of the "
            "quarterly part of the fee. All credits of a quarter together are limited to 18 % of that "
            "part.",
            "Ten urgent visits in a contract year are included. Each further urgent visit is charged at "
            "€520.",
            "A visit that was called for without a failure of a measuring point counts as an urgent "
            "visit, unless the Customer could not know better.",
        ),
    ),
    (
        "6 Store of parts",
        (
            "Quernmere keeps a store of parts in the Upper Hall: four level probes XX-5310-10, two "
            "conductivity sensors XX-5130-S, and six boxes of desiccant cartridges AC-412. The store "
            "remains the property of Quernmere until a part is used.",
            "The Customer provides a dry room that can be locked, between 8 and 28 °C, and insures the "
            "store against fire up to €5,500.",
            "Quernmere counts the store at each planned visit. A part that is missing is charged at the "
            "partner price of the price table in force.",
        ),
    ),
    (
        "7 Duties of the Customer",
        (
            "The Customer names a hall master for each hall who opens the doors, issues the work permit "
            "and confirms the list of findings. If no hall master is present, the engineer waits for 45 "
            "minutes without charge; after that, the visit counts as made.",
            "The Customer makes the shafts free of water before a planned visit where Annex 1 marks them "
            "with the letter W.",
            "The Customer informs Quernmere of a change to the pipes or tanks at a measuring point within "
            "15 working days. A measuring point that was moved without notice is not part of the "
            "maintenance until it has been checked.",
        ),
    ),
    (
        "8 Liability",
        (
            "The liability of Quernmere under this contract is limited to €60,000 in a contract year. The "
            "limit does not apply to intent, to gross negligence and to injury to persons.",
            "Quernmere is not liable for bottles, caps and product that are lost because a line stands "
            "still.",
        ),
    ),
    (
        "9 Termination",
        (
            "The Customer may terminate the contract for convenience with 4 months' notice, for the first "
            "time to 30 September 2027. Quernmere has the same right to 31 March 2028.",
            "Each party may terminate without notice for good cause, in particular if two planned visits "
            "in a row were missed, or if a quarterly part has not been paid for 75 days.",
            "Notice is given by registered letter. On the last day of the contract Quernmere collects the "
            "store of parts at its own cost.",
        ),
    ),
    (
        "10 Final provisions",
        (
            "Changes to this contract are made in writing and signed by both parties. Annex 1 may be "
            "corrected by e-mail between the hall master and the service planner.",
            "The courts in Tolvane have jurisdiction. If a clause is invalid, the rest of the contract "
            "stands.",
        ),
    ),
]
ARRIVAL = (
    ("Hall", "Working day", "Night or weekend"),
    ("Upper Hall", "6 hours", "10 hours"),
    ("Lower Hall", "6 hours", "12 hours"),
    ("Spring House", "9 hours", "16 hours"),
)
LEFT = 104


def _furniture(canvas: Canvas, page: int, pages: int) -> None:
    canvas.setFont(BODY, 8.5)
    canvas.drawString(LEFT, HEIGHT - 52, "Field maintenance contract FM-2026-007")
    canvas.drawRightString(WIDTH - LEFT, HEIGHT - 52, "Confidential")
    canvas.drawString(LEFT, 48, "Quernmere Instruments / Fennick Springs")
    canvas.drawRightString(WIDTH - LEFT, 48, f"Page {page} of {pages}")


def build() -> bytes:
    """Draw five pages; the header and the footer of each come before its text."""
    canvas, buffer = new_canvas(ABOUT.title, ABOUT.updated_at)
    columns = ((LEFT, WIDTH - 2 * LEFT),)
    flow = Flow(canvas, columns, _furniture, top=HEIGHT - 84, bottom=84, size=14)
    flow.line("Field maintenance contract FM-2026-007", font=BOLD, size=16)
    flow.y -= 14
    flow.paragraph(
        'between Quernmere Instruments, Tolvane ("Quernmere"), and Fennick Springs ("the Customer"), signed on 14 '
        "September 2026."
    )
    for title, clauses in CLAUSES:
        flow.heading(title, size=15, before=14)
        number = 0
        for clause in clauses:
            if clause == "TABLE":
                flow.table(ARRIVAL, (36, 150, 260))
                continue
            number += 1
            flow.paragraph(clause, indent=36, label=f"{title.split()[0]}.{number}")
    flow.draw()
    return finish(canvas, buffer)
