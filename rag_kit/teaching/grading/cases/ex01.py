"""Lesson 01, to be written: rank, fill the budget, ask or refuse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from rag_kit.refusals import REFUSAL
from rag_kit.teaching.grading.expect import (
    expect,
    expect_indices,
    expect_labelled,
    expect_messages,
    expect_text,
)
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise

RANK = exercise("01.1", "rank by cosine", "cosine_rank", "query_vector", "vectors")


def _ranks(fn: LearnerFunction, query: Any, vectors: Any, wanted: Sequence[int]) -> None:
    told = f"for the question {show(query)} and the vectors {show(vectors)}"
    expect_indices(fn(query, vectors), wanted, told)


@RANK.case(
    "the closest direction comes first",
    "The cosine of two vectors is their dot product divided by both of their lengths.",
    "Sort the indices by their cosine, highest first: sorted(range(len(vectors)), key=…).",
)
def _closest_first(fn: LearnerFunction) -> None:
    _ranks(fn, [1, 0], [[0, 1], [1, 0], [1, 1]], [1, 2, 0])


@RANK.case(
    "a long vector wins nothing by its length",
    "With the dot product alone, the longer vector wins; divide by the length of each vector.",
)
def _length_is_nothing(fn: LearnerFunction) -> None:
    _ranks(fn, [1, 0], [[10, 10], [1, 0]], [1, 0])


@RANK.case(
    "equal directions keep their order",
    "Look at the cosines themselves, with all their digits: are the two really equal?",
    "A computer's fractions differ in the last digit. Round the cosines, say to five places, before comparing.",
    "Sort by the pair (-round(cosine, 5), index).",
)
def _ties_keep_their_order(fn: LearnerFunction) -> None:
    _ranks(fn, [1, 1], [[1, 1], [3, 3], [0, 1], [1, 0]], [0, 1, 2, 3])


@RANK.case(
    "a vector of zeros comes last",
    "A vector of zeros has no direction, and dividing by its length is no good.",
    "Give it a cosine that is lower than any real one, such as -math.inf.",
)
def _zeros_last(fn: LearnerFunction) -> None:
    _ranks(fn, [1, 0], [[0, 0], [-1, 0], [0, 0], [1, 0]], [3, 1, 0, 2])


@RANK.case("arrays work like lists", hidden=True)
def _arrays(fn: LearnerFunction) -> None:
    _ranks(fn, np.array([0.0, 2.0]), np.array([[3.0, 0.0], [0.0, 0.1], [-1.0, -1.0]]), [1, 0, 2])


@RANK.case("many vectors are ranked as the cosine says", hidden=True)
def _many(fn: LearnerFunction) -> None:
    angles = [(37 * place) % 180 for place in range(40)]
    vectors = [
        [place + 1.0, (place + 1.0) * math.tan(math.radians(a / 2.1))] for place, a in enumerate(angles)
    ]
    _ranks(fn, [1.0, 0.0], vectors, sorted(range(40), key=lambda place: (angles[place], place)))


@RANK.case("no vectors give no ranks, and a question of zeros keeps the order", hidden=True)
def _nothing(fn: LearnerFunction) -> None:
    _ranks(fn, [1, 0], [], [])
    _ranks(fn, [0, 0], [[1, 0], [0, 1]], [0, 1])


FILL = exercise("01.2", "fill the budget", "fill_to_budget", "sizes", "budget")


def _fills(fn: LearnerFunction, sizes: list[int], budget: int, wanted: Sequence[int]) -> None:
    expect_indices(fn(sizes, budget), wanted, f"for the sizes {show(sizes)} and a budget of {budget}")


@FILL.case(
    "it takes what fits, best first", "Keep a running total, and take a passage while total + size fits."
)
def _takes_what_fits(fn: LearnerFunction) -> None:
    _fills(fn, [100, 200, 300], 350, [0, 1])


@FILL.case(
    "it passes over what does not fit and goes on",
    "One long passage must not shut out the shorter ones after it.",
    "That is `continue`, not `break`.",
)
def _goes_on(fn: LearnerFunction) -> None:
    _fills(fn, [100, 500, 200], 350, [0, 2])


@FILL.case("a passage that fills it exactly still fits", "At most the budget: compare with <=.")
def _fits_exactly(fn: LearnerFunction) -> None:
    _fills(fn, [200, 150, 1], 350, [0, 1])


@FILL.case(
    "rank goes before size",
    "Do not sort by size: the first passage is the best one, however long it is.",
)
def _rank_first(fn: LearnerFunction) -> None:
    _fills(fn, [300, 40, 30, 20], 350, [0, 1])


@FILL.case("nothing fits, or nothing is there", hidden=True)
def _nothing_fits(fn: LearnerFunction) -> None:
    _fills(fn, [900, 400], 350, [])
    _fills(fn, [], 350, [])
    _fills(fn, [10], 0, [])


@FILL.case("a long list is filled passage by passage", hidden=True)
def _long_list(fn: LearnerFunction) -> None:
    sizes = [(7 * place) % 50 + 10 for place in range(60)]
    wanted, total = [], 0
    for place, size in enumerate(sizes):
        if total + size <= 500:
            wanted.append(place)
            total += size
    _fills(fn, sizes, 500, wanted)


ASK = exercise("01.3", "ask or refuse", "ask_or_refuse", "question", "passages", "complete")
QUESTION = "What does the battery pack cost?"
PASSAGES = ["The battery pack costs 145 euros.", "The antenna costs 38 euros."]


class FakeModel:
    """Answers every prompt with the same text, and keeps what it was sent."""

    def __init__(self, reply: str) -> None:
        self.reply = reply
        self.prompts: list[Any] = []

    def __call__(self, messages: Any) -> str:
        """Answer."""
        self.prompts.append(deepcopy(messages))
        return self.reply

    def __repr__(self) -> str:
        return f"a model that says {self.reply!r}"


def _answers(fn: LearnerFunction, reply: str, wanted: str, passages: Sequence[str] = PASSAGES) -> None:
    model = FakeModel(reply)
    got = fn(QUESTION, list(passages), model)
    expect_text(got, wanted, f"when the model says {reply!r}")
    expect(model.prompts, "it never called complete(messages)")


@ASK.case(
    "an answer that names its source comes through",
    "Make the messages, call complete(messages) once, look at the labels in what it says, and return it.",
    "find_labels(answer) gives the labels: [mention.label for mention in find_labels(answer)].",
)
def _cited(fn: LearnerFunction) -> None:
    _answers(fn, "It costs 145 euros [1].", "It costs 145 euros [1].")


@ASK.case(
    "without a passage it refuses, and asks no model",
    "Look at the passages before you make any message.",
    "`if not passages: return REFUSAL`",
)
def _no_passage(fn: LearnerFunction) -> None:
    model = FakeModel("It costs 145 euros [1].")
    expect_text(fn(QUESTION, [], model), REFUSAL, "without passages")
    expect(not model.prompts, "it asked the model, though there was nothing to answer from")


@ASK.case(
    "the passages, their labels and the question reach the model",
    "Number the passages from 1: enumerate(passages, 1).",
    'One message is enough: {"role": "user", "content": …}, with "[1] " before the first passage.',
)
def _all_reaches_the_model(fn: LearnerFunction) -> None:
    model = FakeModel("It costs 145 euros [1].")
    fn(QUESTION, list(PASSAGES), model)
    expect(model.prompts, "it never called complete(messages)")
    said = expect_messages(model.prompts[0])
    expect_labelled(said, PASSAGES)
    expect(QUESTION in said, "the question is not in what the model reads")


@ASK.case(
    "an answer that names no source is refused",
    "When find_labels(answer) finds nothing, nobody can check the answer.",
)
def _uncited(fn: LearnerFunction) -> None:
    _answers(fn, "It costs 145 euros.", REFUSAL)


@ASK.case(
    "a label that was never shown is refused",
    "Which labels did you show? Compare each label of the answer with those.",
    'With n passages the labels shown are "[1]" to "[n]".',
)
def _unknown_label(fn: LearnerFunction) -> None:
    _answers(fn, "It costs 145 euros [12].", REFUSAL)


@ASK.case("one label that was never shown spoils the others", hidden=True)
def _half_known(fn: LearnerFunction) -> None:
    _answers(fn, "It costs 145 euros [1]. The antenna costs 38 euros [3].", REFUSAL)


@ASK.case("labels are read by their grammar, not by looking for a bracket", hidden=True)
def _grammar(fn: LearnerFunction) -> None:
    both = "The pack costs 145 euros, the antenna 38 euros [1, 2]."
    _answers(fn, both, both)
    _answers(fn, "Since [2024] it costs 145 euros.", REFUSAL)


@ASK.case("the model's own refusal is given in the kit's words", hidden=True)
def _declined(fn: LearnerFunction) -> None:
    _answers(fn, REFUSAL, REFUSAL)
    _answers(fn, REFUSAL.lower().rstrip("."), REFUSAL)
