"""Contextual compression: of each passage the sentences, list items and table rows that bear on the question.

What is kept is a span of the document, never rewritten, so that a quote can still be located; what is left out
is marked. A kept snippet brings along what it cannot be read without: the headings above it inside the passage,
the header of its table, the sentence that leads into its list, the one before a sentence that points back
("They", "However"), and an exception that follows.

A snippet is scored by the question's words that it holds, rare ones counting for more, as BM25's idf weighs
them over all snippets; with an embedder, the cosine of snippet and question is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag_kit.errors import InvalidValue
from rag_kit.generation.passages import Passage
from rag_kit.hidden import visible
from rag_kit.protocols import Embedder
from rag_kit.rarity import rarity
from rag_kit.sentences import FENCED, plain, trim, units
from rag_kit.spans import shift
from rag_kit.types import Chunk, Evidence, Span
from rag_kit.wording import content_words

LEAST = 0.3
"""Share of the best snippet's score from which a snippet is kept."""
LEAST_OMITTED = 40
"""Letters: what is shorter is not worth a mark of omission."""

_FENCED = re.compile(FENCED, re.S | re.M)
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\Z")
_UNDERLINED = re.compile(r"\n[ \t]{0,3}(?:=+|-+)[ \t]*(?=\n|\Z)")
_LEANS_BACK = re.compile(
    r"\W*(?:it|its|this|that|these|those|they|their|them|he|she|such|both|either|neither|however|but|otherwise"
    r"|except|instead|then|there|the same|the latter|the former)\b",
    re.I,
)
_TURNS_BACK = re.compile(r"\W*(?:however|but|otherwise|except|exceptions?|unless|instead|only)\b", re.I)


@dataclass(frozen=True, slots=True)
class Snippet:
    """A unit of a passage, or a block of code: what is kept or left out as one.

    ``span`` counts in the chunk's text and takes in a list item's marker. ``above`` are the spans of headings
    and of a table's header that have to stand above it.
    """

    span: Span
    kind: str
    text: str
    above: tuple[Span, ...] = ()


def compress(
    evidence: Sequence[Evidence],
    question: str,
    *,
    least: float = LEAST,
    embedder: Embedder | None = None,
) -> list[Passage]:
    """Keep of the passages what bears on the question: what scores ``least`` of the best snippet or more.

    The best snippet is that of all passages, so one that says much keeps much; of each passage at least its
    own best snippet is kept. A passage that holds none of the question's words stays whole where there is no
    embedder to ask. Raises InvalidValue for a ``least`` that is no share.

    >>> from rag_kit.testing import make_evidence
    >>> rain = "It rained for most of the week in May, and then it stopped."
    >>> found = make_evidence(f"The fee is 5. {rain} Cats sleep all day long, they say.")
    >>> compress(found, "What is the fee?")[0].text
    'The fee is 5.'
    """
    if not 0 <= least <= 1:
        raise InvalidValue(f"least {least} is no share of a score: choose a number from 0 to 1")
    snippets = [snippets_of(item.chunk) for item in evidence]
    scores = _score(question, snippets)
    if embedder is not None and question.strip():
        closeness = _closeness(question, snippets, embedder)
        scores = [
            [score + close for score, close in zip(*pair, strict=True)]
            for pair in zip(scores, closeness, strict=True)
        ]
    wanted = least * max((score for own in scores for score in own), default=0.0)
    return [
        _shorten(item, own, _choose(score, wanted)) if any(score) else Passage.of(item)
        for item, own, score in zip(evidence, snippets, scores, strict=True)
    ]


def best_snippets(evidence: Sequence[Evidence], question: str) -> list[Snippet | None]:
    """Return of each passage the snippet that holds most of the question's words, or None if none holds any.

    >>> from rag_kit.testing import make_evidence
    >>> found = make_evidence("It rains. The fee is 5.", "No.")
    >>> [best and best.text for best in best_snippets(found, "Which fee?")]
    ['The fee is 5.', None]
    """
    snippets = [snippets_of(item.chunk) for item in evidence]
    return [
        own[_choose(score, max(score))[0]] if any(score) else None
        for own, score in zip(snippets, _score(question, snippets), strict=True)
    ]


def snippets_of(chunk: Chunk) -> list[Snippet]:
    r"""Cut a chunk into what can be kept or left out, in order.

    >>> from rag_kit.testing import make_chunk
    >>> chunk = make_chunk("Fees:\n\n- by card\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    >>> [(chunk.text[slice(*p.span)], p.kind, p.above) for p in snippets_of(chunk)]
    [('Fees:', 'sentence', ()), ('- by card', 'item', ()), ('| 1 | 2 |', 'row', ((18, 37),))]
    """
    text = chunk.text
    found = units(text, prefix=chunk.prefix)
    code = [span for match in _FENCED.finditer(text) if (span := trim(text, match.span()))[0] < span[1]]
    parts = sorted(
        [(unit.span, unit.kind, unit.header) for unit in found] + [(span, "code", ()) for span in code]
    )
    snippets: list[Snippet] = []
    head: Span | None = None
    for span, kind, header in parts:
        before = snippets[-1].span[1] if snippets else 0
        above = list(_headings(chunk, span[0]))
        if kind == "row":
            if not (snippets and snippets[-1].kind == "row") or text[before : span[0]].strip():
                head = _table_head(text, (before, span[0])) if header else None
            above += [head] if head else []
        words = plain(text[slice(*span)], header) if kind != "code" else text[slice(*span)]
        line = text.rfind("\n", 0, span[0]) + 1
        if kind == "sentence" and (marker := _MARKER.match(text, max(line, before), span[0])):
            span, kind = (marker.start(), span[1]), "item"
        snippets.append(Snippet(span, kind, visible(words), tuple(above)))
    return snippets


