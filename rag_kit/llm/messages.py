"""The messages of a chat request: every role the real service knows, and its rules for tool results."""

from __future__ import annotations

import json
from typing import Any

from rag_kit.llm.api_errors import ApiError
from rag_kit.tokens import count_messages, count_tokens

ROLES = ("system", "developer", "user", "assistant", "tool")


def read_messages(given: Any) -> list[dict[str, Any]]:
    """Return messages as role, text and the ids of tool calls; text parts are joined.

    >>> read_messages([{"role": "user", "content": [{"type": "text", "text": "Hello"}]}])[0]["content"]
    'Hello'
    """
    if not isinstance(given, list) or not given:
        raise ApiError(400, "'messages' must be a list, not empty.", param="messages")
    messages: list[dict[str, Any]] = []
    open_calls: list[str] = []
    for index, message in enumerate(given):
        at = f"messages[{index}]"
        if not isinstance(message, dict):
            raise ApiError(400, f"Invalid type for '{at}': expected an object.", param=at)
        role = message.get("role")
        if role not in ROLES:
            known = ", ".join(f"'{name}'" for name in ROLES)
            raise ApiError(
                400,
                f"Invalid value: '{role}'. Supported values are: {known}.",
                param=f"{at}.role",
                code="invalid_value",
            )
        calls = _read_calls(message.get("tool_calls"), at) if role == "assistant" else []
        if role == "tool":
            _close_call(open_calls, message.get("tool_call_id"), at)
        elif open_calls:
            break
        messages.append(
            {"role": role, "content": _read_content(message, at, calls), "calls": json.dumps(calls)}
        )
        open_calls += [call["id"] for call in calls]
    if open_calls:
        unanswered = (
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(open_calls)}"
        )
        raise ApiError(400, unanswered, param="messages")
    return messages


def count_prompt(messages: list[dict[str, Any]], *definitions: Any) -> int:
    """Count what a request reads: its messages, tool calls in them, tools and schema as JSON."""
    extra = [message["calls"] for message in messages if message["calls"] != "[]"]
    extra += [json.dumps(definition) for definition in definitions if definition]
    return count_messages(messages) + sum(count_tokens(text) for text in extra)


def _read_content(message: dict[str, Any], at: str, calls: list[dict[str, Any]]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        for number, part in enumerate(content):
            kind = part.get("type") if isinstance(part, dict) else None
            if kind not in ("text", "refusal") or not isinstance(part.get(kind), str):
                where = f"{at}.content[{number}]"
                raise ApiError(
                    400, f"'{where}' is of type '{kind}'; the offline models read text only.", param=where
                )
        return "".join(part[part["type"]] for part in content)
    if content is None and message["role"] == "assistant" and (calls or message.get("refusal")):
        return str(message.get("refusal") or "")
    if not isinstance(content, str):
        got = "null" if content is None else type(content).__name__
        wrong = f"Invalid value for '{at}.content': expected a string, got {got}."
        raise ApiError(400, wrong, param=f"{at}.content")
    return content


def _read_calls(given: Any, at: str) -> list[dict[str, Any]]:
    calls = given or []
    whole = isinstance(calls, list) and all(
        isinstance(call, dict) and isinstance(call.get("id"), str) and isinstance(call.get("function"), dict)
        for call in calls
    )
    if not whole:
        raise ApiError(
            400, f"Each of '{at}.tool_calls' needs an id and a function.", param=f"{at}.tool_calls"
        )
    return list(calls)


def _close_call(open_calls: list[str], answered: Any, at: str) -> None:
    if answered not in open_calls:
        message = (
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
            "with 'tool_calls'."
        )
        raise ApiError(400, message, param=f"{at}.role")
    open_calls.remove(answered)
