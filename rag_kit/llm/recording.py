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

from rag_kit.errors import InvalidValue
from rag_kit.llm.streaming import join_chunks

_context: ContextVar[dict[str, str] | None] = ContextVar("call_context", default=None)
_OF_THE_WIRE = ("content-encoding", "content-length", "transfer-encoding")
_DATA = "data:"


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

    Chat is kept in full. Embedding inputs are kept as SHA-256 and their vectors not at all. A stream is
    passed on piece by piece, and its line, with ``stream`` instead of ``response``, is written when it ends
    or is closed; ``complete`` says which. Calls of several threads are written in whole lines.
    """

    def __init__(self, inner: httpx2.BaseTransport, path: str | Path) -> None:
        self.inner = inner
        self.path = Path(path)
        self._lock = Lock()
        self.path.parent.mkdir(parents=True, exist_ok=True)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Pass a request on and write down what was asked and what came back."""
        row: dict[str, Any] = {**(_context.get() or {}), "method": request.method, "path": request.url.path}
        row["request"] = as_logged(request.read())
        try:
            response = self.inner.handle_request(request)
            row["status"] = response.status_code
            if response.headers.get("content-type", "").startswith("text/event-stream"):
                return httpx2.Response(
                    response.status_code, headers=decoded_headers(response), stream=_Tee(response, row, self)
                )
            body = response.read()
        except Exception as error:
            self.write({**row, "error": type(error).__name__})
            raise
        self.write({**row, "response": as_logged(body)})
        return httpx2.Response(response.status_code, headers=decoded_headers(response), content=body)

    def close(self) -> None:
        """Close the transport underneath."""
        self.inner.close()

    def write(self, row: dict[str, Any]) -> None:
        """Append one line, in one piece."""
        line = json.dumps(row, ensure_ascii=False) + "\n"
        with self._lock, self.path.open("ab", buffering=0) as file:
            file.write(line.encode("utf-8", "replace"))


class _Tee(httpx2.SyncByteStream):
    """Passes a stream on as it comes, and writes its line once, at the end."""

    def __init__(self, response: httpx2.Response, row: dict[str, Any], log: RecordingTransport) -> None:
        self._response, self._row, self._log = response, row, log
        self._pieces: list[bytes] = []
        self._written = False

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in self._response.iter_bytes():
                self._pieces.append(piece)
                yield piece
        except Exception as error:
            self._row["error"] = type(error).__name__
            raise
        self._write(complete=True)

    def close(self) -> None:
        self._response.close()
        self._write(complete=False)

    def _write(self, *, complete: bool) -> None:
        if self._written:
            return
        self._written = True
        # Not str.splitlines: a text may hold line ends that JSON leaves as they are.
        said = b"".join(self._pieces).decode("utf-8", "replace").split("\n")
        events = [line.removeprefix(_DATA).strip() for line in said if line.startswith(_DATA)]
        # The client stops at the end mark and closes; what it has read by then is the whole stream.
        ended = complete or "[DONE]" in events
        chunks = [_json(event.encode()) for event in events if event != "[DONE]"]
        self._log.write({**self._row, "stream": chunks, "complete": ended})


def read_calls(path: str | Path) -> list[dict[str, Any]]:
    """Read a recording back, one dict a call; a stream gets a ``response`` too, put together."""
    path = Path(path)
    if not path.is_file():
        raise InvalidValue(f"{path}: no such recording; make one with connect(record={str(path)!r})")
    calls: list[dict[str, Any]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line:
            continue
        try:
            call = json.loads(line)
        except (ValueError, RecursionError):
            raise InvalidValue(f"{path}: line {number} is not JSON; take it out or record again") from None
        if "stream" in call:
            call["response"] = join_chunks(chunk for chunk in call["stream"] if isinstance(chunk, dict))
        calls.append(call)
    return calls


def as_logged(body: bytes) -> Any:
    """Return a body as the log keeps it: embedding inputs as hashes, vectors left out."""
    return _shorten(_json(body))


def decoded_headers(response: httpx2.Response) -> list[tuple[str, str]]:
    """Return the headers for a body that has been decoded: it must not ask to be decoded again."""
    return [(name, value) for name, value in response.headers.items() if name not in _OF_THE_WIRE]


def _json(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace")


def _shorten(body: Any) -> Any:
    if not isinstance(body, dict):
        return body
    given = body.get("input")
    inputs = [given] if isinstance(given, str) else given
    if isinstance(inputs, list) and "messages" not in body:
        hashes = [hashlib.sha256(str(text).encode("utf-8", "surrogatepass")).hexdigest() for text in inputs]
        return {**body, "input": {"count": len(hashes), "sha256": hashes}}
    rows = body.get("data")
    if isinstance(rows, list) and rows and isinstance(rows[0], dict) and "embedding" in rows[0]:
        return {**body, "data": {"count": len(rows)}}
    return body
