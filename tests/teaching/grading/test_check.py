"""What a learner is told about a function: three states, clear words, hints that open one by one."""

import json
import subprocess
import sys

import numpy as np
import pytest

from rag_kit.errors import InvalidValue
from rag_kit.teaching import check
from rag_kit.teaching.grading.check import Checker
from rag_kit.teaching.grading.expect import expect_indices
from rag_kit.teaching.grading.registry import Exercise, exercise, load_exercises
from rag_kit.teaching.grading.results import Results
from rag_kit.teaching.grading.running import CHECK_MIME, run_cases


@pytest.fixture
def double():
    made = Exercise("99.1", "double it", "double", ("numbers",))

    @made.case("doubles each", "Multiply.", "By two.", "[2 * n for n in numbers]")
    def _each(fn):
        expect_indices(fn([1, 2]), [2, 4], "for [1, 2]")

    @made.case("an empty list stays empty", "It has no element.")
    def _empty(fn):
        expect_indices(fn([]), [], "for []")

    @made.case("arrays too", hidden=True)
    def _arrays(fn):
        expect_indices(fn(np.array([3])), [6], "for an array")

    return made


@pytest.fixture
def checker(double, tmp_path):
    return Checker({"99.1": double}, Results(tmp_path / "results.json"))


def first(double, fn):
    return run_cases(double, fn)[0]


def right(numbers):
    return [2 * n for n in numbers]


def unwritten(numbers):
    raise NotImplementedError("Exercise 99.1: double it")


def test_passed(checker):
    result = checker("99.1", right)
    assert result.passed
    assert not result.failed
    assert result.text().splitlines() == [
        "Exercise 99.1, double it: all 2 checks pass",
        "  ✓ passed   doubles each",
        "  ✓ passed   an empty list stays empty",
        "1 more case is kept for the grader: all that the text asks for counts.",
    ]
    assert "<p>1 more case is kept for the grader" in result.html()


def test_cases_of_the_grader_are_named_only_where_all_is_green_and_there_are_some(double, checker, tmp_path):
    assert "grader" not in checker("99.1", lambda numbers: numbers).text()
    assert "grader" not in checker("99.1", unwritten).text()
    open_only = Exercise("99.1", "double it", "double", ("numbers",), double.visible)
    plain = Checker({"99.1": open_only}, Results(tmp_path / "plain.json"))("99.1", right)
    assert plain.passed
    assert "grader" not in plain.text() + plain.html()


def test_to_do_is_no_failure_and_opens_no_hint(checker):
    for _ in range(3):
        result = checker("99.1", unwritten)
    assert result.text() == "Exercise 99.1, double it: not written yet, 2 checks to do"
    assert not result.failed
    wrong = checker("99.1", lambda numbers: [1])
    assert [row.hints for row in wrong.rows] == [("Multiply.",), ("It has no element.",)]


def test_a_stub_of_another_exercise_is_named(double):
    def uses_the_first(numbers):
        raise NotImplementedError("Exercise 98.2: halve it")

    assert first(double, uses_the_first).message == "not written yet (Exercise 98.2: halve it)"


def test_not_yet_says_the_assertion_in_one_line(checker):
    result = checker("99.1", lambda numbers: numbers)
    assert [(row.status, row.message) for row in result.rows] == [
        ("fail", "for [1, 2] it returned [1, 2]; expected [2, 4]"),
        ("pass", ""),
    ]
    assert "1 of 2 checks pass" in result.text()
    assert "Traceback" not in result.text()


def test_each_failing_call_opens_one_more_hint_and_reset_closes_them(checker):
    opened = [len(checker("99.1", lambda numbers: [0]).rows[0].hints) for _ in range(5)]
    assert opened == [1, 2, 3, 3, 3]
    checker.reset("99.1")
    assert len(checker("99.1", lambda numbers: [0]).rows[0].hints) == 1


def test_passed_rows_show_no_hint(checker):
    assert checker("99.1", lambda numbers: numbers).rows[1].hints == ()


def test_hidden_cases_are_the_graders_only(double, checker):
    def lists_only(numbers):
        return right(numbers) if isinstance(numbers, list) else None

    assert checker("99.1", lists_only).passed
    assert [row.status for row in run_cases(double, lists_only, hidden=True)] == ["pass", "pass", "fail"]


def test_one_bundle_for_learner_terminal_and_machine(checker):
    bundle = checker("99.1", lambda numbers: ["<b>"])._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain", CHECK_MIME}
    assert "&lt;b&gt;" in bundle["text/html"]
    assert "<b>" not in bundle["text/html"]
    assert "<details><summary>Hint 1</summary><p>Multiply.</p></details>" in bundle["text/html"]
    machine = json.loads(json.dumps(bundle[CHECK_MIME]))
    assert (machine["exercise"], machine["passed"], machine["total"]) == ("99.1", 0, 2)
    assert machine["rows"][0]["status"] == "fail"


def test_numpy_and_tuples_are_as_good_as_lists(double):
    assert first(double, lambda numbers: np.array(numbers) * 2).status == "pass"
    assert first(double, lambda numbers: (2, 4)).status == "pass"


def test_what_is_printed_does_not_reach_the_notebook(checker, capsys):
    checker("99.1", lambda numbers: sys.stdout.write("doubled!"))
    assert capsys.readouterr().out == ""


def test_an_unknown_exercise_is_a_wrong_call(checker):
    for call in (lambda: checker("1.1", right), lambda: checker.reset("1.1")):
        with pytest.raises(InvalidValue, match=r"no exercise '1\.1'; choose from 99\.1"):
            call()


def test_the_checks_also_check_without_asserts():
    code = "from rag_kit.teaching import check; print(check('01.2', lambda sizes, budget: []).text())"
    run = subprocess.run(
        [sys.executable, "-O", "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    assert "0 of 4 checks pass" in run.stdout


def test_the_registry_refuses_what_would_confuse():
    made = Exercise("99.1", "double it", "double", ("numbers",))
    with pytest.raises(InvalidValue, match="0 hints"):
        made.case("without a hint")
    with pytest.raises(InvalidValue, match="4 hints"):
        made.case("with too many", "a", "b", "c", "d")
    made.case("once", "Hint.")(lambda fn: None)
    with pytest.raises(InvalidValue, match="two cases named 'once'"):
        made.case("once", "Hint.")
    load_exercises()
    with pytest.raises(InvalidValue, match="registered twice"):
        exercise("01.1", "again", "again")
    with pytest.raises(InvalidValue, match="not like '01.2'"):
        exercise("1.1", "odd", "odd")


def test_the_courses_own_check_finds_its_exercises():
    assert check("01.2", lambda sizes, budget: []).exercise.title == "fill the budget"
