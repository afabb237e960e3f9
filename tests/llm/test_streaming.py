import asyncio

import httpx2
import pytest
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

from rag_kit.llm.local import LocalTransport
from rag_kit.llm.streaming import chunks_of, events_of, join_chunks
from rag_kit.refusals import REFUSAL

HANDBOOK = "Employees get 27 days of annual leave a year. Up to 5 days can be carried over until 31 March."
PROMPT = f"[1] {HANDBOOK}\n\nQuestion: How many days of annual leave do employees get?"
ANSWER = "Employees get 27 days of annual leave a year [1]."
ASKED = {"model": "offline-reader", "messages": [{"role": "user", "content": PROMPT}]}


class Draft(BaseModel):
    answer: str
    citations: list[int]


def test_the_chunks_are_those_of_the_real_service(client: OpenAI):
    chunks = [c.to_dict() for c in client.chat.completions.create(**ASKED, stream=True)]

    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert deltas[0] == {"role": "assistant", "content": "", "refusal": None}
    assert deltas[1:3] == [{"content": "Employees "}, {"content": "get "}]
    assert deltas[-1] == {}
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks] == [None] * (len(chunks) - 1) + ["stop"]
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert all("usage" not in chunk for chunk in chunks)


def test_a_streamed_answer_is_the_same_text_id_and_usage_as_the_whole_one(client: OpenAI):
    whole = client.chat.completions.create(**ASKED)
    chunks = list(
        client.chat.completions.create(**ASKED, stream=True, stream_options={"include_usage": True})
    )

    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert text == whole.choices[0].message.content == ANSWER
    assert {c.id for c in chunks} == {whole.id}
    assert chunks[-1].choices == []
    assert chunks[-1].usage == whole.usage
    assert [c.usage for c in chunks[:-1]] == [None] * (len(chunks) - 1)


def test_the_stream_helper_gives_events_and_the_final_completion(client: OpenAI):
    with client.chat.completions.stream(**ASKED, stream_options={"include_usage": True}) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_completion()

    assert kinds.count("content.done") == 1
    assert kinds.count("content.delta") > 5
    assert final.choices[0].message.content == ANSWER
    assert final.usage.total_tokens == final.usage.prompt_tokens + final.usage.completion_tokens


def test_the_stream_helper_parses_a_schema(client: OpenAI):
    with client.chat.completions.stream(**ASKED, response_format=Draft) as stream:
        final = stream.get_final_completion()

    assert final.choices[0].message.parsed == Draft(answer=ANSWER, citations=[1])


def test_a_tool_call_streams_its_arguments_in_pieces(client: OpenAI):
    parameters = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    tools = [{"type": "function", "function": {"name": "search", "parameters": parameters}}]
    asked = {
        "model": "offline-reader",
        "messages": [{"role": "user", "content": "How long is the warranty?"}],
    }
    with client.chat.completions.stream(**asked, tools=tools) as stream:
        events = list(stream)
        final = stream.get_final_completion()

    pieces = [e.arguments_delta for e in events if e.type == "tool_calls.function.arguments.delta"]
    call = final.choices[0].message.tool_calls[0]
    assert "".join(pieces) == call.function.arguments == '{"query": "How long is the warranty?"}'
    assert final.choices[0].finish_reason == "tool_calls"
    assert final.choices[0].message.content is None
    whole = client.chat.completions.create(**asked, tools=tools)
    assert call.id == whole.choices[0].message.tool_calls[0].id


def test_an_error_comes_before_the_stream_starts(client: OpenAI):
    with pytest.raises(Exception, match="does not exist here"):
        client.chat.completions.create(**{**ASKED, "model": "other"}, stream=True)


@pytest.mark.parametrize(
    "text", ["", " ", "a  b\n\n c ", "line\u2028and\u2029next\x85one", "[1", "日本語 テスト。"]
)
def test_cutting_a_text_into_chunks_loses_nothing(text: str):
    said = {"role": "assistant", "content": text}
    completion = {
        "id": "c",
        "created": 1,
        "model": "m",
        "choices": [{"message": said, "finish_reason": "stop"}],
    }
    completion["usage"] = {"total_tokens": 3}
    chunks = list(chunks_of(completion, include_usage=True))
    events = events_of(chunks)

    joined = join_chunks(chunks)
    assert (joined["choices"][0]["message"]["content"], joined["usage"]) == (text, {"total_tokens": 3})

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=b"".join(events))

    http_client = httpx2.Client(transport=httpx2.MockTransport(answer))
    with OpenAI(api_key="x", base_url="http://test/v1", http_client=http_client) as reading:
        got = reading.chat.completions.create(model="m", messages=[], stream=True)
        assert "".join(c.choices[0].delta.content or "" for c in got if c.choices) == text


def test_an_asynchronous_client_gets_the_same():
    async def ask() -> tuple[str | None, str, int]:
        http_client = httpx2.AsyncClient(transport=LocalTransport())
        async with AsyncOpenAI(api_key="x", base_url="http://test/v1", http_client=http_client) as client:
            whole = await client.chat.completions.create(**ASKED)
            stream = await client.chat.completions.create(**ASKED, stream=True)
            text = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
            vectors = await client.embeddings.create(model="all-MiniLM-L6-v2", input=["one", "two"])
            return whole.choices[0].message.content, text, len(vectors.data)

    assert asyncio.run(ask()) == (ANSWER, ANSWER, 2)


def test_a_refusal_streams_as_text(client: OpenAI):
    messages = [{"role": "user", "content": "How long is the warranty?"}]
    stream = client.chat.completions.create(model="offline-reader", messages=messages, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == REFUSAL
