"""The prompt spy: what really went over the wire, written down as it went."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from threading import Lock
from typing import Any

import httpx2

_context: ContextVar[dict[str, str] | None] = ContextVar("call_context", default=None)


@contextmanager
def call_context(**labels: str) -> Iterator[None]:
    """Label the calls made inside, say by stage and question id; labels are logged and never sent."""
    token = _context.set({**(_context.get() or {}), **labels})
    try:
        yield
    finally:
        _context.reset(token)


class RecordingTransport(httpx2.BaseTransport):
    """Writes each call as one JSON line: context, request and response, without headers.

    Chat is kept in full. Embedding inputs are kept as SHA-256 and their vectors not at all.
    """

    def __init__(self, inner: httpx2.BaseTransport, path: str | Path) -> None:
        self.inner = inner
        self.path = Path(path)
        self._lock = Lock()
        self.path.parent.mkdir(parents=True, exist_ok=True)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Pass a request on and write down what was asked and what came back."""
        asked = _json(request.read())
        row: dict[str, Any] = {**(_context.get() or {}), "method": request.method, "path": request.url.path}
        try:
            response = self.inner.handle_request(request)
        except Exception as error:
            self._write({**row, "request": _shorten(asked), "error": type(error).__name__})
            raise
        body = response.read()
        answered = _json(_without_key(body, request) if response.status_code >= 400 else body)
        self._write(
            {
                **row,
                "request": _shorten(asked),
                "status": response.status_code,
                "response": _shorten(answered),
            }
        )
        # The body has been read and decoded, so what is handed on must not ask to be decoded again.
        headers = [
            (k, v)
            for k, v in response.headers.items()
            if k not in ("content-encoding", "content-length", "transfer-encoding")
        ]
        return httpx2.Response(response.status_code, headers=headers, content=body, request=request)

    def close(self) -> None:
        """Close the transport underneath."""
        self.inner.close()

    def _write(self, row: dict[str, Any]) -> None:
        line = json.dumps(row, ensure_ascii=False) + "\n"
        with self._lock, self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line)


def read_calls(path: str | Path) -> list[dict[str, Any]]:
    """Read a recording back, one dict a call."""
    text = Path(path).read_text(encoding="utf-8")
    # Not str.splitlines: a recorded text may hold line ends that JSON leaves as they are.
    return [json.loads(line) for line in text.split("\n") if line]


def _without_key(body: bytes, request: httpx2.Request) -> bytes:
    """Take the key out of an error: some gateways repeat the one that they refuse."""
    key = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
    return body.replace(key, b"(the key)") if key else body


def _json(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError:
        return body.decode("utf-8", "replace")


def _shorten(body: Any) -> Any:
    """Replace embedding inputs by their hashes and leave vectors out."""
    if not isinstance(body, dict):
        return body
    if "input" in body and "messages" not in body:
        given = body["input"]
        inputs = given if isinstance(given, list) else [given]
        hashes = [hashlib.sha256(str(text).encode("utf-8", "surrogatepass")).hexdigest() for text in inputs]
        return {**body, "input": {"count": len(hashes), "sha256": hashes}}
    rows = body.get("data")
    if isinstance(rows, list) and rows and isinstance(rows[0], dict) and "embedding" in rows[0]:
        return {**body, "data": {"count": len(rows)}}
    return body
