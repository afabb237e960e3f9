"""What the offline reader looks at: the quotable units of the sources, and how each one fits the question.

Every feature is a number that can be explained: two similarities, how many of the question's words and names
a unit holds, and whether it holds the kind of thing that the question asks for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag_kit.labels import find_labels
from rag_kit.rarity import rarity
from rag_kit.sentences import plain, table_cells, units
from rag_kit.sources import Source
from rag_kit.wording import FUNCTION_WORDS, count_signs, stem

FEWEST_WORDS = 3
"""A unit of fewer words answers nothing on its own; of Chinese and its like each sign is a word."""

FEATURES = (
    "similarity",  # cosine of the unit to the question
    "placed_similarity",  # the same, the unit read under its title and section
    "coverage",  # share of the question's words in the unit, rare words counting for more
    "placed_coverage",  # the same, title and section read as well
    "names_missing",  # share of the question's names and codes that neither unit nor heading hold
    "names_unknown",  # share of them that no source holds
    "words_unknown",  # share of the question's words that no source holds, rare or not
    "labels",  # of a table row: how far the question names one of its cells, and the column of another
    "kind",  # 1 where the unit holds the kind of thing asked for, -1 where it does not, 0 where none is
    "shortness",  # 1 for a unit of few words, falling to 0
)

_WORD = re.compile(r"\w+(?:[-_.]\w+)*")
_CODE = re.compile(r"\b(?=\w*[-_.]?\w*\d|\w+_)[A-Za-z]+[A-Za-z0-9]*(?:[-_.]?[A-Za-z0-9]+)*\b")
_UNIT_OF_TIME = r"(?:second|minute|hour|day|week|month|year|quarter)s?"
_NUMBER = (
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|none|no|twice|once)\b)"
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
)
# What a question asks for, and what an answer to it has to hold. The first that matches counts.
_KINDS: tuple[tuple[str, str], ...] = (
    (r"\bhow (?:heavy|much does .* weigh)|\bweigh", r"\d ?(?:kg|g|t)\b"),
    (r"\btorque|\bhow tight", r"\d ?nm\b"),
    (r"\bhow (?:hot|warm|cold)|\btemperature", r"\d ?°"),
    (
        r"\b(?:price|costs?|fee|charges?|salary|allowance|budget|pay)\b|\bhow much (?:is|are|do|does|can)",
        r"[€$£]|\b(?:free|eur|euro|waived|no charge)\b|\d ?%",
    ),
    (r"\bpercent|\bpercentage|\bdiscount|\brate\b", r"\d ?%|\d"),
    (
        r"\bhow (?:long|soon|quickly|fast|often|old)|\b(?:notice|warranty) period|\bdeadline|retention|\bfor how",
        rf"{_NUMBER}.{{0,25}}\b{_UNIT_OF_TIME}\b|\b(?:daily|weekly|monthly|yearly|annually|immediately|always)\b",
    ),
    (
        r"\b(?:when|by when|what (?:date|day|time|year)|which (?:date|day|year))\b",
        rf"\d{{4}}|\b{_MONTH}\b|{_UNIT_OF_TIME}|\d:\d",
    ),
    (
        r"\bhow (?:many|much|far|high|large|big|deep|wide|tall)|\bnumber of|\bmaximum|\bminimum|\blimit\b",
        _NUMBER,
    ),
)
_COMPILED = tuple((re.compile(asked, re.I), re.compile(held, re.I)) for asked, held in _KINDS)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of a source that could answer: its text to quote, and what it stands under.

    ``cells`` are those of a table row that hold something, each with its column's name.
    """

    label: str
    text: str
    place: str
    cells: tuple[tuple[str, str], ...] = ()

    def placed(self) -> str:
        """Return the text under its title and section, or after its question."""
        return f"{self.place}: {self.text}" if self.place else self.text


def candidates(sources: Sequence[Source]) -> list[Candidate]:
    """Return the units that could answer: readable, whole, and not questions themselves."""
    return [candidate for source in sources for candidate in _of_source(source)]


def _of_source(source: Source) -> list[Candidate]:
    found: list[Candidate] = []
    heading = " > ".join(part for part in (source.title, source.section) if part)
    question = ""
    for number, unit in enumerate(units(source.text)):
        start, end = unit.span
        text = _disarm(plain(source.text[start:end], unit.header))
        # A passage may begin or end in the middle of a sentence: such a piece is not quoted.
        cut = (number == 0 and text[:1].islower()) or (end == len(source.text) and text[-1:].isalnum())
        if unit.kind != "row" and text.endswith(("?", "？")):
            question = text
        elif (unit.kind == "row" or not cut) and not text.endswith((":", "：")) and _long_enough(text):
            cells = _cells(source.text[start:end], unit.header)
            found.append(Candidate(source.label, text, question or heading, cells))
            question = ""
    return found


