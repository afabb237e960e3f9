"""A benchmark in plain text: a row a pipeline, the kinds, the halves, and what was shown of any difference."""

from __future__ import annotations

from rag_kit.errors import InvalidValue
from rag_kit.evaluation.benchmark_result import FLOOR, BenchmarkResult, Compared, compare, mean_of
from rag_kit.evaluation.sweep_text import aligned, cell_text
from rag_kit.hidden import for_terminal

NAMES = {
    "recall": "recall",
    "precision": "precision",
    "hit": "hit",
    "mrr": "MRR",
    "ndcg": "nDCG",
    "map": "MAP",
    "span_recall": "span recall",
}
TIMED = ("p50 ms", "p95 ms")
ENOUGH = 30
"""Scored questions; with fewer, intervals are wide."""
HALF_NAMES = {"all": "all", "tune": "tuning half", "report": "reporting half"}


def benchmark_rows(result: BenchmarkResult, half: str = "all") -> tuple[list[str], list[list[object]]]:
    """Return the columns and rows of the table of figures, a row a pipeline; dollars only where any were asked.

    ``tokens`` are the cl100k tokens of the passages handed over for a question.
    """
    places = result.places(half)
    costly = any(any(row.costs) for row in result.pipelines)
    columns = ["pipeline", *NAMES.values(), "tokens", *(["$ / 1,000"] if costly else [])]
    rows: list[list[object]] = []
    for row in result.pipelines:
        line: list[object] = [pipeline_name(row.name), *(mean_of(row, name, places) for name in NAMES)]
        line.append(round(sum(row.tokens[at] for at in places) / len(places)))
        if costly:
            line.append(1_000 * sum(row.costs[at] for at in places) / len(places))
        rows.append(line)
    return columns, rows


def kind_rows(
    result: BenchmarkResult, measure: str = "recall", half: str = "all"
) -> tuple[list[str], list[list[object]]]:
    """Return a table of one measure, a row a kind of question and a column a pipeline.

    ``overlap`` is how much of the questions' words stands in their gold: what flatters a lexical search.
    """
    columns = [f"{measure_name(measure)} by kind", "questions", *(["overlap"] if result.overlap else [])]
    columns += [pipeline_name(row.name) for row in result.pipelines]
    rows: list[list[object]] = []
    for kind in result.kinds(half):
        places = result.places(half, kind)
        line: list[object] = [kind or "(no kind)", len(places)]
        if result.overlap:
            overlap = result.overlap_of(places)
            line.append("" if overlap is None else overlap)
        rows.append([*line, *(mean_of(row, measure, places) for row in result.pipelines)])
    return columns, rows


def half_rows(result: BenchmarkResult, measure: str = "recall") -> tuple[list[str], list[list[object]]]:
    """Return a table of one measure, a row a half of the questions and a column a pipeline."""
    columns = [
        f"{measure_name(measure)} by half",
        "questions",
        *(pipeline_name(row.name) for row in result.pipelines),
    ]
    rows: list[list[object]] = []
    for half in result.halves():
        places = result.places(half)
        figures = [mean_of(row, measure, places) for row in result.pipelines]
        rows.append([HALF_NAMES[half], len(places), *figures])
    return columns, rows


def benchmark_text(result: BenchmarkResult, measure: str = "recall", half: str = "all") -> str:
    """Return the figures with what each search took, one measure by kind and by half, and the comparisons."""
    columns, rows = benchmark_rows(result, half)
    for row, measured in zip(rows, result.pipelines, strict=True):
        taken = result.timings.get(measured.name)
        row += [_milliseconds(taken.p50_ms), _milliseconds(taken.p95_ms)] if taken else ["", ""]
    headline = f"{HALF_NAMES[half]}, {len(result.places(half))} questions, k = {result.k}"
    blocks = [
        _table([*columns, *TIMED], rows),
        _table(*kind_rows(result, measure, half)),
        _table(*half_rows(result, measure)),
        comparison_lines(result, measure, half),
        note_lines(result),
    ]
    told = "\n\n".join("\n".join(block) for block in blocks if block)
    return for_terminal(f"{headline}\n{told}")


def comparison_lines(result: BenchmarkResult, measure: str = "recall", half: str = "all") -> list[str]:
    """Say for each two pipelines which is better, by how much, or that no difference was shown."""
    return [comparison_text(item) for item in compare(result, measure, half=half)]


def comparison_text(item: Compared) -> str:
    """Say what a comparison showed, with its 95 % interval.

    >>> from rag_kit.evaluation.intervals import Difference
    >>> comparison_text(Compared("hybrid", "dense", "recall", Difference(-0.05, -0.09, -0.01, False)))
    'recall: dense better than hybrid by 0.050 (0.010 to 0.090)'
    >>> comparison_text(Compared("hybrid", "dense", "recall", Difference(0.05, -0.01, 0.11, None)))
    'recall: hybrid and dense: no difference shown (+0.050, -0.010 to +0.110)'
    """
    found, name = item.difference, measure_name(item.measure)
    if found.better is None:
        told = f"{found.mean:+.3f}, {found.low:+.3f} to {found.high:+.3f}"
        return f"{name}: {item.a} and {item.b}: no difference shown ({told})"
    good, bad = (item.a, item.b) if found.better else (item.b, item.a)
    ends = sorted((abs(found.low), abs(found.high)))
    return f"{name}: {good} better than {bad} by {abs(found.mean):.3f} ({ends[0]:.3f} to {ends[1]:.3f})"


def note_lines(result: BenchmarkResult, *, timed: bool = True) -> list[str]:
    """Say what the figures leave out, and what was found besides; without ``timed``, nothing that takes time."""
    lines = []
    if any(row.name == FLOOR for row in result.pipelines):
        lines.append(f"{FLOOR} is the lexical floor: a pipeline that is no better does not earn its cost")
    if unscored := result.unscored:
        counts = ", ".join(f"{count} {kind}" for kind, count in unscored.items())
        lines.append(f"not scored, for there is no gold to find: {counts}")
    if result.unheld:
        named = ", ".join(result.unheld)
        lines.append(f"no passage holds half of the gold, so no pipeline can find it: {named}")
    if result.denied or any(row.leaks for row in result.pipelines):
        leaks = ", ".join(f"{row.name} {row.leaks}" for row in result.pipelines)
        lines.append(f"leaks (asked by somebody without the right: {result.denied}): {leaks}")
    if len(result.scored) < ENOUGH:
        lines.append(
            f"only {len(result.scored)} scored: fewer than {ENOUGH} questions seldom show a difference"
        )
    if timed and result.embed_ms is not None:
        free = f", except for {', '.join(result.without_vectors)}" if result.without_vectors else ""
        lines.append(f"embedding a question takes {result.embed_ms:.1f} ms besides{free}")
    return lines


def measure_name(measure: str) -> str:
    """Name a measure for a reader; raises InvalidValue for one there is not.

    >>> measure_name("ndcg")
    'nDCG'
    """
    if measure not in NAMES:
        raise InvalidValue.unknown("measure", measure, NAMES)
    return NAMES[measure]


def pipeline_name(name: str) -> str:
    """Name a pipeline in a table; the lexical floor is marked.

    >>> pipeline_name("bm25"), pipeline_name("dense")
    ('bm25 (floor)', 'dense')
    """
    return f"{name} (floor)" if name == FLOOR else name


def _table(columns: list[str], rows: list[list[object]]) -> list[str]:
    return aligned([columns, *([cell_text(value) for value in row] for row in rows)])


def _milliseconds(taken: float) -> str:
    return f"{taken:.2f}" if taken < 100 else f"{taken:,.0f}"
