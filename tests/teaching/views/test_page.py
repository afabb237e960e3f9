"""The page beside its blocks: the picture, and what stands next to it in which order."""

import base64
import re
from io import BytesIO

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from rag_kit import InvalidValue, parse
from rag_kit.parsing.blocks import Piece, build_document
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.teaching import blocks_view, page_view
from rag_kit.teaching.views.page import WIDTH, page_picture

TABLE = "| Part | Price |\n| --- | --- |\n| <b>A | 5 |"


@pytest.fixture
def two_pages(tmp_path):
    """A PDF of two pages, the second one with another sentence."""
    path = tmp_path / "fees.pdf"
    canvas = Canvas(str(path), pagesize=(200, 300), invariant=1)
    for sentence in ("The fee is 5.", "The fine is 7."):
        canvas.drawString(20, 250, sentence)
        canvas.showPage()
    canvas.save()
    return path


def document(*pieces):
    """Make a document of (block type, text, page, confidence)."""
    text, placed = "", []
    for kind, said, page, confidence in pieces:
        span, path = (len(text), len(text) + len(said)), (said,)
        placed.append(Piece(kind, span, path, page=page, confidence=confidence))
        text += said + "\n\n"
    return build_document(text, placed, FrontMatter(), source_uri="docs/fees.pdf", relative_path="fees.pdf")


def data(view):
    return view._repr_mimebundle_()


def picture_in(html):
    [(alt, encoded)] = re.findall(r'<img alt="([^"]*)"[^>]*src="data:image/png;base64,([^"]*)"', html)
    return alt, Image.open(BytesIO(base64.b64decode(encoded)))


def test_a_page_stands_beside_what_was_read_of_it_and_of_no_other(two_pages):
    [parsed] = parse(two_pages).documents
    shown = data(page_view(two_pages, parsed, page=2))
    alt, picture = picture_in(shown["text/html"])
    assert alt == "Picture of fees.pdf, page 2; its text stands beside it"
    assert picture.size == (WIDTH, WIDTH * 300 // 200)
    assert "The fine is 7." in shown["text/html"]
    assert "The fee is 5." not in shown["text/html"]
    assert shown["text/plain"] == "fees.pdf, page 2\n\n[1 paragraph]\nThe fine is 7."


def test_pictures_of_two_pages_differ_and_those_of_one_page_do_not(two_pages):
    assert page_picture(two_pages, 1) != page_picture(two_pages, 2)
    assert page_picture(two_pages, 1) == page_picture(two_pages, 1)


@pytest.mark.parametrize("page", [0, 3, -1])
def test_a_page_that_is_not_there_is_named(two_pages, page):
    with pytest.raises(InvalidValue, match=rf"fees\.pdf has no page {page}: choose 1 to 2"):
        page_view(two_pages, document(), page=page)


@pytest.mark.parametrize("content", [None, b"", b"no PDF at all"], ids=["missing", "empty", "text"])
def test_a_file_that_gives_no_picture_is_named(tmp_path, content):
    path = tmp_path / "broken.pdf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidValue, match=r"broken\.pdf: no picture of it can be made"):
        page_picture(path)


def test_blocks_are_numbered_in_their_order_with_what_the_recogniser_thought():
    read = document(("title", "# Fees", 1, None), ("paragraph", "The fee is 5.", 1, 0.876))
    shown = data(blocks_view(read, page=1))
    assert shown["text/plain"] == (
        "fees.pdf, page 1\n\n[1 title]\n# Fees\n\n[2 paragraph, recognised with confidence 0.88]\nThe fee is 5."
    )
    assert re.findall(r"<small[^>]*>([^<]*)</small>", shown["text/html"]) == [
        "1 title",
        "2 paragraph, recognised with confidence 0.88",
    ]


def test_a_table_is_drawn_with_its_header_and_nothing_in_it_is_markup():
    html = data(blocks_view(document(("table", TABLE, 1, None))))["text/html"]
    assert re.findall(r"<(th|td)[^>]*>([^<]*)</\1>", html) == [
        ("th", "Part"),
        ("th", "Price"),
        ("td", "&lt;b&gt;A"),
        ("td", "5"),
    ]


def test_a_table_without_a_header_keeps_its_first_row():
    html = data(blocks_view(document(("table", "| a | 1 |\n| b | 2 |", 1, None))))["text/html"]
    assert re.findall(r"<(th|td)[^>]*>([^<]*)<", html) == [
        ("td", "a"), ("td", "1"), ("td", "b"), ("td", "2"),
    ]  # fmt: skip


def test_a_page_of_which_nothing_was_read_says_so(two_pages):
    shown = data(page_view(two_pages, document()))
    assert "Nothing was read of this page." in shown["text/html"]
    assert "Nothing was read of this page." in shown["text/plain"]


def test_what_a_document_says_is_shown_and_not_run():
    html = data(blocks_view(document(("paragraph", "<script>x</script>\u202eab", 1, None))))["text/html"]
    assert "<script" not in html
    assert "\u202e" not in html
