"""A recording played back: the same requests get the same answers, with no model and no network."""

from __future__ import annotations

import difflib
import json
import re
from pathlib import Path
from threading import Lock
from typing import Any

import httpx2

from rag_kit.errors import UnrecordedRequest
from rag_kit.llm.recording import as_logged, read_calls
from rag_kit.llm.streaming import EventStream, dump, events_of

_ENDPOINT = re.compile(r"/(?:chat/completions|embeddings|responses|models(?:/[^/]+)?)$")
_AROUND = 30
"""Characters shown on either side of the place where two requests part."""


class ReplayTransport(httpx2.BaseTransport):
    """Answers from a recording that RecordingTransport made.

    A request is found by method, endpoint and body, in any order. The same request twice gets its recorded
    answers in turn, and the last one again after that. One that is not there raises UnrecordedRequest. A
    recording keeps no vectors, so embedding calls go to ``embeddings``.
    """

    def __init__(self, path: str | Path, *, embeddings: httpx2.BaseTransport | None = None) -> None:
        self.path = Path(path)
        self.embeddings = embeddings
        self._calls = read_calls(path)
        self._lock = Lock()
        self._waiting: dict[str, list[dict[str, Any]]] = {}
        for call in self._calls:
            self._waiting.setdefault(_key(call["method"], call["path"], call["request"]), []).append(call)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request as it was answered when it was recorded."""
        method, path, asked = request.method, request.url.path, as_logged(request.read())
        if path.endswith("/embeddings"):
            if self.embeddings is None:
                message = f"{self.path}: a recording keeps no vectors; give ReplayTransport(embeddings=...)"
                raise UnrecordedRequest(f"{message} a transport that makes them")
            return self.embeddings.handle_request(request)
        with self._lock:
            waiting = self._waiting.get(_key(method, path, asked))
            if not waiting:
                raise UnrecordedRequest(self._explain(method, path, asked))
            call = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if "error" in call:
            raise _failure(call["error"])(f"{call['error']}, as recorded", request=request)
        # A failure that was tried again when it was recorded is tried again now, without the wait.
        headers = {"retry-after-ms": "1"} if call["status"] >= 400 else {}
        if "stream" in call:
            headers["content-type"] = "text/event-stream"
            events = events_of(call["stream"])
            return httpx2.Response(call["status"], headers=headers, stream=EventStream(events))
        headers["content-type"] = "application/json"
        return httpx2.Response(call["status"], headers=headers, content=dump(call["response"]))

    def close(self) -> None:
        """Close the transport that embeds."""
        if self.embeddings is not None:
            self.embeddings.close()

    def _explain(self, method: str, path: str, asked: Any) -> str:
        """Say which recorded request is nearest, and where the two part."""
        wanted = f"{method} {_endpoint(path)}"
        alike = [call for call in self._calls if f"{call['method']} {_endpoint(call['path'])}" == wanted]
        if not alike:
            return f"{self.path}: no {wanted} was recorded; record again with connect(record=...)"
        words = json.dumps(asked, ensure_ascii=False).split()

        def likeness(call: dict[str, Any]) -> float:
            other = json.dumps(call["request"], ensure_ascii=False).split()
            return difflib.SequenceMatcher(None, words, other, autojunk=False).ratio()

        nearest = max(alike, key=likeness)
        where, recorded, now = _first_difference(nearest["request"], asked, "")
        line = self._calls.index(nearest) + 1
        return (
            f"{self.path}: this {wanted} was not recorded; the nearest is call {line}, "
            f"which has {where} {recorded}, not {now}"
        )


def _failure(name: str) -> type[httpx2.RequestError]:
    kind = getattr(httpx2, name, None)
    if isinstance(kind, type) and issubclass(kind, httpx2.RequestError):
        return kind
    return httpx2.ConnectError


def _endpoint(path: str) -> str:
    """Return the end of a path that means the same on every server."""
    found = _ENDPOINT.search(path)
    return found.group() if found else path


def _key(method: str, path: str, asked: Any) -> str:
    return json.dumps([method, _endpoint(path), asked], sort_keys=True)


def _first_difference(old: Any, new: Any, at: str) -> tuple[str, str, str]:
    """Return where two JSON values first part, and both values there, cut to the place.

    >>> _first_difference({"model": "a", "n": 1}, {"model": "b", "n": 1}, "")
    ('model', "'a'", "'b'")
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            if old.get(key) != new.get(key):
                return _first_difference(old.get(key), new.get(key), f"{at}.{key}".lstrip("."))
    if isinstance(old, list) and isinstance(new, list):
        for index, (one, other) in enumerate(zip(old, new, strict=False)):
            if one != other:
                return _first_difference(one, other, f"{at}[{index}]")
        return f"{at}, the length of it,", str(len(old)), str(len(new))
    if isinstance(old, str) and isinstance(new, str):
        same = next(
            (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
        )
        start = max(same - _AROUND, 0)
        return at, repr(old[start : same + _AROUND]), repr(new[start : same + _AROUND])
    return at or "the body", repr(old)[: 2 * _AROUND], repr(new)[: 2 * _AROUND]
