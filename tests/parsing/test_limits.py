"""Parsers in a process of their own: what a bad file does to it, and what it never does to the rest."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import rag_kit
from rag_kit import InvalidValue, load_settings, parse
from rag_kit.parsing import PARSERS, parse_html, register
from rag_kit.parsing.limits import end_worker
from rag_kit.parsing.registry import Format

ODD = Format("tests.parsing.fakes:parse_oddly", reads="bytes", limited=True, options=("password", "ocr"))
SETTINGS = load_settings({"RAG_KIT_PARSE_MEMORY_MB": "300"})
SHORT = load_settings({"RAG_KIT_PARSE_SECONDS": "3"})
ON_LINUX = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no limit of memory here")


@pytest.fixture(autouse=True)
def odd(monkeypatch):
    monkeypatch.setitem(PARSERS, ".odd", ODD)
    monkeypatch.setitem(
        PARSERS, ".long", Format(ODD.named, "bytes", True, pages="tests.parsing.fakes:many_pages")
    )


def state(document):
    """Return what the document tells of the process that read it."""
    return json.loads(document.text.partition("\n\n")[0])


def read(docs, settings=SETTINGS, **options):
    return parse(docs, languages=None, settings=settings, **options)


def test_one_process_other_than_this_reads_all_files(folder):
    docs = folder({"a.odd": "one", "b.odd": "two"})
    first, second = read(docs).documents
    assert state(first)["process"] == state(second)["process"] != os.getpid()
    assert state(read(docs).documents[0])["process"] == state(first)["process"]


def test_a_format_can_be_read_under_a_limit_from_a_size_on(folder, monkeypatch):
    monkeypatch.setitem(PARSERS, ".odd", Format(ODD.named, "bytes", limited_from=5, options=ODD.options))
    small, large = read(folder({"a.odd": "four", "b.odd": "fives"})).documents
    assert state(small)["process"] == os.getpid()
    assert state(large)["process"] != os.getpid()


def test_a_long_page_is_the_same_in_another_process(folder):
    page = "<title>Fees</title><h1>Fees</h1>" + "<p>The fee is <b>5</b> €.</p>" * 5_000
    docs = folder({"a.html": page})
    (document,) = read(docs).documents
    direct = parse_html(page.encode(), source_uri=document.source_uri, relative_path="a.html")
    assert len(page.encode()) >= 100_000
    assert document == direct


def test_a_page_that_takes_too_long_is_left(folder):
    docs = folder({"a.html": "<div>" * 100_000 + "hello", "b.html": "<p>Five."})
    parsed = read(docs, load_settings({"RAG_KIT_PARSE_SECONDS": "1"}))
    assert [document.text for document in parsed.documents] == ["Five."]
    assert [(failure.code, failure.source_uri[-6:]) for failure in parsed.errors] == [("too_slow", "a.html")]


def test_documents_come_back_whole(folder):
    (document,) = read(folder({"a.odd": b"half of a pair \xed\xa0\x80"})).documents
    (block,) = document.blocks
    assert document.text.endswith("half of a pair \ud800")
    assert block.text == document.text[slice(*block.span)]
    assert (block.page, block.confidence, block.anchor, block.heading_path) == (1, 0.5, "a", ())
    assert block.source_uri == document.source_uri
    assert document.metadata == {"nested": {"list": [1, "é"]}}


def test_no_file_stops_the_folder(folder):
    docs = folder(
        {
            "a.odd": "good",
            "b.odd": "leave",
            "c.odd": "unread",
            "d.odd": "missing",
            "e.odd": "fault",
            "f.odd": "several",
            "g.odd": "print",
            "h.md": "Good.",
            "i.odd": "good",
        }
    )
    parsed = read(docs, password="secret")
    assert [d.document_id for d in parsed.documents] == ["a.odd", "a", "g.odd", "h.md", "i.odd"]
    errors = [(Path(error.source_uri).name, error.code) for error in parsed.errors]
    assert errors == [
        ("b.odd", "crashed"),
        ("c.odd", "damaged"),
        ("d.odd", "missing_package"),
        ("e.odd", "crashed"),
        ("f.odd#2", "empty"),
    ]
    assert "status 3" in parsed.errors[0].message
    assert "KeyError in parse_oddly" in parsed.errors[3].message
    assert not any("secret" in error.message for error in parsed.errors)


def test_a_file_that_takes_too_long_is_left(folder):
    docs = folder({"a.odd": "sleep 600", "b.odd": "good"})
    parsed = read(docs, SHORT)
    (error,) = parsed.errors
    assert (error.code, Path(error.source_uri).name) == ("too_slow", "a.odd")
    assert error.message == "took more than 3 s: split the file or raise RAG_KIT_PARSE_SECONDS"
    assert [d.document_id for d in parsed.documents] == ["b.odd"]


def test_pages_give_a_file_more_time(folder):
    settings = load_settings({"RAG_KIT_PARSE_SECONDS": "1"})
    read(folder({"a.odd": "warm"}, "warm"))
    parsed = read(folder({"a.long": "sleep 2"}), settings)
    assert [d.document_id for d in parsed.documents] == ["a.long"]


@ON_LINUX
def test_a_file_that_takes_too_much_memory_is_left(folder):
    parsed = read(folder({"a.odd": "greedy 400", "b.odd": "alloc", "c.odd": "good"}))
    assert [error.code for error in parsed.errors] == ["too_big", "too_big"]
    assert parsed.errors[0].message == (
        "needs more than 300 MB of memory: split the file or raise RAG_KIT_PARSE_MEMORY_MB"
    )
    assert [d.document_id for d in parsed.documents] == ["c.odd"]


@pytest.mark.skipif(sys.platform == "win32", reason="no signals here")
def test_a_process_that_was_killed_is_replaced(folder):
    parsed = read(folder({"a.odd": "good", "b.odd": "die", "c.odd": "good"}))
    assert [error.code for error in parsed.errors] == ["crashed"]
    first, second = map(state, parsed.documents)
    assert first["process"] != second["process"]
    os.kill(second["process"], 9)
    (again,) = read(folder({"a.odd": "good"}, "again")).documents
    assert state(again)["process"] != second["process"]


@pytest.mark.skipif(sys.platform == "win32", reason="no signals here")
def test_who_stops_in_the_middle_of_a_file_can_go_on_with_the_next(folder):
    with pytest.raises(KeyboardInterrupt):
        read(folder({"a.odd": "interrupt"}))
    (document,) = read(folder({"a.odd": "good"}, "next")).documents
    assert document.text.endswith("good ")


def test_a_password_goes_to_the_parser_and_a_key_does_not(folder, monkeypatch):
    end_worker()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-FAKE1234567890")
    docs = folder({"a.odd": "good"})
    told = state(read(docs, password="secret", ocr="off").documents[0])
    assert (told["password"], told["ocr"], told["key"]) == ("secret", "off", None)
    if os.path.exists("/proc"):
        line = Path(f"/proc/{told['process']}/cmdline").read_bytes()
        assert b"secret" not in line
    end_worker()


def test_threads_take_turns(folder):
    docs = [folder({f"{n}.odd": f"text {n}"}, f"docs{n}") for n in range(6)]
    found = {}
    threads = [
        threading.Thread(target=lambda n=n: found.update({n: read(docs[n]).documents[0]})) for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[n].text.rpartition(" ")[2] for n in range(6)] == [str(n) for n in range(6)]
    assert len({state(document)["process"] for document in found.values()}) == 1


def test_a_parser_there_can_use_the_whole_kit(folder):
    (document,) = read(folder({"a.odd": "whole"})).documents
    assert document.text.endswith(f"rag_kit.access rag_kit.chunking.fixed True {rag_kit.__version__}")


SCRIPT = """
import os, sys
from rag_kit import parse
from rag_kit.parsing import register
register(".odd", "tests.parsing.fakes:parse_oddly", reads="bytes", limited=True)
print(parse(sys.argv[1], languages=None).documents[0].text.partition("\\n")[0])
"""


def test_the_process_ends_with_a_program_that_has_no_main_guard(folder):
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, folder({"a.odd": "print"})],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    child = json.loads(done.stdout)["process"]
    if os.path.exists("/proc"):
        assert not os.path.exists(f"/proc/{child}")


def test_a_limited_parser_is_one_that_another_process_can_import():
    def inner(content, **_):
        return []

    for parser in (inner, lambda content, **_: []):
        with pytest.raises(InvalidValue, match="module of its own"):
            register(".x", parser, limited=True)
    assert ".x" not in PARSERS


def test_a_parser_in_a_module_of_its_own_can_be_limited():
    from tests.parsing.fakes import parse_oddly

    register(".x", parse_oddly, reads="bytes", limited=True, options=["ocr"])
    try:
        assert PARSERS[".x"] == Format("tests.parsing.fakes:parse_oddly", "bytes", True, ("ocr",))
    finally:
        del PARSERS[".x"]
