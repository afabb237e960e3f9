"""What a file is by its content, and what is done where its name says otherwise."""

import io
import os
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import parse
from rag_kit.parsing import PARSERS, register
from rag_kit.parsing.sniffing import KINDS, judge, known_by_content, sniff
from tests.parsing.fakes import one

PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF"
PAGE = b"<!DOCTYPE html>\n<html><title>Sign in</title><p>Please sign in to the portal.</html>"
MAIL = b"Return-Path: <a@example.com>\r\nReceived: from x\r\n\tby y\r\nSubject: Fees\r\n\r\nHello"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def zipped(*names, **contents):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "<x/>")
        for name, content in contents.items():
            archive.writestr(name, content)
    return file.getvalue()


def compound(stream):
    return OLE + bytes(100) + stream.encode("utf-16-le") + bytes(100)


DOCX = zipped("[Content_Types].xml", "word/document.xml")
XLSX = zipped("[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PDF, ".pdf"),
        (b"\xef\xbb\xbf\n" + PDF, ".pdf"),
        (b"HTTP junk\r\n\r\n" * 20 + PDF, ".pdf"),
        (b"x" * 2_000 + PDF, None),
        (DOCX, ".docx"),
        (zipped("[Content_Types].xml", "word/document2.xml"), ".docx"),
        (XLSX, ".xlsx"),
        (zipped("xl/workbook.bin"), ".zip"),
        (zipped("ppt/presentation.xml"), ".pptx"),
        (zipped(mimetype="application/vnd.oasis.opendocument.text"), ".odt"),
        (zipped(mimetype="application/epub+zip"), ".zip"),
        (zipped("photos/a.jpg"), ".zip"),
        (DOCX[:60], None),
        (compound("WordDocument"), ".doc"),
        (compound("Workbook"), ".xls"),
        (compound("EncryptedPackage"), "locked"),
        (compound("__properties_version1.0"), ".msg"),
        (compound("Thumbs"), "ole"),
        (PAGE, ".html"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- saved -->\n<html lang='en'>", ".html"),
        (b"<htmlish>", None),
        (MAIL, ".eml"),
        (b"Subject: a note\n\nTo: whom it concerns", None),
        (b'{"error": "not found"}', ".json"),
        (b"[1, 2]", ".json"),
        (b"[1] A footnote", ".json"),
        (b"{x} is a set", None),
        (b"{\\rtf1\\ansi Hello}", ".rtf"),
        (b"\x89PNG\r\n\x1a\n\x00", "picture"),
        (b"Dear all,", None),
        (b"", None),
    ],
)
def test_a_kind_shows_in_the_first_bytes_or_the_names_within(data, kind):
    assert sniff(data) == kind
    assert kind is None or kind in KINDS


@pytest.mark.parametrize(
    ("name", "data", "code", "message"),
    [
        ("a.pdf", PAGE, "not_pdf", "this is a web page and no PDF: save the PDF itself again"),
        ("a.pdf", DOCX, "not_pdf", "this is a Word document and no PDF: name it .docx"),
        ("a.pdf", b'{"error": "expired"}', "not_pdf", "this is JSON and no PDF: save the PDF itself again"),
        ("a.docx", PDF, "not_docx", "this is a PDF and no Word document: name it .pdf"),
        ("a.docx", XLSX, "not_docx", "this is an Excel workbook and no Word document: name it .xlsx"),
        ("a.docx", compound("WordDocument"), "not_docx",
         "this is an old Word document: save it as .docx"),
        ("a.docx", compound("EncryptedPackage"), "encrypted",
         "this is an Office file locked with a password: open it and save it without the password"),
        ("a.xlsx", compound("Workbook"), "not_xlsx",
         "this is an old Excel workbook: save it as .xlsx"),
        ("a.pdf", b"", "empty", "the file is empty (0 bytes): save it again"),
        ("a.xlsx", b"", "empty", "the file is empty (0 bytes): save it again"),
        ("a.txt", compound("WordDocument"), "not_txt",
         "this is an old Word document and no text: save it as .docx"),
        ("a.csv", compound("Workbook"), "not_csv",
         "this is an old Excel workbook and no text: save it as .xlsx"),
        ("a.md", zipped("x"), "not_md", "this is a zip archive and no text: unpack it and name the documents"),
        ("a.doc", compound("WordDocument"), "file_type", "files of this type are not read yet: save it as .docx"),
        ("a.pptx", zipped("ppt/presentation.xml"), "file_type",
         "files of this type are not read yet: save it as .pdf"),
    ],
)  # fmt: skip
def test_a_file_that_is_plainly_another_thing_is_one_error_with_its_mend(folder, name, data, code, message):
    parsed = parse(folder({name: data}))
    assert [(error.code, error.message) for error in parsed.errors] == [(code, message)]
    assert not parsed.documents


