"""The saved sweep that lesson 03 shows: of the documents and questions that are here, cut as the kit cuts now."""

from functools import cache
from pathlib import Path

import pytest

from rag_kit.chunking import chunk
from rag_kit.evaluation.questions import read_questions
from rag_kit.evaluation.sweep_result import load_sweep
from rag_kit.llm.minilm import minilm
from rag_kit.parsing import parse

ROOT = Path(__file__).parents[2]
SAVED = load_sweep(ROOT / "lessons" / "data" / "chunking.sweep.json")
AGAIN = (
    "run `rag_kit sweep` again on the eight documents, with --strategies structure,fixed,semantic,parent "
    "--answers --as-of 2026-11-15 --out lessons/data/chunking.sweep.json"
)


@cache
def parsed():
    return parse(sorted((ROOT / "sample_docs").rglob("*.md"))).documents


def test_it_is_of_the_questions_that_are_here():
    questions = read_questions(ROOT / "sample_docs" / "questions" / "chunking.questions.jsonl", parsed())
    assert SAVED.question_ids == tuple(question.id for question in questions), AGAIN
    assert SAVED.documents == len({gold.document_id for q in questions for gold in q.evidence})


@pytest.mark.parametrize("row", [row for row in SAVED.arms if row.arm.strategy in ("structure", "fixed")])
def test_its_arms_cut_as_the_kit_cuts_now(row):
    questions = read_questions(ROOT / "sample_docs" / "questions" / "chunking.questions.jsonl", parsed())
    named = {gold.document_id for question in questions for gold in question.evidence}
    documents = [document for document in parsed() if document.document_id in named]
    arm = row.arm
    chunks = chunk(documents, minilm(), strategy=arm.strategy, size=arm.size, overlap=arm.overlap)
    assert (len(chunks), sum(piece.tokens for piece in chunks)) == (row.chunks, row.tokens_embedded), AGAIN


def test_it_holds_all_four_strategies_without_an_error():
    assert {row.arm.strategy for row in SAVED.arms} == {"structure", "fixed", "semantic", "parent"}
    assert SAVED.errors == ()
    assert all(row.answers is not None for row in SAVED.arms)
