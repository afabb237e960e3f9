"""What can be written on the command line: each command's options, and what is wrong in one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import NoReturn

from rag_kit.console import program_name
from rag_kit.errors import InvalidValue
from rag_kit.generation.ask import DEFAULT_TOP_K
from rag_kit.generation.context import DEFAULT_BUDGET
from rag_kit.settings import SERVE_PORT

Run = Callable[[argparse.Namespace], int]
_DOCS = "files and folders to answer from"


class _OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        if "required: question" in message or "required: query" in message:
            # After `--docs A B "question"` the question was taken for one more path.
            message += ": put it first, in quotes, and --docs after it"
        elif message.startswith("unrecognized arguments"):
            message += ": put a text of several words in quotes"
        raise InvalidValue(f"{message} (see {self.prog} --help)")


def _a_question(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty: ask something")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise argparse.ArgumentTypeError("it is not text in the console's encoding: type it again")
    return text


def _a_count(text: str) -> int:
    try:
        count = int(text)
    except ValueError:
        count = 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no count: choose 1 or more")
    return count


def _a_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a date: write YYYY-MM-DD") from None


def _a_port(text: str) -> int:
    if not text.isdecimal() or len(text) > 5 or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a port: choose 0 to 65535")
    return int(text)


def make_parser(
    commands: Mapping[str, tuple[Run, str]], strategies: Sequence[str]
) -> argparse.ArgumentParser:
    """Make the parser of all commands, each given as what runs it and a line about it."""
    parser = _OneLineParser(prog=program_name(), description="Grounded answers from your own documents.")
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
            about = f"0 picks a free one (default {SERVE_PORT})"
            command.add_argument("--port", type=_a_port, default=SERVE_PORT, metavar="N", help=about)
            continue
        command.add_argument("--json", action="store_true", help="print one JSON value")
        if name == "doctor":
            command.add_argument("--clear-cache", action="store_true", help="remove the cached vectors first")
        if name in ("parse", "chunk"):
            command.add_argument("paths", nargs="+", metavar="PATH", help="files and folders")
        if name == "chunk":
            about = "what --size counts (default tokens)"
            command.add_argument("--unit", choices=["tokens", "chars"], default="tokens", help=about)
        if name == "index":
            command.add_argument("--docs", nargs="+", required=True, metavar="PATH", help=_DOCS)
            command.add_argument("--out", required=True, metavar="DIR", help="the folder to save it in")
        if name in ("chunk", "index"):
            _add_strategy(command, strategies, strategies[0])
            about = "tokens (or characters) of a passage at most (default: what the embedder reads)"
            command.add_argument("--size", type=_a_count, metavar="N", help=about)
            about = "how many of them a passage may repeat from the one before (default: a little)"
            command.add_argument("--overlap", type=int, metavar="N", help=about)
        if name in ("search", "ask"):
            kind = "question" if name == "ask" else "query"
            command.add_argument(kind, type=_a_question, help="in quotes, before --docs")
            _add_reading_options(command)
            _add_strategy(command, strategies, None)
        if name == "ask":
            about = f"tokens of the whole prompt (default {DEFAULT_BUDGET:,})"
            command.add_argument(
                "--budget", type=_a_count, default=DEFAULT_BUDGET, metavar="TOKENS", help=about
            )
    return parser


def _add_strategy(command: argparse.ArgumentParser, strategies: Sequence[str], default: str | None) -> None:
    about = (
        "where to cut: at the document's structure, by size alone, where sentences part, or small to search "
        f"and the section to read (default {strategies[0]})"
    )
    command.add_argument("--strategy", choices=strategies, default=default, help=about)


def _add_reading_options(command: argparse.ArgumentParser) -> None:
    source = command.add_mutually_exclusive_group(required=True)
    source.add_argument("--docs", nargs="+", metavar="PATH", help=_DOCS)
    source.add_argument("--index", metavar="DIR", help="an index that `index` saved, instead")
    command.add_argument("--pipeline", default="dense", metavar="NAME", help="how to search (default dense)")
    command.add_argument(
        "--k",
        type=_a_count,
        default=DEFAULT_TOP_K,
        metavar="N",
        help=f"how many passages to retrieve (default {DEFAULT_TOP_K})",
    )
    command.add_argument(
        "--as",
        dest="tags",
        metavar="TAG,TAG",
        help="see only documents with one of these tags (default: all, as the owner of the files)",
    )
    command.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="only documents whose field is so; KEY=A,B or KEY>=VALUE too; may be given again",
    )
    command.add_argument(
        "--as-of", type=_a_date, default=None, metavar="DATE", help="the day to answer for (default today)"
    )
    command.add_argument("--include-superseded", action="store_true", help="search older versions too")
