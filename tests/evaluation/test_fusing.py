"""Questions searched once: figures and places of a fusion, and which setting a half of them chooses."""

from datetime import date

import numpy as np
import pytest

from rag_kit.access import Filters
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.fusing import (
    NOT_FOUND,
    choose_setting,
    figures_of,
    gold_places,
    moved,
    place_of,
    search_once,
)
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.retrieval import MemoryStore
from rag_kit.testing import WordEmbedder, make_chunk, make_evidence

OWNER = Filters.owner(as_of=date(2026, 11, 15))


@pytest.fixture
def searched():
    texts = ("The fee is 5 a day.", "A day of the fee.", "No day is free.", "Nothing of it.")
    chunks = [make_chunk(text, f"d{at}") for at, text in enumerate(texts)]
    embedder = WordEmbedder("fee", "day", "free")
    store = MemoryStore(chunks, np.asarray(embedder.embed(texts)), embedder)
    asked = [
        Question("one", "Is a day free?", "answer", (Gold("d2"), Gold("nowhere"))),
        Question("refused", "Who is it?", "refuse", (Gold("d0"),)),
        Question("none", "Which fee?", "answer", ()),
    ]
    return search_once(asked, store, filters=OWNER)


def by_words(lists):
    return lists["bm25"]


def test_only_questions_with_an_answer_and_evidence_are_searched(searched):
    assert [one.question.id for one in searched] == ["one"]
    assert set(searched[0].lists) == {"dense", "bm25"}


def test_figures_and_places_are_those_of_the_list_that_is_made(searched):
    assert figures_of(by_words, searched, 5) == {"recall": [0.5], "mrr": [1.0]}
    assert figures_of(lambda lists: lists["bm25"][1:], searched, 5) == {"recall": [0.0], "mrr": [0.0]}
    assert gold_places(by_words, searched) == [1, NOT_FOUND]


@pytest.mark.parametrize(
    ("figures", "chosen"),
    [
        ({(60, 1.0): (0.5, 0.9), (5, 4.0): (0.6, 0.1)}, (5, 4.0)),
        ({(60, 1.0): (0.5, 0.8), (5, 4.0): (0.5, 0.9)}, (5, 4.0)),
        ({(5, 1.0): (0.5, 0.8), (60, 2.0): (0.5, 0.8)}, (5, 1.0)),
        ({(5, 1.0): (0.5, 0.8), (120, 1.0): (0.5, 0.8)}, (120, 1.0)),
        ({(60, 2.0): (0.1 + 0.2, 0.8), (60, 1.0): (0.3, 0.8)}, (60, 1.0)),
    ],
)
def test_equal_settings_go_by_the_second_figure_and_then_by_how_usual_they_are(figures, chosen):
    assert choose_setting(figures) == chosen
    assert choose_setting(dict(reversed(figures.items()))) == chosen


@pytest.mark.parametrize("text", ["XX-1042B", "AXX-1042", "XX-1042-7", "E_XX-1042"])
def test_a_longer_code_does_not_hold_a_shorter_one(text):
    assert place_of("XX-1042", make_evidence(text, "the XX-1042, and more")) == 2


def test_what_no_passage_holds_has_no_place():
    assert place_of("XX-1042", make_evidence("XX-1024")) is None
    assert place_of("XX-1042", []) is None


def test_what_was_found_nowhere_and_is_found_nowhere_is_the_same():
    moves = moved([NOT_FOUND, 5, 6], [NOT_FOUND, 6, 5], 5)
    assert (moves.better, moves.same, moves.worse, moves.came, moves.fell) == (1, 1, 1, 1, 1)
    assert moved([], [], 5).same == 0


def test_what_does_not_fit_is_refused():
    with pytest.raises(InvalidValue, match="2 places against 1"):
        moved([1, 2], [1], 5)
    with pytest.raises(InvalidValue, match="no settings"):
        choose_setting({})
