"""Packing: which stretches go into one chunk, so that each fits and the cuts together cost least."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from rag_kit.chunking.stretches import Stretch, Stretches, join
from rag_kit.sentences import trim
from rag_kit.types import Chunk, HeadingPath

# Of the marks of other scripts the Greek one looks like a semicolon; quotes and an anchor may follow.
_QUESTION = re.compile(r"[?？؟;\u037e][!?\"'”’»)*_\s]*(?:\{#[^{}]*\}\s*)?\Z")
SMALL = 4
"""A chunk under a quarter of the size is small: it is merged with its neighbour where both fit."""


def best_cuts(
    tokens: Sequence[int], costs: Sequence[float], room: int, *, full: int, leads: Sequence[int] = ()
) -> list[tuple[int, int]]:
    """Cut a row of stretches into parts of at most ``room`` tokens, so that the cuts together cost least.

    ``costs`` says what a cut before each stretch costs, ``leads`` how many tokens stand before the stretch where
    a part begins with it. A part that holds fewer than ``full`` tokens costs (1 - held / full)² more, so that
    none is small and the last is no rest. Only a stretch that is longer by itself makes a part that is.

    >>> best_cuts([4, 4, 4, 4], [0, 1, 1, 1], 12, full=12)
    [(0, 2), (2, 4)]
    >>> best_cuts([4, 4, 4, 4], [0, 1, 1, 0], 12, full=12)
    [(0, 3), (3, 4)]
    """
    totals = [0, *accumulate(tokens)]
    leads = leads or [0] * len(tokens)
    # What the cuts so far cost and how many they are: of equal ways, the one with fewer is better.
    cost = [(0.0, 0)] + [(float("inf"), 0)] * len(tokens)
    begins = [0] * len(cost)
    for end in range(1, len(cost)):
        for start in range(end - 1, -1, -1):
            own = totals[end] - totals[start]
            if own > room and start < end - 1:
                break
            held = own + leads[start]
            if held > room and start < end - 1:
                continue
            loss = max(0.0, 1 - held / full)
            before, parts_before = cost[start]
            spent = before + (costs[start] if start else 0.0) + loss * loss, parts_before + 1
            if spent < cost[end]:
                cost[end], begins[end] = spent, start
    parts: list[tuple[int, int]] = []
    end = len(tokens)
    while end:
        parts.append((begins[end], end))
        end = begins[end]
    return parts[::-1]


def pack(
    stretches: Stretches,
    section: list[Stretch],
    costs: Sequence[float],
    *,
    overlap: int,
    full: int | None = None,
) -> Iterator[Stretch]:
    """Yield the chunks of one section, each as one stretch, its repeated sentences included.

    ``full`` is the number of tokens that a chunk should hold; without it, as many as there is room for.
    """
    room = stretches.room(section[0].span[0])
    tokens = [stretches.tokens(stretch.span) for stretch in section]
    # Counts of neighbours that share a word (scripts without blanks) add up to more than the whole, never less.
    tails = [_tail(section, tokens, at, min(overlap, room - tokens[at])) for at in range(len(section))]
    leads = [
        stretches.count(stretch.prefix) or sum(tokens[tail:at])
        for at, (stretch, tail) in enumerate(zip(section, tails, strict=True))
    ]
    begun = 0
    for start, end in best_cuts(tokens, costs, room, full=full or room, leads=leads):
        # The last chunk is never repeated whole.
        first = min(max(tails[start], begun + 1), start)
        yield join(section[first], section[end - 1])
        begun = start


def _tail(section: list[Stretch], tokens: list[int], at: int, most: int) -> int:
    """Return the first of the sentences before a stretch that a chunk which begins with it may repeat."""
    first = at
    while first and section[first - 1].repeats and tokens[first - 1] <= most and not section[at].prefix:
        first -= 1
        most -= tokens[first]
    return first


def make_chunks(stretches: Stretches, parts: Iterable[Stretch]) -> Iterator[Chunk]:
    """Yield the chunks of a document: small neighbours merged, and cut again what is longer than it seemed."""
    last_start = last_end = 0
    for part in (fitting for merged in _merged(stretches, parts) for fitting in _fit(stretches, merged)):
        span = part.span
        if span[0] < last_start:  # What it repeats was cut again, and the last stretch of it is shorter.
            span = trim(stretches.maker.document.text, (last_end, span[1]))
        yield stretches.maker.make(span, overlap=max(0, last_end - span[0]), prefix=part.prefix)
        last_start, last_end = span


def _merged(stretches: Stretches, parts: Iterable[Stretch]) -> Iterator[Stretch]:
    """Merge small chunks with the neighbour that follows, under one parent heading and within the size."""
    held: Stretch | None = None
    for part in parts:
        if held and _mergeable(stretches, held, part):
            held = join(held, part)
            continue
        if held:
            yield held
        held = part
    if held:
        yield held


def _mergeable(stretches: Stretches, one: Stretch, two: Stretch) -> bool:
    small = stretches.size // SMALL
    if min(stretches.tokens(one.span), stretches.tokens(two.span)) > small or one.prefix or two.prefix:
        return False
    first, second = stretches.maker.heading_path(one.span[0]), stretches.maker.heading_path(two.span[0])
    if first[:-1] != second[:-1] and second[: len(first)] != first:
        return False
    if first != second and (_asks(second) or (_asks(first) and second[: len(first)] != first)):
        return False
    return stretches.tokens((one.span[0], two.span[1])) <= stretches.room(one.span[0])


def _asks(heading_path: HeadingPath) -> bool:
    """Tell whether a section is the answer to a question: among others, it would be found for none of them."""
    return bool(heading_path) and _QUESTION.search(heading_path[-1]) is not None


def _fit(stretches: Stretches, part: Stretch) -> Iterator[Stretch]:
    """Cut a chunk whose tokens are more in one go than the sum of its words': with BPE they can be."""
    most = max(stretches.size, stretches.maker.head_tokens(part.span[0]) + stretches.size // 2)
    over = stretches.maker.tokens(part.span, part.prefix) - most
    if over <= 0:
        yield part
    else:
        room = stretches.tokens(part.span) + stretches.count(part.prefix) - over
        for stretch in stretches.words(part.span, room, part.prefix, part.prefix):
            yield replace(stretch, repeats=part.repeats)
