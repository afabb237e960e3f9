"""The benchmark's questions: how many of which kind, in which half, and that each label is true."""

import re
from collections import Counter
from functools import cache

import pytest

from rag_kit import Filters, chunk_fixed, parse
from rag_kit.evaluation.overlap import measure_overlap, measure_rarity, overlap_table, stems
from rag_kit.evaluation.question_checks import check_questions
from rag_kit.evaluation.questions import asker_of, denied_asker_of, first_half, read_questions
from rag_kit.evaluation.reader_cases import AS_OF
from rag_kit.testing import FakeTokenizer

KINDS = {
    "informational": 30,
    "identifier": 10,
    "multi-hop": 10,
    "out-of-domain": 5,
    "permission": 5,
    "near-miss": 6,
}
OTHERS = ("reader_dev", "chunking", "lesson_01")
ABSENT = {
    "relative humidity": (r"humid", "Humidity: up to 85 %."),
    "gas warner": (
        r"gas warner[^.|]*calibrat|calibrat[^.|]*gas warner",
        "The gas warner is calibrated every 6 months.",
    ),
    "the laboratory charge": (
        r"(check|calibration|comparison) of (a|the) (level )?probe[^.|]*[€\d]",
        "The check of a level probe costs €90.",
    ),
    "secret of a webhook": (
        r"\bsecrets?\b[^.|]*(expire|valid|\d+ (days|months))",
        "The secret is valid for 90 days.",
    ),
    "bicycle lease": (
        r"(bicycle[^.|]*|lease of a bicycle[^.|]*)\d+ (months|years)",
        "A bicycle is leased for 36 months.",
    ),
    "trained partner": (
        r"partners?[^.|]*certificate[^.|]*\d+ (months|years)",
        "A partner renews the certificate every 2 years.",
    ),
}
"""By what a near-miss asks about: what the documents would say if they told it, and how that might read."""


@pytest.fixture(scope="module")
def documents(sample_docs):
    return {document.document_id: document for document in parse(sample_docs).documents}


@pytest.fixture(scope="module")
def read(sample_docs, documents):
    folder = sample_docs / "questions"
    return lambda name: read_questions(folder / f"{name}.questions.jsonl", documents.values())


@pytest.fixture(scope="module")
def questions(read):
    return read("benchmark")


def test_sixty_six_questions_of_six_kinds(questions):
    assert Counter(question.kind for question in questions) == KINDS
    assert sum(question.paraphrased for question in questions) == 15
    assert {question.kind for question in questions if question.paraphrased} == {"informational"}


def test_each_kind_is_spread_over_both_halves(questions):
    groups = {kind: [q for q in questions if q.kind == kind] for kind in KINDS}
    groups["paraphrased"] = [question for question in questions if question.paraphrased]
    groups["all"] = questions
    for name, held in groups.items():
        assert 0.4 <= sum(first_half(question.id) for question in held) / len(held) <= 0.6, name


def test_every_label_is_true_and_no_evidence_is_that_of_another_set(sample_docs, documents):
    folder = sample_docs / "questions"
    files = [folder / f"{name}.questions.jsonl" for name in ("benchmark", *OTHERS)]
    findings = check_questions(files[0], documents.values(), as_of=AS_OF, others=files[1:])
    assert [finding.line() for finding in findings] == []


@pytest.mark.parametrize("name", OTHERS)
def test_the_labels_of_the_other_sets_are_true_too(sample_docs, documents, name):
    file = sample_docs / "questions" / f"{name}.questions.jsonl"
    assert [finding.line() for finding in check_questions(file, documents.values(), as_of=AS_OF)] == []


def test_what_is_answered_has_spans_a_reference_and_wordings_and_what_is_not_has_none(questions):
    refused = {"out-of-domain", "near-miss"}
    for question in questions:
        if question.kind in refused:
            assert (question.expected, question.evidence, question.answer) == ("refuse", (), None), (
                question.id
            )
            continue
        assert question.expected == "answer", question.id
        assert question.answer, question.id
        assert question.accept, question.id
        assert all(gold.span for gold in question.evidence), question.id
        several = len(question.evidence) > 1
        assert several == (question.kind == "multi-hop"), question.id


