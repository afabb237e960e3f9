"""Candidate lists by depth: what they hold, and what a reranker keeps of it, by hand over lists made up here."""

from datetime import date

import pytest

from rag_kit import Filters, InvalidValue
from rag_kit.evaluation.depths import measure_depths
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.testing import ListRetriever, ScoreReranker, make_chunk, make_evidence

OWNER = Filters.owner(as_of=date(2026, 11, 15))
FOUND = make_evidence("One.", "Two two.", "Three three three.", "Four.")


def question(*documents, expected="answer"):
    return Question("q", "fee", expected, tuple(Gold(name) for name in documents))


def measured(questions, depths, k, score, found=FOUND):
    rows = measure_depths(
        questions, ListRetriever(found), ScoreReranker(score), depths=depths, k=k, filters_of=lambda q: OWNER
    )
    return [(row.candidates, row.found, row.kept) for row in rows]


def longest(query, text):
    return len(text)


def test_what_is_below_the_depth_no_reranker_brings_back():
    asked = [question("d3")]
    assert measured(asked, [2, 3, 4], 1, longest) == [
        (2, (0.0,), (0.0,)),
        (3, (1.0,), (1.0,)),
        (4, (1.0,), (1.0,)),
    ]


def test_a_deeper_list_can_lose_what_a_shallow_one_kept():
    asked = [question("d2"), question("d1", "d2")]
    assert measured(asked, [2, 4], 1, longest) == [(2, (1.0, 1.0), (1.0, 0.5)), (4, (1.0, 1.0), (0.0, 0.0))]


def test_as_many_candidates_as_are_kept_leave_the_recall_as_it_was():
    rows = measure_depths(
        [question("d1"), question("d4")],
        ListRetriever(FOUND),
        ScoreReranker(longest),
        depths=[2],
        k=2,
        filters_of=lambda q: OWNER,
    )
    assert rows[0].mean_found == rows[0].mean_kept == 0.5


def test_a_copy_takes_no_place_in_the_top():
    one, copy = make_chunk("The fee is 5 euro.", "a"), make_chunk("The fee is 5 euro.", "b")
    found = make_evidence(one, copy, make_chunk("By card.", "c"))
    assert measured([question("c")], [3], 2, longest, found) == [(3, (1.0,), (1.0,))]


def test_the_deepest_search_is_made_once():
    retriever = ListRetriever(FOUND)
    measure_depths(
        [question("d1")],
        retriever,
        ScoreReranker(longest),
        depths=[1, 2, 3],
        k=1,
        filters_of=lambda q: OWNER,
    )
    assert retriever.calls == 1


@pytest.mark.parametrize(
    ("questions", "depths", "k"),
    [
        ([question(expected="refuse")], [5], 5),
        ([], [5], 5),
        ([question("d1")], [], 5),
        ([question("d1")], [0, 5], 5),
        ([question("d1")], [5], 0),
    ],
)
def test_what_could_only_give_figures_that_mean_nothing_is_refused(questions, depths, k):
    with pytest.raises(InvalidValue):
        measured(questions, depths, k, longest)
