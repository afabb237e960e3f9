"""The offline backend: an OpenAI-compatible service inside this process.

``/v1/embeddings`` is answered by MiniLM, ``/v1/chat/completions`` by the offline reader. What the backend
does not do yet is an error of the kind that the real service gives, never a silent difference.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

import httpx2

from rag_kit.llm.minilm import DIMENSIONS, minilm
from rag_kit.llm.reader import OfflineReader
from rag_kit.settings import LOCAL_CHAT_MODEL, LOCAL_EMBED_MODEL
from rag_kit.tokens import count_messages, count_tokens

MAX_INPUTS = 2048
NOT_YET = ("stream", "tools", "functions", "response_format", "logprobs")
EPOCH = 1_750_000_000
"""A fixed time stamp: two runs give the same bytes."""


class _Refused(Exception):
    """A request that the service answers with an error."""

    def __init__(
        self, status: int, message: str, *, param: str | None = None, code: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = {
            "error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}
        }


class LocalTransport(httpx2.BaseTransport):
    """Answers OpenAI's API in this process; no byte leaves the machine."""

    def __init__(self, reader: OfflineReader | None = None) -> None:
        self.reader = reader or OfflineReader(minilm())

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        routes: dict[tuple[str, str], Callable[[Any], dict[str, Any]]] = {
            ("POST", "/v1/embeddings"): self._embeddings,
            ("POST", "/v1/chat/completions"): self._chat,
            ("GET", "/v1/models"): self._models,
        }
        try:
            answer = routes.get((request.method, request.url.path))
            if answer is None:
                raise _Refused(404, f"Invalid URL ({request.method} {request.url.path})")
            body = request.read()
            try:
                asked = json.loads(body) if body else {}
            except ValueError:
                raise _Refused(400, "The request body is not valid JSON.") from None
            if not isinstance(asked, dict):
                raise _Refused(400, "The request body is not a JSON object.")
            return httpx2.Response(200, json=answer(asked), request=request)
        except _Refused as refused:
            return httpx2.Response(refused.status, json=refused.body, request=request)

    def _models(self, _: Any) -> dict[str, Any]:
        models = [LOCAL_CHAT_MODEL, LOCAL_EMBED_MODEL]
        rows = [{"id": name, "object": "model", "created": EPOCH, "owned_by": "rag_kit"} for name in models]
        return {"object": "list", "data": rows}

    def _embeddings(self, asked: dict[str, Any]) -> dict[str, Any]:
        _require_model(asked, LOCAL_EMBED_MODEL)
        given = asked.get("input")
        texts = [given] if isinstance(given, str) else given
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
            raise _Refused(400, "'input' must be a string or a list of strings, not empty.", param="input")
        if len(texts) > MAX_INPUTS:
            raise _Refused(
                400, f"'input' holds {len(texts)} texts; at most {MAX_INPUTS} a request.", param="input"
            )
        if not all(text.strip() for text in texts):
            raise _Refused(400, "'input' cannot hold an empty string.", param="input")
        if asked.get("dimensions") not in (None, DIMENSIONS):
            raise _Refused(400, f"This model gives {DIMENSIONS} dimensions.", param="dimensions")
        if asked.get("encoding_format") not in (None, "float", "base64"):
            raise _Refused(400, "'encoding_format' is 'float' or 'base64'.", param="encoding_format")
        model = minilm()
        vectors = model.embed(texts)
        as_base64 = asked.get("encoding_format") == "base64"
        rows = [
            {
                "object": "embedding",
                "index": index,
                "embedding": base64.b64encode(row.tobytes()).decode() if as_base64 else row.tolist(),
            }
            for index, row in enumerate(vectors)
        ]
        read = model.read_tokens(texts)
        usage = {"prompt_tokens": read, "total_tokens": read}
        return {"object": "list", "data": rows, "model": LOCAL_EMBED_MODEL, "usage": usage}

    def _chat(self, asked: dict[str, Any]) -> dict[str, Any]:
        _require_model(asked, LOCAL_CHAT_MODEL)
        for name in NOT_YET:
            if asked.get(name):
                raise _Refused(400, f"'{name}' is not supported by the offline backend yet.", param=name)
        if asked.get("n") not in (None, 1):
            raise _Refused(400, "'n' can only be 1.", param="n")
        messages = _read_messages(asked.get("messages"))
        reply = self.reader.reply(messages)
        prompt_tokens, reply_tokens = count_messages(messages), count_tokens(reply)
        digest = hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()
        return {
            "id": "chatcmpl-" + digest[:24],
            "object": "chat.completion",
            "created": EPOCH,
            "model": LOCAL_CHAT_MODEL,
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": reply, "refusal": None},
                    "logprobs": None,
                    "finish_reason": "stop",
                }
            ],
            "usage": {
                "prompt_tokens": prompt_tokens,
                "completion_tokens": reply_tokens,
                "total_tokens": prompt_tokens + reply_tokens,
            },
        }


def _require_model(asked: dict[str, Any], served: str) -> None:
    name = asked.get("model")
    if name != served:
        message = f"The model '{name}' does not exist here; this service has '{served}'."
        raise _Refused(404, message, param="model", code="model_not_found")


def _read_messages(given: Any) -> list[dict[str, str]]:
    """Return messages as role and text; content parts of type text are joined."""
    if not isinstance(given, list) or not given:
        raise _Refused(400, "'messages' must be a list, not empty.", param="messages")
    messages: list[dict[str, str]] = []
    for message in given:
        role = message.get("role") if isinstance(message, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, list):
            parts = [part.get("text") if isinstance(part, dict) else None for part in content]
            content = "".join(map(str, parts)) if all(isinstance(part, str) for part in parts) else None
        if not isinstance(role, str) or not isinstance(content, str):
            raise _Refused(400, "Each message needs a role and a text content.", param="messages")
        messages.append({"role": role, "content": content})
    return messages
