"""What find_tables finds on pages drawn here, and what it leaves as text."""

import io
import random
from collections import Counter

import pdfplumber
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table, TableStyle

from rag_kit.parsing.pdf.tables import find_tables, join_continued

HIGH, WIDE = 792, 612
STYLE = ParagraphStyle("cell", fontName="Helvetica", fontSize=10, leading=12)


def pages(draw, *, rotate=0):
    """Draw on a canvas and return the tables of each page."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(WIDE, HIGH), invariant=1)
    if rotate:
        canvas.setPageRotation(rotate)
    draw(canvas)
    canvas.save()
    with pdfplumber.open(out) as pdf:
        return [find_tables(page) for page in pdf.pages]


def tables(draw, *, rotate=0):
    return pages(draw, rotate=rotate)[0]


def put(canvas, rows, *, x=72, y=700, widths=None, lines=True, spans=(), bold=0, styles=()):
    """Draw a table with its upper left corner at (x, y)."""
    style = [("FONTSIZE", (0, 0), (-1, -1), 10), *(("SPAN", *span) for span in spans), *styles]
    if lines:
        style.append(("GRID", (0, 0), (-1, -1), 0.5, "black"))
    if bold:
        style.append(("FONTNAME", (0, 0), (-1, bold - 1), "Helvetica-Bold"))
    table = Table(rows, colWidths=widths, style=TableStyle(style))
    _, high = table.wrapOn(canvas, WIDE - x, HIGH)
    table.drawOn(canvas, x, y - high)
    return y - high


def write(canvas, lines, *, x=72, y=700, size=10, font="Helvetica", lead=12):
    canvas.setFont(font, size)
    for at, line in enumerate(lines):
        canvas.drawString(x, y - at * lead, line)
    return y - len(lines) * lead


PRICES = [
    ["Plan", "Price", "Seats"],
    ["Basic", "1,200", "5"],
    ["Team", "2,450", "25"],
    ["Group", "7,900", "110"],
]


@pytest.mark.parametrize("lines", [True, False])
def test_a_plain_table_comes_back_with_its_header(lines):
    (table,) = tables(lambda canvas: put(canvas, PRICES, widths=[120, 80, 80], lines=lines))
    assert table.rows == PRICES
    assert table.heads == 1
    assert table.ruled is lines
    assert len(table.columns) == 4
    assert list(table.columns) == sorted(table.columns)
    assert not table.repeated


def test_a_table_ruled_across_only_is_found_by_its_words():
    rules = [("LINEABOVE", (0, 0), (-1, 1), 0.5, "black"), ("LINEBELOW", (0, -1), (-1, -1), 0.5, "black")]
    (table,) = tables(lambda canvas: put(canvas, PRICES, widths=[120, 80, 80], lines=False, styles=rules))
    assert (table.rows, table.heads, table.ruled) == (PRICES, 1, False)


def test_rows_between_upright_rulings_are_found_by_their_lines():
    def draw(canvas):
        canvas.rect(72, 600, 300, 100)
        canvas.line(72, 680, 372, 680)
        for x in (172, 272):
            canvas.line(x, 600, x, 700)
        for at, row in enumerate(PRICES):
            for column, text in enumerate(row):
                canvas.drawString(80 + 100 * column, 686 - 22 * at, text)

    (table,) = tables(draw)
    assert (table.rows, table.heads, table.ruled) == (PRICES, 1, True)


def test_a_merged_header_stands_over_each_of_its_columns():
    rows = [["Plan", "Price", ""], ["", "EU", "US"], ["Basic", "12", "14"], ["Team", "20", "23"]]
    (table,) = tables(
        lambda canvas: put(canvas, rows, widths=[90, 60, 60], spans=[((1, 0), (2, 0)), ((0, 0), (0, 1))])
    )
    assert table.rows == [["Plan", "Price", "Price"], ["Plan", "EU", "US"], *rows[2:]]
    assert table.heads == 2
    assert table.repeated == {(0, 2), (1, 0)}


def test_a_merged_header_without_rulings_stands_over_the_columns_it_crosses():
    def draw(canvas):
        for x, text in ((72, "Region"), (200, "North"), (260, "South"), (320, "North"), (380, "South")):
            canvas.drawString(x, 680, text)
        canvas.drawString(196, 694, "Sales in millions")
        canvas.drawString(316, 694, "Costs in millions")
        for at in range(5):
            canvas.drawString(72, 664 - 14 * at, f"Area {at}")
            for column in range(4):
                canvas.drawString(200 + 60 * column, 664 - 14 * at, f"{10 * at + column}.5")

    (table,) = tables(draw)
    assert table.heads == 2
    assert table.rows[:3] == [
        ["", "Sales in millions", "Sales in millions", "Costs in millions", "Costs in millions"],
        ["Region", "North", "South", "North", "South"],
        ["Area 0", "0.5", "1.5", "2.5", "3.5"],
    ]


def test_a_merged_label_stands_beside_each_of_its_rows():
    rows = [["Area", "City", "Rain"], ["North", "Oslo", "800"], ["", "Umea", "590"], ["South", "Rome", "790"]]
    (table,) = tables(lambda canvas: put(canvas, rows, widths=[80, 80, 80], spans=[((0, 1), (0, 2))]))
    assert table.rows == [rows[0], rows[1], ["North", "Umea", "590"], rows[3]]
    assert table.repeated == {(2, 0)}


def test_a_note_across_the_table_stands_once():
    rows = [*PRICES[:3], ["Prices without tax", "", ""], PRICES[3]]
    (table,) = tables(lambda canvas: put(canvas, rows, widths=[120, 80, 80], spans=[((0, 3), (2, 3))]))
    assert table.rows == rows
    assert table.heads == 1


def test_the_lines_of_a_cell_are_joined_and_broken_words_made_whole():
    cells = [
        ["Item", "Text", "Price"],
        ["A-1", Paragraph("pays for the govern-<br/>ment office<br/>and Lot-<br/>7", STYLE), "12"],
        ["A-2", Paragraph("short", STYLE), "15"],
    ]
    (table,) = tables(lambda canvas: put(canvas, cells, widths=[60, 160, 60]))
    assert table.rows[1] == ["A-1", "pays for the government office and Lot-7", "12"]


def test_a_cell_of_two_lines_without_rulings_stays_one_cell():
    def draw(canvas):
        write(
            canvas,
            ["Country", "France", "Germany and the", "countries around it", "Spain", "Portugal"],
            lead=12,
        )
        for at, figure in ((0, "Share"), (1, "12.5"), (2, "30.1"), (4, "9.0"), (5, "4.4")):
            canvas.drawString(250, 700 - 12 * at, figure)

    (table,) = tables(draw)
    assert table.rows == [
        ["Country", "Share"],
        ["France", "12.5"],
        ["Germany and the countries around it", "30.1"],
        ["Spain", "9.0"],
        ["Portugal", "4.4"],
    ]


def test_a_currency_set_apart_stays_with_its_figure():
    def draw(canvas):
        for at, (label, figure) in enumerate(
            [("Rent", "1,200"), ("Food", "90"), ("Cars", "310"), ("Sum", "1,600")]
        ):
            y = 700 - 14 * at
            canvas.drawString(72, y, label)
            canvas.drawString(200, y, "$")
            canvas.drawRightString(280, y, figure)

    (table,) = tables(draw)
    assert table.rows == [["Rent", "$ 1,200"], ["Food", "$ 90"], ["Cars", "$ 310"], ["Sum", "$ 1,600"]]
    assert table.heads == 0


def test_leaders_to_a_figure_are_no_text():
    def draw(canvas):
        for at, (label, one, two) in enumerate(
            [("Rent", "12", "7"), ("Food", "3", "19"), ("Cars", "31", "2")]
        ):
            y = 700 - 14 * at
            canvas.drawString(72, y, label + "." * 40)
            canvas.drawRightString(280, y, one)
            canvas.drawRightString(340, y, two)

    (table,) = tables(draw)
    assert table.rows == [["Rent", "12", "7"], ["Food", "3", "19"], ["Cars", "31", "2"]]


def test_two_tables_on_a_page_stay_two():
    other = [["City", "Rain"], ["Oslo", "800"], ["Rome", "790"]]

    def draw(canvas):
        y = put(canvas, PRICES, widths=[120, 80, 80])
        y = write(canvas, ["Rain in two cities, in millimetres a year:"], y=y - 30)
        put(canvas, other, y=y - 10, widths=[100, 60])

    assert [table.rows for table in tables(draw)] == [PRICES, other]


@pytest.mark.parametrize("gap", [4, 10, 25])
def test_text_right_over_and_under_a_table_is_not_part_of_it(gap):
    words = prose(3, 8, 17)

    def draw(canvas):
        y = write(canvas, words[:4], y=720, size=9) + 12 - gap
        y = put(
            canvas,
            PRICES,
            y=y,
            widths=[160, 120, 120],
            lines=False,
            styles=[("TOPPADDING", (0, 0), (-1, -1), 1)],
        )
        write(canvas, words[4:], y=y - gap - 6, size=9)

    (table,) = tables(draw)
    assert (table.rows, table.heads) == (PRICES, 1)


def test_a_table_beside_running_text_is_found_alone():
    prose = [
        " ".join(random.Random(at).choices(["price", "changes", "every", "winter", "season"], k=6))
        for at in range(20)
    ]

    def draw(canvas):
        write(canvas, prose, size=8)
        put(canvas, PRICES, x=350, y=690, widths=[80, 60, 60], lines=False)

    (table,) = tables(draw)
    assert table.rows == PRICES


PARTS = [["Number", "Part", "Lot"], ["K-1", "Clamp", "1"], ["K-2", "Ballast, 1 kg", "1"], ["K-3", "Box", "4"]]
PROSE = [
    "The probe has no display, and its current tells",
    "a fault from a level. The wording for these is",
    "in the knowledge base, under the number that",
    "the device shows at its start. Where that is not",
    "possible the number is read from the label that",
    "hangs on the cable near to the junction box.",
]


def columns_of(canvas, rows, xs, y, *, lead=13):
    for at, row in enumerate(rows):
        for x, cell in zip(xs, row, strict=True):
            canvas.drawString(x, y - lead * at, cell)


@pytest.mark.parametrize("table_at", [60, 320], ids=["left", "right"])
def test_a_table_inside_a_column_of_text_keeps_to_its_column(table_at):
    def draw(canvas):
        other = 380 - table_at
        write(canvas, ["Level probe"], x=60, y=760, size=8)
        write(canvas, ["Manual 1.2"], x=500, y=760, size=8)
        write(canvas, ["A note on the figure above it"], x=other, y=738)
        write(canvas, ["7 Signals"], x=other, y=685, size=12, font="Helvetica-Bold")
        write(canvas, PROSE, x=other, y=660)
        write(canvas, PROSE, x=other, y=560)
        write(canvas, ["10 Parts"], x=table_at, y=726, size=12, font="Helvetica-Bold")
        canvas.setFont("Helvetica", 10)
        columns_of(canvas, PARTS, [table_at, table_at + 60, table_at + 190], 709)
        write(canvas, PROSE[:4], x=table_at, y=650)

    (table,) = tables(draw)
    assert table.rows == PARTS


def test_text_with_its_clause_number_in_the_margin_ends_a_table():
    texts = [
        "An engineer arrives at the hall within the time of the table.",
        "The time runs from the telephone call, on",
        "any day.",
    ]

    def draw(canvas):
        write(canvas, ["5.2"], x=72, y=700)
        write(canvas, texts, x=100, y=700)
        columns_of(canvas, PARTS, [100, 190, 280], 657)
        write(canvas, ["5.3"], x=72, y=600)
        write(canvas, ["If the engineer arrives later than that, the customer", *texts[1:]], x=100, y=600)

    (table,) = tables(draw)
    assert table.rows == PARTS


@pytest.mark.parametrize("rotate", [90, 270])
def test_a_page_turned_by_its_viewer_reads_the_same(rotate):
    def draw(canvas):
        canvas.translate(*((WIDE, 0) if rotate == 90 else (0, HIGH)))
        canvas.rotate(90 if rotate == 90 else -90)
        put(canvas, PRICES, y=500, widths=[120, 80, 80])

    (table,) = tables(draw, rotate=rotate)
    assert (table.rows, table.heads) == (PRICES, 1)


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("way", [90, -90])
def test_a_table_that_runs_up_or_down_the_page_is_read_along_its_text(way, lines):
    def draw(canvas):
        canvas.translate(*((WIDE, 0) if way == 90 else (0, HIGH)))
        canvas.rotate(way)
        put(canvas, PRICES, y=500, widths=[120, 80, 80], lines=lines)

    (table,) = tables(draw)
    assert (table.rows, table.heads) == (PRICES, 1)
    assert 0 <= table.bbox[0] < table.bbox[2] <= WIDE
    assert 0 <= table.bbox[1] < table.bbox[3] <= HIGH


WORDS = [
    "the",
    "plan",
    "renews",
    "each",
    "March",
    "and",
    "the",
    "price",
    "follows",
    "the",
    "index",
    "of",
    "the",
    "region",
    "where",
    "its",
    "seats",
    "are",
    "used",
]


def prose(seed, count, words):
    return [" ".join(random.Random(seed * 99 + at).choices(WORDS, k=words)) for at in range(count)]


def draw_columns(canvas, count=2):
    for column in range(count):
        write(canvas, prose(column, 40, 12 // count), x=60 + column * (500 // count), size=8)


def draw_box(canvas):
    canvas.rect(70, 640, 300, 70)
    write(canvas, prose(1, 4, 8), x=80, y=695)


def draw_frame(canvas):
    canvas.rect(40, 40, 530, 710)
    write(canvas, prose(2, 30, 12))


def draw_contents(canvas):
    for at in range(12):
        canvas.drawString(72, 700 - 14 * at, f"{at + 1}. Part {WORDS[at]} " + "." * 50)
        canvas.drawRightString(500, 700 - 14 * at, str(3 * at + 2))


def draw_plain_contents(canvas):
    for at in range(12):
        canvas.drawString(72, 700 - 14 * at, f"Part {WORDS[at]} and {WORDS[-at]}")
        canvas.drawRightString(500, 700 - 14 * at, str(3 * at + 2))


def draw_list(canvas):
    for at in range(10):
        canvas.drawString(72, 700 - 14 * at, f"{at + 1}.")
        canvas.drawString(100, 700 - 14 * at, prose(at, 1, 8)[0])


def draw_bullets(canvas):
    for at in range(10):
        canvas.drawString(72, 700 - 14 * at, "\u2022")
        canvas.drawString(100, 700 - 14 * at, prose(at, 1, 3)[0])


def draw_code(canvas):
    code = [
        "def total(rows):",
        "    found = 0      # so far",
        "    for row in rows:   # each of them",
        "        found += row[1]   # its price",
        "    return found       # the sum",
        "",
        "total(ROWS)    # 12",
    ]
    write(canvas, code, font="Courier")


def draw_one_column(canvas):
    put(canvas, [[text] for text in WORDS[:6]], widths=[120])


@pytest.mark.parametrize(
    "draw",
    [
        draw_columns,
        lambda canvas: draw_columns(canvas, 3),
        draw_box,
        draw_frame,
        draw_contents,
        draw_plain_contents,
        draw_list,
        draw_bullets,
        draw_code,
        draw_one_column,
    ],
    ids=[
        "two columns",
        "three columns",
        "box",
        "frame",
        "contents",
        "contents without leaders",
        "list",
        "bullets",
        "code",
        "one column",
    ],
)
def test_what_is_no_table_stays_text(draw):
    assert tables(draw) == []


def test_a_table_goes_on_over_the_page_with_its_header_dropped_when_repeated():
    rows = [[f"Item {at}", f"{at * 7}", f"{at}.50"] for at in range(1, 9)]
    head = ["Name", "Pieces", "Price"]
    wide = [120, 80, 80]

    def draw(canvas):
        put(canvas, [head, *rows[:3]], widths=wide)
        canvas.showPage()
        put(canvas, [head, *rows[3:6]], widths=wide)
        canvas.showPage()
        put(canvas, rows[6:], widths=wide)
        canvas.showPage()
        put(canvas, [["City", "Rain", "Snow"], ["Oslo", "800", "31"], ["Rome", "790", "0"]], widths=wide)
        canvas.showPage()
        put(canvas, rows[:3], widths=[60, 140, 80])

    (one,), (two,), (three,), (other,), (shifted,) = pages(draw)
    joined = join_continued(one, two)
    assert joined is not None
    joined = join_continued(joined, three)
    assert joined is not None
    assert joined.rows == [head, *rows]
    assert joined.heads == 1
    assert join_continued(joined, other) is None
    assert join_continued(one, shifted) is None


@pytest.mark.parametrize("spans", [True, False], ids=["merged", "plain"])
def test_a_label_that_the_page_s_end_cut_off_is_filled_in_again(spans):
    one = [["Family", "Part", "Price"], ["Mounting", "K-1", "5"], ["", "K-2", "6"], ["Cable", "K-3", "7"]]
    two = [["", "K-4", "8"], ["", "K-5", "9"], ["Cabinets", "K-6", "10"], ["", "K-7", "11"]]

    def draw(canvas):
        put(canvas, one, bold=1, widths=[100, 60, 60], spans=[((0, 1), (0, 2))] if spans else [])
        canvas.showPage()
        put(canvas, two, widths=[100, 60, 60], spans=[((0, 0), (0, 1))] if spans else [])

    first, second = pages(draw)
    joined = join_continued(first[0], second[0])
    labels = [row[0] for row in joined.rows[4:]]
    assert labels == (["Cable", "Cable", "Cabinets", ""] if spans else ["", "", "Cabinets", ""])
    assert ((4, 0) in joined.repeated) is spans


def test_an_unruled_table_goes_on_over_the_page():
    rows = [[f"Item {at}", f"{at * 7}", f"{at}.50"] for at in range(1, 9)]

    def draw(canvas):
        put(canvas, [["Name", "Pieces", "Price"], *rows[:4]], widths=[120, 80, 80], lines=False)
        canvas.showPage()
        put(canvas, rows[4:], widths=[120, 80, 80], lines=False)

    (one,), (two,) = pages(draw)
    assert (one.heads, two.heads) == (1, 0)
    joined = join_continued(one, two)
    assert joined is not None
    assert joined.rows == [["Name", "Pieces", "Price"], *rows]


def test_a_page_full_of_strokes_is_left_alone():
    def draw(canvas):
        path = random.Random(4)
        for _ in range(2_500):
            x, y = path.uniform(0, WIDE), path.uniform(0, HIGH)
            canvas.line(x, y, x + path.uniform(0, 9), y)
            canvas.line(x, y, x, y + path.uniform(0, 9))
        canvas.drawString(300, 400, "Site plan")

    assert tables(draw) == []


def test_an_empty_page_has_no_tables():
    assert tables(lambda canvas: canvas.drawString(72, 700, "")) == []


@st.composite
def grids(draw):
    """A header of labels over a column of labels and columns of figures, no two cells alike."""
    wide, high = draw(st.integers(2, 6)), draw(st.integers(3, 12))
    figures = draw(
        st.lists(st.integers(1, 99_999), min_size=(wide - 1) * high, max_size=(wide - 1) * high, unique=True)
    )
    marks = st.text("abcdefghkmnoprstuvz", min_size=2, max_size=9)
    labels = draw(st.lists(marks, min_size=wide + high, max_size=wide + high, unique=True))
    form = draw(st.sampled_from(["{:,}", "{}", "{}.5", "({})", "{} %", "-{}"]))
    head = [label.capitalize() for label in labels[:wide]]
    body = [
        [
            labels[wide + row].capitalize(),
            *(form.format(n) for n in figures[row * (wide - 1) : (row + 1) * (wide - 1)]),
        ]
        for row in range(high)
    ]
    return [head, *body]


@settings(max_examples=40, deadline=None)
@given(grid=grids(), lines=st.booleans(), align=st.sampled_from(["LEFT", "RIGHT", "CENTER"]))
def test_any_small_grid_comes_back_cell_for_cell(grid, lines, align):
    styles = [("ALIGN", (1, 0), (-1, -1), align)]
    (table,) = tables(
        lambda canvas: put(
            canvas, grid, widths=[90, *([70] * (len(grid[0]) - 1))], lines=lines, styles=styles
        )
    )
    assert table.rows == grid
    assert table.heads == 1


@settings(max_examples=25, deadline=None)
@given(
    words=st.lists(st.lists(st.integers(1, 999), max_size=12), min_size=6, max_size=6),
    lines=st.booleans(),
)
def test_no_figure_is_lost(words, lines):
    """Whatever cells hold, each figure drawn in a table is in one of its cells."""
    cells = [
        ["Key", "One", "Two"],
        *(
            [
                f"k{at}",
                *(Paragraph(" ".join(map(str, some)) or "-", STYLE) for some in words[2 * at : 2 * at + 2]),
            ]
            for at in range(3)
        ),
    ]
    (table,) = tables(lambda canvas: put(canvas, cells, widths=[80, 120, 120], lines=True))
    drawn = Counter(str(number) for some in words for number in some)
    found = Counter(
        word
        for row, line in enumerate(table.rows)
        for column, text in enumerate(line)
        if (row, column) not in table.repeated
        for word in text.split()
        if word.isdigit()
    )
    assert found == drawn
