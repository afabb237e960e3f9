"""The named pipelines over one store: the same rules in each, whatever is asked and however the corpus lies."""

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import Filters, InvalidValue
from rag_kit.operations.pipelines import PIPELINES, make_retriever
from rag_kit.retrieval import MemoryStore
from rag_kit.testing import WordEmbedder, make_chunk

OWNER = Filters.owner(as_of=date(2026, 6, 1))
WORDS = ("fee", "day", "limit")
each_pipeline = pytest.mark.parametrize("pipeline", PIPELINES)


def searched(pipeline, chunks, query, *, filters=OWNER, top_k=20, vectors=None):
    embedder = WordEmbedder(*WORDS)
    if vectors is None:
        vectors = embedder.embed([chunk.embed_text() for chunk in chunks]).reshape(-1, 3)
    store = MemoryStore(chunks, vectors, embedder)
    return make_retriever(pipeline, store).search(query, filters=filters, top_k=top_k)


def names(found):
    return [item.chunk.document_id for item in found]


THREE = [make_chunk(text, f"d{at}") for at, text in enumerate(["fee", "fee day", "fee limit"])]


@each_pipeline
@pytest.mark.parametrize(
    ("where", "top_k", "count"), [((), 20, 3), ((), 1, 1), (("id=d1",), 3, 1), (("id=x",), 3, 0)]
)
def test_at_most_what_was_asked_for_and_what_is_left(pipeline, where, top_k, count):
    filters = Filters.owner(as_of=date(2026, 6, 1), where=where)
    found = searched(pipeline, THREE, "fee", filters=filters, top_k=top_k)
    assert len(set(names(found))) == len(found) == count
    assert searched(pipeline, [], "fee", filters=filters, top_k=top_k) == []


@each_pipeline
@pytest.mark.parametrize("query", ["fee", "compare fee and day", "hello", ""])
@pytest.mark.parametrize("top_k", [0, -1])
def test_a_count_below_one_is_refused_whatever_is_asked(pipeline, query, top_k):
    with pytest.raises(InvalidValue, match=f"top_k {top_k} asks for nothing"):
        searched(pipeline, THREE, query, top_k=top_k)


CHUNKS = [
    make_chunk(text, f"d{at}", access_tags=tags)
    for tags in ((), ("hr",))
    for at, text in enumerate(["fee day", "fee day", "day fee", "limit XX-1042", "fee", ""])
]
CHUNKS = [chunk for at, chunk in enumerate(CHUNKS) if at < 6] + [
    make_chunk(chunk.text, f"e{at}", access_tags=chunk.access_tags) for at, chunk in enumerate(CHUNKS[6:])
]
QUERIES = st.sampled_from(["fee", "fee day", "XX-1042", "compare fee and day", "fee vs limit", "day limit"])


@each_pipeline
@given(st.permutations(CHUNKS), QUERIES, st.integers(1, 13))
def test_the_order_of_the_corpus_decides_nothing(pipeline, order, query, top_k):
    assert searched(pipeline, order, query, top_k=top_k) == searched(pipeline, CHUNKS, query, top_k=top_k)


@each_pipeline
def test_a_thousand_copies_are_told_apart_by_their_ids_alone(pipeline):
    copies = [make_chunk("fee", f"d{at:04}") for at in range(1_000)]
    # Reranking shows of copies one; the others keep all.
    expected = ["d0000"] if "rerank" in pipeline else ["d0000", "d0001", "d0002"]
    assert names(searched(pipeline, copies[::-1], "fee", top_k=3)) == expected


@each_pipeline
@pytest.mark.parametrize("odd", [0.0, np.nan, np.inf, -np.inf])
def test_vectors_without_a_direction_give_no_score_that_is_no_number(pipeline, odd):
    vectors = np.array([[1, 0, 0], [odd] * 3, [odd] * 3], dtype=np.float32)
    found = searched(pipeline, THREE, "fee", vectors=vectors)
    assert names(found)[0] == "d0"
    shown = [value for item in found for value in (item.score, *item.scores.values())]
    assert np.isfinite(shown).all()
    assert all(item.similarity is None or np.isfinite(item.similarity) for item in found)


@each_pipeline
@pytest.mark.parametrize(
    "query",
    [
        "\0",
        "\x1b[2J fee",
        "fee \ud800",
        "\u202efee",
        "\u200b",
        "\u0301" * 99,
        "👩\u200d💻",
        "退款期限",
        "?" * 999,
        "fee " * 25_000,
        "x" * 1_000_000,
        "1" + ",234" * 20_000,
        "/" * 100_000,
        "thank you " * 9_999 + "fee",
        "compare " + "a and " * 5_000,
    ],
    ids=lambda query: ascii(query[:12]),
)
def test_any_text_can_be_asked(pipeline, query):
    found = searched(pipeline, THREE, query)
    assert set(names(found)) <= {"d0", "d1", "d2"}
    if "fee" in query:
        assert len(found) == 3


@each_pipeline
def test_of_a_document_what_is_in_force_is_found_and_an_addendum_beside_it(pipeline):
    def dated(name, year, **fields):
        return make_chunk(f"fee {name}", name, updated_at=date(year, 1, 1), **fields)

    chunks = [
        dated("old", 2024, superseded_at=date(2026, 1, 1)),
        dated("new", 2026, metadata={"supersedes": "old"}),
        dated("addendum", 2026, metadata={"amends": "new"}, expires_at=date(2026, 5, 1)),
        dated("next", 2027),
    ]

    def seen(day, **options):
        filters = Filters.owner(as_of=day, **options)
        return set(names(searched(pipeline, chunks, "fee", filters=filters)))

    assert seen(date(2026, 6, 1)) == {"new", "addendum"}
    assert seen(date(2026, 6, 1), include_superseded=True) == {"old", "new", "addendum"}
    assert seen(date(2025, 6, 1)) == {"old"}
    assert seen(date(2027, 6, 1)) == {"new", "addendum", "next"}
    assert seen(date(2023, 6, 1)) == set()
