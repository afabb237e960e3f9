"""The fakes themselves: what others build on has to be right."""

import httpx2
import openai
import pytest

from rag_kit import Filters
from rag_kit.testing import (
    FakeTokenizer,
    ListRetriever,
    ScriptedTransport,
    WordEmbedder,
    make_chunk,
    make_evidence,
)


def test_the_embedder_tells_different_texts_apart_and_counts_its_calls():
    embedder = WordEmbedder("fee", "day")
    rows = embedder.embed(["one fee", "a fee a day", "nothing of it"])
    assert rows[0].tolist() == [1, 0]
    assert rows[1].tolist() == pytest.approx([0.7071, 0.7071], abs=1e-4)
    assert rows[2].tolist() == [0, 0]
    assert embedder.embed([]).shape == (0, 2)
    assert (embedder.calls, embedder.texts) == (2, ["one fee", "a fee a day", "nothing of it"])


def test_the_tokenizer_counts_words():
    tokenizer = FakeTokenizer(max_tokens=8)
    assert (tokenizer.max_tokens, tokenizer.count("ten more  days"), tokenizer.calls) == (8, 3, 1)


def test_the_server_replies_in_turn_then_refuses():
    server = ScriptedTransport("one", 500, "two")
    chat = server.client().chat.completions
    assert chat.create(model="m", messages=[]).choices[0].message.content == "one"
    assert chat.create(model="m", messages=[]).choices[0].message.content == "two"
    with pytest.raises(openai.BadRequestError, match="no reply is left"):
        chat.create(model="m", messages=[])
    assert server.calls == 4


def test_the_last_reply_can_be_given_for_ever():
    chat = ScriptedTransport("one", "two", for_ever=True).client().chat.completions
    said = [chat.create(model="m", messages=[]).choices[0].message.content for _ in range(4)]
    assert said == ["one", "two", "two", "two"]


def test_the_server_raises_what_it_was_told_to():
    server = ScriptedTransport(httpx2.ConnectError("cable cut"))
    with pytest.raises(openai.APIConnectionError):
        server.client(max_retries=0).chat.completions.create(model="m", messages=[])


def test_the_retriever_finds_what_it_was_given():
    retriever = ListRetriever(make_evidence("Five.", make_chunk("Six.", "e")))
    found = retriever.search("?", filters=Filters.owner(), top_k=9)
    assert [(item.chunk.text, item.rank) for item in found] == [("Five.", 1), ("Six.", 2)]