def _cells(row: str, header: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return a row's cells with the names of their columns; none where the columns have no names."""
    texts = table_cells(row) if header else ()
    named = zip(header, texts, strict=True) if len(header) == len(texts) else ()
    return tuple((name, text) for name, text in named if text)


def features(
    question: str,
    found: Sequence[Candidate],
    similarity: NDArray[np.floating],
    placed_similarity: NDArray[np.floating],
) -> NDArray[np.float64]:
    """Return one row a candidate and one column a feature, in the order of FEATURES."""
    asked = words(question)
    held = [words(candidate.text) for candidate in found]
    placed = [own | words(candidate.place) for own, candidate in zip(held, found, strict=True)]
    everywhere: set[str] = set().union(*placed)
    weights = rarity(sorted(asked), held)
    names = _names(question)
    wanted = _kind(question)
    rows = [
        (
            float(similarity[at]),
            float(placed_similarity[at]),
            _share(asked & held[at], asked, weights),
            _share(asked & placed[at], asked, weights),
            _missing(names, placed[at]),
            _missing(names, everywhere),
            _missing(asked, everywhere),
            labels_named(asked, found[at].cells),
            0.0 if wanted is None else 1.0 if wanted.search(found[at].text) else -1.0,
            1.0 / (1.0 + len(found[at].text.split()) / 20.0),
        )
        for at in range(len(found))
    ]
    return np.array(rows, dtype=np.float64).reshape(len(found), len(FEATURES))


def words(text: str) -> set[str]:
    """Return a text's words without the commonest ones, identifiers whole, a plural s taken off.

    >>> sorted(words("What do the XX-1042s cost?"))
    ['cost', 'xx-1042']
    """
    found = (word.casefold() for word in _WORD.findall(text))
    return {stem(word) for word in found if word not in FUNCTION_WORDS}


def labels_named(asked: set[str], cells: Sequence[tuple[str, str]]) -> float:
    """Return how far a question names a place of a table row: one cell by its words, another by its column.

    The share of a cell's words that the question holds, times that of another column's name; the best pair
    counts. 1 is "the price of XX-1" for the row XX-1, 0 a row that shares no label with the question.

    >>> row = [("Part", "XX-1"), ("List price", "5")]
    >>> labels_named({"list", "price", "xx-1"}, row), labels_named({"price", "xx-1"}, row)
    (1.0, 0.5)
    >>> labels_named({"price", "xx-2"}, row)
    0.0
    """
    by_cell = [_held_share(words(text), asked) for _, text in cells]
    by_name = [_held_share(words(name), asked) for name, _ in cells]
    pairs = (
        one * other
        for at, one in enumerate(by_cell)
        if one
        for place, other in enumerate(by_name)
        if place != at
    )
    return max(pairs, default=0.0)


def _long_enough(text: str) -> bool:
    return len(text.split()) >= FEWEST_WORDS or count_signs(text) >= FEWEST_WORDS


def _share(held: set[str], asked: set[str], weights: dict[str, float]) -> float:
    total = sum(weights[word] for word in sorted(asked))
    return sum(weights[word] for word in sorted(held)) / total if total else 0.0


def _held_share(said: set[str], asked: set[str]) -> float:
    return len(said & asked) / len(said) if said else 0.0


def _missing(asked: set[str], held: set[str]) -> float:
    return len(asked - held) / len(asked) if asked else 0.0


def _names(question: str) -> set[str]:
    """Return codes, and words with a capital that do not begin the question."""
    codes = {match.group() for match in _CODE.finditer(question)}
    capitals = re.findall(r"(?<=[a-z,;:] )[A-Z][\w-]+", question)
    return {stem(name.casefold()) for name in [*codes, *capitals] if name.casefold() not in FUNCTION_WORDS}


def _kind(question: str) -> re.Pattern[str] | None:
    return next((held for asked, held in _COMPILED if asked.search(question)), None)


def _disarm(text: str) -> str:
    """Turn a bracketed number of the source's own into a round one: quoted, it would read as a citation."""
    for start, end in sorted({mention.span for mention in find_labels(text)}, reverse=True):
        text = f"{text[:start]}({text[start + 1 : end - 1]}){text[end:]}"
    return text
