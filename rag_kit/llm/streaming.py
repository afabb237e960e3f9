"""A completion as a stream: the chunks of the real service, word by word, as server-sent events."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import httpx2

_WORD = re.compile(r"\S+\s*|\s+")
_HEAD = ("id", "created", "model", "service_tier", "system_fingerprint")
DONE = b"data: [DONE]\n\n"


def chunks_of(completion: dict[str, Any], *, include_usage: bool = False) -> Iterator[dict[str, Any]]:
    """Cut a completion into chunks: the role, the content by words, the finish reason, then the usage.

    >>> said = {"role": "assistant", "content": "Ten days."}
    >>> whole = {"id": "c", "created": 1, "model": "m", "choices": [{"message": said, "finish_reason": "stop"}]}
    >>> [c["choices"][0]["delta"].get("content") for c in chunks_of(whole)]
    ['', 'Ten ', 'days.', None]
    """
    head = {name: completion[name] for name in _HEAD if name in completion}
    head["object"] = "chat.completion.chunk"
    choice = completion["choices"][0]
    for delta in _deltas(choice["message"]):
        yield _chunk(head, delta, None, include_usage)
    yield _chunk(head, {}, choice["finish_reason"], include_usage)
    if include_usage:
        yield {**head, "choices": [], "usage": completion["usage"]}


def events_of(chunks: Iterable[dict[str, Any]]) -> list[bytes]:
    """Write chunks as server-sent events, the end mark last."""
    return [*(b"data: " + dump(chunk) + b"\n\n" for chunk in chunks), DONE]


def join_chunks(chunks: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Put the chunks of one choice back together: the completion that :func:`chunks_of` would cut so."""
    whole: dict[str, Any] = {}
    message: dict[str, Any] = {"role": "assistant", "content": None}
    finish, usage = None, None
    for chunk in chunks:
        whole = {**chunk, **whole}
        usage = chunk.get("usage") or usage
        for choice in chunk.get("choices") or []:
            finish = choice.get("finish_reason") or finish
            delta = choice.get("delta") or {}
            if isinstance(delta.get("content"), str):
                message["content"] = (message["content"] or "") + delta["content"]
            for call in delta.get("tool_calls") or []:
                _join_call(message.setdefault("tool_calls", []), call)
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {**whole, "object": "chat.completion", "choices": [choice], "usage": usage}


def dump(body: Any) -> bytes:
    """Write a JSON body; half a surrogate pair, which UTF-8 cannot hold, becomes a question mark."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


class EventStream(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """Events that are known already, one piece each, for a client of either kind."""

    def __init__(self, events: list[bytes]) -> None:
        self._events = events

    def __iter__(self) -> Iterator[bytes]:
        yield from self._events

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for event in self._events:
            yield event

    def close(self) -> None:
        """Nothing to close."""

    async def aclose(self) -> None:
        """Nothing to close."""


def _deltas(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    calls = message.get("tool_calls") or []
    yield {"role": "assistant", "content": None if calls else "", "refusal": None}
    for index, call in enumerate(calls):
        function = call["function"]
        begun = {**call, "index": index, "function": {"name": function["name"], "arguments": ""}}
        yield {"tool_calls": [begun]}
        for word in _WORD.findall(function["arguments"]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": word}}]}
    for word in _WORD.findall(message.get("content") or ""):
        yield {"content": word}


def _chunk(
    head: dict[str, Any], delta: dict[str, Any], finish: str | None, include_usage: bool
) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {**head, "choices": [choice], **({"usage": None} if include_usage else {})}


def _join_call(calls: list[dict[str, Any]], delta: dict[str, Any]) -> None:
    while len(calls) <= delta.get("index", 0):
        calls.append({"id": None, "type": "function", "function": {"name": "", "arguments": ""}})
    call = calls[delta.get("index", 0)]
    call["id"] = delta.get("id") or call["id"]
    function = delta.get("function") or {}
    call["function"]["name"] += function.get("name") or ""
    call["function"]["arguments"] += function.get("arguments") or ""
