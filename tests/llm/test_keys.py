import base64
import json
import logging
import threading
import traceback
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import openai
import pytest
from openai import OpenAI

from rag_kit.llm import connect
from rag_kit.llm.routing import hide_key
from rag_kit.settings import load_settings

KEY = "sk-test-FAKE1234567890"
FEE = "[1] The fee is 5 euro.\n\nQuestion: What is the fee?"
ANSWER = "The fee is 5 euro [1]."


def ask(client: OpenAI):
    messages = [{"role": "user", "content": FEE}]
    return client.chat.completions.create(model="offline-reader", messages=messages)


class Refuser(BaseHTTPRequestHandler):
    """Answers 401, repeats the key in part and whole, and keeps what it was asked for."""

    seen: list[str] = []

    def do_POST(self) -> None:
        kind, key = self.headers["Authorization"].split()
        key = base64.b64decode(key).decode().split(":")[1] if kind == "Basic" else key
        self.seen.append(f"{kind} {self.path}")
        text = f"Incorrect API key provided: {key[:8]}******{key[-4:]} ({key}), from {self.headers['Host']}."
        body = json.dumps({"error": {"message": text, "type": "invalid_request_error", "code": "x"}}).encode()
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def refuser() -> Iterator[str]:
    Refuser.seen.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Refuser) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("before", ["", f"user:{KEY}@"])
def test_no_piece_of_the_key_is_shown_anywhere(
    before: str,
    refuser: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", f"  {KEY} ")
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://{before}{refuser}/v1")
    settings = load_settings()
    client = connect(settings, record=tmp_path / "calls.jsonl")
    with pytest.raises(openai.AuthenticationError) as caught:
        ask(client)

    shown = [repr(settings), str(settings), repr(client), str(client), repr(caught.value), str(caught.value)]
    shown += traceback.format_exception(caught.value)
    shown += [caplog.text, *capsys.readouterr(), (tmp_path / "calls.jsonl").read_text(encoding="utf-8")]
    secret = KEY.removeprefix("sk-")
    pieces = {secret[at : at + 5] for at in range(len(secret) - 4)}
    assert [text for text in shown if any(piece in text for piece in pieces)] == []
    assert "Incorrect API key provided: " in str(caught.value)
    assert Refuser.seen == [f"{'Basic' if before else 'Bearer'} /v1/chat/completions"]


@pytest.mark.parametrize(
    ("text", "key", "shown"),
    [
        (f"Wrong key {KEY}!", KEY, "Wrong key [key]!"),
        ("Wrong key 'sk-test-****7890'", KEY, "Wrong key '[key]'"),
        ("model llama3 not found", "ollama", "model llama3 not found"),
        ("key ollama is wrong", "ollama", "key [key] is wrong"),
        ("nothing to hide", KEY, "nothing to hide"),
    ],
)
def test_the_key_is_taken_out_of_a_text_and_nothing_else(text: str, key: str, shown: str):
    assert hide_key(text, key) == shown


@pytest.mark.parametrize("blank", ["", "  ", "\n"])
def test_a_blank_key_or_address_counts_as_not_set(monkeypatch: pytest.MonkeyPatch, blank: str):
    monkeypatch.setenv("OPENAI_API_KEY", blank)
    monkeypatch.setenv("OPENAI_BASE_URL", blank)
    assert load_settings().offline
    assert ask(connect()).choices[0].message.content == ANSWER
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert str(connect().base_url) == "https://api.openai.com/v1/"


def test_requests_go_through_the_proxy_of_the_environment(refuser: str, monkeypatch: pytest.MonkeyPatch):
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, f"http://{refuser}")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://far.invalid/v1")
    with pytest.raises(openai.AuthenticationError, match=r"from far\.invalid"):
        ask(connect())
    assert Refuser.seen == ["Bearer http://far.invalid/v1/chat/completions"]
