"""Pieces of lines that belong to others: shadows drawn over them, and capitals that reach over lines."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher

from rag_kit.parsing.pdf.segments import Segment


def without_shadows(segments: list[Segment]) -> list[Segment]:
    """Drop a piece that is drawn over another with nearly the same words: a shadow, or an older version."""
    kept: list[Segment] = []
    for segment in sorted(segments, key=lambda each: (each.base, each.x0)):
        for at in range(len(kept) - 1, max(-1, len(kept) - 12), -1):
            other = kept[at]
            over = min(segment.x1, other.x1) - max(segment.x0, other.x0)
            narrow = min(segment.x1 - segment.x0, other.x1 - other.x0)
            if over < 0.6 * narrow or abs(segment.base - other.base) > 0.4 * segment.size:
                continue
            first, second = ("".join(each.text.split())[:300] for each in (other, segment))
            short, long = sorted((first, second), key=len)
            if short in long or SequenceMatcher(None, short, long, autojunk=False).ratio() > 0.8:
                kept[at] = max(other, segment, key=lambda each: len(each.text))
                break
        else:
            kept.append(segment)
    return kept


def with_capitals(segments: list[Segment]) -> list[Segment]:
    """Put a large first letter that reaches over several lines to the first of them."""
    large = [s for s in segments if len(s.text) == 1 and s.text.isupper()]
    for letter in large:
        beside = [
            at
            for at, s in enumerate(segments)
            if s.size < 0.6 * letter.size
            and -0.3 * letter.size < s.x0 - letter.x1 < 0.6 * letter.size
            and letter.top - s.size < s.top < letter.base
            and s.base <= letter.base + 0.3 * s.size
        ]
        if len(beside) > 1:
            at = min(beside, key=lambda each: segments[each].base)
            apart = segments[at].x0 - letter.x1 > 0.3 * segments[at].size and letter.text in "AIO"
            text = letter.text + (" " if apart else "") + segments[at].text
            segments[at] = replace(segments[at], text=text)
            segments = [s for s in segments if s is not letter]
    return segments
