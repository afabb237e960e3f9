import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from openai import NotFoundError, OpenAI
from pydantic import BaseModel

from rag_kit.cli import main
from rag_kit.errors import InvalidValue
from rag_kit.llm import connect
from rag_kit.llm.serve import OfflineServer

FEE = "[1] The fee is 5 euro.\n\nQuestion: What is the fee?"
ANSWER = "The fee is 5 euro [1]."
MESSAGES = [{"role": "user", "content": FEE}]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with OfflineServer(0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server.base_url
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def served(base_url: str) -> Iterator[OpenAI]:
    with OpenAI(api_key="any", base_url=base_url) as client:
        yield client


def test_the_served_answers_are_those_of_the_client_without_a_server(served: OpenAI, client: OpenAI):
    asked = {"model": "offline-reader", "messages": MESSAGES}
    assert served.chat.completions.create(**asked) == client.chat.completions.create(**asked)
    assert list(served.models.list()) == list(client.models.list())
    texts = {"model": "all-MiniLM-L6-v2", "input": ["one", "two"]}
    assert served.embeddings.create(**texts) == client.embeddings.create(**texts)


def test_streaming_tools_and_schemas_work_over_http(served: OpenAI):
    class Draft(BaseModel):
        answer: str

    options = {"include_usage": True}
    with served.chat.completions.stream(
        model="offline-reader", messages=MESSAGES, response_format=Draft, stream_options=options
    ) as stream:
        final = stream.get_final_completion()
    assert (final.choices[0].message.parsed, final.usage.total_tokens > 0) == (Draft(answer=ANSWER), True)


def test_the_stream_is_sent_in_pieces(base_url: str):
    body = {"model": "offline-reader", "messages": MESSAGES, "stream": True}
    with httpx2.stream("POST", f"{base_url}/chat/completions", json=body) as response:
        pieces = list(response.iter_raw())
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["transfer-encoding"] == "chunked"
    assert len(pieces) > 1
    assert b"".join(pieces).endswith(b"data: [DONE]\n\n")


def test_any_chat_model_is_answered_by_the_reader_and_the_reply_says_so(served: OpenAI):
    made = served.chat.completions.create(model="gpt-4o-mini", messages=MESSAGES)
    assert (made.model, made.choices[0].message.content) == ("offline-reader", ANSWER)
    assert served.chat.completions.create(model="local-memory", messages=MESSAGES).model == "local-memory"
    with pytest.raises(NotFoundError):
        served.embeddings.create(model="text-embedding-3-small", input="x")


def test_many_clients_at_once_each_get_their_own_answer(served: OpenAI):
    def ask(n: int) -> bool:
        messages = [{"role": "user", "content": FEE.replace("5", str(n))}]
        made = served.chat.completions.create(model="x", messages=messages)
        return made.choices[0].message.content == ANSWER.replace("5", str(n))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(10, 40)))


@pytest.mark.parametrize(
    ("method", "path", "headers", "content", "status"),
    [
        ("POST", "/chat/completions", {}, b"{", 400),
        ("PUT", "/chat/completions", {}, b"{}", 405),
        ("GET", "/nowhere", {}, b"", 404),
        ("POST", "/chat/completions", {"content-length": "many"}, b"", 411),
        ("POST", "/chat/completions", {"content-length": "99999999999"}, b"", 413),
    ],
)
def test_bad_requests_get_a_json_error(
    base_url: str, method: str, path: str, headers: dict, content: bytes, status: int
):
    with socket.create_connection(("127.0.0.1", httpx2.URL(base_url).port)) as raw:
        headers = {"content-length": str(len(content)), "connection": "close", **headers}
        lines = [f"{method} /v1{path} HTTP/1.1", "host: x", *(f"{k}: {v}" for k, v in headers.items())]
        raw.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert "message" in json.loads(answer.partition(b"\r\n\r\n")[2])["error"]


def test_a_client_that_hangs_up_disturbs_nobody(
    base_url: str, served: OpenAI, capfd: pytest.CaptureFixture[str]
):
    port = httpx2.URL(base_url).port
    for sent in (b"", b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 100\r\n\r\n{"):
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(sent)
    assert served.models.retrieve("offline-reader").id == "offline-reader"
    assert capfd.readouterr().err == ""


def test_the_kit_works_against_it_as_against_any_server(
    base_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "fees.md").write_text("# Fees\n\nThe fee for a card is 5 euro.\n", encoding="utf-8")
    monkeypatch.setenv("OPENAI_BASE_URL", base_url)
    monkeypatch.setenv("RAG_KIT_CACHE_DIR", str(tmp_path / "cache"))
    assert main(["ask", "What is the fee for a card?", "--docs", str(tmp_path), "--json"]) == 0
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert answer["answer"] == "The fee for a card is 5 euro [1]."
    assert f"text goes to {httpx2.URL(base_url).netloc.decode()}" in err
    with connect() as client:
        assert client.chat.completions.create(model="gpt-4o-mini", messages=MESSAGES).choices


def test_a_port_in_use_is_one_line_and_exit_2(base_url: str, capsys: pytest.CaptureFixture[str]):
    port = str(httpx2.URL(base_url).port)
    assert main(["serve", "--port", port]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"rag_kit: port {port}: ")
    with pytest.raises(InvalidValue, match="--port 0"):
        OfflineServer(int(port))


@pytest.mark.parametrize("port", ["65536", "-1", "http", "²"])
def test_what_is_no_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]):
    assert main(["serve", f"--port={port}"]) == 2
    assert "is not a port" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C cannot be sent to one process on Windows")
def test_the_command_says_where_it_is_and_ctrl_c_ends_it():
    command = [sys.executable, "-m", "rag_kit", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/v1", process.stderr.readline())
            with OpenAI(api_key="any", base_url=address.group()) as client:
                made = client.chat.completions.create(model="any", messages=MESSAGES)
            assert made.choices[0].message.content == ANSWER
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        finally:
            process.kill()
    assert (process.returncode, out, err.strip()) == (0, "", "rag_kit: stopped")
