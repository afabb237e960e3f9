"""What two texts must agree in to be one fact told twice: figures, codes, names, and words that turn a sense.

"The fee is 5 euros" and "The fee is 6 euros" share most of their words and are two facts; so are "is covered"
and "is not covered". How alike two texts are cannot tell that; these words can.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag_kit.wording import FUNCTION_WORDS, all_words

TURNS = frozenset(
    re.findall(
        r"\w+",
        "no not never none neither nor without cannot unless except only before after until less more fewer"
        " least most minimum maximum above below over under may must shall should",
    )
)
"""Words that turn a statement into another one: they deny, limit, bind or compare."""
JOINTS = frozenset(["a", "an", "the", "then", "so", "also", "please", "that", "this", "these", "such"])
"""Words that come and go with the way a thing is put."""

_NEGATED = re.compile(r"n[’']t\b", re.I)
_PART = re.compile(r"[€$£¥%‰°±≤≥<>]|(?<![\w-])[-−](?=\d)|\w+(?:[-_.,:/]\w+)*")
_WORD = re.compile(r"[^\W\d_]\w*(?:-\w+)*")
_INSIDE = re.compile(r"(?:[^\W_]|[,;:|#(*/&-]) |[(/*]\Z")
"""What stands before a word that begins no sentence."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What a text tells besides its ordinary words.

    ``facts`` are figures and codes with the word that a figure counts, signs of money and measure, and words
    that turn a sense, in order. ``names`` are words with a capital inside a sentence; ``openings`` those
    that begin one, where a capital may mean nothing. ``words`` are all words, ``told`` all but ``JOINTS``, in
    order.
    """

    facts: tuple[str, ...]
    names: frozenset[str]
    openings: frozenset[str]
    words: frozenset[str]
    told: tuple[str, ...]


def read_telling(text: str) -> Telling:
    """Read what a text tells.

    >>> read_telling("The fee isn't 5 euros at Larkspur.").facts
    ('not', '5', 'euro')
    >>> sorted(read_telling("The fee isn't 5 euros at Larkspur.").names)
    ['larkspur']
    """
    text = " ".join(_NEGATED.sub(" not", text).split())
    names: set[str] = set()
    openings: set[str] = set()
    for match in _WORD.finditer(text):
        if match.group()[0].isupper():
            found = {word for word in all_words(match.group()) if word not in FUNCTION_WORDS}
            before = text[max(0, match.start() - 2) : match.start()]
            (names if _INSIDE.search(before) else openings).update(found)
    words = all_words(text)
    told = tuple(word for word in words if word not in JOINTS)
    return Telling(tuple(_facts(text)), frozenset(names), frozenset(openings - names), frozenset(words), told)


def repeats_all_of(more: Telling, less: Telling) -> bool:
    """Tell whether ``more`` has every word of ``less``, in that order; articles and their like do not count.

    >>> once, twice = read_telling("The fee is due once."), read_telling("A fee is due twice.")
    >>> repeats_all_of(once, twice), repeats_all_of(read_telling("A fee is due once a year."), once)
    (False, True)
    """
    return _in_order(less.told, more.told)


def tells_all_of(more: Telling, less: Telling) -> bool:
    """Tell whether ``more`` leaves out nothing that ``less`` tells: its facts in order, its names.

    >>> some, more = read_telling("It costs 5 euros."), read_telling("It costs 5 euros and weighs 2 kg.")
    >>> tells_all_of(more, some), tells_all_of(some, more)
    (True, False)
    """
    return _in_order(less.facts, more.facts) and less.names | less.openings <= more.words


def tell_the_same(one: Telling, two: Telling) -> bool:
    """Tell whether two texts have the same facts in the same order, and the same names.

    A word that begins a sentence may be a name or not: two such words that each text has alone are taken
    for names.

    >>> said = [read_telling(text) for text in ("Larkspur pays.", "Millrace pays.", "So Larkspur pays.")]
    >>> tell_the_same(said[0], said[1]), tell_the_same(said[0], said[2])
    (False, True)
    """
    if one.facts != two.facts or not (one.names <= two.words and two.names <= one.words):
        return False
    return not (one.openings - two.words and two.openings - one.words)


def _facts(text: str) -> list[str]:
    facts: list[str] = []
    counted = -1  # where a figure ended, as long as the word after it may be what it counts
    for match in _PART.finditer(text):
        part = match.group()
        if not (part[0].isalnum() or part[0] == "_"):
            facts.append(part)
            continue
        follows = counted >= 0 and not text[counted : match.start()].strip()
        for word in all_words(part):
            figure = any(sign.isdecimal() for sign in word)
            if figure or follows or word in TURNS:
                facts.append(word)
            follows = figure
        counted = match.end() if follows else -1
    return facts


def _in_order(some: Sequence[str], every: Sequence[str]) -> bool:
    rest = iter(every)
    return all(fact in rest for fact in some)
