"""Grading answers by the words they must hold."""

from __future__ import annotations

from typing import Literal

from rag_kit.evaluation.questions import Question

AnswerGrade = Literal["right", "wrong", "refused"]


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
