"""The winner by measure, chosen on one half and reported on the other; and the file that keeps a sweep."""

import json
from dataclasses import replace

import pytest

from rag_kit import InvalidValue
from rag_kit.evaluation.arms import Arm
from rag_kit.evaluation.questions import first_half
from rag_kit.evaluation.sweep_result import (
    ArmError,
    ArmRow,
    SweepResult,
    Timings,
    best,
    load_sweep,
    save_sweep,
    sweep_json,
)  # fmt: skip
from rag_kit.evaluation.sweep_text import sweep_rows, sweep_text, winner_lines

IDS = tuple(f"q{number}" for number in range(40))
TUNE = [first_half(name) for name in IDS]


def row(strategy, values, cost=100.0):
    mean = sum(values) / len(values)
    scores = dict.fromkeys(("recall", "precision", "iou", "precision_omega"), tuple(values))
    return ArmRow(Arm(strategy, 64), mean, mean, mean, mean, None, 3, 60.0, 50.0, 180, cost, scores)


def result(*rows, ids=IDS):
    return SweepResult(5, "word-counts", 1, ids, 0, rows, (), {})


def test_the_arm_that_is_better_beyond_doubt_wins_whatever_it_costs():
    winner = best(result(row("poor", [0.0] * 40, cost=1), row("good", [1.0, 0.5] * 20, cost=900)))
    assert (winner.arm.strategy, winner.highest.strategy, winner.tied) == ("good", "good", ())
    (compared,) = winner.comparisons
    assert (compared.arm.strategy, compared.tune.better, compared.report.better) == ("poor", True, True)
    assert winner.low <= winner.report <= winner.high
    assert winner.tune_questions == sum(TUNE)
    assert winner.report_questions == 40 - sum(TUNE)


def test_among_arms_that_cannot_be_told_apart_the_cheapest_wins():
    nearly = [1.0] * 39 + [0.0]
    winner = best(result(row("dear", [1.0] * 40, 900), row("cheap", nearly, 90), row("poor", [0.0] * 40, 1)))
    assert (winner.arm.strategy, winner.highest.strategy) == ("cheap", "dear")
    assert [arm.strategy for arm in winner.tied] == ["cheap"]
    assert {c.arm.strategy: c.tune.better for c in winner.comparisons} == {"cheap": None, "poor": True}


def test_the_half_that_reports_has_no_say_in_the_choice():
    lucky = [1.0 if tunes else 0.0 for tunes in TUNE]
    winner = best(result(row("lucky", lucky), row("steady", [0.6] * 40)))
    assert winner.arm.strategy == "lucky"
    assert (winner.tune, winner.report) == (1.0, 0.0)
    assert winner.comparisons[0].report.better is False


@pytest.mark.parametrize(
    ("found", "measure", "fault"),
    [
        (result(), "recall", "no arm was measured"),
        (result(row("a", [1.0] * 40)), "answers", "choose recall, precision"),
        (result(row("a", [1.0]), ids=("q1",)), "recall", "1 questions are too few"),
    ],
)
def test_no_winner_is_made_up(found, measure, fault):
    with pytest.raises(InvalidValue, match=fault):
        best(found, measure)
    assert sweep_json(found, measure)["winner"] is None
    assert "winner" not in sweep_text(found, measure)


@pytest.fixture
def kept():
    rows = (row("structure", [1.0, 0.25] * 20), row("fixed", [0.5] * 40, cost=80))
    taken = {"structure 64/0": Timings(0.5, 1.25, 3, 0, 0.2), "fixed 64/0": Timings(0.1, 0.0, 0, 3, 0.2)}
    return replace(
        result(*rows), errors=(ArmError(Arm("fixed", 9, 9), "overlap 9 does not fit"),), timings=taken
    )


def test_a_saved_sweep_comes_back_as_it_was(kept, tmp_path):
    save_sweep(kept, tmp_path / "new" / "sweep.json")
    assert load_sweep(tmp_path / "new" / "sweep.json") == kept
    shape = json.loads((tmp_path / "new" / "sweep.json").read_text(encoding="utf-8"))
    assert shape == json.loads(json.dumps(sweep_json(kept)))
    assert [arm["name"] for arm in shape["arms"]] == ["structure 64/0", "fixed 64/0"]
    assert shape["winner"]["measure"] == "recall"
    assert shape["errors"] == [
        {
            "arm": {"strategy": "fixed", "size": 9, "overlap": 9, "unit": "tokens", "neighbours": 0.0},
            "message": "overlap 9 does not fit",
        }
    ]
    assert "seconds" not in json.dumps(shape["arms"])


def cut_short(text):
    return text[: len(text) // 2]


def of_another_kind(text):
    return text.replace("rag_kit sweep", "rag_kit index")


def without_a_value(text):
    return text.replace("[0.5, ", "[", 1)


def with_a_word_for_a_number(text):
    return text.replace('"recall": 0.5', '"recall": "half"')


@pytest.mark.parametrize("spoil", [cut_short, of_another_kind, without_a_value, with_a_word_for_a_number])
def test_a_file_that_is_no_whole_sweep_is_named(kept, tmp_path, spoil):
    path = tmp_path / "sweep.json"
    save_sweep(kept, path)
    text = path.read_text(encoding="utf-8")
    assert spoil(text) != text
    path.write_text(spoil(text), encoding="utf-8", newline="\n")
    with pytest.raises(InvalidValue, match=r"sweep\.json is .*save it with rag_kit sweep --out"):
        load_sweep(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InvalidValue, match="no such file"):
        load_sweep(tmp_path / "none.json")


def test_the_table_has_a_row_an_arm_and_a_column_for_answers_where_there_are_any(kept):
    columns, rows = sweep_rows(kept)
    assert "answers" not in columns
    assert [line[0] for line in rows] == ["structure 64/0", "fixed 64/0"]
    answered = replace(kept.arms[0], answers=0.5)
    columns, rows = sweep_rows(replace(kept, arms=(answered,)))
    assert rows[0][columns.index("answers")] == 0.5


def test_the_text_says_what_was_shown_and_what_failed(kept):
    told = sweep_text(kept)
    assert "fixed 9/9: not measured: overlap 9 does not fit" in told
    assert "1.750" in told, "seconds of cutting and embedding"
    tied = winner_lines(best(kept))
    assert tied[0].startswith(
        "winner by recall: fixed 64/0; no difference was shown between structure 64/0 and"
    )
    assert "no difference shown" in tied[2]
