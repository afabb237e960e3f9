"""What can be written on the command line: each command's options, and what is wrong in one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import NoReturn

from rag_kit.errors import InvalidValue
from rag_kit.settings import SERVE_PORT

Run = Callable[[argparse.Namespace], int]
_DOCS = "files and folders to answer from"


class _OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise InvalidValue(f"{message} (see {self.prog} --help)")


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


def make_parser(
    commands: Mapping[str, tuple[Run, str]], strategies: Iterable[str]
) -> argparse.ArgumentParser:
    """Make the parser of all commands, each given as what runs it and a line about it."""
    parser = _OneLineParser(prog="rag_kit", description="Grounded answers from your own documents.")
    added = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_OneLineParser)
    for name, (run, summary) in commands.items():
        command = added.add_parser(name, help=summary, description=summary.capitalize() + ".")
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
        if name == "doctor":
            command.add_argument("--clear-cache", action="store_true", help="remove the cached vectors first")
        if name in ("parse", "chunk"):
            command.add_argument("paths", nargs="+", metavar="PATH")
        if name == "chunk":
            command.add_argument("--strategy", choices=list(strategies), default="fixed")
            command.add_argument("--unit", choices=["tokens", "chars"], default="tokens")
        if name == "index":
            command.add_argument("--docs", nargs="+", required=True, metavar="PATH", help=_DOCS)
            command.add_argument(
                "--out", required=True, metavar="DIR", help="the folder to save the index in"
            )
        if name in ("chunk", "index"):
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
    source = command.add_mutually_exclusive_group(required=True)
    source.add_argument("--docs", nargs="+", metavar="PATH", help=_DOCS)
    source.add_argument("--index", metavar="DIR", help="an index that `rag_kit index` saved, instead")
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
