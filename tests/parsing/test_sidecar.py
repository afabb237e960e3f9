"""Fields in a file beside the document: the same as front matter, for every format."""

import os
from datetime import date

import pytest

from rag_kit import parse
from rag_kit.parsing.frontmatter import front_matter_of
from rag_kit.parsing.sidecar import apply_front_matter

FIELDS = (
    "id: fees-2026\ntitle: Fees of 2026\ndocument_version: v2\nupdated_at: 2026-01-01\n"
    "expires_at: 2027-01-01\naccess_tags: [staff, all]\nsupersedes: fees-2025\nregion: EU\nnumber: 007\n"
)
PAGE = "<title>Fees</title><h1>Fees</h1><p>The fee is 5.</p>"


def read(docs):
    return parse(docs, languages=None)


@pytest.mark.parametrize(("name", "text"), [("a.html", PAGE), ("a.txt", "The fee is 5."), ("a.md", "# Fees")])
def test_a_sidecar_says_of_any_file_what_front_matter_would(folder, name, text):
    docs = folder({name: text, f"{name}.meta.yaml": FIELDS, "old.md": "---\nid: fees-2025\n---\nOld."})
    parsed = read(docs)
    assert (parsed.errors, parsed.passed_over) == ((), {})
    document, old = parsed.documents
    assert document.document_id == "fees-2026"
    assert (document.title, document.document_version) == ("Fees of 2026", "v2")
    assert (document.updated_at, document.expires_at) == (date(2026, 1, 1), date(2027, 1, 1))
    assert document.access_tags == ("all", "staff")
    assert document.metadata["region"] == "EU"
    assert document.metadata["supersedes"] == "fees-2025"
    assert document.metadata["number"] == "007"
    assert old.superseded_at == date(2026, 1, 1)
    assert not document.notices
    for number, block in enumerate(document.blocks, start=1):
        assert block.block_id == f"fees-2026#b{number}"
        assert (block.document_id, block.document_version) == ("fees-2026", "v2")
        assert (block.updated_at, block.access_tags) == (date(2026, 1, 1), ("all", "staff"))
        assert block.text == document.text[slice(*block.span)]


def test_what_a_sidecar_gives_wins_and_what_it_does_not_give_stays(folder):
    own = (
        "---\nid: a\ntitle: Own\nupdated_at: 2020-01-01\naccess_tags: [all]\nregion: EU\nteam: x\n---\nText."
    )
    docs = folder({"a.md": own, "a.md.meta.yaml": "updated_at: 2026-01-01\nregion: US\n"})
    (document,) = read(docs).documents
    assert (document.document_id, document.title, document.access_tags) == ("a", "Own", ("all",))
    assert document.updated_at == date(2026, 1, 1)
    assert document.metadata == {"region": "US", "team": "x"}


def test_a_document_that_is_named_alone_has_its_sidecar_too(folder):
    docs = folder({"a.txt": "Text.", "a.txt.meta.yaml": "---\ntitle: T\n...\n"})
    assert [d.title for d in read(docs / "a.txt").documents] == ["T"]


@pytest.mark.parametrize("given", ["access_tags: []", "access_tags:", "access_tags: {a: b}"])
def test_tags_can_be_taken_away(folder, given):
    docs = folder({"a.md": "---\naccess_tags: [all]\n---\nText.", "a.md.meta.yaml": given})
    (document,) = read(docs).documents
    assert document.access_tags == ()
    assert all(block.access_tags == () for block in document.blocks)


@pytest.mark.parametrize(
    "bad",
    [
        "title: [",
        "- a\n- list",
        "just words",
        "a: !!bad x",
        "a: &x [*x]",
        b"\xff\xfe\x00",
        b"title: \x00",
        "x: " + "y" * 20_001,
    ],
)
def test_a_sidecar_that_cannot_be_used_is_a_notice_and_the_document_is_private(folder, bad):
    docs = folder({"a.md": "---\nid: a\naccess_tags: [all]\n---\nText.", "a.md.meta.yaml": bad})
    parsed = read(docs)
    (document,) = parsed.documents
    assert not parsed.errors
    assert [notice.code for notice in document.notices] == ["sidecar"]
    assert len(document.notices[0].message.splitlines()) == 1
    assert (document.document_id, document.access_tags) == ("a", ())


