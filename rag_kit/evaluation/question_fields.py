"""Reading a line of a question file: one JSON object, and its fields by their kinds."""

from __future__ import annotations

import json
from typing import Any

from rag_kit.errors import InvalidValue

_KINDS = {str: "a text", int: "a whole number", list: "a list", bool: "true or false"}


def load_row(line: str) -> dict[str, Any]:
    """Read a line as one JSON object; raises InvalidValue for anything else, and for half a character.

    >>> load_row('{"id": 1, "question": "Fee?"}')
    {'id': 1, 'question': 'Fee?'}
    """
    try:
        row = json.loads(line)
        json.dumps(row, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])[1:-1]
        raise InvalidValue(f"half a character ({half}) is no text: write both halves") from None
    except json.JSONDecodeError as error:
        raise InvalidValue(f"not JSON ({error.msg})") from None
    except RecursionError:
        raise InvalidValue("not JSON (nested too deeply)") from None
    except ValueError:  # Python reads whole numbers up to some thousand digits
        raise InvalidValue("a number has too many digits: write a shorter one") from None
    if not isinstance(row, dict):
        raise InvalidValue('not a question: write {"id": "1", "question": "…"}')
    return row


def take(row: dict[str, Any], key: str, kind: type, *default: Any) -> Any:
    """Return a field of the right kind; where it is missing or null, the default, if there is one.

    Raises InvalidValue for another kind, and for a missing field without a default.

    >>> take({"kind": "code"}, "kind", str), take({"kind": None}, "kind", str, "")
    ('code', '')
    """
    value = row.get(key)
    if value is None:
        if default:
            return default[0]
        raise InvalidValue(f"{key} is missing: write {_KINDS[kind]}")
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise InvalidValue(f"{key} is not {_KINDS[kind]}: {str(value)[:40]!r}")
    return value


def take_texts(row: dict[str, Any], key: str) -> tuple[str, ...] | None:
    """Return a field that is a list of texts; None where it is missing.

    >>> take_texts({"accept": ["5", "five"]}, "accept")
    ('5', 'five')
    """
    texts = take(row, key, list, None)
    if texts is None:
        return None
    if not all(isinstance(text, str) for text in texts):
        raise InvalidValue(f"{key} is not a list of texts")
    return tuple(texts)


def take_id(row: dict[str, Any]) -> str | None:
    """Return the id, a word or a number, as a text; None where there is none.

    >>> take_id({"id": 7}), take_id({"id": True})
    ('7', None)
    """
    held = row.get("id")
    return str(held) if isinstance(held, (str, int)) and not isinstance(held, bool) else None
