"""The weighted signs: each computed by hand, and weights that are checked."""

from dataclasses import replace

import pytest

from rag_kit import InvalidValue
from rag_kit.rarity import rarity
from rag_kit.retrieval.reranking import WeightedReranker
from rag_kit.retrieval.reranking.signs import (
    SIGNS,
    WEIGHED,
    coverage,
    given_by,
    near_coverage,
    of_document,
)
from rag_kit.retrieval.reranking.weighted import shipped_weights
from rag_kit.testing import WordEmbedder, make_chunk, make_evidence


def order(weights, texts, query="damping fee", embedder=None):
    found = WeightedReranker(embedder, weights=weights).rerank(query, make_evidence(*texts), top_n=9)
    return [item.chunk.text for item in found]


def test_what_holds_more_of_the_question_moves_up():
    texts = ["The fee is due.", "The fee for damping.", "Nothing like it."]
    assert order({"fused": 1.0}, texts) == texts
    assert order({"fused": 1.0, "coverage": 2.0}, texts) == [texts[1], texts[0], texts[2]]


def test_a_term_that_every_candidate_holds_does_not_tell_them_apart():
    held = [["fee", "damp"], ["fee"], ["fee", "fee"]]
    weights = rarity(["fee", "damp", "fee"], held)
    assert {term: round(weight, 4) for term, weight in weights.items()} == {"fee": 0.1335, "damp": 0.9808}
    assert coverage(weights, ["fee"]) == pytest.approx(0.1335 / 1.1144, abs=1e-4)
    assert coverage({}, ["fee"]) == 0.0


def test_terms_that_stand_near_each_other_count_for_more():
    near = "Damping fee. " + "Other words stand here. " * 20
    far = "Damping. " + "Other words stand here. " * 20 + "Fee."
    assert order({"near": 1.0}, [far, near]) == [near, far]
    assert order({"coverage": 1.0}, [far, near]) == [far, near]


@pytest.mark.parametrize(("window", "share"), [(1, 0.5), (4, 0.75), (5, 0.75), (6, 1.0), (99, 1.0)])
def test_the_best_window_is_found_wherever_it_stands(window, share):
    asked = {"a": 2.0, "b": 1.0, "c": 1.0}
    assert near_coverage(asked, ["b", "x", "a", "x", "x", "c", "x", "x", "x", "a"], window) == share
    assert near_coverage(asked, [], window) == near_coverage({}, ["a"], window) == 0.0


def test_a_document_that_was_found_often_lifts_its_passages_and_no_more_than_three_count():
    chunks = [make_chunk(f"{n}.", name) for n, name in enumerate("abbbb")]
    values = of_document(
        [replace(item, score=s) for item, s in zip(make_evidence(*chunks), (9, 8, 7, 6, 5), strict=True)]
    )
    assert values == [4.0, 6.0, 6.0, 6.0, 6.0]


def test_a_candidate_that_a_retriever_did_not_find_counts_as_its_lowest():
    given = [
        replace(item, scores=s)
        for item, s in zip(make_evidence("a", "b", "c"), ({"bm25": 7.0}, {}, {"bm25": 3.0}), strict=True)
    ]
    assert given_by("bm25", given) == [7.0, 3.0, 3.0]
    assert given_by("dense", given) == [0.0, 0.0, 0.0]


def test_title_and_headings_are_read_too():
    plain, titled = make_chunk("It is 5.", "a"), make_chunk("It is 6.", "b", title="Damping fee")
    found = WeightedReranker(weights={"coverage": 1.0}).rerank(
        "damping fee", make_evidence(plain, titled), top_n=1
    )
    assert found[0].chunk is titled


def test_the_best_sentence_is_a_sign_like_the_others():
    texts = ["Day day day day fee.", "Day day. Fee."]
    assert order({"sentence": 1.0}, texts, "fee", WordEmbedder("fee", "day")) == texts[::-1]


def test_nothing_is_embedded_where_the_sentence_has_no_weight():
    embedder = WordEmbedder("fee")
    assert order({"fused": 1.0, "sentence": 0.0}, ["One.", "Two."], embedder=embedder) == ["One.", "Two."]
    assert embedder.calls == 0
    assert order({"fused": 1.0, "sentence": 0.0}, ["One.", "Two."]) == ["One.", "Two."]


def test_the_signs_are_standardised_over_the_candidates():
    signs = [sign for sign in SIGNS if sign not in WEIGHED]
    table = WeightedReranker(WordEmbedder("fee", "day")).signs(
        "fee day", make_evidence("Fee.", "Fee day.", "Other."), signs
    )
    assert table.mean(axis=0) == pytest.approx([0.0] * len(signs), abs=1e-12)
    # Two signs of retrievers that scored none of these candidates say nothing.
    silent = ("words", "meaning")
    assert table.std(axis=0).round(6).tolist() == [0.0 if sign in silent else 1.0 for sign in signs]


def test_a_question_in_the_documents_words_goes_by_its_words_and_another_by_its_best_sentence():
    wanted = ("coverage", "literal", "sentence", "reworded")
    reranker = WeightedReranker(WordEmbedder("fee", "day"))

    def signs(query):
        return reranker.signs(query, make_evidence("Fee day.", "Fee.", "Other."), wanted).T

    covered, literal, sentence, reworded = signs("fee day")
    assert literal.tolist() == pytest.approx(covered.tolist())
    assert reworded.tolist() == pytest.approx([0.0, 0.0, 0.0])
    # Of "fee zebra" one candidate in three holds nothing, and none holds the zebra, the rarer word by far:
    # idf 0.4700 (n = 2 of 3) and 2.0794 (n = 0), so the best holds 0.1844 of the question.
    covered, literal, sentence, reworded = signs("fee zebra")
    assert literal.tolist() == pytest.approx((0.1844 * covered).tolist(), abs=1e-3)
    assert reworded.tolist() == pytest.approx((0.8156 * sentence).tolist(), abs=1e-3)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"fame": 1.0}, "unknown sign 'fame'; choose 'fused'"),
        ({"fused": float("nan")}, "the weight nan of 'fused'"),
        ({"sentence": 1.0}, "the sign 'sentence' needs an embedder"),
        ({"reworded": 1.0}, "the sign 'reworded' needs an embedder"),
        ({}, "no sign has a weight"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(weights, message):
    with pytest.raises(InvalidValue, match=message):
        WeightedReranker(weights=weights)


def test_the_weights_that_ship_name_signs_that_there_are():
    shipped = shipped_weights()
    assert set(shipped) <= set(SIGNS)
    assert shipped["fused"] > 0
