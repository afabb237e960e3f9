"""The questions that score chunkers: spans all of them, few documents, half in other words than the source."""

from collections import Counter

import pytest

from rag_kit import parse
from rag_kit.evaluation.questions import read_questions
from rag_kit.wording import content_words


@pytest.fixture(scope="module")
def documents(sample_docs):
    return {document.document_id: document for document in parse(sample_docs).documents}


@pytest.fixture(scope="module")
def read(sample_docs, documents):
    folder = sample_docs / "questions"
    return lambda name: read_questions(folder / f"{name}.questions.jsonl", documents.values())


def test_forty_questions_over_few_documents_name_spans_and_answers(read):
    questions = read("chunking")
    assert len(questions) == 40
    assert len({gold.document_id for question in questions for gold in question.evidence}) <= 8
    for question in questions:
        assert question.evidence, question.id
        assert all(gold.span for gold in question.evidence), question.id
        assert question.answer, question.id
        assert question.accept, question.id
        assert (question.kind == "multi-span") == (len(question.evidence) == 2), question.id
    kinds = Counter(question.kind for question in questions)
    assert set(kinds) == {"table", "rule", "code", "definition", "multi-span"}


def test_about_half_share_few_words_with_what_they_ask_for(read, documents):
    def shared(question):
        quotes = " ".join(documents[gold.document_id].text[slice(*gold.span)] for gold in question.evidence)
        asked = set(content_words(question.question))
        return len(asked & set(content_words(quotes))) / len(asked)

    shares = [shared(question) for question in read("chunking")]
    assert 18 <= sum(share <= 0.2 for share in shares) <= 26
    assert sum(share >= 0.4 for share in shares) >= 10


@pytest.mark.parametrize("other", ["reader_dev", "lesson_01"])
def test_no_question_asks_for_the_evidence_of_another_set(read, other):
    taken = [gold for question in read(other) for gold in question.evidence if gold.span]
    for question in read("chunking"):
        for gold in question.evidence:
            for held in taken:
                apart = gold.span[1] <= held.span[0] or held.span[1] <= gold.span[0]
                assert gold.document_id != held.document_id or apart, question.id
