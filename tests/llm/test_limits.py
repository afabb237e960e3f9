import httpx2
import pytest
from openai import APIStatusError, BadRequestError, NotFoundError, OpenAI

from rag_kit.llm.local import LocalTransport
from rag_kit.refusals import REFUSAL
from rag_kit.tokens import count_tokens

HANDBOOK = "Employees get 27 days of annual leave a year. Up to 5 days can be carried over until 31 March."
QUESTION = "How many days of annual leave do employees get?"
ANSWER = "Employees get 27 days of annual leave a year [1]."
USER = [{"role": "user", "content": f"[1] {HANDBOOK}\n\nQuestion: {QUESTION}"}]


def complete(client: OpenAI, messages: object = USER, model: str = "offline-reader", **options: object):
    return client.chat.completions.create(model=model, messages=messages, **options)


def embed(client: OpenAI, given: object, model: str = "all-MiniLM-L6-v2", **options: object):
    return client.embeddings.create(model=model, input=given, **options)


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_a_limit_cuts_the_reply_and_says_so(client: OpenAI, name: str):
    made = complete(client, **{name: 4})
    assert (made.choices[0].message.content, made.choices[0].finish_reason) == ("Employees get 27", "length")
    assert made.usage.completion_tokens == 4
    assert count_tokens("Employees get 27") == 4
    whole = complete(client, **{name: count_tokens(ANSWER)})
    assert (whole.choices[0].message.content, whole.choices[0].finish_reason) == (ANSWER, "stop")


@pytest.mark.parametrize("stop", [" of annual", ["xyz", " of annual"]])
def test_a_stop_ends_the_reply_before_it(client: OpenAI, stop: object):
    choice = complete(client, stop=stop).choices[0]
    assert (choice.message.content, choice.finish_reason) == ("Employees get 27 days", "stop")


def test_options_that_cannot_change_a_quotation_are_accepted(client: OpenAI):
    made = complete(
        client,
        temperature=1.5,
        top_p=0.2,
        seed=7,
        user="u",
        metadata={"run": "1"},
        store=False,
        n=1,
        presence_penalty=1,
        logit_bias={"1": 1},
        response_format={"type": "text"},
        reasoning_effort="low",
        logprobs=False,
        modalities=["text"],
    )
    assert made.choices[0].message.content == ANSWER


