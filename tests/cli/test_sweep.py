"""`sweep`: a table or one JSON value, files that are kept, and complaints before anything is embedded."""

import json
from pathlib import Path

import pytest

from rag_kit.cli import main
from rag_kit.evaluation.sweep_result import load_sweep

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    root = tmp_path_factory.mktemp("sweep")
    text = "# Keys\n\n" + "\n\n".join(
        f"## Gate {n}\n\nThe key of gate {n} hangs on hook {n}." for n in NUMBERS
    )
    (root / "keys.md").write_text(text + "\n", encoding="utf-8", newline="\n")
    rows = [
        {"id": n, "question": f"Where is the key of gate {n}?",
         "evidence": [{"document_id": "keys.md", "quote": f"hangs on hook {n}."}]}
        for n in NUMBERS
    ]  # fmt: skip
    start = text.index("The key of gate one")
    rows.append(
        {
            "id": "span",
            "question": "key one?",
            "evidence": [{"document_id": "keys.md", "start": start, "end": start + 9}],
        }
    )
    rows.append({"id": "moon", "question": "Who made the moon?"})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (root / "q.questions.jsonl").write_text(lines, encoding="utf-8", newline="\n")
    return root


def test_the_result_is_one_json_value_and_the_files_hold_the_same(cli, docs, tmp_path):
    ran = cli(
        "sweep", "--docs", docs, "--questions", docs / "q.questions.jsonl", "--sizes", "24,999", "--overlaps", "0",
        "--strategies", "structure", "--k", 2, "--answers", "--json",
        "--out", tmp_path / "s.json", "--plot", tmp_path / "s.svg",
    )  # fmt: skip
    assert ran.status == 1, "one arm could not be measured"
    assert {"arms", "winner", "comparisons", "errors"} <= set(ran.json)
    (arm,) = ran.json["arms"]
    assert (arm["name"], arm["chunks"], len(arm["values"]["recall"])) == ("structure 24/0", 8, 9)
    assert 0 < arm["recall"] <= 1
    assert arm["answers"] is not None
    (error,) = ran.json["errors"]
    assert (error["arm"]["size"], "more than the embedder reads" in error["message"]) == (999, True)
    assert ran.json["winner"]["arm"] == arm["arm"]
    assert json.loads((tmp_path / "s.json").read_text(encoding="utf-8")) == ran.json
    assert load_sweep(tmp_path / "s.json").arms[0].recall == arm["recall"]
    assert "<svg" in (tmp_path / "s.svg").read_text(encoding="utf-8")
    assert "arm 1 of 2, structure 24/0: 8 chunks" in ran.stderr
    assert "1 questions have no answer, or evidence that is no span" in ran.stderr


def test_the_table_names_the_winner_and_the_comparisons(cli, docs):
    ran = cli(
        "sweep", "--docs", docs, "--questions", docs / "q.questions.jsonl", "--sizes", "24", "--overlaps", "0"
    )
    assert ran.status == 0
    head, first, second, _, winner, *_, comparison = ran.stdout.splitlines()
    assert head.split()[:3] == ["arm", "recall", "precision"]
    assert [first.split()[0], second.split()[0]] == ["structure", "fixed"]
    assert winner.startswith("winner by recall: ")
    assert " against " in comparison


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--strategies", "magic"], "'magic' is no strategy; choose structure or fixed"),
        (["--sizes", "64,many"], "'many' is no count"),
        (["--sizes", "0"], "choose 1 or more"),
        (["--overlaps", ","], "names nothing"),
        (["--measure", "answers"], "needs --answers"),
        (["--plot", "sweep.gif"], "ends in .png or .svg"),
        (["--out", "."], "is a folder"),
        (["--out", "q.questions.jsonl/sweep.json"], "lies below a file"),
        (["--questions", "none.jsonl"], "none.jsonl: no such file"),
        (["--as-of", "tomorrow"], "is not a date"),
        (["--k", "0"], "is no count"),
    ],
)
def test_what_cannot_be_is_said_in_one_line_before_anything_is_embedded(
    docs, options, fault, monkeypatch, capsys
):
    monkeypatch.chdir(docs)
    assert main(["sweep", "--docs", "keys.md", "--questions", "q.questions.jsonl", *options]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    (line,) = told.err.splitlines()
    assert fault in line


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder here that nobody can write in")
def test_a_result_that_cannot_be_saved_is_printed_all_the_same(cli, docs):
    ran = cli(
        "sweep", "--docs", docs, "--questions", docs / "q.questions.jsonl", "--sizes", "24", "--overlaps", "0",
        "--strategies", "fixed", "--json", "--out", "/proc/none/s.json",
    )  # fmt: skip
    assert ran.status == 1
    assert [arm["name"] for arm in ran.json["arms"]] == ["fixed 24/0"]
    assert (
        "/proc/none/s.json cannot be written (no such file or directory): choose another place" in ran.stderr
    )
