"""The best sentence: computed by hand, embedded once."""

import numpy as np
import pytest

from rag_kit.retrieval.reranking import BestSentenceReranker
from rag_kit.retrieval.reranking.best_sentence import BestSentences, sentences_of
from rag_kit.retrieval.reranking.remembered import VectorMemory
from rag_kit.testing import WordEmbedder, make_chunk, make_evidence


def test_a_passage_is_as_close_as_its_closest_sentence():
    chunks = [make_chunk("Fee fee fee day day day day. Fee."), make_chunk("Day."), make_chunk("Fee fee day.")]
    cosines = BestSentences(WordEmbedder("fee", "day")).cosines("fee", chunks)
    assert cosines.tolist() == pytest.approx([1.0, 0.0, 2 / 5**0.5], abs=1e-5)


def test_the_order_is_that_of_the_sum_of_z_scores():
    # Scores 1, 1/2, 1/3 and cosines 0, 0, 1: z = 1.373, -0.392, -0.981 and -0.707, -0.707, 1.414.
    given = make_evidence("Day.", "Day day.", "Day. Fee.")
    found = BestSentenceReranker(WordEmbedder("fee", "day"), weight=0.5).rerank("fee", given, top_n=3)
    assert [item.chunk.text for item in found] == ["Day.", "Day. Fee.", "Day day."]
    assert [item.score for item in found] == pytest.approx([1.019, -0.273, -0.746], abs=1e-3)
    found = BestSentenceReranker(WordEmbedder("fee", "day"), weight=2).rerank("fee", given, top_n=1)
    assert [item.chunk.text for item in found] == ["Day. Fee."]


def test_a_row_is_read_with_its_header_and_markup_is_not_read():
    table = make_chunk("| XX-1 | **5** |", prefix="| Part | Price |\n|---|---|")
    assert sentences_of(table) == ["Part: XX-1; Price: 5"]
    assert sentences_of(make_chunk("# Only a heading")) == ["# Only a heading"]


def test_all_that_is_new_is_embedded_in_one_call_and_nothing_twice():
    embedder = WordEmbedder("fee", "day")
    reranker = BestSentenceReranker(embedder)
    given = make_evidence("Fee. Day.", "Day. Fee fee.")
    reranker.rerank("fee", given, top_n=2)
    assert embedder.calls == 1
    assert sorted(embedder.texts) == ["Day.", "Fee fee.", "Fee.", "fee"]
    reranker.rerank("day", given, top_n=2)
    assert embedder.texts[4:] == ["day"]


def test_a_memory_forgets_what_was_not_used_for_longest():
    embedder = WordEmbedder("fee", "day")
    memory = VectorMemory(embedder, most=2)
    memory.of(["fee", "day"])
    memory.of(["fee"])
    memory.of(["new"])
    assert embedder.texts == ["fee", "day", "new"]
    memory.of(["fee"])
    assert embedder.texts == ["fee", "day", "new"]
    assert np.array_equal(memory.of(["day"]), embedder.embed(["day"]))
    assert embedder.texts == ["fee", "day", "new", "day", "day"]