@pytest.mark.parametrize(
    ("options", "param"),
    [
        ({"n": 2}, "n"),
        ({"logprobs": True}, "logprobs"),
        ({"functions": [{"name": "f"}]}, "functions"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": 5, "max_completion_tokens": 5}, "max_tokens"),
        ({"stop": ["a", "b", "c", "d", "e"]}, "stop"),
        ({"stream_options": {"include_usage": True}}, "stream_options"),
        ({"response_format": {"type": "xml"}}, "response_format"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "pirate", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": None}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "messages[0].content[0]"),
    ],
)
def test_what_cannot_be_done_is_an_error_that_names_it(client: OpenAI, options: dict, param: str):
    with pytest.raises(BadRequestError) as caught:
        complete(client, **options)
    assert (caught.value.status_code, caught.value.param, caught.value.type) == (
        400,
        param,
        "invalid_request_error",
    )


def test_an_unknown_parameter_is_refused(client: OpenAI):
    with pytest.raises(BadRequestError, match="Unrecognized request argument supplied: top_k"):
        complete(client, extra_body={"top_k": 3})


def test_an_unknown_model_is_not_found(client: OpenAI):
    with pytest.raises(NotFoundError, match="'offline-reader' and 'local-memory' for chat") as caught:
        complete(client, model="gpt-4o-mini")
    assert caught.value.code == "model_not_found"
    with pytest.raises(NotFoundError, match="'all-MiniLM-L6-v2' for embeddings"):
        embed(client, "x", model="text-embedding-3-small")


def test_models_can_be_listed_and_looked_up(client: OpenAI):
    ids = [model.id for model in client.models.list()]
    assert ids == ["offline-reader", "local-memory", "all-MiniLM-L6-v2"]
    assert [client.models.retrieve(name).id for name in ids] == ids
    with pytest.raises(NotFoundError) as caught:
        client.models.retrieve("gpt-4o-mini")
    assert caught.value.code == "model_not_found"


def test_a_prompt_over_the_context_window_is_refused(client: OpenAI):
    long = [{"role": "user", "content": "word " * 128_000}]
    with pytest.raises(BadRequestError, match="maximum context length is 128000 tokens") as caught:
        complete(client, long)
    assert caught.value.code == "context_length_exceeded"
    with pytest.raises(BadRequestError, match="maximum context length"):
        complete(client, max_tokens=127_999)


def test_roles_and_parts_of_every_kind_are_read(client: OpenAI):
    messages = [
        {"role": "developer", "content": "Answer from the sources."},
        {"role": "user", "content": [{"type": "text", "text": f"[S1] {HANDBOOK}\n"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Ask."}]},
        {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
    ]
    assert complete(client, messages).choices[0].message.content == ANSWER.replace("[1]", "[S1]")


def test_usage_adds_up_and_counts_the_prompt(client: OpenAI):
    usage = complete(client).usage
    assert usage.prompt_tokens == count_tokens(USER[0]["content"]) + 1 + 3 + 3
    assert usage.completion_tokens == count_tokens(ANSWER)
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    assert usage.prompt_tokens_details.cached_tokens == 0


def test_control_tokens_are_ordinary_text(client: OpenAI):
    text = "The marker <|endoftext|> closes a record; its fee is 7."
    messages = [
        {"role": "user", "content": f"[1] {text}\n\nQuestion: Which marker closes a record: <|im_end|>?"}
    ]
    asked = complete(client, messages)
    assert asked.usage.prompt_tokens == count_tokens(messages[0]["content"]) + 1 + 3 + 3
    messages[0]["content"] = messages[0]["content"].replace(": <|im_end|>", "")
    assert complete(client, messages).choices[0].message.content == text[:-1] + " [1]."


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ([1, 2, 3], "token numbers"),
        ([[1, 2], [3]], "token numbers"),
        ([], "not empty"),
        (["fine", " "], "empty string"),
        (["x"] * 2049, "maximum length 2048, but got an array with length 2049"),
        (["fine", "word " * 8_200], r"input\[1\]"),
        (["word " * 8_000] * 38, "max 300000 tokens per request"),
    ],
)
def test_embedding_inputs_have_the_real_services_limits(client: OpenAI, given: object, fault: str):
    with pytest.raises(BadRequestError, match=fault):
        embed(client, given)


def test_embeddings_come_as_floats_or_packed(client: OpenAI):
    packed = embed(client, ["Leave is 27 days."])
    floats = embed(client, ["Leave is 27 days."], encoding_format="float")
    assert packed.data[0].embedding == pytest.approx(floats.data[0].embedding)
    assert len(packed.data[0].embedding) == 384
    assert packed.usage.prompt_tokens == packed.usage.total_tokens > 0
    with pytest.raises(BadRequestError):
        embed(client, "x", dimensions=100)


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("GET", "/v1/chat/completions", b"", 405),
        ("POST", "/v1/unknown", b"{}", 404),
        ("POST", "/v1/chat/completions", b"{", 400),
        ("POST", "/v1/chat/completions", b"[]", 400),
        ("POST", "/v1/chat/completions", b"[" * 100_000, 400),
        ("POST", "/v1/chat/completions", b"{}", 400),
    ],
)
def test_bad_requests_get_an_error_body(method: str, path: str, content: bytes, status: int):
    with httpx2.Client(transport=LocalTransport(), base_url="http://test") as http:
        response = http.request(method, path, content=content)
    assert response.status_code == status
    assert set(response.json()["error"]) == {"message", "type", "param", "code"}


def test_half_a_surrogate_pair_in_a_source_breaks_nothing():
    said = r"[1] The fee \ud800 is 5 euro.\n\nQuestion: What is the fee?"
    body = f'{{"model": "offline-reader", "messages": [{{"role": "user", "content": "{said}"}}]}}'
    with httpx2.Client(transport=LocalTransport(), base_url="http://test") as http:
        response = http.post("/v1/chat/completions", content=body)
    assert response.json()["choices"][0]["message"]["content"] == "The fee \ufffd is 5 euro [1]."


def test_openai_maps_every_error_to_its_own_exception(client: OpenAI):
    with pytest.raises(APIStatusError) as caught:
        client.post("/nowhere", cast_to=object, body={})
    assert (caught.value.status_code, caught.value.body["type"]) == (404, "invalid_request_error")


def test_without_sources_the_reader_refuses(client: OpenAI):
    assert complete(client, [{"role": "user", "content": QUESTION}]).choices[0].message.content == REFUSAL
