"""`benchmark`: tables or one JSON value, files that are kept, the floor, leaks, and complaints in one line."""

import json

import pytest

from rag_kit.cli import main

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
MEASURES = ("recall", "precision", "hit", "mrr", "ndcg", "map", "span_recall")


def row(name, question, *evidence, **fields):
    return {"id": name, "question": question, "evidence": list(evidence), **fields}


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    root = tmp_path_factory.mktemp("benchmark")
    rest = "It is turned twice, to the left and then to the right, until the bolt is heard to fall. " * 4
    gates = "\n\n".join(f"## Gate {n}\n\nThe key of gate {n} hangs on hook {n}. {rest}" for n in NUMBERS)
    (root / "keys.md").write_text(f"# Keys\n\n{gates}\n", encoding="utf-8", newline="\n")
    pay = "---\nid: pay\naccess_tags: [hr]\n---\n# Pay\n\nThe porter earns 9 euros an hour.\n"
    (root / "pay.md").write_text(pay, encoding="utf-8", newline="\n")
    rows = [
        row(n, f"Where is the key of gate {n}?", {"document_id": "keys.md", "quote": f"hangs on hook {n}."},
            kind="number")
        for n in NUMBERS
    ]  # fmt: skip
    rows.append(row("whole", "Which gates have keys?", {"document_id": "keys.md"}, kind="document"))
    rows.append(
        row("pay", "What does the porter earn?", {"document_id": "pay", "quote": "9 euros an hour"},
            kind="permission", user_tags=["hr"], denied_tags=["staff"])
    )  # fmt: skip
    rows.append(row("moon", "Who made the moon?", kind="out-of-domain"))
    write(root / "q.questions.jsonl", rows)
    (root / "empty.questions.jsonl").write_text("\n", encoding="utf-8")
    (root / "damaged.questions.jsonl").write_text('{"id": "a"', encoding="utf-8")
    write(root / "moon.questions.jsonl", rows[-1:])
    write(root / "absent.questions.jsonl", [row("a", "Fee?", {"document_id": "fees.md"})])
    write(
        root / "unquoted.questions.jsonl",
        [row("a", "Key?", {"document_id": "keys.md", "quote": "under the mat"})],
    )
    return root


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


@pytest.fixture(scope="module")
def measured(cli, docs, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    ran = cli(
        "benchmark", "--docs", docs, "--questions", docs / "q.questions.jsonl", "--k", 3, "--json",
        "--pipelines", "dense,hybrid", "--prices", "0.02,2.5", "--out", out / "b.json", "--plot", out / "b.svg",
    )  # fmt: skip
    return ran, out


def test_each_pipeline_has_its_figures_under_their_names(measured):
    ran, _ = measured
    assert ran.status == 0
    assert set(ran.json["pipelines"]) == {"dense", "bm25", "hybrid"}
    for figures in ran.json["pipelines"].values():
        assert {f"{name}@3" for name in MEASURES} | {"p50_ms", "p95_ms"} <= set(figures)
        assert all(0 <= figures[f"{name}@3"] <= 1 for name in MEASURES)
        assert 0 < figures["p50_ms"] <= figures["p95_ms"]
        assert figures["leaks"] == 0
        assert figures["cost"] > 0
    floor = ran.json["pipelines"]["bm25"]
    assert (floor["recall@3"], floor["lexical_floor"]) == (1, True), "each number stands in one section alone"
    assert (ran.json["scored"], ran.json["unscored"]) == (10, {"out-of-domain": 1})
    assert ran.json["kinds"]["number"]["lexical_overlap"] > 0
    assert ran.json["errors"] == []


def test_the_floor_is_there_though_nobody_named_it_and_that_is_said(measured):
    assert "rag_kit: bm25 is measured too: it is the lexical floor" in measured[0].stderr
    assert "pipeline 1 of 3, bm25: recall@3 1.000" in measured[0].stderr


def test_each_ranking_is_there_with_what_it_holds_of_the_gold(measured):
    ranked = {(row["id"], row["pipeline"]): row for row in measured[0].json["questions"]}
    assert len(ranked) == 33
    one = ranked["one", "bm25"]
    assert one["ranked"][0]["document_id"] == "keys.md"
    assert one["ranked"][0]["gold"] == [0]
    assert one["mrr@3"] == 1
    assert [place["document_id"] for place in ranked["pay", "bm25"]["ranked"]] == ["pay"]
    assert "recall@3" not in ranked["moon", "bm25"]


def test_what_is_kept_is_what_is_printed_and_the_picture_is_drawn(measured):
    ran, out = measured
    kept = json.loads((out / "b.json").read_text(encoding="utf-8"))
    assert {**kept, "errors": []} == ran.json
    assert "<svg" in (out / "b.svg").read_text(encoding="utf-8")


@pytest.fixture
def run(capsys):
    """Run the command in this process, and return its status and what it wrote."""

    def benchmark(*options):
        capsys.readouterr()
        status = main(["benchmark", *map(str, options)])
        return (status, *capsys.readouterr())

    return benchmark


def test_the_tables_say_what_was_shown(run, docs):
    status, out, _ = run("--docs", docs, "--questions", docs / "q.questions.jsonl", "--measure", "mrr")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "all, 10 questions, k = 5"
    assert lines[1].split()[:4] == ["pipeline", "recall", "precision", "hit"]
    assert max(map(len, lines)) <= 110
    assert any(line.startswith("MRR by kind") for line in lines)
    assert "MRR: bm25 " in out
    assert "leaks (asked by somebody without the right: 1): dense 0, bm25 0" in out


def test_a_saved_index_is_measured_with_the_same_figures(run, docs, measured, tmp_path):
    assert main(["index", "--docs", str(docs), "--out", str(tmp_path / "i")]) == 0
    asked = ["--index", tmp_path / "i", "--k", 3, "--json", "--questions"]
    status, out, _ = run(*asked, docs / "q.questions.jsonl")
    assert status == 0
    for name, figures in measured[0].json["pipelines"].items():
        for measure in MEASURES:
            assert json.loads(out)["pipelines"][name][f"{measure}@3"] == figures[f"{measure}@3"]
    status, out, err = run(*asked, docs / "unquoted.questions.jsonl")
    assert (status, out) == (2, "")
    assert "name --docs instead" in err


def test_a_gold_document_that_the_wrong_user_may_see_is_a_leak_and_status_1(run, docs, tmp_path):
    rows = [row("pay", "What does the porter earn?", {"document_id": "pay"}, denied_tags=["hr"])]
    write(tmp_path / "q.jsonl", rows)
    status, out, err = run(
        "--docs", docs, "--questions", tmp_path / "q.jsonl", "--json", "--pipelines", "bm25"
    )
    assert status == 1
    assert json.loads(out)["pipelines"]["bm25"]["leaks"] == 1
    assert "passages shown to somebody who may not see them: 1; look at" in err


def test_an_unreadable_document_is_passed_over_and_the_status_says_so(run, docs, folder):
    root = folder({"keys.md": (docs / "keys.md").read_text(encoding="utf-8"), "broken.md": b"\x00"})
    write(root / "q.questions.jsonl", [row("a", "Key of gate one?", {"document_id": "keys.md"})])
    status, out, _ = run(
        "--docs", root, "--questions", root / "q.questions.jsonl", "--json", "--pipelines", "bm25"
    )
    assert status == 1
    assert json.loads(out)["pipelines"]["bm25"]["recall@5"] == 1
    assert [error["source_uri"].endswith("broken.md") for error in json.loads(out)["errors"]] == [True]


NO_SERVER = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "RAG_KIT_EMBED_MODEL": "none", "no_proxy": "*"}


