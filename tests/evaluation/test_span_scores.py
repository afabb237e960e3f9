"""Span metrics: by hand, and against sets of single characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.evaluation.span_scores import SpanScores, chunk_spans, precision_omega, score_spans
from rag_kit.testing import make_chunk

SPANS = st.lists(
    st.tuples(
        st.sampled_from("de"), st.tuples(st.integers(0, 20), st.integers(1, 9)).map(lambda s: (s[0], sum(s)))
    ),
    max_size=6,
)


def letters(spans):
    return {(document, at) for document, (start, end) in spans for at in range(start, end)}


def share(part, whole):
    return part / whole if whole else 0


@given(SPANS, SPANS)
def test_every_figure_is_what_counting_single_characters_gives(gold, found):
    wanted, hit = letters(gold), len(letters(gold) & letters(found))
    read = sum(end - start for _, (start, end) in found)
    assert score_spans(gold, found) == SpanScores(
        share(hit, len(wanted)), share(hit, read), share(hit, read + len(wanted) - hit)
    )
    touching = set().union(*(letters([span]) for span in found if letters([span]) & wanted))
    assert precision_omega(gold, found) == share(len(touching & wanted), len(touching | wanted))


def test_the_same_place_in_another_document_is_another_place():
    assert score_spans([("d", (0, 10))], [("e", (0, 10))]) == SpanScores(0, 0, 0)
    assert precision_omega([("d", (0, 10))], [("e", (0, 10))]) == 0


def test_what_two_passages_repeat_is_found_once_and_read_twice():
    assert score_spans([("d", (0, 10))], [("d", (0, 10)), ("d", (0, 10))]) == SpanScores(1, 0.5, 0.5)


@pytest.mark.parametrize(("start", "expected"), [(10, 1.0), (9, 11 / 20)])
def test_a_chunk_that_only_ends_where_the_gold_begins_does_not_touch_it(start, expected):
    assert precision_omega([("d", (start, 20))], [("d", (0, 10)), ("d", (10, 20))]) == expected


def test_gold_that_no_chunk_holds_counts_as_missed():
    assert precision_omega([("d", (0, 10)), ("d", (50, 60))], [("d", (0, 20))]) == 1 / 3


def test_chunks_count_where_they_stand_and_not_by_what_they_carry():
    assert chunk_spans([make_chunk("| a |", "d", start=7, prefix="| head |")]) == [("d", (7, 12))]
