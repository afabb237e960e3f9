"""Lesson 04, to be written: an analyser, and BM25."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rag_kit.teaching.grading.expect import expect, expect_value
from rag_kit.teaching.grading.learner import Complaint, LearnerFunction, Stopped, show
from rag_kit.teaching.grading.registry import exercise

TERMS = exercise("04.1", "an analyser", "terms", "text")


def _terms(fn: LearnerFunction, text: str, *wanted: str) -> None:
    got = fn(text)
    expect_value(got, list, f"for {show(text)}")
    expect(got == list(wanted), f"for {show(text)} it returned {show(got)}; expected {show(list(wanted))}")


@TERMS.case(
    "capitals and accents are off",
    "Fold before you do anything else: fold(text) is given.",
    "Cut the folded text, TOKEN.findall(fold(text)), and not the text itself.",
)
def _folded(fn: LearnerFunction) -> None:
    _terms(fn, "Reset RESET reset", "reset", "reset", "reset")
    _terms(fn, "Théâtre", "theatre")


@TERMS.case(
    "wide letters are as narrow ones",
    "fold(text) makes them narrow; what is compared and cut has to be the folded text.",
)
def _wide(fn: LearnerFunction) -> None:
    _terms(fn, "ＣＯＤＥ", "code")
    _terms(fn, "ＸＸ－１０４２", "xx-1042", "xx", "1042")


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
    "a part that is a stop word is left out, and the code is not",
    "Ask of each part what you ask of a token: is it in STOP_WORDS?",
)
def _stop_part(fn: LearnerFunction) -> None:
    _terms(fn, "out-of-order", "out-of-order", "out", "order")


@TERMS.case(
    "signs without blanks give pairs",
    'Is it a run? re.match(f"[{SIGNS}]", token) tells. SIGNS holds ranges, so `in` does not work.',
    "A run of n signs has n - 1 pairs: token[at : at + 2].",
    "range(max(len(token) - 1, 1)) gives one start for one sign alone.",
)
def _pairs(fn: LearnerFunction) -> None:
    _terms(fn, "退款期限", "退款", "款期", "期限")
    _terms(fn, "款", "款")


@TERMS.case("wide numbers and parted accents are the same words", hidden=True)
def _width(fn: LearnerFunction) -> None:
    _terms(fn, "ＣＯＤＥ ７３１", "code", "731")
    _terms(fn, "Go\u0308del souffle\u0301", "godel", "souffle")
    _terms(fn, "Gödel soufflé", "godel", "souffle")


@TERMS.case("parts and words that are stop words, at either end", hidden=True)
def _stop_parts(fn: LearnerFunction) -> None:
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
_LONGEST = 200
"""Characters of the documents that a message shows: whoever reads it has to be able to try the case."""
HALF = [["a"], ["a", "b"], ["c"], ["d"]]
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
    told = f"for the query {show(query)}{said} and the documents {show(documents, _LONGEST)}:"
    try:
        got = fn(query, documents, **knobs)
    except Stopped:
        raise
    except Complaint as complaint:
        raise AssertionError(f"{told} {complaint}") from None
    scores = list(got) if isinstance(got, (tuple, np.ndarray)) else got
    expect_value(scores, list, told.rstrip(":"))
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
    expect(near, f"{told} it returned {_short(scores)}; expected {_short(wanted)}")


def _short(scores: Sequence[float]) -> str:
    return show([round(score, 4) for score in scores])


@SCORES.case(
    "documents that hold the term score, and the others have 0",
    "More than 0, however common: what does your logarithm give for a term that half of the documents hold?",
    "For each term: in how many documents does it stand? That is n.",
    "Go through the documents, and add to a document's score only if it holds the term: document.count(term).",
)
def _holds(fn: LearnerFunction) -> None:
    scores, told = _scores(fn, ["a"], HALF)
    expect(scores[2] == scores[3] == 0, f"{told} the two without the term have {show(scores[2:])}")
    expect(
        min(scores[:2]) > 0, f"{told} the two with the term have {_short(scores[:2])}; expected more than 0"
    )


@SCORES.case(
    "the scores are those of the formula",
    "math.log(1 + (N - n + 0.5) / (n + 0.5)): the 1 is inside, and the logarithm is the natural one.",
    "tf * (k1 + 1) / (tf + k1 * (1 - b + b * L / M)); M is the mean number of terms of all documents.",
    "A document counts once in n, however often it holds the term, and an empty one counts in M.",
)
def _as_the_formula(fn: LearnerFunction) -> None:
    _agrees(fn, ["a"], HALF)
    _agrees(fn, ["a"], [["a"], ["a", "a", "b"], ["c"]])
    _agrees(fn, ["a", "b"], [["a"], ["a", "b", "b", "c"], ["b"], ["c"]])
    _agrees(fn, ["a"], [[], ["a", "b"]])


@SCORES.case(
    "a term that the query names twice counts twice",
    "Go through the query itself, not through set(query).",
)
def _twice(fn: LearnerFunction) -> None:
    once, _ = _scores(fn, ["a"], HALF)
    twice, told = _scores(fn, ["a", "a"], HALF)
    same = all(math.isclose(two, 2 * one, abs_tol=1e-6) for one, two in zip(once, twice, strict=True))
    expect(same, f"{told} it returned {_short(twice)}; for the query ['a'] it returned {_short(once)}")


@SCORES.case(
    "nothing divides by zero",
    "What is the mean length of no documents, and of documents that are all empty? Say it before you divide.",
    "The division by M is needed only for a document that holds a term; then M is not 0.",
)
def _empty(fn: LearnerFunction) -> None:
    nothing: list[tuple[list[str], list[list[str]]]] = [([], HALF), (["a"], []), ([], []), (["a"], [[], []])]
    for query, documents in nothing:
        scores, told = _scores(fn, query, documents)
        expect(not any(scores), f"{told} it returned {show(scores)}; expected nothing but 0")
    scores, told = _scores(fn, ["a"], [[], ["a", "b"], ["c"]])
    right = scores[0] == scores[2] == 0 < scores[1]
    expect(right, f"{told} it returned {_short(scores)}; expected 0, more than 0, and 0")


@SCORES.case("a term in half of the documents, in most or in all still scores more than 0", hidden=True)
def _common(fn: LearnerFunction) -> None:
    for holding in (1, 2, 3, 4):
        documents = [["refund", "a"] if place < holding else ["other", "a"] for place in range(4)]
        scores, told = _scores(fn, ["refund"], documents)
        expect(min(scores[:holding]) > 0, f"{told} documents with the term have {show(scores[:holding])}")
        _agrees(fn, ["refund"], documents)
    _agrees(fn, ["refund"], [["refund"]])


@SCORES.case("empty documents among others, and a term that stands nowhere", hidden=True)
def _nothing(fn: LearnerFunction) -> None:
    _agrees(fn, ["refund"], [[], *REFUND, []])
    _agrees(fn, ["nowhere"], REFUND)


@SCORES.case("k1 and b are used, at their ends too", hidden=True)
def _knobs(fn: LearnerFunction) -> None:
    documents = [["a"], ["a", "a", "a", "b"], ["b", "c", "d", "e", "f", "a"], ["g"]]
    for k1, b in ((0.0, 0.75), (1.2, 0.0), (2.0, 1.0), (0.0, 0.0), (5.0, 0.3)):
        _agrees(fn, ["a", "b"], documents, k1=k1, b=b)


@SCORES.case("a query that names terms twice and three times agrees with the formula", hidden=True)
def _thrice(fn: LearnerFunction) -> None:
    _agrees(fn, ["refund", "open", "refund"], REFUND)
    _agrees(fn, ["open", "refund", "refund", "refund"], REFUND)


@SCORES.case("terms are compared whole", hidden=True)
def _whole(fn: LearnerFunction) -> None:
    _agrees(fn, ["1042"], [["xx-1042"], ["1042", "hub"], ["10421"]])
