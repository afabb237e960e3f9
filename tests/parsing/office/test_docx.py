"""Word: order, headings, lists, tables, notes, changes, and files that cannot be read."""

import io
import zipfile
from contextlib import suppress
from datetime import date, datetime

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit import UnreadableDocument
from rag_kit.parsing.office import parse_docx
from rag_kit.parsing.tables import labelled_cells, markdown_row

NAMES = nsdecls("w", "r", "m") + (
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml."
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def saved(document):
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def read(document, path="sub/guide.docx"):
    data = document if isinstance(document, bytes) else saved(document)
    return parse_docx(data, source_uri=f"docs/{path}", relative_path=path)


def body(xml):
    """Make a document of the XML of its body."""
    document = docx.Document()
    for node in reversed(list(parse_xml(f"<w:body {NAMES}>{xml}</w:body>"))):
        document.element.body.insert(0, node)
    return document


def text(xml):
    return read(body(xml)).text


def p(*runs, style=""):
    style = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{style}{''.join(runs)}</w:p>"


def r(words, properties=""):
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'


def codes(document):
    return [notice.code for notice in document.notices]


def with_parts(document, parts=None, changed=()):
    """Add parts that python-docx does not know, each with a relation from the body; change words in others."""
    data, out = saved(document), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name).decode() if name.endswith((".xml", ".rels")) else source.read(name)
            for kind in parts or {}:
                if name == "[Content_Types].xml":
                    form = f'<Override PartName="/word/{kind}.xml" ContentType="{TYPES}{kind}+xml"/>'
                    content = content.replace("</Types>", form + "</Types>")
                if name == "word/_rels/document.xml.rels":
                    form = f'<Relationship Id="x{kind}" Type="{RELATIONS}{kind}" Target="{kind}.xml"/>'
                    content = content.replace("</Relationships>", form + "</Relationships>")
            for part, old, new in changed:
                if name == part:
                    assert old in content
                    content = content.replace(old, new)
            target.writestr(name, content)
        for kind, xml in (parts or {}).items():
            target.writestr(f"word/{kind}.xml", f"<w:{kind} {NAMES}>{xml}</w:{kind}>")
    return out.getvalue()


