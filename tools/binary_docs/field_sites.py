"""A list of sites as a spreadsheet program exports it: semicolons, a byte order mark, a quoted semicolon."""

import csv
import io
from datetime import date

from tools.binary_docs.record import About

ABOUT = About(
    path="products/xx-5310-field-test-sites.csv",
    id="xx-5310-field-test-sites",
    title="Field test sites of the level probe XX-5310",
    document_version="4",
    updated_at=date(2026, 10, 30),
    department="products",
    product="XX-5310",
    access_tags=("employee",),
)
HEAD = (
    "Site",
    "Place",
    "Kind of shaft",
    "Variant",
    "Depth in m",
    "Installed",
    "Filter",
    "Largest offset in mm",
    "Desiccant lasted, months",
    "Remark",
)
ROWS = [
    ("FT-01", "Alder Weir", "intake", "XX-5310-04", 3.1, "2024-11-04", "yes", 12, 15, ""),
    (
        "FT-02",
        "Carrow Sluice",
        "wet well",
        "XX-5310-10",
        7.4,
        "2024-11-06",
        "yes",
        18,
        14,
        "grease on the membrane",
    ),
    ("FT-03", "Dunmarsh", "borehole", "XX-5310-25", 21.8, "2024-11-11", "no", 9, 10, ""),
    ("FT-04", "Eddle Tower", "clean water tank", "XX-5310-10", 5.6, "2024-11-12", "yes", 4, 16, ""),
    (
        "FT-05",
        "Farthing Lock",
        "storm basin",
        "XX-5310-04",
        2.7,
        "2024-11-20",
        "no",
        33,
        8,
        "shaft floods; box moved",
    ),
    ("FT-06", "Gorse Hill", "clean water tank", "XX-5310-10", 6.2, "2024-12-02", "yes", 6, 17, ""),
    ("FT-07", "Harl Spring", "spring chamber", "XX-5310-04", 1.9, "2024-12-03", "no", 11, 9, ""),
    ("FT-08", "Ingle Moor", "borehole", "XX-5310-25", 18.3, "2025-01-14", "yes", 14, 15, ""),
    (
        "FT-09",
        "Jessop Bridge",
        "wet well",
        "XX-5310-10",
        8.8,
        "2025-01-15",
        "no",
        41,
        7,
        "stirrer 0.4 m away",
    ),
    ("FT-10", "Kettle Pond", "fire pond", "XX-5310-04", 3.6, "2025-01-22", "yes", 21, 13, "ice for 3 weeks"),
    ("FT-11", "Loxley Dam", "dam shaft", "XX-5310-25", 23.5, "2025-02-05", "no", 16, 11, ""),
    (
        "FT-12",
        "Morden Vale",
        "cooling basin",
        "XX-5310-04",
        2.2,
        "2025-02-06",
        "no",
        27,
        9,
        "water at 44 °C in July",
    ),
]


def build() -> bytes:
    """Write the rows."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow(HEAD)
    writer.writerows(ROWS)
    return text.getvalue().encode("utf-8-sig")
