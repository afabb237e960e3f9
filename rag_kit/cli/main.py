"""Running one command. Results go to stdout, everything else to stderr.

Exit status: 0 done (a refusal is a result), 1 done but something failed or could not be read, 2 the call
itself is wrong.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from rag_kit.cli import options as given
from rag_kit.cli.answers import run_ask, run_index, run_search
from rag_kit.cli.benchmarking import run_benchmark
from rag_kit.cli.corpus import run_chunk, run_diagnose, run_parse
from rag_kit.cli.measuring import run_sweep
from rag_kit.cli.measuring_options import benchmarking, sweeping
from rag_kit.cli.parser import Command, make_parser
from rag_kit.cli.upkeep import run_build, run_doctor, run_serve
from rag_kit.console import say
from rag_kit.errors import InvalidValue, MissingModel, RagKitError
from rag_kit.llm.failures import explain_api_error

LATER = "verify gate run replay diff validate"
COMMANDS = {
    "ask": Command(
        run_ask,
        "answer a question from documents, with citations, or refuse",
        (given.json_output, given.question, given.library, given.unlocking, given.filtering, given.budget),
    ),
    "search": Command(
        run_search,
        "show the passages that would be used for a question",
        (given.json_output, given.query, given.library, given.unlocking, given.filtering),
    ),
    "index": Command(
        run_index,
        "save documents as an index, for --index DIR in place of --docs",
        (given.json_output, given.docs, given.index_out, given.unlocking, given.strategy, given.sizes),
    ),
    "parse": Command(
        run_parse, "show what is read of files and folders", (given.json_output, given.paths, given.unlocking)
    ),
    "chunk": Command(
        run_chunk,
        "show the pieces that documents are cut into",
        (given.json_output, given.paths, given.unlocking, given.strategy, given.unit, given.sizes),
    ),
    "diagnose": Command(
        run_diagnose,
        "show what in documents and their pieces can lose an answer",
        (given.json_output, given.paths, given.unlocking, given.strategy, given.unit, given.sizes),
        "Findings are the result: the exit status is 1 only where a file could not be read.",
    ),
    "sweep": Command(
        run_sweep,
        "compare ways of cutting documents on questions with known evidence",
        (given.json_output, given.docs, given.unlocking, sweeping),
    ),
    "benchmark": Command(
        run_benchmark,
        "compare ways of searching on questions with known evidence",
        (given.json_output, benchmarking, given.unlocking, given.filtering),
        "Exit status 1 also where a passage was shown to somebody who may not see it.",
    ),
    "doctor": Command(
        run_doctor,
        "show what is installed, which models answer, and whether the network is needed",
        (given.json_output, given.clear_cache),
    ),
    "serve": Command(run_serve, "serve the offline backend on 127.0.0.1, for a second client", (given.port,)),
    "build": Command(run_build, "rebuild the notebooks from lessons/", (given.building,)),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    if sys.stdout is None or sys.stderr is None:
        # Their numbers would go to the next files that are opened, and what is printed into these.
        if sys.stderr is not None:
            say("stdout is closed: send what you do not want to a file or to nowhere (>/dev/null)")
        return 2
    for stream in (sys.stdout, sys.stderr):
        _suit(stream)
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: say(str(message))
        return _run(list(sys.argv[1:] if arguments is None else arguments))


def _run(words: list[str]) -> int:
    try:
        if words and words[0] in LATER.split():
            raise InvalidValue(f"`{words[0]}` is not there yet; there are {', '.join(COMMANDS)}")
        options = make_parser(COMMANDS).parse_args(words)
        return int(options.run(options))
    except BrokenPipeError:
        _drop_output()
        return 0
    except RagKitError as error:
        return _fail(str(error), error.exit_status)
    except MemoryError:
        _drop_output()
        return _fail("the memory is used up: name fewer documents, or smaller ones", 1)
    except KeyboardInterrupt:
        return _fail("stopped", 130)
    except OSError as error:
        _drop_output()
        named = f"{error.filename}: " if error.filename else "the output cannot be written: "
        return _fail(f"{named}{error.strerror or error}: check the disk space and the rights", 1)
    except ModuleNotFoundError as error:
        if (error.name or "rag_kit").startswith("rag_kit"):
            raise
        return _fail(str(MissingModel.package(str(error.name), error)), 1)
    except Exception as error:
        if (said := explain_api_error(error)) is None:
            raise
        return _fail(said, 1)


def _suit(stream: TextIO) -> None:
    """Make a stream able to write any text: as it is where it is piped on, with stand-ins on a console."""
    if not isinstance(stream, io.TextIOWrapper):
        return
    if stream.isatty():
        stream.reconfigure(errors="replace")
    else:
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """Let nothing be written any more, or Python would try once more at its end, and complain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> int:
    for line in message.splitlines():
        say(line)
    return status
