"""The embedding model of this machine: pinned, whole, and blind to its batch."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_kit.llm import minilm as module
from rag_kit.llm.minilm import minilm

TEXTS = ["The fee is due in May.", "Restart the gateway.", "fee " * 200, "x", "Réf. 退款 😀"]


def test_the_files_are_the_pinned_ones():
    assert module.verify(module.WEIGHTS)
    assert module.verify(module.TOKENIZER)
    assert module.WEIGHTS[2][:8] in minilm().name


def test_a_text_has_one_vector_whatever_it_is_batched_with():
    together = minilm().embed(TEXTS)
    assert together.shape == (len(TEXTS), 384)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    for text, row in zip(TEXTS, together, strict=True):
        assert np.allclose(minilm().embed([text])[0], row, atol=1e-6)


def test_texts_of_like_meaning_stand_closer():
    asked, near, far = minilm().embed(
        ["How do I get my money back?", "Refunds are paid within ten days.", "The pump weighs 40 kg."]
    )
    assert asked @ near > asked @ far


def test_nothing_to_embed_gives_no_rows():
    assert minilm().embed([]).shape == (0, 384)


def test_text_over_256_tokens_is_not_read_and_up_to_there_all_of_it_is():
    # Each word is one token and two are special: 254 words are read.
    words = ["fee"] * 254
    full, changed, longer = minilm().embed(
        [" ".join(w) for w in (words, [*words[:-1], "day"], [*words, "day"])]
    )
    assert not np.allclose(full, changed, atol=1e-4)
    assert np.allclose(full, longer, atol=1e-6)


def test_counting_goes_on_where_the_tokenizers_own_file_says_to_stop():
    # Left as it is shipped, the tokenizer cuts at 128; this word is more than one token.
    each = minilm().count("unforgettably")
    assert each > 1
    assert minilm().count("unforgettably " * 100) == 100 * each


@pytest.mark.parametrize("text", [*TEXTS, "", "退款期限为三十天", "<|endoftext|>", "a" * 100])
def test_counts_add_up_to_what_is_read(text):
    model = minilm()
    if model.count(text) + model.special_tokens <= model.max_tokens:
        assert model.count(text) + model.special_tokens == model.read_tokens([text])


@settings(max_examples=50)
@given(st.text())
def test_word_spans_hold_every_letter(text):
    spans = minilm().word_spans(text)
    assert "".join(text[a:b] for (a, b), _ in spans) == "".join(text.split())
    assert all(tokens >= 1 for _, tokens in spans)
