"""The sweep: figures by hand over chunks cut on purpose, and what an arm that cannot be leaves standing."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from rag_kit import InvalidValue, parse
from rag_kit.access import Filters
from rag_kit.evaluation.arms import Arm, make_arms
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.evaluation.sweep import sweep
from rag_kit.refusals import REFUSAL
from rag_kit.settings import Settings
from rag_kit.testing import (
    FakeTokenizer,
    ListRetriever,
    ScriptedTransport,
    WordEmbedder,
    make_chunk,
    make_evidence,
)

TEXT = "The fee is 5. A card costs 2. The gate opens at 8."
FEE, CARD, GATE = (0, 13), (14, 29), (30, 50)


@pytest.fixture
def documents(folder):
    return parse(folder({"d.txt": TEXT})).documents


def asking(question_id, question, *spans, expected="answer", document_id="d.txt"):
    return Question(question_id, question, expected, tuple(Gold(document_id, span) for span in spans))


QUESTIONS = [asking("q1", "Which fee?", FEE), asking("q2", "Which card?", CARD)]


def by_hand(documents, tokenizer, *, strategy, size, overlap, unit, embedder):
    """Cut the one document at spans that the strategy's name stands for."""
    spans = {"sentences": [FEE, CARD, GATE], "halves": [(0, 29), (29, 50)], "last": [GATE]}[strategy]
    return [make_chunk(TEXT[slice(*span)], "d.txt", start=span[0]) for span in spans]


def run(documents, questions=QUESTIONS, *, arms, **options):
    options = {
        "embedder": WordEmbedder("fee", "card", "gate"),
        "tokenizer": FakeTokenizer(),
        "chunker": by_hand,
        "settings": Settings(),
        "k": 1,
        **options,
    }
    return sweep(documents, questions, arms=arms, **options)


def test_each_arm_is_scored_on_the_same_questions(documents):
    result = run(documents, arms=[Arm("sentences", 9), Arm("halves", 9)])
    sentences, halves = result.arms
    assert (sentences.recall, sentences.precision, sentences.iou, sentences.precision_omega) == (1, 1, 1, 1)
    # Each question finds the first half: 13 and 15 of its 29 characters are gold.
    assert halves.values["recall"] == (1, 1)
    assert halves.values["precision"] == pytest.approx((13 / 29, 15 / 29), abs=1e-6)
    assert halves.values["iou"] == pytest.approx((13 / 29, 15 / 29), abs=1e-6)
    assert halves.values["precision_omega"] == pytest.approx((13 / 29, 15 / 29), abs=1e-6)
    assert halves.precision == pytest.approx(14 / 29, abs=1e-6)
    assert result.question_ids == ("q1", "q2")
    assert halves.answers is None
    assert "answers" not in halves.values


def test_what_an_arm_costs_is_counted_in_the_embedders_tokens_and_in_those_of_the_text(documents):
    sentences, halves = run(documents, arms=[Arm("sentences", 9), Arm("halves", 9)], k=2).arms
    # Thirteen words, cut in three or in two.
    assert (sentences.chunks, sentences.tokens_embedded) == (3, 13)
    assert sentences.mean_tokens == pytest.approx(13 / 3, abs=1e-6)
    assert (halves.chunks, halves.tokens_embedded, halves.mean_tokens) == (2, 13, 6.5)
    # All of the text in two halves is handed over to each question; of the sentences, two of three.
    assert sentences.context_tokens < halves.context_tokens == pytest.approx(2 * halves.mean_text_tokens)


def test_an_arm_that_cannot_be_is_a_row_of_errors_and_the_rest_goes_on(documents):
    told = []
    arms = [Arm("fixed", 8, 8), Arm("fixed", 8), Arm("magic", 8), Arm("structure", 8, unit="chars")]
    result = sweep(
        documents,
        QUESTIONS,
        arms=arms,
        embedder=WordEmbedder("fee", "card"),
        tokenizer=FakeTokenizer(max_tokens=100),
        settings=Settings(),
        on_progress=lambda *said: told.append(said),
    )
    assert [row.arm for row in result.arms] == [arms[1]]
    assert [error.arm for error in result.errors] == [arms[0], arms[2], arms[3]]
    assert "overlap 8 does not fit a size of 8" in result.errors[0].message
    assert "choose 'structure', 'fixed'" in result.errors[1].message
    assert [done for done, _, _ in told] == [1, 2, 3, 4]
    assert list(result.timings) == ["fixed 8/0"]


