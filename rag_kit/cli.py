"""The command line: one thin command a verb. Results go to stdout, everything else to stderr.

Exit status: 0 done (a refusal is a result), 1 done but something failed or could not be read, 2 the call
itself is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rag_kit import doctor, reports
from rag_kit.access import Filters
from rag_kit.chunking import chunk_fixed
from rag_kit.cli_options import Run, make_parser
from rag_kit.errors import InvalidValue, RagKitError
from rag_kit.machine import clear_cache
from rag_kit.operations import Library, build_index, open_index, open_library
from rag_kit.operations.library import tokenizer_of
from rag_kit.parsing import parse
from rag_kit.settings import Settings, load_settings
from rag_kit.types import Document, ParseFailure

STRATEGIES = {"fixed": chunk_fixed}
PIPELINES = ("dense",)
LATER = "verify benchmark gate diagnose sweep run replay diff validate"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A console that cannot show a sign shows a stand-in; text that is piped on stays UTF-8 and whole.
            stream.reconfigure(errors="replace" if stream.isatty() else "backslashreplace")
    try:
        words = list(sys.argv[1:] if arguments is None else arguments)
        if words and words[0] in LATER.split():
            raise InvalidValue(f"`{words[0]}` is not there yet; there are {', '.join(_COMMANDS)}")
        options = make_parser(_COMMANDS, STRATEGIES).parse_args(words)
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            return int(options.run(options))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except RagKitError as error:
        return _fail(str(error), error.exit_status)
    except KeyboardInterrupt:
        return _fail("stopped", 130)
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "openai":
            raise
        return _fail(_explain_api_error(error), 1)


def _fail(message: str, status: int) -> int:
    print("rag_kit: " + " ".join(message.split()), file=sys.stderr)  # noqa: T201
    return status


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Show a warning in one line, without its place in the code."""
    _fail(str(message), 0)


def _explain_api_error(error: Exception) -> str:
    """Say in one line what the model's server answered, and the mend."""
    status = getattr(error, "status_code", None)
    mends = {
        401: "check OPENAI_API_KEY, or use --offline",
        404: "check RAG_KIT_CHAT_MODEL and RAG_KIT_EMBED_MODEL",
        429: "wait and try again, or use --offline",
        None: "check the network and OPENAI_BASE_URL, or use --offline",
    }
    mend = mends.get(status, "try again, or use --offline")
    body = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    # Some gateways repeat the key that they refuse.
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    said = str(said or error).replace(key, "(the key)") if key else str(said or error)
    return f"the model's server failed ({status or type(error).__name__}: {said}): {mend}"


def _doctor(options: argparse.Namespace) -> int:
    settings = _settings(options)
    if options.clear_cache:
        count = clear_cache(settings.cache_dir)
        print(f"rag_kit: {count} files of cached vectors removed", file=sys.stderr)  # noqa: T201
    findings = doctor.examine(settings)
    _print(options, lambda: doctor.findings_json(findings), lambda: doctor.findings_text(findings))
    return 0 if doctor.all_well(findings) else 1


def _parse(options: argparse.Namespace) -> int:
    parsed = parse(options.paths, languages=_settings(options).embed_languages)
    _report(parsed.errors, parsed.passed_over, parsed.documents)
    _print(options, lambda: reports.parsed_json(parsed), lambda: reports.parsed_text(parsed))
    return 1 if parsed.errors else 0


def _chunk(options: argparse.Namespace) -> int:
    parsed = parse(options.paths, languages=_settings(options).embed_languages)
    _report(parsed.errors, parsed.passed_over, parsed.documents)
    chunks = STRATEGIES[options.strategy](
        parsed.documents,
        tokenizer_of(_settings(options)),
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
        size=options.size,
        overlap=options.overlap,
    )
    _report(library.errors, {}, library.documents)
    _print(
        options,
        lambda: reports.index_json(library, options.out),
        lambda: reports.index_text(library, options.out),
    )
    return 1 if library.errors else 0


def _search(options: argparse.Namespace) -> int:
    filters, library = _filters(options), _library(options)
    hits = library.search(options.query, filters=filters, top_k=options.k)
    _print(
        options, lambda: {"hits": [reports.hit_json(hit) for hit in hits]}, lambda: reports.hits_text(hits)
    )
    return 1 if library.errors else 0


def _ask(options: argparse.Namespace) -> int:
    if not options.question.strip():
        raise InvalidValue("the question is empty: ask something")
    filters, library = _filters(options), _library(options)
    answer = library.ask(options.question, filters=filters, top_k=options.k, budget=options.budget)
    _print(options, lambda: reports.answer_json(answer), lambda: reports.answer_text(answer))
    return 1 if library.errors else 0


def _build(options: argparse.Namespace) -> int:
    from rag_kit.teaching.build import build

    names = build(Path.cwd(), check=options.check, only=options.only)
    for name in names:
        print(f"{'stale' if options.check else 'written'}: {name}", file=sys.stderr)  # noqa: T201
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
        return open_index(options.index, settings=_settings(options))
    library = open_library(options.docs, settings=_settings(options))
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
        print(f"rag_kit: {error.source_uri}: {error.message}", file=sys.stderr)  # noqa: T201
    for line in reports.notices_text(noted):
        print(f"rag_kit: {line}", file=sys.stderr)  # noqa: T201
    if passed_over:
        counts = ", ".join(f"{count} {suffix}" for suffix, count in sorted(passed_over.items()))
        print(f"rag_kit: passed over, no documents: {counts}", file=sys.stderr)  # noqa: T201


def _print(options: argparse.Namespace, shape: Callable[[], Any], text: Callable[[], str]) -> None:
    # A console's stand-in for a sign (\\x81) is not JSON: there, JSON escapes all that is not ASCII itself.
    ascii_only = not str(sys.stdout.encoding).lower().startswith("utf")
    out = json.dumps(shape(), ensure_ascii=ascii_only, indent=2) if options.json else text()
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
