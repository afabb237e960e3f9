"""Dense retrieval: cosines that a calculator agrees with, and an order that never changes."""

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.metrics.pairwise import cosine_similarity as oracle

from rag_kit import DenseRetriever, Filters, InvalidValue, cosine_similarity
from rag_kit.retrieval.dense import vector_lengths
from rag_kit.testing import WordEmbedder, make_chunk

DAY = date(2026, 6, 1)
OWNER = Filters.owner(as_of=DAY)


def retriever(*chunks, words=("fee", "day", "card")):
    embedder = WordEmbedder(*words)
    return DenseRetriever(chunks, embedder.embed([chunk.text for chunk in chunks]), embedder)


def test_cosines_by_hand():
    query = np.array([3.0, 4.0])
    vectors = np.array([[3, 4], [6, 8], [4, -3], [-3, -4], [1, 0]], dtype=float)
    assert cosine_similarity(query, vectors).tolist() == pytest.approx([1, 1, 0, -1, 3 / 5])


FLOATS = st.floats(-1e3, 1e3).filter(lambda x: x == 0 or abs(x) > 1e-3)


@given(arrays.arrays(np.float64, (3,), elements=FLOATS), arrays.arrays(np.float64, (5, 3), elements=FLOATS))
def test_cosines_are_scikit_learns_and_a_vector_without_direction_never_wins(query, vectors):
    ours = cosine_similarity(query, vectors)
    for cosine, expected, vector in zip(ours, oracle([query], vectors)[0], vectors, strict=True):
        if query.any() and vector.any():
            assert cosine == pytest.approx(expected, abs=1e-9)
        else:
            assert cosine == -np.inf


def test_zero_and_endless_vectors_are_never_found():
    vectors = np.array([[0, 3], [1, 1], [0, 0], [np.nan, 2], [np.inf, 0]], dtype=np.float32)
    assert cosine_similarity(np.array([0.0, 2.0]), vectors).round(4).tolist() == [
        1,
        0.7071,
        -np.inf,
        -np.inf,
        -np.inf,
    ]
    chunks = [make_chunk(text) for text in "abcde"]
    found = DenseRetriever(chunks, vectors, WordEmbedder("never", "two")).search(
        "two", filters=OWNER, top_k=5
    )
    assert [item.chunk.text for item in found] == ["a", "b"]
    assert [item.score for item in found] == [1, 0.70711]


def test_evidence_says_where_it_stands_and_how_close():
    found = retriever(make_chunk("day"), make_chunk("fee day"), make_chunk("fee")).search(
        "fee", filters=OWNER, top_k=2
    )
    assert [(e.chunk.text, e.rank, e.score, e.similarity, e.ranks) for e in found] == [
        ("fee", 1, 1.0, 1.0, {"dense": 1}),
        ("fee day", 2, 0.70711, 0.70711, {"dense": 2}),
    ]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_equal_scores_go_by_chunk_id_whatever_the_order_of_the_index(order):
    chunks = [make_chunk("fee", name) for name in ("d1", "d2", "d3", "d4")]
    found = retriever(*(chunks[at] for at in order)).search("fee", filters=OWNER, top_k=3)
    assert [item.chunk.document_id for item in found] == ["d1", "d2", "d3"]


def test_scores_that_differ_in_the_last_bits_only_are_equal():
    vectors = np.array([[1, 0], [1, 1e-4], [1, 0]], dtype=np.float32)
    chunks = [make_chunk("x", name) for name in ("c", "a", "b")]
    found = DenseRetriever(chunks, vectors, WordEmbedder("fee", "day")).search("fee", filters=OWNER, top_k=3)
    assert [item.chunk.document_id for item in found] == ["a", "b", "c"]


def test_hidden_chunks_take_no_place_among_the_best():
    secret = [make_chunk("fee", f"hr{n}", access_tags=("hr",)) for n in range(8)]
    public = [
        make_chunk("fee day", "p1", access_tags=("all",)),
        make_chunk("fee day day", "p2", access_tags=("all",)),
    ]
    untagged = make_chunk("fee", "private")
    guest = Filters.for_tags(["all"], as_of=DAY)
    found = retriever(*secret, *public, untagged).search("fee", filters=guest, top_k=2)
    assert [item.chunk.document_id for item in found] == ["p1", "p2"]


