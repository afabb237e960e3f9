"""The offline backend: an OpenAI-compatible service inside this process.

This file routes: ``/v1/embeddings`` is answered by MiniLM, ``/v1/chat/completions`` by the offline reader or,
asked for by name, by the local memory. No key is needed, so none is refused.
"""

from __future__ import annotations

import json
from threading import Lock
from typing import Any

import httpx2

from rag_kit.llm.api_errors import ApiError, unknown_model
from rag_kit.llm.chat import EPOCH, ChatModel, complete
from rag_kit.llm.embeddings import embeddings
from rag_kit.llm.memory import LocalMemory
from rag_kit.llm.minilm import minilm
from rag_kit.llm.reader import OfflineReader
from rag_kit.llm.streaming import EventStream, chunks_of, dump, events_of
from rag_kit.settings import LOCAL_CHAT_MODEL, LOCAL_EMBED_MODEL, LOCAL_MEMORY_MODEL

ROUTES = {"/v1/embeddings": "POST", "/v1/chat/completions": "POST", "/v1/models": "GET"}


class LocalTransport(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """Answers OpenAI's API in this process, to clients of either kind; no byte leaves the machine.

    One request at a time: the models are small, and their caches are shared. With ``any_chat_model``, a chat
    model that is not known is answered by the offline reader, as servers of one model do.
    """

    def __init__(self, reader: OfflineReader | None = None, *, any_chat_model: bool = False) -> None:
        self.any_chat_model = any_chat_model
        self.models: dict[str, ChatModel] = {
            LOCAL_CHAT_MODEL: reader or OfflineReader(minilm()),
            LOCAL_MEMORY_MODEL: LocalMemory(minilm()),
        }
        self._lock = Lock()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        try:
            asked = _read_body(request.read())
            with self._lock:
                answer = self._answer(request.method, request.url.path, asked)
        except ApiError as error:
            return _respond(error.status, error.body)
        if asked.get("stream"):
            options = asked.get("stream_options")
            include_usage = bool(isinstance(options, dict) and options.get("include_usage"))
            events = events_of(chunks_of(answer, include_usage=include_usage))
            headers = {"content-type": "text/event-stream; charset=utf-8"}
            return httpx2.Response(200, headers=headers, stream=EventStream(events))
        return _respond(200, answer)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request of an asynchronous client, without waiting for anything."""
        await request.aread()
        return self.handle_request(request)

    def _answer(self, method: str, path: str, asked: dict[str, Any]) -> dict[str, Any]:
        known = ROUTES.get(path, "GET" if path.startswith("/v1/models/") else None)
        if known is None:
            raise ApiError(404, f"Invalid URL ({method} {path})")
        if method != known:
            raise ApiError(405, f"Not allowed to {method} on {path}", code="method_not_supported")
        if path == "/v1/embeddings":
            return embeddings(asked)
        if path == "/v1/chat/completions":
            return complete(asked, self.models, any_model=self.any_chat_model)
        names = [*self.models, LOCAL_EMBED_MODEL]
        about = {"object": "model", "created": EPOCH, "owned_by": "rag_kit"}
        rows = {name: {"id": name, **about} for name in names}
        wanted = path.removeprefix("/v1/models").removeprefix("/")
        if not wanted:
            return {"object": "list", "data": list(rows.values())}
        if wanted not in rows:
            raise unknown_model(wanted, ", ".join(f"'{name}'" for name in names))
        return rows[wanted]


def _read_body(body: bytes) -> dict[str, Any]:
    try:
        asked = json.loads(body) if body else {}
        if b"\\ud" in body.lower():  # perhaps half of a surrogate pair, which no tokenizer reads
            text = json.dumps(asked, ensure_ascii=False).encode("utf-16", "surrogatepass")
            asked = json.loads(text.decode("utf-16", "replace"))
    except (ValueError, RecursionError):
        raise ApiError(400, "The request body is not valid JSON.") from None
    if not isinstance(asked, dict):
        raise ApiError(400, "The request body is not a JSON object.")
    return asked


def _respond(status: int, body: dict[str, Any]) -> httpx2.Response:
    return httpx2.Response(status, headers={"content-type": "application/json"}, content=dump(body))
