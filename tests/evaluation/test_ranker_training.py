"""Training the reranker's weights: on candidates made by hand, where it is known what tells right from wrong."""

import numpy as np
import pytest

from rag_kit import Filters
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.evaluation.ranker_training import LEARNT, RankerCase, measure, read_cases, report, train
from rag_kit.retrieval.reranking import WeightedReranker
from rag_kit.retrieval.reranking.signs import EMBEDDED, SIGNS
from rag_kit.testing import ListRetriever, WordEmbedder, make_chunk, make_evidence

FUSED, COVERAGE = SIGNS.index("fused"), SIGNS.index("coverage")


def case(number, fused, cover, gold):
    table = np.zeros((len(fused), len(SIGNS)))
    table[:, FUSED], table[:, COVERAGE] = fused, cover
    return RankerCase(Question(f"q{number}", "?", "answer", (Gold("d"),)), table, np.array(gold, dtype=bool))


TWO = [
    # Here coverage tells right from wrong, and the fused score only half of the time.
    case(1, [1, 0, -1], [-1, 1, 0], [[False], [True], [False]]),
    case(2, [1, 0, -1], [1, -0.5, -0.5], [[True], [False], [False]]),
    case(3, [1, 0, -1], [-0.5, -0.5, 1], [[False], [False], [True]]),
]


def test_the_sign_that_tells_right_from_wrong_gets_the_weight():
    learnt = train(TWO, ("fused", "coverage"))
    assert learnt["fused"] == 1.0
    assert abs(learnt["coverage"]) > 2
    assert train(TWO, ("fused", "coverage")) == learnt


def test_cases_without_a_right_candidate_or_without_a_wrong_one_teach_nothing():
    none = case(4, [1, 0, -1], [9, 9, -9], [[False]] * 3)
    every = case(5, [1, 0, -1], [-9, 9, 9], [[True]] * 3)
    assert train([*TWO, none, every], ("fused", "coverage")) == train(TWO, ("fused", "coverage"))


def test_recall_counts_pieces_of_gold_and_the_reciprocal_rank_the_first_that_holds_one():
    pieces = [[False, False]] * 2 + [[True, False]] + [[False, False]] * 3 + [[False, True]]
    seven = case(6, [7, 6, 5, 4, 3, 2, 1], [0] * 7, pieces)
    assert measure([seven], {"fused": 1.0}) == {"recall": [0.5], "mrr": [1 / 3]}
    assert measure([seven], {"fused": -1.0}) == {"recall": [1.0], "mrr": [1.0]}
    assert measure([case(7, [2, 1], [0, 0], [[False], [False]])], {"fused": 1.0}) == {
        "recall": [0.0],
        "mrr": [0.0],
    }


def test_equal_sums_keep_the_order_found():
    tied = case(8, [0, 0, 0], [0, 0, 0], [[False], [True], [False]])
    assert measure([tied], {"coverage": 1.0})["mrr"] == [0.5]


def test_the_report_sets_each_row_beside_the_first_with_an_interval():
    text = report(TWO, {"as fused": {"fused": 1.0}, "by coverage": {"coverage": 1.0}})
    first, second, third = text.split("\n")
    assert first.startswith("3 questions, 50 candidates")
    assert second == "as fused        recall@5 1.000   mrr@5 0.611"
    assert third.startswith(
        "by coverage     recall@5 1.000 (+0.000: +0.000 to +0.000)   mrr@5 1.000 (+0.389:"
    )


class Found:
    def __init__(self, evidence):
        self.retriever = ListRetriever(evidence)

    def search(self, query, *, filters: Filters, top_k):
        return self.retriever.search(query, filters=filters, top_k=top_k)


def test_questions_are_searched_for_and_what_holds_half_of_the_gold_is_right():
    evidence = make_evidence(make_chunk("The fee is 5.", "d"), make_chunk("Other.", "e"))
    questions = [
        Question("a", "What is the fee?", "answer", (Gold("d", (4, 13)), Gold("e", (20, 30)))),
        Question("b", "What else?", "refuse", ()),
    ]
    reranker = WeightedReranker(weights=dict.fromkeys((s for s in SIGNS if s not in EMBEDDED), 1.0))
    with pytest.raises(ValueError, match="needs an embedder"):
        read_cases(Found(evidence), questions, reranker)
    (only,) = read_cases(Found(evidence), questions, WeightedReranker(WordEmbedder("fee")))
    assert only.question.id == "a"
    assert only.gold.tolist() == [[True, False], [False, False]]
    assert only.table.shape == (2, len(SIGNS))
    assert set(LEARNT) <= set(SIGNS)
