"""What ``strict`` asks of a JSON schema, refused in the real service's words."""

from __future__ import annotations

from typing import Any

from rag_kit.llm.api_errors import ApiError


def check_strict(schema: Any, owner: str, param: str = "response_format") -> None:
    """Refuse a schema that the real service would refuse under ``strict``, in its words."""
    where = f"Invalid schema for {owner}"
    if not isinstance(schema, dict) or schema.get("type") != "object":
        got = schema.get("type") if isinstance(schema, dict) else type(schema).__name__
        message = f"{where}: schema must be a JSON Schema of 'type: \"object\"', got 'type: \"{got}\"'."
        raise ApiError(400, message, param=param)
    _check_objects(schema, (), where, param)


def _check_objects(schema: Any, path: tuple[str, ...], where: str, param: str) -> None:
    if isinstance(schema, list):
        for index, each in enumerate(schema):
            _check_objects(each, (*path, str(index)), where, param)
    if not isinstance(schema, dict):
        return
    fields = schema.get("properties")
    if isinstance(fields, dict):
        if schema.get("additionalProperties") is not False:
            fault = "'additionalProperties' is required to be supplied and to be false."
            raise ApiError(400, f"{where}: In context={path!r}, {fault}", param=param)
        missing = [name for name in fields if name not in schema.get("required", ())]
        if missing:
            fault = "'required' is required to be supplied and to be an array including every key in"
            message = f"{where}: In context={path!r}, {fault} properties. Missing '{missing[0]}'."
            raise ApiError(400, message, param=param)
        for name, each in fields.items():
            _check_objects(each, (*path, "properties", name), where, param)
    for key in ("items", "anyOf"):
        _check_objects(schema.get(key), (*path, key), where, param)
    for name, each in (schema.get("$defs") or {}).items():
        _check_objects(each, (*path, "$defs", name), where, param)
