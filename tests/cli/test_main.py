"""The command line: statuses, one JSON value on stdout, one line on stderr, and never a traceback."""

import json
import os
import re

import pytest

from rag_kit.cli.main import COMMANDS

FEES = "# Fees\n\nA lost access card costs 35 euros to replace → 5 €, é 😀.\n"
QUESTION = "What does a lost access card cost to replace?"


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    """A foreign folder: no front matter, one nested file, one picture, one questions file."""
    root = tmp_path_factory.mktemp("foreign")
    (root / "sub").mkdir()
    (root / "fees.md").write_text(FEES, encoding="utf-8", newline="\n")
    (root / "sub" / "gate.txt").write_text("The gateway runs on 24 volts.\n", encoding="utf-8", newline="\n")
    (root / "x.questions.jsonl").write_text("{}\n", encoding="utf-8")
    (root / "plan.png").write_bytes(b"\x89PNG")
    return root


@pytest.fixture(scope="module")
def answered(process, docs):
    return process("ask", QUESTION, "--docs", docs, "--json")


def test_ask_prints_one_json_value_with_all_its_keys(answered):
    assert (answered.status, answered.stderr) == (0, "")
    assert list(answered.json) == [
        "question", "answer", "refused", "refusal_reason", "citations", "evidence", "verdict", "model", "usage",
        "rejected", "plan", "errors",
    ]  # fmt: skip
    assert answered.json["refused"] is False
    assert answered.json["refusal_reason"] is None
    assert answered.json["verdict"] is None
    assert answered.json["usage"]["calls"] == 1


def test_a_citation_slices_back_to_the_file(answered):
    (citation,) = answered.json["citations"]
    assert set(citation) == {
        "label", "status", "chunk_id", "document_id", "source_uri", "page", "heading_path", "quote", "span",
        "answer_span",
    }  # fmt: skip
    assert citation["quote"] == FEES[slice(*citation["span"])] != ""
    assert (citation["document_id"], citation["heading_path"], citation["page"]) == (
        "fees.md",
        ["Fees"],
        None,
    )
    assert (citation["label"], citation["status"]) == ("[1]", "valid")
    assert answered.json["answer"][slice(*citation["answer_span"])] == "[1]"


def test_evidence_says_which_label_it_was_shown_under(answered):
    evidence = answered.json["evidence"]
    assert [item["label"] for item in evidence] == ["[1]", "[2]"]
    assert [item["rank"] for item in evidence] == [1, 2]
    assert evidence[0]["similarity"] >= evidence[1]["similarity"]
    assert evidence[0]["ranks"] == {"dense": 1, "bm25": 1}


def test_a_refusal_is_a_result(cli, docs):
    ran = cli("ask", "Who won the chess world cup in 1987?", "--docs", docs, "--json")
    assert ran.status == 0
    assert ran.json["refused"] is True
    assert ran.json["refusal_reason"] in ("declined", "no_evidence")
    assert ran.json["answer"] == "I could not find an answer in the documents."
    assert ran.json["citations"] == []


def test_the_readable_answer_names_its_source(cli, docs):
    ran = cli("ask", QUESTION, "--docs", docs)
    assert (ran.status, ran.stderr) == (0, "")
    assert "[1] Fees" in ran.stdout
    assert "fees.md" in ran.stdout
    assert "35 euros" in ran.stdout


def test_someone_with_tags_sees_no_untagged_document_and_no_model_is_called(cli, docs):
    ran = cli("ask", QUESTION, "--docs", docs, "--as", "sales,all", "--json")
    assert (ran.status, ran.json["refusal_reason"], ran.json["evidence"]) == (0, "no_evidence", [])
    assert ran.json["usage"]["calls"] == 0


def test_search_prints_hits(cli, docs):
    ran = cli("search", "gateway volts", "--docs", docs, "--k", "1", "--json")
    assert ran.status == 0
    (hit,) = ran.json["hits"]
    assert {"rank", "score", "similarity", "ranks", "scores", "chunk_id", "document_id", "source_uri", "span",
            "pages", "heading_path", "text"} <= set(hit)  # fmt: skip
    assert (hit["document_id"], hit["text"]) == ("sub/gate.txt", "The gateway runs on 24 volts.")
    assert "gate.txt" in cli("search", "gateway volts", "--docs", docs).stdout


def test_where_and_as_of_narrow_the_search(cli, sample_docs, sample_library):
    assert sample_library.chunks, "and so their vectors are in the cache"
    narrowed = [
        "--where",
        "region=EU",
        "--where",
        "updated_at<2026-06-01",
        "--as-of",
        "2026-06-01",
        "--k",
        "50",
    ]
    ran = cli("search", "notice period", "--docs", sample_docs, *narrowed, "--json")
    assert ran.status == 0
    assert {hit["document_id"] for hit in ran.json["hits"]} >= {"larkspur-contract"}
    nothing = cli(
        "search",
        "notice period",
        "--docs",
        sample_docs,
        "--as-of",
        "1999-01-01",
        "--where",
        "region=EU",
        "--json",
    )
    assert (nothing.json["hits"], nothing.json["errors"]) == ([], [])


