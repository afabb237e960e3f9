"""Whether the words that answer are in the prompt: what no measure of a ranking sees.

Recall counts a gold quote as found where a passage holds half of it (:mod:`rag_kit.evaluation.relevance`). A
model needs all of it, so here a quote has to stand whole in what is shown of one passage. A copy that is shown
says what the passages say that were folded into it; a newer version need not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rag_kit.errors import InvalidValue
from rag_kit.evaluation.questions import Gold
from rag_kit.generation.context import Context
from rag_kit.spans import contains, shift
from rag_kit.types import Chunk, Span


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
    return any(contains(span, gold.span) for span in spans)


def gold_in_prompt(golds: Sequence[Gold], context: Context) -> float:
    """Return the share of a question's gold quotes that stand whole in a prompt, or in a copy that is shown.

    Of a copy that was shortened, the words of the quote have to be left. Raises InvalidValue for no gold: such a
    question has no share, not a share of 0.
    """
    if not golds:
        raise InvalidValue("a question without gold cannot be looked for in a prompt: leave it out")
    shown = [(item.chunk.document_id, context.spans[label]) for label, item in context.shown.items()]
    copied = [(one.dropped.chunk, one.kept.chunk) for one in context.folded if one.reason != "older version"]
    labels = {item.chunk.chunk_id: label for label, item in context.shown.items()}

    def holds(gold: Gold) -> bool:
        return any(stands_whole(gold, *passage) for passage in shown) or any(
            stands_whole(gold, chunk.document_id, [chunk.span])
            and _says(gold, chunk, kept, context.spans[labels[kept.chunk_id]])
            for chunk, kept in copied
        )

    return sum(map(holds, golds)) / len(golds)


def _says(gold: Gold, chunk: Chunk, kept: Chunk, spans: Sequence[Span]) -> bool:
    """Tell whether what is shown of a kept passage says the gold quote of one that was folded into it."""
    if any(contains(span, kept.span) for span in spans):
        return True
    quote = chunk.text[slice(*shift(gold.span, -chunk.span[0]))] if gold.span else chunk.text
    shown = (kept.text[slice(*shift(span, -kept.span[0]))] for span in spans)
    return any(_plain(quote) in _plain(text) for text in shown)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
