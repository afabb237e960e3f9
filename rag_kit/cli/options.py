"""What can be written on the command line: the options of the commands, in groups."""

from __future__ import annotations

import argparse
from datetime import date

from rag_kit.chunking import DEFAULT_STRATEGY, STRATEGIES
from rag_kit.generation.ask import DEFAULT_TOP_K
from rag_kit.generation.context import DEFAULT_BUDGET
from rag_kit.operations.pipelines import DEFAULT_PIPELINE, PIPELINES
from rag_kit.settings import SERVE_PORT

_DOCS = "files and folders to answer from"


def _a_question(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty: ask something")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise argparse.ArgumentTypeError("it is not text in the console's encoding: type it again")
    return text


def _a_name(text: str) -> str:
    # Path("") is the current folder, which nobody meant who passed on an unset variable.
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty: name a file or a folder")
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


def json_output(command: argparse.ArgumentParser) -> None:
    """Add --json."""
    command.add_argument("--json", action="store_true", help="print one JSON value")


def question(command: argparse.ArgumentParser) -> None:
    """Add the question."""
    command.add_argument("question", type=_a_question, help="in quotes, before --docs")


def query(command: argparse.ArgumentParser) -> None:
    """Add the query."""
    command.add_argument("query", type=_a_question, help="in quotes, before --docs")


def paths(command: argparse.ArgumentParser) -> None:
    """Add the files and folders to look at."""
    command.add_argument("paths", nargs="+", metavar="PATH", help="files and folders")


def docs(command: argparse.ArgumentParser) -> None:
    """Add --docs, where nothing else can stand for it."""
    command.add_argument("--docs", nargs="+", required=True, metavar="PATH", help=_DOCS)


def library(command: argparse.ArgumentParser) -> None:
    """Add what to search, and how."""
    add_source(command)
    about = f"how to search: {', '.join(PIPELINES)} (default {DEFAULT_PIPELINE})"
    command.add_argument("--pipeline", default=DEFAULT_PIPELINE, metavar="NAME", help=about)
    add_k(command, "retrieve")


def filtering(command: argparse.ArgumentParser) -> None:
    """Add who asks, and for which day and documents."""
    about = (
        "see only documents with one of these tags; may be given again (default: all, as the files' owner)"
    )
    command.add_argument("--as", action="append", dest="tags", metavar="TAG,TAG", help=about)
    about = "only documents whose field is so; KEY=A,B or KEY>=VALUE too; may be given again"
    command.add_argument("--where", action="append", default=[], metavar="KEY=VALUE", help=about)
    add_day(command)
    command.add_argument("--include-superseded", action="store_true", help="search older versions too")


def unlocking(command: argparse.ArgumentParser) -> None:
    """Add how files are read that are locked, or pictures."""
    command.add_argument("--password", metavar="P", help="opens documents that are locked")
    about = "auto recognises text in pictures of pages, off leaves it (default auto)"
    command.add_argument("--ocr", choices=["auto", "off"], default="auto", help=about)


def strategy(command: argparse.ArgumentParser) -> None:
    """Add where to cut."""
    _add_strategy(command, DEFAULT_STRATEGY)


def unit(command: argparse.ArgumentParser) -> None:
    """Add what sizes count."""
    about = "what --size counts (default tokens)"
    command.add_argument("--unit", choices=["tokens", "chars"], default="tokens", help=about)


def sizes(command: argparse.ArgumentParser) -> None:
    """Add how large passages are."""
    about = "tokens (or characters) of a passage at most (default: what the embedder reads)"
    command.add_argument("--size", type=_a_count, metavar="N", help=about)
    about = "how many of them a passage may repeat from the one before (default: a little)"
    command.add_argument("--overlap", type=int, metavar="N", help=about)


def budget(command: argparse.ArgumentParser) -> None:
    """Add the budget of the prompt."""
    about = f"tokens of the whole prompt (default {DEFAULT_BUDGET:,})"
    command.add_argument("--budget", type=_a_count, default=DEFAULT_BUDGET, metavar="TOKENS", help=about)


def index_out(command: argparse.ArgumentParser) -> None:
    """Add where an index goes."""
    command.add_argument("--out", type=_a_name, required=True, metavar="DIR", help="the folder to save it in")


def clear_cache(command: argparse.ArgumentParser) -> None:
    """Add --clear-cache."""
    command.add_argument("--clear-cache", action="store_true", help="remove what is cached first")


def port(command: argparse.ArgumentParser) -> None:
    """Add the port to serve on."""
    about = f"0 picks a free one (default {SERVE_PORT})"
    command.add_argument("--port", type=_a_port, default=SERVE_PORT, metavar="N", help=about)


def building(command: argparse.ArgumentParser) -> None:
    """Add which lessons to build, or to compare."""
    command.add_argument("only", nargs="*", metavar="LESSON", help="only these lessons")
    command.add_argument("--check", action="store_true", help="compare only; exit 1 if one is stale")


def add_source(command: argparse.ArgumentParser) -> None:
    """Add what to search: documents or an index."""
    source = command.add_mutually_exclusive_group(required=True)
    source.add_argument("--docs", nargs="+", metavar="PATH", help=_DOCS)
    about = "an index that `index` saved, instead"
    source.add_argument("--index", type=_a_name, metavar="DIR", help=about)
    _add_strategy(command, None)


def add_questions(command: argparse.ArgumentParser, about: str) -> None:
    """Add the file of questions."""
    command.add_argument("--questions", type=_a_name, required=True, metavar="FILE", help=about)


def add_k(command: argparse.ArgumentParser, what: str) -> None:
    """Add how many passages to do what with."""
    about = f"how many passages to {what} (default {DEFAULT_TOP_K})"
    command.add_argument("--k", type=_a_count, default=DEFAULT_TOP_K, metavar="N", help=about)


def add_files(command: argparse.ArgumentParser) -> None:
    """Add where the result goes besides."""
    command.add_argument("--out", type=_a_name, metavar="FILE", help="keep the result as JSON")
    command.add_argument("--plot", type=_a_name, metavar="FILE", help="draw it, as .png or .svg")


def add_day(command: argparse.ArgumentParser) -> None:
    """Add the day to answer for."""
    about = "the day to answer for (default today)"
    command.add_argument("--as-of", type=_a_date, default=None, metavar="DATE", help=about)


def _add_strategy(command: argparse.ArgumentParser, default: str | None) -> None:
    about = (
        "where to cut: at the document's structure, by size alone, where sentences part, or small to search "
        f"and the section to read (default {DEFAULT_STRATEGY})"
    )
    command.add_argument("--strategy", choices=list(STRATEGIES), default=default, help=about)
