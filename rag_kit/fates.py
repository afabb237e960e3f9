"""What became of a piece of evidence on its way to the model."""

from __future__ import annotations

from typing import Any

from rag_kit.types import Answer, Evidence


def fate_of(answer: Answer, item: Evidence) -> dict[str, Any]:
    """Say whether a piece of evidence was shown, and if not, why.

    ``fate`` is `shown`, under ``label``, with the spans ``shown`` of it; `folded`, with ``folded_into`` and
    ``folded_as``; `dropped by the budget`; or `not sent`, where no model was asked.

    >>> from rag_kit.testing import make_evidence
    >>> from rag_kit.types import Usage
    >>> one, two = make_evidence("Five.", "Six.")
    >>> answer = Answer("Q?", "", (), None, (one, two), "m", Usage(calls=1), {"[1]": one.chunk.chunk_id})
    >>> [fate_of(answer, item)["fate"] for item in (one, two)]
    ['shown', 'dropped by the budget']
    """
    chunk_id = item.chunk.chunk_id
    label = next((label for label, shown in answer.labels.items() if shown == chunk_id), None)
    into, why = answer.folded.get(chunk_id, (None, None)) if label is None else (None, None)
    if label is not None:
        fate = "shown"
    elif into is not None:
        fate = "folded"
    else:
        fate = "dropped by the budget" if answer.usage.calls else "not sent"
    return {
        "label": label,
        "fate": fate,
        "shown": [] if label is None else list(answer.spans.get(label, (item.chunk.span,))),
        "folded_into": into,
        "folded_as": why,
    }
