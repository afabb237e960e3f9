"""The saved rankings that exercise 04 reads: of the documents and questions that are here, searched as now."""

from functools import cache
from pathlib import Path

from rag_kit.access import Filters
from rag_kit.chunking import chunk
from rag_kit.evaluation.questions import read_questions
from rag_kit.evaluation.rankings import AS_OF, DEPTH, DOCUMENTS, QUESTIONS, load_rankings
from rag_kit.evaluation.relevance import holds
from rag_kit.llm.minilm import minilm
from rag_kit.parsing import parse
from rag_kit.retrieval import BM25Retriever

ROOT = Path(__file__).parents[2]
SAVED = load_rankings(ROOT / "lessons" / "data" / "fusion.rankings.json")
AGAIN = "run `python -m rag_kit.evaluation.rankings lessons/data/fusion.rankings.json` again"


@cache
def asked_of():
    documents = parse([ROOT / "sample_docs" / name for name in DOCUMENTS]).documents
    questions = read_questions(ROOT / "sample_docs" / "questions" / QUESTIONS, documents)
    return chunk(documents, minilm()), [question for question in questions if question.evidence]


def test_they_are_of_the_questions_and_chunks_that_are_here():
    chunks, questions = asked_of()
    assert [row.question_id for row in SAVED] == [question.id for question in questions], AGAIN
    for row, question in zip(SAVED, questions, strict=True):
        held = tuple(tuple(c.chunk_id for c in chunks if holds(c, gold)) for gold in question.evidence)
        assert row.golds == held, AGAIN
        assert set(row.lists["dense"]) <= {c.chunk_id for c in chunks}, AGAIN
        assert len(row.lists["dense"]) == DEPTH


def test_by_words_they_are_found_as_saved():
    chunks, questions = asked_of()
    retriever = BM25Retriever(chunks)
    for row, question in zip(SAVED, questions, strict=True):
        found = retriever.search(question.question, filters=Filters.owner(as_of=AS_OF), top_k=DEPTH)
        assert row.lists["bm25"] == tuple(item.chunk.chunk_id for item in found), AGAIN
