"""A folder, ready to be asked; and the sample documents from end to end."""

import json
from datetime import date

import pytest

from rag_kit import EmptyCorpus, Filters, InvalidValue, load_settings, open_library
from rag_kit.evaluation.questions import read_questions
from rag_kit.generation.quotes import locate_quote
from rag_kit.sentences import plain, units

AS_OF = date(2026, 11, 15)
OWNER = Filters.owner(as_of=AS_OF)
ALL = Filters.owner(as_of=AS_OF, include_superseded=True)


def dev_questions(sample_docs):
    path = sample_docs / "questions" / "reader_dev.questions.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_quote_of_the_questions_stands_in_its_document_exactly_once(sample_docs, sample_library):
    texts = {document.document_id: document.text for document in sample_library.documents}
    rows = dev_questions(sample_docs)
    assert len(rows) >= 40
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["expected"] in ("answer", "refuse")
        assert (row["expected"] == "answer") == bool(row["evidence"]), row["id"]
        for evidence in row["evidence"]:
            assert texts[evidence["document_id"]].count(evidence["quote"]) == 1, (
                row["id"],
                evidence["quote"],
            )


def test_every_citation_quotes_its_document_word_for_word(sample_docs, sample_library):
    texts = {document.document_id: document.text for document in sample_library.documents}
    answered = 0
    for row in dev_questions(sample_docs)[::6]:
        answer = sample_library.ask(row["question"], filters=OWNER)
        assert bool(answer.refusal) != bool(answer.citations)
        chunks = {item.chunk.chunk_id: item.chunk for item in answer.evidence}
        for citation in answer.citations:
            answered += 1
            chunk = chunks[citation.chunk_id]
            assert citation.status == "valid"
            assert answer.labels[citation.label] == citation.chunk_id
            assert citation.source_span is not None, "the offline reader only quotes"
            assert citation.quote == texts[chunk.document_id][slice(*citation.source_span)]
            assert chunk.span[0] <= citation.source_span[0] < citation.source_span[1] <= chunk.span[1]
            assert answer.text[slice(*citation.answer_span)] == citation.label
    assert answered >= 3


def test_what_is_quoted_of_a_sample_is_found_where_it_stands(sample_library):
    for chunk in sample_library.chunks[::4]:
        for unit in units(chunk.text):
            said = plain(chunk.text[slice(*unit.span)], unit.header)
            if len(said.split()) < 4:
                continue
            span = locate_quote(said, chunk)
            assert span is not None
            found = chunk.text[span[0] - chunk.span[0] : span[1] - chunk.span[0]]
            assert sorted(plain(found, unit.header).casefold().split()) == sorted(said.casefold().split())


def test_questions_are_read_with_their_spans(sample_docs, sample_library):
    path = sample_docs / "questions" / "reader_dev.questions.jsonl"
    questions = read_questions(path, sample_library.documents)
    texts = {document.document_id: document.text for document in sample_library.documents}
    for question, row in zip(questions, dev_questions(sample_docs), strict=True):
        quotes = [texts[gold.document_id][slice(*gold.span)] for gold in question.evidence]
        assert quotes == [evidence["quote"] for evidence in row["evidence"]]


def test_only_the_version_in_force_is_found(sample_library):
    ids = {document.document_id: document for document in sample_library.documents}
    old = [
        name for name, document in ids.items() if document.superseded_at and document.superseded_at <= AS_OF
    ]
    assert old, "the samples hold a superseded document"
    question = ids[old[0]].title
    now = {e.chunk.document_id for e in sample_library.search(question, filters=OWNER, top_k=50)}
    both = Filters.owner(as_of=AS_OF, include_superseded=True)
    assert not now & set(old)
    assert old[0] in {e.chunk.document_id for e in sample_library.search(question, filters=both, top_k=50)}


def test_taking_documents_away_embeds_nothing_again(sample_library):
    name = sample_library.documents[0].document_id
    less = sample_library.without(name)
    assert name not in {document.document_id for document in less.documents}
    assert name not in {chunk.document_id for chunk in less.chunks}
    assert len(less.store.chunks) == len(less.chunks) < len(sample_library.chunks)
    assert len(less.store.vectors) == len(less.store.owners) < len(sample_library.store.vectors)
    assert less.client is sample_library.client


