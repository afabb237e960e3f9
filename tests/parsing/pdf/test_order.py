"""Reading order: columns, what runs across them, side bars, turned pages and turned text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

LEFT = [
    "The first column tells of the harbour and of the boats",
    "that lie in it through the winter, when the ice is thick",
    "and nobody sails. In the spring they go out again, one",
    "after the other, and the nets are mended on the quay.",
]
RIGHT = [
    "The second column tells of the hills behind the town,",
    "where sheep are kept from May until the first snow falls",
    "in late October. The shepherds live in stone huts there",
    "and come down once in a fortnight to buy bread and oil.",
]


def flat(document):
    return " ".join(document.text.split())


def prose(lines):
    return " ".join(lines)


def test_one_column_is_one_paragraph(draw, read_pdf):
    document = read_pdf(draw().lines(72, 100, LEFT))
    assert [block.text for block in document.blocks] == [prose(LEFT)]
    assert [block.page for block in document.blocks] == [1]


def test_two_columns_are_read_one_after_the_other(draw, read_pdf):
    text = flat(read_pdf(draw().lines(50, 100, LEFT, size=9).lines(310, 100, RIGHT, size=9)))
    assert text == f"{prose(LEFT)} {prose(RIGHT)}"


def test_the_order_of_drawing_changes_nothing(draw, read_pdf):
    drawing = draw()
    for number in (2, 0, 3, 1):
        drawing.text(310, 100 + 12 * number, RIGHT[number], size=9)
        drawing.text(50, 100 + 12 * number, LEFT[number], size=9)
    assert flat(read_pdf(drawing)) == f"{prose(LEFT)} {prose(RIGHT)}"


def test_two_short_columns_at_the_same_heights_stay_apart(draw, read_pdf):
    drawing = draw().lines(72, 140, ["Alpha limit is", "10 users."], size=12)
    drawing.lines(320, 140, ["Beta limit is", "99 users."], size=12)
    text = flat(read_pdf(drawing))
    assert "Alpha limit is 10 users." in text
    assert "Beta limit is 99 users." in text


def test_columns_whose_lines_do_not_stand_level_are_columns(draw, read_pdf):
    text = flat(read_pdf(draw().lines(50, 100, LEFT, size=9).lines(310, 105, RIGHT, size=9)))
    assert text == f"{prose(LEFT)} {prose(RIGHT)}"


def test_three_columns(draw, read_pdf):
    columns = [
        [f"{name} says that this line" for _ in range(4)] + ["ends here."] for name in ("Ada", "Bob", "Cid")
    ]
    drawing = draw()
    for x, lines in zip((40, 220, 400), columns, strict=True):
        drawing.lines(x, 100, lines)
    assert flat(read_pdf(drawing)) == " ".join(map(prose, columns))


def test_a_heading_across_the_columns_comes_before_them(draw, read_pdf):
    drawing = draw().text(120, 80, "A heading over both of the two columns", "Helvetica-Bold", 18)
    drawing.lines(50, 120, LEFT, size=9).lines(310, 120, RIGHT, size=9)
    drawing.text(120, 200, "Another heading over both of the columns", "Helvetica-Bold", 18)
    drawing.lines(50, 240, LEFT[::-1], size=9).lines(310, 240, RIGHT[::-1], size=9)
    document = read_pdf(drawing)
    assert flat(document).startswith(
        f"# A heading over both of the two columns {prose(LEFT)} {prose(RIGHT)} # An"
    )
    assert flat(document).endswith(f"columns {prose(LEFT[::-1])} {prose(RIGHT[::-1])}")


def test_full_width_text_above_and_below_columns(draw, read_pdf):
    wide = [
        "This paragraph runs over the whole width of the page, as an abstract does, and it is quite long,",
        "and ends.",
    ]
    drawing = draw().lines(50, 80, wide).lines(50, 130, LEFT, size=9).lines(310, 130, RIGHT, size=9)
    drawing.lines(50, 200, wide)
    assert flat(read_pdf(drawing)) == " ".join(map(prose, (wide, LEFT, RIGHT, wide)))


def test_a_table_across_the_columns_parts_them(draw, read_pdf):
    drawing = draw().lines(50, 80, LEFT, size=9).lines(310, 80, RIGHT, size=9)
    drawing.grid(
        [50, 200, 400, 545],
        [150, 170, 190, 210],
        [["Plan", "Seats", "Fee"], ["Pro", "40", "5"], ["Max", "90", "7"]],
    )
    drawing.lines(50, 240, LEFT, size=9).lines(310, 240, RIGHT, size=9)
    document = read_pdf(drawing)
    assert [block.block_type for block in document.blocks] == ["paragraph"] * 2 + ["table"] + [
        "paragraph"
    ] * 2
    assert flat(document).index("second column") < flat(document).index("| Pro | 40 | 5 |")


def test_a_side_bar_is_not_mixed_into_the_text(draw, read_pdf):
    bar = ["Kept by the", "town since", "the year 1900", "without pause."]
    text = flat(read_pdf(draw().lines(40, 100, bar, size=8).lines(150, 100, LEFT).lines(150, 148, RIGHT)))
    assert prose(bar) in text
    assert prose(LEFT) in text
    assert prose(RIGHT) in text


def test_labels_and_values_are_read_across(draw, read_pdf):
    drawing = (
        draw()
        .lines(72, 100, ["Name:", "Town:", "Year of birth:"])
        .lines(250, 100, ["Ada Berg", "Oslo", "1901"])
    )
    text = flat(read_pdf(drawing))
    for pair in ("Name: Ada Berg", "Town: Oslo", "Year of birth: 1901"):
        assert pair in text.replace(" | ", " ")


def test_a_paragraph_goes_on_in_the_next_column_and_on_the_next_page(draw, read_pdf):
    left = [*LEFT[:3], "after the other, and the nets are mended by all of the"]
    drawing = (
        draw()
        .lines(50, 100, left, size=9)
        .lines(310, 100, ["people who live there.", *RIGHT[:3], "and come"], size=9)
    )
    drawing.page().lines(
        50, 100, ["down in the summer only.", "A second thing begins here."], size=9, pitch=24
    )
    document = read_pdf(drawing)
    text = document.text.replace("\n", " ")
    assert "by all of the people who live there." in text
    assert "and come down in the summer only." in text
    assert [block.page for block in document.blocks if "summer only" in block.text] == [1]


def test_the_next_page_s_own_sentence_is_its_own_paragraph(draw, read_pdf):
    drawing = (
        draw()
        .text(50, 100, "The first page ends with a full stop.")
        .page()
        .text(50, 100, "the second one begins.")
    )
    assert [block.page for block in read_pdf(drawing).blocks] == [1, 2]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_turned_page_is_read_upright(draw, read_pdf, rotation):
    drawing = draw()
    canvas = drawing.canvas
    wide, high = canvas._pagesize if rotation == 180 else reversed(canvas._pagesize)
    canvas.setPageRotation(rotation)
    place = {90: (100, 100), 180: (wide - 100, 100), 270: (wide - 100, high - 100)}[rotation]
    canvas.translate(*place)
    canvas.rotate(rotation)
    for number, line in enumerate(["Torque 45 Nm is", "the limit."]):
        canvas.drawString(0, -14 * number, line)
    assert read_pdf(drawing).text == "Torque 45 Nm is the limit."


@pytest.mark.parametrize("turn", [90, -90, 180])
def test_turned_text_is_read_in_its_own_order(draw, read_pdf, turn):
    drawing = draw().lines(150, 100, LEFT)
    canvas = drawing.canvas
    canvas.translate(300, 500)
    canvas.rotate(turn)
    canvas.drawString(0, 0, "Printed on recycled paper,")
    canvas.drawString(0, -14, "please pass it on.")
    assert flat(read_pdf(drawing)) == f"{prose(LEFT)} Printed on recycled paper, please pass it on."


def test_a_slanted_mark_is_kept_out_of_the_text(draw, read_pdf):
    drawing = draw().lines(150, 100, LEFT)
    canvas = drawing.canvas
    canvas.translate(200, 650)
    canvas.rotate(45)
    canvas.setFont("Helvetica", 40)
    canvas.drawString(0, 0, "DRAFT")
    assert [block.text for block in read_pdf(drawing).blocks] == [prose(LEFT), "DRAFT"]


WORDS = st.text(alphabet="abcdefghijklmnoprstuw", min_size=2, max_size=9)


@settings(max_examples=25)
@given(st.data())
def test_any_words_in_columns_come_back_in_order(draw, read_pdf, data):
    columns = data.draw(st.integers(1, 3))
    wide, drawing, expected = (500 - 24 * (columns - 1)) / columns, draw(), []
    for column in range(columns):
        words = data.draw(st.lists(WORDS, min_size=30, max_size=60))
        expected += words
        left, line, top = 48 + column * (wide + 24), [], 90
        for word in [*words, None]:
            whole = " ".join([*line, word or ""])
            if word is None or drawing.canvas.stringWidth(whole, "Helvetica", 9) > wide:
                drawing.text(left, top, " ".join(line), size=9)
                line, top = [], top + 11
            line.append(word)
    assert read_pdf(drawing).text.replace("\n", " ").split() == expected
