import json
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import openai
import pytest
from openai import OpenAI
from pydantic import BaseModel

from rag_kit.errors import InvalidValue, UnrecordedRequest
from rag_kit.llm import connect
from rag_kit.llm.local import LocalTransport
from rag_kit.llm.recording import RecordingTransport, call_context, read_calls
from rag_kit.llm.replay import ReplayTransport
from rag_kit.settings import load_settings

KEY = "sk-test-FAKE1234567890"
FEE = "[1] The fee is 5 euro.\n\nQuestion: What is the fee?"
ANSWER = "The fee is 5 euro [1]."


def over(transport: httpx2.BaseTransport, **options: object) -> OpenAI:
    http_client = httpx2.Client(transport=transport)
    return OpenAI(api_key="x", base_url="http://test/v1", http_client=http_client, **options)


def ask(client: OpenAI, content: str = FEE, **options: object):
    messages = [{"role": "user", "content": content}]
    return client.chat.completions.create(model="offline-reader", messages=messages, **options)


def said(client: OpenAI, content: str = FEE) -> str | None:
    return ask(client, content).choices[0].message.content


class Scripted(httpx2.BaseTransport):
    """Gives out prepared answers, one a request."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self.answers = list(answers)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def reply(text: str) -> httpx2.Response:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return httpx2.Response(200, json={"id": "c", "object": "chat.completion", "choices": [choice]})


def failure(status: int, text: str = "no") -> httpx2.Response:
    return httpx2.Response(status, headers={"retry-after-ms": "1"}, json={"error": {"message": text}})


# Recording


def test_a_call_is_written_in_full_and_its_labels_with_it(tmp_path: Path):
    client = connect(offline=True, record=tmp_path / "deep" / "calls.jsonl")
    with call_context(stage="answer", question="q1"):
        ask(client)
    (call,) = read_calls(tmp_path / "deep" / "calls.jsonl")
    assert (call["stage"], call["question"], call["status"]) == ("answer", "q1", 200)
    assert call["request"]["messages"] == [{"role": "user", "content": FEE}]
    assert call["response"]["choices"][0]["message"]["content"] == ANSWER


def test_embeddings_are_written_as_hashes_without_vectors(tmp_path: Path):
    client = connect(offline=True, record=tmp_path / "calls.jsonl")
    client.embeddings.create(model="all-MiniLM-L6-v2", input=["a secret text", "b"])
    text = (tmp_path / "calls.jsonl").read_text(encoding="utf-8")
    (call,) = read_calls(tmp_path / "calls.jsonl")
    assert (call["request"]["input"]["count"], call["response"]["data"]) == (2, {"count": 2})
    assert "secret" not in text


class Slow(httpx2.SyncByteStream):
    """A stream that notes how far it has been read."""

    def __init__(self, pieces: list[bytes], fail_at: int | None = None) -> None:
        self.pieces, self.read, self.closed, self.fail_at = pieces, 0, False, fail_at

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            if self.read == self.fail_at:
                raise httpx2.ReadError("gone")
            self.read += 1
            yield piece

    def close(self) -> None:
        self.closed = True


def pieces_of(*words: str) -> list[bytes]:
    chunks = [
        {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": w}}]} for w in words
    ]
    return [*(b"data: " + json.dumps(c).encode() + b"\n\n" for c in chunks), b"data: [DONE]\n\n"]


def streaming(stream: Slow) -> httpx2.Response:
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=stream)


def test_a_stream_is_passed_on_piece_by_piece_and_written_at_its_end(tmp_path: Path):
    path = tmp_path / "calls.jsonl"
    stream = Slow(pieces_of("The ", "fee."))
    chunks = iter(ask(over(RecordingTransport(Scripted(streaming(stream)), path)), stream=True))

    assert next(chunks).choices[0].delta.content == "The "
    assert (stream.read, path.exists()) == (1, False)
    assert [c.choices[0].delta.content for c in chunks] == ["fee."]
    (call,) = read_calls(path)
    assert (call["complete"], len(call["stream"]), stream.closed) == (True, 2, True)
    assert call["response"]["choices"][0]["message"]["content"] == "The fee."


def test_a_stream_closed_early_is_written_as_far_as_it_came(tmp_path: Path):
    path = tmp_path / "calls.jsonl"
    chunks = ask(
        over(RecordingTransport(Scripted(streaming(Slow(pieces_of("The ", "fee.")))), path)), stream=True
    )
    next(iter(chunks))
    chunks.close()
    chunks.close()
    (call,) = read_calls(path)
    assert (call["complete"], call["response"]["choices"][0]["message"]["content"]) == (False, "The ")


def test_a_stream_that_breaks_is_written_with_its_error(tmp_path: Path):
    path = tmp_path / "calls.jsonl"
    broken = Slow(pieces_of("The ", "fee."), fail_at=1)
    with pytest.raises(openai.APIConnectionError):
        list(ask(over(RecordingTransport(Scripted(streaming(broken)), path)), stream=True))
    (call,) = read_calls(path)
    assert (call["error"], call["complete"], len(call["stream"])) == ("ReadError", False, 1)


def test_calls_of_many_threads_are_whole_lines(tmp_path: Path):
    path = tmp_path / "calls.jsonl"
    client = connect(offline=True, record=path)
    questions = [f"[1] The fee is {n} euro.\n\nQuestion: What is the fee?" for n in range(24)]
    threads = [
        threading.Thread(
            target=lambda q=q, n=n: list(ask(client, q, stream=True)) if n % 2 else ask(client, q)
        )
        for n, q in enumerate(questions)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    calls = read_calls(path)
    assert sorted(call["request"]["messages"][0]["content"] for call in calls) == sorted(questions)
    assert all(call["response"]["choices"][0]["message"]["content"].endswith("[1].") for call in calls)


def test_a_recording_that_cannot_be_read_is_a_clear_error(tmp_path: Path):
    with pytest.raises(InvalidValue, match="no such recording"):
        connect(replay=tmp_path / "none.jsonl")
    (tmp_path / "cut.jsonl").write_text('{"method": "GET"', encoding="utf-8")
    with pytest.raises(InvalidValue, match="line 1 is not JSON"):
        connect(replay=tmp_path / "cut.jsonl")


# Replaying


def test_a_recording_answers_without_a_model(tmp_path: Path):
    path = tmp_path / "calls.jsonl"
    recorder = connect(offline=True, record=path)
    other = FEE.replace("5", "7")
    expected = [said(recorder), said(recorder, other)]
    streamed = [c.to_dict() for c in ask(recorder, stream=True, stream_options={"include_usage": True})]

    player = over(ReplayTransport(path))
    assert [said(player, other), said(player)] == expected[::-1]
    again = [c.to_dict() for c in ask(player, stream=True, stream_options={"include_usage": True})]
    assert again == streamed


def test_the_same_request_gets_its_answers_in_turn_and_then_the_last_again(tmp_path: Path):
    path = tmp_path / "calls.jsonl"
    recorder = over(RecordingTransport(Scripted(reply("first"), reply("second")), path))
    assert [said(recorder), said(recorder)] == ["first", "second"]
    player = over(ReplayTransport(path))
    assert [said(player) for _ in range(4)] == ["first", "second", "second", "second"]


def test_failures_and_retries_are_played_back_too(tmp_path: Path):
    path = tmp_path / "calls.jsonl"
    script = Scripted(failure(429), reply("at last"), failure(400, "too long"), httpx2.ReadTimeout("slow"))

    def ask_three(client: OpenAI) -> None:
        assert said(client) == "at last"
        with pytest.raises(openai.BadRequestError, match="too long"):
            said(client, "second")
        with pytest.raises(openai.APITimeoutError):
            said(client.with_options(max_retries=0), "third")

    ask_three(over(RecordingTransport(script, path), max_retries=1))
    statuses = [call.get("status", call.get("error")) for call in read_calls(path)]
    assert statuses == [429, 200, 400, "ReadTimeout"]
    ask_three(over(ReplayTransport(path), max_retries=1))


def test_an_unrecorded_request_shows_the_nearest_one(tmp_path: Path):
    path = tmp_path / "calls.jsonl"
    recorder = connect(offline=True, record=path)
    said(recorder, "[1] Something else.\n\nQuestion: Quite different?")
    said(recorder)
    with pytest.raises(UnrecordedRequest) as caught:
        said(over(ReplayTransport(path)), FEE.replace("What is the fee", "What was the fee"))
    message = str(caught.value)
    assert "the nearest is call 2, which has messages[0].content" in message
    assert "Question: What is the fee?', not" in message
    assert "\n" not in message
    with pytest.raises(UnrecordedRequest, match="no GET /models was recorded"):
        over(ReplayTransport(path)).models.list()
    with pytest.raises(UnrecordedRequest, match="which has temperature None, not 0.5"):
        ask(over(ReplayTransport(path)), temperature=0.5)


def test_embeddings_need_a_transport_that_makes_them(tmp_path: Path):
    path = tmp_path / "calls.jsonl"
    recorder = connect(offline=True, record=path)
    vector = recorder.embeddings.create(model="all-MiniLM-L6-v2", input="x").data[0].embedding
    with pytest.raises(UnrecordedRequest, match="keeps no vectors"):
        over(ReplayTransport(path)).embeddings.create(model="all-MiniLM-L6-v2", input="x")
    for player in (over(ReplayTransport(path, embeddings=LocalTransport())), connect(replay=path)):
        assert player.embeddings.create(model="all-MiniLM-L6-v2", input="x").data[0].embedding == vector


def test_a_recording_from_a_server_replays_without_its_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "calls.jsonl"
    inner = RecordingTransport(Scripted(reply("from afar")), path)
    http_client = httpx2.Client(transport=inner)
    with OpenAI(api_key="x", base_url="http://far.test/gateway/api", http_client=http_client) as recorder:
        said(recorder)
    assert said(connect(replay=path)) == "from afar"
    settings = load_settings({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://far.test/other"})
    player = connect(settings, replay=path)
    assert said(player) == "from afar"
    assert player.embeddings.create(model="all-MiniLM-L6-v2", input="x").data
    assert "far.test" not in capsys.readouterr().err


def test_a_replay_can_be_recorded_and_parsed(tmp_path: Path):
    class Draft(BaseModel):
        answer: str
        citations: list[int]

    messages = [{"role": "user", "content": FEE}]
    asked = {"model": "offline-reader", "messages": messages, "response_format": Draft}
    first = connect(offline=True, record=tmp_path / "one.jsonl").chat.completions.parse(**asked)
    second = connect(replay=tmp_path / "one.jsonl", record=tmp_path / "two.jsonl").chat.completions.parse(
        **asked
    )
    assert (
        first.choices[0].message.parsed
        == second.choices[0].message.parsed
        == Draft(answer=ANSWER, citations=[1])
    )
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
