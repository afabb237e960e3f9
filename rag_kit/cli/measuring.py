"""The commands that measure: `sweep` compares ways of cutting documents on questions with known evidence."""

from __future__ import annotations

import argparse

from rag_kit.access import Filters
from rag_kit.chunking import STRATEGIES
from rag_kit.cli.output import print_result
from rag_kit.cli.places import check_places, save_if_named
from rag_kit.cli.reading import parsed_of, settings_of
from rag_kit.console import say
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.arms import make_arms
from rag_kit.evaluation.questions import read_questions
from rag_kit.evaluation.sweep import sweep
from rag_kit.evaluation.sweep_result import SweepResult, best, save_sweep, sweep_json
from rag_kit.evaluation.sweep_text import sweep_text


def run_sweep(options: argparse.Namespace) -> int:
    """Run the sweep that the options describe."""
    settings = settings_of(options)
    if options.measure == "answers" and not options.answers:
        raise InvalidValue("--measure answers needs --answers: without it no question is answered")
    check_places(options)
    arms = make_arms(
        _names(options.strategies),
        _counts(options.sizes, 1),
        _counts(options.overlaps, 0),
        neighbours=options.neighbours,
    )
    parsed = parsed_of(options, options.docs, settings=settings)
    questions = read_questions(options.questions, parsed.documents)
    result = sweep(
        parsed.documents,
        questions,
        arms=arms,
        settings=settings,
        filters=Filters.owner(as_of=options.as_of),
        k=options.k,
        answers=options.answers,
        on_progress=lambda done, total, said: say(f"arm {done} of {total}, {said}"),
    )
    if result.unscored:
        say(f"{result.unscored} questions have no answer, or evidence that is no span: they are not scored")
    _explain_no_winner(result, options.measure)
    kept = _save(result, options)
    print_result(
        options, lambda: sweep_json(result, options.measure), lambda: sweep_text(result, options.measure)
    )
    return 1 if result.errors or parsed.errors or not kept else 0


def _save(result: SweepResult, options: argparse.Namespace) -> bool:
    def draw() -> None:
        from rag_kit.teaching.views.sweep_plot import save_sweep_plot

        save_sweep_plot(result, options.plot, options.measure)

    out = save_if_named(options.out, lambda: save_sweep(result, options.out, options.measure))
    return save_if_named(options.plot if result.arms else None, draw) and out


def _explain_no_winner(result: SweepResult, measure: str) -> None:
    try:
        best(result, measure)
    except InvalidValue as error:
        say(f"no winner: {error}")


def _names(text: str) -> list[str]:
    """Read ``a,b`` as names of strategies."""
    names = parts_of(text)
    for name in names:
        if name not in STRATEGIES:
            raise InvalidValue(f"--strategies {name!r} is no strategy; choose {' or '.join(STRATEGIES)}")
    return names


def _counts(text: str, least: int) -> list[int]:
    """Read ``64,128`` as counts of at least ``least``."""
    counts = []
    for part in parts_of(text):
        if not (part.isascii() and part.isdecimal() and len(part) < 10) or int(part) < least:
            raise InvalidValue(f"{part[:40]!r} is no count: choose {least} or more, as in 64,128")
        counts.append(int(part))
    return counts


def parts_of(text: str) -> list[str]:
    """Read ``a,b`` as parts, each once."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise InvalidValue(f"{text[:40]!r} names nothing: write them with commas between, as in a,b")
    return list(dict.fromkeys(parts))
