"""The benchmarks run, and say for each figure what it should be; no test looks at a time."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("command", [["benchmarks/run.py"], ["-m", "benchmarks.run"]], ids=["file", "module"])
def test_they_run_from_the_kits_folder(command):
    only = "memory" if "-m" in command else "query"
    done = subprocess.run(
        [sys.executable, *command, "--quick", "--only", only],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    assert re.fullmatch(r"[\w' ]+\d+\.\d\d x +\(aim <= 1\.\d\) .+", line)


def test_every_measure_gives_figures():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.run", "--quick"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    names = [re.split(r"\s{2,}", line.strip())[0] for line in done.stdout.splitlines()]
    assert len(names) == len(set(names)) == 24
    assert {"first answer, --docs", "first answer, --index", "filtered query", "chunking, fixed"} <= set(
        names
    )


def test_hybrid_search_stands_beside_a_floor_and_what_is_not_installed_is_said(tmp_path):
    saved = tmp_path / "figures.json"
    command = [sys.executable, "-m", "benchmarks.retrieval", "--chunks", "300", "--queries", "3"]
    done = subprocess.run(
        [*command, "--only", "haystack,kit,floor,kit-owner", "--json", str(saved)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(saved.read_text(encoding="utf-8"))["rows"]
    assert [row["system"] for row in rows] == ["floor", "kit", "kit-owner", "haystack"]
    floor, kit, owner, other = rows
    assert (floor["ratio"], floor["same"]) == (1, 1)
    assert kit["index_s"] > 0
    assert kit["p95_ms"] >= kit["p50_ms"] > 0
    # Analysers differ; what is searched is the same.
    assert owner["same"] > 0.7 > kit["same"]
    assert other.get("missing") == "haystack" or other["same"] > 0.5
    assert len(done.stdout.splitlines()) == 2 + len(rows)


def test_a_system_that_is_none_is_refused():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.retrieval", "--only", "elastic"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert "unknown system 'elastic'; choose from floor, kit" in done.stderr
