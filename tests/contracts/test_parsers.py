"""What every parser in the registry does, a lesson's own included: register one, and it is tested here too.

A format of text has a sample in SAMPLES, in which one fee is 5 €; a packed one has a function in BUILT that
makes a file in which the fee is what it is told.
"""

import functools
import io
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit import UnreadableDocument
from rag_kit.parsing import PARSERS, Piece, ReadOptions, build_document, register
from rag_kit.parsing.corpus import parse_file
from rag_kit.parsing.decoding import decode
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.types import Document, ParseFailure

MARKDOWN = (
    "---\nid: fees\naccess_tags: [all]\n---\n# Fees\n\nThe fee is 5 €.\n\n- card\n- bank\n\n```\nx = 1\n```\n"
)
PAGE = (
    "<title>Fees</title><h1>Fees</h1><p>The fee is <b>5</b> €.<ul><li>card<li>bank</ul>"
    "<table><tr><th>a<tr><td>1</table>"
)
ROWS = (
    '{"id": "a", "text": "# Fees\\n\\nThe fee is 5 €.\\n"}\n'
    '{"id": "b", "text": "Two.\\n\\nThree."}\n'
    '{"text": "Four."}\n'
)
ONE_ROW = '[{"id": "a", "text": "# Fees\\n\\nThe fee is 5 €."}, {"text": "Two."}]'
SAMPLES = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".txt": "---\ntitle: T\n---\nOne.\n\nTwo €.",
    ".text": "One.\n\n \n\nTwo €.",
    ".html": PAGE,
    ".htm": PAGE,
    ".xhtml": PAGE,
    ".json": ONE_ROW,
    ".jsonl": ROWS,
    ".csv": "what,fee\nTwo late,5 €\ncard,1\n",
    ".tsv": "what\tfee\nTwo late\t5 €\ncard\t1\n",
}


def mail(fee):
    head = "From: Ann <ann@example.com>\r\nTo: bob@example.com\r\nSubject: Fees\r\n"
    kind = (
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
    )
    return f"{head}{kind}\r\nThe fee is {fee}.\r\n\r\nTwo.\r\n".encode()


def pdf(fee):
    from reportlab.pdfgen import canvas

    file = io.BytesIO()
    page = canvas.Canvas(file, invariant=1)
    page.setFont("Helvetica-Bold", 20)
    page.drawString(72, 760, "Fees")
    page.setFont("Helvetica", 11)
    page.drawString(72, 720, f"The fee is {fee} for each week that a payment is late.")
    page.drawString(72, 690, "Cards cost two more.")
    page.showPage()
    page.drawString(72, 760, "The second page says who pays it.")
    page.save()
    return file.getvalue()


def docx(fee):
    import docx

    document = docx.Document()
    document.add_heading("Fees", 1)
    document.add_paragraph(f"The fee is {fee}.")
    table = document.add_table(2, 2)
    for cell, text in zip((c for row in table.rows for c in row.cells), ["a", "b", "1", "2"], strict=True):
        cell.text = text
    return saved(document)


def xlsx(fee):
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["what", "fee"], ["late", fee], ["card", 1]):
        book.active.append(row)
    return saved(book)


def saved(document):
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


BUILT = {".pdf": pdf, ".docx": docx, ".xlsx": xlsx, ".eml": mail}


@functools.cache
def sample(suffix, fee="5 €"):
    return BUILT[suffix](fee) if suffix in BUILT else SAMPLES[suffix].replace("€", fee[-1]).encode()


def parse(suffix, data, name="sub/file"):
    """Parse bytes as a file of that suffix; only the typed error comes out, as no documents."""
    form = PARSERS[suffix]
    names = {"source_uri": f"docs/{name}{suffix}", "relative_path": f"{name}{suffix}"}
    names |= form.taken(ReadOptions(ocr="off"))
    try:
        if form.reads == "text":
            text, notices = decode(data, names["source_uri"])
            result = form.parser(text, notices=tuple(notices), **names)
        else:
            result = form.parser(data, **names)
        return [result] if isinstance(result, Document) else list(result)
    except UnreadableDocument as error:
        return [ParseFailure(error.source_uri, error.code, error.message)]


