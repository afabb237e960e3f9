"""Lesson 01, to be mended: two real bugs, told by what they look like from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rag_kit.refusals import REFUSAL
from rag_kit.teaching.grading.expect import (
    expect,
    expect_error,
    expect_labelled,
    expect_messages,
    expect_text,
)
from rag_kit.teaching.grading.learner import LearnerFunction
from rag_kit.teaching.grading.registry import exercise

QUESTION = "What does the battery pack cost?"
PASSAGES = ["The battery pack costs 145 euros.", "The antenna costs 38 euros."]

SPY = exercise("01.4", "the context that never reaches the model", "build_messages", "question", "passages")


def _built(fn: LearnerFunction, passages: Sequence[str]) -> str:
    return expect_messages(fn(QUESTION, list(passages)))


@SPY.case(
    "every passage reaches the model",
    "Read what was recorded, from the first character on. What stands where the passages should be?",
    "str.replace says nothing when it finds nothing to replace. Compare the two names in curly brackets.",
)
def _passages_arrive(fn: LearnerFunction) -> None:
    expect_labelled(_built(fn, PASSAGES), PASSAGES)


@SPY.case(
    "no place is left unfilled, and the question comes last",
    "A template that is still a template has curly brackets in it.",
)
def _all_filled(fn: LearnerFunction) -> None:
    said = _built(fn, PASSAGES)
    for place in re.findall(r"\{\w+\}", said):
        raise AssertionError(f"{place} is still there: nothing was put in its place")
    expect(said.rstrip().endswith(QUESTION), "the question does not stand at the end, after the passages")


@SPY.case("curly brackets inside a passage stay as they are", hidden=True)
def _braces(fn: LearnerFunction) -> None:
    passages = ["Write {question} and {sources} into your template.", "The code is {context}."]
    expect_labelled(_built(fn, passages), passages)


@SPY.case("a dozen passages arrive in order, word for word", hidden=True)
def _dozen(fn: LearnerFunction) -> None:
    passages = [f"Part {place} costs\n  {place} euros & more." for place in range(1, 13)]
    expect_labelled(_built(fn, passages), passages)


MATCH = exercise(
    "01.5", "the mismatch that looks like an honest refusal", "best_passage", "question", "index", "embedders"
)
LEAVE, PRICE = "Annual leave is 28 days.", "The battery has a price of 145 euros."


def word_counter(words: Sequence[str]) -> Callable[[str], list[float]]:
    """Make an embedder that counts words: the share of each of its words in a text."""

    def embed(text: str) -> list[float]:
        said = re.findall(r"[a-z]+", text.lower())
        return [said.count(word) / len(said) for word in words]

    return embed


_KNOWN, _OTHERS = (
    ["annual", "leave", "days", "battery", "price"],
    ["parcel", "refund", "travel", "wage", "desk"],
)
EMBEDDERS = {"words-1": word_counter(_KNOWN + _OTHERS), "words-2": word_counter(_OTHERS + _KNOWN)}


def _index(embedder: str, texts: Sequence[str] = (LEAVE, PRICE)) -> dict[str, Any]:
    vectors = [np.array(EMBEDDERS[embedder](text)) for text in texts]
    return {
        "embedder": embedder,
        "texts": list(texts),
        "vectors": [(vector / np.linalg.norm(vector)).tolist() for vector in vectors],
    }


def _finds(fn: LearnerFunction, embedder: str, question: str, wanted: str) -> None:
    expect_text(
        fn(question, _index(embedder), EMBEDDERS), wanted, f"for {question!r} over an index by {embedder}"
    )


@MATCH.case(
    "a question in the passage's own words finds it",
    "Print the scores. An honest refusal has scores below the threshold; how many of these are exactly zero?",
    'Which embedder made the index, and which one reads the question? index["embedder"] tells.',
    "The index holds vectors of length one. Is the question's vector of length one?",
)
def _own_words(fn: LearnerFunction) -> None:
    _finds(fn, "words-1", "annual leave days", LEAVE)
    _finds(fn, "words-1", "battery price", PRICE)


@MATCH.case(
    "a longer question finds it too",
    "Words that the embedder does not know make the question's vector shorter, and the dot product with it.",
    "Divide the question's vector by its own length before you compare.",
)
def _long_question(fn: LearnerFunction) -> None:
    _finds(fn, "words-1", "Please tell me how many days of annual leave I have this year", LEAVE)


@MATCH.case(
    "what the documents hold is found, what they do not hold is still refused",
    "Leave the threshold where it is: lowering it would let anything through.",
    "A question without any known word gives a vector of zeros, which has no length to divide by.",
)
def _still_refuses(fn: LearnerFunction) -> None:
    _finds(fn, "words-1", "battery price", PRICE)
    _finds(fn, "words-1", "Is there a refund for travel?", REFUSAL)
    _finds(fn, "words-1", "Who is the president?", REFUSAL)


@MATCH.case(
    "an index by an embedder that is not here is an error, not a refusal",
    "A refusal says: the documents do not hold it. Here nobody has looked.",
    'Raise a ValueError that names index["embedder"], so that the reader knows what to index again.',
)
def _unknown_embedder(fn: LearnerFunction) -> None:
    index = {**_index("words-1"), "embedder": "words-0"}
    told = "for an index by 'words-0'"
    words = expect_error(fn, ValueError, "battery price", index, EMBEDDERS, said=told)
    expect("words-0" in words, f"{told} the error does not name it: {words!r}")


@MATCH.case("whichever embedder made the index reads the question", hidden=True)
def _either(fn: LearnerFunction) -> None:
    for name in EMBEDDERS:
        _finds(fn, name, "What is the price of a battery?", PRICE)
        _finds(fn, name, "annual leave", LEAVE)
