"""What rerankers read: worked out by hand for two passages, and what is remembered is not read again."""

import pytest

from rag_kit import InvalidValue, count_tokens
from rag_kit.teaching.reading_costs import UNITS, Reading, measure_reading
from rag_kit.testing import make_evidence

PASSAGES = make_evidence("The fee is 5.", "Pay in May. Or in June.")
ASKED = ["What fee?", "When is it due?"]


def test_sentences_are_embedded_once_and_a_question_each_time():
    first, second = measure_reading("signs", ASKED, PASSAGES)
    texts = ["What fee?", "The fee is 5.", "Pay in May.", "Or in June."]
    assert first == Reading(4, sum(map(count_tokens, texts)))
    assert second == Reading(1, count_tokens(ASKED[1]))


def test_a_cross_encoder_reads_the_question_with_each_passage():
    first, second = measure_reading("cross-encoder", ASKED, PASSAGES)
    passages = count_tokens("The fee is 5.") + count_tokens("Pay in May. Or in June.")
    assert first == Reading(2, passages + 2 * count_tokens(ASKED[0]))
    assert second.tokens == passages + 2 * count_tokens(ASKED[1])


def test_a_language_model_is_called_anew_for_each_question_and_ten_passages():
    many = make_evidence(*(f"Passage number {at} says little." for at in range(12)))
    first, second = measure_reading("language model", ASKED, many)
    assert (first.count, second.count) == (2, 2)
    assert first.tokens > sum(count_tokens(item.chunk.text) for item in many)


def test_no_number_of_calls_is_too_many():
    costs = measure_reading("language model", [f"Fee {at}?" for at in range(1_001)], PASSAGES[:1])
    assert {cost.count for cost in costs} == {1}


def test_each_kind_has_a_unit_and_others_are_refused():
    assert all(measure_reading(kind, ASKED[:1], PASSAGES)[0].count for kind in UNITS)
    with pytest.raises(InvalidValue, match="kind of reranker"):
        measure_reading("oracle", ASKED, PASSAGES)
