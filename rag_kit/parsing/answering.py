"""What the process that reads files does with a request: run a parser, within its memory, and say what came."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any, BinaryIO

from rag_kit.errors import MissingModel, UnreadableDocument
from rag_kit.parsing.dotted import resolve
from rag_kit.parsing.rows import to_rows
from rag_kit.parsing.wire import send
from rag_kit.types import Document, Notice

_OUT_OF_MEMORY = ("bad_alloc", "bad allocation", "failed to allocate")
"""How libraries of C++ say it, whose errors are not Python's MemoryError."""


def answer(request: dict[str, Any], content: bytes, replies: BinaryIO) -> dict[str, Any]:
    """Run the parser that a request names; before it, reply how many pages there are, where they count."""
    _limit_memory(request["memory_mb"])
    source_uri, options = request["source_uri"], request["options"]
    try:
        parser = resolve(request["parser"])
        if request["pages"]:
            send(replies, {"pages": resolve(request["pages"])(content, options.get("password"))})
        result = parser(
            content if request["reads"] == "bytes" else content.decode("utf-8", "surrogatepass"),
            source_uri=source_uri,
            relative_path=request["relative_path"],
            notices=tuple(Notice(**notice) for notice in request["notices"]),
            **options,
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
