"""A thread of mails in one file: the newest with its quotes, in text and in HTML, and a table attached."""

import base64
import quopri
from datetime import date

from tools.binary_docs.record import About

ABOUT = About(
    path="support/mail-level-probe-drift.eml",
    id="mail-level-probe-drift",
    title="Mail thread: level in Spring House wanders at night (case 49160)",
    document_version="3",
    updated_at=date(2026, 11, 11),
    department="support",
    product="XX-5310",
    access_tags=("support",),
)
HEAD = """\
Return-Path: <support@quernmere.example>
Received: from relay.quernmere.example by mail.fennick-springs.example; Wed, 11 Nov 2026 10:42:09 +0000
From: "Support desk, Quernmere" <support@quernmere.example>
To: "Ada Thornbury" <a.thornbury@fennick-springs.example>
Cc: "Service planner" <planner@quernmere.example>
Subject: =?utf-8?Q?Re=3A_Level_in_Spring_House_wanders_at_night_=E2=80=93_case_49160?=
Date: Wed, 11 Nov 2026 10:42:06 +0000
Message-ID: <20261111104206.49160.3@quernmere.example>
In-Reply-To: <20261110153112.49160.2@fennick-springs.example>
References: <20261109080244.49160.1@fennick-springs.example> <20261110153112.49160.2@fennick-springs.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="=-outer-49160"
"""
ANSWER = (
    "Dear Ms Thornbury,",
    "Thank you for the readings. The level in tank 3 falls by 34 mm between 22:00 and 04:00 and comes "
    "back after sunrise. The air pressure in the hall moves in the same way, because the ventilation is "
    "switched down at 22:00. So the probe is sound, and its vent tube is closed.",
    "Please look at the end of the vent tube in junction box 7. I expect the blue plug to be still on it. "
    "If you find the plug, take it off, and wait for 2 hours before you judge the level. If there is no "
    "plug, do not cut the tube; I will then send an engineer under your contract on 13 November.",
    "Until then, please widen the low alarm of tank 3 from 1.60 m to 1.45 m, so that the pump is not "
    "stopped.",
    "Kind regards,\nM. Tolland, support desk",
)
QUOTED = (
    (
        "On 10 November 2026 at 15:31, Ada Thornbury wrote:",
        "The hourly readings of tank 3 are attached. The other two tanks are steady to within 3 mm. "
        "Serial number of the probe: 5310-26-00962. It has hung there since 26 October.",
    ),
    (
        "On 9 November 2026 at 08:02, Ada Thornbury wrote:",
        "The level in tank 3 of the Spring House wanders every night, although nothing is drawn. On "
        "Sunday the low alarm stopped pump P-31 for 50 minutes. Is the probe defective?",
    ),
)
READINGS = (
    ("time", "tank 1 m", "tank 2 m", "tank 3 m", "air hPa"),
    ("2026-11-09 18:00", "2.412", "1.988", "1.604", "1013.2"),
    ("2026-11-09 22:00", "2.411", "1.988", "1.603", "1013.1"),
    ("2026-11-10 00:00", "2.411", "1.987", "1.585", "1011.4"),
    ("2026-11-10 02:00", "2.412", "1.987", "1.574", "1010.3"),
    ("2026-11-10 04:00", "2.412", "1.988", "1.569", "1009.8"),
    ("2026-11-10 08:00", "2.411", "1.988", "1.602", "1013.0"),
)


def _quoted_printable(text: str) -> str:
    return quopri.encodestring(text.encode()).decode("ascii")


def _plain() -> str:
    paragraphs = list(ANSWER)
    for depth, (head, text) in enumerate(QUOTED, 1):
        mark = "> " * depth
        paragraphs.append(f"{'> ' * (depth - 1)}{head}\n{mark}{text}")
    return "\n\n".join(paragraphs) + "\n"


def _html() -> str:
    answer = "".join("<p>" + text.replace("\n", "<br>") + "</p>\n" for text in ANSWER)
    quotes = "".join(f"<p>{head}</p>\n<blockquote><p>{text}</p>\n" for head, text in QUOTED)
    style = "<style>p{font-family:sans-serif} blockquote{border-left:2px solid #999}</style>"
    return (
        f"<html><head>{style}</head><body>\n{answer}{quotes}{'</blockquote>' * len(QUOTED)}\n</body></html>\n"
    )


def build() -> bytes:
    """Write the mail, its ids and borders fixed."""
    table = "".join(",".join(row) + "\r\n" for row in READINGS).encode()
    attached = base64.encodebytes(table).decode("ascii")
    coded = "Content-Transfer-Encoding: quoted-printable\n"
    parts = [
        '--=-outer-49160\nContent-Type: multipart/alternative; boundary="=-inner-49160"\n\n',
        f"--=-inner-49160\nContent-Type: text/plain; charset=utf-8\n{coded}\n{_quoted_printable(_plain())}\n",
        f"--=-inner-49160\nContent-Type: text/html; charset=utf-8\n{coded}\n{_quoted_printable(_html())}\n",
        "--=-inner-49160--\n\n",
        '--=-outer-49160\nContent-Type: text/csv; charset=utf-8; name="tank-levels.csv"\n'
        'Content-Disposition: attachment; filename="tank-levels.csv"\n'
        f"Content-Transfer-Encoding: base64\n\n{attached}",
        "--=-outer-49160--\n",
    ]
    return "".join([HEAD, "\n", *parts]).replace("\n", "\r\n").encode("ascii")