def check(results, suffix):
    documents = [result for result in results if isinstance(result, Document)]
    failures = [result for result in results if not isinstance(result, Document)]
    assert results, "a file gives a document or says why not"
    assert len({document.document_id for document in documents}) == len(documents)
    for failure in failures:
        assert failure.source_uri.endswith(suffix)
        assert failure.code.isidentifier()
        assert failure.message.splitlines() == [failure.message]
    for document in documents:
        assert document.document_id
        assert document.title
        assert document.source_uri.endswith(suffix)
        assert document.access_tags == tuple(sorted(set(document.access_tags)))
        assert "\r" not in document.text
        assert len({block.block_id for block in document.blocks}) == len(document.blocks)
        assert document.blocks or "empty" in [notice.code for notice in document.notices]
        end = 0
        for block in document.blocks:
            assert block.text == document.text[slice(*block.span)]
            assert block.text.strip()
            assert block.span[0] >= end, "blocks stand in order and do not overlap"
            end = block.span[1]
            assert block.document_id == document.document_id
            assert block.access_tags == document.access_tags
            assert block.updated_at == document.updated_at
            if block.block_type == "title":
                assert block.heading_path, "a heading's path ends in the heading"


@pytest.fixture(params=sorted(PARSERS))
def suffix(request):
    return request.param


@pytest.fixture(params=sorted(SAMPLES))
def of_text(request):
    return request.param


def test_every_parser_has_a_sample_here(suffix):
    assert (suffix in SAMPLES) != (suffix in BUILT)


def test_a_sample_gives_documents_whose_blocks_slice_back(suffix):
    results = parse(suffix, sample(suffix))
    check(results, suffix)
    assert all(isinstance(result, Document) and result.blocks for result in results)
    assert any("5 €" in block.text or "Two €" in block.text for result in results for block in result.blocks)


def test_the_same_bytes_give_the_same_documents(suffix):
    data = sample(suffix)
    assert list(map(asdict, parse(suffix, data))) == list(map(asdict, parse(suffix, data)))


def test_the_content_hash_follows_the_text_and_nothing_else(suffix):
    data = sample(suffix)
    one, moved = (parse(suffix, data, name) for name in ("one", "two"))
    assert [document.content_hash for document in one] == [document.content_hash for document in moved]
    (first, *_), (changed, *_) = one, parse(suffix, sample(suffix, "5 $"))
    assert first.content_hash != changed.content_hash


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_marks_and_line_ends_of_the_file_change_nothing(of_text, encoding, line_end):
    def without_names(results):
        return [asdict(replace(result, notices=())) for result in results]

    data = SAMPLES[of_text].replace("\n", line_end).encode(encoding)
    assert without_names(parse(of_text, data)) == without_names(parse(of_text, sample(of_text)))


def test_hidden_characters_are_kept_and_noticed(of_text):
    data = SAMPLES[of_text].replace("Two", "T\u200bwo").replace("fee", "f\u200bee").encode()
    documents = parse(of_text, data)
    check(documents, of_text)
    assert any("\u200b" in document.text for document in documents)
    for document in documents:
        noticed = "hidden_characters" in [notice.code for notice in document.notices]
        assert noticed == ("\u200b" in document.text)


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_no_bytes_raise_anything_but_the_typed_error(data):
    for each in PARSERS:
        check(parse(each, data), each)


@given(st.data())
def test_no_damage_to_a_sample_raises_either(data):
    damage(data, data.draw(st.sampled_from(sorted(SAMPLES))))


@pytest.mark.parametrize("packed", sorted(BUILT))
@settings(max_examples=15)
@given(data=st.data())
def test_no_damage_to_a_packed_sample_raises_either(packed, data):
    damage(data, packed)


def damage(data, each):
    whole = sample(each)
    cut = data.draw(st.integers(0, len(whole)))
    put = data.draw(
        st.binary(max_size=6) | st.sampled_from([b"<", b"|", b"\n\n", b"```", b"---\n", b'"', b"{"])
    )
    check(parse(each, whole[:cut] + put + whole[cut:]), each)
    check(parse(each, whole[:cut]), each)


def test_a_lesson_can_add_a_parser(tmp_path):
    def parse_log(text, *, source_uri, relative_path, notices=()):
        ends = [at + 1 for at, sign in enumerate(text) if sign == "\n"]
        pieces = [Piece("paragraph", (start, end - 1)) for start, end in zip([0, *ends], ends, strict=False)]
        return build_document(
            text, pieces, FrontMatter(), source_uri=source_uri, relative_path=relative_path, notices=notices
        )

    register(".log", parse_log)
    try:
        (tmp_path / "a.LOG").write_text("started\nstopped\n", encoding="utf-8")
        (document,) = parse_file(tmp_path / "a.LOG", "a.LOG")
        assert [block.text for block in document.blocks] == ["started", "stopped"]
        check(parse(".log", b"one\ntwo\n"), ".log")
    finally:
        del PARSERS[".log"]


@pytest.mark.parametrize("wrong", ["log", "", ".", " .log"])
def test_a_suffix_has_its_dot(wrong):
    with pytest.raises(ValueError, match="suffix"):
        register(wrong, PARSERS[".md"].parser)
