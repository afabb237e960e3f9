"""Lesson 05, to be written: metrics of a ranking, what became of each passage, and a number of candidates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rag_kit.teaching.grading.expect import expect, expect_value
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise

SCORE = exercise("05.2", "three metrics", "score", "ranked", "relevant", "k")
NAMES = ("recall", "reciprocal rank", "ndcg")


def _scores(fn: LearnerFunction, ranked: Sequence[str], relevant: set[str], k: int, *wanted: float) -> None:
    """Compare the metrics, as many as are given, with the values worked out by hand."""
    got = fn(list(ranked), set(relevant), k)
    told = f"for {show(list(ranked))}, the relevant {show(sorted(relevant))} and k = {k}"
    expect_value(got, dict, told)
    for name, value in zip(NAMES, wanted, strict=False):
        expect(name in got, f"{told} the result has no {name!r}: it has {show(sorted(map(str, got)))}")
        given = got[name]
        expect(
            isinstance(given, (int, float)) and not isinstance(given, bool) and math.isfinite(given),
            f"{told} {name} is {show(given)}, which is no number",
        )
        expect(
            abs(given - value) < 1e-6,
            f"{told} {name} is {round(float(given), 4)}; expected {round(value, 4)}",
        )


def _gain(*places: int) -> float:
    return sum(1 / math.log2(1 + place) for place in places)


@SCORE.case(
    "recall and reciprocal rank",
    "Go through ranked[:k] with enumerate(…, start=1), and keep the places of relevant ids.",
    "Recall is how many there are, divided by len(relevant); reciprocal rank is 1 / the first place.",
)
def _first_two(fn: LearnerFunction) -> None:
    _scores(fn, "XABY", {"A", "B"}, 4, 1.0, 1 / 2)
    _scores(fn, "XYAZ", {"A", "B"}, 4, 1 / 2, 1 / 3)


@SCORE.case(
    "nDCG weighs the places, and compares with the best order",
    "The gain of a place is 1 / math.log2(1 + place); the first place gains 1.",
    "The best order has its relevant ids at 1, 2, 3 … up to len(relevant): divide by the sum of their gains.",
)
def _ndcg(fn: LearnerFunction) -> None:
    _scores(fn, "XABY", {"A", "B"}, 4, 1.0, 1 / 2, _gain(2, 3) / _gain(1, 2))
    _scores(fn, "AB", {"A", "B"}, 2, 1.0, 1.0, 1.0)
    _scores(fn, "AX", {"A", "B"}, 2, 1 / 2, 1.0, 1 / _gain(1, 2))


@SCORE.case(
    "what comes after k does not count",
    "Two things are cut at k: the list, ranked[:k], and the best order.",
    "With k = 2 and three relevant ids, the best order has two of them.",
)
def _after_k(fn: LearnerFunction) -> None:
    _scores(fn, "XYA", {"A"}, 2, 0.0, 0.0, 0.0)
    _scores(fn, "AXBC", {"A", "B", "C"}, 2, 1 / 3, 1.0, 1 / _gain(1, 2))


@SCORE.case(
    "an id that comes again gains nothing, and takes up its place",
    "Before you count an id, look whether it stood earlier in the list.",
    "Do not take repeats out of the list: what comes after them would move up.",
)
def _repeats(fn: LearnerFunction) -> None:
    _scores(fn, "AAAB", {"A", "B"}, 3, 1 / 2, 1.0, 1 / _gain(1, 2))
    _scores(fn, "XXA", {"A"}, 3, 1.0, 1 / 3, _gain(3))


@SCORE.case(
    "where nothing is relevant, all are zero",
    "What do you divide by then? Ask before you divide.",
)
def _nothing(fn: LearnerFunction) -> None:
    _scores(fn, "ABC", set(), 3, 0.0, 0.0, 0.0)


@SCORE.case("a k beyond the end of the list, and an empty list", hidden=True)
def _beyond(fn: LearnerFunction) -> None:
    _scores(fn, "XA", {"A", "B"}, 10, 1 / 2, 1 / 2, _gain(2) / _gain(1, 2))
    _scores(fn, "", {"A"}, 5, 0.0, 0.0, 0.0)


@SCORE.case("repeats of an id that is not relevant, and a repeat beyond k", hidden=True)
def _more_repeats(fn: LearnerFunction) -> None:
    _scores(fn, "XXXAB", {"A", "B"}, 4, 1 / 2, 1 / 4, _gain(4) / _gain(1, 2))
    _scores(fn, "BAAA", {"A", "B", "C"}, 3, 2 / 3, 1.0, _gain(1, 2) / _gain(1, 2, 3))


FATES = exercise("05.4", "what became of each passage", "fates", "passages", "budget")


def _passage(name: str, tokens: int, copy_of: str | None = None) -> dict[str, Any]:
    return {"id": name, "tokens": tokens, "copy_of": copy_of}


def _become(fn: LearnerFunction, passages: list[dict[str, Any]], budget: int, **wanted: str) -> None:
    short = [
        f"{p['id']} {p['tokens']}" + (f" (copy of {p['copy_of']})" if p["copy_of"] else "") for p in passages
    ]
    told = f"for the passages {', '.join(short)} and a budget of {budget}"
    got = fn(passages, budget)
    expect_value(got, dict, told)
    expect(
        got == wanted and list(got) == list(wanted),
        f"{told} it returned {show(got)}; expected {show(wanted)}",
    )


@FATES.case(
    "what does not fit is passed over, and the next one has its chance",
    "Keep a sum of the tokens that are used. Compare it, with the passage's own, with the budget.",
    "Do not stop at the first that does not fit: note 'dropped' and go on.",
)
def _passed_over(fn: LearnerFunction) -> None:
    passages = [_passage("a", 60), _passage("b", 80), _passage("c", 40)]
    _become(fn, passages, 100, a="shown", b="dropped", c="shown")


@FATES.case(
    "a copy of what is shown is folded, and costs nothing",
    "Look up what became of passage['copy_of'].",
    "If that one is 'shown', this one is 'folded', and the sum stays as it is.",
)
def _copies(fn: LearnerFunction) -> None:
    passages = [_passage("a", 60), _passage("b", 60, "a"), _passage("c", 40)]
    _become(fn, passages, 100, a="shown", b="folded", c="shown")


@FATES.case(
    "a copy of what was dropped gets its own chance",
    "A copy is folded only where the words are in the prompt already.",
    "If the other one was dropped, treat this one as any other passage.",
)
def _copy_of_dropped(fn: LearnerFunction) -> None:
    passages = [_passage("a", 120), _passage("b", 90, "a")]
    _become(fn, passages, 100, a="dropped", b="shown")


@FATES.case("a copy of a copy", hidden=True)
def _chain(fn: LearnerFunction) -> None:
    passages = [_passage("a", 50), _passage("b", 50, "a"), _passage("c", 50, "b"), _passage("d", 50)]
    _become(fn, passages, 100, a="shown", b="folded", c="folded", d="shown")
    dropped = [_passage("a", 120), _passage("b", 110, "a"), _passage("c", 90, "b"), _passage("d", 90, "c")]
    _become(fn, dropped, 100, a="dropped", b="dropped", c="shown", d="folded")


@FATES.case("the budget to the last token, and none at all", hidden=True)
def _exactly(fn: LearnerFunction) -> None:
    _become(
        fn, [_passage("a", 60), _passage("b", 40), _passage("c", 1)], 100, a="shown", b="shown", c="dropped"
    )
    _become(fn, [_passage("a", 1), _passage("b", 2, "a")], 0, a="dropped", b="dropped")
    _become(fn, [], 100)


CHOOSE = exercise("05.5", "how many candidates?", "choose_candidates", "baseline", "reranked", "cost")
EASY = [1.0, 0.0] * 10


def _chooses(
    fn: LearnerFunction,
    baseline: list[float],
    reranked: Mapping[int, list[float]],
    wanted: int,
    cost: Mapping[int, int] | None = None,
) -> None:
    means = {n: round(sum(values) / len(values), 3) for n, values in reranked.items()}
    start = round(sum(baseline) / len(baseline), 3)
    costs = dict(cost or {n: n for n in reranked})
    told = f"for a mean of {start} without reranking, the means {show(means)} with it and the costs {show(costs)}"
    got = fn(baseline, dict(reranked), costs)
    expect_value(got, int, told)
    expect(got == wanted, f"{told} it chose {show(got)}; expected {wanted}")


def _with(gained: int, base: Sequence[float] = EASY) -> list[float]:
    """Return recalls that find so many of the base's lost questions as well."""
    lost = [at for at, value in enumerate(base) if value == 0.0][:gained]
    return [1.0 if at in lost else value for at, value in enumerate(base)]


