"""The words that carry what a text says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.wording import STOP_WORDS, content_words


@pytest.mark.parametrize("word", sorted(STOP_WORDS))
@pytest.mark.parametrize("spell", [str, str.upper, str.capitalize], ids=["small", "capitals", "first"])
def test_no_word_that_stands_in_any_text_carries_what_a_text_says(word, spell):
    assert content_words(f"{spell(word)} fee") == ["fee"]


def test_a_name_that_looks_like_the_stem_of_one_is_a_name():
    assert content_words("What does Jane Doe earn?") == ["jane", "doe", "earn"]


@given(st.lists(st.sampled_from([*sorted(STOP_WORDS), "fee", "XX-1042", "7"]), max_size=12))
def test_what_is_left_is_what_is_no_such_word_in_its_order(words):
    assert content_words(" ".join(words)) == [word.casefold() for word in words if word not in STOP_WORDS]
