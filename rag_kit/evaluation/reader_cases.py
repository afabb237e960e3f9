"""What the offline reader is shown when it is trained: questions with their passages, and what answers them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from rag_kit.access import Filters
from rag_kit.evaluation.figures import Figure
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.generation.ask import DEFAULT_TOP_K
from rag_kit.generation.context import assemble_context
from rag_kit.generation.quotes import locate_quote
from rag_kit.llm.reader import OfflineReader
from rag_kit.operations import Library
from rag_kit.sources import read_message
from rag_kit.types import Evidence

AS_OF = date(2026, 11, 15)


@dataclass(frozen=True, slots=True)
class Case:
    """One question as the reader saw it: the features of each candidate, and which of them answer."""

    question: Question
    table: NDArray[np.float64]
    right: NDArray[np.bool_]


def read_cases(
    library: Library, questions: Iterable[Question], reader: OfflineReader, as_of: date = AS_OF
) -> list[Case]:
    """Show the reader each question with its passages, as `ask` would, and mark what answers."""
    filters = Filters.owner(as_of=as_of)
    cases = (_case(library, q, library.search(q.question, filters=filters), reader) for q in questions)
    return [case for case in cases if case]


def read_table_cases(
    library: Library, figures: Iterable[Figure], reader: OfflineReader, as_of: date = AS_OF
) -> list[Case]:
    """Show each question for a figure twice: as `ask` would, and without the passages that hold its row.

    The second has no answer, though all around it looks like one: the rows beside it, other tables.
    """
    filters = Filters.owner(as_of=as_of)
    cases: list[Case | None] = []
    for figure in figures:
        gold = Gold(figure.document_id, figure.span)
        found = library.search(figure.question, filters=filters, top_k=2 * DEFAULT_TOP_K)
        others = [item for item in found if not gold.touches(item.chunk.document_id, item.chunk.span)]
        question = Question(figure.document_id, figure.question, "answer", (gold,))
        cases.append(_case(library, question, found[:DEFAULT_TOP_K], reader))
        absent = Question(figure.document_id, figure.question, "refuse", ())
        cases.append(_case(library, absent, others[:DEFAULT_TOP_K], reader))
    return [case for case in cases if case]


def _case(
    library: Library, question: Question, evidence: Sequence[Evidence], reader: OfflineReader
) -> Case | None:
    if not evidence:
        return None
    context = assemble_context(question.question, evidence, model=library.settings.chat_model)
    sources, asked = read_message(context.messages[-1]["content"])
    found, table = reader.look(asked, sources)
    right = []
    for candidate in found:
        chunk = context.shown[candidate.label].chunk
        span = locate_quote(candidate.text, chunk)
        right.append(span is not None and any(g.touches(chunk.document_id, span) for g in question.evidence))
    return Case(question, table, np.array(right, dtype=bool)) if found else None