def test_nearly_every_document_in_force_is_asked_about(questions, documents):
    owner = Filters.owner(as_of=AS_OF)
    asked = {gold.document_id for question in questions for gold in question.evidence}
    assert len(asked) >= 40
    departments = {d.metadata.get("department") for d in documents.values() if owner.admits(d)}
    assert {documents[name].metadata.get("department") for name in asked} == departments
    suffixes = {documents[name].source_uri.rsplit(".", 1)[1] for name in asked}
    assert {"md", "html", "txt", "pdf", "docx", "xlsx", "csv", "eml"} <= suffixes


def test_the_pieces_of_a_multi_hop_question_stand_apart(questions):
    for question in questions:
        if question.kind == "multi-hop":
            one, two = question.evidence
            apart = max(one.span[0], two.span[0]) - min(one.span[1], two.span[1])
            assert one.document_id != two.document_id or apart > 300, question.id


def test_only_one_group_of_readers_may_see_what_is_gated(questions, documents):
    for question in questions:
        owner = Filters.owner(as_of=AS_OF)
        asker, denied = asker_of(owner, question), denied_asker_of(owner, question)
        assert (denied is not None) == (question.kind == "permission"), question.id
        if denied:
            assert question.user_tags, question.id
            groups = {documents[gold.document_id].access_tags for gold in question.evidence}
            assert len(groups) == 1, question.id
            seen = [d for d in documents.values() if denied.admits(d)]
            assert seen, question.id
            wording = re.compile(r"(?<![\w.,])" + re.escape(question.accept[0]) + r"(?!\w)")
            told = [d.document_id for d in seen if wording.search(d.text)]
            own = [d for d in documents.values() if asker.admits(d) and wording.search(d.text)]
            assert own, question.id
            about = set(stems(question.question)) | set(stems(question.answer))
            for name in told:
                # The figure may stand there for something else, never beside most of what is asked.
                near = [
                    documents[name].text[max(m.start() - 200, 0) : m.end() + 200]
                    for m in wording.finditer(documents[name].text)
                ]
                assert all(len(about & set(stems(text))) < 0.5 * len(about) for text in near), (
                    question.id,
                    name,
                )


def test_what_a_near_miss_asks_for_stands_in_no_document(questions, documents):
    asked = [question.question for question in questions if question.kind == "near-miss"]
    assert len(ABSENT) == len(asked)
    for about, (told, example) in ABSENT.items():
        assert sum(about in question for question in asked) == 1, about
        assert re.search(told, example, re.IGNORECASE), about
        for document in documents.values():
            found = re.search(told, " ".join(document.text.split()), re.IGNORECASE)
            assert found is None, (about, document.document_id, found and found[0])


def test_the_documents_talk_about_what_a_near_miss_asks_and_not_about_what_is_out_of_domain(
    questions, documents
):
    texts = [document.text for document in documents.values()]
    terms = cache(stems)
    held = measure_rarity(texts, terms)
    for question in questions:
        if question.kind in ("near-miss", "out-of-domain"):
            best = max(measure_overlap(question.question, text, held, terms).weighted for text in texts)
            assert (best >= 0.5) == (question.kind == "near-miss"), (question.id, best)


def test_the_paraphrased_ones_share_few_words_with_their_evidence(questions, documents):
    chunks = chunk_fixed(documents.values(), FakeTokenizer(), size=200)
    rows = {row.name: row for row in overlap_table(questions, documents.values(), chunks)}
    other, plain = rows["informational, paraphrased"], rows["informational, in plain words"]
    assert other.questions == plain.questions == 15
    assert other.gold <= 0.1
    assert other.passage <= 0.25
    assert 0.3 <= plain.gold <= 0.6
    assert all(row.gold <= 0.6 for row in rows.values()), "no kind was written by copying its evidence"


def test_no_question_is_one_of_another_set_in_other_order(questions, read):
    known = [set(stems(question.question)) for name in OTHERS for question in read(name)]
    for question in questions:
        asked = set(stems(question.question))
        alike = max(len(asked & words) / len(asked | words) for words in known)
        assert alike <= 0.4, (question.id, alike)