def test_only_answerable_questions_with_spans_throughout_are_scored(documents):
    others = [
        asking("whole", "Which fee?", None),
        asking("half", "Which fee?", FEE, None),
        asking("refuse", "Which moon?", expected="refuse"),
    ]
    result = run(documents, [*others, *QUESTIONS], arms=[Arm("sentences", 9)])
    assert (result.question_ids, result.unscored) == (("q1", "q2"), 3)
    with pytest.raises(InvalidValue, match="no question can be scored"):
        run(documents, others, arms=[Arm("sentences", 9)])


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"k": 0}, "k 0 asks for nothing"),
        ({"arms": []}, "no arm to compare"),
        ({"questions": [asking("q", "Which?", FEE, document_id="e")]}, "no document has the id 'e'"),
        ({"filters": Filters.for_tags(["staff"])}, "q1 rests on d.txt, which is left out"),
    ],
)
def test_what_could_only_give_figures_that_mean_nothing_is_refused(documents, options, fault):
    with pytest.raises(InvalidValue, match=fault):
        run(documents, **{"arms": [Arm("sentences", 9)], **options})


def test_a_document_of_the_evidence_that_is_not_yet_in_force_is_named(documents):
    later = [replace(documents[0], updated_at=date(2030, 1, 1))]
    with pytest.raises(InvalidValue, match="not yet in force"):
        run(later, arms=[Arm("sentences", 9)], filters=Filters.owner(as_of=date(2029, 1, 1)))


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("The fee is 5 [1].", 1.0),
        ("A card costs 2 [1].", 0.0),
        (REFUSAL, 0.0),
    ],
)
def test_an_answer_counts_where_a_sentence_that_it_quotes_touches_the_gold(documents, reply, value):
    client = ScriptedTransport(reply).client(max_retries=0)
    result = run(documents, QUESTIONS[:1], arms=[Arm("halves", 9)], client=client, answers=True)
    assert result.arms[0].values["answers"] == (value,)
    assert result.arms[0].answers == value


def test_what_is_handed_over_can_be_more_than_what_was_found(documents):
    def whole(retriever, chunks, held, tokenizer):
        assert [chunk.span for chunk in chunks] == [GATE]
        return ListRetriever(make_evidence(make_chunk(held[0].text, held[0].document_id)))

    arm = Arm("last", 9)
    plain, expanded = (run(documents, arms=[arm], around=put).arms[0] for put in ({}, {"last": whole}))
    assert (plain.recall, expanded.recall) == (0, 1)
    assert expanded.precision == pytest.approx(14 / 50, abs=1e-6)
    assert plain.precision_omega == expanded.precision_omega == 0, "a property of the chunks alone"


def test_two_runs_differ_in_nothing_but_their_timings_and_the_second_embeds_nothing(documents, tmp_path):
    settings = Settings(cache_dir=tmp_path, progress=False)
    arms = make_arms(["structure", "fixed"], [16], [0])
    first, second = (sweep(documents, QUESTIONS, arms=arms, settings=settings) for _ in range(2))
    assert replace(first, timings={}) == replace(second, timings={})
    assert [row.arm.name for row in first.arms] == ["structure 16/0", "fixed 16/0"]
    assert first.timings["structure 16/0"].embedded_now > 0
    for name, taken in second.timings.items():
        assert taken.embedded_now == 0
        assert taken.from_cache == first.timings[name].embedded_now + first.timings[name].from_cache


def test_each_question_is_embedded_once_for_all_arms(documents):
    embedder = WordEmbedder("fee", "card", "gate")
    run(documents, arms=[Arm("sentences", 9), Arm("halves", 9)], embedder=embedder)
    assert [text for text in embedder.texts if text.endswith("?")] == ["Which fee?", "Which card?"]


def test_the_default_arms_are_few_enough_to_wait_for():
    arms = make_arms()
    assert len(set(arms)) == len(arms) == 12
    assert np.unique([arm.size for arm in arms]).tolist() == [64, 128, 256]


def test_an_arm_may_let_neighbours_lend_their_direction_and_says_so():
    assert Arm("structure", 64, neighbours=0.25).name == "structure 64/0 +0.25"
    assert {arm.neighbours for arm in make_arms(["fixed"], [64], [0], neighbours=0.5)} == {0.5}
