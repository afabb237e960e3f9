"""A JSON schema filled from what an offline model said.

A language model writes any field. The offline models have a text, the labels in it and whether it is a
refusal, so a field is filled by what its name asks for (``KINDS``), and a field that asks for anything else
is an error that names it, unless the schema lets it be left out, empty or null.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rag_kit.labels import find_labels, strip_labels
from rag_kit.llm.api_errors import ApiError
from rag_kit.refusals import detect_refusal

KINDS: dict[str, list[str]] = {
    "text": ["answer", "text", "content", "response", "reply", "summary", "statement", "claim"],
    "label": ["citation", "label", "source", "source_id", "cited_source", "reference"],
    "quote": ["quote", "evidence", "excerpt", "span"],
    "question": ["query", "question", "sub_question", "sub_query", "standalone_question"],
    "reason": ["reason", "reasoning", "explanation", "rationale", "note", "justification"],
    "refusal": ["refusal", "refusal_reason"],
    "yes": [
        "supported",
        "answerable",
        "answered",
        "found",
        "relevant",
        "sufficient",
        "grounded",
        "confident",
    ],
    "no": ["refused", "unanswerable", "unsupported", "abstained", "insufficient", "not_found"],
    "confidence": ["confidence", "score", "probability", "certainty"],
}
ENUM_YES = ["supported", "answerable", "answered", "answer", "relevant", "sufficient", "yes", "true", "high"]
ENUM_NO = [
    "refused",
    "refuse",
    "unanswerable",
    "unsupported",
    "irrelevant",
    "insufficient",
    "not_found",
    "no",
    "none",
    "false",
    "low",
]
DEEPEST = 12
_KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}


@dataclass(frozen=True, slots=True)
class Said:
    """What there is to fill a schema with: the question, the text, the labels in it, whether it refuses."""

    question: str
    text: str
    labels: tuple[str, ...]
    refused: bool


def said(question: str, text: str) -> Said:
    """Take a reply apart.

    >>> said("How long?", "Ten days [1].").labels
    ('[1]',)
    """
    labels = tuple(dict.fromkeys(mention.label for mention in find_labels(text)))
    return Said(question, text, labels, detect_refusal(text) is not None)


def fill(schema: Mapping[str, Any], words: Said, param: str = "response_format") -> Any:
    """Fill a schema; the same words and schema give the same value.

    An enum takes a word of ENUM_YES or ENUM_NO if it has one, else its first value for an answer and its
    last for a refusal; a list of objects holds one object a label, or one in all; ``confidence`` is 1 or 0.

    >>> fields = {"answer": {"type": "string"}, "citations": {"type": "array", "items": {"type": "integer"}}}
    >>> schema = {"type": "object", "properties": fields, "required": ["answer", "citations"]}
    >>> fill(schema, said("How long?", "Ten days [1]."))
    {'answer': 'Ten days [1].', 'citations': [1]}
    """
    return _Filler(schema, param).value(schema, "", words, "", 0)


@dataclass(frozen=True)
class _Filler:
    root: Mapping[str, Any]
    param: str

    def value(self, schema: Any, name: str, words: Said, at: str, depth: int) -> Any:
        schema = self._resolve(schema, at, depth)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            chosen = _choose(schema["enum"], _kind(name), words)
            if chosen is None and None not in schema["enum"]:
                raise self._unfit(at, "none of its values is a label that was cited")
            return chosen
        variants = schema.get("anyOf") or []
        kinds = schema.get("type")
        if isinstance(kinds, list):
            variants = [{**schema, "type": kind} for kind in kinds]
        if variants:
            return self._variant(variants, name, words, at, depth)
        if kinds == "null":
            return None
        if kinds in ("object", "array"):
            make = self._object if kinds == "object" else self._array
            return make(schema, name, words, at, depth)
        plain: dict[Any, Callable[..., Any]] = {"string": self._string, "boolean": self._boolean}
        plain |= {"integer": self._number, "number": self._number}
        if kinds not in plain:
            raise self._unfit(at, f"a schema of type {kinds!r}")
        return plain[kinds](schema, name, words, at)

    def _variant(self, variants: list[Any], name: str, words: Said, at: str, depth: int) -> Any:
        whole = [each for each in variants if each.get("type") != "null"]
        nullable = len(whole) < len(variants)
        if nullable and (not whole or _has_nothing(_kind(name), words)):
            return None
        try:
            return self.value(whole[0], name, words, at, depth + 1)
        except ApiError:
            if nullable:
                return None
            raise

    def _object(
        self, schema: Mapping[str, Any], name: str, words: Said, at: str, depth: int
    ) -> dict[str, Any]:
        filled: dict[str, Any] = {}
        required = schema.get("required", [])
        for field, each in (schema.get("properties") or {}).items():
            try:
                filled[field] = self.value(each, field, words, f"{at}.{field}".lstrip("."), depth + 1)
            except ApiError:
                if field in required:
                    raise
        return filled

    def _array(self, schema: Mapping[str, Any], name: str, words: Said, at: str, depth: int) -> list[Any]:
        items = self._resolve(schema.get("items") or {}, at, depth)
        kind = _kind(name)
        one = [words] if kind == "question" or not words.refused else []
        if kind == "label" or (kind == "quote" and items.get("type") == "object"):
            one = [replace(words, labels=(label,)) for label in words.labels]
        elif kind is None and items.get("type") != "object":
            one = []
        singular = name if items.get("type") == "object" else _singular(name)
        made = [self.value(items, singular, each, f"{at}[{n}]", depth + 1) for n, each in enumerate(one)]
        if len(made) < schema.get("minItems", 0):
            raise self._unfit(at, f"at least {schema['minItems']} items")
        return made[: schema.get("maxItems")]

    def _string(self, schema: Mapping[str, Any], name: str, words: Said, at: str) -> str:
        kind = _kind(name)
        if kind is None or kind in ("yes", "no", "confidence"):
            if isinstance(schema.get("default"), str):
                return str(schema["default"])
            raise self._unfit(at, "this text")
        label = words.labels[0] if words.labels else ""
        because = f"{label} says so." if label else "No source was used."
        text = {
            "text": words.text,
            "label": label,
            "quote": "" if words.refused else strip_labels(words.text),
            "question": words.question,
            "reason": "No source holds the answer." if words.refused else because,
            "refusal": words.text if words.refused else "",
        }[kind]
        fits = schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", len(text))
        if not fits or "format" in schema or not re.search(schema.get("pattern", ""), text):
            raise self._unfit(at, "its length, pattern or format")
        return text

    def _boolean(self, schema: Mapping[str, Any], name: str, words: Said, at: str) -> bool:
        kind = _kind(name)
        if kind in ("yes", "no"):
            return words.refused == (kind == "no")
        if isinstance(schema.get("default"), bool):
            return bool(schema["default"])
        raise self._unfit(at, "this yes or no")

    def _number(self, schema: Mapping[str, Any], name: str, words: Said, at: str) -> float:
        kind = _kind(name)
        if kind == "label" and words.labels and (digits := re.search(r"\d+", words.labels[0])):
            return int(digits.group())
        if kind == "confidence":
            return 0 if words.refused else min(1, schema.get("maximum", 1))
        if isinstance(schema.get("default"), (int, float)):
            return float(schema["default"]) if schema["type"] == "number" else int(schema["default"])
        raise self._unfit(at, "this number")

    def _resolve(self, schema: Any, at: str, depth: int) -> dict[str, Any]:
        if depth > DEEPEST:
            raise self._unfit(at, "a schema this deep")
        if isinstance(schema, dict) and len(schema.get("allOf") or ()) == 1:
            schema = {**schema["allOf"][0], **{key: each for key, each in schema.items() if key != "allOf"}}
        if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
            found: Any = self.root
            for key in schema["$ref"].removeprefix("#").strip("/").split("/"):
                found = found.get(key) if isinstance(found, Mapping) and key else found
            return self._resolve(found, at, depth + 1)
        if not isinstance(schema, dict):
            raise self._unfit(at, "what is not a schema")
        return schema

    def _unfit(self, at: str, what: str) -> ApiError:
        known = ", ".join(names[0] for names in KINDS.values())
        field = f"'{at}'" if at else "the schema"
        message = f"The offline models cannot fill {field}: {what}; they fill fields like {known}."
        return ApiError(400, message, param=self.param, code="unsupported_schema")


def _kind(name: str) -> str | None:
    """Tell what a field's name asks for; ``is_`` before and a plural after do not matter."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).casefold().removeprefix("is_").removeprefix("final_")
    return _KIND_OF.get(plain) or _KIND_OF.get(_singular(plain))


def _singular(name: str) -> str:
    return re.sub(r"ies$", "y", name) if name.endswith("ies") else name.removesuffix("s")


def _has_nothing(kind: str | None, words: Said) -> bool:
    """Tell whether a field that may be null is better null."""
    empty = {"text": words.refused, "quote": words.refused, "label": not words.labels}
    empty["refusal"] = not words.refused
    return empty.get(kind or "", False)


def _choose(values: list[Any], kind: str | None, words: Said) -> Any:
    if kind == "label":
        for label in words.labels:
            for value in values:
                if re.sub(r"\D", "", str(value)) == label[1:-1]:
                    return value
        return next((value for value in values if str(value).casefold() in ENUM_NO), None)
    for value in values:
        if str(value).casefold().replace(" ", "_") in (ENUM_NO if words.refused else ENUM_YES):
            return value
    return values[-1 if words.refused else 0]
