"""`rag_kit index` and `--index`: the same answers as from the documents, and errors in one line."""

import json
import os

import pytest

from rag_kit import Filters, InvalidValue, load_settings
from rag_kit.operations import build_index, open_index, open_library

SETTINGS = load_settings({}, offline=True)
DOCS = {
    "leave.md": "---\nid: leave\naccess_tags: [staff]\nregion: EU\n---\n# Leave\n\n"
    "Staff have 27 days of annual leave.\n",
    "fees.txt": "The card fee is 5 euros a month.\n",
}
QUESTION = "How many days of annual leave do staff have?"


def test_an_index_answers_as_its_documents_do(folder, tmp_path):
    docs = folder(DOCS)
    library, built = open_library(docs), build_index(docs, tmp_path / "index")
    opened = open_index(tmp_path / "index")
    assert opened.chunks == built.chunks == library.chunks
    for filters in (Filters.owner(), Filters.for_tags(["staff"]), Filters.owner(where=["region=EU"])):
        assert opened.search(QUESTION, filters=filters) == library.search(QUESTION, filters=filters)
    assert opened.ask(QUESTION, filters=Filters.owner()) == library.ask(QUESTION, filters=Filters.owner())
    with pytest.raises(InvalidValue, match="a saved index holds no documents"):
        opened.without("leave")


def test_the_manifest_says_what_it_was_made_of(folder, tmp_path):
    library = build_index(folder(DOCS), tmp_path / "index", size=64)
    manifest = json.loads((tmp_path / "index" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["chunking"] == {"strategy": "structure", "unit": "tokens", "size": 64, "overlap": 8}
    assert manifest["embedder"].startswith("all-MiniLM-L6-v2-int8@")
    assert manifest["dimensions"] == 384
    assert [row["document_id"] for row in manifest["documents"]] == ["fees.txt", "leave"]
    assert [row["content_hash"] for row in manifest["documents"]] == [
        d.content_hash for d in library.documents
    ]


def test_what_cannot_be_written_is_found_out_before_anything_is_read(folder, tmp_path):
    docs = folder(DOCS)
    with pytest.raises(InvalidValue, match="holds files that are not of an index"):
        build_index(tmp_path / "nowhere", docs)
    with pytest.raises(InvalidValue, match="is inside .*docs, whose files are documents"):
        build_index(docs, docs / "deep" / "index")
    assert sorted(os.listdir(docs)) == sorted(DOCS)


def test_the_command_line_from_index_to_answer(cli, folder, tmp_path):
    docs, out = folder({**DOCS, "broken.md": b"\xff\xfe\x00\xd8\x00"}), tmp_path / "index"
    made = cli("index", "--docs", docs, "--out", out, "--json")
    assert made.status == 1  # one file could not be read, and the rest was still indexed
    assert {name: made.json[name] for name in ("documents", "chunks", "out")} == {
        "documents": 2,
        "chunks": 2,
        "out": str(out),
    }
    assert [row["source_uri"] for row in made.json["errors"]] == [(docs / "broken.md").as_posix()]
    asked = cli("ask", QUESTION, "--index", out, "--json")
    assert asked.status == 0
    assert "27 days" in asked.json["answer"]
    assert asked.json["citations"][0]["source_uri"] == (docs / "leave.md").as_posix()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--index", "nowhere"], "nowhere: no such folder: make one with index --docs PATH --out DIR"),
        (["--index", "a", "--docs", "b"], "not allowed with"),
        ([], "one of the arguments --docs --index is required"),
    ],
)
def test_a_wrong_call_is_one_line(cli, tmp_path, arguments, complaint):
    ran = cli("search", "fee", *arguments, cwd=tmp_path)
    assert complaint in ran.complaint
    assert (ran.status, ran.stdout) == (2, "")


def test_an_index_of_another_embedder_is_refused_before_any_server_is_named(folder, tmp_path, capsys):
    build_index(folder(DOCS), tmp_path / "index", settings=SETTINGS)
    other = load_settings({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "RAG_KIT_EMBED_MODEL": "other"})
    with pytest.raises(
        InvalidValue, match=r"'all-MiniLM-L6-v2-int8@\w+' .* '127.0.0.1:9/other': index again"
    ):
        open_index(tmp_path / "index", settings=other)
    assert capsys.readouterr().err == ""


def test_an_index_is_cut_as_it_is_told_and_has_no_place_for_parents(folder, tmp_path):
    docs = folder(DOCS)
    build_index(docs, tmp_path / "index", settings=SETTINGS, strategy="semantic", size=64)
    manifest = json.loads((tmp_path / "index" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["chunking"] == {"strategy": "semantic", "unit": "tokens", "size": 64, "overlap": 0}
    with pytest.raises(InvalidValue, match="'parent' is not there for a saved index"):
        build_index(docs, tmp_path / "other", settings=SETTINGS, strategy="parent")
    assert not (tmp_path / "other").exists()
