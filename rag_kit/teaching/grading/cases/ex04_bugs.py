"""Lesson 04, to be mended: a search that filters last, told by what a visitor sees."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rag_kit.teaching.grading.expect import expect, expect_value
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise

SEARCH = exercise("04.4", "the score that tells", "search", "query", "passages", "tags", "top_k")
Passage = tuple[str, tuple[str, ...], list[str]]
FAQ: Passage = ("faq", ("public",), ["battery", "pack", "year"])
NEWS: Passage = ("news", ("public",), ["larkspur", "meter"])
RECALL: Passage = ("recall", ("support",), ["battery", "recall"])
MARGIN: Passage = ("margin", ("finance",), ["battery", "margin"])
MEMO: Passage = ("memo", ("legal",), ["larkspur", "leave", "us"])
PRIVATE: Passage = ("private", (), ["battery", "larkspur"])


def _finds(
    fn: LearnerFunction, query: list[str], passages: Sequence[Passage], tags: tuple[str, ...], top_k: int
) -> list[tuple[str, float]]:
    """Call the learner's function and look at the shape of what came back."""
    got = fn(query, list(passages), tags, top_k)
    told = _told(query, passages, tags, top_k)
    expect_value(got, list, told.rstrip(":"))
    for item in got:
        expect(
            isinstance(item, (tuple, list)) and len(item) == 2,
            f"{told} it returned {show(item)} among the results; expected (id, score)",
        )
    return [(str(name), float(score)) for name, score in got]


def _told(query: list[str], passages: Sequence[Passage], tags: tuple[str, ...], top_k: int) -> str:
    names = [name for name, _, _ in passages]
    return f"for {show(query)} over {show(names)} with the tags {show(tags)} and top_k {top_k}:"


def _names(
    fn: LearnerFunction,
    query: list[str],
    passages: Sequence[Passage],
    tags: tuple[str, ...],
    top_k: int,
    wanted: list[str],
) -> None:
    got = [name for name, _ in _finds(fn, query, passages, tags, top_k)]
    expect(
        got == wanted,
        f"{_told(query, passages, tags, top_k)} it found {show(got)}; expected {show(wanted)}",
    )


def _as_if_alone(
    fn: LearnerFunction, query: list[str], passages: Sequence[Passage], tags: tuple[str, ...], top_k: int = 9
) -> None:
    """Compare with a search over what may be seen alone."""
    alone = [passage for passage in passages if set(passage[1]) & set(tags)]
    with_hidden = _finds(fn, query, passages, tags, top_k)
    without = _finds(fn, query, alone, tags, top_k)
    same = [name for name, _ in with_hidden] == [name for name, _ in without] and all(
        math.isclose(one, other, abs_tol=1e-6)
        for (_, one), (_, other) in zip(with_hidden, without, strict=True)
    )
    told = _told(query, passages, tags, top_k)
    expect(same, f"{told} it found {show(with_hidden)}; without the hidden ones it finds {show(without)}")


@SEARCH.case(
    "hidden passages take no places",
    "The best top_k are taken first, and then the hidden ones are taken out. What if all of them are hidden?",
    "Begin with what may be seen: visible = [… for … in passages if set(allowed) & set(tags)].",
)
def _places(fn: LearnerFunction) -> None:
    _names(fn, ["battery", "recall", "margin"], [FAQ, NEWS, RECALL, MARGIN], ("public",), 2, ["faq"])


@SEARCH.case(
    "hidden passages do not move the scores",
    "Which passages do `total` and `holding` count?",
    "Both have to be counted over the visible ones: len(visible), and the terms of visible.",
)
def _scores(fn: LearnerFunction) -> None:
    _as_if_alone(fn, ["larkspur"], [FAQ, NEWS, MEMO], ("public",))


@SEARCH.case(
    "who holds more tags sees more, and one shared tag is enough",
    "set(allowed) & set(tags) is true where one tag is shared.",
)
def _more(fn: LearnerFunction) -> None:
    passages = [FAQ, NEWS, RECALL, MARGIN, MEMO]
    _names(fn, ["battery", "recall", "margin"], passages, ("public", "support"), 2, ["recall", "faq"])


@SEARCH.case(
    "a passage without tags is private: it is not found, and moves nothing",
    "Is it *found*? Then set() & set(tags) was taken as open to all; it is empty, so nothing is shared. Is it not "
    "found, and the *scores* differ? Then `total` or `holding` counts it.",
)
def _private(fn: LearnerFunction) -> None:
    _names(fn, ["battery"], [PRIVATE, FAQ], ("public",), 5, ["faq"])
    _as_if_alone(fn, ["battery", "larkspur"], [PRIVATE, FAQ, NEWS], ("public",))
    _names(fn, ["battery"], [PRIVATE], (), 5, [])


@SEARCH.case("hidden words, hidden passages without them, and many of both move nothing", hidden=True)
def _nothing_moves(fn: LearnerFunction) -> None:
    other: Passage = ("other", ("legal",), ["nothing", "of", "it"])
    for hidden in ([MEMO], [other], [MEMO, MEMO, other], [RECALL, MARGIN, MEMO, PRIVATE] * 5):
        for query in (["larkspur"], ["battery", "larkspur"], ["pack", "meter", "us"]):
            _as_if_alone(fn, query, [*hidden, FAQ, NEWS], ("public",))
            _as_if_alone(fn, query, [*hidden, FAQ, NEWS], ("public",), 1)


@SEARCH.case("the scores are still those of the formula", hidden=True)
def _formula(fn: LearnerFunction) -> None:
    both: Passage = ("both", ("public",), ["battery", "larkspur"])
    [(first, high), *rest] = _finds(fn, ["larkspur", "battery"], [FAQ, NEWS, both, MEMO], ("public",), 9)
    half = math.log(1 + 1.5 / 2.5)
    right = first == "both" and math.isclose(high, 2 * half, abs_tol=2e-3)
    alike = [name for name, _ in rest] == ["faq", "news"]
    expect(right and alike, f"for larkspur and battery it found {show([(first, high), *rest])}")


@SEARCH.case("no more than top_k, and nothing without a word of the query", hidden=True)
def _top_k(fn: LearnerFunction) -> None:
    _names(fn, ["battery", "larkspur"], [FAQ, NEWS], ("public",), 1, ["faq"])
    _names(fn, ["battery", "margin"], [FAQ, NEWS, MARGIN], ("public",), 1, ["faq"])
    _names(fn, ["nowhere"], [FAQ, NEWS], ("public",), 5, [])
    _names(fn, [], [FAQ], ("public",), 5, [])
    _names(fn, ["battery"], [], ("public",), 5, [])
