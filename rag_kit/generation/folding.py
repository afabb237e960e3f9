"""Folding: of passages that say the same one is shown, and of a document one version.

A copy takes the place of something else in a prompt, and two versions of one document contradict each other.
What is folded away is kept on record. When in doubt two passages stay two: a copy costs tokens, a lost fact
costs the answer.

- **Versions.** A passage of a document that another one among the evidence supersedes is folded into the best
  passage of that one (:mod:`rag_kit.succession` says which). An addendum (``amends``) is a document of its
  own.
- **Copies.** The same words, or nearly: three-word runs of which at least ``NEARLY`` are shared. The one in
  force is kept, else the better.
- **Parts.** A passage that stands inside another one of its document, or whose runs another text holds, all of
  them. The longer one is kept, in its own place.

Of other texts than the very same and the span inside a span, each sentence of the passage that goes stands in
the one that is kept, in the same order: the same words and signs in the same order, but for articles and their
like, markup and ordinary punctuation (:mod:`rag_kit.generation.telling`).

Never folded as copies or parts: passages with different access tags; passages under different headings of one
document; passages of two documents where a figure or a word of the question stands in one's title or headings
alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from typing import Literal

import numpy as np

from rag_kit.generation.telling import Told, holds_all, read_sentences
from rag_kit.hidden import visible
from rag_kit.sentences import trim
from rag_kit.shingles import FEWEST_RUNS, NEARLY, Shingler, Shingles, similarity
from rag_kit.spans import contains, shift
from rag_kit.succession import find_succession
from rag_kit.types import Chunk, Evidence, Span
from rag_kit.wording import all_words, content_words, one_form

Reason = Literal["older version", "same text", "nearly the same text", "part of it"]
_SECTION_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2})*[.)]?\s+(?=\D)")


@dataclass(frozen=True, slots=True)
class Fold:
    """A passage that is not shown, the one that is shown in its place, and why."""

    dropped: Evidence
    kept: Evidence
    reason: Reason


@dataclass(frozen=True, slots=True)
class Folded:
    """What is left of some evidence, in its order, and what was folded away, in its order too."""

    kept: tuple[Evidence, ...]
    folds: tuple[Fold, ...] = ()


@dataclass(frozen=True, eq=False)
class _Item:
    """A passage with what it is compared by; no slots, since what is seldom needed is made when it is."""

    at: int
    evidence: Evidence
    text: str
    said: str
    runs: Shingles
    place: frozenset[str]
    span: Span

    @property
    def chunk(self) -> Chunk:
        return self.evidence.chunk

    @cached_property
    def told(self) -> Told:
        return read_sentences(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(all_words(self.text))


_Judge = Callable[[_Item, _Item], Reason | None]


def fold(evidence: Sequence[Evidence], *, question: str = "", as_of: date | None = None) -> Folded:
    """Fold versions, copies and parts; order is kept, and no two of what is left fold into each other.

    ``question`` tells which words of a title make two passages two answers; ``as_of`` lets a passage that
    has not expired stand for one that has.

    >>> from rag_kit.testing import make_evidence
    >>> folded = fold(make_evidence("The fee is 5.", "The  fee is 5.", "The fee is 6."))
    >>> [item.rank for item in folded.kept], [(f.dropped.rank, f.kept.rank, f.reason) for f in folded.folds]
    ([1, 3], [(2, 1, 'same text')])
    """
    return folder(evidence, question=question, as_of=as_of)(range(len(evidence)))


def folder(
    evidence: Sequence[Evidence], *, question: str = "", as_of: date | None = None
) -> Callable[[Collection[int]], Folded]:
    """Return what folds some of the evidence, given their places: for :func:`fold` again and again.

    Each passage is read once, and each two are compared once.

    >>> from rag_kit.testing import make_evidence
    >>> fold_some = folder(make_evidence("The fee is 5.", "The  fee is 5.", "The fee is 6."))
    >>> [item.rank for item in fold_some([1, 2]).kept]
    [2, 3]
    """
    asked = set(content_words(question))
    every = _items(evidence)
    copy = cache(lambda kept, item: _copy(kept, item, asked))
    part = cache(lambda kept, item: _part(kept, item, asked))

    def fold_some(places: Collection[int]) -> Folded:
        items = [every[at] for at in sorted(places)]
        into = _older_versions(items)
        left = [item for item in items if item.at not in into]
        left.sort(key=lambda item: (_ended(item.chunk, as_of), item.at))
        left = _sift(left, copy, into)
        left.sort(key=lambda item: (-len(item.said), item.at))
        left = _sift(left, part, into)
        folds = [
            Fold(item.evidence, _last(item, into).evidence, into[item.at][1])
            for item in items
            if item.at in into
        ]
        return Folded(tuple(item.evidence for item in sorted(left, key=lambda item: item.at)), tuple(folds))

    return fold_some


def _items(evidence: Sequence[Evidence]) -> list[_Item]:
    shingler = Shingler()
    items = []
    for at, given in enumerate(evidence):
        chunk = given.chunk
        text = visible(f"{chunk.prefix}\n{chunk.text}" if chunk.prefix else chunk.text)
        headings = [_SECTION_NUMBER.sub("", heading, count=1) for heading in chunk.heading_path]
        place = frozenset(all_words(" ".join((chunk.title, *headings))))
        span = shift(trim(chunk.text, (0, len(chunk.text))), chunk.span[0])
        said = " ".join(text.casefold().split())
        items.append(_Item(at, given, text, said, shingler(text), place, span))
    return items


def _sift(items: Sequence[_Item], judge: _Judge, into: dict[int, tuple[_Item, Reason]]) -> list[_Item]:
    """Keep each item that folds into none of those kept before it."""
    kept: list[_Item] = []
    for item in items:
        for other in kept:
            if reason := judge(other, item):
                into[item.at] = (other, reason)
                break
        else:
            kept.append(item)
    return kept


def _last(item: _Item, into: dict[int, tuple[_Item, Reason]]) -> _Item:
    """Return what is shown for an item: what it was folded into may have been folded itself."""
    while item.at in into:
        item = into[item.at][0]
    return item


def _ended(chunk: Chunk, as_of: date | None) -> int:
    # A successor that is still to come has ended nothing.
    superseded = chunk.superseded_at is not None and (as_of is None or chunk.superseded_at <= as_of)
    expired = as_of is not None and chunk.expires_at is not None and chunk.expires_at <= as_of
    return 2 * superseded + expired


def _older_versions(items: Sequence[_Item]) -> dict[int, tuple[_Item, Reason]]:
    """Fold the passages of each document that another one supersedes, in one step or in several."""
    best: dict[str, _Item] = {}
    for item in items:
        best.setdefault(one_form(item.chunk.document_id), item)
    replaced = find_succession(item.chunk for item in best.values()).replaced
    reach = {key: _below(key, replaced) for key in best}
    above = {key: [other for other in best if key in reach[other]] for key in best}
    into: dict[int, tuple[_Item, Reason]] = {}
    for item in items:
        newest = (key for key in above[one_form(item.chunk.document_id)] if not above[key])
        if (key := next(newest, None)) is not None:
            into[item.at] = (best[key], "older version")
    return into


def _below(key: str, replaced: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the versions that a document replaces, and those that these replace."""
    found: set[str] = set()
    left = [key]
    while left:
        fresh = set(replaced.get(left.pop(), ())) - found
        found |= fresh
        left += fresh
    return found


