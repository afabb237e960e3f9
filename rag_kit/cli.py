"""The command line: one thin command a verb. Results go to stdout, everything else to stderr.

Exit status: 0 done (a refusal is a result), 1 done but something failed or could not be read, 2 the call
itself is wrong.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from rag_kit import doctor, reports
from rag_kit.access import Filters
from rag_kit.chunking import DEFAULT_STRATEGY, STRATEGIES, chunk, strategy_of
from rag_kit.cli_options import Run, make_parser
from rag_kit.console import say
from rag_kit.errors import InvalidValue, MissingModel, RagKitError
from rag_kit.llm import connect
from rag_kit.llm.failures import explain_api_error
from rag_kit.machine import clear_cache
from rag_kit.operations import Library, build_index, open_index, open_library
from rag_kit.operations.library import embedder_of, tokenizer_of
from rag_kit.parsing import parse
from rag_kit.settings import Settings, load_settings
from rag_kit.types import Document, ParseFailure

PIPELINES = ("dense",)
_CONTROLS = re.compile("[\x7f-\x9f]")
"""Of the signs that steer a terminal, those that JSON does not escape itself."""
LATER = "verify benchmark gate diagnose sweep run replay diff validate"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        _suit(stream)
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: say(str(message))
        return _run(list(sys.argv[1:] if arguments is None else arguments))


def _run(words: list[str]) -> int:
    try:
        if words and words[0] in LATER.split():
            raise InvalidValue(f"`{words[0]}` is not there yet; there are {', '.join(_COMMANDS)}")
        options = make_parser(_COMMANDS, list(STRATEGIES)).parse_args(words)
        return int(options.run(options))
    except BrokenPipeError:
        _drop_output()
        return 0
    except RagKitError as error:
        return _fail(str(error), error.exit_status)
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


def _doctor(options: argparse.Namespace) -> int:
    settings = _settings(options)
    if options.clear_cache:
        say(f"{clear_cache(settings.cache_dir)} files of cached vectors removed")
    findings = doctor.examine(settings)
    _print(options, lambda: doctor.findings_json(findings), lambda: doctor.findings_text(findings))
    return 0 if doctor.all_well(findings) else 1


def _parse(options: argparse.Namespace) -> int:
    parsed = parse(options.paths, languages=_settings(options).embed_languages)
    _report(parsed.errors, parsed.passed_over, parsed.documents)
    _print(options, lambda: reports.parsed_json(parsed), lambda: reports.parsed_text(parsed))
    return 1 if parsed.errors else 0


def _chunk(options: argparse.Namespace) -> int:
    settings = _settings(options)
    parsed = parse(options.paths, languages=settings.embed_languages)
    _report(parsed.errors, parsed.passed_over, parsed.documents)
    embeds = strategy_of(options.strategy).embeds
    chunks = chunk(
        parsed.documents,
        tokenizer_of(settings),
        strategy=options.strategy,
        embedder=embedder_of(connect(settings), settings) if embeds else None,
        size=options.size,
        overlap=options.overlap,
        unit=options.unit,
    )
    shape = {
        "chunks": [reports.chunk_json(c) for c in chunks],
        "errors": reports.failures_json(parsed.errors),
    }
    _print(options, lambda: shape, lambda: reports.chunks_text(chunks))
    return 1 if parsed.errors else 0


def _index(options: argparse.Namespace) -> int:
    library = build_index(
        options.docs,
        options.out,
        settings=_settings(options),
        strategy=options.strategy,
        size=options.size,
        overlap=options.overlap,
    )
    _report(library.errors, {}, library.documents)
    shape = reports.index_json(library, options.out)
    _print(options, lambda: shape, lambda: reports.index_text(library, options.out))
    return 1 if library.errors else 0


def _search(options: argparse.Namespace) -> int:
    filters, library = _filters(options), _library(options)
    _report_left_out(filters, library)
    hits = library.search(options.query, filters=filters, top_k=options.k)
    errors = reports.failures_json(library.errors)
    shape = {"hits": [reports.hit_json(hit) for hit in hits], "errors": errors}
    _print(options, lambda: shape, lambda: reports.hits_text(hits))
    return 1 if library.errors else 0


def _ask(options: argparse.Namespace) -> int:
    filters, library = _filters(options), _library(options)
    _report_left_out(filters, library)
    answer = library.ask(options.question, filters=filters, top_k=options.k, budget=options.budget)
    shape = {**reports.answer_json(answer), "errors": reports.failures_json(library.errors)}
    _print(options, lambda: shape, lambda: reports.answer_text(answer))
    return 1 if library.errors else 0


def _build(options: argparse.Namespace) -> int:
    from rag_kit.teaching.build import build

    names = build(Path.cwd(), check=options.check, only=options.only)
    for name in names:
        say(f"{'stale' if options.check else 'written'}: {name}")
    return 1 if options.check and names else 0


def _serve(options: argparse.Namespace) -> int:
    from rag_kit.llm.serve import serve

    serve(options.port)
    return 0


def _settings(options: argparse.Namespace) -> Settings:
    return load_settings(offline=options.offline)


def _library(options: argparse.Namespace) -> Library:
    if options.pipeline not in PIPELINES:
        raise InvalidValue(f"pipeline {options.pipeline!r} is not there yet; choose {' or '.join(PIPELINES)}")
    if options.index is not None:
        if options.strategy is not None:
            raise InvalidValue("an index was cut when it was made: leave --strategy out, or name --docs")
        return open_index(options.index, settings=_settings(options))
    library = open_library(
        options.docs, settings=_settings(options), strategy=options.strategy or DEFAULT_STRATEGY
    )
    _report(library.errors, {}, library.documents)
    return library


def _filters(options: argparse.Namespace) -> Filters:
    narrowing: dict[str, Any] = {
        "as_of": options.as_of,
        "where": options.where,
        "include_superseded": options.include_superseded,
    }
    if options.tags is None:
        return Filters.owner(**narrowing)
    return Filters.for_tags([t.strip() for t in options.tags.split(",") if t.strip()], **narrowing)


def _report(errors: Iterable[ParseFailure], passed_over: dict[str, int], noted: Iterable[Document]) -> None:
    for error in errors:
        say(f"{error.source_uri}: {error.message}")
    for line in reports.notices_text(noted):
        say(line)
    if passed_over:
        counts = ", ".join(f"{count} {suffix}" for suffix, count in sorted(passed_over.items()))
        say(f"passed over, no documents: {counts}")


def _report_left_out(filters: Filters, library: Library) -> None:
    if line := reports.left_out_text(filters, library.documents):
        say(line)


def _print(options: argparse.Namespace, shape: Callable[[], Any], text: Callable[[], str]) -> None:
    # A console's stand-in for a sign (\\x81) is not JSON: there, JSON escapes all that is not ASCII itself.
    ascii_only = not str(sys.stdout.encoding).lower().startswith("utf")
    if options.json:
        out = _CONTROLS.sub(
            lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(shape(), ensure_ascii=ascii_only, indent=2)
        )
    else:
        out = text()
    print(out)  # noqa: T201
    sys.stdout.flush()


_COMMANDS: dict[str, tuple[Run, str]] = {
    "ask": (_ask, "answer a question from documents, with citations, or refuse"),
    "search": (_search, "show the passages that would be used for a question"),
    "index": (_index, "save documents as an index, for --index DIR in place of --docs"),
    "parse": (_parse, "show what is read of files and folders"),
    "chunk": (_chunk, "show the pieces that documents are cut into"),
    "doctor": (_doctor, "show what is installed, which models answer, and whether the network is needed"),
    "serve": (_serve, "serve the offline backend on 127.0.0.1, for a second client"),
    "build": (_build, "rebuild the notebooks from lessons/"),
}
