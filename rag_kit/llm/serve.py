"""The offline backend on a port of this machine, for a second client: curl, another language, a notebook."""

from __future__ import annotations

import socketserver
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2

from rag_kit.console import program_name, say
from rag_kit.errors import InvalidValue, RagKitError
from rag_kit.llm.local import LocalTransport
from rag_kit.llm.streaming import dump
from rag_kit.settings import SERVE_PORT

HOST = "127.0.0.1"
LONGEST_BODY = 64_000_000


class OfflineServer(ThreadingHTTPServer):
    """Serves ``/v1`` on 127.0.0.1, a thread a connection; port 0 picks a free one.

    A chat model that it does not know is answered by the offline reader, as llama.cpp and other servers of
    one model do, so that a client with another default works unchanged; the reply names the reader. An
    embedding model that it does not know stays an error: vectors of another model must not mix.
    """

    # On Windows the option means something else: two servers on one port.
    allow_reuse_address = sys.platform != "win32"

    def __init__(self, port: int = SERVE_PORT) -> None:
        self.transport = LocalTransport(any_chat_model=True)
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise InvalidValue(
                f"port {port}: {error.strerror or error}; choose another, or --port 0"
            ) from None

    @property
    def base_url(self) -> str:
        """What a client is given as its base URL."""
        return f"http://{HOST}:{self.server_address[1]}/v1"

    def server_bind(self) -> None:
        """Bind without looking the machine's name up, which would ask a name server."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]


def serve(port: int = SERVE_PORT) -> None:
    """Serve until Ctrl-C. Raises InvalidValue where the port cannot be had."""
    with OfflineServer(port) as server:
        say(f"the offline backend is at {server.base_url} (any key; Ctrl-C stops it)")
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            print(f"\n{program_name()}: stopped", file=sys.stderr)  # noqa: T201


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: OfflineServer

    def answer(self) -> None:
        length = self.headers.get("Content-Length", "0")
        if "chunked" in self.headers.get("Transfer-Encoding", "") or not length.isdigit():
            self._send(411, {"error": {"message": "Send a Content-Length.", "type": "invalid_request_error"}})
            return
        if int(length) > LONGEST_BODY:
            self._send(413, {"error": {"message": "The body is too long.", "type": "invalid_request_error"}})
            return
        body = self.rfile.read(int(length))
        request = httpx2.Request(self.command, f"http://{HOST}{self.path}", content=body)
        try:
            response = self.server.transport.handle_request(request)
        except RagKitError as error:
            self._send(500, {"error": {"message": str(error), "type": "server_error"}})
            return
        self.send_response(response.status_code)
        self.send_header("Content-Type", response.headers["content-type"])
        if "content-length" in response.headers:
            content = response.read()
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in response.iter_raw():
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def handle(self) -> None:
        """Serve one connection; a client that hangs up is no error."""
        try:
            super().handle()
        except ConnectionError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: what is asked may be private."""

    def _send(self, status: int, body: dict[str, object]) -> None:
        content = dump(body)
        self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)
