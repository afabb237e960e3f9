"""Footnotes and tables in the flow of the text."""


def flat(document):
    return " ".join(document.text.split())


def test_a_footnote_stands_after_the_text_of_its_page(draw, read_pdf):
    drawing = draw().lines(72, 100, ["The fee is due within thirty days of the date on the bill, and it"])
    drawing.raised(72, 112, "is 45", "^1", " euros for all members of the club, who pay it with").raised(
        72, 780, "^1", " Members of the first year pay half.", size=8
    )
    drawing.page().lines(72, 100, ["the other fees.", "", "A new paragraph."])
    document = read_pdf(drawing)
    assert [(block.text[-25:], block.anchor, block.page) for block in document.blocks] == [
        ("pay it with the other fees.".rjust(25)[-25:], None, 1),
        ("of the first year pay half.".rjust(25)[-25:], "fn1", 1),
        ("A new paragraph.", None, 2),
    ]
    assert "is 45¹ euros" in flat(document)
    assert "¹ Members of the first year pay half." in flat(document)


def test_notes_of_several_lines_are_one_paragraph_each(draw, read_pdf):
    drawing = draw().lines(
        72,
        100,
        [
            "The fee is due within thirty days, as the rules* of the club say",
            "in their second part, since long†.",
        ],
    )
    drawing.lines(
        72, 760, ["* The rules of the first of May, which", "were printed in June.", "† Since 1901."], size=7
    )
    anchors = {block.anchor: block.text for block in read_pdf(drawing).blocks}
    assert anchors["fnstar"].endswith("The rules of the first of May, which were printed in June.")
    assert anchors["fndagger"] == "† Since 1901."


def test_small_print_without_a_mark_is_no_footnote(draw, read_pdf):
    drawing = draw().lines(72, 100, ["The fee is due within thirty days of the date on the bill."])
    drawing.text(72, 780, "Printed by the club itself.", size=7)
    assert [block.anchor for block in read_pdf(drawing).blocks] == [None, None]


XS = [72, 200, 300]


def test_a_table_stands_where_it_is_with_its_caption_above(draw, read_pdf):
    drawing = (
        draw().text(72, 80, "These are the prices of the year.").text(72, 110, "Table 1 Prices in euros")
    )
    drawing.grid(XS, [120, 140, 160], [["Part", "Price"], ["Bolt", "5"]]).text(
        72, 190, "All of them may change."
    )
    document = read_pdf(drawing)
    assert [block.text for block in document.blocks] == [
        "These are the prices of the year.",
        "Table 1 Prices in euros",
        "| Part | Price |\n| --- | --- |\n| Bolt | 5 |",
        "All of them may change.",
    ]


def test_a_table_over_pages_has_its_header_on_each(draw, read_pdf):
    drawing = draw()
    drawing.text(72, 40, "ACME Handbook", size=8)
    drawing.grid(XS, [100, 120, 140, 160], [["Region", "Cap"], ["North", "5"], ["East", "6"]]).page()
    drawing.text(72, 40, "ACME Handbook", size=8)
    drawing.grid(XS, [60, 80, 100], [["South", "7"], ["West", "8"]]).page()
    drawing.text(72, 40, "ACME Handbook", size=8)
    drawing.grid(XS, [60, 80, 100], [["Coast", "9"], ["Hills", "3"]]).page()
    tables = [(block.page, block.text) for block in read_pdf(drawing).blocks]
    head = "| Region | Cap |\n| --- | --- |\n"
    assert tables == [
        (1, head + "| North | 5 |\n| East | 6 |"),
        (2, head + "| South | 7 |\n| West | 8 |"),
        (3, head + "| Coast | 9 |\n| Hills | 3 |"),
    ]


def test_one_row_that_goes_on_under_the_running_header(draw, read_pdf):
    drawing = draw()
    for rows in ([["Region", "Cap"], ["North", "5"]], [["South", "7"]]):
        drawing.text(72, 40, "ACME Handbook", size=8)
        drawing.grid(XS, [60 + 20 * n for n in range(len(rows) + 1)], rows).page()
    drawing.text(72, 40, "ACME Handbook", size=8).text(72, 100, "The ACME Handbook wins over other texts.")
    document = read_pdf(drawing)
    assert [(block.page, block.text) for block in document.blocks] == [
        (1, "| Region | Cap |\n| --- | --- |\n| North | 5 |"),
        (2, "| Region | Cap |\n| --- | --- |\n| South | 7 |"),
        (3, "The ACME Handbook wins over other texts."),
    ]


def test_a_sentence_that_a_table_interrupts_is_one(draw, read_pdf):
    drawing = draw().text(72, 100, "The price that holds for a part is the one that the table")
    drawing.page().grid(XS, [60, 80, 100], [["Part", "Price"], ["Bolt", "5"]])
    drawing.text(72, 130, "gives in its last column.")
    document = read_pdf(drawing)
    assert "that the table gives in its last column." in flat(document)
