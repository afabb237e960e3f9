"""Measure how often a figure printed in a table is found, quoted with its row, and shown under its labels.

    python -m rag_kit.evaluation.table_figures sample_docs [--json] [--each 3] [--k 5] [--as-of DATE]
        [--pipeline NAME]

The questions are made by :mod:`rag_kit.evaluation.figures` and asked like any other. By the hash of its
document's id a table is for tuning or for reporting: what is changed is judged on the first half, and only
the second half's shares may be told.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from rag_kit.access import Filters
from rag_kit.errors import RagKitError
from rag_kit.evaluation.figures import EACH, Drawn, Figure, draw_figures
from rag_kit.evaluation.intervals import wilson
from rag_kit.evaluation.misses import explain_miss
from rag_kit.evaluation.questions import Gold, Question, first_half
from rag_kit.evaluation.reader_cases import AS_OF
from rag_kit.evaluation.stages import Searched, Stage
from rag_kit.generation.ask import DEFAULT_TOP_K
from rag_kit.generation.context import DEFAULT_BUDGET
from rag_kit.generation.quotes import quote_text
from rag_kit.hidden import for_terminal
from rag_kit.operations import open_library
from rag_kit.operations.pipelines import DEFAULT_PIPELINE
from rag_kit.settings import load_settings
from rag_kit.spans import contains
from rag_kit.types import Answer

FIRST = 5
WIDE = 20
LOST: dict[Stage, str] = {"in the prompt but not used": "in the prompt: {}", "used": "in the prompt: {}"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one figure's question.

    ``rank`` is that of the first passage with the whole row; ``page_right`` is None for a row that was not
    quoted and for a document without pages; ``lost`` is empty where the row was quoted.
    """

    figure: Figure
    rank: int | None
    refused: bool
    quoted: bool
    labelled: bool
    page_right: bool | None
    lost: str
    said: str

    @property
    def whole(self) -> bool:
        """Tell whether all came right: row, labels and, where there are pages, the page."""
        return self.quoted and self.labelled and self.page_right is not False


@dataclass(frozen=True, slots=True)
class Share:
    """A count of a total, with its 95 % interval."""

    name: str
    count: int
    total: int

    def line(self) -> str:
        """Write it as one line.

        >>> Share("row quoted", 18, 20).line()
        'row quoted                    18 of  20  0.90  (0.70 to 0.97)'
        """
        low, high = wilson(self.count, self.total)
        share = f"{self.count / self.total:.2f}  ({low:.2f} to {high:.2f})" if self.total else "–"
        return f"{self.name:28}{self.count:4d} of {self.total:3d}  {share}"


def measure(
    library: Searched,
    figures: Iterable[Figure],
    *,
    filters: Filters,
    top_k: int = DEFAULT_TOP_K,
    budget: int = DEFAULT_BUDGET,
) -> list[Outcome]:
    """Ask for each figure as a user would, and say what came of it."""
    outcomes = []
    for figure in figures:
        answer = library.ask(figure.question, filters=filters, top_k=top_k, budget=budget)
        outcomes.append(grade(library, figure, answer, filters=filters, top_k=top_k, budget=budget))
    return outcomes


def grade(
    library: Searched, figure: Figure, answer: Answer, *, filters: Filters, top_k: int, budget: int
) -> Outcome:
    """Compare an answer's first citation with the row and the labels that were asked for."""
    gold = Gold(figure.document_id, figure.span)
    question = Question("", figure.question, "answer", (gold,))
    miss = explain_miss(question, None, library, filters=filters, top_k=top_k, budget=budget, answer=answer)
    quoted = labelled = False
    page_right: bool | None = None
    said = ""
    # Other citations may follow: what a reader sees first is what is graded.
    citation = next((c for c in answer.citations if c.status == "valid"), None)
    if citation is not None and answer.refusal is None:
        chunk = answer.evidence_of(citation).chunk
        said, at = quote_text(chunk, citation), citation.source_span
        quoted = bool(at and chunk.document_id == figure.document_id and contains(figure.span, at))
        labelled = quoted and f"{figure.column}: {figure.text}" in said
        if quoted and at and figure.page is not None:
            page_right = chunk.page_at(at[0]) == figure.page
    refused = answer.refusal is not None
    lost = "" if quoted else LOST.get(miss.stage or "used", str(miss.stage))
    end = "refused" if refused else "quoted another row"
    return Outcome(figure, miss.rank, refused, quoted, labelled, page_right, lost.format(end), said)


