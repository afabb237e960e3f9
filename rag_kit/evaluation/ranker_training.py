"""Train the weights of the offline reranker on one half of the labelled questions and report on the other.

    python -m rag_kit.evaluation.ranker_training sample_docs             trains and reports
    python -m rag_kit.evaluation.ranker_training sample_docs --write     and writes the learnt weights.json

Each question is searched for as the pipeline `hybrid` does it. What is learnt from are pairs of a candidate
that holds gold and one that does not; a question counts once, however many pairs it gives. The questions are
those of the offline reader and of the chunking lesson, never those of the benchmark.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import Filters
from rag_kit.evaluation.intervals import paired_bootstrap
from rag_kit.evaluation.questions import Question, first_half, read_questions
from rag_kit.evaluation.relevance import holds
from rag_kit.llm.minilm import minilm
from rag_kit.operations import Library, open_library
from rag_kit.retrieval.reranking import fold_copies, weighted
from rag_kit.retrieval.reranking.reranked import CANDIDATES
from rag_kit.retrieval.reranking.signs import SIGNS
from rag_kit.retrieval.reranking.weighted import WeightedReranker, shipped_weights
from rag_kit.settings import load_settings

FILES = ("reader_dev.questions.jsonl", "chunking.questions.jsonl")
AS_OF = date(2026, 11, 15)
STRENGTH = 0.1
"""Of the penalty on large weights, the inverse: few questions, and signs that say much the same."""
LEARNT = ("fused", "literal", "sentence", "reworded")
TOP = 5


@dataclass(frozen=True, slots=True)
class RankerCase:
    """A question's candidates in the order found: their signs, and which piece of gold each holds."""

    question: Question
    table: NDArray[np.float64]
    gold: NDArray[np.bool_]
    """One row a candidate, one column a piece of gold."""


def read_cases(
    library: Library, questions: Sequence[Question], reranker: WeightedReranker
) -> list[RankerCase]:
    """Search for each answerable question, and look at what was found."""
    filters = Filters.owner(as_of=AS_OF)
    cases: list[RankerCase] = []
    for question in questions:
        found = fold_copies(library.search(question.question, filters=filters, top_k=CANDIDATES))
        if question.evidence and found:
            gold = np.array([[holds(item.chunk, one) for one in question.evidence] for item in found])
            cases.append(RankerCase(question, reranker.signs(question.question, found), gold))
    return cases


def train(cases: Sequence[RankerCase], names: Sequence[str] = LEARNT) -> dict[str, float]:
    """Learn the weights of some signs: a logistic regression over differences of right and wrong candidates."""
    from sklearn import linear_model

    make: Any = linear_model.LogisticRegression
    columns = [SIGNS.index(name) for name in names]
    differences, shares = [], []
    for case in cases:
        table, right = case.table[:, columns], case.gold.any(axis=1)
        if right.any() and not right.all():
            pairs = np.vstack([row - table[~right] for row in table[right]])
            differences.append(pairs)
            shares.append(np.full(len(pairs), 1 / len(pairs)))
    pairs, share = np.vstack(differences), np.concatenate(shares)
    x, y = np.vstack([pairs, -pairs]), np.r_[np.ones(len(pairs)), np.zeros(len(pairs))]
    model = make(C=STRENGTH, fit_intercept=False, max_iter=5000).fit(x, y, sample_weight=np.r_[share, share])
    # Only their ratios matter: the first is 1, as it is in weights that are set by hand.
    learnt = model.coef_[0] / model.coef_[0][0]
    return {name: round(float(weight), 3) for name, weight in zip(names, learnt, strict=True)}


def measure(cases: Sequence[RankerCase], weights: Mapping[str, float]) -> dict[str, list[float]]:
    """Return each case's recall and reciprocal rank at five, ranked by the weighted sum of its signs."""
    every = np.array([weights.get(name, 0.0) for name in SIGNS])
    found: dict[str, list[float]] = {"recall": [], "mrr": []}
    for case in cases:
        order = np.argsort(-(case.table @ every).round(5), kind="stable")[:TOP]
        held = case.gold[order]
        found["recall"].append(float(held.any(axis=0).mean()))
        first = np.flatnonzero(held.any(axis=1))
        found["mrr"].append(1 / (1 + int(first[0])) if len(first) else 0.0)
    return found


def report(cases: Sequence[RankerCase], rows: Mapping[str, Mapping[str, float]]) -> str:
    """Write what each row of weights makes of questions that it was not trained on, against the first row."""
    lines = [f"{len(cases)} questions, {CANDIDATES} candidates each; differences with 95 % intervals"]
    measured = {name: measure(cases, weights) for name, weights in rows.items()}
    base = next(iter(measured.values()))
    for name, values in measured.items():
        parts = []
        for what, held in values.items():
            apart = paired_bootstrap(held, base[what])
            change = (
                "" if held is base[what] else f" ({apart.mean:+.3f}: {apart.low:+.3f} to {apart.high:+.3f})"
            )
            parts.append(f"{what}@{TOP} {np.mean(held):.3f}{change}")
        lines.append(f"{name:16}" + "   ".join(parts))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, report, and with --write ship the weights that were learnt."""
    parser = argparse.ArgumentParser(prog="python -m rag_kit.evaluation.ranker_training", allow_abbrev=False)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    library = open_library(options.docs, settings=load_settings(offline=True)).using("hybrid")
    reranker = WeightedReranker(minilm(), weights=dict.fromkeys(SIGNS, 1.0))
    questions = [
        question
        for name in FILES
        for question in read_questions(options.docs / "questions" / name, library.documents)
    ]
    cases = read_cases(library, questions, reranker)
    learnt = train([case for case in cases if first_half(case.question.id)])
    rows = {"as fused": {"fused": 1.0}, "shipped": shipped_weights(), "learnt": learnt}
    sys.stdout.write(report([case for case in cases if not first_half(case.question.id)], rows) + "\n")
    sys.stdout.write(f"learnt: {json.dumps(learnt)}\n")
    if options.write:
        target = Path(weighted.__file__).with_name("weights.json")
        text = json.dumps({name: weight for name, weight in learnt.items() if weight}, indent=2) + "\n"
        target.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
