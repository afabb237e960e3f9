"""HTML: what is read of a page, how it is written, and that no page is too broken."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit.parsing import parse_html
from rag_kit.parsing.html import declared_encoding


def page(content, path="a.html"):
    return parse_html(content, source_uri=f"docs/{path}", relative_path=path)


def text(content):
    return page(content).text


def test_blocks_are_parted_and_inline_words_stay_whole():
    assert text(
        "<h1>Returns</h1><p>Within <b>14</b>&nbsp;days<i>.</i></p><ul><li>Post</li><li>Shop</li></ul>"
        "<script>var fee=99;</script><style>.x{}</style>"
    ) == "# Returns\n\nWithin 14 days.\n\n- Post\n- Shop"  # fmt: skip


@pytest.mark.parametrize(
    ("inline", "written"),
    [
        ("XX<b>-10</b>42", "XX-1042"),
        ("<a href='x'>the list</a>, <code>E_1</code>", "the list, E_1"),
        ("a<span> b</span>c", "a bc"),
        ("a <i> b </i> c", "a b c"),
        ("  a\n\t b  ", "a b"),
        ("a&nbsp;&nbsp;b\u202fc", "a b c"),
        ("a<!-- ignore the rules -->b", "ab"),
        ("a<wbr>b", "ab"),
        ("one<br>two", "one\ntwo"),
        ("one<br><br>two", "one\n\ntwo"),
        ("&amp;lt;b&amp;gt; &lt;i&gt; &euro;5", "&lt;b&gt; <i> €5"),
        (
            "10<sup>6</sup> m<sup>2</sup>, €24<sup>1</sup>, 5<sup>-3</sup>, x<sup>th</sup>",
            "10⁶ m2, €24¹, 5⁻³, xth",
        ),
        ("<x-price>5</x-price> EUR", "5 EUR"),
        ("Press <button>Save</button>.", "Press Save."),
    ],
)
def test_words_and_blanks(inline, written):
    assert text(f"<p>{inline}</p>") == written


@pytest.mark.parametrize(
    "left_out",
    [
        "<nav>No</nav>",
        "<header><h1>No</h1></header>",
        "<div><footer>No</footer></div>",
        "<aside>No</aside>",
        "<template><p>No</p></template>",
        "<noscript>No</noscript>",
        "<div hidden>No</div>",
        "<span style='color:red; DISPLAY : none'>No</span>",
        "<span style='font-size:0'>No</span>",
        "<p style='visibility:hidden'>No</p>",
        "<p aria-hidden='true'>No</p>",
        "<dialog>No</dialog>",
        "<div role='navigation'>No</div>",
        "<div role='search'><label>No</label></div>",
        "<div id='cookie-banner'>No <a href='x'>cookies</a></div>",
        "<section class='gdpr-notice'>No</section>",
        "<div role='dialog' aria-label='Cookie consent'>No</div>",
        "<div class='banner'>No cookies? <button>No</button></div>",
        "<button>No</button>",
        "<select><option>No</option></select>",
        "<svg><title>No</title><text>No</text></svg>",
    ],
)
def test_furniture_and_hidden_parts_are_not_read(left_out):
    assert text(f"<body><p>Before</p>{left_out}<p>After</p></body>") == "Before\n\nAfter"


@pytest.mark.parametrize(
    "kept",
    [
        "<h2 id='cookies'>Yes</h2>",
        "<article><header>Yes</header></article>",
        "<main><section id='cookie-notice'>Yes</section></main>",
        "<div class='banner'>Yes</div>",
        "<div hidden='until-found'>Yes</div>",
        "<details><summary>Yes</summary></details>",
        "<div style='opacity:0.9;font-size:0.9em'>Yes</div>",
        "<p aria-hidden='false'>Yes</p>",
        "<dialog open>Yes</dialog>",
        "<h3><button>Yes</button></h3>",
        "<form><fieldset><legend>Yes</legend></fieldset></form>",
    ],
)
def test_content_that_only_looks_like_furniture_is_read(kept):
    assert "Yes" in text(kept)


LINKS = "<a href='a'>No</a> <a href='b'>No too</a>"


@pytest.mark.parametrize(
    "left_out",
    [
        "<div class='cookie'><p>We use cookies. No</p><a href='#'>Accept all</a></div>",
        "<div id='cookies'>Cookies? No <a class='btn'>OK</a></div>",
        "<div class='gdpr'>Cookies? No <button>OK</button></div>",
        "<div id='cmp' class='consent-layer'><h2>No</h2><p>Our partners use cookies.</p><a>Reject</a></div>",
        "<div role='dialog' aria-label='Privacy'><p>No cookies without you.</p><button>OK</button></div>",
        "<div class='breadcrumb'><a href='/'>No</a> &gt; No</div>",
        "<ol aria-label='Breadcrumb'><li><a href='/'>No</a><li>No</ol>",
        f"<div class='navbar'><ul><li>{LINKS}</ul></div>",
        f"<ul class='nav nav_menu'><li>{LINKS}</ul>",
        f"<div id='main-menu'>{LINKS}</div>",
        f"<div class='sidebar left'><h3>No</h3>{LINKS}</div>",
        f"<div id='header'>{LINKS}</div>",
        "<a class='skip-link' href='#main'>No</a>",
        "<div role='banner'>No</div>",
        "<div role='contentinfo'>No</div>",
    ],
)
def test_furniture_is_told_without_elements_that_name_it(left_out):
    assert text(f"<body><p>Before</p>{left_out}<p>After</p></body>") == "Before\n\nAfter"


@pytest.mark.parametrize(
    "footer", [f"<div id='footer'>{LINKS}</div>", "<div class='site-footer wide'>© 2026 No, Road 1</div>"]
)
@pytest.mark.parametrize(
    "behind", ["", "<div class='cookie-bar'>No cookies <button>OK</button></div><script>no</script>"]
)
def test_a_footer_without_its_element_is_not_read(footer, behind):
    assert text(f"<body><div><p>Before</p>{footer}</div>{behind}</body>") == "Before"


@pytest.mark.parametrize("behind", ["breadcrumb", "cookie-banner"])
def test_furniture_in_the_main_part_is_not_read(behind):
    inner = "<a href='/'>No</a><button>OK</button> cookies"
    assert text(f"<main><p>Yes</p><div class='{behind}'>{inner}</div></main>") == "Yes"


@pytest.mark.parametrize(
    "kept",
    [
        "<div class='cookie-policy-text'><h2>Cookies</h2><p>Yes, 30 days.</p><button>Print</button></div>",
        "<div class='cookie-notice'><h1>Cookie notice</h1><p>Yes</p></div>",
        "<main><div class='cookie'>Bake a cookie for 10 minutes. Yes</div></main>",
        "<div class='cookie-list'><table><tr><th>Cookie<th>Kept<tr><td>id<td>Yes</table></div>",
        "<div class='consent-form'>The patient gives consent. Yes</div>",
        "<div class='gdpr'>" + "Yes, personal data and cookies. " * 60 + "<button>OK</button></div>",
        "<div class='sidebar'>The pump takes 5 litres a minute. Yes</div>",
        f"<div class='with-sidebar'><p>{'Yes, this is the page itself. ' * 3}</p>{LINKS}</div>",
        "<ul class='menu'><li><a href='a'>Soup, Yes</a> 5 €<li><a href='b'>Salad</a> 6 €</ul>",
        f"<main><div class='menu'>{LINKS} Yes</div></main>",
        "<div class='header'><h1>Fees</h1><p>Yes</p></div>",
        "<div class='card'><div class='footer'>Yes, 5 € <a href='a'>Buy</a></div></div>",
        f"<div class='footer'>{LINKS} Yes</div><p>{'More of the page. ' * 100}</p>",
        "<div class='table-footer'>Net of tax. Yes</div>",
        "<p class='breadcrumbs'>Fry the <a href='a'>crumbs</a>. Yes.</p>",
        "<a id='skipper' href='#x'>Yes</a>",
    ],
)
def test_content_with_a_name_like_furniture_is_read(kept):
    assert "Yes" in text(f"<body><p>Before</p>{kept}</body>")


def test_only_the_main_part_is_read_where_there_is_one():
    assert text("<div>No</div><main><p>Yes</p></main><article>No</article>") == "Yes"
    assert text("<div>No</div><article>One</article><article>Two<article>Three</article></article>") == (
        "One\n\nTwo\n\nThree"
    )
    assert text("<main hidden>No</main><div role='main'>Yes</div>") == "Yes"


def test_an_empty_main_part_gives_way_to_the_page():
    assert text("<main><div id='app'></div></main><div>Yes</div>") == "Yes"


def test_fields_come_from_the_meta_tags():
    document = page(
        "<title>Fees | Site</title><meta name='id' content='fees'><meta name='document_version' content='2.10'>"
        "<meta name='updated_at' content='2026-03-04'><meta name='expires_at' content='2027-01-01'>"
        "<meta name='supersedes' content='fees-2025'><meta name='access_tags' content='staff, hr  all'>"
        "<meta name='region' content='EU'><meta name='viewport' content='width=1'><meta name='empty' content=''>"
        "<body><h1>Fees</h1><meta name='access_tags' content='everyone'>"
    )
    assert (document.document_id, document.title, document.document_version) == (
        "fees",
        "Fees | Site",
        "2.10",
    )
    assert (document.updated_at, document.expires_at) == (date(2026, 3, 4), date(2027, 1, 1))
    assert document.access_tags == ("all", "hr", "staff")
    assert document.metadata == {"supersedes": "fees-2025", "region": "EU"}


def test_the_first_of_two_meta_tags_counts_and_none_in_the_body():
    head = "<meta name='access_tags' content='hr'><meta name='access_tags' content='all'>"
    assert page(f"{head}<p>x").access_tags == ("hr",)
    assert page("<body><div><meta name='access_tags' content='all'></div>").access_tags == ()


def test_the_title_is_the_meta_tag_the_title_the_heading_or_the_path():
    heading = "<header><h1>Heading <i>one</i></h1></header>"
    assert page(f"<meta name=title content=Meta><title>Title</title>{heading}").title == "Meta"
    assert page(f"<title> The\n title </title>{heading}").title == "The title"
    assert page(heading).title == "Heading one"
    assert page("<p>x", "sub/fees.html").title == "fees"


def test_headings_make_paths_and_ids_make_anchors():
    document = page(
        "<h1>Guide</h1><p>a</p><section id='fees'><h2>Fees</h2><p>b</p><h3>Card</h3><p>c</p>"
        "<p id='note'>d</p></section>"
        "<h2><a name='days'></a>Days</h2><table><tr><th>x</table><h2>Last</h2><p>e</p>"
    )
    assert [(block.block_type, block.anchor, block.heading_path) for block in document.blocks] == [
        ("title", None, ("Guide",)),
        ("paragraph", None, ("Guide",)),
        ("title", "fees", ("Guide", "Fees")),
        ("paragraph", "fees", ("Guide", "Fees")),
        ("title", "fees", ("Guide", "Fees", "Card")),
        ("paragraph", "fees", ("Guide", "Fees", "Card")),
        ("paragraph", "note", ("Guide", "Fees", "Card")),
        ("title", "days", ("Guide", "Days")),
        ("table", "days", ("Guide", "Days")),
        ("title", None, ("Guide", "Last")),
        ("paragraph", None, ("Guide", "Last")),
    ]


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=3><li>a</ol>", "3. a"),
        ("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>", "- a\n  - b\n    1. c\n- d"),
        ("<ul><li><p>a</p><p>b</p><li>c<br>d</ul>", "- a\n  b\n- c\n  d"),
        ("<ul><li>a<pre>x\n  y</pre></ul>", "- a\n  ```\n  x\n    y\n  ```"),
        ("<ul><li></li><li>a</li></ul>", "- a"),
        (
            "<dl><dt>Weight:<dd>5 kg<dd>6 kg<dt>A<dt>B<dd>c<dt>Z</dl>",
            "- Weight: 5 kg\n- Weight: 6 kg\n- A, B: c\n- Z",
        ),
    ],
)
def test_a_list_with_all_that_is_in_it_is_one_block(html, written):
    document = page(html)
    assert [(block.block_type, block.text) for block in document.blocks] == [("list", written)]


def test_a_list_of_cards_is_read_as_sections():
    document = page("<ul><li><h3>Card</h3><p>One.</p></li><li><h3>Bank</h3><p>Two.</p></li></ul>")
    assert [block.text for block in document.blocks] == ["### Card", "One.", "### Bank", "Two."]


def test_code_keeps_its_lines_in_a_fence_longer_than_any_in_it():
    document = page("<pre><code class='language-py'>a\n\n  b&nbsp;```\n</code></pre>")
    assert [(block.block_type, block.text) for block in document.blocks] == [
        ("code", "````py\na\n\n  b ```\n````")
    ]


@pytest.mark.parametrize("line", ["# a", "- 5 °C", "* a", "| a", "```", "---", "===", "* * *"])
def test_words_that_look_like_markup_are_escaped(line):
    assert text(f"<p>{line}</p>") == "\\" + line


def table(rows):
    (block,) = page(f"<table>{rows}</table>").blocks
    assert block.block_type == "table"
    return block.text.split("\n")


def test_a_table_has_a_header_a_rule_and_its_rows():
    rows = "<thead><tr><th>Plan<th>Seats<tbody><tr><td>Pro<td>40<tr><td>a|b<td><b>5</b> or<br>6"
    assert table(rows) == ["| Plan | Seats |", "| --- | --- |", "| Pro | 40 |", "| a\\|b | 5 or 6 |"]


def test_each_value_stands_under_its_labels_whatever_spans():
    rows = (
        "<tr><td rowspan=2><th colspan=2>Europe<tr><th>Net<th>Gross"
        "<tr><th rowspan=2>Pro<td>1<td>2<tr><td colspan=2>3<tr><td colspan=3>Trial only"
    )
    assert table(rows) == [
        "|  | Europe / Net | Europe / Gross |",
        "| --- | --- | --- |",
        "| Pro | 1 | 2 |",
        "| Pro | 3 | 3 |",
        "| Trial only |  |  |",
    ]


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ("<tr><td>Plan<td>Seats<tr><td>Pro<td>40<tr><td>Basic<td>5", "| Plan | Seats |"),
        ("<tr><td><b>Plan</b><td><b>For</b><tr><td>Pro<td>teams", "| Plan | For |"),
        ("<tr><td>Card<td>accepted<tr><td>Cash<td>refused", "|  |  |"),
        ("<tr><td>Pro<td>40<tr><td>Basic<td>5", "|  |  |"),
        ("<tr><th>Weight<td>5 kg<tr><th>Width<td>", "|  |  |"),
        ("<tr><th>Serial number<td><tr><th>Place<td>", "|  |  |"),
    ],
)
def test_a_table_without_marked_headers(rows, header):
    lines = table(rows)
    assert lines[0] == header
    assert lines[1] == "| --- | --- |"


def test_lists_pictures_and_small_tables_in_a_cell_stay_in_it():
    inner = "<table><tr><td>p<td>q<tr><td>r</table>"
    rows = f"<tr><th>A<th>B<tr><td><ul><li>x<li>y</ul><td><img alt='Yes'><tr><td>5{inner}<td>z"
    assert table(rows)[2:] == ["| x; y | Yes |", "| 5; p q; r | z |"]


def test_a_caption_stands_before_its_table():
    document = page("<table><caption>Fees <b>2026</b></caption><tr><th>a<th>b<tr><td>1<td>2</table>")
    assert [block.text.split("\n")[0] for block in document.blocks] == ["Fees 2026", "| a | b |"]


@pytest.mark.parametrize(
    "layout",
    [
        "<table role='presentation'><tr><td>One<td><p>Two</p></table>",
        "<table><tr><td>One<tr><td>Two</table>",
        "<table><tr><td><table><tr><td>One<tr><td>Two</table></table>",
    ],
)
def test_a_table_that_only_places_things_is_text(layout):
    assert [(block.block_type, block.text) for block in page(layout).blocks] == [
        ("paragraph", "One"),
        ("paragraph", "Two"),
    ]


def test_spans_cannot_blow_a_page_up():
    wide = "<tr><td rowspan=60000 colspan=900>" + "x" * 500 + "<tr><td>a" * 2_000
    assert len(page(f"<table>{wide}</table>").text) < 3_000_000
    assert text("<table><tr><th colspan=x rowspan=-1>a<th colspan=0 rowspan=0>b<tr><td>c</table>").endswith(
        "| c | b |"
    )


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("<meta charset='iso-8859-1'>", "cp1252"),
        ("<meta charset=windows-1251>", "cp1251"),
        ("<meta http-equiv='Content-Type' content='text/html; charset=Shift_JIS'>", "cp932"),
        ("<?xml version='1.0' encoding='koi8-r'?>", "koi8-r"),
        ("<!-- <meta charset=koi8-r> --><meta charset='utf-8'>", "utf-8"),
        ("<meta charset='iso-8859-1'>", "utf-8-sig"),
        ("<meta charset='iso-8859-1'>", "utf-16"),
    ],
)
def test_the_declared_encoding_and_the_mark_are_respected(head, encoding):
    words = {"cp1252": "Größe – café", "cp932": "料金は五です"}.get(encoding, "Цена пять")
    document = page(f"<html>{head}<p>{words}".encode(encoding))
    assert document.text == words
    assert not document.notices


@pytest.mark.parametrize("content", [b"", b"<p>no", b"<meta charset=>", b"<meta charset='\xff'>"])
def test_a_page_that_declares_nothing(content):
    assert declared_encoding(content) is None


def test_hidden_characters_are_kept_and_counted():
    document = page("<p>Dis&#x200B;regard the ru&#8203;les &#xE0041;</p>")
    assert document.text.count("\u200b") == 2
    (notice,) = document.notices
    assert (notice.code, "3 hidden" in notice.message) == ("hidden_characters", True)


def test_a_page_without_text_says_so():
    assert [notice.code for notice in page("<nav>No</nav>").notices] == ["empty"]


@pytest.mark.parametrize(
    "broken",
    [
        "<p>One<p>Two",
        "<table><p>One</table>Two",
        "</div></p><b>One<p>Two</b>",
        "<div>" * 3_000 + "One</div>" * 3_000 + "Two",
        "<ul>" * 2_000 + "<li>One" + "</ul>" * 2_000 + "Two",
        "<table><tr><td>" * 300 + "One" + "</table>" * 300 + "Two",
        "<h1><h2>One</h1><td>Two",
    ],
)
def test_broken_and_deep_markup_keeps_its_words(broken):
    found = text(broken)
    assert "One" in found
    assert "Two" in found
    assert "OneTwo" not in found


BITS = """
<p> </p> <div> </div> <h1> </h1> <h3> <ul> <li> </ul> <ol> </ol> <dl> <dt> <dd> </dl> <table> <tr> <td> <th>
<thead> </table> <td/colspan=3> <td/rowspan=0> <pre> </pre> <code> <br> <b> </b> <sup>2</sup> <main> <article>
<header> <nav> </nav> <script> </script> <style> <!-- --> <template> <svg> <math> <select> <a/name=x> </a>
<div/hidden> <div/id=y> <p/class=cookie-banner> <caption> <body> </html> <frameset> <plaintext>
& &amp; &#0; &#xD800; < > one. 5 - # | ``` ===
"""
SIGNS = [" ", "\n", "\r", "\xa0", "\x00", "\u200b", "\U000e0041"]
PAGES = st.lists(st.sampled_from([*BITS.split(), *SIGNS]), max_size=40).map("".join)


@settings(max_examples=300)
@given(st.text() | PAGES)
def test_no_page_raises_and_every_span_slices_back(content):
    document = page(content)
    end = 0
    for block in document.blocks:
        assert block.text == document.text[slice(*block.span)]
        assert block.text.strip()
        assert block.span[0] >= end
        end = block.span[1]
    assert not (document.text and not document.blocks)
    document.text.encode("utf-8")
    assert "\r" not in document.text


@pytest.mark.parametrize(
    ("rows", "last"),
    [
        ("<tr><td colspan=1000>a<td>b<tr><td>c<td>d", ["| a | b |", "| c | d |"]),
        ("<tr><td colspan=999999 rowspan=99>a<td>b<tr><td>c<td>d", ["| a | b |", "| c | d |"]),
        ("<tr><th>h<th>k<tr><td colspan=1000 rowspan=9>a<tr><td>c<td>d", ["| a |  |", "| c | d |"]),
    ],
)
def test_a_span_beyond_all_columns_loses_no_cell(rows, last):
    assert text(f"<table>{rows}</table>").split("\n")[-2:] == last


def test_a_row_of_more_cells_than_spans_may_fill_is_whole():
    cells = "".join(f"<td>v{number}" for number in range(1_100))
    words = text(f"<table><tr>{cells}<tr>{cells}</table>").split("\n")[-1].strip("| ").split(" | ")
    assert words == [f"v{number}" for number in range(1_100)]
