"""The process that parsers under limits run in. Started as a file by limits.py, never imported by the kit.

It reads requests from its stdin and writes replies to its stdout; what a parser prints goes nowhere.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO


def main() -> None:
    """Answer requests until there are no more."""
    requests, replies = _keep(0), _keep(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who stops the kit ends this process too
    with suppress(OSError):  # where memory runs out, this process should go and not the kit
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii", newline="\n")
    here = Path(__file__).resolve().parent
    _open_bare("rag_kit", here.parent)
    _open_bare("rag_kit.parsing", here)
    from rag_kit.parsing.answering import answer
    from rag_kit.parsing.wire import read, receive, send

    send(replies, {"ready": True})
    with suppress(EOFError, BrokenPipeError):
        while True:
            request = receive(requests)
            reply = answer(request, read(requests, request["size"]), replies)
            try:
                send(replies, reply)
            except MemoryError:
                reply = {"memory": True}
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


def _open_bare(name: str, folder: Path) -> None:
    """Let parts of a package be imported without the whole, which takes longer than most files.

    Whoever asks the package itself for a name gets it: then all of it is imported.
    """
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(name)
    package, loader = importlib.util.module_from_spec(spec), spec.loader

    def whole(wanted: str) -> Any:
        if wanted.startswith("__"):
            raise AttributeError(wanted)
        del vars(package)["__getattr__"]
        loader.exec_module(package)
        return getattr(package, wanted)

    vars(package)["__getattr__"] = whole
    sys.modules[name] = package
    parent, _, own = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], own, package)


if __name__ == "__main__":
    main()