def test_two_chunks_of_one_document_id_are_each_asked_for():
    one, two = make_chunk("fee", "d", access_tags=("all",)), make_chunk("fee fee", "d", access_tags=("hr",))
    three = make_chunk("fee day", "d", access_tags=("all",), metadata={"region": "EU"})
    index = retriever(one, two, three)
    guest = Filters.for_tags(["all"], as_of=DAY)
    assert [e.chunk.text for e in index.search("fee", filters=guest, top_k=9)] == ["fee", "fee day"]
    in_europe = Filters.owner(as_of=DAY, where=["region=EU"])
    assert [e.chunk.text for e in index.search("fee", filters=in_europe, top_k=9)] == ["fee day"]


def test_what_was_asked_for_nobody_is_not_embedded():
    index = retriever(make_chunk("fee", access_tags=("hr",)))
    calls = index.embedder.calls
    assert index.search("fee", filters=Filters.for_tags([], as_of=DAY), top_k=3) == []
    assert index.search(" \n", filters=OWNER, top_k=3) == []
    assert index.embedder.calls == calls


def test_an_empty_index_finds_nothing():
    empty = DenseRetriever([], np.zeros((0, 3), np.float32), WordEmbedder("fee"))
    assert empty.search("fee", filters=OWNER, top_k=3) == []


def test_chunks_and_vectors_of_two_lengths_are_refused():
    with pytest.raises(InvalidValue, match="1 chunks but 2 vectors"):
        DenseRetriever([make_chunk("fee")], np.zeros((2, 3), np.float32), WordEmbedder("fee"))


def test_an_accent_written_in_two_ways_is_found_by_the_real_embedder(tmp_path):
    import unicodedata

    from rag_kit import load_settings, open_library

    decomposed = unicodedata.normalize("NFD", "Das Soufflé kostet neun Euro.")
    (tmp_path / "a.txt").write_text(decomposed, encoding="utf-8")
    (tmp_path / "b.txt").write_text("The gateway restarts at night.", encoding="utf-8")
    library = open_library(tmp_path, settings=load_settings(offline=True), pipeline="dense")
    found = library.search("Soufflé", filters=OWNER, top_k=1)
    assert found[0].chunk.text == decomposed


@pytest.mark.parametrize(
    ("text", "query"), [("ＣＯＤＥ ７３１", "code 731"), ("Code 731.", "ｃｏｄｅ ７３１")]
)
def test_letters_of_full_width_are_found_by_the_real_embedder_in_both_directions(text, query):
    from rag_kit.llm.minilm import minilm

    chunks = [
        make_chunk(one, f"d{at}") for at, one in enumerate(["Gödel soufflé 2024", "Seats cost 5.", text])
    ]
    store = DenseRetriever(chunks, minilm().embed([chunk.text for chunk in chunks]), minilm())
    found = store.search(query, filters=OWNER, top_k=1)
    assert [item.chunk.text for item in found] == [text]


def test_lengths_are_the_same_whether_computed_before_or_now():
    vectors = np.random.default_rng(0).normal(size=(20_000, 3)).astype(np.float32)
    query = np.array([1.0, 2.0, 3.0], dtype=np.float32)
    again = cosine_similarity(query, vectors, lengths=vector_lengths(vectors))
    assert np.array_equal(cosine_similarity(query, vectors), again)
    assert np.allclose(again, oracle([query], vectors)[0], atol=1e-6)


def test_whole_numbers_are_vectors_too():
    assert vector_lengths(np.array([[1, 1], [3, 4]])).round(3).tolist() == [1.414, 5]


def test_vectors_are_kept_as_they_are_given_and_other_number_types_are_converted_once():
    embedder, chunks = WordEmbedder("fee", "day"), [make_chunk("fee"), make_chunk("day")]
    given = embedder.embed(["fee", "day"])
    assert np.shares_memory(DenseRetriever(chunks, given, embedder).vectors, given)
    for other in (given.astype(np.float64), np.asfortranarray(given), given.astype(np.float64) * 1e300):
        index = DenseRetriever(chunks, other, embedder)
        assert index.vectors.dtype == np.float32
        assert index.vectors.flags.c_contiguous
        found = [item.chunk.text for item in index.search("fee", filters=OWNER, top_k=1)]
        assert found == (["fee"] if np.isfinite(index.vectors).all() else [])


def test_an_embedder_of_another_size_gives_an_error_and_never_a_score():
    eight, sixteen = WordEmbedder(*"abcdefgh", name="a"), WordEmbedder(*"abcdefghijklmnop", name="a")
    index = DenseRetriever([make_chunk("a")], eight.embed(["a"]), sixteen)
    with pytest.raises(InvalidValue, match="'a' gives 16 dimensions and the index has 8: index again"):
        index.search("a", filters=OWNER, top_k=1)


