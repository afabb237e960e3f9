"""The benchmarks run, and say for each figure what it should be; no test looks at a time."""

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
    assert len(names) == len(set(names)) == 17
    assert {"first answer, --docs", "first answer, --index", "filtered query", "chunking, fixed"} <= set(
        names
    )
