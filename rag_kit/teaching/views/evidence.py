"""What came back from a search, in order, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag_kit.hidden import show_unseen, visible
from rag_kit.sentences import plain, units
from rag_kit.teaching.markup import CELL, SHORT_CELL, escape, shorten
from rag_kit.teaching.twin import Rendered
from rag_kit.teaching.views.passages import place
from rag_kit.types import Chunk, Evidence

LEFT_OUT = "left out"


def evidence_table(evidence: Sequence[Evidence], labels: Mapping[str, str] | None = None) -> Rendered:
    """Show hits with rank, similarity and how each begins.

    ``labels`` are an answer's: they tell under which label a passage was shown to the model, and which
    were left out by the budget. Without them the column is left away.
    """
    head = ["rank", "similarity", *(["label"] if labels is not None else []), "document › section", "begins"]
    shown = {chunk_id: label for label, chunk_id in (labels or {}).items()}
    rows = []
    for item in evidence:
        chunk = item.chunk
        similarity = "–" if item.similarity is None else f"{item.similarity:.3f}"
        label = [shown.get(chunk.chunk_id, LEFT_OUT)] if labels is not None else []
        where = shorten(visible(place(chunk.title, chunk.heading_path)), 80)
        rows.append([str(item.rank), similarity, *label, where, opening(chunk)])
    return Rendered({"text/html": _html(head, rows), "text/plain": _text(head, rows)})


def opening(chunk: Chunk, width: int = 100) -> str:
    """Return how a passage begins, as :func:`in_words` writes it."""
    return shorten(visible(in_words(chunk)), width)


def in_words(chunk: Chunk) -> str:
    """Write a passage without markup and headings, the cells of a table row named."""
    own = units(chunk.text, prefix=chunk.prefix)
    said = " ".join(plain(chunk.text[unit.span[0] : unit.span[1]], unit.header) for unit in own)
    return said or plain(chunk.text)


def _html(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return "<p>Nothing came back.</p>"
    styles = [SHORT_CELL] * (len(head) - 2) + [CELL] * 2
    top = "".join(f'<th scope="col" style="{SHORT_CELL}">{escape(cell)}</th>' for cell in head)
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{style}">{escape(cell)}</td>' for style, cell in zip(styles, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _text(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return "Nothing came back."
    table = [[show_unseen(cell) for cell in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    )
