"""Files and folders: which are read, what they are called, what is reported, and what a version ends."""

import os
import subprocess
import sys
import unicodedata
from datetime import date
from pathlib import Path

import pytest

from rag_kit import InvalidValue, parse

# Root may enter every folder, so root looks at one as somebody else.
AS_NOBODY = """
import os, sys
from pathlib import Path
from rag_kit import parse
import rag_kit.parsing.language
docs = Path(sys.argv[1])
os.chdir(docs)
os.setuid(65534)
parsed = parse(".")
for document in parsed.documents: print(document.document_id)
for error in parsed.errors: print(Path(error.source_uri).name, error.code)
"""


def ids(parsed):
    return [document.document_id for document in parsed.documents]


def test_a_foreign_folder_without_front_matter_is_read(folder):
    docs = folder(
        {"b.md": "# B\n\nText.", "sub/a.txt": "Text.", "sub/c.MARKDOWN": "Text.", "d.text": "Text."}
    )
    parsed = parse(docs)
    assert ids(parsed) == ["b.md", "d.text", "sub/a.txt", "sub/c.MARKDOWN"]
    assert all(document.access_tags == () and not document.notices for document in parsed.documents)


def test_ids_do_not_change_when_the_folder_moves(folder):
    files = {"a.md": "Text.", "sub/b.md": "Text."}
    assert ids(parse(folder(files, "one"))) == ids(parse(folder(files, "two"))) == ["a.md", "sub/b.md"]


def test_one_bad_file_never_stops_the_batch(folder):
    docs = folder(
        {
            "a.md": "Good.",
            "b.md": b"\x89PNG\x00\x00",
            "c.txt": b"bad \x81",
            "d.rtf": b"{\\rtf1",
            "e.md": "Good.",
        }
    )
    parsed = parse(docs)
    assert ids(parsed) == ["a.md", "e.md"]
    assert [(error.source_uri.rsplit("/")[-1], error.code) for error in parsed.errors] == [
        ("b.md", "binary"),
        ("c.txt", "encoding"),
        ("d.rtf", "file_type"),
    ]


def test_a_file_that_is_gone_or_no_file_is_an_error_row(folder):
    docs = folder({"a.md": "Good."})
    (docs / "gone.md").symlink_to(docs / "nowhere.md")
    if hasattr(os, "mkfifo"):
        os.mkfifo(docs / "pipe.md")
    parsed = parse(docs)
    assert ids(parsed) == ["a.md"]
    assert {error.code for error in parsed.errors} == {"unreadable"}
    assert len(parsed.errors) == 1 + hasattr(os, "mkfifo")


def test_links_that_lead_to_themselves_or_out_of_the_folder_stop_nothing(folder):
    docs = folder({"a.md": "Good."})
    (docs / "loop.md").symlink_to("loop.md")
    (docs / "one.md").symlink_to("two.md")
    (docs / "two.md").symlink_to("one.md")
    (docs / "up").symlink_to("..", target_is_directory=True)
    (docs / "same.md").symlink_to("a.md")
    parsed = parse(docs)
    assert ids(parsed) == ["a.md"]
    assert [error.source_uri.rsplit("/")[-1] for error in parsed.errors] == ["loop.md", "one.md", "two.md"]
    assert "symbolic links" in parsed.errors[0].message
    assert parse(docs / "loop.md").errors[0].code == "unreadable"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights work otherwise here")
def test_a_folder_that_can_be_listed_and_not_entered_is_reported_file_by_file(folder):
    docs = folder({"a.md": "Good.", "shut/b.md": "No.", "shut/deeper/c.md": "No.", "closed/d.md": "No."})
    (docs / "shut").chmod(0o444)
    (docs / "closed").chmod(0o000)
    if os.geteuid() == 0:
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(docs)], capture_output=True, text=True, encoding="utf-8"
        )
        found = done.stdout.split("\n")[:-1]
    else:
        parsed = parse(docs)
        found = [*ids(parsed), *(f"{Path(e.source_uri).name} {e.code}" for e in parsed.errors)]
    (docs / "shut").chmod(0o755)
    (docs / "closed").chmod(0o755)
    assert sorted(found) == ["a.md", "b.md unreadable", "closed unreadable", "deeper unreadable"]


def test_a_question_file_is_passed_over_in_a_folder_and_reported_where_it_is_named(folder):
    docs = folder({"a.md": "Text.", "b.questions.jsonl": "{}"})
    assert parse(docs).errors == ()
    (error,) = parse([docs, docs / "b.questions.jsonl"]).errors
    assert error.code == "questions"
    assert "question file" in error.message


def test_hidden_files_question_files_and_editors_leavings_are_no_documents(folder):
    docs = folder(
        {
            "a.md": "Text.",
            ".b.md": "No.",
            ".git/c.md": "No.",
            "~$d.md": "No.",
            "x.questions.jsonl": "{}",
            "y.png": b"No.",
            "z.PNG": b"No.",
            "Makefile": "No.",
        }
    )
    parsed = parse(docs)
    assert ids(parsed) == ["a.md"]
    assert not parsed.errors
    assert parsed.passed_over == {".png": 2, "(no suffix)": 1}


def test_a_file_named_on_its_own_is_read_or_reported(folder):
    docs = folder({"a.md": "Text.", "y.png": b"No."})
    assert ids(parse(docs / "a.md")) == ["a.md"]
    assert [error.code for error in parse([docs / "y.png"]).errors] == ["file_type"]


