"""What every reranker does, real or fake: it orders what it was given, and nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit import InvalidValue
from rag_kit.retrieval.reranking import (
    BestSentenceReranker,
    CrossEncoderReranker,
    LLMReranker,
    WeightedReranker,
)
from rag_kit.retrieval.reranking.signs import SIGNS
from rag_kit.testing import (
    PairFake,
    ScoreReranker,
    ScriptedTransport,
    WordEmbedder,
    make_chunk,
    make_evidence,
)

TEXTS = ["Fee. Day. Pay.", "Fee fee. Pay pay.", "Day day day.", "Pay in May.", "Fee day."]


def best_sentence():
    return BestSentenceReranker(WordEmbedder("fee", "day", "pay"))


def by_length():
    return ScoreReranker(lambda query, text: len(text))


def weighted():
    return WeightedReranker(WordEmbedder("fee", "day", "pay"))


def every_sign():
    return WeightedReranker(WordEmbedder("fee", "day", "pay"), weights=dict.fromkeys(SIGNS, 1.0))


def cross_encoder():
    return CrossEncoderReranker(PairFake({"Day day day.": 3.0, "Pay in May.": 0.2}), batch=2)


def language_model():
    notes = '{"notes": [{"label": 2, "relevance": 8}, {"label": 4, "relevance": 3}, {"label": 1, "relevance": 0}]}'
    return LLMReranker(ScriptedTransport(*[notes] * 9).client(max_retries=0), "m")


RERANKERS = {
    "best-sentence": best_sentence,
    "weighted": weighted,
    "every sign": every_sign,
    "cross-encoder": cross_encoder,
    "llm": language_model,
    "scripted": by_length,
}


@pytest.fixture(params=RERANKERS)
def reranker(request):
    return RERANKERS[request.param]()


def evidence():
    return [
        replace(item, similarity=0.9 - item.rank / 10, ranks={"bm25": item.rank, "dense": 6 - item.rank},
                scores={"bm25": 7.5 / item.rank})
        for item in make_evidence(*TEXTS)
    ]  # fmt: skip


def test_it_has_a_name(reranker):
    assert reranker.name == reranker.name.strip() != ""


@pytest.mark.parametrize("top_n", [1, 3, 5, 50])
def test_it_gives_at_most_top_n_each_candidate_once_and_ranks_count_from_one(reranker, top_n):
    found = reranker.rerank("fee", evidence(), top_n=top_n)
    assert len(found) == min(top_n, 5)
    assert [item.rank for item in found] == list(range(1, len(found) + 1))
    assert len({item.chunk.chunk_id for item in found}) == len(found)
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)


def test_only_rank_and_score_change(reranker):
    given = {item.chunk.chunk_id: item for item in evidence()}
    for item in reranker.rerank("fee", evidence(), top_n=5):
        before = given[item.chunk.chunk_id]
        assert replace(item, rank=before.rank, score=before.score) == before


def test_fewer_results_are_the_first_of_more(reranker):
    everything = [item.chunk for item in reranker.rerank("day fee", evidence(), top_n=5)]
    assert [item.chunk for item in reranker.rerank("day fee", evidence(), top_n=2)] == everything[:2]


def test_no_candidates_give_no_results(reranker):
    assert reranker.rerank("fee", [], top_n=3) == []


@pytest.mark.parametrize("top_n", [0, -1])
def test_asking_for_nothing_is_refused(reranker, top_n):
    with pytest.raises(InvalidValue, match=f"top_n {top_n}"):
        reranker.rerank("fee", evidence(), top_n=top_n)


def test_the_same_question_gives_the_same_order_again(reranker):
    assert reranker.rerank("fee day", evidence(), top_n=5) == reranker.rerank("fee day", evidence(), top_n=5)


def test_what_cannot_be_told_apart_keeps_its_order(reranker):
    if reranker.name == "llm m":
        same = ", ".join(f'{{"label": {label}, "relevance": 5}}' for label in range(1, 5))
        reranker = LLMReranker(ScriptedTransport(f'{{"notes": [{same}]}}').client(), "m")
    alike = [
        replace(item, score=0.5)
        for item in make_evidence(*(make_chunk("The fee is due.", name) for name in "cabd"))
    ]
    found = reranker.rerank("fee", alike, top_n=4)
    assert [item.chunk.document_id for item in found] == list("cabd")


def test_a_single_candidate_comes_back(reranker):
    (only,) = reranker.rerank("nothing like it", evidence()[:1], top_n=3)
    assert only.chunk == evidence()[0].chunk


@pytest.mark.parametrize("name", RERANKERS)
@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(st.text(max_size=40), min_size=1, max_size=6, unique=True),
    query=st.text(max_size=30),
    top_n=st.integers(1, 8),
)
def test_any_text_and_any_question_are_ranked(name, texts, query, top_n):
    given_items = make_evidence(*texts)
    found = RERANKERS[name]().rerank(query, given_items, top_n=top_n)
    assert len(found) == min(top_n, len(texts))
    assert {item.chunk.chunk_id for item in found} <= {item.chunk.chunk_id for item in given_items}
    assert [item.rank for item in found] == list(range(1, len(found) + 1))
