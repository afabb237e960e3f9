"""Measure one system in a process of its own: `python -m benchmarks.peers NAME CHUNKS QUESTIONS REPEATS`.

Prints one JSON line. A system that is not installed is said to be so, and is no error.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import logging
import os
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.passages import make_passages
from benchmarks.peers import PEERS


def measure(name: str, chunks: int, questions: int, repeats: int) -> dict[str, Any]:
    """Build, ask a first question to warm up and then all of them, and return times and memory.

    With several repeats each question's shortest time counts: less of what else the machine does.
    """
    peer = PEERS[name]
    try:
        build = getattr(importlib.import_module(f"benchmarks.peers.{peer.module}"), peer.build)
    except ModuleNotFoundError as error:
        return {"missing": error.name}
    passages = make_passages(chunks, questions)
    before = _resident()
    start = time.perf_counter()
    search = build(passages)
    index = time.perf_counter() - start
    search(passages.questions[0])
    times = dict.fromkeys(passages.questions, float("inf"))
    found: dict[str, list[int]] = {}
    for question in passages.questions * repeats:
        start = time.perf_counter()
        found[question] = search(question)
        times[question] = min(times[question], 1e3 * (time.perf_counter() - start))
    return {
        "index_s": index,
        "times_ms": list(times.values()),
        "memory_mb": None if before is None else (_resident() or 0.0) - before,
        "found": list(found.values()),
        "versions": {package: version(package) for package in peer.packages},
    }


def _resident() -> float | None:
    """Return the process's memory in MB, what was freed and not given back left out; None off Linux."""
    statistics = Path("/proc/self/statm")
    if not statistics.exists():
        return None
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(statistics.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    numbers = [int(given) for given in sys.argv[2:]]
    sys.stdout.write(json.dumps(measure(sys.argv[1], *numbers)) + "\n")
