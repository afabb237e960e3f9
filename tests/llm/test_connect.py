"""Where text goes: to this machine, or to the server that was named, and nowhere else."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx2
import openai
import pytest

from rag_kit import connect, load_settings
from rag_kit.llm.local import LocalTransport
from rag_kit.llm.routing import EmbedHere
from rag_kit.settings import LOCAL_CHAT_MODEL, LOCAL_EMBED_MODEL
from rag_kit.testing import ScriptedTransport

KEY = "sk-test-FAKE1234567890"


class ChatServer(HTTPServer):
    """A server on this machine that only chats; `seen` keeps path, key and body of each request."""

    def __init__(self, status=200):
        self.status = status
        self.seen = []
        super().__init__(("127.0.0.1", 0), self.Handler)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self.server.seen.append((self.path, self.headers["authorization"], asked))
            message = {"role": "assistant", "content": "Five [1]."}
            answer = {"choices": [{"index": 0, "finish_reason": "stop", "message": message}], "id": "x"}
            if self.server.status != 200:
                answer = {"error": {"message": f"refused: {self.headers['authorization']}"}}
            body = json.dumps(answer).encode()
            self.send_response(self.server.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.send_header("x-should-retry", "false")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass


@pytest.fixture
def serve():
    started = []

    def start(status=200):
        server = ChatServer(status)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        started.append((server, thread))
        return server

    yield start
    for server, thread in started:
        server.shutdown()
        thread.join()
        server.server_close()


def say(client, model="m"):
    with client:
        return client.chat.completions.create(model=model, messages=[{"role": "user", "content": "A?"}])


def test_without_a_key_the_client_is_the_real_one_over_this_machine(capsys):
    client = connect()
    assert type(client) is openai.OpenAI
    assert say(client, LOCAL_CHAT_MODEL).model == LOCAL_CHAT_MODEL
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("blank", ["", "  "])
def test_blank_variables_count_as_not_set(monkeypatch, blank):
    monkeypatch.setenv("OPENAI_API_KEY", blank)
    monkeypatch.setenv("OPENAI_BASE_URL", blank)
    assert say(connect(), LOCAL_CHAT_MODEL).model == LOCAL_CHAT_MODEL


def test_an_address_alone_is_enough_and_its_host_is_named(monkeypatch, capsys, serve):
    server = serve()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.address}/v1")
    assert say(connect()).choices[0].message.content == "Five [1]."
    assert [path for path, _, _ in server.seen] == ["/v1/chat/completions"]
    assert capsys.readouterr() == ("", f"rag_kit: text goes to 127.0.0.1:{server.server_port}\n")


def test_the_key_is_sent_to_the_server_and_shown_to_nobody(monkeypatch, capsys, serve):
    server = serve()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.address}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    client = connect()
    say(client)
    assert [key for _, key, _ in server.seen] == [f"Bearer {KEY}"]
    assert "FAKE1" not in repr(client) + repr(load_settings()) + "".join(capsys.readouterr())


def test_a_key_and_a_blank_address_mean_openai(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    with connect() as client:
        assert str(client.base_url) == "https://api.openai.com/v1/"


def test_offline_wins_over_key_and_address(monkeypatch, capsys, serve):
    server = serve()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.address}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for client in (connect(offline=True), connect(load_settings(), offline=True)):
        assert KEY not in client.api_key
        assert say(client, LOCAL_CHAT_MODEL).model == LOCAL_CHAT_MODEL
    assert server.seen == []
    assert capsys.readouterr().err == ""


def test_a_proxy_named_in_the_environment_is_used(monkeypatch, serve):
    proxy = serve()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://models.test/v1")
    monkeypatch.setenv("http_proxy", proxy.address)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    say(connect())
    assert [path for path, _, _ in proxy.seen] == ["http://models.test/v1/chat/completions"]


def test_a_host_that_needs_no_proxy_is_asked_itself(monkeypatch, serve):
    proxy, server = serve(), serve()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.address}/v1")
    monkeypatch.setenv("http_proxy", proxy.address)
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    say(connect())
    assert (len(proxy.seen), len(server.seen)) == (0, 1)


def test_a_server_that_only_chats_keeps_the_local_embedder():
    remote = ScriptedTransport("Five [1].")
    transport = EmbedHere(LOCAL_EMBED_MODEL, here=LocalTransport(), elsewhere=remote)
    http_client = httpx2.Client(transport=transport)
    client = openai.OpenAI(api_key=KEY, base_url="http://x.invalid/v1", http_client=http_client)
    assert len(client.embeddings.create(model=LOCAL_EMBED_MODEL, input="fee").data[0].embedding) == 384
    assert remote.calls == 0
    assert say(client).choices[0].message.content == "Five [1]."
    with pytest.raises(openai.BadRequestError, match="only chats"):
        openai.OpenAI(
            api_key=KEY, base_url="http://x.invalid/v1", http_client=httpx2.Client(transport=transport)
        ).embeddings.create(model="another-model", input="fee")
    assert [request["model"] for request in remote.requests] == ["m", "another-model"]


def test_documents_are_embedded_here_when_the_server_only_chats(serve, tmp_path, process):
    server = serve()
    (tmp_path / "a.md").write_text("# Fees\n\nThe secret fee is 5 euros.\n", encoding="utf-8")
    environment = {"OPENAI_BASE_URL": f"{server.address}/v1", "RAG_KIT_CHAT_MODEL": "our-own-9b"}
    ran = process("ask", "What is the fee?", "--docs", tmp_path, "--json", **environment)
    assert ran.status == 0
    assert ran.json["citations"][0]["document_id"] == "a.md"
    assert ran.stderr.splitlines() == [
        f"rag_kit: text goes to 127.0.0.1:{server.server_port}",
        "rag_kit: no tokenizer known for model 'our-own-9b': counting with o200k_base",
    ]
    assert [path for path, _, _ in server.seen] == ["/v1/chat/completions"]


@pytest.mark.parametrize(
    ("status", "mend"), [(401, "OPENAI_API_KEY"), (404, "RAG_KIT_CHAT_MODEL"), (429, "--offline")]
)
def test_a_server_that_fails_is_one_line_without_the_key(serve, cli, tmp_path, status, mend):
    server = serve(status)
    (tmp_path / "a.md").write_text("The fee is 5 euros.", encoding="utf-8")
    environment = {
        "OPENAI_BASE_URL": f"{server.address}/v1",
        "OPENAI_API_KEY": KEY,
        "RAG_KIT_CHAT_MODEL": "gpt-4o",
    }
    ran = cli("ask", "What is the fee?", "--docs", tmp_path, "--json", **environment)
    assert (ran.status, ran.stdout) == (1, "")
    complaint = ran.stderr.splitlines()[-1]
    assert f"{status}" in complaint
    assert mend in complaint
    assert "Traceback" not in ran.stderr
    assert not any(KEY[at : at + 5] in ran.stderr for at in range(len("sk-"), len(KEY) - 4))


def test_a_server_that_is_not_there_is_one_line(cli, tmp_path):
    (tmp_path / "a.md").write_text("The fee is 5 euros.", encoding="utf-8")
    ran = cli("ask", "What is the fee?", "--docs", tmp_path, OPENAI_BASE_URL="http://127.0.0.1:9/v1", no_proxy="*",
              RAG_KIT_CHAT_MODEL="gpt-4o")  # fmt: skip
    assert ran.status == 1
    assert "check the network and OPENAI_BASE_URL" in ran.stderr.splitlines()[-1]
    assert "Traceback" not in ran.stderr


def test_offline_nothing_is_looked_up_or_connected_to(tmp_path):
    (tmp_path / "a.md").write_text("A lost access card costs 35 euros to replace.", encoding="utf-8")
    code = (
        "import sys\n"
        "def stay(event, arguments):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo', 'socket.sendto'):\n"
        "        sys.stderr.write(f'went out: {event} {arguments}\\n'); import os; os._exit(9)\n"
        "sys.addaudithook(stay)\n"
        "from rag_kit.cli import main\n"
        f"sys.exit(main(['ask', 'What does a lost access card cost?', '--docs', {str(tmp_path)!r}]))"
    )
    fresh = {"TIKTOKEN_CACHE_DIR": str(tmp_path / "ranks"), "RAG_KIT_CACHE_DIR": str(tmp_path / "cache")}
    # A library that is no Python goes out unseen by the hook: what it keeps to do so is seen in these.
    places = {name: tmp_path / name for name in ("HOME", "XDG_CACHE_HOME", "TMPDIR")}
    for name, place in places.items():
        place.mkdir()
        fresh[name] = str(place)
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **fresh}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"35 euros" in done.stdout
    assert [str(path) for place in places.values() for path in place.rglob("*")] == []
