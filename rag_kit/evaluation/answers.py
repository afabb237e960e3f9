"""Grading answers by the words they must hold, and finding out whose fault a wrong one is."""

from __future__ import annotations

from typing import Literal

from rag_kit.evaluation.questions import Question
from rag_kit.types import Answer, Chunk

AnswerGrade = Literal["right", "wrong", "refused"]
Miss = Literal["not retrieved", "left out by the budget", "shown, not used"]


def grade_answer(text: str, *, refused: bool, question: Question) -> AnswerGrade:
    """Grade an answer: right when it holds one of the accepted wordings, or refuses what has no answer.

    A refusal of a question that has an answer is ``refused``, not wrong: it misleads nobody.

    >>> asked = Question("q", "How long?", "answer", (), accept=("21 days",))
    >>> grade_answer("Within 21 days [1].", refused=False, question=asked)
    'right'
    >>> grade_answer("Within 121 days [1].", refused=False, question=asked)
    'wrong'
    """
    if refused:
        return "right" if question.expected == "refuse" else "refused"
    return "right" if any(_holds(text, wording) for wording in question.accept) else "wrong"


def explain_miss(answer: Answer, question: Question) -> Miss | None:
    """Say where the evidence was lost on the way to an answer, or None where the question names none.

    ``not retrieved`` is the retriever's affair, ``left out by the budget`` the context's, and ``shown, not
    used`` the model's.
    """
    if not question.evidence:
        return None
    shown = set(answer.labels.values())
    holding = [item.chunk for item in answer.evidence if _holds_gold(item.chunk, question)]
    if not holding:
        return "not retrieved"
    return (
        "shown, not used" if any(chunk.chunk_id in shown for chunk in holding) else "left out by the budget"
    )


def _holds_gold(chunk: Chunk, question: Question) -> bool:
    """Tell whether a chunk holds at least half of a gold span, or is of a gold document without a span."""
    for gold in question.evidence:
        if gold.document_id != chunk.document_id:
            continue
        if gold.span is None:
            return True
        shared = min(gold.span[1], chunk.span[1]) - max(gold.span[0], chunk.span[0])
        if 2 * shared >= gold.span[1] - gold.span[0]:
            return True
    return False


def _holds(text: str, wording: str) -> bool:
    """Tell whether a text holds a wording that is not part of a longer number or word."""
    said, wanted = " ".join(text.casefold().split()), " ".join(wording.casefold().split())
    at = said.find(wanted)
    while at >= 0:
        before, after = said[at - 1 : at] if at else "", said[at + len(wanted) : at + len(wanted) + 1]
        if not (before and (before.isalnum() or before in ".,")) and not after.isalnum():
            return True
        at = said.find(wanted, at + 1)
    return False