@CHOOSE.case(
    "where nothing was shown to be better, there is no reranking",
    "paired_bootstrap(reranked[n], baseline).better is True only where the reranked one was shown to be better.",
    "If that holds for none of them: return 0.",
)
def _none(fn: LearnerFunction) -> None:
    _chooses(fn, EASY, {10: EASY, 50: _with(1)}, 0)


@CHOOSE.case(
    "of those that are better, the cheapest that cannot be told from the highest",
    "Find the highest of those that are better. Which cheaper ones can paired_bootstrap not tell from it?",
    "It is as in exercise 03.5: the highest, those that cannot be told from it, and of these the cheapest.",
)
def _cheapest(fn: LearnerFunction) -> None:
    _chooses(fn, EASY, {10: _with(8), 20: _with(9), 50: _with(8)}, 10)


@CHOOSE.case(
    "one that costs more is taken where it was shown to be better than the cheaper ones",
    "Compare each with the highest: paired_bootstrap(reranked[highest], reranked[n]).better is None.",
)
def _dearer(fn: LearnerFunction) -> None:
    hard = [0.0] * 20
    _chooses(fn, hard, {10: _with(6, hard), 50: [1.0] * 20}, 50)


@CHOOSE.case(
    "the cost decides, and not the number of candidates",
    "Fifty may be cheaper than twenty, where their sentences are remembered. Which numbers say what is cheap?",
    "min(…, key=lambda n: cost[n]) and not min(…).",
)
def _cost(fn: LearnerFunction) -> None:
    hard = [0.0] * 20
    _chooses(fn, hard, {20: [1.0] * 20, 50: [1.0] * 19 + [0.0]}, 50, {20: 900, 50: 100})


@CHOOSE.case("what is worse than no reranking is never taken", hidden=True)
def _worse(fn: LearnerFunction) -> None:
    fine = [1.0] * 16 + [0.0] * 4
    _chooses(fn, fine, {10: [0.0] * 20, 50: [1.0] * 8 + [0.0] * 12}, 0)


@CHOOSE.case(
    "one that is tied with the highest, and not better than the baseline, does not count", hidden=True
)
def _tied_with_both(fn: LearnerFunction) -> None:
    base = [0.0] * 24
    middle = [0.0] * 12 + [1.0] * 3 + [0.0] * 9
    top = [1.0] * 5 + [0.0] * 19
    _chooses(fn, base, {10: middle, 50: top}, 50)


@CHOOSE.case("of equal ones the cheapest, in whatever order they come", hidden=True)
def _equal(fn: LearnerFunction) -> None:
    hard = [0.0] * 20
    _chooses(fn, hard, {50: [1.0] * 20, 20: [1.0] * 20, 10: [1.0] * 20}, 10)
    _chooses(fn, hard, {20: [1.0] * 20}, 20)
