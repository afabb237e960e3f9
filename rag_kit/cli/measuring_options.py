"""The options of `sweep` and `benchmark`: what is compared, what is scored, and where the result goes."""

from __future__ import annotations

import argparse

from rag_kit.cli.options import add_day, add_files, add_k, add_questions, add_source
from rag_kit.evaluation import relevance, sweep_result
from rag_kit.evaluation.arms import DEFAULT_STRATEGIES, OVERLAPS, SIZES
from rag_kit.evaluation.benchmark_result import FLOOR, HALVES
from rag_kit.operations.pipelines import PIPELINES


def sweeping(command: argparse.ArgumentParser) -> None:
    """Add the arms of a sweep, what is scored, and where the result goes."""
    about = "questions whose evidence is quotes, or spans (start and end)"
    add_questions(command, about)
    for name, default, about in (
        ("strategies", DEFAULT_STRATEGIES, "where to cut"),
        ("sizes", SIZES, "tokens of a passage at most"),
        ("overlaps", OVERLAPS, "tokens that a passage may repeat from the one before"),
    ):
        given = ",".join(map(str, default))
        command.add_argument(f"--{name}", default=given, metavar="A,B", help=f"{about} (default {given})")
    about = "how much of the chunks beside it in its section a vector takes in, 0 to 1 (default 0)"
    command.add_argument("--neighbours", type=_a_share, default=0.0, metavar="SHARE", help=about)
    add_k(command, "score")
    about = "answer each question too, and score the quotes"
    command.add_argument("--answers", action="store_true", help=about)
    about = "what the winner is chosen by (default recall)"
    command.add_argument("--measure", choices=sweep_result.MEASURES, default="recall", help=about)
    add_day(command)
    add_files(command)


def benchmarking(command: argparse.ArgumentParser) -> None:
    """Add what is searched and how, what is scored, and where the result goes."""
    add_source(command)
    about = (
        "questions, with the evidence that answers them; of the tags that a question names (user_tags, "
        "denied_tags) only those of --as count, or all without --as"
    )
    add_questions(command, about)
    given = ",".join(PIPELINES)
    about = f"how to search (default {given}); {FLOOR}, the lexical floor, is always among them"
    command.add_argument("--pipelines", default=given, metavar="A,B", help=about)
    add_k(command, "score")
    about = "the questions that the figures are of: all, or the half that settings are chosen or reported on"
    command.add_argument("--half", choices=list(HALVES), default="all", help=about + " (default all)")
    about = "what is compared, drawn and shown by kind (default recall)"
    command.add_argument("--measure", choices=relevance.MEASURES, default="recall", help=about)
    about = "dollars per million tokens, to embed and to prompt (default 0,0: models on this machine)"
    command.add_argument("--prices", default="0,0", metavar="EMBED,PROMPT", help=about)
    add_files(command)


def _a_share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no share: choose 0 to 1")
    return share
