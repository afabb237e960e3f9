"""The picture of a sweep: the same bytes each time, readable on any page, and all of it in words."""

import base64
import io
import re

import pytest

from rag_kit import InvalidValue
from rag_kit.evaluation.arms import Arm
from rag_kit.evaluation.sweep_result import ArmError, ArmRow, SweepResult
from rag_kit.teaching import sweep_plot, sweep_table, sweep_winner
from rag_kit.teaching.views.sweep_plot import draw_sweep, save_sweep_plot

IDS = tuple(f"q{number}" for number in range(20))


def row(strategy, size, values, cost):
    mean = sum(values) / len(values)
    scores = dict.fromkeys(("recall", "precision", "iou", "precision_omega"), tuple(values))
    return ArmRow(Arm(strategy, size), mean, mean, mean, mean, None, 3, 60.0, 50.0, 180, cost, scores)


@pytest.fixture
def result():
    rows = (row("structure", 64, [1.0] * 20, 1234.4), row("fixed", 128, [0.0, 0.5] * 10, 420.0))
    return SweepResult(
        5, "word-counts", 1, IDS, 0, rows, (ArmError(Arm("fixed", 9, 9), "overlap 9 does not fit"),)
    )


def test_the_alternative_text_says_every_point_with_its_interval(result):
    shown = sweep_plot(result)
    said = shown.bundle["text/plain"]
    assert said.startswith("Recall at 5 against the tokens")
    assert "structure 64/0: 1.000 (1.000 to 1.000) at 1,234 tokens" in said
    assert re.search(r"fixed 128/0: 0\.250 \(0\.1\d\d to 0\.3\d\d\) at 420 tokens", said)
    (alternative,) = re.findall(r'<img alt="([^"]*)" src="data:image/png;base64,', shown.bundle["text/html"])
    assert alternative == said


def test_a_name_cannot_get_out_of_the_alternative_text(result):
    named = SweepResult(5, "e", 1, IDS, 0, (row('"><script>', 8, [1.0] * 20, 5.0),))
    assert "<script>" not in sweep_plot(named).bundle["text/html"]


@pytest.mark.parametrize(("kind", "foreign"), [("png", b"matplotlib"), ("svg", b"<dc:date>")])
def test_two_drawings_are_the_same_bytes_without_dates_or_names_of_programs(result, kind, foreign):
    first = draw_sweep(result, "recall", kind)
    assert first == draw_sweep(result, "recall", kind)
    assert foreign not in first
    assert draw_sweep(result, "iou", kind) != first


def test_the_picture_is_an_opaque_white_card_with_dark_text(result):
    from matplotlib import image

    (encoded,) = re.findall(r"base64,([^\"]+)", sweep_plot(result).bundle["text/html"])
    pixels = image.imread(io.BytesIO(base64.b64decode(encoded)), format="png")
    assert (pixels[..., 3] == 1).all()
    assert (pixels[0] == 1).all(), "white up to the edge"
    dark = (pixels[..., :3].max(axis=2) < 0.2).sum()
    assert dark > 500


def test_a_picture_is_written_by_its_ending(result, tmp_path):
    save_sweep_plot(result, tmp_path / "new" / "sweep.PNG")
    assert (tmp_path / "new" / "sweep.PNG").read_bytes().startswith(b"\x89PNG")
    save_sweep_plot(result, tmp_path / "sweep.svg")
    assert b"<svg" in (tmp_path / "sweep.svg").read_bytes()[:500]
    with pytest.raises(InvalidValue, match="choose png or svg"):
        save_sweep_plot(result, tmp_path / "sweep.gif")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "sweep.svg"]


def test_points_on_top_of_each_other_share_a_label(result):
    def labels(*arms):
        svg = draw_sweep(SweepResult(5, "e", 1, IDS, 0, arms), "recall", "svg").decode()
        # Text is drawn as outlines, each line with what it says in a comment before it.
        return re.findall(r"<!-- (\d+/\d+) -->", svg)

    far, values = row("structure", 256, [0.5] * 20, 900.0), [1.0, 0.8] * 10
    first, beside = row("structure", 64, values, 100.0), row("structure", 65, values, 101.0)
    assert labels(first, far, beside) == ["64/0", "65/0", "256/0"]
    assert labels(first, far, row("structure", 65, values, 500.0)) == ["64/0", "256/0", "65/0"]


def test_what_was_not_measured_cannot_be_drawn(result):
    with pytest.raises(InvalidValue, match="no measure 'answers'"):
        sweep_plot(result, "answers")
    with pytest.raises(InvalidValue, match="nothing to draw"):
        sweep_plot(SweepResult(5, "e", 1, IDS, 0, ()))


def test_the_table_has_each_arm_and_what_failed_below(result):
    lines = sweep_table(result).data.splitlines()
    assert lines[0].startswith("| arm | recall | precision | IoU | precision-omega | chunks |")
    assert lines[2] == "| structure 64/0 | 1.000 | 1.000 | 1.000 | 1.000 | 3 | 50 | 1,234 | 180 |"
    assert lines[-1] == "- fixed 9/9: not measured: overlap 9 does not fit"


def test_the_winner_is_said_with_the_figures_of_the_other_half(result):
    said, comparison = sweep_winner(result).data.split("\n\n")
    assert said.startswith("winner by recall: structure 64/0 (chosen on ")
    assert "recall 1.000, 95 % interval 1.000 to 1.000" in said
    assert comparison.startswith("- structure 64/0 against fixed 128/0: +0.6")
    assert comparison.count("better") == 2
