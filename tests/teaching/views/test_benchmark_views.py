"""The picture and the tables of a benchmark: the same bytes each time, and every point in words."""

import base64
import io
import re

import pytest

from rag_kit import InvalidValue
from rag_kit.evaluation.benchmark_result import Asked, BenchmarkResult, PipelineRow, Timing
from rag_kit.evaluation.questions import first_half
from rag_kit.evaluation.relevance import MEASURES
from rag_kit.teaching import (
    benchmark_comparisons,
    benchmark_halves,
    benchmark_kinds,
    benchmark_plot,
    benchmark_table,
    benchmark_timings,
)
from rag_kit.teaching.views.benchmark_plot import draw_benchmark, save_benchmark_plot


def row(name, values):
    return PipelineRow(
        name, dict.fromkeys(MEASURES, tuple(values)), (100,) * 20, (0.0,) * 20, ((),) * 21, leaks=0
    )


def made(*pipelines, kinds=("code", "fact")):
    asked = [Asked(f"q{at}", kinds[at % len(kinds)], "answer", True) for at in range(20)]
    asked.append(Asked("moon", "near-miss", "refuse", False))
    timings = {item.name: Timing(1.25, 2.5, 21) for item in pipelines}
    return BenchmarkResult(5, tuple(asked), pipelines, timings=timings, embed_ms=7.0)


@pytest.fixture
def result():
    return made(row("bm25", [1.0, 0.5] * 10), row("hybrid", [1.0] * 20))


def test_the_alternative_text_says_every_point_with_its_interval(result):
    shown = benchmark_plot(result)
    said = shown.bundle["text/plain"]
    assert said.startswith("Recall at 5 by kind of question; means with 95 % intervals. all questions (20): ")
    assert "hybrid 1.000 (0.839 to 1.000)" in said
    assert "fact (10): bm25 (floor) 0.500 (0.237 to 0.763), hybrid 1.000 (0.722 to 1.000)." in said
    (alternative,) = re.findall(r'<img alt="([^"]*)" src="data:image/png;base64,', shown.bundle["text/html"])
    assert alternative == said


def test_the_half_and_the_measure_are_named(result):
    reported = sum(not first_half(f"q{at}") for at in range(20))
    said = benchmark_plot(result, "ndcg", half="report").bundle["text/plain"]
    assert said.startswith("nDCG at 5 by kind of question, reporting half; ")
    assert f"all questions ({reported})" in said


def test_a_name_cannot_get_out_of_the_alternative_text():
    shown = benchmark_plot(made(row('"><script>', [1.0] * 20)))
    assert "<script>" not in shown.bundle["text/html"]


def test_one_kind_alone_is_not_said_twice():
    said = benchmark_plot(made(row("bm25", [1.0] * 20), kinds=("",))).bundle["text/plain"]
    assert said.endswith("intervals. all questions (20): bm25 (floor) 1.000 (0.839 to 1.000).")


@pytest.mark.parametrize(("kind", "foreign"), [("png", b"matplotlib"), ("svg", b"<dc:date>")])
def test_two_drawings_are_the_same_bytes_without_dates_or_names_of_programs(result, kind, foreign):
    first = draw_benchmark(result, "recall", kind)
    assert first == draw_benchmark(result, "recall", kind)
    assert foreign not in first
    assert draw_benchmark(result, "recall", kind, half="report") != first


def test_the_picture_is_an_opaque_white_card_with_dark_text(result):
    from matplotlib import image

    (encoded,) = re.findall(r"base64,([^\"]+)", benchmark_plot(result).bundle["text/html"])
    pixels = image.imread(io.BytesIO(base64.b64decode(encoded)), format="png")
    assert (pixels[..., 3] == 1).all()
    assert (pixels[0] == 1).all(), "white up to the edge"
    assert (pixels[..., :3].max(axis=2) < 0.2).sum() > 500


def test_a_picture_is_written_by_its_ending(result, tmp_path):
    save_benchmark_plot(result, tmp_path / "new" / "b.PNG")
    assert (tmp_path / "new" / "b.PNG").read_bytes().startswith(b"\x89PNG")
    save_benchmark_plot(result, tmp_path / "b.svg", "mrr")
    assert "<!-- MRR at 5 by kind of question -->" in (tmp_path / "b.svg").read_text(encoding="utf-8")
    with pytest.raises(InvalidValue, match="choose png or svg"):
        save_benchmark_plot(result, tmp_path / "b.gif")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.svg", "new"]


def test_what_was_not_measured_cannot_be_drawn(result):
    with pytest.raises(InvalidValue, match="unknown measure 'answers'"):
        benchmark_plot(result, "answers")
    with pytest.raises(InvalidValue, match="unknown half 'best'"):
        benchmark_plot(result, half="best")


def test_the_tables_hold_the_figures_and_no_time(result):
    table = benchmark_table(result).data
    assert table.splitlines()[:4] == [
        "| pipeline | recall | precision | hit | MRR | nDCG | MAP | span recall | tokens |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        "| bm25 (floor) | 0.750 | 0.750 | 0.750 | 0.750 | 0.750 | 0.750 | 0.750 | 100 |",
        "| hybrid | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 100 |",
    ]
    assert "- not scored, for there is no gold to find: 1 near-miss" in table
    assert "ms" not in table
    assert benchmark_kinds(result).data.splitlines()[2:] == [
        "| code | 10 | 1.000 | 1.000 |",
        "| fact | 10 | 0.500 | 1.000 |",
    ]
    assert benchmark_halves(result).data.splitlines()[2] == "| all | 20 | 0.750 | 1.000 |"
    assert benchmark_timings(result).data.splitlines()[2] == "| bm25 | 1.250 | 2.500 |"


def test_comparisons_are_one_row_a_pair_and_one_column_a_measure():
    three = made(row("bm25", [1.0, 0.5] * 10), row("hybrid", [1.0] * 20), row("twin", [1.0] * 20))
    head, _, first, second, third = benchmark_comparisons(three, "recall", "mrr").data.splitlines()
    assert head == "| first − second | recall | MRR |"
    assert first.startswith("| hybrid − bm25 | **+0.250** (+0.1")
    assert first.count("**+0.250**") == 2
    assert second.startswith("| twin − bm25 | **+0.250**")
    assert third == "| twin − hybrid | +0.000 (+0.000 to +0.000) | +0.000 (+0.000 to +0.000) |"
    assert benchmark_comparisons(three).data.splitlines()[0] == "| first − second | recall |"
    with pytest.raises(InvalidValue, match="unknown measure 'answers'"):
        benchmark_comparisons(three, "answers")
