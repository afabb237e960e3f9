"""Lesson 04, to be written: an analyser, and BM25."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rag_kit.teaching.grading.expect import expect, expect_value
from rag_kit.teaching.grading.learner import LearnerFunction, show
from rag_kit.teaching.grading.registry import exercise

TERMS = exercise("04.1", "an analyser", "terms", "text")


def _terms(fn: LearnerFunction, text: str, *wanted: str) -> None:
    got = fn(text)
    expect_value(got, list, f"for {show(text)}")
    expect(got == list(wanted), f"for {show(text)} it returned {show(got)}; expected {show(list(wanted))}")


@TERMS.case(
    "capitals and accents are off",
    "Fold first: NFKC, then casefold(), then NFD without the signs that combine.",
    '"".join(sign for sign in … if not unicodedata.combining(sign)) puts the letters together again.',
)
def _folded(fn: LearnerFunction) -> None:
    _terms(fn, "Reset RESET reset", "reset", "reset", "reset")
    _terms(fn, "Théâtre", "theatre")


@TERMS.case(
    "stop words are left out",
    "Compare the folded token with STOP_WORDS: `The` is a stop word as well.",
    "if token not in STOP_WORDS: …",
)
def _stop_words(fn: LearnerFunction) -> None:
    _terms(fn, "What is the fee of a reset?", "fee", "reset")


@TERMS.case(
    "a code is whole, and then in parts",
    'Append the token itself, and then what re.split(r"[-_./]", token) gives, if it is more than one.',
    "A part of one letter or digit says nothing: keep parts with len(part) > 1.",
)
def _codes(fn: LearnerFunction) -> None:
    _terms(fn, "Error XX-1042: reset", "error", "xx-1042", "xx", "1042", "reset")
    _terms(fn, "E_CONN_RESET", "e_conn_reset", "conn", "reset")
    _terms(fn, "v2.1.3", "v2.1.3", "v2")


@TERMS.case(
    "signs without blanks give pairs",
    'Is it a run? re.match(f"[{SIGNS}]", token) tells. SIGNS holds ranges, so `in` does not work.',
    "A run of n signs has n - 1 pairs: token[at : at + 2].",
    "range(max(len(token) - 1, 1)) gives one start for one sign alone.",
)
def _pairs(fn: LearnerFunction) -> None:
    _terms(fn, "退款期限", "退款", "款期", "期限")
    _terms(fn, "款", "款")


@TERMS.case("wide letters and parted accents are the same words", hidden=True)
def _width(fn: LearnerFunction) -> None:
    _terms(fn, "ＣＯＤＥ ７３１", "code", "731")
    _terms(fn, "ＸＸ－１０４２", "xx-1042", "xx", "1042")
    _terms(fn, "Go\u0308del souffle\u0301", "godel", "souffle")
    _terms(fn, "Gödel soufflé", "godel", "souffle")


@TERMS.case("parts that are stop words are left out, and the code is not", hidden=True)
def _stop_parts(fn: LearnerFunction) -> None:
    _terms(fn, "out-of-order", "out-of-order", "out", "order")
    _terms(fn, "to/from", "to/from", "from")
    _terms(fn, "THE end", "end")


@TERMS.case("punctuation around a token is none of it", hidden=True)
def _punctuation(fn: LearnerFunction) -> None:
    _terms(fn, '("XX-1042"), reset.', "xx-1042", "xx", "1042", "reset")
    _terms(fn, "…", *())
    _terms(fn, "", *())


@TERMS.case("Chinese, Japanese and words stand side by side", hidden=True)
def _mixed(fn: LearnerFunction) -> None:
    _terms(fn, "退款 and 発票", "退款", "発票")
    _terms(fn, "リセット", "リセ", "セッ", "ット")
    _terms(fn, "hub 退款期 hub", "hub", "退款", "款期", "hub")


@TERMS.case("a term stands as often as the text says it", hidden=True)
def _repeated(fn: LearnerFunction) -> None:
    first = ("xx-1042", "xx", "1042")
    _terms(fn, "XX-1042 XX-1043 XX-1042", *first, "xx-1043", "xx", "1043", *first)
    _terms(fn, "退款退款", "退款", "款退", "退款")


SCORES = exercise("04.2", "BM25", "bm25", "query", "documents")
REFUND = [
    ["refund", "fee", "five"],
    ["refund", "window", "open"],
    ["invoice", "sent"],
    ["seat", "limit", "x"],
]


def _formula(query: Sequence[str], documents: Sequence[Sequence[str]], k1: float, b: float) -> list[float]:
    """Compute what is expected, a document at a time."""
    mean = sum(map(len, documents)) / max(len(documents), 1) or 1.0

    def part(term: str, document: Sequence[str]) -> float:
        holding = sum(term in other for other in documents)
        tf = document.count(term)
        damped = tf + k1 * (1 - b + b * len(document) / mean)
        idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        return idf * tf * (k1 + 1) / damped if tf else 0.0

    return [sum(part(term, document) for term in query) for document in documents]


def _scores(
    fn: LearnerFunction, query: list[str], documents: list[list[str]], **knobs: float
) -> tuple[list[float], str]:
    said = "".join(f", {name}={value}" for name, value in knobs.items())
    told = f"for the query {show(query)}{said} and the documents {show(documents, 90)}"
    got = fn(query, documents, **knobs)
    scores = list(got) if isinstance(got, (tuple, np.ndarray)) else got
    expect_value(scores, list, told)
    expect(len(scores) == len(documents), f"{told} it returned {len(scores)} scores")
    for score in scores:
        number = isinstance(score, (int, float, np.number)) and not isinstance(score, bool)
        expect(
            number and math.isfinite(score), f"{told} it returned {show(score)} among the scores: no number"
        )
    return [float(score) for score in scores], told


def _agrees(fn: LearnerFunction, query: list[str], documents: list[list[str]], **knobs: float) -> None:
    scores, told = _scores(fn, query, documents, **knobs)
    wanted = _formula(query, documents, knobs.get("k1", 1.2), knobs.get("b", 0.75))
    near = all(math.isclose(one, other, abs_tol=1e-4) for one, other in zip(scores, wanted, strict=True))
    got, right = ([round(score, 4) for score in held] for held in (scores, wanted))
    expect(near, f"{told} it returned {show(got)}; expected {show(right)}")


@SCORES.case(
    "documents that hold the term score, and the others have 0",
    "For each term: in how many documents does it stand? That is n.",
    "Go through the documents, and add to a document's score only if it holds the term: document.count(term).",
)
def _holds(fn: LearnerFunction) -> None:
    scores, told = _scores(fn, ["refund"], REFUND)
    expect(scores[2] == scores[3] == 0, f"{told} documents without the term have {show(scores[2:])}")
    expect(min(scores[:2]) > 0, f"{told} documents with the term have {show(scores[:2])}")


@SCORES.case(
    "the scores are those of the formula",
    "math.log(1 + (N - n + 0.5) / (n + 0.5)): the 1 is inside, and the logarithm is the natural one.",
    "tf * (k1 + 1) / (tf + k1 * (1 - b + b * L / M)); M is the mean number of terms of all documents.",
)
def _as_the_formula(fn: LearnerFunction) -> None:
    _agrees(fn, ["refund"], REFUND)
    _agrees(fn, ["refund", "open"], [*REFUND, ["refund", "refund", "refund", "again", "and", "again"]])


@SCORES.case(
    "an empty query scores nothing, and an empty document does no harm",
    "What is the mean length of no documents? Say it before you divide.",
    "The division by M is needed only for a document that holds a term; then M is not 0.",
)
def _empty(fn: LearnerFunction) -> None:
    _agrees(fn, [], REFUND)
    _agrees(fn, ["alpha"], [[], ["alpha", "beta"]])


@SCORES.case("a term in half of the documents, in most or in all still scores more than 0", hidden=True)
def _common(fn: LearnerFunction) -> None:
    for holding in (1, 2, 3, 4):
        documents = [["refund", "a"] if place < holding else ["other", "a"] for place in range(4)]
        scores, told = _scores(fn, ["refund"], documents)
        expect(min(scores[:holding]) > 0, f"{told} documents with the term have {show(scores[:holding])}")
        _agrees(fn, ["refund"], documents)
    _agrees(fn, ["refund"], [["refund"]])


@SCORES.case("no documents, and documents that are all empty", hidden=True)
def _nothing(fn: LearnerFunction) -> None:
    _agrees(fn, ["refund"], [])
    _agrees(fn, ["refund"], [[], []])
    _agrees(fn, [], [])
    _agrees(fn, ["nowhere"], REFUND)


@SCORES.case("k1 and b are used, at their ends too", hidden=True)
def _knobs(fn: LearnerFunction) -> None:
    documents = [["a"], ["a", "a", "a", "b"], ["b", "c", "d", "e", "f", "a"], ["g"]]
    for k1, b in ((0.0, 0.75), (1.2, 0.0), (2.0, 1.0), (0.0, 0.0), (5.0, 0.3)):
        _agrees(fn, ["a", "b"], documents, k1=k1, b=b)


@SCORES.case("a term that the query names twice counts twice", hidden=True)
def _twice(fn: LearnerFunction) -> None:
    _agrees(fn, ["refund", "open", "refund"], REFUND)


@SCORES.case("terms are compared whole", hidden=True)
def _whole(fn: LearnerFunction) -> None:
    _agrees(fn, ["1042"], [["xx-1042"], ["1042", "hub"], ["10421"]])
