"""Train the offline reader on one half of the development questions and report on the other.

    python -m rag_kit.evaluation.reader_training sample_docs             trains and reports
    python -m rag_kit.evaluation.reader_training sample_docs --write     and writes rag_kit/llm/reader.json

The halves are drawn by the hash of the question id, so that a new question moves no other. What is reported
was counted on questions that neither the weights nor the threshold have seen. Beside them the reader learns
from questions made from the tables of the tuning half (:mod:`rag_kit.evaluation.table_figures`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from rag_kit.access import Filters
from rag_kit.evaluation.figures import draw_figures
from rag_kit.evaluation.intervals import wilson
from rag_kit.evaluation.questions import first_half, read_questions
from rag_kit.evaluation.reader_cases import AS_OF, Case, read_cases, read_table_cases
from rag_kit.llm import reader as reader_module
from rag_kit.llm.fit import FEATURES
from rag_kit.llm.minilm import minilm
from rag_kit.llm.reader import OfflineReader, ReaderWeights, judge
from rag_kit.operations import open_library
from rag_kit.settings import load_settings

GIVEN = 0.7
"""Share of the right quotes that the reader should be sure enough of to give."""
RANKED_BY = ("similarity", "placed_similarity", "placed_coverage", "labels", "kind")


@dataclass(frozen=True, slots=True)
class Tally:
    """What some weights make of some cases."""

    right: int
    wrong: int
    refused_rightly: int
    refused_wrongly: int


def train(cases: Sequence[Case], tables: Sequence[Case] = ()) -> ReaderWeights:
    """Learn to rank from pairs of a right and a wrong unit, then how sure to be, then the threshold.

    ``tables`` are questions made from tables. They count as the others do, but the threshold is set by the
    ``cases`` alone, which people wrote: among questions that repeat the labels a reader is surer.
    """
    every = [*cases, *tables]
    rank = _train_rank(every)
    sure, intercept = _train_sure(every, rank)
    weights = ReaderWeights(rank, sure, intercept, threshold=0.5)
    return replace(weights, threshold=_threshold(cases, weights))


def _threshold(cases: Sequence[Case], weights: ReaderWeights) -> float:
    """Return the certainty that the wanted share of the right quotes reaches.

    The share is a choice of product, not of statistics: a higher one answers more and errs more.
    """
    sure = [certainty(case, weights) for case in cases if case.right[judge(case.table, weights.rank)[0]]]
    return round(float(np.quantile(sure, 1 - GIVEN)), 2)


def tally(cases: Sequence[Case], weights: ReaderWeights) -> Tally:
    """Count right and wrong answers and refusals."""
    right = wrong = refused_rightly = refused_wrongly = 0
    for case in cases:
        answerable = case.question.expected == "answer"
        at, _ = judge(case.table, weights.rank)
        if certainty(case, weights) >= weights.threshold:
            right += bool(case.right[at])
            wrong += not case.right[at]
        else:
            refused_rightly += not answerable
            refused_wrongly += answerable
    return Tally(right, wrong, refused_rightly, refused_wrongly)


def certainty(case: Case, weights: ReaderWeights) -> float:
    """Return how sure the reader is of its best unit."""
    _, row = judge(case.table, weights.rank)
    log_odds = weights.intercept + sum(weight * row[name] for name, weight in weights.sure.items())
    return float(1 / (1 + np.exp(-log_odds)))


def _train_rank(cases: Sequence[Case]) -> dict[str, float]:
    from sklearn import linear_model

    make: Any = linear_model.LogisticRegression

    columns = [FEATURES.index(name) for name in RANKED_BY]
    differences, shares = [], []
    for case in cases:
        table = case.table[:, columns]
        if case.right.any() and not case.right.all():
            pairs = np.vstack([row - table[~case.right] for row in table[case.right]])
            differences.append(pairs)
            shares.append(np.full(len(pairs), 1 / len(pairs)))
    pairs, share = np.vstack(differences), np.concatenate(shares)
    scale = pairs.std(axis=0) + 1e-9
    x = np.vstack([pairs / scale, -pairs / scale])
    y = np.r_[np.ones(len(pairs)), np.zeros(len(pairs))]
    model = make(fit_intercept=False, max_iter=5000).fit(x, y, sample_weight=np.r_[share, share])
    return {n: round(float(w), 4) for n, w in zip(RANKED_BY, model.coef_[0] / scale, strict=True)}


def _train_sure(cases: Sequence[Case], rank: dict[str, float]) -> tuple[dict[str, float], float]:
    from sklearn import linear_model

    make: Any = linear_model.LogisticRegression

    names = [*FEATURES, "score", "lead"]
    judged = [judge(case.table, rank) for case in cases]
    x = np.array([[row[name] for name in names] for _, row in judged])
    y = np.array([bool(case.right[at]) for case, (at, _) in zip(cases, judged, strict=True)])
    mean, scale = x.mean(axis=0), x.std(axis=0) + 1e-9
    model = make(C=0.1, max_iter=5000).fit((x - mean) / scale, y)
    weights = model.coef_[0] / scale
    intercept = float(model.intercept_[0] - weights @ mean)
    return {n: round(float(w), 4) for n, w in zip(names, weights, strict=True)}, round(intercept, 4)


def report(cases: Sequence[Case], weights: ReaderWeights) -> str:
    """Write what the reader does with questions that it was not trained on, with 95 % intervals."""
    from sklearn.metrics import roc_auc_score

    counted = tally(cases, weights)
    answerable = np.array([case.question.expected == "answer" for case in cases])
    sure = np.array([certainty(case, weights) for case in cases])
    alone = np.array([case.table[:, 0].max() for case in cases])
    lines = [
        f"{len(cases)} questions, {answerable.sum()} of them answerable, threshold {weights.threshold:.2f}"
    ]
    for name, count, total in (
        ("right and cited", counted.right, answerable.sum()),
        ("wrong", counted.wrong, len(cases)),
        ("refused rightly", counted.refused_rightly, (~answerable).sum()),
        ("refused wrongly", counted.refused_wrongly, answerable.sum()),
    ):
        low, high = wilson(count, int(total))
        lines.append(f"{name:16}{count:4d} of {total:3d}  {count / total:.2f}  ({low:.2f} to {high:.2f})")
    lines.append(
        f"area under the curve, answerable against not: {roc_auc_score(answerable, sure):.2f}"
        f" (similarity alone {roc_auc_score(answerable, alone):.2f})"
    )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, report, and with --write ship the weights."""
    parser = argparse.ArgumentParser(prog="python -m rag_kit.evaluation.reader_training", allow_abbrev=False)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    library = open_library(options.docs, settings=load_settings(offline=True), pipeline="dense")
    reader = OfflineReader(minilm())
    drawn = draw_figures(filter(Filters.owner(as_of=AS_OF).admits, library.documents))
    figures = [figure for figure in drawn.figures if first_half(figure.document_id)]
    # The questions were labelled over Markdown and text: a right answer from elsewhere would count as wrong.
    others = [d.document_id for d in library.documents if not d.source_uri.endswith((".md", ".txt"))]
    labelled = library.without(*others)
    path = options.docs / "questions" / "reader_dev.questions.jsonl"
    cases = read_cases(labelled, read_questions(path, labelled.documents), reader)
    weights = train(
        [case for case in cases if first_half(case.question.id)], read_table_cases(library, figures, reader)
    )
    other = [case for case in cases if not first_half(case.question.id)]
    sys.stdout.write(report(other, weights) + "\n")
    if options.write:
        target = Path(reader_module.__file__).with_name("reader.json")
        text = json.dumps(asdict(weights), indent=2) + "\n"
        target.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