def test_parse_prints_documents_whose_blocks_slice_back(cli, docs):
    ran = cli("parse", docs, "--json")
    assert ran.status == 0
    assert list(ran.json) == ["documents", "errors"]
    assert ran.json["errors"] == []
    fees, gate = ran.json["documents"]
    assert {"document_id", "source_uri", "title", "document_version", "updated_at", "expires_at", "superseded_at",
            "access_tags", "metadata", "text", "blocks", "notices"} == set(fees)  # fmt: skip
    assert fees["text"] == FEES
    assert gate["document_id"] == "sub/gate.txt"
    for block in fees["blocks"]:
        assert set(block) == {
            "block_id", "block_type", "text", "span", "page", "anchor", "heading_path", "confidence",
        }  # fmt: skip
        assert block["text"] == FEES[slice(*block["span"])]
    assert ran.complaint == "rag_kit: passed over, no documents: 1 .png"


def test_chunk_prints_chunks_of_the_size_and_unit_asked_for(cli, docs):
    ran = cli(
        "chunk", docs, "--strategy", "fixed", "--unit", "chars", "--size", "20", "--overlap", "5", "--json"
    )
    assert ran.status == 0
    chunks = [chunk for chunk in ran.json["chunks"] if chunk["document_id"] == "fees.md"]
    assert [chunk["span"] for chunk in chunks] == [[0, 20], [15, 35], [30, 50], [45, 64]]
    for chunk in chunks:
        assert set(chunk) == {
            "chunk_id",
            "document_id",
            "text",
            "prefix",
            "span",
            "pages",
            "heading_path",
            "tokens",
            "overlap",
        }
        assert chunk["text"] == FEES[slice(*chunk["span"])]
    tokens = cli("chunk", docs, "--size", "12", "--json").json["chunks"]
    assert max(chunk["tokens"] for chunk in tokens) <= 12


def test_documents_from_several_paths_are_one_library(cli, docs, sample_docs):
    ran = cli("parse", docs / "fees.md", sample_docs / "sales", "--json")
    assert [document["document_id"] for document in ran.json["documents"]][0] == "fees.md"
    assert len(ran.json["documents"]) >= 3


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    """Folders with something wrong in each."""
    root = tmp_path_factory.mktemp("bad")
    for folder, files in {
        "empty": {},
        "undecodable": {"a.md": b"cracked \x81 bytes"},
        "binary": {"a.md": b"\x89PNG\x00\x00"},
        "mixed": {"a.md": b"\x00", "b.md": b"The fee is 5 euros a day."},
        "twins": {"a.md": b"---\nid: x\n---\nOne fee.", "b.md": b"---\nid: x\n---\nTwo fees."},
        "rtf": {"a.rtf": b"{\\rtf1 Hello}"},
    }.items():
        (root / folder).mkdir()
        for name, content in files.items():
            (root / folder / name).write_bytes(content)
    return root


