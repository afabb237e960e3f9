"""Scoring passages by the characters they share with the gold spans, whatever they were cut by.

Definitions of "Evaluating Chunking Strategies for Retrieval" (Chroma technical report, 2024). A span is a
document id with a start and an end (exclusive) in that document; spans of two documents share nothing. |X|
is how many different characters a set of spans holds; total(X) adds the lengths up, so that what two
passages repeat counts twice: it is read twice.

One chunk set can so be compared with any other on the same questions. What a chunk carries beside its own
span (title, headings, a table's header as ``prefix``) counts nowhere: it is no evidence found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_kit.spans import merge, shared
from rag_kit.types import Chunk, Span

DocumentSpan = tuple[str, Span]
"""A span and the id of the document it is of."""


@dataclass(frozen=True, slots=True)
class SpanScores:
    """What the passages of one question are worth, each from 0 to 1."""

    recall: float
    precision: float
    iou: float


def score_spans(gold: Iterable[DocumentSpan], found: Iterable[DocumentSpan]) -> SpanScores:
    """Compute recall, precision and IoU of the passages that were found for one question.

    With hit = |gold ∩ found|: recall = hit / |gold|, precision = hit / total(found), and
    iou = hit / (total(found) + |gold| - hit). Nothing found, or no gold, is 0 throughout.

    >>> score_spans([("d", (0, 10))], [("d", (5, 15)), ("d", (10, 20))])
    SpanScores(recall=0.5, precision=0.25, iou=0.2)
    """
    wanted, given = list(gold), list(found)
    hit, size, read = covered(wanted, given), length(wanted), sum(end - start for _, (start, end) in given)
    return SpanScores(_share(hit, size), _share(hit, read), _share(hit, read + size - hit))


def precision_omega(gold: Iterable[DocumentSpan], chunks: Iterable[DocumentSpan]) -> float:
    """Compute the precision that perfect retrieval would reach: a property of the chunker alone.

    Found are all chunks that touch a gold span, each character once: hit / (|touching| + |gold| - hit), the
    last part being gold that no chunk holds. To touch is to share at least one character; the report's own
    code also counts a chunk that only ends where the gold begins, which lowers the figure.

    >>> precision_omega([("d", (8, 12))], [("d", (0, 10)), ("d", (10, 20)), ("d", (20, 30))])
    0.2
    """
    wanted = list(gold)
    touching = [chunk for chunk in chunks if any(_shared(chunk, span) > 0 for span in wanted)]
    hit = covered(wanted, touching)
    return _share(hit, length(touching) + length(wanted) - hit)


def chunk_spans(chunks: Iterable[Chunk]) -> list[DocumentSpan]:
    """Return where chunks stand.

    >>> from rag_kit.testing import make_chunk
    >>> chunk_spans([make_chunk("Five.", "fees", start=10)])
    [('fees', (10, 15))]
    """
    return [(chunk.document_id, chunk.span) for chunk in chunks]


def length(spans: Iterable[DocumentSpan]) -> int:
    """Count the different characters that some spans hold.

    >>> length([("d", (0, 10)), ("d", (5, 12)), ("e", (0, 3))])
    15
    """
    return sum(end - start for _, (start, end) in union(spans))


def covered(gold: Sequence[DocumentSpan], found: Sequence[DocumentSpan]) -> int:
    """Count the characters of the gold that some spans hold.

    >>> covered([("d", (0, 10)), ("d", (20, 30))], [("d", (5, 25)), ("e", (0, 99))])
    10
    """
    return length(
        (one[0], (max(one[1][0], two[1][0]), min(one[1][1], two[1][1])))
        for one in gold
        for two in found
        if _shared(one, two) > 0
    )


def union(spans: Iterable[DocumentSpan]) -> list[DocumentSpan]:
    """Join spans that overlap or meet, in order.

    >>> union([("d", (5, 9)), ("d", (0, 5)), ("e", (1, 2))])
    [('d', (0, 9)), ('e', (1, 2))]
    """
    by_document: dict[str, list[Span]] = defaultdict(list)
    for document_id, span in spans:
        by_document[document_id].append(span)
    return [(name, span) for name in sorted(by_document) for span in merge(by_document[name])]


def _shared(one: DocumentSpan, two: DocumentSpan) -> int:
    return shared(one[1], two[1]) if one[0] == two[0] else 0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
