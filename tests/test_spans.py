"""Arithmetic of spans, compared with the sets of the characters that they hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.spans import contains, merge, overlap, share, shared, shift

SPANS = st.tuples(st.integers(0, 20), st.integers(1, 10)).map(lambda drawn: (drawn[0], sum(drawn)))


def held(*spans):
    return {at for span in spans for at in range(*span)}


@given(SPANS, SPANS)
def test_two_spans_are_compared_by_the_characters_that_they_hold(one, two):
    both = held(one) & held(two)
    assert shared(one, two) == shared(two, one) == len(both)
    assert overlap(one, two) is bool(both)
    assert contains(one, two) is (held(two) <= held(one))
    assert share(one, two) == len(both) / len(held(one))


@given(st.lists(SPANS))
def test_merged_spans_hold_the_same_characters_in_order_and_apart(spans):
    merged = merge(spans)
    assert held(*merged) == held(*spans)
    assert all(end < start for (_, end), (start, _) in zip(merged, merged[1:], strict=False))


@given(SPANS, st.integers(0, 50))
def test_a_span_that_is_moved_along_holds_the_same_words(span, by):
    text = "".join(chr(ord("a") + at % 26) for at in range(40))
    assert ("-" * by + text)[slice(*shift(span, by))] == text[slice(*span)]
    assert shift(shift(span, by), -by) == span


@pytest.mark.parametrize("empty", [(5, 5), (2, 2)])
def test_an_empty_span_shares_nothing(empty):
    assert shared(empty, (0, 9)) == 0
