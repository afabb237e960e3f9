"""Lesson 04, to be written: reciprocal rank fusion, and the choice of its setting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rag_kit.teaching.grading.expect import expect, expect_value
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise

FUSE = exercise("04.3", "reciprocal rank fusion", "fuse", "lists")
Lists = dict[str, list[str]]
_LONGEST = 140
"""Characters of the lists that a message shows: whoever reads it has to be able to try the case."""


def _fuses(fn: LearnerFunction, lists: Lists, wanted: Sequence[tuple[str, float]], **knobs: Any) -> None:
    said = "".join(f", {name}={show(value)}" for name, value in knobs.items())
    told = f"for {show(lists, _LONGEST)}{said}:"
    got = list(_pairs_of(fn(lists, **knobs), told))
    names = [name for name, _ in got]
    expect(
        names == [name for name, _ in wanted],
        f"{told} the order is {show(names)}; expected {show([name for name, _ in wanted])}",
    )
    for (name, score), (_, right) in zip(got, wanted, strict=True):
        near = math.isclose(score, right, abs_tol=1e-6)
        expect(near, f"{told} {name} has the score {score:.6f}; expected {right:.6f}")


def _pairs_of(got: Any, told: str) -> list[tuple[str, float]]:
    expect_value(got, list, told.rstrip(":"))
    for item in got:
        shaped = isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[0], str)
        number = shaped and isinstance(item[1], (int, float, np.number)) and not isinstance(item[1], bool)
        expect(number, f"{told} it returned {show(item)} among the results; expected (id, score)")
    return [(name, float(score)) for name, score in got]


def _rrf(*ranks: float, k: float = 60) -> float:
    return math.fsum(1 / (k + rank) for rank in ranks)


PAPER = {"meaning": ["A", "B", "C"], "words": ["D", "E", "C"]}


@FUSE.case(
    "each list gives 1 / (k + rank), and ranks count from 1",
    "for rank, item in enumerate(ids, start=1): …",
    "Add up in a dict: scores[item] = scores.get(item, 0) + 1 / (k + rank).",
)
def _adds(fn: LearnerFunction) -> None:
    wanted = [("C", _rrf(3, 3)), ("A", _rrf(1)), ("D", _rrf(1)), ("B", _rrf(2)), ("E", _rrf(2))]
    _fuses(fn, PAPER, wanted)


@FUSE.case(
    "equal scores go by the best rank, and then by the id",
    "If a *score* is wrong here, mend the first row first. If the order is: keep the best rank of each id beside "
    "its score.",
    "sorted(…, key=lambda pair: (-pair[1], best[pair[0]], pair[0]))",
)
def _ties(fn: LearnerFunction) -> None:
    _fuses(fn, {"one": ["z", "a"], "two": ["a", "z"]}, [("a", _rrf(1, 2)), ("z", _rrf(1, 2))])
    # 1/(0+2) from one list, or 1/(0+4) from each of two.
    lists = {"one": ["x", "p", "y", "q"], "two": ["x", "z", "w", "q"]}
    wanted = [("x", 2.0), ("p", 0.5), ("z", 0.5), ("q", 0.5), ("w", 1 / 3), ("y", 1 / 3)]
    _fuses(fn, lists, wanted, k=0)


@FUSE.case(
    "a list counts with its weight",
    "(weights or {}).get(name, 1) is the weight of a list, whether weights has it or not.",
)
def _weighted(fn: LearnerFunction) -> None:
    wanted = [("D", 2 / 61), ("B", 2 / 62), ("A", 1 / 61)]
    _fuses(fn, {"meaning": ["A"], "words": ["D", "B"]}, wanted, weights={"words": 2})


@FUSE.case(
    "an id that stands only in a list of weight 0 comes back too, with 0",
    "0 / (k + rank) is 0, and it is a score: the id still gets its place in the dict.",
)
def _silent(fn: LearnerFunction) -> None:
    lists = {"meaning": ["A"], "words": ["B"]}
    _fuses(fn, lists, [("A", 1 / 61), ("B", 0.0)], weights={"meaning": 1, "words": 0})


@FUSE.case(
    "an id that a list names twice counts once, and what follows moves up",
    "list(dict.fromkeys(ids)) keeps each id once, where it stands first.",
    "Count the ranks over what is left: for rank, item in enumerate(dict.fromkeys(ids), start=1): …",
)
def _duplicates(fn: LearnerFunction) -> None:
    lists = {"dense": ["A", "A", "A", "B"], "bm25": ["B", "C"]}
    _fuses(fn, lists, [("B", _rrf(2, 1)), ("A", _rrf(1)), ("C", _rrf(2))])
    _fuses(fn, {"one": ["A", "B", "A", "C"]}, [("A", _rrf(1)), ("B", _rrf(2)), ("C", _rrf(3))])


@FUSE.case(
    "the same numbers, added up in another order, are equal",
    "0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last digit. Round before you sort.",
    "rounded = {item: round(score, 9) for item, score in scores.items()}",
)
def _rounded(fn: LearnerFunction) -> None:
    # Ranks 1, 2, 4 and 4, 1, 2: with k = 10 their sums differ in the last bit.
    lists = {"one": ["y", "p", "q", "x"], "two": ["x", "y"], "three": ["s", "x", "t", "y"]}
    told = f"for {show(lists, _LONGEST)}, k=10:"
    names = list(dict(_pairs_of(fn(lists, k=10), told)))[:2]
    expect(names == ["x", "y"], f"{told} the order begins with {show(names)}; expected ['x', 'y']")


@FUSE.case("k of 0 and of 1, one list, an empty list, and none", hidden=True)
def _edges(fn: LearnerFunction) -> None:
    _fuses(fn, {}, [])
    _fuses(fn, {"one": [], "two": ["A"]}, [("A", _rrf(1))])
    _fuses(fn, {"one": ["A", "B"]}, [("A", 1.0), ("B", 0.5)], k=0)
    third = [("A", 0.5), ("D", 0.5), ("C", 0.5), ("B", 1 / 3), ("E", 1 / 3)]
    _fuses(fn, PAPER, third, k=1)


@FUSE.case("a weight of 0 and one below 1 count as they are", hidden=True)
def _small_weights(fn: LearnerFunction) -> None:
    weights = {"meaning": 0.5, "words": 0.25}
    wanted = [("A", 0.5 / 61), ("B", 0.5 / 62), ("D", 0.25 / 61)]
    _fuses(fn, {"meaning": ["A", "B"], "words": ["D"]}, wanted, weights=weights)
    silent = [("A", 1 / 61), ("B", 1 / 62)]
    got = _pairs_of(
        fn({"meaning": ["A", "B"], "words": ["B", "A"]}, weights={"words": 0}), "with a weight of 0"
    )
    near = [
        math.isclose(score, right, abs_tol=1e-6) for (_, score), (_, right) in zip(got, silent, strict=True)
    ]
    expect(all(near) and [n for n, _ in got] == ["A", "B"], f"a list of weight 0 has a say: {show(got)}")


DECIDE = exercise("04.5", "choose, then defend", "decide", "tune", "report", "usual")
Recalls = dict[str, list[float]]


def _decides(fn: LearnerFunction, tune: Recalls, report: Recalls, chosen: str, taken: str | None) -> None:
    """Compare the setting that is chosen and, where ``taken`` is one, the setting that is taken."""
    means = {
        half: {name: round(sum(held) / len(held), 3) for name, held in values.items()}
        for half, values in (("tune", tune), ("report", report))
    }
    told = f"for the means {show(means, 160)} and the usual setting 'usual':"
    got = fn(tune, report, "usual")
    expect(
        isinstance(got, (tuple, list)) and len(got) == 2,
        f"{told} it returned {show(got)}; expected (chosen, taken)",
    )
    expect(got[0] == chosen, f"{told} it chose {show(got[0])}; expected {chosen!r}")
    expect(taken in (None, got[1]), f"{told} it took {show(got[1])}; expected {taken!r}")


@DECIDE.case(
    "the half that chooses chooses",
    "The mean of a setting is sum(recalls) / len(recalls); look at tune alone.",
    "The setting whose mean is max(means.values()) is chosen, whatever `report` says of it.",
)
def _chooses(fn: LearnerFunction) -> None:
    tune = {"usual": [0.0, 1.0] * 5, "other": [1.0] * 10, "third": [0.0] * 10}
    _decides(fn, tune, {name: [1.0, 0.0] * 5 for name in tune}, "other", None)


@DECIDE.case(
    "of equal ones the usual one, or else the first",
    "Collect all settings whose mean is the highest, and look whether the usual one is among them.",
    "highest = [name for name in means if means[name] == max(means.values())], then highest[0].",
)
def _equal(fn: LearnerFunction) -> None:
    same = [0.5, 1.0, 0.0, 0.5]
    report = {name: [0.5] * 4 for name in ("a", "usual", "b", "c")}
    _decides(fn, {"a": same, "usual": same, "b": same}, report, "usual", None)
    _decides(fn, {"c": same, "usual": [0.0] * 4, "a": same, "b": same[::-1]}, report, "c", None)


@DECIDE.case(
    "a setting that the other half shows to be better is taken",
    "paired_bootstrap(report[chosen], report[usual]).better is True where the chosen one is better.",
)
def _taken(fn: LearnerFunction) -> None:
    values = {"usual": [0.0] * 20, "other": [1.0] * 20}
    _decides(fn, values, values, "other", "other")


@DECIDE.case(
    "where no difference is shown, the usual one stays",
    "`better` is True, False or None. Ask paired_bootstrap(report[chosen], report[usual]).better, not which mean "
    "is higher, and take the chosen one only where it is True: `if better:` is enough.",
)
def _stays(fn: LearnerFunction) -> None:
    tune = {"usual": [0.0] * 20, "other": [1.0] * 20}
    report = {"usual": [1.0, 0.0] * 10, "other": [0.0, 1.0] * 9 + [1.0, 1.0]}
    _decides(fn, tune, report, "other", "usual")


@DECIDE.case("the half that reports has no say in the choice", hidden=True)
def _no_peeking(fn: LearnerFunction) -> None:
    tune = {"usual": [0.5] * 20, "lucky": [0.6] * 20, "good": [0.4] * 20}
    report = {"usual": [0.5] * 20, "lucky": [0.4] * 20, "good": [1.0] * 20}
    _decides(fn, tune, report, "lucky", "usual")


@DECIDE.case("of equal ones, what is taken", hidden=True)
def _equal_taken(fn: LearnerFunction) -> None:
    same = [0.5, 1.0, 0.0, 0.5]
    report = {name: [0.5] * 4 for name in ("a", "usual", "b", "c")}
    _decides(fn, {"a": same, "usual": same, "b": same}, report, "usual", "usual")
    _decides(fn, {"c": same, "usual": [0.0] * 4, "a": same, "b": same[::-1]}, report, "c", "usual")


@DECIDE.case("a difference is judged question by question", hidden=True)
def _paired(fn: LearnerFunction) -> None:
    # The questions differ far more than the settings do, and one is a little better on every one of them.
    hard = [place / 20 for place in range(20)]
    values = {"usual": hard, "other": [score + 0.04 for score in hard]}
    _decides(fn, values, values, "other", "other")


@DECIDE.case("a higher mean on the half that reports is not enough", hidden=True)
def _higher_mean(fn: LearnerFunction) -> None:
    tune = {"usual": [0.0] * 10, "other": [1.0] * 10}
    report = {"usual": [0.0, 1.0, 1.0, 0.0, 1.0, 0.0], "other": [1.0, 0.0, 1.0, 0.0, 1.0, 1.0]}
    _decides(fn, tune, report, "other", "usual")
