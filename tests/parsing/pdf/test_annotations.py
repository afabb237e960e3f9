"""Links and form fields."""

import pytest


def link(drawing, x, top, words, uri, size=10):
    drawing.text(x, top, words, size=size)
    wide = drawing.canvas.stringWidth(words, "Helvetica", size)
    drawing.canvas.linkURL(uri, (x, 842 - top - 3, x + wide, 842 - top + size), relative=0)
    return wide


def test_an_address_stands_behind_the_words_that_lead_to_it(draw, read_pdf):
    drawing = draw().text(72, 100, "Read ")
    wide = drawing.canvas.stringWidth("Read ", "Helvetica", 10)
    end = 72 + wide + link(drawing, 72 + wide, 100, "our fees", "https://example.org/fees?a=1")
    drawing.text(end, 100, " before you pay.")
    assert read_pdf(drawing).text == "Read our fees <https://example.org/fees?a=1> before you pay."


@pytest.mark.parametrize(
    ("words", "uri"),
    [
        ("https://example.org/fees", "https://example.org/fees"),
        ("example.org/fees", "https://www.example.org/fees/"),
        ("help@example.org", "mailto:help@example.org"),
    ],
)
def test_an_address_that_is_visible_is_not_written_again(draw, read_pdf, words, uri):
    drawing = draw()
    link(drawing, 72, 100, words, uri)
    assert read_pdf(drawing).text == words


def test_a_link_over_two_lines_is_written_once(draw, read_pdf):
    drawing = draw()
    link(drawing, 72, 100, "This is a link over two lines, and it goes", "https://example.org/a")
    link(drawing, 72, 112, "on here.", "https://example.org/a")
    assert read_pdf(drawing).text.endswith("and it goes on here. <https://example.org/a>")


def test_a_link_in_a_table_is_kept(draw, read_pdf):
    drawing = draw().grid([72, 200, 300], [100, 120, 140], [["Part", "Price"], ["", "5"]])
    link(drawing, 76, 133, "Bolt", "https://example.org/bolt")
    document = read_pdf(drawing)
    assert "| Bolt | 5 |" in document.text
    assert document.text.count("https://example.org/bolt") == 1


def test_form_fields_stand_with_their_names(draw, read_pdf):
    drawing = draw().text(72, 100, "Application")
    form = drawing.canvas.acroForm
    form.textfield(name="town", tooltip="Town of birth", value="Oslo", x=72, y=600, width=200)
    form.textfield(name="remarks", value="", x=72, y=560, width=200)
    form.checkbox(name="paid", tooltip="Fee paid", checked=True, x=72, y=520)
    form.checkbox(name="member", tooltip="Member", checked=False, x=72, y=480)
    form.choice(
        name="plan", tooltip="Plan", value="Pro", options=["Pro", "Max"], x=72, y=440, width=80, height=20
    )
    document = read_pdf(drawing.page().text(72, 100, "Second page."))
    lines = [block.text for block in document.blocks if block.page == 1][1:]
    assert lines == ["Town of birth: Oslo", "Fee paid: yes", "Member: no", "Plan: Pro"]


def test_a_form_without_other_text_is_read(draw, read_pdf):
    drawing = draw().text(72, 100, " ")
    drawing.canvas.acroForm.textfield(name="town", value="Oslo", x=72, y=600, width=200)
    assert read_pdf(drawing, ocr="off").text == "town: Oslo"


def form_with_labels(drawing, colon=""):
    form = drawing.canvas.acroForm
    drawing.text(72, 80, "Please fill in one record for each of the probes.")
    labels = [
        ("Record number", "CR-388"),
        ("Site", "Saltmere, wet well 2"),
        ("Engineer", ""),
        ("Offset", "-20 mm"),
    ]
    for at, (label, value) in enumerate(labels):
        top = 120 + 27 * at
        drawing.text(72, top, label + colon)
        form.textfield(
            name=f"f{at}", tooltip=label, value=value, x=240, y=842 - top - 6, width=280, height=20
        )
    for at, (label, checked) in enumerate([("Plug taken off", True), ("Operator instructed", False)]):
        top = 260 + 22 * at
        form.checkbox(name=f"c{at}", tooltip=label, checked=checked, x=72, y=842 - top - 3, size=14)
        drawing.text(96, top, label)
    return drawing.text(72, 340, "Form F-31.")


@pytest.mark.parametrize("colon", ["", ":"])
def test_a_value_stands_on_the_line_of_its_printed_label(draw, read_pdf, colon):
    lines = [line for line in read_pdf(form_with_labels(draw(), colon)).text.split("\n") if line]
    assert lines == [
        "Please fill in one record for each of the probes.",
        "Record number: CR-388",
        "Site: Saltmere, wet well 2",
        "Engineer" + colon,
        "Offset: -20 mm",
        "Plug taken off: yes",
        "Operator instructed: no",
        "Form F-31.",
    ]


def test_two_fields_on_one_line_and_a_label_above(draw, read_pdf):
    drawing = draw().text(72, 100, "Name").text(300, 100, "Day").text(72, 160, "Remark")
    form = drawing.canvas.acroForm
    form.textfield(name="t1", value="Ann", x=120, y=736, width=150, height=20)
    form.textfield(name="t2", value="5 May", x=340, y=736, width=100, height=20)
    form.textfield(name="t3", value="None so far", x=72, y=640, width=300, height=36)
    assert read_pdf(drawing).text.split("\n") == ["Name: Ann Day: 5 May", "", "Remark: None so far"]


@pytest.mark.parametrize("uri", ["javascript:alert(1)", "JavaScript:x", "data:text/html,x", "vbscript:x"])
def test_an_address_that_a_program_would_run_is_not_written(draw, read_pdf, uri):
    drawing = draw()
    link(drawing, 72, 100, "our fees", uri)
    assert read_pdf(drawing).text == "our fees"


def test_fields_that_are_too_many_to_read_are_counted(draw, read_pdf):
    drawing = draw().text(72, 100, "Application")
    for at in range(5_003):
        drawing.canvas.linkURL(f"https://example.org/{at}", (500, 10, 510, 20), relative=0)
    assert [(n.code, n.page, n.message) for n in read_pdf(drawing).notices] == [
        ("fields_left", 1, "page 1: 3 fields, links or remarks beyond 5,000 are not read: split the page")
    ]
