"""The sample documents that are no plain text: rebuilt byte for byte, and as hard to read as promised."""

import email
import email.policy
import importlib.util
import io
import os
import subprocess
import sys
from datetime import date

import pytest
import yaml

from rag_kit.parsing.frontmatter import front_matter_of

docx = pytest.importorskip("docx")
openpyxl = pytest.importorskip("openpyxl")
pypdf = pytest.importorskip("pypdf")
pdfium = pytest.importorskip("pypdfium2")
numpy = pytest.importorskip("numpy")
pytest.importorskip("reportlab")

TODAY = date(2026, 11, 15)
SIDECAR = ".meta.yaml"
SUFFIXES = (".pdf", ".docx", ".xlsx", ".csv", ".eml", SIDECAR)
SCAN = "support/brindle-reservoir-warranty-letter-scan.pdf"
MANUAL = "products/xx-5310-level-probe-manual.pdf"
PRICES = "sales/accessories-and-services-price-table-2026.pdf"
CONTRACT = "legal/fennick-springs-maintenance-contract.pdf"
SHEET = "products/xx-5130-conductivity-sensor-data-sheet.pdf"
HANDBOOK = "people/field-safety-handbook-2026.pdf"
FORM = "support/saltmere-commissioning-record.pdf"
LIMITS = "products/probe-cleaning-limits.pdf"
NOTE = "products/volume-from-level-note.pdf"


def listed(folder):
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.name.endswith(SUFFIXES)
    )