def _shorten(item: Evidence, snippets: Sequence[Snippet], chosen: Sequence[int]) -> Passage:
    chunk = item.chunk
    kept = set(chosen)
    for at in chosen:
        kept.update(_companions(snippets, at))
    spans = {snippets[at].span for at in kept} | {span for at in kept for span in snippets[at].above}
    left_out = [snippet.span for at, snippet in enumerate(snippets) if at not in kept]
    joined = _join(sorted(spans), left_out)
    if 0 in kept:
        joined[0] = (0, joined[0][1])
    if len(snippets) - 1 in kept:
        joined[-1] = (joined[-1][0], len(chunk.text))
    return Passage(item, tuple(shift(span, chunk.span[0]) for span in joined))


def _choose(scores: Sequence[float], wanted: float) -> list[int]:
    """Choose the snippets that score as much as is wanted, or the best one, the earlier of equals."""
    rounded = [round(score, 5) for score in scores]
    return [at for at, score in enumerate(rounded) if score and score >= round(wanted, 5)] or [
        rounded.index(max(rounded))
    ]


def _companions(snippets: Sequence[Snippet], at: int) -> Iterable[int]:
    """Name the snippets that one cannot be read without, and those that a chosen one leads into."""
    if snippets[at].text.endswith((":", "：")):
        for after in range(at + 1, len(snippets)):
            if snippets[after].kind not in ("item", "code"):
                break
            yield after
    elif at + 1 < len(snippets) and _TURNS_BACK.match(snippets[at + 1].text):
        yield at + 1
    while at > 0:
        if snippets[at].kind == "item":
            before = at - 1
            while before > 0 and snippets[before].kind == "item":
                before -= 1
            if not snippets[before].text.endswith((":", "：")):
                return
            at = before
        elif snippets[at].kind == "code" or _LEANS_BACK.match(snippets[at].text):
            at -= 1
        else:
            return
        yield at


def _join(spans: Sequence[Span], left_out: Sequence[Span]) -> list[Span]:
    """Join spans between which nothing is left out, or too little to be worth a mark."""
    joined = [spans[0]]
    for start, end in spans[1:]:
        before = joined[-1][1]
        lost = sum(span[1] - span[0] for span in left_out if before <= span[0] and span[1] <= start)
        if lost < LEAST_OMITTED:
            joined[-1] = (joined[-1][0], max(before, end))
        else:
            joined.append((start, end))
    return joined


def _headings(chunk: Chunk, at: int) -> Iterable[Span]:
    """Yield the headings inside the chunk that are in force at a place of its text."""
    path = chunk.heading_path_at(chunk.span[0] + at)
    for start, begins in chunk.headings:
        local = start - chunk.span[0]
        if 0 <= local < at and path[: len(begins)] == begins:
            end = chunk.text.find("\n", local, at)
            if end > local:
                line = _UNDERLINED.match(chunk.text, end, at)
                yield local, line.end() if line else end


def _table_head(text: str, gap: Span) -> Span | None:
    """Return the last two lines before a table's first row: the names of its columns and the rule."""
    lines = text[slice(*gap)].rstrip().split("\n")
    if len(lines) < 2:
        return None
    end = gap[0] + len(text[slice(*gap)].rstrip())
    return end - len(lines[-1]) - 1 - len(lines[-2]), end


def _closeness(question: str, snippets: Sequence[Sequence[Snippet]], embedder: Embedder) -> list[list[float]]:
    texts = list(dict.fromkeys(snippet.text for own in snippets for snippet in own))
    if not texts:
        return [[] for _ in snippets]
    vectors = embedder.embed([question, *texts])
    cosines = dict(zip(texts, (vectors[1:] @ vectors[0]).round(5).tolist(), strict=True))
    return [[max(0.0, float(cosines[snippet.text])) for snippet in own] for own in snippets]


def _score(question: str, snippets: Sequence[Sequence[Snippet]]) -> list[list[float]]:
    """Score each passage's snippets by the question's words that they hold."""
    asked = set(content_words(question))
    held = [[set(content_words(snippet.text)) for snippet in own] for own in snippets]
    weights = _shares(asked, [words for own in held for words in own])
    return [[sum(weights[word] for word in sorted(words & asked)) for words in own] for own in held]


def _shares(asked: set[str], texts: Sequence[set[str]]) -> dict[str, float]:
    """Return each word's idf over the snippets, as a share of what the words that stand in any have together."""
    weights = rarity(sorted(asked), texts)
    held = set().union(*texts)
    total = sum(weight for word, weight in weights.items() if word in held)
    return {word: weight / total if total else 0.0 for word, weight in weights.items()}
