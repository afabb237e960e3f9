"""A sweep as a table and a sentence or two, written by a cell; what a run took is left out, it never repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag_kit.evaluation.sweep_result import SweepResult, best
from rag_kit.evaluation.sweep_text import sweep_rows, winner_lines
from rag_kit.teaching.prose import show_markdown
from rag_kit.teaching.table import show_table

if TYPE_CHECKING:
    from IPython.display import Markdown


def sweep_table(result: SweepResult) -> Markdown:
    """Return the figures of a sweep as a table, a row an arm, and what could not be measured below it."""
    columns, rows = sweep_rows(result)
    failed = [f"- {error.arm.name}: not measured: {error.message}" for error in result.errors]
    return show_markdown(show_table(columns, rows).data, *(["\n".join(failed)] if failed else []))


def sweep_winner(result: SweepResult, measure: str = "recall") -> Markdown:
    """Return who wins by a measure and what each comparison showed. Raises InvalidValue as `best` does."""
    chosen, reported, *comparisons = winner_lines(best(result, measure))
    return show_markdown(f"{chosen}. {reported}.", "\n".join(f"- {line.strip()}" for line in comparisons))
