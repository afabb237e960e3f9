"""The gold in the prompt: whole quotes only, of what is shown after the budget and compression."""

from datetime import date

import pytest

from rag_kit import InvalidValue, assemble_context
from rag_kit.evaluation.in_prompt import gold_in_prompt, stands_whole
from rag_kit.evaluation.questions import Gold
from rag_kit.generation.compression import compress
from rag_kit.testing import make_chunk, make_evidence

FEE = "The fee is 5. " + "Nothing else of note is said here, at some length. " * 3 + "Cards are blue."
FOUND = make_evidence(make_chunk(FEE, "fees"), make_chunk("A meter is round.", "meters"))


def prompt(**options):
    return assemble_context("What is the fee?", FOUND, model="gpt-4o-mini", **options)


def test_a_quote_that_is_cut_stands_in_neither_part():
    gold = Gold("fees", (8, 13))
    assert stands_whole(gold, "fees", [(8, 13)])
    assert not stands_whole(gold, "fees", [(0, 12), (12, 20)])
    assert not stands_whole(gold, "terms", [(0, 20)])
    assert stands_whole(Gold("fees"), "fees", [(0, 1)])
    assert not stands_whole(Gold("fees"), "fees", [])


def test_each_quote_of_a_question_counts_alike():
    fee, meter, other = Gold("fees", (0, 13)), Gold("meters", (0, 17)), Gold("terms", (0, 3))
    assert gold_in_prompt([fee], prompt()) == 1.0
    assert gold_in_prompt([fee, meter], prompt()) == 1.0
    assert gold_in_prompt([fee, other], prompt()) == 0.5


def test_what_compression_takes_out_is_not_in_the_prompt():
    short = prompt(compress=lambda evidence, question: compress(evidence, question))
    assert gold_in_prompt([Gold("fees", (0, 13))], short) == 1.0
    cards = Gold("fees", (FEE.index("Cards"), len(FEE)))
    assert gold_in_prompt([cards], prompt()) == 1.0
    assert gold_in_prompt([cards], short) == 0.0


def versions(**new):
    dated = {"updated_at": date(2024, 1, 1)}
    return make_evidence(make_chunk(FEE, "old", **dated), make_chunk(FEE, "new", **{**dated, **new}))


def test_gold_in_a_passage_that_is_folded_into_a_copy_is_in_the_prompt():
    gold, other = Gold("new", (0, 13)), Gold("terms", (0, 13))
    context = assemble_context("What is the fee?", versions(), model="gpt-4o-mini")
    assert [item.chunk.document_id for item in context.shown.values()] == ["old"]
    assert gold_in_prompt([gold], context) == gold_in_prompt([Gold("new")], context) == 1.0
    assert gold_in_prompt([gold, other], context) == 0.5
    assert gold_in_prompt([Gold("new", (0, len(FEE) + 1))], context) == 0.0


def test_gold_in_a_part_of_a_longer_passage_is_in_the_prompt():
    found = make_evidence(make_chunk(FEE, "part", start=40), make_chunk(f"{FEE} It rains.", "all"))
    context = assemble_context("What is the fee?", found, model="gpt-4o-mini")
    assert [item.chunk.document_id for item in context.shown.values()] == ["all"]
    assert gold_in_prompt([Gold("part", (40, 53))], context) == 1.0
    assert gold_in_prompt([Gold("part", (0, 13))], context) == 0.0


def test_gold_in_an_older_version_is_not_in_the_prompt():
    found = versions(updated_at=date(2026, 1, 1), metadata={"supersedes": "old"})
    context = assemble_context("What is the fee?", found, model="gpt-4o-mini")
    assert [one.reason for one in context.folded] == ["older version"]
    assert gold_in_prompt([Gold("old", (0, 13))], context) == 0.0
    assert gold_in_prompt([Gold("new", (0, 13))], context) == 1.0


def test_what_compression_takes_out_of_a_copy_is_not_in_the_prompt():
    short = assemble_context("What is the fee?", versions(), model="gpt-4o-mini", compress=compress)
    assert gold_in_prompt([Gold("new", (0, 13))], short) == 1.0
    assert gold_in_prompt([Gold("new", (FEE.index("Cards"), len(FEE)))], short) == 0.0


def test_no_gold_has_no_share():
    with pytest.raises(InvalidValue, match="without gold"):
        gold_in_prompt([], prompt())
