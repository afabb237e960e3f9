"""The offline backend as the real SDK sees it: the service's shapes and the service's errors."""

import base64
import json

import httpx2
import numpy as np
import openai
import pytest

from rag_kit import connect
from rag_kit.llm.local import LocalTransport
from rag_kit.llm.minilm import minilm
from rag_kit.refusals import REFUSAL
from rag_kit.settings import LOCAL_CHAT_MODEL, LOCAL_EMBED_MODEL, LOCAL_MEMORY_MODEL
from rag_kit.sources import Source, write_question, write_source
from rag_kit.tokens import count_messages, count_tokens


@pytest.fixture(scope="module")
def client():
    return connect(offline=True)


def chat(client, *messages, **options):
    given = [{"role": "user", "content": content} for content in messages]
    return client.chat.completions.create(model=LOCAL_CHAT_MODEL, messages=given, **options)


def test_the_models_are_listed(client):
    assert [model.id for model in client.models.list()] == [
        LOCAL_CHAT_MODEL,
        LOCAL_MEMORY_MODEL,
        LOCAL_EMBED_MODEL,
    ]


def test_embeddings_come_as_numbers_and_as_base64_alike(client):
    texts = ["The fee is due in May.", "Restart the gateway."]
    as_floats = client.embeddings.create(model=LOCAL_EMBED_MODEL, input=texts, encoding_format="float")
    by_default = client.embeddings.create(model=LOCAL_EMBED_MODEL, input=texts)
    for rows in (as_floats.data, by_default.data):
        assert [row.index for row in rows] == [0, 1]
        assert all(len(row.embedding) == 384 for row in rows)
    floats = np.array([row.embedding for row in as_floats.data], dtype=np.float32)
    assert np.array_equal(floats, np.array([row.embedding for row in by_default.data], dtype=np.float32))
    assert np.array_equal(floats, minilm().embed(texts))
    assert np.allclose(np.linalg.norm(floats, axis=1), 1)


def test_base64_over_the_wire_is_little_endian_floats():
    body = {"model": LOCAL_EMBED_MODEL, "input": "fee", "encoding_format": "base64"}
    request = httpx2.Request("POST", "http://x.invalid/v1/embeddings", json=body)
    (row,) = json.loads(LocalTransport().handle_request(request).read())["data"]
    assert np.array_equal(
        np.frombuffer(base64.b64decode(row["embedding"]), "<f4"), minilm().embed(["fee"])[0]
    )


def test_embedding_usage_counts_the_tokens_that_were_read(client):
    # "fee" is one token, and each text has two special ones.
    assert client.embeddings.create(model=LOCAL_EMBED_MODEL, input=["fee", "fee"]).usage.total_tokens == 6
    # No more than 256 are read of any text.
    assert client.embeddings.create(model=LOCAL_EMBED_MODEL, input="fee " * 900).usage.prompt_tokens == 256


def test_a_chat_without_sources_is_declined_in_the_shape_of_the_service(client):
    response = chat(client, "What is the fee?")
    (choice,) = response.choices
    assert (choice.message.role, choice.message.content, choice.finish_reason) == (
        "assistant",
        REFUSAL,
        "stop",
    )
    assert (response.object, response.model) == ("chat.completion", LOCAL_CHAT_MODEL)
    assert response.usage.prompt_tokens == count_messages([{"role": "user", "content": "What is the fee?"}])
    assert response.usage.completion_tokens == count_tokens(REFUSAL)
    assert response.usage.total_tokens == response.usage.prompt_tokens + response.usage.completion_tokens


def test_the_same_messages_get_the_same_answer_and_id(client):
    one, two, other = chat(client, "A?"), chat(client, "A?"), chat(client, "B?")
    assert one.model_dump() == two.model_dump()
    assert one.id != other.id


def test_the_reader_quotes_the_source_that_holds_the_answer(client):
    sources = [
        write_source(Source("[1]", "Gateway", "Power", "The gateway runs on 24 volts."), "source"),
        write_source(
            Source("[2]", "Fees", "Cards", "A lost access card costs 35 euros to replace."), "source"
        ),
    ]
    answer = chat(client, write_question(sources, "What does it cost to replace a lost access card?"))
    assert answer.choices[0].message.content == "A lost access card costs 35 euros to replace [2]."


def test_text_parts_are_joined(client):
    parts = [{"type": "text", "text": "What is "}, {"type": "text", "text": "the fee?"}]
    whole = client.chat.completions.create(
        model=LOCAL_CHAT_MODEL, messages=[{"role": "user", "content": parts}]
    )
    assert whole.usage.prompt_tokens == chat(client, "What is the fee?").usage.prompt_tokens


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "user"}],
        [{"role": "user", "content": 5}],
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]}],
        [{"role": "user", "content": [{"type": "text", "text": None}]}],
        [{"content": "No role."}],
        ["text"],
    ],
)
def test_messages_that_are_none_are_a_bad_request(client, messages):
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model=LOCAL_CHAT_MODEL, messages=messages)
    assert caught.value.param.startswith("messages")


@pytest.mark.parametrize(
    "options",
    [
        {"logprobs": True},
        {"n": 2},
    ],
    ids=lambda options: next(iter(options)),
)
def test_what_is_not_supported_is_a_clear_bad_request(client, options):
    (name,) = options
    with pytest.raises(openai.BadRequestError, match=f"'{name}'") as caught:
        chat(client, "What is the fee?", **options)
    assert caught.value.param == name
    assert caught.value.status_code == 400


@pytest.mark.parametrize("model", ["gpt-4o-mini", LOCAL_EMBED_MODEL])
def test_a_model_that_is_not_here_is_not_found(client, model):
    with pytest.raises(openai.NotFoundError, match=LOCAL_CHAT_MODEL) as caught:
        client.chat.completions.create(model=model, messages=[{"role": "user", "content": "A?"}])
    assert caught.value.code == "model_not_found"
    with pytest.raises(openai.NotFoundError, match=LOCAL_EMBED_MODEL):
        client.embeddings.create(model=f"not-{model}", input="fee")


@pytest.mark.parametrize(
    "options",
    [
        {"input": ""},
        {"input": ["fee", " "]},
        {"input": []},
        {"input": [[1, 2]]},
        {"input": ["fee"] * 2_049},
        {"input": "fee", "dimensions": 100},
        {"input": "fee", "encoding_format": "hex"},
    ],
    ids=["empty", "blank", "none", "tokens", "too many", "dimensions", "format"],
)
def test_what_the_service_would_not_embed_is_a_bad_request(client, options):
    with pytest.raises(openai.BadRequestError) as caught:
        client.embeddings.create(model=LOCAL_EMBED_MODEL, **options)
    assert caught.value.param in options


def test_an_address_that_is_not_served_is_not_found(client):
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("anything")
    with pytest.raises(openai.NotFoundError):
        client.responses.create(model=LOCAL_CHAT_MODEL, input="A?")


@pytest.mark.parametrize("body", [b"{", b"[]", b'"text"', b"\xff"])
def test_a_body_that_is_no_json_object_is_a_bad_request(body):
    request = httpx2.Request("POST", "http://x.invalid/v1/chat/completions", content=body)
    response = LocalTransport().handle_request(request)
    assert response.status_code == 400
    assert "JSON" in json.loads(response.read())["error"]["message"]