def _copy(kept: _Item, item: _Item, asked: set[str]) -> Reason | None:
    if kept.chunk.chunk_id == item.chunk.chunk_id:
        return "same text"
    same = kept.said == item.said
    if not same:
        few = min(len(kept.runs), len(item.runs)) < FEWEST_RUNS
        if few or similarity(kept.runs, item.runs) < NEARLY:
            return None
        if not holds_all(kept.told, item.told):
            return None
    if not _may_fold(kept, item, asked) or not _in_place(kept, item):
        return None
    return "same text" if same else "nearly the same text"


def _part(kept: _Item, item: _Item, asked: set[str]) -> Reason | None:
    one, two = kept.chunk, item.chunk
    if one.access_tags != two.access_tags:
        return None
    if one.document_id == two.document_id and contains(kept.span, item.span):
        return "part of it"
    if not FEWEST_RUNS <= len(item.runs) <= len(kept.runs):
        return None
    if not np.isin(item.runs, kept.runs, assume_unique=True).all():
        return None
    told = holds_all(kept.told, item.told) and _may_fold(kept, item, asked)
    return "part of it" if told else None


def _may_fold(kept: _Item, item: _Item, asked: set[str]) -> bool:
    """Tell whether nothing around two texts makes them two: tags, headings, words of the question."""
    one, two = kept.chunk, item.chunk
    if one.access_tags != two.access_tags:
        return False
    if one.document_id == two.document_id:
        return one.heading_path == two.heading_path
    missing = item.place - kept.place - kept.words
    return not any(word in asked or any(sign.isdecimal() for sign in word) for word in missing)


def _in_place(kept: _Item, item: _Item) -> bool:
    """Tell whether the kept copy's title and headings hold no figure that the other one has nowhere."""
    missing = kept.place - item.place - item.words
    same = kept.chunk.document_id == item.chunk.document_id
    return same or not any(sign.isdecimal() for word in missing for sign in word)
