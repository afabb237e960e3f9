"""What is kept of files that were read: never stale, never in the way, and nothing that was locked."""

import io
import json
import os
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen import canvas

from rag_kit import load_settings, parse
from rag_kit.machine import clear_cache
from rag_kit.parsing import PARSERS
from rag_kit.parsing.cache import ResultCache, can_keep, key_of
from rag_kit.parsing.registry import Format
from rag_kit.types import Notice

# One of the kit's own functions, so that it is kept; it makes a page of any bytes.
PAGE = Format("rag_kit.parsing.html:parse_html", reads="bytes", limited=True)


@pytest.fixture
def settings(tmp_path):
    return load_settings({"RAG_KIT_CACHE_DIR": str(tmp_path / "cache")})


@pytest.fixture(autouse=True)
def page(monkeypatch):
    monkeypatch.setitem(PARSERS, ".page", PAGE)


def kept(settings):
    """Return the file of the cache."""
    return ResultCache(settings.cache_dir).path


def plant(settings, docs, name, body):
    """Put other rows under the key of a file."""
    key = key_of(PAGE, (docs / name).read_bytes(), name, (), {})
    cache = ResultCache(settings.cache_dir)
    cache._file.use(lambda database: put_rows(database, key, body))


def put_rows(database, key, body):
    with database:
        assert database.execute("UPDATE parsed SET rows = ? WHERE key = ?", (body, key)).rowcount == 1


def planted(text):
    """Return the kept form of a page that says something else than its file."""
    rows = [
        {
            "document_id": "x", "source_uri": "", "title": "t", "text": text, "blocks": [], "metadata": {},
            "content_hash": "", "document_version": None, "updated_at": "2026-01-02", "expires_at": None,
            "superseded_at": None, "access_tags": ["all"], "notices": [],
        }
    ]  # fmt: skip
    return zlib.compress(json.dumps({"rows": rows, "single": True}).encode())


def test_a_file_is_read_once_and_found_again_wherever_its_folder_is(folder, settings):
    docs = folder({"a.page": "<p>Fees</p>"})
    first = parse(docs, languages=None, settings=settings)
    assert [d.text for d in first.documents] == ["Fees"]
    assert parse(docs, languages=None, settings=settings) == first
    # Only who looks into the cache sees what is planted there.
    plant(settings, docs, "a.page", planted("kept"))
    moved = folder({"a.page": "<p>Fees</p>"}, "elsewhere")
    (document,) = parse(moved, languages=None, settings=settings).documents
    assert document.text == "kept"
    assert document.source_uri == (moved / "a.page").as_posix()
    assert document.updated_at.isoformat() == "2026-01-02"
    assert document.access_tags == ("all",)


def test_other_bytes_names_options_and_notices_are_other_results():
    base = (PAGE, b"x", "a.page", (), {"ocr": "auto"})
    keys = {
        key_of(*base),
        key_of(PAGE, b"y", *base[2:]),
        key_of(PAGE, b"x", "b.page", *base[3:]),
        key_of(PAGE, b"x", "a.page", (Notice("content_type", "m"),), {"ocr": "auto"}),
        key_of(PAGE, b"x", "a.page", (), {"ocr": "off"}),
        key_of(Format("rag_kit.parsing.html:other"), *base[1:]),
    }
    assert len(keys) == 6
    assert key_of(*base[:4], {"ocr": "auto", "password": "secret"}) == key_of(*base)


def pdf(password=None):
    file = io.BytesIO()
    lock = StandardEncryption(password) if password else None
    page = canvas.Canvas(file, encrypt=lock, invariant=1)
    page.drawString(72, 700, "The fee is 5 euro.")
    page.save()
    return file.getvalue()


def test_what_was_read_with_a_password_is_not_kept(folder, settings):
    docs = folder({"a.pdf": pdf("secret")})
    for password, read in [(None, 0), ("secret", 1), (None, 0), ("wrong", 0)]:
        parsed = parse(docs, password=password, languages=None, settings=settings)
        assert (len(parsed.documents), len(parsed.errors)) == (read, 1 - read)
    with closing(sqlite3.connect(kept(settings))) as database:
        assert database.execute("SELECT count(*) FROM parsed").fetchone() == (0,)


def test_a_password_finds_what_was_read_without_one(folder, settings):
    docs = folder({"a.pdf": pdf()})
    first = parse(docs, languages=None, settings=settings)
    assert parse(docs, password="secret", languages=None, settings=settings) == first


def test_failures_and_a_lessons_own_parsers_are_not_kept(folder, settings, monkeypatch):
    odd = Format("tests.parsing.fakes:parse_oddly", reads="bytes", limited=True)
    monkeypatch.setitem(PARSERS, ".odd", odd)
    assert not can_keep(odd)
    docs = folder({"a.odd": "x", "b.odd": "unread"})
    parse(docs, languages=None, settings=settings)
    assert not kept(settings).exists()


DAMAGED = [
    b"",
    b"junk",
    *map(zlib.compress, [b"[]", b'{"rows": [{}], "single": true}', b'{"rows": [{"blocks": 1}]}']),
]


@pytest.mark.parametrize("body", DAMAGED)
def test_a_damaged_row_is_as_good_as_none(folder, settings, body):
    docs = folder({"a.page": "<p>Fees</p>"})
    first = parse(docs, languages=None, settings=settings)
    plant(settings, docs, "a.page", body)
    assert parse(docs, languages=None, settings=settings) == first


def test_a_damaged_file_is_put_aside_and_one_that_cannot_be_written_is_done_without(folder, settings, capsys):
    docs = folder({"a.page": "<p>Fees</p>"})
    path = kept(settings)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5_000)
    assert [d.text for d in parse(docs, languages=None, settings=settings).documents] == ["Fees"]
    (line,) = capsys.readouterr().err.splitlines()
    assert "cache of parsed documents" in line
    assert sorted(file.suffix for file in path.parent.iterdir()) == [".damaged", ".sqlite"]
    assert clear_cache(settings.cache_dir) == 2
    assert not list(path.parent.iterdir())
    os.rmdir(path.parent)
    path.parent.write_text("a file where the folder should be", encoding="utf-8")
    assert [d.text for d in parse(docs, languages=None, settings=settings).documents] == ["Fees"]
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_every_state_of_the_code_has_a_file_of_its_own(tmp_path):
    name = ResultCache(tmp_path).path.name
    assert name == ResultCache(Path(tmp_path)).path.name
    assert len(name) == len("0123456789abcdef.sqlite")
