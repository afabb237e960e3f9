"""Headings, paragraphs, lists and code."""

import pytest

BODY = [
    "The contract begins on the first of May and ends after a year,",
    "unless one side gives notice three months before it does so.",
]


def kinds(document):
    return [(block.block_type, block.text) for block in document.blocks]


def test_headings_by_size_with_their_path(draw, read_pdf):
    drawing = (
        draw().text(72, 80, "Handbook", "Helvetica-Bold", 20).text(72, 110, "Fees", "Helvetica-Bold", 14)
    )
    drawing.lines(72, 140, BODY).text(72, 190, "Card fees", "Helvetica-Bold", 11).lines(72, 210, BODY)
    drawing.text(72, 260, "Seats", "Helvetica-Bold", 14).lines(72, 290, BODY)
    document = read_pdf(drawing)
    titles = [block.text for block in document.blocks if block.block_type == "title"]
    assert titles == ["# Handbook", "## Fees", "### Card fees", "## Seats"]
    assert [block.heading_path for block in document.blocks if block.block_type == "paragraph"] == [
        ("Handbook", "Fees"),
        ("Handbook", "Fees", "Card fees"),
        ("Handbook", "Seats"),
    ]
    assert document.title == "Handbook"


def test_bold_lines_of_body_size_are_headings_where_they_stand_alone(draw, read_pdf):
    drawing = draw().text(72, 100, "Notice", "Helvetica-Bold").lines(72, 114, BODY)
    assert [kind for kind, _ in kinds(read_pdf(drawing))] == ["title", "paragraph"]


def test_a_bold_word_or_sentence_is_no_heading(draw, read_pdf):
    drawing = (
        draw().text(72, 100, "Warning:", "Helvetica-Bold").text(120, 100, "the plate is hot and must not be")
    )
    drawing.text(72, 112, "touched by anyone.").text(72, 140, "Do not pay twice.", "Helvetica-Bold")
    assert [kind for kind, _ in kinds(read_pdf(drawing))] == ["paragraph", "paragraph"]


def test_a_bold_line_inside_a_sentence_stays_in_it(draw, read_pdf):
    drawing = (
        draw()
        .text(72, 100, BODY[0])
        .text(72, 112, "unless one side gives notice three months before the day", "Helvetica-Bold")
    )
    drawing.text(72, 124, "on which it does so.")
    (block,) = read_pdf(drawing).blocks
    assert block.text.endswith(
        "unless one side gives notice three months before the day on which it does so."
    )


def test_a_document_all_in_bold_has_no_headings(draw, read_pdf):
    drawing = draw().lines(72, 100, BODY, "Helvetica-Bold").text(72, 150, "Seats are free", "Helvetica-Bold")
    assert [kind for kind, _ in kinds(read_pdf(drawing))] == ["paragraph", "paragraph"]


def test_heading_lines_of_one_style_are_one_heading(draw, read_pdf):
    drawing = draw().lines(72, 80, ["Report on the fees of", "the year before last"], "Helvetica-Bold", 18)
    drawing.lines(72, 140, BODY)
    assert kinds(read_pdf(drawing))[0] == ("title", "# Report on the fees of the year before last")


def test_numbers_refine_the_level_of_one_style(draw, read_pdf):
    drawing = draw()
    for number, title in enumerate(("3 Fees", "3.1 Card", "3.1.1 Credit", "3.2 Scope", "4 Seats")):
        drawing.text(72, 80 + 60 * number, title, "Helvetica-Bold", 12).lines(72, 100 + 60 * number, BODY)
    titles = [text for kind, text in kinds(read_pdf(drawing)) if kind == "title"]
    assert titles == ["# 3 Fees", "## 3.1 Card", "### 3.1.1 Credit", "## 3.2 Scope", "# 4 Seats"]


@pytest.mark.parametrize("caption", ["Table 3 Fees by card", "Figure 2.1 The pump"])
def test_a_caption_is_no_heading(draw, read_pdf, caption):
    drawing = draw().text(72, 100, caption, "Helvetica-Bold").lines(72, 130, BODY)
    assert kinds(read_pdf(drawing))[0] == ("paragraph", caption)


def test_a_lone_number_in_large_type_is_no_heading(draw, read_pdf):
    drawing = draw().text(72, 100, "98 %", "Helvetica-Bold", 30).lines(72, 140, BODY)
    assert [kind for kind, _ in kinds(read_pdf(drawing))] == ["paragraph", "paragraph"]


def test_paragraphs_by_distance(draw, read_pdf):
    drawing = draw().lines(72, 100, BODY).lines(72, 130, BODY)
    assert [text for _, text in kinds(read_pdf(drawing))] == [" ".join(BODY)] * 2


