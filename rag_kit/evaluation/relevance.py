"""Which of the passages found are relevant to a question, and what the ranking is worth by that.

A passage is relevant when it holds at least half of a gold span, or, for gold without a span, when it is of
that document. Gold, and not passages, is what recall counts: **recall@k is the share of the question's
pieces of gold that some passage of the top k holds.** So a sentence that two overlapping chunks hold is
found with either of them, a whole document with any of its chunks, and gold that was cut into pieces too
small is lost, not left out of the sum. (Subtopic recall, Zhai, Cohen and Lafferty 2003; over ids, where each
piece of gold is one passage, it is plain recall.) nDCG and MAP follow suit: a passage gains where it
holds gold that none before it held, and gold that is not found is a place that the best ranking would have
filled. Precision, hit and MRR look at passages: is it relevant, or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.metrics import (
    average_precision,
    hit_at_k,
    ndcg_at_k,
    precision_at_k,
    reciprocal_rank,
)
from rag_kit.evaluation.questions import Gold
from rag_kit.evaluation.span_scores import DocumentSpan, chunk_spans, score_spans
from rag_kit.spans import shared
from rag_kit.types import Chunk

MEASURES = ("recall", "precision", "hit", "mrr", "ndcg", "map", "span_recall")


@dataclass(frozen=True, slots=True)
class Judged:
    """A ranking as metrics read it: ids, and which of them count for what.

    ``held`` says of each place which pieces of gold the passage there holds, numbered from 0; ``relevant``
    are the passages that hold any, ``new`` those that hold some before all others, with a name for each
    piece that is not found.
    """

    golds: int
    ranked: tuple[str, ...]
    held: tuple[tuple[int, ...], ...]
    relevant: frozenset[str]
    new: frozenset[str]


def holds(chunk: Chunk, gold: Gold) -> bool:
    """Tell whether a passage is relevant to a piece of gold: it holds half of it, or is of its document.

    >>> from rag_kit.testing import make_chunk
    >>> [holds(make_chunk("The fee is 5."), Gold("d", span)) for span in ((8, 18), (8, 19), None)]
    [True, False, True]
    """
    if chunk.document_id != gold.document_id or gold.span is None:
        return chunk.document_id == gold.document_id
    return 2 * shared(gold.span, chunk.span) >= gold.span[1] - gold.span[0]


def judge(golds: Iterable[Gold], chunks: Sequence[Chunk]) -> Judged:
    """Say which pieces of gold each passage of a ranking holds; gold named twice is one piece.

    >>> from rag_kit.testing import make_chunk
    >>> fee, card = make_chunk("The fee is 5."), make_chunk("Cards cost 2.", start=14)
    >>> judged = judge([Gold("d", (0, 13)), Gold("d", (14, 27)), Gold("e")], [card, fee])
    >>> judged.golds, judged.held
    (3, ((1,), (0,)))
    """
    wanted = list(dict.fromkeys(golds))
    ranked = tuple(chunk.chunk_id for chunk in chunks)
    held = tuple(tuple(at for at, gold in enumerate(wanted) if holds(chunk, gold)) for chunk in chunks)
    first: dict[int, str] = {}
    for name, pieces in zip(ranked, held, strict=True):
        for piece in pieces:
            first.setdefault(piece, name)
    # A chunk's id has no line end in it, so no chunk is taken for missing gold.
    new = {first.get(piece, f"not found\n{piece}") for piece in range(len(wanted))}
    relevant = frozenset(name for name, pieces in zip(ranked, held, strict=True) if pieces)
    return Judged(len(wanted), ranked, held, relevant, frozenset(new))


def score_ranking(golds: Iterable[Gold], chunks: Sequence[Chunk], k: int) -> dict[str, float]:
    """Compute every measure of the first k passages found for one question.

    span_recall is the share of the gold spans' characters that the passages hold between them; gold without
    a span has no characters, so a question whose gold is documents alone has its recall there. Raises
    InvalidValue for k below 1, and for no gold: such a question has no recall, not a recall of 0.

    >>> from rag_kit.testing import make_chunk
    >>> found = [make_chunk("Cards cost 2.", start=14), make_chunk("The fee is 5.")]
    >>> score_ranking([Gold("d", (0, 13))], found, 5)["mrr"]
    0.5
    """
    wanted = list(dict.fromkeys(golds))
    if not wanted:
        raise InvalidValue("a question without gold cannot be scored: leave it out")
    check_count("k", k)
    top = chunks[:k]
    judged = judge(wanted, top)
    ranked, relevant = judged.ranked, judged.relevant
    recall = len({piece for pieces in judged.held for piece in pieces}) / judged.golds
    spans: list[DocumentSpan] = [(gold.document_id, gold.span) for gold in wanted if gold.span is not None]
    return {
        "recall": recall,
        "precision": precision_at_k(ranked, relevant, k),
        "hit": hit_at_k(ranked, relevant, k),
        "mrr": reciprocal_rank(ranked, relevant, k),
        "ndcg": ndcg_at_k(ranked, judged.new, k),
        "map": average_precision(ranked, judged.new, k),
        "span_recall": score_spans(spans, chunk_spans(top)).recall if spans else recall,
    }
