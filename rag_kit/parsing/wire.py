"""Messages between the kit and the process that reads files: a length, so many bytes of JSON, and a content."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

LENGTH = struct.Struct(">Q")


def send(stream: BinaryIO, message: Mapping[str, Any], content: bytes = b"") -> None:
    """Write a message, and the bytes that go with it."""
    body = json.dumps(message, default=str).encode("ascii")
    stream.write(LENGTH.pack(len(body)) + body)
    stream.write(content)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    r"""Read a message; raises EOFError where the other side has ended, or ends in the middle of one.

    >>> import io
    >>> receive(io.BytesIO(b"\0\0\0\0\0\0\0\x09" + b'{"a": 12}'))
    {'a': 12}
    """
    return json.loads(read(stream, LENGTH.unpack(read(stream, LENGTH.size))[0]))


def read(stream: BinaryIO, size: int) -> bytes:
    """Read so many bytes; raises EOFError where there are fewer."""
    found = stream.read(size)
    if len(found) < size:
        raise EOFError
    return found
