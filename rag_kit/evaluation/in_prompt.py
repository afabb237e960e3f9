"""Whether the words that answer are in the prompt: what no measure of a ranking sees.

Recall counts a gold quote as found where a passage holds half of it (:mod:`rag_kit.evaluation.relevance`). A
model needs all of it, so here a quote has to stand whole in what is shown of one passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rag_kit.errors import InvalidValue
from rag_kit.evaluation.questions import Gold
from rag_kit.generation.context import Context
from rag_kit.types import Span


def stands_whole(gold: Gold, document_id: str, spans: Iterable[Span]) -> bool:
    """Tell whether a gold quote stands whole in one of some spans of a document.

    Gold without a span is a whole document: any of its text will do.

    >>> stands_whole(Gold("fees", (8, 13)), "fees", [(0, 10), (10, 20)])
    False
    >>> stands_whole(Gold("fees", (8, 13)), "fees", [(0, 13)])
    True
    """
    if document_id != gold.document_id:
        return False
    if gold.span is None:
        return any(True for _ in spans)
    start, end = gold.span
    return any(first <= start and end <= after for first, after in spans)


def gold_in_prompt(golds: Sequence[Gold], context: Context) -> float:
    """Return the share of a question's gold quotes that stand whole in a prompt.

    Raises InvalidValue for no gold: such a question has no share, not a share of 0.
    """
    if not golds:
        raise InvalidValue("a question without gold cannot be looked for in a prompt: leave it out")
    shown = [(item.chunk.document_id, context.spans[label]) for label, item in context.shown.items()]
    return sum(any(stands_whole(gold, *passage) for passage in shown) for gold in golds) / len(golds)
