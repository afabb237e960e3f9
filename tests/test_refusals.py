"""Refusals: one table, and recognising one without mistaking an answer for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.refusals import REFUSAL, REFUSALS, detect_refusal, read_refusal, refuse


def test_the_prompt_asks_for_the_sentence_that_a_missing_answer_gets():
    assert REFUSAL == "I could not find an answer in the documents."
    assert refuse("no_evidence").text == refuse("declined").text == REFUSAL


def test_each_kind_says_what_it_is():
    assert refuse("uncited").text == "I could not find a supported answer in the documents."
    assert refuse("unverified").text == "I could not verify that against the documents."
    assert refuse("not_definitive", subject="the {fee}").text == (
        "I could not find a definitive answer about the {fee} in the documents provided."
    )


@pytest.mark.parametrize("kind", [kind for kind in REFUSALS if kind != "no_evidence"])
def test_every_text_of_the_table_is_recognised_as_its_kind(kind):
    assert detect_refusal(refuse(kind, subject="the fee of 2.50 in v1.2").text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "I COULD NOT FIND AN ANSWER IN THE DOCUMENTS",
        "  I could not find an answer\nin the documents . ".replace(" .", "."),
        "“I could not find an answer in the documents.”",
        '"I could not find an answer in the documents".',
        "I could not find an answer in the documents...",
    ],
)
def test_case_quotes_blanks_and_the_full_stop_do_not_matter(text):
    assert detect_refusal(text) == "declined"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The fee is 5 [1].",
        "I could not find an answer in the documents. The fee is 5 [1].",
        "I could not find an answer in the documents, but the fee is usually 5.",
        "The fee is 5. I could not find an answer in the documents.",
        "I could not find an answer in the documents?",
        "I could not find a definitive answer about the fee. It is 5. But see more in the documents provided.",
    ],
)
def test_a_text_that_goes_on_to_answer_is_no_refusal(text):
    assert detect_refusal(text) is None


@given(st.text(max_size=300))
def test_detection_takes_any_text(text):
    assert detect_refusal(text) in {None, *REFUSALS}
    assert detect_refusal(f"{REFUSAL} Q{text}") is None


def test_a_refusal_that_is_read_keeps_its_subject_in_the_models_words():
    own = refuse("not_definitive", subject="**Fees** of 2.50 {x}")
    assert read_refusal(f"“{own.text.rstrip('.')}”") == own
    assert read_refusal(REFUSAL) == refuse("declined")
    assert read_refusal("The fee is 5.") is None
