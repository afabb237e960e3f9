"""`--password` and `--ocr`: every command that reads documents hands them on, and says no password again."""

import json

import pytest

from rag_kit.cli import main
from rag_kit.parsing import PARSERS
from rag_kit.parsing.registry import Format

ODD = Format("tests.parsing.fakes:parse_oddly", reads="bytes", limited=True, options=("password", "ocr"))


@pytest.fixture
def docs(folder, monkeypatch):
    monkeypatch.setitem(PARSERS, ".odd", ODD)
    monkeypatch.setenv("RAG_KIT_PROGRESS", "0")
    return str(folder({"a.odd": "The late fee is 5 euro.", "b.odd": "fault"}))


def run(capsys, *arguments):
    capsys.readouterr()
    status = main(list(arguments))
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.parametrize(
    "command",
    [
        ["parse"],
        ["chunk"],
        ["search", "What is the late fee?", "--offline", "--docs"],
        ["ask", "What is the late fee?", "--offline", "--docs"],
    ],
    ids=lambda command: command[0],
)
def test_a_parser_is_told_the_password_and_whether_to_recognise_text(capsys, docs, command):
    status, out, err = run(capsys, *command, docs, "--json", "--password", "secret", "--ocr", "off")
    assert status == 1
    assert '\\"password\\": \\"secret\\", \\"ocr\\": \\"off\\"' in out
    assert [row["code"] for row in json.loads(out)["errors"]] == ["crashed"]
    assert "secret" not in err
    status, out, _ = run(capsys, *command, docs, "--json")
    assert '\\"password\\": null, \\"ocr\\": \\"auto\\"' in out


def test_an_index_is_made_with_the_same_options(capsys, docs, tmp_path):
    out = str(tmp_path / "index")
    options = ["--offline", "--password", "secret", "--ocr", "off", "--json"]
    status, printed, _ = run(capsys, "index", "--docs", docs, "--out", out, *options)
    assert (status, json.loads(printed)["documents"]) == (1, 1)
    _, printed, _ = run(capsys, "search", "What is the late fee?", "--index", out, "--offline", "--json")
    assert '\\"password\\": \\"secret\\", \\"ocr\\": \\"off\\"' in printed


def test_an_unknown_way_of_recognising_names_the_choices(capsys, docs):
    status, _, err = run(capsys, "parse", docs, "--ocr", "always")
    assert status == 2
    assert "auto" in err
    assert "off" in err
    assert len(err.splitlines()) == 1


def test_a_limit_that_is_none_is_one_line(capsys, docs, monkeypatch):
    monkeypatch.setenv("RAG_KIT_PARSE_SECONDS", "soon")
    status, _, err = run(capsys, "parse", docs)
    assert (status, err) == (2, "rag_kit: RAG_KIT_PARSE_SECONDS 'soon' is not an amount: choose 1 or more\n")


def test_blocks_say_their_page_their_anchor_and_how_sure_they_are(capsys, docs):
    _, out, _ = run(capsys, "parse", docs, "--json")
    (block,) = json.loads(out)["documents"][0]["blocks"]
    assert (block["page"], block["anchor"], block["confidence"]) == (1, "a", 0.5)