def test_a_file_reached_twice_is_read_once(folder):
    docs = folder({"a.md": "Text.", "sub/b.md": "Text."})
    assert ids(parse([docs, docs / "a.md", docs / "sub", docs])) == ["a.md", "sub/b.md"]


def test_two_documents_of_one_id_are_an_error_that_names_both(folder):
    one = folder({"a.md": "---\nid: x\n---\nOne."}, "one")
    two = folder({"b.md": "---\nid: x\n---\nTwo."}, "two")
    (error,) = parse([one, two]).errors
    assert error.code == "duplicate_id"
    assert error.source_uri.endswith("two/b.md")
    assert "one/a.md" in error.message


@pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="such names are told apart on this system only"
)
def test_names_on_this_system(folder):
    composed, decomposed = "soufflé.md", unicodedata.normalize("NFD", "soufflé.md")
    parsed = parse(folder({composed: "One.", decomposed: "Two."}, "accents"))
    assert ids(parsed) == [composed]
    assert [error.code for error in parsed.errors] == ["duplicate_id"]
    assert ids(parse(folder({"sub\\a.md": "One.", "sub/a.md": "Two."}, "slashes"))) == [
        "sub\\a.md",
        "sub/a.md",
    ]
    assert ids(parse(folder({os.fsdecode(b"caf\xe9.md"): "One."}, "bytes"))) == ["caf\\udce9.md"]


@pytest.mark.parametrize("missing", ["nowhere", "n" * 5_000])
def test_a_path_that_does_not_exist_is_named(missing):
    with pytest.raises(InvalidValue, match=f"{missing}: no such file or folder"):
        parse(missing)


def test_an_empty_path_is_not_the_current_folder(tmp_path):
    for paths in ("", [""], [tmp_path, ""]):
        with pytest.raises(InvalidValue, match="empty"):
            parse(paths)


def test_an_empty_folder_has_no_documents(folder):
    parsed = parse(folder({}))
    assert (parsed.documents, parsed.errors) == ((), ())


def dated(parsed):
    return {document.document_id: document.superseded_at for document in parsed.documents}


def doc(name, updated="", **more):
    fields = {"id": name, "updated_at": updated, **more}
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in fields.items()) + "---\nText."


def test_a_newer_version_ends_the_older_one_on_its_date(folder):
    docs = folder({"a.md": doc("v1", "2025-01-01"), "b.md": doc("v2", "2026-01-01", supersedes="v1")})
    assert dated(parse(docs)) == {"v1": date(2026, 1, 1), "v2": None}


def test_of_two_successors_the_earlier_one_counts_whatever_the_order(folder):
    files = {
        "a.md": doc("v3", "2026-09-01", supersedes="v1"),
        "b.md": doc("v2", "2026-03-01", supersedes="v1"),
        "c.md": doc("v1", "2025-01-01"),
    }
    assert dated(parse(folder(files)))["v1"] == date(2026, 3, 1)


def test_an_addendum_ends_nothing(folder):
    docs = folder({"a.md": doc("v1", "2025-01-01"), "b.md": doc("add", "2026-01-01", amends="v1")})
    parsed = parse(docs)
    assert dated(parsed) == {"v1": None, "add": None}
    assert parsed.documents[1].metadata["amends"] == "v1"


@pytest.mark.parametrize(
    ("updated", "older", "why"),
    [
        ("2026-01-01", "gone", "no other document"),
        ("2026-01-01", "v2", "it is the document itself"),
        ("", "v2", "it is the document itself"),
        ("", "v1", "updated_at"),
    ],
)
def test_a_version_that_can_end_nothing_says_why(folder, updated, older, why):
    docs = folder({"a.md": doc("v1", "2025-01-01"), "b.md": doc("v2", updated, supersedes=older)})
    parsed = parse(docs)
    assert dated(parsed)["v1"] is None
    (notice,) = parsed.documents[1].notices
    assert notice.code == "supersedes"
    assert why in notice.message


def test_every_sample_document_in_markdown_has_whole_front_matter(sample_library):
    documents = [document for document in sample_library.documents if document.source_uri.endswith(".md")]
    assert len(documents) >= 10
    for document in documents:
        assert document.text.startswith("---\n")
        assert not document.document_id.endswith(".md"), "the id is the front matter's"
        assert document.updated_at, document.source_uri
        assert document.access_tags, document.source_uri
        assert document.metadata, document.source_uri


def test_every_sample_document_is_read_and_slices_back_and_a_text_without_a_notice(sample_library):
    assert len(sample_library.documents) >= 15
    assert not sample_library.errors
    for document in sample_library.documents:
        if document.source_uri.endswith((".md", ".txt", ".html")):
            assert not document.notices, document.source_uri
        assert document.blocks
        assert all(block.text == document.text[slice(*block.span)] for block in document.blocks)


@pytest.mark.parametrize("name", ["big.txt", "big.md", "big.json", "big.csv", "big.html", "big.pdf"])
def test_a_file_larger_than_the_memory_it_may_take_is_left_before_it_is_read(folder, name):
    docs = folder({"a.md": "# A\n\nText.", name: ""})
    os.truncate(docs / name, 2**40)  # holds no disk: a file of nothing but holes
    parsed = parse(docs)
    assert (ids(parsed), [error.code for error in parsed.errors]) == (["a.md"], ["too_big"])
    assert parsed.errors[0].message.endswith("split the file or raise RAG_KIT_PARSE_MEMORY_MB")
