"""What every retriever does, real or fake."""

from datetime import date

import pytest

from rag_kit import DenseRetriever, Filters, InvalidValue
from rag_kit.retrieval import BM25Retriever, Fusion, HybridRetriever, MemoryStore, ParentRetriever
from rag_kit.retrieval.reranking import RerankingRetriever, WeightedReranker
from rag_kit.testing import ListRetriever, WordEmbedder, make_chunk, make_evidence

DAY = date(2026, 6, 1)
OWNER = Filters.owner(as_of=DAY)
CHUNKS = [
    make_chunk("fee fee", "public", access_tags=("all",), metadata={"region": "EU"}),
    make_chunk("fee fee day", "secret", access_tags=("hr",)),
    make_chunk("fee day", "private"),
    make_chunk("fee day day", "old", access_tags=("all",), superseded_at=date(2026, 1, 1)),
    make_chunk("fee day day day", "future", access_tags=("all",), updated_at=date(2027, 1, 1)),
]


def dense():
    embedder = WordEmbedder("fee", "day")
    return DenseRetriever(CHUNKS, embedder.embed([chunk.text for chunk in CHUNKS]), embedder)


def store():
    embedder = WordEmbedder("fee", "day")
    return MemoryStore(CHUNKS, embedder.embed([chunk.text for chunk in CHUNKS]), embedder)


EVERY = {
    "dense": dense,
    "bm25": lambda: BM25Retriever(CHUNKS),
    "hybrid": lambda: HybridRetriever(store()),
    "hybrid by scores": lambda: HybridRetriever(store(), Fusion("zscore")),
    "reranked": lambda: RerankingRetriever(
        HybridRetriever(store()), WeightedReranker(WordEmbedder("fee", "day"))
    ),
    "parents": lambda: ParentRetriever(dense(), {}),
    "list": lambda: ListRetriever(make_evidence(*CHUNKS)),
}


@pytest.fixture(params=EVERY.values(), ids=EVERY.keys())
def retriever(request):
    return request.param()


def found(retriever, filters=OWNER, top_k=20, query="fee"):
    return [item.chunk.document_id for item in retriever.search(query, filters=filters, top_k=top_k)]


def test_it_gives_at_most_what_was_asked_for_and_at_most_what_there_is(retriever):
    assert found(retriever) == ["public", "secret", "private"]
    assert found(retriever, top_k=2) == ["public", "secret"]


@pytest.mark.parametrize("top_k", [0, -1])
def test_asking_for_nothing_is_refused(retriever, top_k):
    with pytest.raises(InvalidValue, match=str(top_k)):
        retriever.search("fee", filters=OWNER, top_k=top_k)


def test_filters_are_required(retriever):
    with pytest.raises(TypeError):
        retriever.search("fee", top_k=3)


@pytest.mark.parametrize("query", ["", "  ", "\n"])
def test_an_empty_query_finds_nothing(retriever, query):
    assert found(retriever, query=query) == []


def test_ranks_count_from_one_and_scores_fall(retriever):
    evidence = retriever.search("fee", filters=OWNER, top_k=20)
    assert [item.rank for item in evidence] == [1, 2, 3]
    scores = [item.score for item in evidence]
    assert scores == sorted(scores, reverse=True)
    assert len({item.chunk.chunk_id for item in evidence}) == 3


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters.for_tags(["all"], as_of=DAY), ["public"]),
        (Filters.for_tags(["all", "hr"], as_of=DAY), ["public", "secret"]),
        (Filters.for_tags([], as_of=DAY), []),
        (Filters.for_tags(["all"], as_of=DAY, include_superseded=True), ["public", "old"]),
        (Filters.for_tags(["all"], as_of=date(2025, 12, 31)), ["public", "old"]),
        (Filters.for_tags(["all"], as_of=date(2027, 1, 1)), ["public", "future"]),
        (Filters.owner(as_of=DAY, where=["region=EU"]), ["public"]),
        (Filters.owner(as_of=DAY, where=["region=US"]), []),
    ],
)
def test_only_what_the_filters_admit_is_found(retriever, filters, expected):
    assert found(retriever, filters) == expected


def test_the_best_are_chosen_among_the_admitted(retriever):
    assert found(retriever, Filters.for_tags(["all"], as_of=date(2027, 1, 1)), top_k=2) == [
        "public",
        "future",
    ]


def test_the_same_question_gives_the_same_evidence(retriever):
    assert retriever.search("fee", filters=OWNER, top_k=3) == retriever.search("fee", filters=OWNER, top_k=3)
