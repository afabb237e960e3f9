"""Measure hybrid search against other libraries: `python -m benchmarks.retrieval [--chunks 10000,100000]`.

The same generated texts and vectors, the same question, 50 candidates a list and 10 results for each system;
one process each, one after the other. The kit searches with tags, a date and a metadata condition in force;
the others have no filters to apply. The floor is bare bm25s and a bare numpy product, fused by rank: what the
hardware takes where nothing is recorded, filtered or checked. Times hold texts that are indexed and vectors
that are there: no embedding.

The others need an environment of their own (requirements-peers.txt beside this file), which runs the kit as
well; one that is not installed is a line that says so. Like benchmarks.run, nothing here fails for being slow.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

if __package__ in (None, ""):  # run as a file: its folder's parent holds the package
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.peers import PEERS, TOP_K

ROOT = Path(__file__).resolve().parents[1]
Row: TypeAlias = dict[str, Any]
COLUMNS = ("index s", "P50 ms", "P95 ms", "x floor", "memory MB", f"same {TOP_K}")


def run(name: str, chunks: int, questions: int, repeats: int, python: str) -> Row:
    """Measure one system in a fresh process, and return its figures or what it lacks."""
    command = [python, "-m", "benchmarks.peers", name, *map(str, (chunks, questions, repeats))]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "HAYSTACK_TELEMETRY_ENABLED": "False"}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, encoding="utf-8", check=False)
    row: Row = {"system": name, "chunks": chunks}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word of why"])[-1]
        return row | {"failed": last}
    measured: Row = json.loads(done.stdout.splitlines()[-1])
    return row | measured


def compare(row: Row, floor: Row | None) -> Row:
    """Add the middle and the slow end of the times, and how a system stands to the floor.

    ``same`` is the mean share of a question's results that the floor finds too: analysers differ, so it is
    below 1, but a system that searches for something else would be far below the rest.
    """
    if "times_ms" not in row:
        return row
    p50, p95 = (float(np.percentile(row["times_ms"], at)) for at in (50, 95))
    row = row | {"p50_ms": p50, "p95_ms": p95}
    if floor is None or "times_ms" not in floor:
        return row
    pairs = zip(row["found"], floor["found"], strict=True)
    same = float(np.mean([len(set(ours) & set(theirs)) / TOP_K for ours, theirs in pairs]))
    return row | {"ratio": p50 / float(np.percentile(floor["times_ms"], 50)), "same": same}


def measure(
    sizes: Sequence[int], names: Sequence[str], questions: int, repeats: int, python: str
) -> Iterator[Row]:
    """Measure every system at every size, the floor first."""
    for chunks in sizes:
        floor: Row | None = None
        for name in sorted(names, key=list(PEERS).index):
            row = run(name, chunks, questions, repeats, python)
            floor = row if name == "floor" else floor
            yield compare(row, floor)


def line(row: Row) -> str:
    """Write one row of the table."""
    title = f"{PEERS[row['system']].title:34}"
    if "missing" in row:
        return f"{title} not installed ({row['missing']})\n"
    if "failed" in row:
        return f"{title} failed: {row['failed']}\n"
    cells = [
        f"{row['index_s']:.2f}",
        f"{row['p50_ms']:.2f}",
        f"{row['p95_ms']:.2f}",
        f"{row['ratio']:.2f}" if "ratio" in row else "-",
        f"{row['memory_mb']:.0f}" if row["memory_mb"] is not None else "-",
        f"{row['same']:.2f}" if "same" in row else "-",
    ]
    versions = " ".join(f"{package} {number}" for package, number in row["versions"].items())
    return f"{title} {' '.join(f'{cell:>10}' for cell in cells)}   {versions}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each row as soon as it is there."""
    parser = argparse.ArgumentParser(
        "benchmarks.retrieval", description=str(__doc__).split("\n")[0], allow_abbrev=False
    )
    parser.add_argument("--chunks", type=_sizes, default=[10_000, 100_000], help="sizes, commas between")
    parser.add_argument("--queries", type=int, default=30, help="questions that are timed")
    parser.add_argument("--repeats", type=int, default=1, help="rounds; each question's best time counts")
    parser.add_argument("--only", type=_names, default=list(PEERS), help=f"some of {','.join(PEERS)}")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the others")
    parser.add_argument("--json", type=Path, help="write the figures there too")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    for row in measure(options.chunks, options.only, options.queries, options.repeats, options.python):
        if not rows or row["chunks"] != rows[-1]["chunks"]:
            _say(f"{row['chunks']} chunks, {options.queries} questions x {options.repeats}; {_machine()}\n")
            _say(f"{'':34} {' '.join(f'{column:>10}' for column in COLUMNS)}\n")
        _say(line(row))
        rows.append(row)
    if options.json:
        settings = {"machine": _machine(), "queries": options.queries, "repeats": options.repeats}
        kept = [
            {key: value for key, value in row.items() if key not in ("found", "times_ms")} for row in rows
        ]
        text = json.dumps(settings | {"rows": kept}, indent=1)
        options.json.write_text(text + "\n", encoding="utf-8", newline="\n")
    return 0


def _sizes(text: str) -> list[int]:
    return [int(size) for size in text.split(",")]


def _names(text: str) -> list[str]:
    unknown = [name for name in text.split(",") if name not in PEERS]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown system {unknown[0]!r}; choose from {', '.join(PEERS)}")
    return text.split(",")


def _machine() -> str:
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{os.cpu_count()} cores, Python {platform.python_version()}{load}"


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
