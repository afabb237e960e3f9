"""A cross-encoder's scores: logits and probabilities, one a pair, never squashed twice."""

import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from rag_kit import InvalidValue
from rag_kit.errors import MissingModel
from rag_kit.retrieval.reranking import CrossEncoderReranker
from rag_kit.testing import PairFake, make_chunk, make_evidence

TEXTS = ("One.", "Two.", "Three.")


def ranked(scores, top_n=2, **options):
    reranker = CrossEncoderReranker(PairFake(dict(zip(TEXTS, scores, strict=True))), **options)
    found = reranker.rerank("q", make_evidence(*TEXTS), top_n=top_n)
    return [(item.chunk.text, item.score) for item in found]


def test_logits_are_shown_as_probabilities_and_the_threshold_is_one():
    scores = [4.2, 0.3, -2.0]
    assert ranked(scores, top_n=3) == [("One.", 0.98523), ("Two.", 0.57444), ("Three.", 0.1192)]
    assert ranked(scores, threshold=0.5) == [("One.", 0.98523), ("Two.", 0.57444)]
    assert ranked(scores, threshold=0.6) == [("One.", 0.98523)]


def test_probabilities_are_not_squashed_again_and_all_may_fall_below_a_threshold():
    scores = [0.0041, 0.0007, 0.0001]
    assert ranked(scores, scale="probability") == [("One.", 0.0041), ("Two.", 0.0007)]
    assert ranked(scores, scale="probability", threshold=0.5) == []
    assert ranked(scores, scale="probability", threshold=0.001) == [("One.", 0.0041)]


@pytest.mark.parametrize("scale", ["logit", "probability"])
def test_scores_that_are_all_the_same_leave_the_order(scale):
    assert [text for text, _ in ranked([1.0, 1.0, 1.0], scale=scale)] == ["One.", "Two."]


def test_logits_so_high_that_their_probabilities_are_equal_still_order():
    assert ranked([12.5, 14.0, 13.0], top_n=3) == [("Two.", 1.0), ("Three.", 1.0), ("One.", 1.0)]


def test_a_score_that_is_no_number_comes_last_with_a_warning_and_reaches_no_threshold():
    with pytest.warns(UserWarning, match="1 of 3 scores"):
        assert ranked([0.9, math.nan, 0.1], top_n=3, scale="probability") == [
            ("One.", 0.9), ("Three.", 0.1), ("Two.", 0.1),
        ]  # fmt: skip
    with pytest.warns(UserWarning, match="1 of 3 scores"):
        assert ranked([0.9, math.nan, 0.1], scale="probability", threshold=0.5) == [("One.", 0.9)]
    with pytest.warns(UserWarning, match="1 of 3 scores"):
        assert ranked([math.nan, 0.9, 0.8], top_n=3, scale="probability", threshold=0.5) == [
            ("Two.", 0.9), ("Three.", 0.8),
        ]  # fmt: skip


class Odd:
    def __init__(self, given):
        self.given = given

    def predict(self, pairs):
        return self.given


@pytest.mark.parametrize("given", [[0.9, 0.1], [0.9, 0.1, 0.2, 0.3], [], [[0.1, 0.9]] * 3, 0.5])
def test_another_number_of_scores_than_pairs_is_an_error_and_never_matched_up(given):
    with pytest.raises(InvalidValue, match="for 3 pairs"):
        CrossEncoderReranker(Odd(given)).rerank("q", make_evidence(*TEXTS), top_n=2)


def test_a_column_of_scores_is_read_as_one_score_a_pair():
    found = CrossEncoderReranker(Odd(np.array([[0.1], [2.0], [1.0]], dtype=np.float32)))
    assert [item.chunk.text for item in found.rerank("q", make_evidence(*TEXTS), top_n=3)] == [
        "Two.", "Three.", "One.",
    ]  # fmt: skip


def test_logits_given_as_probabilities_are_found_out():
    with pytest.raises(InvalidValue, match="4.2, which is no probability: say scale='logit'"):
        ranked([4.2, 0.3, 0.1], scale="probability")


def test_pairs_go_out_in_batches_are_scored_once_and_hold_title_and_headings():
    model = PairFake(default=0.0)
    reranker = CrossEncoderReranker(model, batch=2)
    given = make_evidence(make_chunk("One.", title="Fees"), *(make_chunk(text, text) for text in TEXTS[1:]))
    reranker.rerank("q", given, top_n=3)
    assert model.batches == [[("q", "Fees\nOne."), ("q", "Two.")], [("q", "Three.")]]
    reranker.rerank("q", given, top_n=3)
    assert len(model.batches) == 2
    reranker.rerank("another", given[:1], top_n=3)
    assert model.batches[2:] == [[("another", "Fees\nOne.")]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "percent"}, "unknown scale 'percent'; choose 'logit' or 'probability'"),
        ({"threshold": 50}, "threshold 50 is no probability"),
        ({"threshold": math.nan}, "threshold nan is no probability"),
        ({"batch": 0}, "batch 0 scores nothing"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, message):
    with pytest.raises(InvalidValue, match=message):
        CrossEncoderReranker(PairFake(), **options)


def test_a_model_that_is_loaded_here_gives_logits():
    with pytest.raises(InvalidValue, match="a model that is loaded gives logits"):
        CrossEncoderReranker("some/model", scale="probability")


def test_without_the_package_the_error_says_what_to_install_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingModel, match="pip install sentence-transformers") as caught:
        CrossEncoderReranker("some/model")
    assert "\n" not in str(caught.value)


def test_a_cross_encoder_without_a_name_is_refused():
    with pytest.raises(InvalidValue, match="give the folder of a model"):
        CrossEncoderReranker(" ")


@pytest.mark.parametrize(
    "raised", [OSError("no config.json\nmore"), ValueError(""), AttributeError("x"), Exception("x")]
)
def test_whatever_the_foreign_loader_raises_becomes_one_line_that_names_the_model(monkeypatch, raised):
    def refuse(name, activation_fn):
        raise raised

    foreign = SimpleNamespace(CrossEncoder=refuse)
    torch = SimpleNamespace(nn=SimpleNamespace(Identity=object))
    monkeypatch.setitem(sys.modules, "sentence_transformers", foreign)
    monkeypatch.setitem(sys.modules, "torch", torch)
    with pytest.raises(MissingModel, match="'some/model' cannot be loaded") as caught:
        CrossEncoderReranker("some/model")
    assert "\n" not in str(caught.value)