def test_paragraphs_by_indent(draw, read_pdf):
    drawing = draw()
    for number in range(3):
        drawing.text(90, 100 + 36 * number, "The contract begins on the first of May and ends in a")
        drawing.text(72, 112 + 36 * number, "year, unless one side gives notice three months before it")
        drawing.text(
            72,
            124 + 36 * number,
            f"does so, in writing, to the other side, as rule {'abc'[number]} says here.",
        )
    assert len(read_pdf(drawing).blocks) == 3


def test_paragraphs_by_a_short_last_line(draw, read_pdf):
    drawing = draw().lines(72, 100, [*BODY, "And so on.", *BODY])
    assert [text for _, text in kinds(read_pdf(drawing))] == [" ".join([*BODY, "And so on."]), " ".join(BODY)]


def test_hanging_indents(draw, read_pdf):
    drawing = draw()
    for number in range(2):
        drawing.text(
            72, 100 + 24 * number, "Berg, A. On the fees of harbours in the north of the country, in three"
        )
        drawing.text(96, 112 + 24 * number, "parts, with a preface.")
    assert len(read_pdf(drawing).blocks) == 2


@pytest.mark.parametrize("number", ["2.3", "(a)", "10.1.2"])
def test_a_sentence_that_hangs_behind_the_number_of_its_clause_goes_on(draw, read_pdf, number):
    clause = [
        "The first three months count as a time of settling into the work.",
        "Within it, the parties correct the annex.",
    ]
    wide = ["The contract runs for 30 months from the first of October onwards,", "and ends in March."]
    drawing = draw().text(72, 100, "2.2").lines(108, 100, wide).text(72, 140, number).lines(108, 140, clause)
    assert [" ".join(block.text.split()) for block in read_pdf(drawing).blocks][-1].endswith(" ".join(clause))


def test_double_spaced_text_is_one_paragraph(draw, read_pdf):
    lines = [
        "The contract begins on the first of May and ends after a",
        "year, unless one side gives notice three months before",
    ] * 3
    assert len(read_pdf(draw().lines(72, 100, lines, pitch=24)).blocks) == 1


@pytest.mark.parametrize("mark", ["•", "-", "–"])
def test_bullets(draw, read_pdf, mark):
    drawing = draw().text(72, 100, "You can pay by:")
    drawing.lines(
        80, 116, [f"{mark} Card, if it is yours and not", "  one that you borrowed", f"{mark} Bank"], pitch=14
    )
    assert kinds(read_pdf(drawing)) == [
        ("paragraph", "You can pay by:"),
        ("list", "- Card, if it is yours and not one that you borrowed\n- Bank"),
    ]


def test_numbered_and_nested_items(draw, read_pdf):
    drawing = (
        draw().text(72, 100, "1. Open the lid.").text(90, 114, "a) Turn it.").text(90, 128, "b) Lift it.")
    )
    drawing.text(72, 142, "2. Close it.").text(72, 170, "That is all there is to it.")
    assert kinds(read_pdf(drawing)) == [
        ("list", "1. Open the lid.\n  a) Turn it.\n  b) Lift it.\n2. Close it."),
        ("paragraph", "That is all there is to it."),
    ]


def test_marks_that_stand_far_from_their_items(draw, read_pdf):
    drawing = draw().text(72, 100, "Bring these things with you:")
    for number, words in enumerate(
        ("A card with your name on it.", "The letter that we sent to you.", "A pen.")
    ):
        drawing.text(80, 120 + 14 * number, "•").text(104, 120 + 14 * number, words)
    assert kinds(read_pdf(drawing))[1] == (
        "list",
        "- A card with your name on it.\n- The letter that we sent to you.\n- A pen.",
    )


def test_a_year_at_a_line_s_start_begins_no_list(draw, read_pdf):
    lines = [
        "The fees were raised by the council of the town in the year",
        "2019. Nobody was asked about it, and nobody complained.",
    ]
    assert [kind for kind, _ in kinds(read_pdf(draw().lines(72, 100, lines)))] == ["paragraph"]


def test_code_keeps_its_indents_and_empty_lines(draw, read_pdf):
    code = ["def fee(card):", "    if card:", "        return 5", "", "    return 7"]
    drawing = (
        draw().lines(72, 100, BODY).lines(72, 140, code, "Courier", 9).text(72, 210, "That is the function.")
    )
    assert kinds(read_pdf(drawing)) == [
        ("paragraph", " ".join(BODY)),
        ("code", "```\n" + "\n".join(code) + "\n```"),
        ("paragraph", "That is the function."),
    ]


def test_a_typewritten_letter_is_no_code(draw, read_pdf):
    assert [kind for kind, _ in kinds(read_pdf(draw().lines(72, 100, BODY, "Courier")))] == ["paragraph"]


def test_markup_in_the_text_is_escaped(draw, read_pdf):
    assert read_pdf(draw().text(72, 100, "# of seats is 5")).text == "\\# of seats is 5"
