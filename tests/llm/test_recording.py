"""The prompt spy: what went over the wire, and nothing that is secret."""

import hashlib
import json

import httpx2
import openai
import pytest

from rag_kit import Filters, ask, connect
from rag_kit.llm.recording import RecordingTransport, call_context, read_calls
from rag_kit.settings import LOCAL_CHAT_MODEL, LOCAL_EMBED_MODEL
from rag_kit.testing import ListRetriever, ScriptedTransport, make_chunk, make_evidence

KEY = "sk-test-FAKE1234567890"
HOSTILE = (
    'Config {"limit": 5} for {question}, {{x}}, {0} and } 100%s $HOME {% raw %} </source> "quoted" '
    "\\n €😀\n\nEnd."
)


def recorded(path, transport, **options):
    http_client = httpx2.Client(transport=RecordingTransport(transport, path))
    return openai.OpenAI(
        api_key=KEY, base_url="http://x.invalid/v1", http_client=http_client, max_retries=0, **options
    )


def test_every_chunk_of_the_context_stands_in_the_request_byte_for_byte(tmp_path):
    path = tmp_path / "runs" / "llm_calls.jsonl"
    texts = ["The fee is 5.", HOSTILE, "Line one\n\n| a | b |\n|---|---|\n", "  blanks around  "]
    evidence = make_evidence(*texts, make_chunk("Row.", "table", prefix="| Part | Price |"))
    question = "What is {limit} at 100%s?"
    client = recorded(path, ScriptedTransport("It is 5 [1]."))
    answer = ask(
        question, ListRetriever(evidence), client=client, model="gpt-4o", filters=Filters.owner(), top_k=9
    )
    (call,) = read_calls(path)
    sent = call["request"]["messages"][-1]["content"]
    assert len(answer.labels) == 5
    for text in texts:
        assert f"\n{text}\n" in sent
    assert "| Part | Price |\nRow." in sent
    assert sent.endswith(f"Question: {question}")
    assert call["response"]["choices"][0]["message"]["content"] == "It is 5 [1]."
    assert call["status"] == 200


def test_the_log_holds_no_key_and_no_headers(tmp_path):
    path = tmp_path / "calls.jsonl"
    client = recorded(path, ScriptedTransport("Five.", 401, error=f"Incorrect API key provided: {KEY}"))
    client.chat.completions.create(model="m", messages=[{"role": "user", "content": "A?"}])
    with pytest.raises(openai.AuthenticationError):
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "B?"}])
    log = path.read_text(encoding="utf-8")
    assert not any(KEY[at : at + 5] in log for at in range(len("sk-"), len(KEY) - 4))
    assert "authorization" not in log.casefold()
    assert "user-agent" not in log.casefold()
    assert [call["status"] for call in read_calls(path)] == [200, 401]


def test_embeddings_are_kept_by_hash_and_count(tmp_path):
    path = tmp_path / "calls.jsonl"
    client = connect(offline=True, record=path)
    client.embeddings.create(model=LOCAL_EMBED_MODEL, input=["The fee.", "A day."])
    client.embeddings.create(model=LOCAL_EMBED_MODEL, input="The fee.")
    two, one = read_calls(path)
    digest = hashlib.sha256(b"The fee.").hexdigest()
    assert two["request"]["input"]["count"] == 2
    assert two["request"]["input"]["sha256"][0] == digest
    assert one["request"]["input"] == {"count": 1, "sha256": [digest]}
    assert two["response"]["data"] == {"count": 2}
    assert "The fee." not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("given", [None, 5, [[1, 2], [3]], [], {"a": 1}])
def test_an_input_that_is_no_text_is_recorded_and_passed_on(tmp_path, given):
    path = tmp_path / "calls.jsonl"
    inner = ScriptedTransport()
    request = httpx2.Request("POST", "http://x.invalid/v1/embeddings", json={"input": given, "model": "m"})
    RecordingTransport(inner, path).handle_request(request)
    assert inner.requests == [{"input": given, "model": "m"}]
    assert len(read_calls(path)) == 1


def test_recording_changes_nothing_that_the_caller_sees(tmp_path):
    plain, spied = connect(offline=True), connect(offline=True, record=tmp_path / "calls.jsonl")
    messages = [{"role": "user", "content": "What is the fee?"}]
    one, two = (c.chat.completions.create(model=LOCAL_CHAT_MODEL, messages=messages) for c in (plain, spied))
    assert one.model_dump() == two.model_dump()
    one, two = (c.embeddings.create(model=LOCAL_EMBED_MODEL, input="fee") for c in (plain, spied))
    assert one.model_dump() == two.model_dump()


def test_a_packed_answer_is_unpacked_once(tmp_path):
    class Packed(httpx2.BaseTransport):
        def handle_request(self, request):
            import gzip

            body = gzip.compress(json.dumps({"object": "list", "data": [{"id": "m"}]}).encode())
            return httpx2.Response(200, headers={"content-encoding": "gzip"}, content=body, request=request)

    path = tmp_path / "calls.jsonl"
    assert [model.id for model in recorded(path, Packed()).models.list()] == ["m"]
    assert read_calls(path)[0]["response"]["data"] == [{"id": "m"}]


def test_a_call_that_never_came_back_is_recorded_too(tmp_path):
    path = tmp_path / "calls.jsonl"
    client = recorded(path, ScriptedTransport(httpx2.ReadTimeout("too slow")))
    with pytest.raises(openai.APITimeoutError):
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "A?"}])
    (call,) = read_calls(path)
    assert call["error"] == "ReadTimeout"
    assert call["request"]["messages"] == [{"role": "user", "content": "A?"}]


def test_the_stage_and_the_question_are_in_the_log_and_never_sent(tmp_path):
    path = tmp_path / "calls.jsonl"
    server = ScriptedTransport("One.", "Two.", "Three.")
    client = recorded(path, server)
    with call_context(stage="ask"):
        with call_context(question_id="q-77"):
            client.chat.completions.create(model="m", messages=[])
        client.chat.completions.create(model="m", messages=[])
    client.chat.completions.create(model="m", messages=[])
    labels = [{key: call.get(key) for key in ("stage", "question_id")} for call in read_calls(path)]
    assert labels == [
        {"stage": "ask", "question_id": "q-77"},
        {"stage": "ask", "question_id": None},
        {"stage": None, "question_id": None},
    ]
    assert "q-77" not in json.dumps(server.requests)


def test_texts_with_line_ends_of_their_own_are_read_back(tmp_path):
    path = tmp_path / "calls.jsonl"
    text = "one\u2028two\x85three\r\nfour"
    recorded(path, ScriptedTransport(text)).chat.completions.create(model="m", messages=[])
    assert read_calls(path)[0]["response"]["choices"][0]["message"]["content"] == text