def test_an_empty_sidecar_changes_nothing(folder):
    docs = folder({"a.md": "---\naccess_tags: [all]\n---\nText.", "a.md.meta.yaml": "# nothing yet\n"})
    (document,) = read(docs).documents
    assert (document.access_tags, document.notices) == (("all",), ())


def test_a_bad_date_is_a_notice_and_the_documents_own_date_stays(folder):
    docs = folder({"a.md": "---\nupdated_at: 2020-01-01\n---\nText.", "a.md.meta.yaml": "updated_at: soon"})
    (document,) = read(docs).documents
    assert document.updated_at == date(2020, 1, 1)
    assert [notice.code for notice in document.notices] == ["date"]


def test_a_sidecar_without_its_file_is_an_error_and_one_that_is_named_too(folder):
    docs = folder({"a.md": "Text.", "b.pdf.meta.yaml": FIELDS, "c.png": b"x", "c.png.meta.yaml": FIELDS})
    parsed = read([docs, docs / "a.md.meta.yaml"] if (docs / "a.md.meta.yaml").exists() else docs)
    (error,) = parsed.errors
    assert (error.code, error.source_uri.rpartition("/")[2]) == ("sidecar", "b.pdf.meta.yaml")
    assert error.message == "there is no b.pdf beside it: rename it or take it away"
    assert parsed.passed_over == {".png": 1}
    (docs / "a.md.meta.yaml").write_text("title: T", encoding="utf-8")
    (named,) = read(docs / "a.md.meta.yaml").errors
    assert (named.code, named.message) == ("sidecar", "this is no document, it describes one: name a.md")


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_rows_carry_their_own_fields(folder, name):
    row = '{"id": "r", "text": "Text.", "access_tags": ["all"]}'
    docs = folder({name: f"[{row}]" if name == "a.json" else row, f"{name}.meta.yaml": FIELDS})
    parsed = read(docs)
    assert [(d.document_id, d.access_tags) for d in parsed.documents] == [("r", ("all",))]
    (error,) = parsed.errors
    assert error.code == "sidecar"
    assert "carry their own fields" in error.message


def test_two_documents_of_one_id_by_their_sidecars_are_an_error(folder):
    docs = folder({"a.txt": "A.", "a.txt.meta.yaml": "id: x", "b.txt": "B.", "b.txt.meta.yaml": "id: x"})
    assert [error.code for error in read(docs).errors] == ["duplicate_id"]


def test_ids_are_in_one_form_of_their_accents(folder):
    (document,) = read(folder({"a.txt": "Text."})).documents
    named = apply_front_matter(document, front_matter_of({"id": "cafe\u0301"}))
    assert named.document_id == named.blocks[0].document_id == "caf\u00e9"
    assert named.blocks[0].block_id == "caf\u00e9#b1"


def test_a_huge_sidecar_is_not_read(folder):
    docs = folder({"a.txt": "The fee is 5.", "a.txt.meta.yaml": ""})
    os.truncate(docs / "a.txt.meta.yaml", 2**40)  # holds no disk
    (document,) = read(docs).documents
    assert [notice.code for notice in document.notices] == ["sidecar"]
    assert (document.access_tags, document.text) == ((), "The fee is 5.")


def test_what_describes_a_folder_or_another_sidecar_is_reported(folder):
    docs = folder(
        {
            "sub/a.txt": "The fee is 5.",
            "sub.meta.yaml": "access_tags: [staff]",
            "b.txt": "The fee is 6.",
            "b.txt.meta.yaml": "title: Six",
            "b.txt.meta.yaml.meta.yaml": "title: Seven",
        }
    )
    parsed = read(docs)
    assert [document.title for document in parsed.documents] == ["Six", "a"]
    assert [(error.code, error.message.partition(" and ")[0]) for error in parsed.errors] == [
        ("sidecar", "this describes another file of fields"),
        ("sidecar", "this describes a folder"),
    ]