def test_by_words_alone_nothing_is_embedded(cli, docs, folder):
    root = folder({"fees.md": "The fee for a yellow zither is 5 euros.\n"})
    write(
        root / "q.questions.jsonl",
        [row("fee", "What does a yellow zither cost?", {"document_id": "fees.md"})],
    )
    asked = ["benchmark", "--docs", root, "--questions", root / "q.questions.jsonl", "--pipelines"]
    ran = cli(*asked, "bm25", "--json", **NO_SERVER)
    assert (ran.status, ran.json["pipelines"]["bm25"]["recall@5"], ran.json["embed_ms"]) == (0, 1, None)
    assert cli(*asked, "bm25,bm25", **NO_SERVER).status == 0
    needing = cli(*asked, "bm25,dense", "--json", **NO_SERVER)
    assert (needing.status, needing.stdout) == (1, "")
    here = cli(*asked, "bm25", "--offline")
    assert here.status == 0
    assert "embedding" not in here.stdout + here.stderr
    assert "embedding a question takes" in cli(*asked, "dense", "--offline").stdout


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--pipelines", "magic"], "unknown pipeline 'magic'; choose 'dense', 'bm25'"),
        (["--pipelines", ","], "names nothing"),
        (["--questions", "none.jsonl"], "none.jsonl: no such file"),
        (["--questions", "empty.questions.jsonl"], "empty.questions.jsonl holds no question"),
        (["--questions", "damaged.questions.jsonl"], "damaged.questions.jsonl, line 1: not JSON"),
        (
            ["--questions", "moon.questions.jsonl"],
            'questions names evidence, so nothing can be scored: add "evidence"',
        ),
        (["--questions", "absent.questions.jsonl"], "line 1: no document has the id 'fees.md'"),
        (["--questions", "unquoted.questions.jsonl"], "the quote 'under the mat' stands 0 times"),
        (["--half", "best"], "choose from 'all', 'tune', 'report'"),
        (["--measure", "accuracy"], "choose from 'recall', 'precision'"),
        (["--prices", "1"], "write EMBED,PROMPT"),
        (["--prices", "1,-1"], "write EMBED,PROMPT"),
        (["--prices", "1,nan"], "write EMBED,PROMPT"),
        (["--prices", "1,2,3"], "write EMBED,PROMPT"),
        (["--prices", "1_0,1"], "write EMBED,PROMPT"),
        (["--prices", "1e308,1"], "write EMBED,PROMPT"),
        (["--plot", "b.gif"], "ends in .png or .svg"),
        (["--out", "."], "is a folder"),
        (["--k", "0"], "is no count"),
        (["--as", "staff"], "so nothing can be scored"),
    ],
)
def test_what_cannot_be_is_said_in_one_line_and_status_2(run, docs, options, fault, monkeypatch):
    monkeypatch.chdir(docs)
    asked = ["--docs", "keys.md", "pay.md", "--pipelines", "bm25", "--questions", "q.questions.jsonl"]
    status, out, err = run(*asked, *options)
    assert (status, out) == (2, "")
    *before, last = err.splitlines()
    assert fault in last
    assert all("left out" in line or "not asked" in line for line in before)


@pytest.mark.parametrize(("count", "said"), [(29, True), (30, False)])
def test_that_few_questions_were_scored_is_said(run, folder, count, said):
    root = folder({"keys.md": "The key of gate one hangs in the lodge."})
    rows = [row(str(n), f"Key of gate {n}?", {"document_id": "keys.md"}) for n in range(count)]
    write(root / "q.questions.jsonl", rows)
    status, out, _ = run("--docs", root, "--questions", root / "q.questions.jsonl", "--pipelines", "bm25")
    assert status == 0
    assert (f"only {count} scored: fewer than 30 questions" in out) is said
