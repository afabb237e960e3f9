"""Why a chunk stands where it does: its place in each list, the fused sum and the terms, written out."""

from __future__ import annotations

from collections.abc import Mapping

from rag_kit.hidden import visible
from rag_kit.teaching.markup import BOX, CELL, MUTED, OPEN_BOX, escape
from rag_kit.teaching.views.passages import place
from rag_kit.teaching.views.retrieval.inspection import FUSED, RERANKED, Part, RetrievalInspection
from rag_kit.teaching.views.retrieval.links import chip
from rag_kit.types import Evidence

_LINE = "margin:4px 0;overflow-wrap:anywhere"
_NUMBER = f"{CELL};text-align:right"
_TERM_HEADS = ("term", "idf", "times in the chunk", "adds")
_FORMULA = (
    "adds = idf × tf × (k1 + 1) / (tf + k1 × (1 − b + b × length / mean length)); tf: times in the chunk"
)
_NAMED = {"dense": "cosine", "bm25": "score", FUSED: "score", RERANKED: "score"}


def why_html(seen: RetrievalInspection, opened: str = "") -> str:
    """Return the reasons of each chunk shown, folded all together and each by itself; those of one unfolded."""
    if not seen.letters:
        return ""
    boxes = "".join(_box(seen, chunk_id, chunk_id == opened) for chunk_id in seen.letters)
    state = " open" if opened in seen.letters else ""
    return (
        f'<details{state} style="margin:8px 0"><summary><strong>Why here?</strong></summary>{boxes}</details>'
    )


def reasons(seen: RetrievalInspection, chunk_id: str) -> list[str]:
    """Return a line for each list: the place in it and the score, and how the fused one comes about."""
    lines = []
    for ranking in seen.rankings:
        found = ranking.place_of([chunk_id])
        where = f"place {found}" if found else f"not among the {len(ranking.items)} candidates"
        item = ranking.items[found - 1] if found else _somewhere(seen, chunk_id)
        score = item.score if found else item.scores.get(ranking.name)
        line = f"{ranking.name}: {where}"
        if ranking.name == FUSED and score is not None:
            line += f"; {fused_sum(seen, chunk_id)} = {score_text(seen, FUSED, score)}"
        elif score is not None:
            line += f", {_NAMED.get(ranking.name, 'score')} {score_text(seen, ranking.name, score)}"
        lines.append(line)
    return lines


def fused_sum(seen: RetrievalInspection, chunk_id: str) -> str:
    """Write out the sum of a fused score, before its result."""
    rrf = seen.fusion.method == "rrf"
    added = [part for part in seen.parts[chunk_id] if part.weight and (part.rank or not rrf)]
    return " + ".join(_part_text(seen, part) for part in added) or "0"


def score_text(seen: RetrievalInspection, name: str, score: float) -> str:
    """Write a score: sums of reciprocal ranks lie so close that they need a fourth decimal."""
    return f"{score:.4f}" if name == FUSED and seen.fusion.method == "rrf" else f"{score:.3f}"


def weights_text(weights: Mapping[str, float]) -> str:
    """Write weights in a line.

    >>> weights_text({"dense": 1.0, "bm25": 0.5})
    'dense 1, bm25 0.5'
    """
    return ", ".join(f"{name} {weight:g}" for name, weight in weights.items())


def _part_text(seen: RetrievalInspection, part: Part) -> str:
    if seen.fusion.method == "rrf":
        return f"{part.weight:g}/({seen.fusion.k:g} + {part.rank})"
    value = f"{part.value:.3f}"
    return f"{part.weight:g} × {f'({value})' if part.value < 0 else value}"


def _somewhere(seen: RetrievalInspection, chunk_id: str) -> Evidence:
    return next(e for ranking in seen.rankings for e in ranking.items if e.chunk.chunk_id == chunk_id)


def _box(seen: RetrievalInspection, chunk_id: str, is_open: bool) -> str:
    chunk = seen.chunks[chunk_id]
    where = escape(visible(place(chunk.title, chunk.heading_path)))
    opening = f'<details open style="{OPEN_BOX}">' if is_open else f'<details style="{BOX}">'
    lines = "".join(f'<p style="{_LINE}">{escape(line)}</p>' for line in reasons(seen, chunk_id))
    return (
        f"{opening}<summary>{chip(seen.letters, chunk_id)} {where}</summary>"
        f"{lines}{_terms(seen, chunk_id)}</details>"
    )


def _terms(seen: RetrievalInspection, chunk_id: str) -> str:
    shares = seen.terms[chunk_id]
    if not shares:
        return f'<p style="{_LINE}">The question has no term that lexical search counts.</p>'
    rows = [
        (
            share.term + (f" (×{share.times})" if share.times > 1 else ""),
            f"{share.idf:.3f}",
            str(share.count or "–"),
            f"{share.score:.3f}" if share.count else "–",
        )
        for share in shares
    ]
    rows.append(("bm25 in all", "", "", f"{sum(share.score for share in shares):.3f}"))
    head = "".join(f'<th scope="col" style="{_NUMBER}">{name}</th>' for name in _TERM_HEADS)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_NUMBER}">{escape(cell)}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    note = f'<p style="{_LINE};{MUTED}">{_FORMULA}</p>'
    table = f'<table style="margin:4px 0"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f"{table}{note}"
