"""Parsers of heavy formats in a process of their own: no file takes all time or memory, or ends the kit.

One process is started at the first such file and reads them all, one after the other; it is ended and
another started where a file took too long or brought it down. It ends with the program.

A file has RAG_KIT_PARSE_SECONDS, a twelfth of them more for each page, and ten times as many at most. The
limit of memory, RAG_KIT_PARSE_MEMORY_MB, holds on Linux; elsewhere the system does not tell what is held.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, cast

from rag_kit.errors import RagKitError, UnreadableDocument
from rag_kit.parsing.registry import Format
from rag_kit.parsing.wire import receive, send
from rag_kit.types import Notice

MOST_TIMES = 10
PAGES_A_LIMIT = 12
START_SECONDS = 60.0
"""For the process to start, before any file's own time begins."""
_PROGRAM = Path(__file__).resolve().with_name("worker.py")
_GRACE_SECONDS = 0.5
_FILES_A_PROCESS = 100
"""What a library leaks adds up; a fresh process costs less."""


class _TooSlow(Exception):
    """The process was ended because its time was over: so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class _Worker:
    """A started process; ``served`` counts its files."""

    def __init__(self) -> None:
        # Where this program finds its modules, the other shall too, but no key that it has no use for.
        environment = {key: value for key, value in os.environ.items() if not key.startswith("OPENAI_")}
        environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self.served = 0
        self.owner = os.getpid()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def greet(self) -> None:
        """Wait until the process is ready."""
        self._timed(self._reply, START_SECONDS, START_SECONDS)

    def ask(self, request: Mapping[str, Any], content: bytes, seconds: float) -> dict[str, Any]:
        """Return the reply to a request; raises _TooSlow, and EOFError where the process has died."""
        self.served += 1

        def exchange() -> Any:
            send(cast(BinaryIO, self.process.stdin), request, content)
            return self._reply()

        begun = time.monotonic()
        reply = self._timed(exchange, seconds, seconds)
        if "pages" in reply:
            limit = limit_of(seconds, reply["pages"])
            reply = self._timed(self._reply, limit - (time.monotonic() - begun), limit)
        return cast(dict[str, Any], reply)

    def _reply(self) -> Any:
        return receive(cast(BinaryIO, self.process.stdout))

    def _timed(self, work: Callable[[], Any], left: float, limit: float) -> Any:
        """Do what waits for the process, and end the process where nothing is left of its limit."""
        late = threading.Event()

        def end() -> None:
            late.set()
            self.process.kill()

        alarm = threading.Timer(left, end)
        alarm.daemon = True
        alarm.start()
        try:
            return work()
        except (EOFError, OSError):
            if late.is_set():
                raise _TooSlow(limit) from None
            raise EOFError from None
        finally:
            alarm.cancel()

    def end(self) -> int:
        """End the process and wait for it; returns how it ended."""
        requests, replies = cast(BinaryIO, self.process.stdin), cast(BinaryIO, self.process.stdout)
        with suppress(OSError):
            requests.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=_GRACE_SECONDS)
        self.process.kill()
        replies.close()
        return self.process.wait()


def limit_of(seconds: float, pages: int) -> float:
    """Return the seconds that a file of so many pages has.

    >>> limit_of(60, 0), limit_of(60, 12), limit_of(60, 1_000_000)
    (60.0, 120.0, 600.0)
    """
    return float(seconds * min(1 + pages / PAGES_A_LIMIT, MOST_TIMES))


_lock = threading.Lock()
_held: _Worker | None = None


def parse_limited(
    form: Format,
    content: str | bytes,
    *,
    source_uri: str,
    relative_path: str,
    notices: tuple[Notice, ...],
    options: Mapping[str, str | None],
    seconds: float,
    memory_mb: int,
) -> tuple[list[dict[str, Any]], bool]:
    """Return the rows that a parser makes of a content, and whether they are one document and no list.

    Raises UnreadableDocument where the parser does, and with the codes ``too_slow`` after ``seconds``,
    ``too_big`` over ``memory_mb``, and ``crashed``.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    request = {
        "parser": form.named,
        "pages": form.pages,
        "reads": form.reads,
        "source_uri": source_uri,
        "relative_path": relative_path,
        "notices": [asdict(notice) for notice in notices],
        "options": dict(options),
        "memory_mb": memory_mb,
        "size": len(data),
    }
    with _lock:
        reply = _ask(request, data, seconds)
    if "rows" in reply:
        return reply["rows"], reply["single"]
    raise UnreadableDocument(source_uri, *_fault(reply, memory_mb))


def _ask(request: Mapping[str, Any], data: bytes, seconds: float) -> dict[str, Any]:
    """Ask the process there is; one that fails on a file that is not its first was perhaps worn by others."""
    while True:
        process = _running()
        first = process.served == 0
        try:
            reply = process.ask(request, data, seconds)
        except _TooSlow as error:
            end_worker()
            return {"slow": error.seconds}
        except EOFError:
            reply = {"died": end_worker()}
        except BaseException:  # stopped by its user in the middle of an exchange
            process.process.kill()
            end_worker()
            raise
        if "memory" in reply:
            end_worker()
        if first or not ("memory" in reply or "died" in reply):
            return reply


def _running() -> _Worker:
    global _held
    if _held and _held.owner != os.getpid():  # a fork of its program: the process is not this one's
        _held = None
    if _held and (_held.served >= _FILES_A_PROCESS or _held.process.poll() is not None):
        end_worker()
    if _held is None:
        _held = _Worker()
        try:
            _held.greet()
        except (_TooSlow, EOFError):
            status = end_worker()
            message = f"a process to read files in does not start (status {status})"
            raise RagKitError(f"{sys.executable}: {message}: run it with -c 'import rag_kit'") from None
    return _held


def end_worker() -> int | None:
    """End the process that reads files, if there is one; returns how it ended."""
    global _held
    held, _held = _held, None
    return held.end() if held and held.owner == os.getpid() else None


atexit.register(end_worker)


def _fault(reply: Mapping[str, Any], memory_mb: int) -> tuple[str, str]:
    if "unreadable" in reply:
        code, message = reply["unreadable"]
        return code, message
    if "slow" in reply:
        limit = f"took more than {reply['slow']:.4g} s"
        return "too_slow", f"{limit}: split the file or raise RAG_KIT_PARSE_SECONDS"
    if "memory" in reply:
        limit = f"needs more than {memory_mb:,} MB of memory"
        return "too_big", f"{limit}: split the file or raise RAG_KIT_PARSE_MEMORY_MB"
    if "failed" in reply:
        return "crashed", f"the parser failed ({reply['failed']}): save the file anew from its source"
    how = f"status {reply['died']}"
    return "crashed", f"the parser's process ended ({how}): save the file anew from its source, or split it"
