"""Finding the words of a source that an answer's statement rests on."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rag_kit.hidden import visible
from rag_kit.labels import Mention, find_labels, strip_labels
from rag_kit.sentences import Unit, plain, sentence_spans, units
from rag_kit.spans import contains, shift
from rag_kit.types import Chunk, Citation, Span
from rag_kit.wording import all_words, content_words, is_number

LEAST_OVERLAP = 0.5
"""Share of the statement's words, by weight, that a unit has to hold to be its quote."""
NUMBER_WEIGHT = 2.0

_LETTER = re.compile(r"\w")
_DIGIT = re.compile(r"\d")
_CLOSED = re.compile(r"[\]】][.!?。]?\Z")


def statements_of(answer: str, mentions: Sequence[Mention]) -> list[str]:
    """Return the sentence, list item or table row that each label closes, labels taken out.

    >>> text = "The fee is 5 [1]. It is due in May [2]."
    >>> statements_of(text, find_labels(text))
    ['The fee is 5.', 'It is due in May.']
    """
    spans = [unit.span for unit in units(answer)]
    # A label in a heading or another line that is no unit: its statement is the sentence in that line.
    outside = (_line(answer, mention.span[0]) for mention in mentions if _within(spans, mention) < 0)
    spans = sorted({*spans, *(span for line in set(outside) for span in sentence_spans(answer, line))})
    labels = [mention.span for mention in find_labels(answer)]
    bare = _blank(answer, set(labels))
    # Where the words of each statement begin, labels left out.
    begins = [found.start() if (found := _LETTER.search(bare, a, b)) else None for a, b in spans]
    worded = [at for at, begin in enumerate(begins) if begin is not None]
    leading = bool(worded and labels) and labels[0][0] < (begins[worded[0]] or 0)
    said = [strip_labels(answer[a:b]) for a, b in spans]
    statements = []
    for mention in mentions:
        at = _within(spans, mention)
        begin = begins[at]
        # "The fee is 5. [1] It is due in May. [2]": a label after the full stop belongs to what stands before.
        if begin is None or not (leading or begin < mention.span[0] or _opens(answer, spans, at)):
            before = bisect_right(worded, at - 1) - 1
            at = worded[before] if before >= 0 else at
        statements.append(said[at])
    return statements


def locate_quote(statement: str, chunk: Chunk, *, within: Sequence[Span] | None = None) -> Span | None:
    """Return the span, in the document, of the unit of ``chunk`` that ``statement`` rests on.

    The unit is the one whose words agree best with the statement's. Words that stand in any text do not
    count, rare ones count more and numbers most; names that title or headings give need not be in the unit.
    None where no unit holds half of the statement by weight, all of its numbers and, where neither title nor
    headings do, its codes: a quote that says something else is worse than none. ``within`` are the spans of
    the document that were shown, where that was not all: a quote from elsewhere is none.
    """
    every, said = all_words(statement), Counter(content_words(statement))
    place = set(content_words(" ".join((chunk.title, *chunk.heading_path))))
    found = units(chunk.text, prefix=chunk.prefix)
    if within is not None:
        found = [u for u in found if any(contains(held, shift(u.span, chunk.span[0])) for held in within)]
    texts = [visible(plain(chunk.text[unit.span[0] : unit.span[1]], unit.header)) for unit in found]
    held = [Counter(content_words(text)) for text in texts]
    weights = _weights(said, held)
    needed = {word for word in said if is_number(word) or (_DIGIT.search(word) and word not in place)}
    best: tuple[float, float, Unit] | None = None
    for unit, text, own in zip(found, texts, held, strict=True):
        words = all_words(text)
        if every and words == every:
            agreement, likeness = 1.0, 1.0
        else:
            asked = Counter({word: n for word, n in said.items() if word in own or word not in place})
            shared = _weigh(asked & own, weights)
            if not shared or shared < LEAST_OVERLAP * _weigh(asked, weights) or not needed <= own.keys():
                continue
            agreement = 2 * shared / (_weigh(asked, weights) + _weigh(own, weights))
            likeness = (Counter(words) & Counter(every)).total() / max(len(words), len(every))
        if best is None or (agreement, likeness) > best[:2]:
            best = (agreement, likeness, unit)
    if best is None:
        return None
    return shift(best[2].span, chunk.span[0])


def quote_text(chunk: Chunk, citation: Citation) -> str:
    """Return a quote as it is read: markup off, a table row with its column names; "" where there is none.

    The header of a table that was cut is not in the passage, so it is read from the chunk's ``prefix``.
    """
    if citation.source_span is None:
        return ""
    span = shift(citation.source_span, -chunk.span[0])
    found = units(chunk.text, prefix=chunk.prefix)
    header = next((unit.header for unit in found if unit.span == span), ())
    return plain(citation.quote, header)


def _within(spans: Sequence[Span], mention: Mention) -> int:
    """Return which of the spans holds a mention, or -1."""
    at = bisect_right(spans, mention.span[0], key=lambda span: span[0]) - 1
    return at if at >= 0 and mention.span[0] < spans[at][1] else -1


def _line(text: str, at: int) -> Span:
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, end if end >= 0 else len(text)


def _blank(text: str, spans: Iterable[Span]) -> str:
    kept, at = [], 0
    for start, end in sorted(spans):
        kept += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*kept, text[at:]])


def _opens(answer: str, spans: Sequence[Span], at: int) -> bool:
    """Tell whether a label at the start of a unit belongs to it: nothing before is left to be closed."""
    if at == 0:
        return True
    begin, end = spans[at - 1]
    between = answer[end : spans[at][0]]
    return bool(between.strip() or "\n\n" in between or _CLOSED.search(answer, max(begin, end - 2), end))


def _weights(said: Mapping[str, int], held: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """Weigh words by how few units hold them, as idf does; one that none holds weighs like a rare one."""
    counts = Counter(word for own in held for word in own)
    return {
        word: (NUMBER_WEIGHT if is_number(word) else 1.0) * (1 + math.log(len(held) / max(counts[word], 1)))
        for word in said.keys() | counts.keys()
        if held
    }


def _weigh(words: Mapping[str, int], weights: Mapping[str, float]) -> float:
    return sum(weights[word] * count for word, count in words.items())