def test_a_second_opening_asks_the_model_for_nothing(folder, tmp_path):
    import httpx2
    import openai

    from rag_kit.llm.local import LocalTransport
    from rag_kit.llm.recording import RecordingTransport, read_calls

    docs = folder({"a.md": "# Fees\n\nThe fee is 5 euros.", "b.md": "# Cards\n\nA card costs 35 euros."})
    settings = load_settings({"RAG_KIT_CACHE_DIR": str(tmp_path / "cache"), "RAG_KIT_PROGRESS": "0"})

    def open_again(log):
        http_client = httpx2.Client(transport=RecordingTransport(LocalTransport(), log))
        client = openai.OpenAI(api_key="k", base_url="http://x.invalid/v1", http_client=http_client)
        return open_library(docs, client=client, settings=settings)

    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    one, two = open_again(first), open_again(second)
    assert [call["request"]["input"]["count"] for call in read_calls(first)] == [2]
    assert not second.exists()
    assert one.chunks == two.chunks
    assert (one.store.vectors == two.store.vectors).all()
    (docs / "b.md").write_text("# Cards\n\nA card costs 40 euros.", encoding="utf-8")
    open_again(second)
    assert [call["request"]["input"]["count"] for call in read_calls(second)] == [1]


def test_a_bad_file_is_in_errors_and_the_rest_can_be_asked(folder):
    library = open_library(
        folder({"a.md": "The fee is 5 euros.", "b.md": b"\x00"}), settings=load_settings(offline=True)
    )
    assert [error.code for error in library.errors] == ["binary"]
    assert [item.chunk.document_id for item in library.search("fee", filters=OWNER)] == ["a.md"]


@pytest.mark.parametrize(
    "files", [{}, {"a.md": ""}, {"a.md": "---\nid: a\n---\n"}, {"a.png": b"x"}, {"a.md": b"\x00"}]
)
def test_nothing_to_search_is_an_error_that_names_the_folder(folder, files):
    docs = folder(files)
    with pytest.raises(EmptyCorpus, match="docs: no text to search") as caught:
        open_library(docs, settings=load_settings(offline=True))
    assert ("NUL" in str(caught.value)) == (files == {"a.md": b"\x00"})


def test_with_parents_small_chunks_are_searched_and_sections_are_found(folder):
    long = " ".join(f"Row {n} of the stores says nothing about money." for n in range(30))
    docs = folder({"a.md": f"# Fees\n\n{long} The card fee is 5 euros.\n", "b.md": "# Leave\n\n27 days.\n"})
    library = open_library(docs, settings=load_settings({}, offline=True), strategy="parent")
    assert max(chunk.tokens for chunk in library.chunks) <= 128
    owner = Filters.owner()
    found = library.search("What is the card fee?", filters=owner, top_k=2)
    assert [item.chunk.document_id for item in found] == ["a.md", "b.md"]
    assert found[0].chunk.tokens > 256
    assert "card fee is 5" in found[0].chunk.text
    answer = library.ask("What is the card fee?", filters=owner)
    assert "5 euros" in answer.text
    (citation,) = answer.citations
    assert library.document("a.md").text[slice(*citation.source_span)] == citation.quote
    left = library.without("a.md")
    assert {parent.document_id for parent in left.parents.values()} == {"b.md"}


def test_a_library_is_cut_as_it_is_told(folder):
    docs = folder({"a.md": "# Fees\n\nThe fee is 5. It is paid once.\n\n## Cards\n\nCards cost 2.\n"})
    settings = load_settings({}, offline=True)
    assert open_library(docs, settings=settings, strategy="fixed").chunks[0].text.startswith("# Fees")
    assert open_library(docs, settings=settings, strategy="semantic").chunks[0].text.startswith("The fee")
    with pytest.raises(InvalidValue, match="'magic'.*'structure', 'fixed', 'semantic', 'parent'"):
        open_library(docs, settings=settings, strategy="magic")


def test_where_only_words_are_searched_nothing_is_embedded_before_it_is_asked_for(tmp_path):
    (tmp_path / "fees.md").write_text("The fee of the night service is 5.", encoding="utf-8")
    (tmp_path / "desk.md").write_text("The desk opens at nine.", encoding="utf-8")
    told = []
    settings = load_settings({"RAG_KIT_CACHE_DIR": str(tmp_path / "cache")})
    library = open_library(
        tmp_path,
        pipeline="bm25",
        settings=settings,
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert [hit.chunk.document_id for hit in library.search("fee", filters=OWNER)] == ["fees.md"]
    fewer = library.without("desk.md")
    assert [chunk.document_id for chunk in fewer.store.chunks] == ["fees.md"]
    assert fewer.store.supersede("fees.md", AS_OF) == 1
    assert fewer.store.bm25.search("fee", filters=OWNER, top_k=3) == []
    assert not told
    assert [hit.chunk.document_id for hit in fewer.using("dense").search("fee", filters=ALL)] == ["fees.md"]
    told.clear()
    assert library.using("dense").search("fee", filters=OWNER)[0].similarity > 0
