"""The command line: one thin command a verb. Results go to stdout, everything else to stderr.

Exit status: 0 done (a refusal is a result), 1 done but something failed or could not be read, 2 the call
itself is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

from rag_kit import doctor, reports
from rag_kit.access import Filters
from rag_kit.chunking import chunk_fixed, chunk_structure
from rag_kit.errors import InvalidValue, RagKitError
from rag_kit.operations.library import Library, open_library, tokenizer_of
from rag_kit.parsing import parse
from rag_kit.settings import SERVE_PORT, Settings, load_settings
from rag_kit.types import Document, ParseFailure

STRATEGIES = {"structure": chunk_structure, "fixed": chunk_fixed}
PIPELINES = ("dense",)
LATER = "verify benchmark gate index diagnose sweep run replay diff validate"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise InvalidValue(f"{message} (see {self.prog} --help)")


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
        options = _parser().parse_args(words)
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
    findings = doctor.examine(load_settings(offline=options.offline))
    _print(options, lambda: doctor.findings_json(findings), lambda: doctor.findings_text(findings))
    return 0 if all(finding.ok for finding in findings) else 1


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


def _a_text(text: str) -> str:
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise argparse.ArgumentTypeError("it is not text in the console's encoding: type it again")
    return text


def _a_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date: write YYYY-MM-DD") from None


def _a_port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: choose 0 to 65535")
    return int(text)


_COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], int], str]] = {
    "ask": (_ask, "answer a question from documents, with citations, or refuse"),
    "search": (_search, "show the passages that would be used for a question"),
    "parse": (_parse, "show what is read of files and folders"),
    "chunk": (_chunk, "show the pieces that documents are cut into"),
    "doctor": (_doctor, "show what is installed, which models answer, and whether the network is needed"),
    "serve": (_serve, "serve the offline backend on 127.0.0.1, for a second client"),
    "build": (_build, "rebuild the notebooks from lessons/"),
}


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="rag_kit", description="Grounded answers from your own documents.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for name, (run, summary) in _COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary.capitalize() + ".")
        command.set_defaults(run=run)
        command.add_argument("--offline", action="store_true", help="use no server, even if a key is set")
        if name == "build":
            command.add_argument("only", nargs="*", metavar="LESSON", help="only these lessons")
            command.add_argument("--check", action="store_true", help="compare only; exit 1 if one is stale")
            continue
        if name == "serve":
            about = f"0 picks a free one ({SERVE_PORT})"
            command.add_argument("--port", type=_a_port, default=SERVE_PORT, metavar="N", help=about)
            continue
        command.add_argument("--json", action="store_true", help="print one JSON value")
        if name in ("parse", "chunk"):
            command.add_argument("paths", nargs="+", metavar="PATH")
        if name == "chunk":
            command.add_argument("--strategy", choices=list(STRATEGIES), default="structure")
            command.add_argument("--unit", choices=["tokens", "chars"], default="tokens")
            command.add_argument("--size", type=int, metavar="N")
            command.add_argument("--overlap", type=int, metavar="N")
        if name in ("search", "ask"):
            command.add_argument("question" if name == "ask" else "query", type=_a_text)
            _add_reading_options(command)
        if name == "ask":
            command.add_argument(
                "--budget", type=int, default=1500, metavar="TOKENS", help="tokens of the whole prompt"
            )
    return parser


def _add_reading_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--docs", nargs="+", required=True, metavar="PATH", help="files and folders to answer from"
    )
    command.add_argument("--pipeline", default="dense", metavar="NAME", help="how to search (dense)")
    command.add_argument("--k", type=int, default=5, metavar="N", help="how many passages to retrieve")
    command.add_argument(
        "--as", dest="tags", metavar="TAG,TAG", help="see only documents with one of these tags"
    )
    command.add_argument(
        "--where", action="append", default=[], metavar="KEY=VALUE", help="KEY=A,B or KEY>=VALUE too"
    )
    command.add_argument("--as-of", type=_a_date, default=None, metavar="DATE", help="the day to answer for")
    command.add_argument("--include-superseded", action="store_true", help="search older versions too")
