"""A benchmark as JSON: every figure under its name and k, and what each pipeline found for each question."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rag_kit.evaluation.benchmark_result import (
    FLOOR,
    PLACES,
    BenchmarkResult,
    PipelineRow,
    compare,
    interval_of,
    mean_of,
)
from rag_kit.evaluation.relevance import MEASURES
from rag_kit.files import write_whole


def benchmark_json(result: BenchmarkResult, *, half: str = "all") -> dict[str, Any]:
    """Shape a benchmark as `benchmark --json` prints it; the figures are those of a half of the questions.

    Timings stand among a pipeline's figures, under ``p50_ms`` and ``p95_ms``; nothing else changes from run
    to run.
    """
    places = result.places(half)
    kinds = {kind: result.places(half, kind) for kind in result.kinds(half)}
    halves = {name: result.places(name) for name in result.halves()}
    return {
        "k": result.k,
        "half": half,
        "scored": len(places),
        "unscored": result.unscored,
        "unheld": list(result.unheld),
        "denied": result.denied,
        "pipelines": {row.name: _pipeline(result, row, places) for row in result.pipelines},
        "kinds": {
            kind: {
                "questions": len(held),
                "lexical_overlap": result.overlap_of(held),
                "pipelines": {row.name: _figures(result, row, held) for row in result.pipelines},
            }
            for kind, held in kinds.items()
        },
        "halves": {
            name: {
                "questions": len(held),
                "pipelines": {row.name: _figures(result, row, held) for row in result.pipelines},
            }
            for name, held in halves.items()
        },
        "comparisons": [
            {
                "a": item.a,
                "b": item.b,
                "measure": f"{item.measure}@{result.k}",
                "difference": item.difference.mean,
                "low": item.difference.low,
                "high": item.difference.high,
                "better": {True: item.a, False: item.b, None: None}[item.difference.better],
            }
            for measure in MEASURES
            for item in compare(result, measure, half=half)
        ],
        "embed_ms": result.embed_ms,
        "questions": _questions(result),
    }


def save_benchmark(result: BenchmarkResult, path: str | Path, *, half: str = "all") -> None:
    """Write a benchmark as `benchmark --json` prints it, whole or not at all."""
    write_whole(
        Path(path), json.dumps(benchmark_json(result, half=half), ensure_ascii=False, indent=1) + "\n"
    )


def _pipeline(result: BenchmarkResult, row: PipelineRow, places: Sequence[int]) -> dict[str, Any]:
    taken = result.timings.get(row.name)
    return {
        **_figures(result, row, places),
        "intervals": {
            f"{measure}@{result.k}": list(interval_of(row, measure, places)) for measure in MEASURES
        },
        "tokens": round(sum(row.tokens[at] for at in places) / len(places), PLACES),
        "cost": sum(row.costs[at] for at in places) / len(places),
        "leaks": row.leaks,
        "lexical_floor": row.name == FLOOR,
        "p50_ms": taken.p50_ms if taken else None,
        "p95_ms": taken.p95_ms if taken else None,
    }


def _figures(result: BenchmarkResult, row: PipelineRow, places: Sequence[int]) -> dict[str, float]:
    return {f"{measure}@{result.k}": mean_of(row, measure, places) for measure in MEASURES}


def _questions(result: BenchmarkResult) -> list[dict[str, Any]]:
    found = []
    for row in result.pipelines:
        at = 0
        for asked, ranked in zip(result.questions, row.ranked, strict=True):
            scores = {f"{name}@{result.k}": row.values[name][at] for name in MEASURES} if asked.scored else {}
            at += asked.scored
            shown = [
                {"rank": rank, "chunk_id": place.chunk_id, "document_id": place.document_id,
                 "score": place.score, "gold": list(place.gold)}
                for rank, place in enumerate(ranked, start=1)
            ]  # fmt: skip
            found.append(
                {"id": asked.id, "pipeline": row.name, "kind": asked.kind, "expected": asked.expected,
                 "scored": asked.scored, "ranked": shown, **scores}
            )  # fmt: skip
    return found
