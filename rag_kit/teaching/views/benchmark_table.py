"""A benchmark as tables written by a cell: the figures, one measure by kind, and what the comparisons showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag_kit.evaluation.benchmark_result import BenchmarkResult
from rag_kit.evaluation.benchmark_text import (
    TIMED,
    benchmark_rows,
    comparison_lines,
    half_rows,
    kind_rows,
    note_lines,
)
from rag_kit.teaching.prose import show_markdown
from rag_kit.teaching.table import show_table

if TYPE_CHECKING:
    from IPython.display import Markdown


def benchmark_table(result: BenchmarkResult, *, half: str = "all") -> Markdown:
    """Return the figures of a benchmark as a table, a row a pipeline, and what they leave out below it.

    What a search took is left out, it never repeats: `benchmark_timings` shows it. Raises InvalidValue for a
    half there is not, or that holds no question.
    """
    columns, rows = benchmark_rows(result, half)
    notes = note_lines(result, timed=False)
    return show_markdown(
        show_table(columns, rows).data, *(["\n".join(f"- {line}" for line in notes)] if notes else [])
    )


def benchmark_kinds(result: BenchmarkResult, measure: str = "recall", *, half: str = "all") -> Markdown:
    """Return one measure as a table, a row a kind of question and a column a pipeline."""
    return show_table(*kind_rows(result, measure, half))


def benchmark_halves(result: BenchmarkResult, measure: str = "recall") -> Markdown:
    """Return one measure as a table, a row a half of the questions: settings were chosen on one of them."""
    return show_table(*half_rows(result, measure))


def benchmark_comparisons(result: BenchmarkResult, measure: str = "recall", *, half: str = "all") -> Markdown:
    """Return what was shown of each two pipelines, a line a pair."""
    return show_markdown("\n".join(f"- {line}" for line in comparison_lines(result, measure, half)))


def benchmark_timings(result: BenchmarkResult) -> Markdown:
    """Return what a search took, as a table: for a cell whose output may change from run to run."""
    taken = [[name, timing.p50_ms, timing.p95_ms] for name, timing in result.timings.items()]
    return show_table(["pipeline", *TIMED], taken)
