"""Lesson 05, to be mended: a reranker with three bugs, told by what a customer sees."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rag_kit.teaching.grading.expect import expect, expect_value
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise

MEND = exercise(
    "05.3", "three bugs in one reranker", "fold_and_rerank", "candidates", "model", "threshold", "top_n"
)
Model = Callable[[Sequence[str]], list[float]]


def _candidates(**texts: str) -> list[dict[str, str]]:
    return [{"id": name, "text": text} for name, text in texts.items()]


def _model(logits: Mapping[str, float], asked: list[str] | None = None) -> Model:
    """Return a model that gives each text its logit, and notes what it was asked."""

    def score(texts: Sequence[str]) -> list[float]:
        if asked is not None:
            asked.extend(texts)
        return [logits[text] for text in texts]

    return score


def _reranks(
    fn: LearnerFunction,
    candidates: list[dict[str, str]],
    logits: Mapping[str, float],
    wanted: Sequence[str],
    *,
    threshold: float = 0.0,
    top_n: int = 10,
) -> list[tuple[str, float]]:
    texts = ", ".join(f"{c['id']} {c['text']!r} with logit {logits[c['text']]}" for c in candidates)
    told = f"for {texts or 'no candidates'}, a threshold of {threshold} and top_n {top_n}"
    got: Any = fn(candidates, _model(logits), threshold, top_n)
    expect_value(got, list, told)
    for item in got:
        expect(
            isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[1], float),
            f"{told} it returned {show(item)} in the list; expected (id, probability)",
        )
    names = [item[0] for item in got]
    expect(names == list(wanted), f"{told} these came back: {show(names)}; expected {show(list(wanted))}")
    return [(name, value) for name, value in got]


@MEND.case(
    "each score stays with the text that it was given for",
    "Which list did the model score, and which one is in the zip?",
    "zip cuts the longer list without a word. Say zip(…, strict=True), and Python tells you where they differ.",
)
def _aligned(fn: LearnerFunction) -> None:
    logits = {"same": -3.0, "good": 3.0, "poor": -1.0}
    _reranks(fn, _candidates(a="same", b="same", c="good", d="poor"), logits, ["c", "d", "a"])


@MEND.case(
    "the threshold is a probability, and the score is squashed once",
    "What is squash(0.1)? And squash of a probability of nearly zero?",
    "The scores were squashed where they were made: compare them as they are.",
)
def _threshold(fn: LearnerFunction) -> None:
    logits = {"good": 3.0, "poor": -3.0, "even": 0.0}
    found = _reranks(fn, _candidates(a="good", b="poor", c="even"), logits, ["a", "c"], threshold=0.5)
    expect(
        abs(found[0][1] - 1 / (1 + math.exp(-3.0))) < 1e-6,
        f"for a logit of 3.0 the probability is {round(found[0][1], 4)}; expected 0.9526: squashed once",
    )


@MEND.case(
    "no more than top_n come back",
    "Where is top_n used?",
    "Cut at the very end, when the order is right: …[:top_n].",
)
def _top_n(fn: LearnerFunction) -> None:
    logits = {"one": 1.0, "two": 2.0, "three": 3.0}
    _reranks(fn, _candidates(a="one", b="two", c="three"), logits, ["c", "b"], top_n=2)


@MEND.case("copies before, between and after the others", hidden=True)
def _copies(fn: LearnerFunction) -> None:
    logits = {"x": 1.0, "y": 2.0, "z": -2.0}
    given = _candidates(a="x", b="y", c="x", d="y", e="z", f="x")
    _reranks(fn, given, logits, ["b", "a", "e"])
    _reranks(fn, given, logits, ["b", "a"], threshold=0.6)


@MEND.case("a high threshold, one that nothing reaches, and no candidates", hidden=True)
def _high(fn: LearnerFunction) -> None:
    logits = {"sure": 4.0, "likely": 1.0}
    _reranks(fn, _candidates(a="likely", b="sure"), logits, ["b"], threshold=0.9)
    _reranks(fn, _candidates(a="likely", b="sure"), logits, [], threshold=0.99)
    _reranks(fn, [], {}, [])


@MEND.case("the best are taken, and not the first", hidden=True)
def _best_not_first(fn: LearnerFunction) -> None:
    logits = {f"text {at}": float(at) for at in range(6)}
    given = _candidates(**{f"c{at}": f"text {at}" for at in range(6)})
    _reranks(fn, given, logits, ["c5"], top_n=1)
    _reranks(fn, given, logits, ["c5", "c4", "c3"], threshold=0.5, top_n=3)


@MEND.case("a copy is scored once, and equal scores keep their order", hidden=True)
def _once(fn: LearnerFunction) -> None:
    asked: list[str] = []
    fn(_candidates(a="x", b="x", c="y"), _model({"x": 0.0, "y": 0.0}, asked), 0.0, 5)
    expect(asked == ["x", "y"], f"the model was asked for {show(asked)}; expected each text once, in order")
    logits = {"x": 1.0, "y": 1.0, "z": 1.0}
    _reranks(fn, _candidates(a="x", b="x", c="y", d="z"), logits, ["a", "c"], top_n=2)