def test_a_chunk_is_as_close_as_the_closest_of_its_vectors_and_comes_once():
    embedder = WordEmbedder("fee", "day")
    chunks = [make_chunk("fee day", "both"), make_chunk("fee fee day", "more")]
    vectors = embedder.embed(["fee day", "fee fee day", "day", "fee"])
    owners = np.array([0, 1, 1, 0], dtype=np.int32)
    found = DenseRetriever(chunks, vectors, embedder, owners=owners).search("fee", filters=OWNER, top_k=5)
    assert [(item.chunk.document_id, item.score) for item in found] == [
        ("both", 1.0), ("more", pytest.approx(2 / 5**0.5, abs=1e-5)),
    ]  # fmt: skip
    day = DenseRetriever(chunks, vectors, embedder, owners=owners).search("day", filters=OWNER, top_k=1)
    assert [(item.chunk.document_id, item.score) for item in day] == [("more", 1.0)]


def test_vectors_in_another_order_than_the_chunks_are_told_by_their_owners():
    embedder = WordEmbedder("fee", "day")
    chunks = [make_chunk("fee", "a"), make_chunk("day", "b")]
    crossed = DenseRetriever(
        chunks, embedder.embed(["day", "fee"]), embedder, owners=np.array([1, 0], dtype=np.int32)
    )
    assert crossed.search("day", filters=OWNER, top_k=1)[0].chunk.document_id == "b"


@pytest.mark.parametrize("owners", [[0, 0], [0, 2], [0, -1]])
def test_owners_that_are_not_the_chunks_are_refused(owners):
    embedder = WordEmbedder("fee")
    chunks = [make_chunk("fee", "a"), make_chunk("fee fee", "b")]
    with pytest.raises(InvalidValue, match="embed them again"):
        DenseRetriever(
            chunks, embedder.embed(["fee", "fee"]), embedder, owners=np.array(owners, dtype=np.int32)
        )


def test_a_hidden_chunk_is_not_found_by_one_of_its_rows():
    embedder = WordEmbedder("fee", "day")
    chunks = [make_chunk("day", "old", superseded_at=date(2026, 1, 1)), make_chunk("fee day", "new")]
    vectors = embedder.embed(["day", "fee day", "fee"])
    made = DenseRetriever(chunks, vectors, embedder, owners=np.array([0, 1, 0], dtype=np.int32))
    assert [item.chunk.document_id for item in made.search("fee", filters=OWNER, top_k=5)] == ["new"]


def test_keeping_some_chunks_keeps_all_of_their_vectors():
    embedder = WordEmbedder("fee", "day", "card")
    chunks = [make_chunk(text, text) for text in ("fee", "day", "card")]
    vectors = embedder.embed(["fee", "day", "card", "fee day", "fee card"])
    made = DenseRetriever(chunks, vectors, embedder, owners=np.array([0, 1, 2, 1, 0], dtype=np.int32))
    less = made.keeping([1, 2], chunks[1:])
    assert less.owners.tolist() == [0, 1, 0]
    assert np.array_equal(less.vectors, vectors[[1, 2, 3]])
    assert less.search("fee", filters=OWNER, top_k=1)[0].chunk.document_id == "day"


@pytest.mark.parametrize("rows_each", [1, 2])
def test_what_is_admitted_is_scored_as_if_nothing_else_were_there(rows_each):
    count = 5_000
    random = np.random.default_rng(0)
    chunks = [make_chunk("x", f"d{n}", access_tags=(("all",), ("hr",))[n % 2]) for n in range(count)]
    vectors = random.normal(size=(rows_each * count, 8)).astype(np.float32)
    owners = np.tile(random.permutation(count), rows_each).astype(np.int32)
    embedder = WordEmbedder(*"abcdefgh")
    whole = DenseRetriever(chunks, vectors, embedder, owners=owners)
    alone = whole.keeping(range(1, count, 2), chunks[1::2])
    staff = Filters.for_tags(["hr"], as_of=date(2026, 6, 1))
    question = "a a b c"
    assert whole.search(question, filters=staff, top_k=3_000) == alone.search(
        question, filters=OWNER, top_k=3_000
    )
    scores = whole.scores(question, staff)
    expected = (vectors @ embedder.embed([question])[0]) / np.linalg.norm(vectors, axis=1)
    best = np.full(count, -np.inf)
    np.maximum.at(best, owners, expected)
    assert np.flatnonzero(np.isfinite(scores)).tolist() == list(range(1, count, 2))
    assert np.allclose(scores[1::2], best[1::2], atol=1e-6)
