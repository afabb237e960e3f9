"""The commands that search and answer: ``index``, ``search`` and ``ask``."""

from __future__ import annotations

import argparse

from rag_kit import report_text, reports
from rag_kit.cli.output import print_result, report_reading
from rag_kit.cli.reading import errors_for, filters_of, how_to_read, library_of
from rag_kit.operations import build_index
from rag_kit.retrieval import RetrievalPlan


def run_index(options: argparse.Namespace) -> int:
    """Save documents as an index."""
    library = build_index(
        options.docs,
        options.out,
        strategy=options.strategy,
        size=options.size,
        overlap=options.overlap,
        **how_to_read(options),
    )
    report_reading(library.errors, {}, library.documents)
    shape = reports.index_json(library, options.out)
    print_result(options, lambda: shape, lambda: report_text.index_text(library, options.out))
    return 1 if library.errors else 0


def run_search(options: argparse.Namespace) -> int:
    """Print the passages closest to a query."""
    filters = filters_of(options)
    library = library_of(options, filters)
    hits = library.search(options.query, filters=filters, top_k=options.k)
    errors = reports.failures_json(errors_for(filters, library))
    plan = library.plan(options.query)
    shape = {
        "plan": reports.plan_json(plan),
        "hits": [reports.hit_json(hit, as_of=filters.as_of) for hit in hits],
        "errors": errors,
    }
    searched = is_searched(plan)
    print_result(
        options,
        lambda: shape,
        lambda: report_text.hits_text(hits, options.query, as_of=filters.as_of, searched=searched),
    )
    return 1 if library.errors else 0


def run_ask(options: argparse.Namespace) -> int:
    """Print the answer to a question with its sources, or the refusal."""
    filters = filters_of(options)
    library = library_of(options, filters)
    answer = library.ask(options.question, filters=filters, top_k=options.k, budget=options.budget)
    plan = library.plan(options.question)
    errors = reports.failures_json(errors_for(filters, library))
    shape = {**reports.answer_json(answer), "plan": reports.plan_json(plan), "errors": errors}
    print_result(options, lambda: shape, lambda: report_text.answer_text(answer, searched=is_searched(plan)))
    return 1 if library.errors else 0


def is_searched(plan: RetrievalPlan | None) -> bool:
    """Tell whether a plan searches at all; a pipeline without plans always does."""
    return plan is None or plan.route != "no_retrieval"
