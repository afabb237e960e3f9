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


FEES = "---\nid: fees\naccess_tags: {tags}\n---\nThe fee is 5 euro.\n"
Q1 = {
    "id": "q1",
    "question": "What is the fee?",
    "evidence": [{"document_id": "fees"}],
    "user_tags": ["partners"],
}
Q2 = {"id": "q2", "question": "How much is the fee?", "evidence": [{"document_id": "fees"}]}


@pytest.fixture
def benchmark_fees(run, folder):
    """Measure questions on one document with these tags: the status, the ids that were asked, stderr and all."""

    def measure(rows, *options, tags="[staff, partners]"):
        docs = folder({"fees.md": FEES.format(tags=tags)})
        file = docs.parent / "q.jsonl"
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        fixed = ["--docs", docs, "--questions", file, "--pipelines", "bm25", "--offline", "--json"]
        status, out, err = run("benchmark", *fixed, *options)
        asked = [row["id"] for row in json.loads(out)["questions"]] if out else []
        return status, asked, err, untold(out, docs) + untold(err, docs)

    return measure


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ([], ["q1", "q2"]),
        (["--as", "partners"], ["q1", "q2"]),
        (["--as", "staff,partners"], ["q1", "q2"]),
        (["--as", "staff"], ["q2"]),
    ],
)
def test_one_question_for_others_does_not_end_the_benchmark_of_the_rest(benchmark_fees, options, asked):
    status, found, err, _ = benchmark_fees([Q1, Q2], *options)
    assert (status, found) == (0, asked)
    assert ("not asked: q1" in err) == (asked == ["q2"])


def test_what_is_not_there_and_what_is_closed_to_the_tags_of_its_question_are_named_together(benchmark_fees):
    away = {**Q2, "id": "away", "evidence": [{"document_id": "pay"}]}
    refused = {**Q1, "id": "refused", "expected": "refuse"}
    partly = {**Q1, "id": "partly", "user_tags": ["partners", "clerks"]}
    opened = {**Q1, "id": "opened", "user_tags": ["partners", "staff"]}
    rows = [away, Q1, Q2, refused, partly, opened]
    status, asked, err, _ = benchmark_fees(rows, "--as", "staff,clerks")
    assert (status, asked) == (0, ["q2", "refused", "opened"])
    (notice,) = [line for line in err.splitlines() if "not asked" in line]
    assert "3 of 6 questions" in notice
    assert notice.endswith("not asked: away, q1, partly")


def test_tags_of_a_document_that_a_guest_does_not_hold_change_nothing_for_him(benchmark_fees):
    rows = [Q1, {**Q1, "id": "both", "user_tags": ["partners", "clerks"]}, Q2]
    for asking in (rows, rows[:2], rows[:1]):
        told = {
            benchmark_fees(asking, "--as", "staff,clerks", tags=tags)[3]
            for tags in ("[staff]", "[staff, partners]", "[partners, hr, staff]", "[staff, hr]")
        }
        assert len(told) == 1


@pytest.mark.parametrize(
    "rows", [[Q1], [Q1, {**Q2, "evidence": [{"document_id": "pay"}]}]], ids=["one", "two"]
)
def test_where_no_question_is_left_it_is_said_why_the_first_is_not(benchmark_fees, rows):
    status, asked, err, _ = benchmark_fees(rows, "--as", "staff")
    assert (status, asked) == (2, [])
    assert "q.jsonl, line 1: question q1 names tags that whoever asks does not have" in err.splitlines()[-1]
    assert "fees is left out (access)" in err.splitlines()[-1]
    assert "not asked" not in err


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"user_tags": ["clerks"]}, "question q1 rests on fees, which is left out (access)"),
        ({"user_tags": []}, "question q1 rests on fees, which is left out (access)"),
        ({"evidence": [{"document_id": "fees", "quote": "is 6"}]}, "line 1: the quote 'is 6' stands 0 times"),
        ({"id": "q2"}, "line 2: the id 'q2' is taken by line 1"),
    ],
)
def test_what_no_tag_took_away_is_a_fault_of_the_file_for_a_guest_too(benchmark_fees, fields, fault):
    rows = [{**Q1, **fields}, Q2] if "id" not in fields else [Q2, {**Q1, **fields}]
    status, asked, err, _ = benchmark_fees(rows, "--as", "staff,clerks")
    assert (status, asked) == (2, [])
    assert fault in err.splitlines()[-1]


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