@pytest.fixture(scope="module")
def rebuilt(sample_docs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rebuilt")
    command = [sys.executable, "-B", str(sample_docs / "make_binary.py"), "--to", str(folder)]
    env = {**os.environ, "PYTHONHASHSEED": "11", "TZ": "Asia/Tokyo"}
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def builder(sample_docs):
    spec = importlib.util.spec_from_file_location("make_binary", sample_docs / "make_binary.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pages(path):
    document = pdfium.PdfDocument(path)
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return texts


def pictures(path):
    images = [image for page in pypdf.PdfReader(path).pages for image in page.images]
    return [numpy.asarray(image.image.convert("L"), dtype=int) for image in images]


def flat(text):
    return " ".join(text.split())


def test_the_script_writes_each_committed_file_and_no_other(rebuilt, sample_docs):
    assert listed(rebuilt) == listed(sample_docs)


def test_a_new_run_gives_the_same_bytes(rebuilt, sample_docs):
    changed = [
        name for name in listed(rebuilt) if (rebuilt / name).read_bytes() != (sample_docs / name).read_bytes()
    ]
    if changed == [SCAN]:  # Another machine's arithmetic may round a grey value of the picture differently.
        pairs = list(zip(pictures(rebuilt / SCAN), pictures(sample_docs / SCAN), strict=True))
        assert len(pairs) == 2
        assert max(abs(new - old).mean() for new, old in pairs) < 1
        changed = []
    assert changed == []


def test_a_file_that_differs_or_is_missing_is_named(builder, tmp_path):
    builder.write(tmp_path / "sales" / "a.pdf", b"old")
    files = {"sales/a.pdf": b"old", "sales/b.pdf": b"new"}
    assert builder.differing(files, tmp_path) == ["sales/b.pdf"]
    assert builder.differing({"sales/a.pdf": b"new"}, tmp_path) == ["sales/a.pdf"]


def test_a_file_is_written_whole_or_not_at_all(builder, tmp_path):
    (tmp_path / "taken.pdf").mkdir()
    with pytest.raises(OSError, match="taken"):
        builder.write(tmp_path / "taken.pdf", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["taken.pdf"], "no half of a file is left behind"


def test_every_document_has_a_sidecar_that_is_read_like_front_matter(sample_docs):
    names = [name for name in listed(sample_docs) if not name.endswith(SIDECAR)]
    ids = set()
    for name in names:
        text = (sample_docs / f"{name}{SIDECAR}").read_text(encoding="utf-8")
        front = front_matter_of(yaml.safe_load(text))
        assert front.notices == (), name
        assert front.access_tags, name
        assert front.title, name
        assert front.document_version, name
        assert front.updated_at <= TODAY, name
        ids.add(front.document_id)
        if name.endswith(".pdf"):
            info = pypdf.PdfReader(sample_docs / name).metadata
            assert info.creation_date.date() == front.updated_at, name
            assert info.author == "Quernmere Instruments", name
            assert (info.title == front.title) == (name != SCAN), "a scanner knows no title"
    assert len(ids) == len(names)
    assert len(names) >= 13


def test_a_scan_has_pictures_and_no_text(sample_docs):
    assert [text.strip() for text in pages(sample_docs / SCAN)] == ["", ""]
    assert [picture.shape for picture in pictures(sample_docs / SCAN)] == [(1754, 1241), (1754, 1241)]


def test_two_columns_are_read_across(sample_docs):
    text = flat(pages(sample_docs / MANUAL)[0])
    assert "It hangs on its own cable in the" in text
    assert "It hangs on its own cable in the water" not in text, "the side bar stands between"
    assert "in the Bending radius of the cable: 120 mm" in text
    assert "A load of more Variant Span Overload Cable than 300 N" in text
    assert "ballast weight (c)" not in text, "the other half of the broken word stands in the other column"


def test_the_second_page_of_the_prices_has_no_header(sample_docs):
    first, second = (flat(text) for text in pages(sample_docs / PRICES))
    assert "Region EU Other regions List Partner List Partner" in first
    assert second.startswith("AC-418 Vented extension cable, 10 m 83 73 89 78")
    assert "Partner" not in second
    assert "Cable and" not in second


def test_header_and_footer_of_the_contract_cut_sentences(sample_docs):
    texts = pages(sample_docs / CONTRACT)
    assert [f"Page {number} of 5" in text for number, text in enumerate(texts, 1)] == [True] * 5
    whole = flat(" ".join(texts))
    header = "Field maintenance contract FM-2026-007 Confidential Quernmere Instruments / Fennick Springs"
    cut = [number for number in range(2, 6) if not texts[number - 2].rstrip().endswith(".")]
    assert len(cut) >= 2, "sentences run over the page"
    assert "settling-in pe-" in texts[0], "and so does a word"
    for number in cut:
        assert f"{header} Page {number} of 5" in whole


def test_one_page_of_the_data_sheet_is_turned_and_the_text_of_the_other(sample_docs):
    document = pdfium.PdfDocument(sample_docs / SHEET)
    assert [page.get_rotation() for page in document] == [90, 0]
    left, bottom, right, top = document[1].get_textpage().get_charbox(0)
    later = document[1].get_textpage().get_charbox(5)
    assert later[1] > bottom, "the text runs up the page"
    assert later[0] < right
    document.close()


def test_the_handbook_opens_without_a_password_and_may_not_be_copied(sample_docs):
    reader = pypdf.PdfReader(sample_docs / HANDBOOK)
    assert reader.is_encrypted
    assert reader.decrypt("") == pypdf.PasswordType.USER_PASSWORD
    assert not reader.user_access_permissions & pypdf.constants.UserAccessPermissions.EXTRACT
    assert "Field safety handbook 2026" in reader.pages[0].extract_text()


def test_the_answers_of_the_form_are_in_no_page(sample_docs):
    (text,) = pages(sample_docs / FORM)
    assert "Record number" in text
    assert "CR-2026-0388" not in text
    reader = pypdf.PdfReader(sample_docs / FORM)
    assert reader.get_form_text_fields()["record_number"] == "CR-2026-0388"
    assert reader.get_fields()["surge_protector"]["/V"] == "/Off"


def test_the_cleaning_limits_come_out_column_by_column(sample_docs):
    rows = pages(sample_docs / LIMITS)[0].splitlines()
    assert rows[rows.index("Nitric acid") + 1] == "Sodium hydroxide"
    column = rows[rows.index("XX-5310") + 1 :]
    assert column[:6] == ["6 %", "2 %", "1 %", "0.05 %", "0.1 %", "3 %"], "empty cells leave no trace"


def test_ligatures_without_a_mapping_are_lost(sample_docs):
    text = flat(pages(sample_docs / NOTE)[0])
    assert "Over a sharp weir the over" in text
    assert not any(word in text for word in ("overflow", "coefficient", "filled", "fixed"))
    assert text.index("3.1416 d") > text.index("emptied."), "the fraction stands after the last paragraph"


def test_a_plain_reading_of_tracked_changes_has_neither_figure(sample_docs):
    document = docx.Document(sample_docs / "legal/subcontractor-policy-sb-05.docx")
    (line,) = [p.text for p in document.paragraphs if p.text.startswith("An order to a subcontractor")]
    assert "approved by the hub manager up to , and" in line
    xml = document.element.xml
    assert "€4,000" in xml
    assert "€6,000" in xml
    assert len({cell._tc for cell in document.tables[0].rows[0].cells}) == 1, "the title is one merged cell"


def test_the_figures_of_the_workbook_need_their_formats(sample_docs):
    book = openpyxl.load_workbook(sample_docs / "support/reference-gauges-and-hub-stock.xlsx")
    gauges, stock = book.worksheets
    assert [str(area) for area in gauges.merged_cells.ranges] == ["A1:G1"]
    assert (gauges["F9"].value, gauges["F9"].number_format) == (0.0085, "0.00%")
    assert (stock["G10"].value, stock["G10"].number_format) == (14280, '"€"#,##0.00')


def test_the_mail_has_two_bodies_and_a_table(sample_docs):
    data = (sample_docs / "support/mail-level-probe-drift.eml").read_bytes()
    mail = email.message_from_bytes(data, policy=email.policy.default)
    assert not any(part.defects for part in mail.walk())
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds == ["multipart/mixed", "multipart/alternative", "text/plain", "text/html", "text/csv"]
    assert "falls by 34 mm between 22:00 and 04:00" in mail.get_body(("plain",)).get_content()
    assert b"between 22:00 and" not in data, "the raw lines are broken in words and figures"
    (table,) = mail.iter_attachments()
    assert "2026-11-10 04:00,2.412,1.988,1.569,1009.8" in table.get_content()
    assert b"1.569" not in data


def test_the_site_list_is_a_spreadsheet_export(sample_docs):
    data = (sample_docs / "products/xx-5310-field-test-sites.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfSite;Place;")
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    assert '"shaft floods; box moved"' in text.read()
