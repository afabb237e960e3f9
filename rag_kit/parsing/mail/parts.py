"""The parts of a mail: which are read, their bytes and names, and text whose lines were broken for sending."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message

from rag_kit.parsing.mail.headers import words_of


def unflowed(text: str, *, delete_blank: bool = False) -> str:
    r"""Join the lines of a flowed text: a line that ends in a blank goes on in the next.

    >>> unflowed("Within \n30 days.\n-- \nAda")
    'Within 30 days.\n-- \nAda'
    """
    lines: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        line = line.removeprefix(" ") if not line.startswith(">") else line
        if goes_on and not line.startswith(">") and line != "-- ":
            lines[-1] = (lines[-1][:-1] if delete_blank else lines[-1]) + line
        else:
            lines.append(line)
        goes_on = line.endswith(" ") and line != "-- "
    return "\n".join(lines)


def parts_to_read(message: Message) -> Iterator[Message]:
    """Yield the parts to read: of alternatives one, of related parts the first and what else has a name."""
    stack = [message]
    while stack:
        part = stack.pop()
        inner = part.get_payload()
        if part.get_content_type() == "message/rfc822" or not isinstance(inner, list):
            yield part
            continue
        children = [child for child in inner if isinstance(child, Message)]
        if part.get_content_subtype() == "alternative":
            children = _best(children)
        stack.extend(reversed(children))


def _best(children: list[Message]) -> list[Message]:
    """Return the plain text with words in it, else the richest of the alternatives."""
    for child in children:
        if child.get_content_type() == "text/plain" and bytes_of(child).strip():
            return [child]
    return children[-1:]


def is_attached(part: Message) -> bool:
    """Tell whether a part says that it is no part of the text."""
    return part.get_content_disposition() == "attachment"


def file_name(part: Message) -> str:
    """Return the name of an attached file; "" where there is none."""
    return words_of(part.get_filename() or "").replace("/", "_")


def bytes_of(part: Message) -> bytes:
    """Return what a part holds, as it was before it was encoded for sending."""
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        return b"".join(child.as_bytes() for child in inner if isinstance(child, Message))
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""
