"""Overlap: which of a question's words its evidence holds, by hand on small cases."""

import math

import pytest

from rag_kit import chunk_fixed, parse
from rag_kit.evaluation.overlap import (
    OverlapRow,
    Rarity,
    gold_text,
    measure_overlap,
    measure_rarity,
    measure_share,
    overlap_table,
    overlap_text,
    stems,
)
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.testing import FakeTokenizer

NONE = Rarity({}, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What is it?", []),
        ("Calibrated, calibrating: calibration", ["calibr", "calibr", "calibr"]),
        ("E_CONN_RESET on the XX-1042B", ["e_conn_reset", "xx-1042b"]),
        ("1,500 meters in ten days", ["1500", "meter", "10", "day"]),
    ],
)
def test_words_are_compared_by_their_stems_and_codes_whole(text, words):
    assert stems(text) == words


def test_the_share_counts_each_word_of_the_question_once():
    overlap = measure_overlap("Fees, fees, fees: which tax?", "The fee is 5.", NONE)
    assert (overlap.share, overlap.weighted) == (0.5, 0.5)
    assert measure_share("Fees, fees, fees: which tax?", "The fee is 5.") == 0.5


@pytest.mark.parametrize(("question", "text"), [("What is it?", "It is."), ("", "A fee."), ("Tax?", "")])
def test_nothing_in_common_is_zero(question, text):
    overlap = measure_overlap(question, text, NONE)
    assert (overlap.share, overlap.weighted) == (0.0, 0.0)
    assert measure_share(question, text) == 0.0


def test_a_rare_word_weighs_more():
    held = measure_rarity(["meter fee", "meter", "meter"])
    # ln(1 + (3 - 3 + 0.5) / 3.5) and ln(1 + (3 - 1 + 0.5) / 1.5)
    common, rare = math.log(8 / 7), math.log(8 / 3)
    overlap = measure_overlap("meter fee", "the fee", held)
    assert overlap.share == 0.5
    assert overlap.weighted == pytest.approx(rare / (common + rare))


def test_the_words_can_be_made_by_another_analyser():
    overlap = measure_overlap("A b", "a c", NONE, str.split)
    assert overlap.share == 0.0
    assert measure_overlap("A b", "A c", NONE, str.split).share == 0.5


def test_evidence_is_put_together_and_without_a_span_is_the_document():
    texts = {"a": "The fee is 5.", "b": "No tax."}
    assert gold_text([Gold("a", (4, 7)), Gold("b")], texts) == "fee\nNo tax."


def test_the_table_has_a_row_a_kind_and_both_parts_of_one_with_paraphrases(folder):
    text = "# Prices\n\nThe fee is 5 euros.\n\n# Staff\n\nLeave is 27 days."
    documents = parse(folder({"a.md": text})).documents
    chunks = chunk_fixed(documents, FakeTokenizer(), size=100)
    fee, leave = Gold("a.md", (10, 29)), Gold("a.md", (40, len(text)))
    questions = [
        Question("1", "Which fee?", "answer", (fee,), kind="plain"),
        Question("2", "How long a holiday for staff?", "answer", (leave,), kind="free", paraphrased=True),
        Question("3", "How many days of leave?", "answer", (leave,), kind="free"),
        Question("4", "What of taxes?", "refuse", (), kind="none"),
    ]
    assert [(row.name, row.questions, row.gold) for row in overlap_table(questions, documents, chunks)] == [
        ("plain", 1, 1.0),
        ("free", 2, 0.5),
        ("free, paraphrased", 1, 0.0),
        ("free, in plain words", 1, 1.0),
    ]
    passages = {row.name: row.passage for row in overlap_table(questions, documents, chunks)}
    assert passages["free, paraphrased"] == pytest.approx(1 / 3), (
        "the heading says staff; long and holiday do not"
    )


def test_the_lines_of_the_table_are_aligned():
    rows = [OverlapRow("a", 1, 0.0, 0.0, 1.0), OverlapRow("a kind, in plain words", 30, 0.5, 0.5, 0.5)]
    assert len({len(line) for line in overlap_text(rows).split("\n")}) == 1
