"""Passages, questions and vectors for the benchmark of retrieval: generated, and the same in every run.

Words are drawn as Zipf and Mandelbrot found them in real text: the word of rank r about 1 / (r + 2.7) as often
as others, function words first. So some words stand in half of all passages and most in a few, which is what
the time of a lexical index hangs on.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product

import numpy as np

from rag_kit.protocols import Vectors

_FUNCTION_WORDS = """
    the of and to in a is that for it as was with be by on not he his but at are this have from or had an they
    which one were all we her she there would their will when who him been has more if no out do so can what
"""
FUNCTION_WORDS = _FUNCTION_WORDS.split()
SUFFIXES = ("", "", "", "s", "ed", "ing", "er", "ment", "ly", "ation")
VOCABULARY = 50_000
SHORTEST, LONGEST = 80, 140
ASKED = 9
"""Words of a question."""


@dataclass(frozen=True)
class Passages:
    """Texts and questions, each with a random vector of length 1: good for times, not for quality."""

    texts: list[str]
    vectors: Vectors
    questions: list[str]
    asked: Vectors

    @cached_property
    def vector_of(self) -> dict[str, Vectors]:
        """The vector of each question."""
        return dict(zip(self.questions, self.asked, strict=True))


def make_passages(count: int, questions: int, *, dimensions: int = 384, seed: int = 0) -> Passages:
    """Make ``count`` passages of 80 to 140 words and some questions, each a run of words from a passage.

    >>> made = make_passages(20, 2)
    >>> len(made.texts), made.vectors.shape, len(made.questions[0].split())
    (20, (20, 384), 9)
    """
    chance = random.Random(seed)
    words = vocabulary(chance)
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(1, len(words) + 1)))
    texts = [_passage(chance, words, weights) for _ in range(count)]
    asked = [_run(chance, chance.choice(texts).split()) for _ in range(questions)]
    numbers = np.random.default_rng(seed)
    vectors, questions_vectors = (_directions(numbers, rows, dimensions) for rows in (count, questions))
    return Passages(texts, vectors, asked, questions_vectors)


def vocabulary(chance: random.Random, size: int = VOCABULARY) -> list[str]:
    """Return different words, the most frequent first: function words, then made-up ones and some codes."""
    syllables = [
        "".join(pair) for pair in product("bcdfghklmnprstvz", ("a", "e", "i", "o", "u", "an", "er", "is"))
    ]
    found = dict.fromkeys(FUNCTION_WORDS)
    while len(found) < size:
        if chance.random() < 0.02:
            found[f"{chance.choice('ABEKX')}{chance.choice('CQRTX')}-{chance.randint(100, 9999)}"] = None
        else:
            stem = "".join(chance.choices(syllables, k=chance.choice([2, 2, 3])))
            found[stem + chance.choice(SUFFIXES)] = None
    return list(found)


def _passage(chance: random.Random, words: list[str], weights: list[float]) -> str:
    drawn = chance.choices(words, cum_weights=weights, k=chance.randint(SHORTEST, LONGEST))
    sentences: list[str] = []
    while drawn:
        length = chance.randint(8, 24)
        sentence, drawn = " ".join(drawn[:length]), drawn[length:]
        sentences.append(f"{sentence[0].upper()}{sentence[1:]}.")
    return " ".join(sentences)


def _run(chance: random.Random, words: list[str]) -> str:
    start = chance.randrange(len(words) - ASKED)
    return " ".join(words[start : start + ASKED])


def _directions(numbers: np.random.Generator, count: int, dimensions: int) -> Vectors:
    vectors = numbers.standard_normal((count, dimensions), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors
