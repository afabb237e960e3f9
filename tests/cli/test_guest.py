"""`--as` on the command line: what is printed is the same, byte for byte, whatever hidden documents hold.

One thing they do: a hidden document that replaces an open one ends it, for everybody and from its own date on.
"""

import json
import re

import pytest

from rag_kit.cli import main

OPEN = "---\nid: open\naccess_tags: [all]\nsupersedes: pay\nupdated_at: 2026-02-01\n---\nThe fee is 5 euro.\n"
PAY = "---\nid: pay\naccess_tags: [hr]\nupdated_at: {day}\n---\nThe porter earns 9 euro an hour.\n"
BARE = "---\nid: bare\n---\nThe porter rests at noon.\n"
FEE = {"id": "fee", "question": "What is the fee?", "evidence": [{"document_id": "open"}]}
HIDDEN = {
    "nothing": {},
    "a document": {"pay.md": PAY.format(day="2026-01-01")},
    "a later one": {"pay.md": PAY.format(day="2026-03-01")},
    "a longer one": {"pay.md": PAY.format(day="2026-01-01") + "The porter earns 9 euro an hour.\n" * 9},
    "without tags": {"pay.md": PAY.format(day="2026-01-01").replace("access_tags: [hr]\n", "")},
}
PROBES = {
    "a document": {"document_id": "pay"},
    "its words": {"document_id": "pay", "quote": "The porter earns 9 euro"},
    "other words": {"document_id": "pay", "quote": "The porter earns 8 euro"},
    "a word that is often there": {"document_id": "pay", "quote": "e"},
    "a place": {"document_id": "pay", "start": 0, "end": 12},
    "a place far out": {"document_id": "pay", "start": 0, "end": 100_000},
}


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("RAG_KIT_PROGRESS", "0")

    def command(*words):
        capsys.readouterr()
        status = main(list(map(str, words)))
        return (status, *capsys.readouterr())

    return command


@pytest.fixture
def corpora(folder):
    """A folder for each thing that can be hidden beside a document that a guest may see, in the same place."""
    return {
        name: folder({"open.md": OPEN, **files}, f"d{n}/docs")
        for n, (name, files) in enumerate(HIDDEN.items())
    }


def untold(text, docs):
    """Leave out what may differ: the places of the files, and how many documents are hidden."""
    kept = [line for line in text.replace(str(docs.parent), "").splitlines() if "left out: " not in line]
    # How long it took is nobody's secret, and never the same.
    return re.sub(r'"p(50|95)_ms": [\d.]+|"embed_ms": [\d.]+', "", "\n".join(kept))


@pytest.mark.parametrize(
    "command",
    [["search", "What is the fee?"], ["ask", "What is the fee?"], ["benchmark"]],
    ids=lambda c: c[0],
)
def test_what_a_guest_reads_does_not_depend_on_what_is_hidden(run, corpora, command):
    told = set()
    for docs in corpora.values():
        asked = [*command, "--docs", docs, "--as", "all", "--json", "--as-of", "2026-06-01", "--offline"]
        if command == ["benchmark"]:
            (docs.parent / "q.jsonl").write_text(json.dumps(FEE), encoding="utf-8")
            asked += ["--questions", docs.parent / "q.jsonl", "--pipelines", "bm25"]
        status, out, err = run(*asked)
        told.add((status, untold(out, docs), untold(err, docs)))
    assert len(told) == 1
    assert told.pop()[0] == 0


@pytest.mark.parametrize("source", ["--docs", "--index"])
def test_no_question_tells_whether_there_is_a_hidden_document_nor_what_it_holds(run, corpora, source):
    told = set()
    for docs in corpora.values():
        held = docs
        if source == "--index":
            held = docs.parent / "index"
            assert run("index", "--docs", docs, "--out", held, "--offline")[0] == 0
        for at, probe in enumerate(PROBES.values()):
            row = {
                "id": "1",
                "question": "What is paid?",
                "evidence": [probe],
                "user_tags": [None, ["hr"]][at % 2],
            }
            file = docs.parent / "q.jsonl"
            file.write_text(json.dumps(row), encoding="utf-8")
            status, out, err = run("benchmark", source, held, "--questions", file, "--as", "all", "--offline")
            told.add((status, out, untold(err, docs)))
    ((status, out, err),) = told
    assert (status, out) == (2, "")
    assert "/q.jsonl, line 1: no document has the id 'pay'" in err


def test_a_guest_is_asked_what_rests_on_documents_of_his_and_told_of_the_rest(run, corpora):
    pay = [{**FEE, "id": f"pay-{n}", "evidence": [{"document_id": "pay"}]} for n in (1, 2)]
    told = set()
    for docs in corpora.values():
        file = docs.parent / "q.jsonl"
        file.write_text("\n".join(map(json.dumps, [FEE, *pay])), encoding="utf-8")
        guest = ["--pipelines", "bm25", "--offline", "--json", "--as", "all", "--as-of", "2026-06-01"]
        status, out, err = run("benchmark", "--docs", docs, "--questions", file, *guest)
        assert [row["id"] for row in json.loads(out)["questions"]] == ["fee"]
        told.add((status, untold(out, docs), untold(err, docs)))
    ((status, _, err),) = told
    assert status == 0
    assert "2 of 3 questions rest on documents that whoever asks does not have" in err
    assert "not asked: pay-1, pay-2" in err


def test_for_the_owner_a_document_that_is_not_there_is_a_fault_of_the_file(run, corpora):
    docs = corpora["nothing"]
    file = docs.parent / "q.jsonl"
    rows = [FEE, {"id": "pay", "question": "What is paid?", "evidence": [{"document_id": "pay"}]}]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    status, out, err = run(
        "benchmark", "--docs", docs, "--questions", file, "--pipelines", "bm25", "--offline"
    )
    assert (status, out) == (2, "")
    assert "q.jsonl, line 2: no document has the id 'pay'" in err


def test_the_tags_of_a_question_count_as_far_as_those_of_whoever_asks(run, folder):
    docs = folder({"open.md": OPEN, "pay.md": PAY.format(day="2026-01-01"), "bare.md": BARE})
    file = docs.parent / "q.jsonl"
    row = {**FEE, "question": "What does the porter earn?", "user_tags": ["all", "hr"], "denied_tags": ["hr"]}
    file.write_text(json.dumps(row), encoding="utf-8")

    def found(*more):
        status, out, _ = run(
            "benchmark", "--docs", docs, "--questions", file, "--json", "--as-of", "2026-06-01", "--offline",
            "--include-superseded", "--pipelines", "dense", *more,
        )  # fmt: skip
        assert status == 0
        ranked = {row["pipeline"]: row["ranked"] for row in json.loads(out)["questions"]}
        return {place["document_id"] for place in ranked["dense"]}

    assert found() == {"open", "pay"}, "the owner asks with the tags of the question"
    assert found("--as", "all") == {"open"}
    assert found("--as", "all,hr,more") == {"open", "pay"}


def test_what_one_document_does_to_another_is_told_to_the_owner(run, corpora):
    asked = ["search", "What is the fee?", "--as-of", "2026-06-01", "--offline", "--docs", corpora["nothing"]]
    assert "supersedes 'pay' has no effect: no other document has that id" in run(*asked)[2]
    assert "supersedes" not in run(*asked, "--as", "all")[2]