def test_paragraphs_and_tables_stand_in_order_and_a_note_across_a_table_once():
    document = docx.Document()
    document.add_paragraph("Opening line.")
    table = document.add_table(3, 2)
    for at, words in enumerate(["Plan", "Seats", "Pro", "40"]):
        table.cell(at // 2, at % 2).text = words
    table.cell(2, 0).merge(table.cell(2, 1)).text = "Note: trial"
    document.add_paragraph("Closing line.")
    parsed = read(document)
    assert parsed.text == (
        "Opening line.\n\n| Plan | Seats |\n| --- | --- |\n| Pro | 40 |\n| Note: trial |  |\n\nClosing line."
    )
    assert [block.block_type for block in parsed.blocks] == ["paragraph", "table", "paragraph"]
    assert ("Pro", "Seats", "40") in [(c.row, c.column, c.text) for c in labelled_cells(parsed.text)]


def test_headings_have_the_levels_of_their_styles():
    document = docx.Document()
    for words, level in (("Guide", 0), ("Fees", 1), ("Card", 2), ("Days", 1)):
        document.add_heading(words, level)
        document.add_paragraph(f"About {words}.")
    parsed = read(document)
    assert parsed.title == "Guide"
    assert [b.heading_path for b in parsed.blocks if b.block_type == "title"] == [
        ("Guide",), ("Fees",), ("Fees", "Card"), ("Days",)
    ]  # fmt: skip
    assert "## Card\n\nAbout Card." in parsed.text


def test_a_localised_or_derived_style_is_a_heading_by_its_outline_level():
    document = body(p(r("Gebühren"), style="berschrift2") + p(r("Karte"), style="Eigen") + p(r("Text")))
    styles = document.styles.element
    for xml in (
        '<w:style {} w:type="paragraph" w:styleId="berschrift2"><w:name w:val="Titre interne"/>'
        '<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>',
        '<w:style {} w:type="paragraph" w:styleId="Eigen"><w:name w:val="Eigen"/><w:basedOn w:val="berschrift2"/>'
        "</w:style>",
    ):
        styles.append(parse_xml(xml.format(nsdecls("w"))))
    assert read(document).text == "## Gebühren\n\n## Karte\n\nText"


def test_an_outline_level_of_body_text_is_no_heading():
    xml = '<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:outlineLvl w:val="9"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>'
    assert text(xml) == "a"


@pytest.mark.parametrize(
    ("inline", "written"),
    [
        (r("XX") + r("-10") + r("42"), "XX-1042"),
        (r("a ") + r(" b"), "a b"),
        ("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>", "a b\nc"),
        ("<w:r><w:t>up</w:t><w:softHyphen/><w:t>date A</w:t><w:noBreakHyphen/><w:t>1</w:t></w:r>", "update A-1"),
        (r("a\u00a0b\u00adc"), "a bc"),
        (r("10") + r("3", '<w:vertAlign w:val="superscript"/>') + r(" m"), "10³ m"),
        (r("10") + r("-", '<w:vertAlign w:val="superscript"/>') * 2 + r("3"), "10⁻⁻3"),
        (r("x") + r("th", '<w:vertAlign w:val="superscript"/>'), "xth"),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:t> yes</w:t></w:r>', "✓ yes"),
        (r("a") + r("secret", "<w:vanish/>") + r("b", '<w:vanish w:val="0"/>'), "ab"),
        ("<w:smartTag>" + r("in") + "</w:smartTag>" + r("side"), "inside"),
        ("<w:sdt><w:sdtContent>" + r("control") + "</w:sdtContent></w:sdt>", "control"),
        ("<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>" + r("Click") + "</w:sdtContent></w:sdt>"
         + r("a"), "a"),
        ("<m:oMath><m:r><m:t>c=</m:t></m:r><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>a+b</m:t>"
         "</m:r></m:den></m:f><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup>"
         "</m:sSup></m:oMath>", "c=1/(a+b)x²"),
    ],
)  # fmt: skip
def test_words_and_signs(inline, written):
    assert text(p(inline)) == written


FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
BEGIN, SEPARATE, END = (FIELD.format(kind) for kind in ("begin", "separate", "end"))


def code(words):
    return f"<w:r><w:instrText>{words}</w:instrText></w:r>"


@pytest.mark.parametrize(
    ("inline", "written"),
    [
        (BEGIN + code(" REF fee ") + SEPARATE + r("5 €") + END, "See 5 €."),
        (BEGIN + code("IF ") + BEGIN + code("REF a") + SEPARATE + r("1") + END + SEPARATE + r("7") + END,
         "See 7."),
        (BEGIN + code(" PAGE ") + SEPARATE + r("3") + END, "See ."),
        ('<w:fldSimple w:instr=" NUMPAGES ">' + r("9") + "</w:fldSimple>", "See ."),
        ('<w:fldSimple w:instr="REF x">' + r("9") + "</w:fldSimple>", "See 9."),
        (BEGIN + code(' HYPERLINK "https://a.example/x" ') + SEPARATE + r("here") + END,
         "See here (https://a.example/x)."),
    ],
)  # fmt: skip
def test_fields_are_their_results_and_never_their_codes(inline, written):
    assert text(p(r("See ") + inline + r("."))) == written


def test_a_field_that_never_ends_takes_no_other_paragraph():
    assert text(p(BEGIN + code(" REF fee ")) + p(r("Next."))) == "Next."


@pytest.mark.parametrize(
    ("words", "address", "written"),
    [
        ("the list", "https://a.example/list", "the list (https://a.example/list)"),
        ("a.example/list", "https://www.a.example/list/", "a.example/list"),
        ("Ada", "mailto:ada@a.example", "Ada (ada@a.example)"),
        ("ada@a.example", "mailto:ada@a.example", "ada@a.example"),
    ],
)
def test_a_link_has_its_address_where_its_words_do_not_say_it(words, address, written):
    document = docx.Document()
    relation = document.part.relate_to(address, f"{RELATIONS}hyperlink", is_external=True)
    link = parse_xml(f'<w:hyperlink {NAMES} r:id="{relation}">{r(words)}</w:hyperlink>')
    document.add_paragraph()._p.append(link)
    assert read(document).text == written


def test_tracked_changes_are_read_as_accepted_and_counted():
    parsed = read(
        body(
            p(r("The fee is "), "<w:del>", "<w:r><w:delText>5</w:delText></w:r>", "</w:del>",
              "<w:ins>", r("6"), "</w:ins>", r(" EUR."))
            + p("<w:moveFrom>", r("Moved."), "</w:moveFrom>") + p("<w:moveTo>", r("Moved."), "</w:moveTo>")
            + "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>" + r("One ") + "</w:p>" + p(r("line."))
        )
    )  # fmt: skip
    assert parsed.text == "The fee is 6 EUR.\n\nMoved.\n\nOne line."
    (notice,) = parsed.notices
    assert notice.code == "tracked_changes"
    assert "1 insertions, 2 deletions, 1 moves" in notice.message


def test_words_whose_paragraph_was_to_go_on_are_not_lost():
    open_end = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>" + r("One.") + "</w:p>"
    assert text(open_end + rows([cell("A"), cell("B")])) == "One.\n\n| A | B |\n| --- | --- |"
    assert text(rows([cell("A"), cell("B")]) + open_end).endswith("One.")


def test_a_deleted_row_is_no_row():
    row = "<w:tr>{}<w:tc><w:p>" + r("{}") + "</w:p></w:tc><w:tc><w:p>" + r("{}") + "</w:p></w:tc></w:tr>"
    rows = (
        row.format("", "a", "b")
        + row.format("<w:trPr><w:del/></w:trPr>", "1", "2")
        + row.format("", "3", "4")
    )
    assert text(f"<w:tbl>{rows}</w:tbl>") == "| a | b |\n| --- | --- |\n| 3 | 4 |"


def test_a_text_box_is_read_once_behind_its_paragraph():
    box = "<w:txbxContent>" + p(r("In the box.")) + "</w:txbxContent>"
    both = (
        f"<mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:shape><v:textbox>{box}</v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent>"
    )
    old = f"<w:pict><v:shape><v:textbox>{box}</v:textbox></v:shape></w:pict>"
    for drawing in (both, old):
        assert (
            text(p(r("Before."), f"<w:r>{drawing}</w:r>") + p(r("After.")))
            == "Before.\n\nIn the box.\n\nAfter."
        )


def test_what_is_not_read_is_said():
    xml = p(
        "<w:r><w:drawing/></w:r>", r("a"), '<w:r><w:commentReference w:id="1"/></w:r>', r("b", "<w:vanish/>")
    )
    assert codes(read(body(xml))) == ["comments_not_read", "hidden_not_read", "pictures_not_read"]


def test_lists_keep_their_markers_and_levels():
    document = docx.Document()
    for words, style in (
        ("Card", "List Bullet"), ("Blue", "List Bullet 2"), ("Bank", "List Bullet"),
        ("", "Normal"), ("First", "List Number"), ("Second", "List Number"),
    ):  # fmt: skip
        document.add_paragraph(words, style)
    # python-docx's second level is a list of its own at level 0.
    assert [(b.block_type, b.text) for b in read(document).blocks] == [
        ("list", "- Card\n- Blue\n- Bank\n1. First\n2. Second")
    ]


def numbered(*levels, starts=None):
    level = '<w:lvl w:ilvl="{}"><w:start w:val="1"/><w:numFmt w:val="{}"/><w:lvlText w:val="{}"/></w:lvl>'
    shared = "".join(level.format(at, form, words) for at, (form, words) in enumerate(levels))
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="{}"/></w:lvlOverride>'
    override = restart.format(starts) if starts else ""
    return [
        f'<w:abstractNum {NAMES} w:abstractNumId="90">{shared}</w:abstractNum>',
        f'<w:num {NAMES} w:numId="90"><w:abstractNumId w:val="90"/></w:num>',
        f'<w:num {NAMES} w:numId="91"><w:abstractNumId w:val="90"/>{override}</w:num>',
    ]


def item(words, level=0, list_id=90, style=""):
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    numbers = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'
    return f"<w:p><w:pPr>{style}{numbers}</w:pPr>{r(words)}</w:p>"


def listed(xml, definitions):
    document = body(xml)
    numbering = document.part.numbering_part.element
    for at, definition in enumerate(definitions):
        numbering.insert(at if "abstractNum " in definition else len(numbering), parse_xml(definition))
    return read(document)


@pytest.mark.parametrize(
    ("levels", "written"),
    [
        ([("decimal", "%1."), ("lowerLetter", "%2)")], "1. a\n   - a) b\n   - b) c\n2. d\n   - a) e"),
        ([("bullet", ""), ("bullet", "o")], "- a\n  - b\n  - c\n- d\n  - e"),
        ([("decimal", "%1)"), ("decimal", "%1.%2")], "1) a\n   - 1.1 b\n   - 1.2 c\n2) d\n   - 2.1 e"),
        (
            [("upperRoman", "%1."), ("decimalZero", "(%2)")],
            "- I. a\n  - (01) b\n  - (02) c\n- II. d\n  - (01) e",
        ),
    ],
)
def test_numbers_and_letters_are_those_that_word_shows(levels, written):
    xml = item("a") + item("b", 1) + item("c", 1) + item("d") + item("e", 1)
    (block,) = listed(xml, numbered(*levels)).blocks
    assert (block.block_type, block.text) == ("list", written)


def test_a_list_counts_on_behind_a_paragraph_unless_it_starts_anew():
    xml = item("a") + p(r("Between.")) + item("b") + p(r("Anew.")) + item("c", 0, 91)
    assert listed(xml, numbered(("decimal", "%1."))).text.split("\n\n")[2] == "2. b"
    assert listed(xml, numbered(("decimal", "%1."))).text.endswith("3. c")
    assert listed(xml, numbered(("decimal", "%1."), starts=1)).text.endswith("1. c")


def test_a_numbered_heading_shows_its_number():
    xml = item("Fees", 0, style="Heading1") + item("Card", 1, style="Heading2")
    parsed = listed(xml, numbered(("decimal", "%1"), ("decimal", "%1.%2")))
    assert parsed.text == "# 1 Fees\n\n## 1.1 Card"


def cell(words, *properties, inner=""):
    return f"<w:tc><w:tcPr>{''.join(properties)}</w:tcPr>{p(r(words)) if words else p()}{inner}</w:tc>"


def rows(*cells_of_rows):
    return "<w:tbl>" + "".join(f"<w:tr>{''.join(cells)}</w:tr>" for cells in cells_of_rows) + "</w:tbl>"


def wide(number):
    return f'<w:gridSpan w:val="{number}"/>'


TOP, GOES_ON = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"


def test_each_value_of_a_merged_table_stands_under_its_labels():
    xml = rows(
        [cell("Plan", TOP), cell("Europe", wide(2))],
        [cell("", GOES_ON), cell("Net"), cell("Gross")],
        [cell("Pro", TOP), cell("1"), cell("2")],
        [cell("", GOES_ON), cell("3", wide(2))],
        [cell("Trial only", wide(3))],
    )
    assert text(xml).split("\n") == [
        "| Plan | Europe / Net | Europe / Gross |",
        "| --- | --- | --- |",
        "| Pro | 1 | 2 |",
        "| Pro | 3 | 3 |",
        "| Trial only |  |  |",
    ]


def test_a_row_across_the_table_above_its_header_is_a_paragraph():
    xml = rows([cell("Fees 2026", wide(2))], [cell("Plan"), cell("Fee")], [cell("Pro"), cell("5")])
    assert text(xml) == "Fees 2026\n\n| Plan | Fee |\n| --- | --- |\n| Pro | 5 |"


def test_marked_header_rows_count_and_a_table_can_have_none():
    header = "<w:trPr><w:tblHeader/></w:trPr>"
    marked = rows([header, cell("A"), cell("B")], [header, cell("c"), cell("d")], [cell("1"), cell("2")])
    assert text(marked).split("\n")[0] == "| A / c | B / d |"
    none = '<w:tblPr><w:tblLook w:firstRow="0"/></w:tblPr>'
    xml = rows([cell("Cash"), cell("no")], [cell("Card"), cell("yes")]).replace("<w:tbl>", "<w:tbl>" + none)
    assert text(xml).split("\n")[0] == "|  |  |"


def test_paragraphs_and_tables_in_a_cell_stay_in_it():
    inner = p(r("two")) + rows([cell("p"), cell("q")], [cell("r"), cell("s")]) + p()
    xml = rows([cell("A"), cell("B")], [cell("one", inner=inner), cell("z")])
    assert text(xml).split("\n")[2] == "| one two p q; r s | z |"


def test_a_table_of_one_column_is_a_frame_around_text():
    assert text(rows([cell("Note.", inner=p(r("More.")))])) == "Note.\n\nMore."


def test_controls_around_rows_and_cells_are_looked_through():
    control = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    row = "<w:tr>" + cell("1") + control.format(cell("2")) + "</w:tr>"
    xml = control.format(rows([cell("A"), cell("B")]).replace("</w:tbl>", control.format(row) + "</w:tbl>"))
    assert text(xml) == "| A | B |\n| --- | --- |\n| 1 | 2 |"


def test_notes_stand_at_the_end_under_the_headings_of_their_marks():
    mark = '<w:r><w:{}Reference w:id="{}"/></w:r>'
    document = body(
        p(r("Fees"), style="Heading1")
        + p(
            r("The fee is 24"), mark.format("footnote", 5), r(" EUR, paid"), mark.format("endnote", 2), r(".")
        )
        + p(r("Days"), style="Heading1")
        + rows(
            [cell("A"), cell("B")],
            [cell("1"), f"<w:tc><w:p>{r('2')}{mark.format('footnote', 3)}</w:p></w:tc>"],
        )
    )
    note = '<w:{} w:id="{}"{}><w:p><w:r><w:{}Ref/></w:r>{}</w:p></w:{}>'
    foot = [
        note.format("footnote", -1, ' w:type="separator"', "footnote", r("No."), "footnote"),
        note.format("footnote", 3, "", "footnote", r(" At most."), "footnote"),
        note.format("footnote", 5, "", "footnote", r(" Net of tax."), "footnote"),
    ]
    end = note.format("endnote", 2, "", "endnote", r(" By card."), "endnote")
    parsed = read(with_parts(document, {"footnotes": "".join(foot), "endnotes": end}))
    assert "The fee is 24¹ EUR, paid²." in parsed.text
    assert "| 1 | 2³ |" in parsed.text
    assert [(b.text, b.anchor, b.heading_path) for b in parsed.blocks[-3:]] == [
        ("¹ Net of tax.", "fn1", ("Fees",)),
        ("² By card.", "fn2", ("Fees",)),
        ("³ At most.", "fn3", ("Days",)),
    ]


def test_headers_and_footers_are_metadata_and_no_text():
    document = docx.Document()
    document.add_paragraph("Body.")
    document.sections[0].header.paragraphs[0].text = "Company rules"
    footer = document.sections[0].footer.paragraphs[0]
    footer.text = "Internal | Page "
    footer._p.append(parse_xml(f'<w:fldSimple {NAMES} w:instr="PAGE">{r("7")}</w:fldSimple>'))
    parsed = read(document)
    assert parsed.text == "Body."
    assert parsed.metadata["running_header"] == "Company rules"
    assert parsed.metadata["running_footer"] == "Internal"


APP = "docProps/app.xml"


@pytest.mark.parametrize(("counted", "pages"), [("2", [1, 2, 2]), ("3", [None, None, None])])
def test_pages_are_told_where_word_noted_as_many_as_it_counted(counted, pages):
    broken = "<w:r><w:lastRenderedPageBreak/></w:r>"
    document = body(p(r("One.")) + p(broken, r("Two.")) + p(r("Three.")))
    data = saved(document)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        app = archive.read(APP).decode()
    start, end = app.index("<Pages>"), app.index("</Pages>")
    parsed = read(with_parts(document, changed=[(APP, app[start:end], f"<Pages>{counted}")]))
    assert [block.page for block in parsed.blocks] == pages


def test_bookmarks_are_anchors():
    parsed = read(body(p('<w:bookmarkStart w:id="1" w:name="fees"/>', r("a")) + p(r("b"))))
    assert [block.anchor for block in parsed.blocks] == ["fees", None]


def test_properties_give_title_date_and_author():
    document = docx.Document()
    document.add_heading("First heading", 1)
    document.core_properties.title, document.core_properties.author = "Travel policy", "Ada"
    document.core_properties.modified = datetime(2026, 3, 4, 23, 0)
    parsed = read(document)
    assert (parsed.title, parsed.updated_at, parsed.metadata) == (
        "Travel policy",
        date(2026, 3, 4),
        {"author": "Ada"},
    )
    document.core_properties.title = "Document1"
    assert read(document).title == "First heading"


def test_a_strict_document_is_read_too():
    pairs = [
        ("http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main"),
    ]  # fmt: skip
    changed = [("word/document.xml", old, new) for old, new in pairs]
    assert read(with_parts(body(p(r("Fees"), style="Heading1")), changed=changed)).text == "# Fees"


def test_a_picture_that_is_missing_stops_nothing():
    old, new = (
        "</Relationships>",
        f'<Relationship Id="x" Type="{RELATIONS}image" Target="NULL"/></Relationships>',
    )
    data = with_parts(body(p(r("a"))), changed=[("word/_rels/document.xml.rels", old, new)])
    assert read(data).text == "a"


OLE = bytes.fromhex("d0cf11e0a1b11ae1")


@pytest.mark.parametrize(
    ("data", "error_code"),
    [
        (b"", "not_docx"),
        (b"{\\rtf1 Text}", "not_docx"),
        (b"PK\x03\x04 cut", "damaged"),
        (OLE + b"WordDocument", "old_format"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "password"),
    ],
)
def test_what_is_no_document_is_refused_with_the_mend(data, error_code):
    with pytest.raises(UnreadableDocument) as caught:
        read(data)
    assert caught.value.code == error_code
    assert "Word" in caught.value.message


def test_entities_are_not_followed():
    declared = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><w:document'
    data = with_parts(body(p(r("x&amp;y"))), changed=[("word/document.xml", "<w:document", declared)])
    with suppress(UnreadableDocument):
        assert "aaaa" not in read(data.replace(b"&amp;", b"&b;  ")).text


def test_deep_nesting_is_read_or_refused():
    for depth in (50, 5_000):
        data = saved(body(p(r("a"))))
        deep = (
            "<w:sdt><w:sdtContent>" * depth
            + "<w:p><w:r><w:t>deep</w:t></w:r></w:p>"
            + ("</w:sdtContent></w:sdt>" * depth)
        )
        data = with_parts(
            docx.Document(io.BytesIO(data)), changed=[("word/document.xml", "<w:body>", "<w:body>" + deep)]
        )
        with suppress(UnreadableDocument):
            assert "deep" in read(data).text


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=6)


