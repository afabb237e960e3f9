"""The options of `benchmark`: what is searched and how, what is scored, and where the result goes."""

from __future__ import annotations

import argparse

from rag_kit.cli.options import add_files, add_k, add_source
from rag_kit.evaluation.benchmark_result import FLOOR, HALVES
from rag_kit.evaluation.relevance import MEASURES
from rag_kit.operations.pipelines import DEFAULT_PIPELINE, PIPELINES


def benchmarking(command: argparse.ArgumentParser) -> None:
    """Add what is searched and how, what is scored, and where the result goes."""
    add_source(command)
    command.set_defaults(pipeline=DEFAULT_PIPELINE)
    about = "questions, with the evidence that answers them"
    command.add_argument("--questions", required=True, metavar="FILE", help=about)
    given = ",".join(PIPELINES)
    about = f"how to search (default {given}); {FLOOR}, the lexical floor, is always among them"
    command.add_argument("--pipelines", default=given, metavar="A,B", help=about)
    add_k(command, "score")
    about = "the questions that the figures are of: all, or the half that settings are chosen or reported on"
    command.add_argument("--half", choices=list(HALVES), default="all", help=about + " (default all)")
    about = "what is compared, drawn and shown by kind (default recall)"
    command.add_argument("--measure", choices=MEASURES, default="recall", help=about)
    about = "dollars per million tokens, to embed and to prompt (default 0,0: models on this machine)"
    command.add_argument("--prices", default="0,0", metavar="EMBED,PROMPT", help=about)
    add_files(command)
