"""What an inspection knows: places, letters, links, sums by hand, gold, and nothing that is hidden."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import Filters, InvalidValue
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.retrieval import Fusion, HybridRetriever
from rag_kit.teaching.views.retrieval.inspection import (
    find_links,
    find_trails,
    inspect_retrieval,
    letter,
    name_chunks,
    pipeline_notes,
)
from rag_kit.teaching.views.retrieval.view import retrieval_html, retrieval_text
from rag_kit.teaching.views.retrieval.why import fused_sum, reasons
from rag_kit.testing import make_chunk

ASKED = "fee of the museum"


def inspected(museum, question=ASKED, **options):
    return inspect_retrieval(museum.store, question, **{"filters": museum.owner, **options})


def columns(seen):
    return {ranking.name: [item.chunk for item in seen.rows(ranking)] for ranking in seen.rankings}


class Backwards:
    """Reranks by turning the candidates round; what it was given is kept."""

    name = "backwards"

    def rerank(self, query, candidates, *, top_n):
        self.given = list(candidates)
        turned = list(reversed(candidates))[:top_n]
        return [replace(item, rank=at, score=1 / at) for at, item in enumerate(turned, start=1)]


def test_three_lists_with_letters_in_reading_order(museum):
    seen = inspected(museum)
    assert columns(seen) == {
        "dense": [museum.fees, museum.cards],
        "bm25": [museum.cats, museum.cards, museum.fees],
        "fused": [museum.fees, museum.cards, museum.cats],
    }
    assert list(seen.letters.items()) == [
        (museum.fees.chunk_id, "A"),
        (museum.cards.chunk_id, "B"),
        (museum.cats.chunk_id, "C"),
    ]


def test_the_fused_list_is_that_of_the_hybrid_retriever(museum):
    for fusion in (Fusion(), Fusion(k=0, weights={"bm25": 0.3}), Fusion("zscore"), Fusion("minmax")):
        expected = HybridRetriever(museum.store, fusion).search(ASKED, filters=museum.owner, top_k=9)
        assert list(inspected(museum, fusion=fusion).rankings[2].items) == expected


@pytest.mark.parametrize(
    ("fusion", "sums"),
    [
        (Fusion(), ["1/(60 + 1) + 1/(60 + 3)", "1/(60 + 2) + 1/(60 + 2)", "1/(60 + 1)"]),
        (
            Fusion(k=0, weights={"bm25": 0.5}),
            ["1/(0 + 1) + 0.5/(0 + 3)", "1/(0 + 2) + 0.5/(0 + 2)", "0.5/(0 + 1)"],
        ),
        (Fusion(weights={"bm25": 0}), ["1/(60 + 1)", "1/(60 + 2)", "0"]),
    ],
)
def test_the_sum_is_written_out(museum, fusion, sums):
    seen = inspected(museum, fusion=fusion)
    assert [fused_sum(seen, chunk.chunk_id) for chunk in (museum.fees, museum.cards, museum.cats)] == sums


def test_min_max_by_hand(museum):
    # Cosines 1 and 0.707; CATS, without one, counts as the lowest. BM25: 1.228, 0.841 and 0.831.
    seen = inspected(museum, fusion=Fusion("minmax"))
    assert fused_sum(seen, museum.fees.chunk_id) == "1 × 1.000 + 1 × 0.000"
    assert fused_sum(seen, museum.cats.chunk_id) == "1 × 0.000 + 1 × 1.000"
    assert reasons(seen, museum.cards.chunk_id) == [
        "dense: place 2, cosine 0.707",
        "bm25: place 2, score 0.841",
        "fused: place 3; 1 × 0.000 + 1 × 0.025 = 0.025",
    ]


def test_the_parts_add_up_to_the_fused_score(museum):
    for fusion in (
        Fusion(k=7, weights={"dense": 0.4}),
        Fusion("zscore", weights={"bm25": 3}),
        Fusion("minmax"),
    ):
        seen = inspected(museum, fusion=fusion)
        for item in seen.rankings[2].items:
            parts = seen.parts[item.chunk.chunk_id]
            share = sum(part.value * part.weight for part in parts)
            assert share == pytest.approx(item.score, abs=1e-7)


def test_why_a_chunk_stands_here(museum):
    seen = inspected(museum)
    assert reasons(seen, museum.fees.chunk_id) == [
        "dense: place 1, cosine 1.000",
        "bm25: place 3, score 0.831",
        "fused: place 1; 1/(60 + 1) + 1/(60 + 3) = 0.0323",
    ]
    assert reasons(seen, museum.cats.chunk_id)[0] == "dense: not among the 2 candidates"
    assert [(share.term, share.count) for share in seen.terms[museum.fees.chunk_id]] == [
        ("fee", 2),
        ("museum", 0),
    ]


def test_a_fourth_list_is_the_fused_one_reranked(museum):
    seen = inspected(museum, reranker=Backwards())
    assert columns(seen)["reranked"] == [museum.cats, museum.cards, museum.fees]
    assert reasons(seen, museum.cats.chunk_id)[-1] == "reranked: place 1, score 1.000"


def test_a_reranker_that_makes_things_up_adds_nothing(museum):
    class Inventive(Backwards):
        def rerank(self, query, candidates, *, top_n):
            turned = super().rerank(query, candidates, top_n=top_n)
            return [turned[0], replace(turned[0], chunk=museum.pay), turned[0], *turned[1:]]

    ranking = inspected(museum, filters=museum.guest, reranker=Inventive()).rankings[3]
    assert [(item.chunk, item.rank) for item in ranking.items] == [
        (museum.cats, 1), (museum.cards, 2), (museum.fees, 3),
    ]  # fmt: skip


def test_the_gold_has_its_place_in_each_list(museum):
    seen = inspected(museum, museum.questions[0])
    first, second = seen.gold
    assert (first.chunk_ids, dict(first.places)) == (
        {museum.fees.chunk_id},
        {"dense": 1, "bm25": 2, "fused": 2},
    )
    assert dict(second.places) == {"dense": None, "bm25": None, "fused": None}
    assert seen.gold_in(museum.fees.chunk_id) == [1]
    assert seen.gold_in(museum.cards.chunk_id) == []


def test_gold_beyond_the_candidates_has_its_place_all_the_same(museum):
    asked = Question("q", ASKED, "answer", (Gold("fees", (0, 30)),))
    seen = inspected(museum, asked, top_k=1, candidates=1)
    assert dict(seen.gold[0].places) == {"dense": 1, "bm25": 3, "fused": 2}
    assert "bm25 at place 3, beyond the 1 candidates" in retrieval_text(seen)


def test_of_equal_scores_the_place_beyond_is_that_of_the_chunk_id(library_of):
    chunks = [make_chunk(f"A fee. {name}", name) for name in "abcd"]
    library = library_of(chunks, "fee")
    for place, chunk in enumerate(chunks, start=1):
        asked = Question("q", "fee", "answer", (Gold(chunk.document_id),))
        seen = inspect_retrieval(library.store, asked, filters=Filters.owner(), top_k=1, candidates=1)
        full = inspect_retrieval(library.store, asked, filters=Filters.owner())
        assert seen.gold[0].places["dense"] == full.gold[0].places["dense"] == place


@pytest.mark.parametrize(
    ("evidence", "note"),
    [
        ((Gold("fees", (11, 60)),), "no chunk holds half of the evidence"),
        ((Gold("nowhere"),), "the evidence is in no document of this library"),
        ((), "none is named"),
    ],
)
def test_gold_that_is_in_no_chunk_is_said_to_be(library_of, museum, evidence, note):
    cut = replace(museum.fees, span=(0, 20))
    library = library_of([cut], "fee")
    seen = inspect_retrieval(library.store, Question("q", "fee", "answer", evidence), filters=museum.owner)
    assert (seen.gold, seen.notes) == ((), (note,))


def test_a_question_to_be_refused_has_no_gold(museum):
    assert inspected(museum, museum.questions[2]).notes == ("none; the right answer is a refusal",)


def test_hidden_evidence_is_one_line_without_a_name(museum):
    seen = inspected(museum, museum.questions[1], filters=museum.guest)
    assert (seen.gold, seen.notes) == ((), ("the evidence is hidden from these tags",))
    for shown in (retrieval_html(seen), retrieval_text(seen), repr(seen)):
        for secret in ("Hypatia", "Payroll", "pay#", "Salaries"):
            assert secret not in shown
    open_to_all = inspected(museum, museum.questions[1])
    assert open_to_all.gold[0].places["bm25"] == 1


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ({"superseded_at": date(2026, 1, 1)}, "the evidence is superseded, and left out"),
        ({"updated_at": date(2027, 1, 1)}, "the evidence is not in force yet, and left out"),
        (
            {"access_tags": ("hr",), "superseded_at": date(2026, 1, 1)},
            "the evidence is hidden from these tags",
        ),
    ],
)
def test_why_evidence_is_left_out(library_of, museum, fields, note):
    library = library_of([museum.cards, replace(museum.cats, **fields)], "fee")
    asked = Question("q", "museum cat", "answer", (Gold("cats"),))
    assert inspect_retrieval(library.store, asked, filters=museum.guest).notes == (note,)


def test_the_best_of_what_may_be_seen_and_none_of_what_may_not(library_of):
    # The best eight are for others: whoever may not see them gets the next two, not none.
    others = [make_chunk(f"limit limit secret {n}", f"hr{n}", access_tags=("hr",)) for n in range(8)]
    public = [
        make_chunk(f"limit and five more words stand here {n}", f"p{n}", access_tags=("all",)) for n in (1, 2)
    ]
    untagged = make_chunk("limit limit of nobody", "x")
    library = library_of([*others, *public, untagged], "limit")
    reranker = Backwards()
    seen = inspect_retrieval(
        library.store, "limit", filters=Filters.for_tags(["all"]), top_k=2, candidates=2, reranker=reranker
    )
    assert {name: sorted(c.document_id for c in held) for name, held in columns(seen).items()} == {
        name: ["p1", "p2"] for name in ("dense", "bm25", "fused", "reranked")
    }
    assert {item.chunk.document_id for item in reranker.given} == {"p1", "p2"}
    assert "secret" not in retrieval_html(seen) + repr(seen)
    assert "nobody" not in retrieval_html(seen) + repr(seen)


TAGS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=2, unique=True).map(tuple)


@given(st.lists(TAGS, min_size=1, max_size=6), TAGS, st.integers(0, 5))
def test_nothing_hidden_is_in_an_inspection_whatever_the_tags(library_of, tags_of, mine, gold):
    chunks = [make_chunk(f"fee word{n}x", f"doc{n}x", access_tags=tags) for n, tags in enumerate(tags_of)]
    hidden = [n for n, tags in enumerate(tags_of) if not set(tags) & set(mine)]
    asked = Question("q", "What is the fee?", "answer", (Gold(f"doc{gold % len(chunks)}x", (0, 5)),))
    library = library_of(chunks, "fee")
    seen = inspect_retrieval(library.store, asked, filters=Filters.for_tags(mine), reranker=Backwards())
    shown = retrieval_html(seen) + retrieval_text(seen) + repr(seen)
    assert [n for n in range(len(chunks)) if f"doc{n}x" in shown or f"word{n}x" in shown] == [
        n for n in range(len(chunks)) if n not in hidden
    ]
    # And what is hidden moves nothing of what is shown.
    alone = library_of([chunk for n, chunk in enumerate(chunks) if n not in hidden], "fee")
    if len(hidden) < len(chunks) and gold % len(chunks) not in hidden:
        assert repr(
            inspect_retrieval(alone.store, asked, filters=Filters.owner(), reranker=Backwards())
        ) == repr(seen)


@given(st.lists(st.lists(st.sampled_from("abcdefg"), unique=True, max_size=5), max_size=4))
def test_each_chunk_has_one_letter_and_its_rows_are_joined_from_left_to_right(lists):
    names = name_chunks(lists)
    assert list(names.values()) == [letter(at) for at in range(len(names))]
    links = find_links(lists)
    assert len(links) == sum(map(len, lists)) - len(names)
    for link in links:
        (first, above), (last, below) = link.start, link.end
        assert lists[first][above] == lists[last][below] == link.chunk_id
        assert not any(link.chunk_id in lists[at] for at in range(first + 1, last))


@given(
    st.lists(st.lists(st.sampled_from("abcdefg"), unique=True, max_size=6), max_size=4),
    st.integers(1, 4),
    st.sets(st.sampled_from("abcdefg")),
)
def test_a_trail_joins_a_row_shown_with_a_place_below_the_rows(lists, shown, gold):
    for trail in find_trails(lists, shown, gold):
        (first, above), (last, below) = trail.start, trail.end
        assert first < last
        assert last >= 2
        assert (above is None) != (below is None)
        if below is None:
            assert trail.chunk_id in gold
            assert lists[first][above] == trail.chunk_id
            assert trail.chunk_id in lists[last][shown:]
            assert not any(trail.chunk_id in column[:shown] for column in lists[last:])
        else:
            assert lists[last][below] == trail.chunk_id
            assert not any(trail.chunk_id in column[:shown] for column in lists[:last])


def test_gold_in_sight_and_what_stays_leave_no_trail():
    assert find_trails([["x", "y"], ["y", "x"], ["x", "y"]], 2, {"x"}) == []
    assert find_trails([["x", "y"], ["z"], ["z", "x"]], 1, set()) == []


def test_an_empty_question_searches_nothing(museum):
    calls = museum.store.dense.embedder.calls
    assert inspected(museum, "  ").rankings == ()
    assert museum.store.dense.embedder.calls == calls


@pytest.mark.parametrize("wrong", [{"top_k": 0}, {"candidates": 0}])
def test_numbers_that_do_not_fit_are_refused(museum, wrong):
    with pytest.raises(InvalidValue):
        inspected(museum, **wrong)


def test_what_the_hybrid_pipeline_does_besides():
    assert pipeline_notes("What is the fee?") == ()
    assert pipeline_notes("Thank you!") == (
        "The hybrid pipeline would not search here: the question needs no document.",
    )
    assert pipeline_notes("Compare plan A and plan B") == (
        "The hybrid pipeline would search for “plan A” and for “plan B” as well; this view does not.",
    )
