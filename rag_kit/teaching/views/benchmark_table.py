"""A benchmark as tables written by a cell: the figures, one measure by kind, and what the comparisons showed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag_kit.evaluation.benchmark_result import BenchmarkResult, compare
from rag_kit.evaluation.benchmark_text import (
    TIMED,
    benchmark_rows,
    half_rows,
    kind_rows,
    measure_name,
    note_lines,
)
from rag_kit.evaluation.intervals import Difference
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


def benchmark_comparisons(result: BenchmarkResult, *measures: str, half: str = "all") -> Markdown:
    """Return what was shown of each two pipelines, a row a pair and a column a measure, recall by default.

    Each cell is the first pipeline's mean less the second's, with its 95 % interval; in bold where the interval
    leaves out zero. Raises InvalidValue for a measure or a half there is not.
    """
    chosen = measures or ("recall",)
    columns = [compare(result, measure, half=half) for measure in chosen]
    rows = [
        [f"{pairs[0].a} − {pairs[0].b}", *(difference_cell(pair.difference) for pair in pairs)]
        for pairs in zip(*columns, strict=True)
    ]
    return show_table(["first − second", *map(measure_name, chosen)], rows)


def difference_cell(found: Difference) -> str:
    """Write a difference with its interval, in bold where it was shown.

    >>> difference_cell(Difference(0.05, 0.01, 0.09, True))
    '**+0.050** (+0.010 to +0.090)'
    >>> difference_cell(Difference(0.05, -0.01, 0.11, None))
    '+0.050 (-0.010 to +0.110)'
    """
    mean = f"{found.mean:+.3f}"
    bold = mean if found.better is None else f"**{mean}**"
    return f"{bold} ({found.low:+.3f} to {found.high:+.3f})"


def benchmark_timings(result: BenchmarkResult) -> Markdown:
    """Return what a search took, as a table: for a cell whose output may change from run to run."""
    taken = [[name, timing.p50_ms, timing.p95_ms] for name, timing in result.timings.items()]
    return show_table(["pipeline", *TIMED], taken)
