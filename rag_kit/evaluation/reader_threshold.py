"""Set the offline reader's threshold from the development questions, and print what it costs.

    python -m rag_kit.evaluation.reader_threshold sample_docs            shows the table
    python -m rag_kit.evaluation.reader_threshold sample_docs --write    and writes rag_kit/llm/reader.json

The threshold is provisional: it is chosen and counted on the same questions, so the counts flatter it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rag_kit.access import Filters
from rag_kit.evaluation.questions import Question, read_questions
from rag_kit.generation.context import assemble_context
from rag_kit.generation.quotes import locate_quote
from rag_kit.llm import reader as reader_module
from rag_kit.llm.minilm import minilm
from rag_kit.llm.reader import OfflineReader
from rag_kit.operations import Library, open_library
from rag_kit.settings import load_settings
from rag_kit.sources import read_message

AS_OF = date(2026, 11, 15)
STEP = 0.01


@dataclass(frozen=True, slots=True)
class Outcome:
    """The reader's best quote for one question: its score, and whether it overlaps the gold evidence."""

    question: Question
    score: float
    right: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """What a threshold makes of all questions."""

    threshold: float
    right: int
    wrong: int
    refused_rightly: int
    refused_wrongly: int

    answered: float
    """Share of the answerable questions that got an answer, right or wrong."""
    refused: float
    """Share of the unanswerable ones that were refused."""

    @property
    def balance(self) -> float:
        """Youden's J of the decision to answer: 0 for a coin, 1 for one without a mistake.

        Which sentence is quoted is the ranking's affair and no threshold mends it, so it does not count here.
        """
        return self.answered + self.refused - 1


def outcomes(library: Library, questions: Sequence[Question], as_of: date = AS_OF) -> list[Outcome]:
    """Let the reader pick its best quote for each question, as `ask` would have it read."""
    reader = OfflineReader(minilm(), threshold=0.0)
    found = []
    for question in questions:
        evidence = library.search(question.question, filters=Filters.owner(as_of=as_of))
        context = assemble_context(question.question, evidence, model=library.settings.chat_model)
        sources, asked = read_message(context.messages[-1]["content"])
        best = reader.best(asked, sources)
        if best is None:
            found.append(Outcome(question, 0.0, False))
            continue
        chunk = context.shown[best.label].chunk
        span = locate_quote(best.text, chunk)
        right = span is not None and any(
            gold.document_id == chunk.document_id
            and (gold.span is None or (span[0] < gold.span[1] and gold.span[0] < span[1]))
            for gold in question.evidence
        )
        found.append(Outcome(question, best.score, right))
    return found


def tally(found: Sequence[Outcome], threshold: float) -> Tally:
    """Count what a threshold makes of the outcomes.

    >>> asked = Question("q", "How much?", "refuse", ())
    >>> tally([Outcome(asked, 0.4, False)], 0.5).refused_rightly
    1
    """
    answered = [o for o in found if o.score >= threshold]
    refused = [o for o in found if o.score < threshold]
    right = sum(o.right for o in answered)
    refused_rightly = sum(o.question.expected == "refuse" for o in refused)
    refused_wrongly = len(refused) - refused_rightly
    answerable = sum(o.question.expected == "answer" for o in found)
    unanswerable = len(found) - answerable
    return Tally(
        threshold=threshold,
        right=right,
        wrong=len(answered) - right,
        refused_rightly=refused_rightly,
        refused_wrongly=refused_wrongly,
        answered=1 - refused_wrongly / answerable if answerable else 0.0,
        refused=refused_rightly / unanswerable if unanswerable else 0.0,
    )


def best_threshold(found: Sequence[Outcome]) -> Tally:
    """Return the threshold that best parts answerable from unanswerable; of equals, the middle one."""
    tallies = [tally(found, round(step * STEP, 2)) for step in range(round(1 / STEP))]
    most = max(t.balance for t in tallies)
    equals = [t for t in tallies if t.balance == most]
    return equals[len(equals) // 2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of thresholds and, with --write, set the best."""
    parser = argparse.ArgumentParser(prog="python -m rag_kit.evaluation.reader_threshold")
    parser.add_argument("docs", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    library = open_library(options.docs, settings=load_settings(offline=True))
    path = options.docs / "questions" / "reader_dev.questions.jsonl"
    found = outcomes(library, read_questions(path, library.documents))
    best = best_threshold(found)
    thresholds = sorted({0.0, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, best.threshold})
    lines = ["threshold  right  wrong  refused rightly  refused wrongly"]
    for row in (tally(found, threshold) for threshold in thresholds):
        mark = "  <- best" if row.threshold == best.threshold else ""
        counts = f"{row.right:7d}{row.wrong:7d}{row.refused_rightly:17d}{row.refused_wrongly:17d}"
        lines.append(f"{row.threshold:9.2f}{counts}{mark}")
    sys.stdout.write("\n".join(lines) + "\n")
    if options.write:
        target = Path(reader_module.__file__).with_name("reader.json")
        target.write_text(json.dumps({"threshold": best.threshold}) + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
