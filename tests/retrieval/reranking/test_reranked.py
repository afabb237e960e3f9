"""The two stages: wide recall, copies folded, a closer look, and nothing hidden on the way."""

from datetime import date

import pytest

from rag_kit import DenseRetriever, Filters, InvalidValue
from rag_kit.retrieval.reranking import BestSentenceReranker, RerankingRetriever, fold_copies
from rag_kit.testing import ListRetriever, ScoreReranker, WordEmbedder, make_chunk, make_evidence

OWNER = Filters.owner(as_of=date(2026, 6, 1))
GUEST = Filters.for_tags(["all"], as_of=date(2026, 6, 1))


def longest():
    return ScoreReranker(lambda query, text: len(text))


def texts(found):
    return [item.chunk.text for item in found]


def test_places_and_scores_before_the_reranker_are_kept():
    retriever = RerankingRetriever(ListRetriever(make_evidence("One.", "Three.", "Four of them.")), longest())
    found = retriever.search("q", filters=OWNER, top_k=2)
    assert [(item.chunk.text, item.rank, item.score) for item in found] == [
        ("Four of them.", 1, 13.0),
        ("Three.", 2, 6.0),
    ]
    assert [item.ranks for item in found] == [{"list": 3, "hybrid": 3}, {"list": 2, "hybrid": 2}]
    assert [item.scores for item in found] == [{"hybrid": 1 / 3}, {"hybrid": 1 / 2}]
    assert [item.similarity for item in found] == [1 / 3, 1 / 2]


def test_the_first_stage_may_have_another_name():
    retriever = RerankingRetriever(ListRetriever(make_evidence("One.")), longest(), stage="dense+bm25")
    assert retriever.search("q", filters=OWNER, top_k=1)[0].ranks == {"list": 1, "dense+bm25": 1}


@pytest.mark.parametrize(("candidates", "top_k", "shown"), [(2, 1, 2), (2, 4, 4), (50, 3, 6)])
def test_the_reranker_sees_the_candidates_and_never_fewer_than_are_asked_for(candidates, top_k, shown):
    reranker = longest()
    wide = ListRetriever(make_evidence("a", "bb", "ccc", "dddd", "eeeee", "ffffff"))
    found = RerankingRetriever(wide, reranker, candidates=candidates).search("q", filters=OWNER, top_k=top_k)
    assert [len(held) for _, held in reranker.seen] == [shown]
    assert len(found) == top_k


def test_fewer_candidates_than_asked_for_are_all_there_is():
    retriever = RerankingRetriever(ListRetriever(make_evidence("a", "bb", "ccc")), longest())
    assert texts(retriever.search("q", filters=OWNER, top_k=20)) == ["ccc", "bb", "a"]


@pytest.mark.parametrize("copies", [3, 4, 9, 1_000])
def test_copies_do_not_take_the_places_of_what_else_there_is(copies):
    wide = ListRetriever(make_evidence(*["Same words."] * copies, "Other.", "Third."))
    found = RerankingRetriever(wide, longest(), candidates=4).search("q", filters=OWNER, top_k=3)
    assert texts(found) == ["Same words.", "Other.", "Third."]
    assert texts(RerankingRetriever(wide, longest()).search("q", filters=OWNER, top_k=1)) == ["Same words."]


def test_where_there_is_nothing_but_copies_the_search_ends():
    wide = ListRetriever(make_evidence(*["Same words."] * 99))
    found = RerankingRetriever(wide, longest(), candidates=2).search("q", filters=OWNER, top_k=5)
    assert texts(found) == ["Same words."]


@pytest.mark.parametrize("top_k", [0, -1])
def test_asking_for_nothing_is_refused(top_k):
    retriever = RerankingRetriever(ListRetriever(make_evidence("a")), longest())
    with pytest.raises(InvalidValue, match=f"top_k {top_k} asks for nothing"):
        retriever.search("q", filters=OWNER, top_k=top_k)
    with pytest.raises(InvalidValue, match=f"candidates {top_k}"):
        RerankingRetriever(ListRetriever(()), longest(), candidates=top_k)


def test_nothing_found_is_nothing_reranked():
    reranker = longest()
    retriever = RerankingRetriever(ListRetriever(()), reranker)
    assert retriever.search("q", filters=OWNER, top_k=3) == []
    assert reranker.seen == []


def test_what_the_reader_may_not_see_never_reaches_the_reranker():
    hidden = [make_chunk(f"limit limit secret {n}", f"hr{n}", access_tags=("hr",)) for n in range(8)]
    public = [make_chunk(f"limit for day {n}", f"all{n}", access_tags=("all",)) for n in range(2)]
    untagged = make_chunk("limit private", "untagged")
    chunks = [*hidden, *public, untagged]
    embedder = WordEmbedder("limit", "day")
    dense = DenseRetriever(chunks, embedder.embed([c.text for c in chunks]), embedder)
    reranker = longest()
    found = RerankingRetriever(dense, reranker).search("limit", filters=GUEST, top_k=2)
    assert texts(found) == ["limit for day 0", "limit for day 1"]
    assert reranker.seen == [("limit", ["limit for day 0", "limit for day 1"])]
    embedder.texts.clear()
    RerankingRetriever(dense, BestSentenceReranker(embedder)).search("limit", filters=GUEST, top_k=2)
    assert not any("secret" in text or "private" in text for text in embedder.texts)


class Inventive:
    name = "inventive"

    def rerank(self, query, candidates, *, top_n):
        return [*make_evidence("Never given."), candidates[1], candidates[1], *candidates]


def test_a_reranker_that_invents_repeats_or_gives_too_many_is_held_to_its_candidates():
    retriever = RerankingRetriever(ListRetriever(make_evidence("a", "b", "c")), Inventive())
    found = retriever.search("q", filters=OWNER, top_k=2)
    assert [(item.chunk.text, item.rank) for item in found] == [("b", 1), ("a", 2)]


def test_copies_are_folded_before_the_reranker_and_the_better_placed_one_stays():
    reranker = longest()
    same = [make_chunk(text, name) for text, name in (("Fee: 5.", "a"), ("Other.", "o"), ("fee:\n5.", "b"))]
    found = RerankingRetriever(ListRetriever(make_evidence(*same)), reranker).search(
        "q", filters=OWNER, top_k=3
    )
    assert reranker.seen == [("q", ["Fee: 5.", "Other."])]
    assert [item.chunk.document_id for item in found] == ["a", "o"]


def test_letters_of_full_width_decomposed_accents_and_hidden_signs_make_no_difference():
    chunks = [make_chunk(text, str(n)) for n, text in enumerate(("Café 5", "cafe\u0301 ５", "caf\u200bé 5"))]
    assert len(fold_copies(make_evidence(*chunks))) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"access_tags": ("hr",)},
        {"title": "Prices in Asia"},
        {"heading_path": ("Fees", "Asia")},
        {"prefix": "| Price in USD |"},
    ],
)
def test_equal_words_in_another_place_or_for_other_readers_stay_two(fields):
    one, two = make_chunk("The fee is 5.", "a"), make_chunk("The fee is 5.", "b", **fields)
    assert len(fold_copies(make_evidence(one, two))) == 2


def test_tags_in_another_order_are_the_same_readers():
    one = make_chunk("Five.", "a", access_tags=("all", "hr"))
    two = make_chunk("Five.", "b", access_tags=("hr", "all"))
    assert len(fold_copies(make_evidence(one, two))) == 1
