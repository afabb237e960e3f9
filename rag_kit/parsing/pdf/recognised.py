"""Tables among recognised pieces of lines, found as on a page of text once the pieces are cut into words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean

from rag_kit.parsing.pdf.parts import PlacedTable
from rag_kit.parsing.pdf.segments import Segment
from rag_kit.parsing.pdf.tables import find_unruled
from rag_kit.parsing.pdf.tables.grid import Word


def take_tables(segments: Sequence[Segment]) -> tuple[list[PlacedTable], list[Segment]]:
    """Return the tables that recognised pieces make, each with how sure its pieces are, and the other pieces."""
    words = [word for segment in segments for word in words_of(segment)]
    placed: list[PlacedTable] = []
    rest = list(segments)
    for found in find_unruled(words):
        inside = [each for each in rest if _holds(found.bbox, each)]
        sure = [each.confidence for each in inside if each.confidence is not None]
        rest = [each for each in rest if not _holds(found.bbox, each)]
        placed.append(PlacedTable(found, found.bbox, confidence=round(mean(sure), 4) if sure else None))
    return placed, rest


def words_of(segment: Segment) -> Iterator[Word]:
    """Cut a piece into its words, each as wide as its share of the characters.

    >>> [(w.text, w.x0, w.x1) for w in words_of(Segment("4.6 mA", 0, 0, 60, 10, 8, 8))]
    [('4.6', 0.0, 30.0), ('mA', 40.0, 60.0)]
    """
    wide = (segment.x1 - segment.x0) / max(1, len(segment.text))
    at = 0
    for text in segment.text.split(" "):
        if text:
            left, right = segment.x0 + at * wide, segment.x0 + (at + len(text)) * wide
            yield Word(float(left), segment.top, float(right), segment.bottom, text)
        at += len(text) + 1


def _holds(box: tuple[float, float, float, float], segment: Segment) -> bool:
    across, down = (segment.x0 + segment.x1) / 2, (segment.top + segment.bottom) / 2
    return box[0] <= across <= box[2] and box[1] <= down <= box[3]