WRONG_CALLS = {
    "missing path": (["ask", "Fee?", "--docs", "nowhere"], "nowhere: no such file or folder"),
    "missing path, parse": (["parse", "nowhere"], "nowhere: no such file or folder"),
    "name too long": (["parse", "n" * 5_000], "no such file or folder"),
    "empty path": (["ask", "Fee?", "--docs", ""], "a path is empty"),
    "empty folder": (["ask", "Fee?", "--docs", "empty"], "empty: no text to search"),
    "empty question": (["ask", " ", "--docs", "mixed"], "argument question: it is empty"),
    "unknown command": (["answer", "Fee?"], "choose from 'ask', 'search'"),
    "no command": ([], "COMMAND"),
    "later command": (["verify", "-"], "`verify` is not there yet"),
    "no documents named": (["ask", "Fee?"], "--docs"),
    "unknown pipeline": (["ask", "Fee?", "--docs", "rtf", "--pipeline", "best"], "'best'; choose 'dense'"),
    "bad date": (["ask", "Fee?", "--docs", "mixed", "--as-of", "2026-13-01"], "write YYYY-MM-DD"),
    "bad condition": (["ask", "Fee?", "--docs", "mixed", "--where", "region"], "write KEY=VALUE"),
    "bad k": (["search", "Fee?", "--docs", "rtf", "--k", "many"], "--k"),
    "bad size": (["chunk", "binary", "--size", "0"], "choose 1 or more"),
    "bad overlap": (["chunk", "binary", "--size", "9", "--overlap", "9"], "choose 0 to 8"),
    "size over the model's": (["chunk", "binary", "--size", "900"], "more than the embedder reads (256 tokens)"),
    "bad unit": (["chunk", "binary", "--unit", "words"], "--unit"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_CALLS)
def test_a_wrong_call_is_one_line_and_status_2(cli, bad, name):
    arguments, said = WRONG_CALLS[name]
    ran = cli(*arguments, cwd=bad)
    assert (ran.status, ran.stdout) == (2, "")
    complaint = ran.complaint if ran.stderr.count("\n") == 1 else ran.stderr.splitlines()[-1]
    assert said in complaint
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("folder", ["undecodable", "binary", "rtf"])
def test_a_folder_of_nothing_readable_cannot_be_asked(cli, bad, folder):
    ran = cli("ask", "Fee?", "--docs", folder, cwd=bad)
    assert (ran.status, ran.stdout) == (2, "")
    assert re.search(rf"{folder}/a\.(md|rtf): ", ran.complaint)


@pytest.mark.parametrize(
    ("folder", "code"),
    [("undecodable", "encoding"), ("binary", "binary"), ("twins", "duplicate_id"), ("rtf", "file_type")],
)
def test_what_cannot_be_read_is_reported_and_the_rest_is_done(cli, bad, folder, code):
    ran = cli("parse", folder, "--json", cwd=bad)
    assert ran.status == 1
    (error,) = ran.json["errors"]
    assert error["code"] == code
    assert error["source_uri"] in ran.complaint
    assert len(ran.json["documents"]) == (folder == "twins")


def test_an_answer_from_the_rest_of_a_folder_is_given_with_status_1(cli, bad):
    ran = cli("ask", "How much is the fee a day?", "--docs", "mixed", "--json", cwd=bad)
    assert ran.status == 1
    assert ran.json["answer"] == "The fee is 5 euros a day [1]."
    assert "mixed/a.md" in ran.complaint


def test_wrong_numbers_that_only_the_search_finds_out(cli, docs):
    for arguments, said in (
        (["ask", "Fee?", "--docs", docs, "--budget", "5"], "budget of 5 tokens is too small"),
        (["search", "Fee?", "--docs", docs, "--k", "0"], "choose 1 or more"),
    ):
        ran = cli(*arguments)
        assert (ran.status, ran.stdout) == (2, "")
        assert said in ran.complaint


@pytest.mark.skipif(os.name == "nt", reason="arguments are text there")
def test_a_question_whose_bytes_are_no_text_is_one_line(process, docs):
    ran = process("ask", os.fsdecode(b"fee \xff?"), "--docs", docs)
    assert (ran.status, ran.stdout) == (2, "")
    assert "not text" in ran.complaint


CONSOLES = {
    "utf-8": {"PYTHONIOENCODING": "utf-8"},
    "windows": {"PYTHONIOENCODING": "cp1252"},
    "ascii": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""},
}


@pytest.mark.parametrize("console", CONSOLES)
def test_on_any_console_json_is_whole_and_text_is_printed(process, docs, console):
    environment = CONSOLES[console]
    ran = process("parse", docs, "--json", **environment)
    assert ran.status == 0
    assert ran.json["documents"][0]["text"] == FEES
    readable = process("chunk", docs, "--strategy", "fixed", "--unit", "chars", **environment)
    assert readable.status == 0
    assert "35 euros" in readable.stdout


def test_metadata_that_json_has_no_word_for_is_still_json(cli, tmp_path):
    (tmp_path / "a.md").write_text("---\nx: .nan\ny: .inf\nz: 2026-01-01\n---\nText.", encoding="utf-8")
    ran = cli("parse", tmp_path, "--json")
    metadata = json.loads(ran.stdout, parse_constant=pytest.fail)["documents"][0]["metadata"]
    assert metadata == {"x": ".nan", "y": ".inf", "z": "2026-01-01"}


def test_the_module_is_the_command(process):
    ran = process("--help")
    assert (ran.status, ran.stderr) == (0, "")
    assert ran.stdout.startswith("usage: rag_kit")
    ran = process("answer", "Fee?")
    assert (ran.status, ran.stdout) == (2, "")
    assert "choose from 'ask', 'search'" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_help(cli, command):
    ran = cli(*command.split(), "--help")
    assert (ran.status, ran.stderr) == (0, "")
    assert ran.stdout.startswith("usage: rag_kit")
    assert len(ran.stdout.splitlines()) > 5


def test_a_reader_that_stops_reading_is_no_error(docs):
    import subprocess
    import sys

    command = [sys.executable, "-m", "rag_kit", "parse", str(docs), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="the shell of Windows closes no stream")
@pytest.mark.parametrize("stream", [1, 2])
def test_a_closed_stream_is_refused_without_a_traceback(tmp_path, stream):
    import subprocess
    import sys

    (tmp_path / "a.md").write_text("# A\n\nText.\n", encoding="utf-8", newline="\n")
    command = f'"{sys.executable}" -m rag_kit parse a.md {stream}>&-'
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    ran = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == (1 if stream == 1 else 0)
