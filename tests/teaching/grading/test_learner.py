"""Whatever a learner's function does: one clear line, from the cases' own words or from try_it."""

import io
import sys

import numpy as np
import pytest

from rag_kit.teaching import try_it
from rag_kit.teaching.grading.expect import expect, expect_error, expect_indices, expect_messages, expect_text
from rag_kit.teaching.grading.registry import Exercise
from rag_kit.teaching.grading.running import run_cases


@pytest.fixture
def double():
    made = Exercise("99.1", "double it", "double", ("numbers",))

    @made.case("doubles each", "Multiply.")
    def _each(fn):
        expect_indices(fn([1, 2]), [2, 4], "for [1, 2]")

    made.case("an empty list stays empty", "It has no element.")(lambda fn: fn([]))
    return made


def first(double, fn):
    return run_cases(double, fn)[0]


def right(numbers):
    return [2 * n for n in numbers]


def unwritten(numbers):
    raise NotImplementedError("Exercise 99.1: double it")


def prints(numbers):
    sys.stdout.write("doubled!\n")


def mutates(numbers):
    numbers.append(1)
    return numbers


def prints_without_end(numbers):
    for _ in range(100_000):
        sys.stdout.write("x" * 100)


def leaves(numbers):
    sys.exit(0)


def interrupted(numbers):
    raise KeyboardInterrupt


def recurses(numbers):
    return recurses(numbers)


def breaks(numbers):
    total = 0
    return numbers[total + 9]


def asserts(numbers):
    raise AssertionError("mine")


def unspeakable(numbers):
    class Odd:
        def __repr__(self):
            raise ValueError

    return Odd()


async def waits(numbers):
    return numbers


@pytest.mark.parametrize(
    ("fn", "said"),
    [
        (lambda numbers: None, "it returned None: end it with `return …`"),
        (prints, "(it printed 'doubled!')"),
        (prints_without_end, "it returned None"),
        (mutates, "it changes `numbers`, which belongs to whoever calls it"),
        (lambda numbers: "24", "it returned the str '24', not a list"),
        (lambda numbers: (n for n in [2, 4]), "it returned a generator: put list(…) around it"),
        (lambda numbers: [2.0, 4.0], "holds 2.0: no whole number"),
        (lambda numbers: [True, 4], "holds True: no whole number"),
        (lambda numbers: {2, 4}, "it returned the set {2, 4}, not a list"),
        (waits, "write `def`, not `async def`"),
        (unspeakable, "a Odd that cannot be shown"),
        (lambda: [2, 4], "it cannot be called with (numbers): too many positional arguments"),
        (leaves, "it ends the program"),
        (recurses, "it calls itself without end"),
        (breaks, "it raised IndexError: list index out of range (line 3 of breaks)"),
        (asserts, "it raised AssertionError: mine"),
        ([2, 4], "this needs the function itself, by its name and without brackets; it got [2, 4]"),
    ],
)
def test_a_clear_line_for_whatever_a_function_does(double, fn, said):
    row = first(double, fn)
    assert row.status == "fail"
    assert said in row.message
    assert "\n" not in row.message
    assert len(row.message) < 520


def test_an_interrupted_loop_stops_the_check(double):
    rows = run_cases(double, interrupted)
    assert "is there a loop that never ends?" in rows[0].message
    assert rows[1].message == "not run, as the one before was stopped"


def test_arguments_inside_arguments_are_compared(double):
    def reaches_inside(index):
        index["rows"][0][0] = 9
        return []

    made = Exercise("99.2", "read it", "read", ("index",))
    made.case("leaves the index alone", "Copy.")(lambda fn: fn({"rows": [np.array([1.0, float("nan")])]}))
    assert "it changes `index`" in run_cases(made, reaches_inside)[0].message
    assert run_cases(made, lambda index: [])[0].status == "pass"


def test_objects_without_equality_are_no_change():
    made = Exercise("99.6", "keep it", "keep", ("things",))
    made.case("keeps them", "Keep.")(lambda fn: expect(fn([object()]) is not None, "none"))
    assert run_cases(made, lambda things: things)[0].status == "pass"


def test_a_model_that_is_handed_over_is_the_very_one(double):
    seen = []
    made = Exercise("99.3", "call it", "call", ("model",))
    made.case("calls it", "Call.")(lambda fn: fn({"model": seen.append}))
    run_cases(made, lambda models: models["model"]("hello"))
    assert seen == ["hello"]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (None, "it returned None"),
        ("hello", "it returned the str 'hello', not a list"),
        ([], "no message in the list"),
        (["hello"], "'hello' is no message"),
        ([{"role": "user"}], "is no message"),
        ([{"role": "boss", "content": "x"}], "'boss' is no role"),
        ([{"role": "system", "content": "x"}], "the last message is not from the user"),
    ],
)
def test_messages_that_are_none_are_told(messages, said):
    with pytest.raises(AssertionError) as error:
        expect_messages(messages)
    assert said in str(error.value)


def test_an_expected_error_has_to_be_that_error():
    made = Exercise("99.4", "refuse it", "refuse", ("value",))
    made.case("raises", "Raise.")(
        lambda fn: expect(expect_error(fn, ValueError, 1, said="for 1") == "no", "words")
    )

    def raises(error):
        def fn(value):
            raise error

        return fn

    assert run_cases(made, raises(ValueError("no")))[0].status == "pass"
    assert run_cases(made, raises(KeyError("k")))[0].message.startswith("for 1 it raised KeyError: 'k'")
    assert run_cases(made, lambda value: 5)[0].message == "for 1 it returned 5; expected a ValueError"
    assert run_cases(made, raises(NotImplementedError()))[0].status == "todo"


def test_a_case_that_stumbles_is_the_functions_failure_and_not_a_crash():
    made = Exercise("99.5", "say it", "say", ())
    made.case("says", "Say.")(lambda fn: expect_text(fn().strip(), "x", "it"))
    row = run_cases(made, lambda: 5)[0]
    assert row.status == "fail"
    assert "what came back could not be used" in row.message


def test_try_it_shows_the_value_the_stub_or_the_error_in_one_line():
    assert repr(try_it(right, [1, 2])) == "right([1, 2]) → [2, 4]"
    assert repr(try_it(unwritten, [1])) == "unwritten([1]) → not written yet (Exercise 99.1: double it)"
    assert (
        repr(try_it(breaks, [1]))
        == "breaks([1]) → it raised IndexError: list index out of range (line 3 of breaks)"
    )
    assert repr(try_it(leaves, [1])).endswith("it ends the program: return a value instead of calling exit()")
    assert repr(try_it(prints, [1])) == "prints([1]) → None\nprinted:\ndoubled!"
    assert "it changes `argument 1`" in repr(try_it(mutates, [1]))
    assert repr(try_it(sorted, [2, 1], reverse=True)) == "sorted([2, 1], reverse=True) → [2, 1]"


def test_try_it_shows_a_longer_text_as_it_stands_and_escapes_it():
    shown = try_it(io.StringIO("a\n<b>").read)
    assert repr(shown) == "read() →\na\n<b>"
    assert "&lt;b&gt;</pre>" in shown.bundle["text/html"]


def test_try_it_shows_no_address():
    assert repr(try_it(lambda *given: given[0], [object()], right)).endswith(", right) → [<object object>]")