@pytest.mark.parametrize(
    ("name", "noticed"), [("a", False), ("a.aspx", True), ("a.xls", True), ("a.doc", True)]
)
def test_a_page_under_any_other_name_is_read(folder, name, noticed):
    for paths in (folder({name: PAGE}), folder({name: PAGE}) / name):
        parsed = parse(paths, languages=None)
        (document,) = parsed.documents
        assert "sign in to the portal" in document.text
        assert document.document_id == name
        assert [notice.code for notice in document.notices] == ["content_type"] * noticed
        assert not parsed.passed_over


def test_what_sniffing_knows_is_found_in_folders_and_the_rest_is_passed_over(folder):
    docs = folder(
        {
            "report": PDF,
            "letter.bin": DOCX,
            "sheet": XLSX,
            "page": PAGE,
            "mail": MAIL,
            "rows": b"[1, 2]",
            "old": compound("WordDocument"),
            "photo.heic": b"\x00\x01",
            "bundle.whl": zipped("kit/__init__.py"),
        }
    )
    found = [name for name in sorted(os.listdir(docs)) if known_by_content(docs / name)]
    assert found == ["letter.bin", "page", "report", "sheet"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(docs / "pipe")
        assert not known_by_content(docs / "pipe")
    assert not known_by_content(docs / "gone")
    parsed = parse(docs)
    assert parsed.passed_over == {"(no suffix)": 3 + hasattr(os, "mkfifo"), ".heic": 1, ".whl": 1}


def test_a_text_that_is_really_a_pdf_goes_to_the_pdf_parser_with_a_notice(folder):
    def parse_pdf(content, *, source_uri, relative_path, notices=()):
        return one(relative_path, content.decode("latin-1"), source_uri, notices)

    own = PARSERS[".pdf"]
    register(".pdf", parse_pdf, reads="bytes")
    try:
        (document,) = parse(folder({"a.txt": PDF}), languages=None).documents
    finally:
        PARSERS[".pdf"] = own
    assert document.text.startswith("%PDF")
    (notice,) = document.notices
    assert notice.code == "content_type"
    assert notice.message == "named .txt, but it is a PDF and was read as one: name it .pdf"


@pytest.mark.parametrize(
    "text",
    [
        "%PDF-1.7 is how such files begin.",
        "# Formats\n\nA PDF begins with `%PDF-1.4`, an RTF with {\\rtf1.",
        "{\\rtf1 begins an RTF}",
        "<!DOCTYPE html> begins a page.",
        "From: Ann\nTo: Bob\nSubject: Fees\n\nHello",
        "PK\x03 is no zip",
    ],
)
def test_a_text_about_a_format_stays_a_text(folder, text):
    (document,) = parse(folder({"a.txt": text}), languages=None).documents
    assert document.text == text
    assert not document.notices


def test_a_lessons_own_packed_format_is_its_own_affair(folder):
    def parse_bundle(content, *, source_uri, relative_path, notices=()):
        return one(relative_path, str(content[:2]), source_uri, notices)

    register(".bundle", parse_bundle, reads="bytes")
    try:
        (document,) = parse(folder({"a.bundle": DOCX}), languages=None).documents
    finally:
        del PARSERS[".bundle"]
    assert (document.text, document.notices) == ("b'PK'", ())


HEADS = [b"", b"PK\x03\x04", OLE, b"%PDF-1.4", b"<html>", b"{"]
SUFFIXES = ["", ".zzz", ".doc", ".txt", ".html", ".csv", ".pdf", ".docx", ".xlsx", ".jsonl"]


@given(st.binary(max_size=400), st.sampled_from(HEADS), st.sampled_from(SUFFIXES))
def test_every_content_under_every_name_is_judged(data, head, suffix):
    form = PARSERS.get(suffix)
    finding = judge(suffix, head + data, reads=form.reads if form else None)
    assert finding.suffix is None or finding.suffix in PARSERS
    assert bool(finding.code) == bool(finding.message)
    assert not (finding.code and finding.suffix)
    assert finding.code or finding.suffix or form is None
