"""Tool calls of the offline service: a retriever offered as a tool is called with the question.

The model that reads sources calls a function that takes a ``query`` when it has no sources yet, once a turn,
and answers from what the tool returned, if that is written as :mod:`rag_kit.sources` writes or reads it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rag_kit.llm.api_errors import ApiError
from rag_kit.llm.schema import fill, said
from rag_kit.llm.strict import check_strict

CHOICES = ("none", "auto", "required")


def read_tools(given: Any) -> dict[str, dict[str, Any]]:
    """Return the functions that are offered, by name; raises ApiError for what is not one."""
    functions: dict[str, dict[str, Any]] = {}
    for index, tool in enumerate(given or []):
        kind = tool.get("type") if isinstance(tool, dict) else None
        function = tool.get("function") if isinstance(tool, dict) else None
        at = f"tools[{index}]"
        if kind != "function":
            message = f"Tools of type '{kind}' are not offered by the offline service; only 'function' is."
            raise ApiError(400, message, param=f"{at}.type")
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            message = f"Missing required parameter: '{at}.function.name'."
            raise ApiError(400, message, param=f"{at}.function.name", code="missing_required_parameter")
        if function.get("strict"):
            owner = f"function '{function['name']}'"
            check_strict(function.get("parameters"), owner, f"{at}.function.parameters")
        functions[function["name"]] = function
    return functions


def read_choice(given: Any, functions: Mapping[str, Any]) -> str:
    """Return 'none', 'auto', 'required' or the name of the one function to call, as ``"=name"``."""
    if given is None:
        return "auto" if functions else "none"
    if not functions:
        message = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
        raise ApiError(400, message, param="tool_choice")
    if given in CHOICES:
        return str(given)
    function = given.get("function") if isinstance(given, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    if name in functions:
        return f"={name}"
    known = ", ".join(functions)
    wanted = name or json.dumps(given)
    message = f"'tool_choice' is none, auto, required or one of the tools ({known}), not {wanted}."
    raise ApiError(400, message, param="tool_choice")


def choose_call(
    functions: Mapping[str, dict[str, Any]],
    choice: str,
    messages: Sequence[Mapping[str, str]],
    question: str,
    *,
    willing: bool,
) -> dict[str, Any] | None:
    """Return the call to make, or None to answer at once.

    ``auto`` calls only where the model is ``willing`` and no tool has answered since the last user message;
    ``required`` and a named function always call, as they do in the real service.
    """
    last = max((at for at, message in enumerate(messages) if message["role"] == "user"), default=-1)
    answered = any(message["role"] == "tool" for message in messages[last + 1 :])
    if choice == "none" or (choice == "auto" and (answered or not willing)):
        return None
    offered = {choice[1:]: functions[choice[1:]]} if choice.startswith("=") else functions
    for name, function in offered.items():
        schema = function.get("parameters") or {}
        if _takes_query(schema):
            arguments = json.dumps(fill(schema, said(question, ""), "tools"), ensure_ascii=False)
            digest = hashlib.sha256(json.dumps([name, arguments, len(messages)]).encode()).hexdigest()
            return {
                "id": "call_" + digest[:24],
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }
    if choice == "auto":
        return None
    message = f"The offline models call only functions with a 'query' text; {', '.join(offered)} has none."
    raise ApiError(400, message, param="tools")


def _takes_query(schema: Mapping[str, Any]) -> bool:
    fields = schema.get("properties")
    field = fields.get("query") if isinstance(fields, dict) else None
    return isinstance(field, dict) and field.get("type") == "string"
