"""Notices on the command line: a handful, a line each, on stderr; all of them in the JSON."""

import unicodedata

import pytest

from rag_kit import Settings, parse
from rag_kit.notices import notices_text
from rag_kit.settings import LOCAL_EMBED_MODEL

HIDDEN = "The fee\u200b is 5."


def test_a_notice_is_one_line_on_stderr_and_a_row_in_the_json(cli, folder):
    docs = folder({"a.md": HIDDEN, "b.txt": "Größe 5 €".encode("cp1252"), "c.md": "Plain."})
    ran = cli("parse", docs, "--json")
    assert ran.status == 0, "a notice is no failure"
    assert [row["notices"] for row in ran.json["documents"]][2] == []
    codes = [notice["code"] for row in ran.json["documents"] for notice in row["notices"]]
    assert codes == ["hidden_characters", "encoding"]
    lines = ran.stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("rag_kit: ")
    assert "a.md: holds 1 hidden" in lines[0]
    assert "b.txt: not marked as Unicode: read as Windows-1252" in lines[1]


@pytest.mark.parametrize(("files", "lines"), [(0, 0), (5, 5), (6, 6), (40, 6)])
def test_of_many_notices_the_first_are_shown_and_the_rest_counted(folder, files, lines):
    parsed = parse(folder({f"{at:02}.md": HIDDEN for at in range(files)}))
    said = notices_text(parsed.documents)
    assert len(said) == lines
    if files > 5:
        assert said[-1].startswith(f"{files - 5} more notices")


def test_the_languages_are_those_of_the_embedder_in_use():
    assert Settings().embed_languages == ("en",)
    assert Settings(offline=False, embed_model=LOCAL_EMBED_MODEL).embed_languages == ("en",)
    assert Settings(offline=False, embed_model="text-embedding-3-small").embed_languages is None


def test_a_named_file_is_found_in_either_spelling_of_its_accents(folder):
    for form in ("NFC", "NFD"):
        docs = folder({unicodedata.normalize(form, "soufflé.md"): "Five."}, form)
        for asked in ("NFC", "NFD"):
            (document,) = parse(docs / unicodedata.normalize(asked, "soufflé.md")).documents
            assert document.document_id == unicodedata.normalize("NFC", "soufflé.md")


def test_a_version_is_named_in_either_spelling(folder):
    old = "---\nid: Go\u0308del\nupdated_at: 2025-01-01\n---\nOld."
    new = "---\nid: new\nsupersedes: G\u00f6del\nupdated_at: 2026-01-01\n---\nNew."
    parsed = parse(folder({"a.md": old, "b.md": new}))
    assert [document.superseded_at is None for document in parsed.documents] == [False, True]
    swapped = parse(
        folder({"a.md": old.replace("o\u0308", "\u00f6"), "b.md": new.replace("\u00f6", "o\u0308")}, "two")
    )
    assert [document.superseded_at is None for document in swapped.documents] == [False, True]