def shares(outcomes: Sequence[Outcome]) -> list[Share]:
    """Count how far the figures came, stage by stage."""

    def count(name: str, holds: Callable[[Outcome], bool]) -> Share:
        return Share(name, sum(map(holds, outcomes)), len(outcomes))

    paged = [outcome for outcome in outcomes if outcome.page_right is not None]
    answered = [outcome for outcome in outcomes if not outcome.refused]
    return [
        count(f"row found in the first {FIRST}", lambda o: o.rank is not None and o.rank <= FIRST),
        count(f"row found in the first {WIDE}", lambda o: o.rank is not None and o.rank <= WIDE),
        count("row quoted", lambda o: o.quoted),
        count("shown under its label", lambda o: o.labelled),
        Share("page right, of those quoted", sum(o.page_right is True for o in paged), len(paged)),
        count("row, label and page right", lambda o: o.whole),
        Share("row quoted, of those answered", sum(o.quoted for o in answered), len(answered)),
        count("refused", lambda o: o.refused),
        count("wrong: another row", lambda o: not o.refused and not o.quoted),
    ]


def report(drawn: Drawn, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Shape both halves for JSON and for people."""
    tuning = [o for o in outcomes if first_half(o.figure.document_id)]
    reporting = [o for o in outcomes if not first_half(o.figure.document_id)]
    return {
        "printed": drawn.printed,
        "unlabelled": drawn.unlabelled,
        "doubled": drawn.doubled,
        "asked": len(drawn.figures),
        "halves": {
            name: {
                "shares": [asdict(share) for share in shares(held)],
                "lost": dict(Counter(o.lost for o in held if o.lost).most_common()),
                "figures": [{**asdict(o), "whole": o.whole} for o in held],
            }
            for name, held in (("tuning", tuning), ("reporting", reporting))
        },
    }


def text_of(shape: dict[str, Any]) -> str:
    """Write a report for people, without the single figures."""
    reached = Share("reached by row and column", shape["printed"] - shape["unlabelled"], shape["printed"])
    lines = [
        reached.line(),
        f"{shape['asked']} asked; {shape['doubled']} left out: their question has two answers",
    ]
    for name, half in shape["halves"].items():
        lines += ["", f"{name} half", *(Share(**row).line() for row in half["shares"])]
        total = sum(half["lost"].values())
        lines += [Share(f"  {stage}", count, total).line() for stage, count in half["lost"].items()]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the tables of some documents."""
    parser = argparse.ArgumentParser(prog="python -m rag_kit.evaluation.table_figures", allow_abbrev=False)
    parser.add_argument("docs", nargs="+", metavar="PATH")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--each", type=int, default=EACH, help="figures asked for a table")
    parser.add_argument("--k", type=int, default=DEFAULT_TOP_K, help="passages taken")
    parser.add_argument("--as-of", type=date.fromisoformat, default=AS_OF, metavar="DATE")
    parser.add_argument("--pipeline", default=DEFAULT_PIPELINE, metavar="NAME", help="how to search")
    options = parser.parse_args(arguments)
    try:
        settings = load_settings(offline=True)
        library = open_library(options.docs, settings=settings, pipeline=options.pipeline)
    except RagKitError as error:
        parser.error(str(error))
    filters = Filters.owner(as_of=options.as_of)
    drawn = draw_figures(filter(filters.admits, library.documents), each=options.each)
    shape = report(drawn, measure(library, drawn.figures, filters=filters, top_k=options.k))
    text = json.dumps(shape, ensure_ascii=False, indent=2) if options.json else text_of(shape)
    sys.stdout.write(for_terminal(text) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
