"""Whoever asks, and however it is searched: nothing hidden is found, and nothing hidden moves what is found."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import Filters
from rag_kit.operations.pipelines import PIPELINES, make_retriever
from rag_kit.retrieval import MemoryStore
from rag_kit.testing import WordEmbedder, make_chunk

DAY = date(2026, 6, 1)
EMBEDDER = WordEmbedder("fee", "day", "limit")
TAGS = st.sets(st.sampled_from(["all", "hr", "legal", "sales"]), max_size=3)
TEXTS = st.lists(st.sampled_from(["fee", "day", "limit", "XX-1042"]), min_size=1, max_size=5).map(" ".join)
DATES = st.sampled_from([None, date(2026, 1, 1), DAY, date(2027, 1, 1)])


@st.composite
def corpora(draw):
    rows = draw(st.lists(st.tuples(TEXTS, TAGS, DATES, DATES, st.sampled_from(["EU", "US"])), max_size=10))
    return [
        make_chunk(
            text,
            f"d{at}",
            access_tags=tuple(sorted(tags)),
            updated_at=updated,
            superseded_at=superseded,
            metadata={"region": region},
        )
        for at, (text, tags, updated, superseded, region) in enumerate(rows)
    ]


@st.composite
def askers(draw):
    where = draw(st.sampled_from([(), ("region=EU",)]))
    options = {"as_of": DAY, "where": where, "include_superseded": draw(st.booleans())}
    return Filters.for_tags(draw(TAGS), **options) if draw(st.booleans()) else Filters.owner(**options)


def store_of(chunks):
    return MemoryStore(chunks, EMBEDDER.embed([chunk.text for chunk in chunks]).reshape(-1, 3), EMBEDDER)


@pytest.mark.parametrize("pipeline", PIPELINES)
@given(corpora(), askers(), TEXTS, st.integers(1, 12))
def test_a_search_is_the_search_of_what_one_may_see(pipeline, chunks, filters, query, top_k):
    found = make_retriever(pipeline, store_of(chunks)).search(query, filters=filters, top_k=top_k)
    seen = [chunk for chunk in chunks if filters.admits(chunk)]
    alone = make_retriever(pipeline, store_of(seen)).search(query, filters=filters, top_k=top_k)
    assert found == alone
    assert all(filters.admits(item.chunk) for item in found)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_rights_come_before_the_cut(pipeline):
    secret = [make_chunk("limit limit", f"hr{n}", access_tags=("hr",)) for n in range(8)]
    public = [make_chunk("limit" + " day" * (n + 1), f"all{n}", access_tags=("all",)) for n in range(2)]
    chunks = [*secret, *public, make_chunk("limit", "untagged")]
    guest = Filters.for_tags(["all"], as_of=DAY)
    found = make_retriever(pipeline, store_of(chunks)).search("limit", filters=guest, top_k=2)
    assert [item.chunk.document_id for item in found] == ["all0", "all1"]


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_equal_texts_with_different_tags_stay_two(pipeline):
    chunks = [
        make_chunk("fee day", "a", access_tags=("all",)),
        make_chunk("fee day", "b", access_tags=("hr",)),
    ]
    found = make_retriever(pipeline, store_of(chunks)).search(
        "fee", filters=Filters.owner(as_of=DAY), top_k=5
    )
    assert [item.chunk.document_id for item in found] == ["a", "b"]


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("top_k", [1, 3, 20])
def test_there_are_never_more_than_there_are_nor_any_twice(pipeline, top_k):
    chunks = [make_chunk(text, f"d{at}") for at, text in enumerate(["fee", "fee day", "fee limit"])]
    found = make_retriever(pipeline, store_of(chunks)).search(
        "fee", filters=Filters.owner(as_of=DAY), top_k=top_k
    )
    ids = [item.chunk.chunk_id for item in found]
    assert len(ids) == len(set(ids)) == min(top_k, 3)