@settings(max_examples=25)
@given(
    st.integers(2, 4).flatmap(
        lambda n: st.lists(st.lists(WORDS, min_size=n, max_size=n), min_size=2, max_size=4)
    )
)
def test_any_grid_comes_back_cell_by_cell(grid):
    document = docx.Document()
    table = document.add_table(len(grid), len(grid[0]))
    for row, words in zip(table.rows, grid, strict=True):
        for place, word in zip(row.cells, words, strict=True):
            place.text = word
    (block,) = read(document).blocks
    lines = block.text.split("\n")
    assert [lines[0], *lines[2:]] == [markdown_row(row).replace("\u2011", "-") for row in grid]


SAMPLE = saved(
    body(
        p(r("Fees"), style="Heading1") + p(r("a"), "<w:ins>", r("b"), "</w:ins>") + p(r("c"), style="ListBullet")
        + rows([cell("A", TOP), cell("B", wide(2))], [cell("", GOES_ON), cell("1"), cell("2")])
    )
)  # fmt: skip


@settings(max_examples=80)
@given(st.integers(0, len(SAMPLE)), st.binary(max_size=8), st.booleans())
def test_no_damage_raises_anything_but_the_typed_error(at, put, cut):
    data = SAMPLE[:at] + put + (b"" if cut else SAMPLE[at + len(put) :])
    with suppress(UnreadableDocument):
        document = read(data)
        assert all(block.text == document.text[slice(*block.span)] for block in document.blocks)


@settings(max_examples=60)
@given(st.data())
def test_no_damage_inside_a_part_raises_either(data):
    parts = ("word/document.xml", "word/styles.xml", "word/numbering.xml", "docProps/core.xml", "_rels/.rels")
    part = data.draw(st.sampled_from(parts))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(SAMPLE)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == part:
                at = data.draw(st.integers(0, len(content)))
                put = data.draw(st.sampled_from([b"", b"<", b'"', b"9", b"x", b"/>"]))
                content = content[:at] + put + content[at + data.draw(st.integers(0, 3)) :]
            target.writestr(name, content)
    with suppress(UnreadableDocument):
        read(out.getvalue())
