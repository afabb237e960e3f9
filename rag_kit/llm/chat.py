"""Chat completions of the offline service: what may be asked, and what comes back.

A parameter that would change the answer of a language model and cannot change a quotation (temperature,
seed, penalties) is accepted and does nothing. What the service cannot do is an error that names it, never a
silent difference.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from rag_kit.llm.api_errors import ApiError, unknown_model
from rag_kit.llm.messages import count_prompt, read_messages
from rag_kit.llm.schema import Said, fill, said
from rag_kit.llm.strict import check_strict
from rag_kit.llm.tools import choose_call, read_choice, read_tools
from rag_kit.settings import LOCAL_CHAT_MODEL
from rag_kit.sources import read_conversation
from rag_kit.tokens import count_tokens, encoding

EPOCH = 1_750_000_000
"""A fixed time stamp: two runs give the same bytes."""
CONTEXT_WINDOW = 128_000
"""Tokens of a request and its reply together."""

READ = {
    "model",
    "messages",
    "stream",
    "stream_options",
    "tools",
    "tool_choice",
    "response_format",
    "n",
    "stop",
    "max_tokens",
    "max_completion_tokens",
}
WITHOUT_EFFECT = {
    "temperature",
    "top_p",
    "seed",
    "user",
    "metadata",
    "store",
    "frequency_penalty",
    "presence_penalty",
    "logit_bias",
    "verbosity",
    "parallel_tool_calls",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning_effort",
    "safety_identifier",
    "service_tier",
}
NOT_HERE = {
    "audio",
    "functions",
    "function_call",
    "logprobs",
    "top_logprobs",
    "modalities",
    "moderation",
    "prediction",
    "web_search_options",
}


class ChatModel(Protocol):
    """What answers a conversation. Same messages, same reply."""

    calls_tools: bool
    """Whether it asks a tool of its own accord."""

    def reply(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Answer the conversation."""


