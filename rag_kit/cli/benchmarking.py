"""The command that compares pipelines: `benchmark` puts questions with known evidence to each of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence

from rag_kit import reports
from rag_kit.access import Filters
from rag_kit.cli.measuring import parts_of
from rag_kit.cli.output import print_result
from rag_kit.cli.places import check_places, save_if_named
from rag_kit.cli.reading import errors_for, filters_of, library_of
from rag_kit.conditions import read_number
from rag_kit.console import say
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.benchmark import Prices, asked_of
from rag_kit.evaluation.benchmark_json import benchmark_json, save_benchmark
from rag_kit.evaluation.benchmark_library import benchmark_library, documents_of, with_floor
from rag_kit.evaluation.benchmark_result import FLOOR, BenchmarkResult
from rag_kit.evaluation.benchmark_text import benchmark_text
from rag_kit.evaluation.questions import Question, Row, asker_of, questions_of, read_rows
from rag_kit.excerpts import one_line
from rag_kit.operations import Library
from rag_kit.operations.pipelines import WITHOUT_VECTORS
from rag_kit.types import Document

MOST_DOLLARS = 1_000_000
"""For a million tokens; what is more is a slip, and would not add up."""


def run_benchmark(options: argparse.Namespace) -> int:
    """Run the benchmark that the options describe."""
    filters, prices = filters_of(options), _prices(options.prices)
    names = _pipelines(options.pipelines)
    check_places(options)
    _check_file(options.questions)
    library = library_of(_opened_for(options, names), filters)
    questions = _questions(options, library, filters)
    BenchmarkResult(options.k, asked_of(questions), ()).places(options.half)
    result = benchmark_library(
        library,
        questions,
        filters=filters,
        pipelines=names,
        k=options.k,
        prices=prices,
        on_progress=lambda done, total, said: say(f"pipeline {done} of {total}, {said}"),
    )
    kept = _save(result, options)
    leaks = sum(row.leaks for row in result.pipelines)
    if leaks:
        say(f"passages shown to somebody who may not see them: {leaks}; look at their access tags")
    print_result(
        options,
        lambda: {
            **benchmark_json(result, half=options.half),
            "errors": reports.failures_json(errors_for(filters, library)),
        },
        lambda: benchmark_text(result, options.measure, options.half),
    )
    return 1 if library.errors or leaks or not kept else 0


def _pipelines(text: str) -> Sequence[str]:
    named = parts_of(text)
    names = with_floor(named)
    if FLOOR not in named:
        say(f"{FLOOR} is measured too: it is the lexical floor that the others have to beat")
    return names


def _opened_for(options: argparse.Namespace, names: Sequence[str]) -> argparse.Namespace:
    """Return the options with the pipeline to open the library for: nothing is embedded that none needs."""
    needing = [name for name in names if name not in WITHOUT_VECTORS]
    return argparse.Namespace(**{**vars(options), "pipeline": (*needing, *names)[0]})


def _check_file(path: str) -> None:
    """Refuse a file of questions that is none before anything is embedded; evidence is placed later."""
    rows = read_rows(path, ())
    if not rows:
        raise InvalidValue(f"{path} holds no question: write one a line")
    for row in rows:
        if row.faults:
            raise InvalidValue(f"{path}, line {row.line}: {row.faults[0]}")


def _questions(options: argparse.Namespace, library: Library, filters: Filters) -> list[Question]:
    """Read the questions; of a document that whoever asks may not see, all is said as if it were not there.

    Somebody who may not see all documents is asked the questions that rest on those that are there, as the
    tags of each question narrow them too. The owner sees them all: there an id that no document has is a fault
    of the file.
    """
    path, documents = options.questions, documents_of(library, filters)
    rows = read_rows(path, documents)
    if filters.access_tags is not None:
        rows = _resting_on_what_is_there(rows, path, documents, filters)
    try:
        return questions_of(rows, path)
    except InvalidValue as error:
        if options.index is None:
            raise
        raise InvalidValue(f"{error} (an index holds what its chunks hold: name --docs instead)") from None


def _resting_on_what_is_there(
    rows: Sequence[Row], path: str, documents: Iterable[Document], filters: Filters
) -> list[Row]:
    """Return the rows that somebody can be asked, and name the others; raises InvalidValue where none is left.

    What becomes of a row must not depend on tags that whoever asks does not have: so it is not looked at
    whether the question's own tags would open the document.
    """
    by_id = {document.document_id: document for document in documents}
    left_out = [(row, why) for row in rows if (why := _not_there(row, by_id, filters))]
    if len(left_out) == len(rows):
        first, why = left_out[0]
        raise InvalidValue(f"{path}, line {first.line}: {why}")
    if left_out:
        named = one_line(", ".join(row.id for row, _ in left_out), 90)
        say(
            f"{path}: {len(left_out)} of {len(rows)} questions rest on documents that whoever asks does not have,"
            f" or not with the tags of the question, and are not asked: {named}"
        )
    out = {row.line for row, _ in left_out}
    return [row for row in rows if row.line not in out]


def _not_there(row: Row, documents: Mapping[str, Document], filters: Filters) -> str | None:
    """Say why somebody cannot be asked a question; None where they can, or where the row itself is wrong."""
    if row.lacking:
        return row.misplaced[0]
    question = row.question
    if question is None or row.misplaced or row.faults or not question.has_gold:
        return None
    asker = asker_of(filters, question)
    if question.user_tags is None or asker.access_tags == frozenset(question.user_tags):
        return None
    for gold in question.evidence:
        if asker.hides(documents[gold.document_id]) == "access":
            return (
                f"question {row.id} names tags that whoever asks does not have, and with the others "
                f"{gold.document_id} is left out (access): choose other tags, or take the question out"
            )
    return None


def _prices(text: str) -> Prices:
    """Read ``0.02,2.5`` as dollars per million tokens."""
    read = [read_number(part.strip()) for part in text.split(",")]
    prices = [price for price in read if price is not None and 0 <= price <= MOST_DOLLARS]
    if len(read) != 2 or len(prices) != 2:
        raise InvalidValue(f"--prices {text[:40]!r} is no pair of prices: write EMBED,PROMPT, as in 0.02,2.5")
    return Prices(*prices)


def _save(result: BenchmarkResult, options: argparse.Namespace) -> bool:
    def draw() -> None:
        from rag_kit.teaching.views.benchmark_plot import save_benchmark_plot

        save_benchmark_plot(result, options.plot, options.measure, half=options.half)

    out = save_if_named(options.out, lambda: save_benchmark(result, options.out, half=options.half))
    return save_if_named(options.plot, draw) and out
