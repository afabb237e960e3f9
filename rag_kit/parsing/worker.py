"""The process that parsers under limits run in. Started as a file by limits.py, never imported by the kit.

It reads requests from its stdin and writes replies to its stdout, each a length and so many bytes of JSON;
a request is followed by the file's bytes. What a parser prints goes nowhere.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import struct
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

_OUT_OF_MEMORY = ("bad_alloc", "bad allocation", "failed to allocate")
"""How libraries of C++ say it, whose errors are not Python's MemoryError."""
LENGTH = struct.Struct(">Q")


def send(stream: BinaryIO, message: Mapping[str, Any], content: bytes = b"") -> None:
    """Write a message, and the bytes that go with it."""
    body = json.dumps(message, default=str).encode("ascii")
    stream.write(LENGTH.pack(len(body)) + body)
    stream.write(content)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read a message; raises EOFError where the other side has ended, or ends in the middle of one."""
    return json.loads(read(stream, LENGTH.unpack(read(stream, LENGTH.size))[0]))


def read(stream: BinaryIO, size: int) -> bytes:
    """Read so many bytes; raises EOFError where there are fewer."""
    found = stream.read(size)
    if len(found) < size:
        raise EOFError
    return found


def main() -> None:
    """Answer requests until there are no more."""
    requests, replies = _keep(0), _keep(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who stops the kit ends this process too
    with suppress(OSError):  # where memory runs out, this process should go and not the kit
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii", newline="\n")
    _open_kit()
    send(replies, {"ready": True})
    with suppress(EOFError, BrokenPipeError):
        while True:
            request = receive(requests)
            reply = _answer(request, read(requests, request["size"]), replies)
            send(replies, reply)
            if "memory" in reply:
                return


def _keep(number: int) -> BinaryIO:
    """Take a standard stream away from everything else in this process."""
    kept = os.fdopen(os.dup(number), "rb" if number == 0 else "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, number)
    os.close(nowhere)
    return kept


def _open_kit() -> None:
    """Let parts of the kit be imported without the whole, which takes longer than most files.

    Whoever asks the package itself for a name gets it: then all of it is imported.
    """
    folder = Path(__file__).resolve().parents[1]
    spec = importlib.util.spec_from_file_location(
        "rag_kit", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError("rag_kit")
    package, loader = importlib.util.module_from_spec(spec), spec.loader

    def whole(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        del vars(package)["__getattr__"]
        loader.exec_module(package)
        return getattr(package, name)

    vars(package)["__getattr__"] = whole
    sys.modules["rag_kit"] = package


def _answer(request: dict[str, Any], content: bytes, replies: BinaryIO) -> dict[str, Any]:
    from rag_kit.errors import MissingModel, UnreadableDocument
    from rag_kit.parsing.registry import resolve
    from rag_kit.parsing.rows import to_rows
    from rag_kit.types import Document, Notice

    source_uri = request["source_uri"]
    _limit_memory(request["memory_mb"])
    try:
        parser = resolve(request["parser"])
        if request["pages"]:
            send(replies, {"pages": resolve(request["pages"])(content, request["options"].get("password"))})
        result = parser(
            content if request["reads"] == "bytes" else content.decode("utf-8", "surrogatepass"),
            source_uri=source_uri,
            relative_path=request["relative_path"],
            notices=tuple(Notice(**notice) for notice in request["notices"]),
            **request["options"],
        )
        single = isinstance(result, Document)
        return {"single": single, "rows": to_rows([result] if single else result, source_uri)}
    except UnreadableDocument as error:
        return {"unreadable": [error.code, error.message]}
    except MissingModel as error:
        return {"unreadable": ["missing_package", str(error)]}
    except MemoryError:
        return {"memory": True}
    except Exception as error:
        if any(sign in str(error).lower() for sign in _OUT_OF_MEMORY):
            return {"memory": True}
        # Not what it says, which may hold the password or half the file.
        place = traceback.extract_tb(error.__traceback__)[-1]
        return {"failed": f"{type(error).__name__} in {place.name}"}


def _limit_memory(megabytes: int) -> None:
    """Limit what may be asked for beyond what is held now, where the system can tell that: Linux."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + megabytes * 2**20
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
    except (ImportError, OSError, ValueError):
        return


if __name__ == "__main__":
    main()