def complete(
    asked: dict[str, Any], models: Mapping[str, ChatModel], *, any_model: bool = False
) -> dict[str, Any]:
    """Answer ``POST /v1/chat/completions``, as one body; :mod:`rag_kit.llm.streaming` cuts it up.

    With ``any_model``, a name that is not known is answered by the offline reader, under its own name.
    """
    name = _read_model(asked.get("model"), models, any_model)
    _check_names(asked)
    messages = read_messages(asked.get("messages"))
    functions = read_tools(asked.get("tools"))
    choice = read_choice(asked.get("tool_choice"), functions)
    form = _read_format(asked.get("response_format"), messages)
    limit, stops = _read_limit(asked), _read_stops(asked.get("stop"))
    read = count_prompt(messages, asked.get("tools"), form)
    if read + (limit or 0) > CONTEXT_WINDOW:
        message = (
            f"This model's maximum context length is {CONTEXT_WINDOW} tokens. However, your messages resulted"
            f" in {read} tokens and {limit or 0} were asked for as a reply."
            " Please reduce the length of the messages."
        )
        raise ApiError(400, message, param="messages", code="context_length_exceeded")

    sources, question = read_conversation(messages)
    model = models[name]
    willing = model.calls_tools and not sources
    call = choose_call(functions, choice, messages, question, willing=willing)
    if call:
        text, finish, written = _cut(call["function"]["arguments"], (), limit)
        call["function"]["arguments"] = text
        # The real service says "stop" where a function was named, and so does this one.
        finish = "tool_calls" if finish == "stop" and not choice.startswith("=") else finish
        message_said = {"role": "assistant", "content": None, "tool_calls": [call], "refusal": None}
    else:
        words = said(question, model.reply(messages))
        text, finish, written = _cut(_shape(words, form), stops, limit)
        message_said = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
    same = {key: value for key, value in asked.items() if key not in ("stream", "stream_options")}
    digest = hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()
    return {
        "id": "chatcmpl-" + digest[:24],
        "object": "chat.completion",
        "created": EPOCH,
        "model": name,
        "service_tier": "default",
        "system_fingerprint": "fp_offline",
        "choices": [{"index": 0, "message": message_said, "logprobs": None, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        },
    }


def _read_model(given: Any, models: Mapping[str, ChatModel], any_model: bool) -> str:
    if isinstance(given, str) and given in models:
        return given
    if any_model and isinstance(given, str) and given:
        return LOCAL_CHAT_MODEL
    raise unknown_model(given, " and ".join(f"'{model}'" for model in models) + " for chat")


def _check_names(asked: dict[str, Any]) -> None:
    for name, value in asked.items():
        if name in NOT_HERE and value and value != ["text"]:
            raise ApiError(400, f"'{name}' is not supported by the offline service.", param=name)
        if name not in READ | WITHOUT_EFFECT | NOT_HERE:
            raise ApiError(400, f"Unrecognized request argument supplied: {name}")
    if asked.get("n") not in (None, 1):
        raise ApiError(400, "'n' can only be 1: the same messages always give the same reply.", param="n")
    if asked.get("stream_options") is not None and not asked.get("stream"):
        message = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        raise ApiError(400, message, param="stream_options")


def _read_format(given: Any, messages: list[dict[str, Any]]) -> Any:
    """Return None for text, ``{}`` for any JSON object, else the schema."""
    kind = given.get("type") if isinstance(given, dict) else given
    if kind in (None, "text"):
        return None
    if kind == "json_object":
        if "json" not in " ".join(message["content"] for message in messages).casefold():
            message = (
                "'messages' must contain the word 'json' in some form, to use 'response_format' of type "
                "'json_object'."
            )
            raise ApiError(400, message, param="messages")
        return {}
    holder = given.get("json_schema") if isinstance(given, dict) else None
    if kind != "json_schema" or not isinstance(holder, dict):
        message = "'response_format' is of type text, json_object or json_schema."
        raise ApiError(400, message, param="response_format")
    name, schema = holder.get("name"), holder.get("schema")
    if not isinstance(name, str) or not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name):
        message = "'response_format.json_schema.name' is 1 to 64 letters, digits, '_' or '-'."
        raise ApiError(400, message, param="response_format.json_schema.name")
    if holder.get("strict"):
        check_strict(schema, f"response_format '{name}'")
    if not isinstance(schema, dict) or not schema:
        message = "'response_format.json_schema.schema' must be an object."
        raise ApiError(400, message, param="response_format.json_schema.schema")
    return schema


def _shape(words: Said, form: Any) -> str:
    if form is None:
        return words.text
    free = {"answer": words.text, "citations": list(words.labels), "refused": words.refused}
    value = fill(form, words) if form else free
    return json.dumps(value, ensure_ascii=False)


def _read_limit(asked: dict[str, Any]) -> int | None:
    names = [name for name in ("max_tokens", "max_completion_tokens") if asked.get(name) is not None]
    if len(names) > 1:
        message = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
        raise ApiError(400, message, param="max_tokens")
    if not names:
        return None
    limit = asked[names[0]]
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        message = f"Invalid '{names[0]}': expected a whole number of 1 or more, but got {limit} instead."
        raise ApiError(400, message, param=names[0], code="integer_below_min_value")
    return limit


def _read_stops(given: Any) -> tuple[str, ...]:
    stops = [given] if isinstance(given, str) else given or []
    if not isinstance(stops, list) or len(stops) > 4 or not all(isinstance(s, str) and s for s in stops):
        raise ApiError(400, "'stop' is a text or a list of up to 4 texts.", param="stop")
    return tuple(stops)


def _cut(text: str, stops: Sequence[str], limit: int | None) -> tuple[str, str, int]:
    """Cut a reply before the first stop and after ``limit`` tokens: text, finish reason, tokens."""
    ends = [at for at in (text.find(stop) for stop in stops) if at >= 0]
    text = text[: min(ends)] if ends else text
    written = count_tokens(text)
    if limit is None or written <= limit:
        return text, "stop", written
    ids = encoding().encode(text, disallowed_special=())[:limit]
    return encoding().decode(ids, errors="ignore"), "length", limit
