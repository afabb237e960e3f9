"""A checkpoint question: one right option, and for each wrong one the reason why it is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rag_kit.errors import InvalidValue
from rag_kit.hidden import show_unseen
from rag_kit.teaching.grading.results import Answered, Results, State
from rag_kit.teaching.markup import BODY, inline, without_ticks
from rag_kit.teaching.twin import Twin, load_widgets

_LETTERS = "ABCDEFGHIJ"
"""They stand in the text: a page's own style numbers the items of a list as it likes."""
_OPTION = "margin:2px 0 2px 1.2em"


@dataclass(frozen=True, slots=True)
class QuizResult:
    """What a learner did: checks made, whether the last choice is right, and the first choice."""

    key: str
    attempts: int = 0
    correct: bool = False
    first_choice: str | None = None


class Quiz(Twin):
    """Ask a question; ``options`` are pairs of text and feedback, ``answer`` is the right one's index.

    ``key`` names the question in ``result``, which is of this quiz alone, and among the learner's kept
    results, which add up.
    """

    def __init__(self, question: str, options: Sequence[tuple[str, str]], *, answer: int, key: str) -> None:
        if not 2 <= len(options) <= len(_LETTERS):
            raise InvalidValue(f"quiz {key!r} has {len(options)} options; give 2 to {len(_LETTERS)}")
        if not 0 <= answer < len(options):
            raise InvalidValue(f"quiz {key!r}: answer {answer} is no option; choose 0 to {len(options) - 1}")
        if silent := [text for text, feedback in options if not feedback.strip()]:
            raise InvalidValue(
                f"quiz {key!r}: option {silent[0]!r} has no feedback; say why it is right or wrong"
            )
        self.question, self.options, self.answer = question, tuple(options), answer
        self.result = QuizResult(key)
        if widgets := load_widgets():
            self._build(widgets)

    def check(self, choice: int) -> bool:
        """Record a choice and return whether it is right; raises InvalidValue for one that is no option."""
        self.result = QuizResult(
            self.result.key,
            self.result.attempts + 1,
            choice == self.answer,
            self.result.first_choice or self._option(choice)[0],
        )
        Results().change(self._keep)
        return self.result.correct

    def feedback_html(self, choice: int) -> str:
        """Return what is said to a choice; raises InvalidValue for one that is no option."""
        verdict = "Right." if choice == self.answer else "Not this one."
        feedback = inline(self._option(choice)[1])
        return f'<div role="status" style="{BODY}"><strong>{verdict}</strong> {feedback}</div>'

    def html(self) -> str:
        """Return question and options, with the answer and every feedback folded away."""
        options = "".join(
            f'<p style="{_OPTION}"><strong>{letter}.</strong> {inline(text)}</p>'
            for letter, text, _ in self._lettered()
        )
        right = _LETTERS[self.answer]
        others = "".join(
            f"<li>{letter}: {inline(feedback)}</li>"
            for letter, _, feedback in self._lettered()
            if letter != right
        )
        reason = f"<strong>{right}</strong>: {inline(self.options[self.answer][1])}"
        return (
            f'<div style="{BODY}"><p><strong>{inline(self.question)}</strong></p>{options}'
            f"<details><summary>Show the answer</summary><p>{reason}</p>"
            f"<p>Why not the others:</p><ul>{others}</ul></details></div>"
        )

    def text(self) -> str:
        """Return question and options; the answer is left to the learner."""
        options = (f"  {letter}. {text}" for letter, text, _ in self._lettered())
        return show_unseen("\n".join([self.question, *options]))

    def _lettered(self) -> list[tuple[str, str, str]]:
        return [(letter, *option) for letter, option in zip(_LETTERS, self.options, strict=False)]

    def _option(self, choice: int) -> tuple[str, str]:
        if isinstance(choice, bool) or not isinstance(choice, int) or not 0 <= choice < len(self.options):
            last = len(self.options) - 1
            raise InvalidValue(f"quiz {self.result.key!r}: {choice!r} is no option; choose 0 to {last}")
        return self.options[choice]

    def _keep(self, state: State) -> None:
        kept = state.checkpoints.setdefault(self.result.key, Answered())
        kept.attempts += 1
        kept.correct = self.result.correct
        kept.first_choice = kept.first_choice or self.result.first_choice

    def _build(self, widgets: Any) -> None:
        question = widgets.HTML(f'<div style="{BODY}"><strong>{inline(self.question)}</strong></div>')
        lettered = [
            (show_unseen(f"{letter}. {without_ticks(text)}"), index)
            for index, (letter, text, _) in enumerate(self._lettered())
        ]
        self.choice = widgets.RadioButtons(options=lettered, value=None, layout={"width": "auto"})
        self.button = widgets.Button(description="Check answer", disabled=True)
        self.feedback = widgets.HTML()
        self.choice.observe(self._chosen, "value")
        self.button.on_click(self._checked)
        self.root = widgets.VBox([question, self.choice, self.button, self.feedback])

    def _chosen(self, _change: object) -> None:
        self.button.disabled = self.choice.value is None
        self.feedback.value = ""

    def _checked(self, _button: object) -> None:
        if self.choice.value is None:
            return
        self.check(self.choice.value)
        self.feedback.value = self.feedback_html(self.choice.value)
