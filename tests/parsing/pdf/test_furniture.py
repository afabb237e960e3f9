"""Running headers, footers and page numbers go where they repeat, and only there."""

import pytest


def codes(document):
    return [notice.code for notice in document.notices]


def pages(draw, bodies, head=None, foot=None):
    drawing = draw()
    for number, body in enumerate(bodies, start=1):
        if head:
            drawing.text(72, 40, head.format(number), size=8)
        drawing.lines(72, 100, body)
        if foot:
            drawing.text(280, 810, foot.format(number), size=8)
        drawing.page()
    return drawing


BODIES = [
    ["The fee is 5 euros.", "It is due in May."],
    ["Seats are free.", "Nobody reserves them."],
    ["The ACME Handbook wins over other texts.", "Page 3 of it says so."],
]


@pytest.mark.parametrize("foot", ["Page {} of 3", "{}", "- {} -", "Rev. 7, page {}"])
def test_headers_and_page_numbers_are_removed(draw, read_pdf, foot):
    document = read_pdf(pages(draw, BODIES, "ACME Handbook", foot))
    text = document.text.replace("\n", " ")
    assert text.split() == " ".join(line for body in BODIES for line in body).split()
    assert document.metadata["running_header"] == "ACME Handbook"
    assert codes(document) == ["running_lines"]
    assert "6 running lines" in document.notices[0].message


def test_roman_page_numbers_are_removed(draw, read_pdf):
    drawing = draw()
    for number, body in zip(("iii", "iv", "v"), BODIES, strict=True):
        drawing.lines(72, 100, body).text(280, 810, number, size=8).page()
    assert "iv" not in read_pdf(drawing).text.split()


def test_headers_of_left_and_right_pages(draw, read_pdf):
    drawing = draw()
    for number in range(6):
        drawing.text(*((72, 40, "ACME Handbook") if number % 2 else (400, 40, "Part two: fees")), size=8)
        drawing.text(72, 100, f"Sentence {'abcdef'[number]} stands alone here.").page()
    text = read_pdf(drawing).text
    assert "ACME" not in text
    assert "Part two" not in text
    assert text.count("stands alone here.") == 6


def test_one_page_has_no_running_line(draw, read_pdf):
    document = read_pdf(pages(draw, BODIES[:1], "ACME Handbook", "Page {}"))
    assert "ACME Handbook" in document.text
    assert "Page 1" in document.text
    assert codes(document) == []


def test_what_stands_at_the_top_of_two_pages_of_many_stays(draw, read_pdf):
    drawing = draw()
    for number in range(7):
        if number in (2, 5):
            drawing.text(72, 40, "Notice to all readers", size=8)
        drawing.text(72, 100, f"Sentence {'abcdefg'[number]} stands alone here.").page()
    assert read_pdf(drawing).text.count("Notice to all readers") == 2


def test_chapters_that_begin_at_the_same_place_stay(draw, read_pdf):
    drawing = draw()
    for number, page in enumerate((1, 2, 6, 7), start=1):
        for _ in range(page - (0, 1, 2, 6, 7)[number - 1] - 1):
            drawing.text(72, 300, "Text between the chapters.").page()
        drawing.text(72, 60, f"Chapter {number * number + 3}", "Helvetica-Bold", 16).text(
            72, 100, "Its text."
        ).page()
    text = read_pdf(drawing).text
    assert [f"Chapter {n}" in text for n in (4, 7, 12, 19)] == [True] * 4


def test_figures_at_the_same_place_are_data(draw, read_pdf):
    drawing = draw()
    for figure in ("17", "12", "40"):
        drawing.text(72, 60, figure).text(72, 200, f"The figure above was {figure}.").page()
    text = read_pdf(drawing).text
    assert [text.split().count(figure) for figure in ("17", "12", "40")] == [1, 1, 1]


def test_nothing_is_cut_because_it_stands_at_an_edge(draw, read_pdf):
    drawing = draw().text(72, 15, "At the very top.").text(72, 838, "At the very foot.").page()
    drawing.text(72, 15, "Another at the top.").text(72, 838, "Another at the foot.").page()
    text = read_pdf(drawing).text
    assert all(
        words in text
        for words in ("the very top", "the very foot", "Another at the top", "Another at the foot")
    )


def test_a_header_of_two_columns_pages(draw, read_pdf):
    drawing = draw()
    for number in range(3):
        drawing.text(72, 40, "ACME Handbook", size=8).text(480, 40, f"{number + 1}", size=8)
        left = [f"Left {'abc'[number]} line {word} goes on and on with" for word in ("one", "two", "three")]
        right = [f"right {'abc'[number]} line {word} goes on too and on" for word in ("one", "two", "three")]
        drawing.lines(50, 100, left).lines(310, 100, right).page()
    document = read_pdf(drawing)
    assert "ACME" not in document.text
    assert "with right a line one goes on too" in document.text.replace("\n", " ")


def test_a_header_of_two_parts_on_two_pages_over_columns_and_a_table(draw, read_pdf):
    drawing = draw()
    for page in (1, 2):
        drawing.text(72, 40, "Level probe", size=8).text(480, 40, "Manual 1.2, May 2026", size=8)
        drawing.lines(
            72, 80, [f"The text of page {page} stands on the left", "side and is read first of all."]
        )
        for at, (part, lot) in enumerate([("Part", "Lot"), ("Clamp", "1"), ("Box", "3"), ("Cable", "2")]):
            drawing.text(320, 80 + 12 * at, part).text(420, 80 + 12 * at, lot)
        drawing.text(500, 810, f"{page} / 2", size=8).page()
    document = read_pdf(drawing)
    assert document.metadata["running_header"] == "Level probe Manual 1.2, May 2026"
    assert "Manual" not in document.text
    assert "Level probe" not in document.text
    assert " / 2" not in document.text
