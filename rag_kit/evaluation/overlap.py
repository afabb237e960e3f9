"""How many of a question's words its evidence holds: what lexical search is given for nothing.

A question that was written by copying its evidence flatters lexical search. Words are compared as lexical
search compares them: content words, stemmed, numbers in one spelling, codes whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import Stemmer

from rag_kit.evaluation.questions import Gold, Question
from rag_kit.rarity import idf
from rag_kit.types import Chunk, Document
from rag_kit.wording import content_words

Terms = Callable[[str], Iterable[str]]
"""What makes the words of a text: :func:`stems`, or the analyser of a lexical index."""
_STEMMER = Stemmer.Stemmer("english")


@dataclass(frozen=True, slots=True)
class Overlap:
    """The share of a question's words that a text holds, and the same with each word weighted by rarity."""

    share: float
    weighted: float


@dataclass(frozen=True, slots=True)
class Rarity:
    """In how many of some texts each word stands."""

    counts: Mapping[str, int]
    total: int

    def weight(self, word: str) -> float:
        """Return the word's idf over these texts.

        A word of no text weighs most: it is asked for and cannot be found.

        >>> round(Rarity({"fee": 1}, 1).weight("fee"), 3), round(Rarity({"fee": 1}, 1).weight("tax"), 3)
        (0.288, 1.386)
        """
        return idf(self.counts.get(word, 0), self.total)


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """Means over the questions of one kind: with the gold, the same weighted, and with the gold's passages."""

    name: str
    questions: int
    gold: float
    weighted: float
    passage: float


def stems(text: str) -> list[str]:
    """Return the content words of a text by their stems; a code stays as it is.

    >>> stems("The XX-1042B was calibrated, not the sensors")
    ['xx-1042b', 'calibr', 'sensor']
    """
    return [
        word if any(map(str.isdecimal, word)) else _STEMMER.stemWord(word) for word in content_words(text)
    ]


def measure_rarity(texts: Iterable[str], terms: Terms = stems) -> Rarity:
    """Count in how many texts each word stands.

    >>> measure_rarity(["a fee, the fee", "no tax"]).counts["fee"]
    1
    """
    sets = [set(terms(text)) for text in texts]
    return Rarity(Counter(word for words in sets for word in words), len(sets))


def measure_share(question: str, text: str, terms: Terms = stems) -> float:
    """Compute the share of a question's words that a text holds; 0 for a question without content words.

    >>> measure_share("What fee is due?", "A fee of 5.")
    0.5
    """
    asked = set(terms(question))
    return len(asked.intersection(terms(text))) / len(asked) if asked else 0.0


def measure_overlap(question: str, text: str, rarity: Rarity, terms: Terms = stems) -> Overlap:
    """Compute that share, and the same with each word weighted by its rarity.

    >>> measure_overlap("What fee is due?", "A fee of 5.", Rarity({}, 0))
    Overlap(share=0.5, weighted=0.5)
    """
    asked = sorted(set(terms(question)))
    found = set(terms(text)).intersection(asked)
    if not asked:
        return Overlap(0.0, 0.0)
    weights = {word: rarity.weight(word) for word in asked}
    weighted = sum(weights[word] for word in sorted(found)) / sum(weights.values())
    return Overlap(measure_share(question, text, terms), weighted)


def gold_text(golds: Iterable[Gold], texts: Mapping[str, str]) -> str:
    r"""Return what some evidence says, a line a piece; evidence without a span is its whole document.

    >>> gold_text([Gold("a", (4, 7)), Gold("b")], {"a": "The fee is 5.", "b": "No tax."})
    'fee\nNo tax.'
    """
    pieces = []
    for gold in golds:
        text = texts[gold.document_id]
        pieces.append(text if gold.span is None else text[slice(*gold.span)])
    return "\n".join(pieces)


def overlap_table(
    questions: Iterable[Question],
    documents: Iterable[Document],
    chunks: Sequence[Chunk],
    terms: Terms = stems,
) -> list[OverlapRow]:
    """Measure the questions that name evidence, kind by kind; one with paraphrased ones also in two parts.

    ``passage`` compares with all that an index holds of the chunks which the evidence stands in, title and
    headings included: a table's row alone does not name its table.
    """
    texts = {document.document_id: document.text for document in documents}
    rarity = measure_rarity((chunk.embed_text() for chunk in chunks), terms)
    groups: dict[str, list[tuple[Overlap, float]]] = {}
    asked = [question for question in questions if question.evidence]
    parted = {question.kind for question in asked if question.paraphrased}
    for question in asked:
        gold = measure_overlap(question.question, gold_text(question.evidence, texts), rarity, terms)
        holding = (c for c in chunks if any(g.touches(c.document_id, c.span) for g in question.evidence))
        passages = "\n".join(chunk.embed_text() for chunk in holding)
        around = measure_share(question.question, passages, terms)
        names = [question.kind or "all"]
        if question.kind in parted:
            names.append(names[0] + (", paraphrased" if question.paraphrased else ", in plain words"))
        for name in names:
            groups.setdefault(name, []).append((gold, around))
    return [
        OverlapRow(
            name,
            len(rows),
            fmean(gold.share for gold, _ in rows),
            fmean(gold.weighted for gold, _ in rows),
            fmean(around for _, around in rows),
        )
        for name, rows in groups.items()
    ]


def overlap_text(rows: Iterable[OverlapRow]) -> str:
    """Write the table as aligned lines.

    >>> print(overlap_text([OverlapRow("identifier", 10, 0.5, 0.625, 0.75)]))
    share of a question's words in      gold  weighted  its passages
    identifier                      10  0.50      0.62          0.75
    """
    title = "share of a question's words in"
    lines = [
        f"{row.name:30}{row.questions:4d}{row.gold:6.2f}{row.weighted:10.2f}{row.passage:14.2f}"
        for row in rows
    ]
    return "\n".join([f"{title:34}{'gold':>6}{'weighted':>10}{'its passages':>14}", *lines])
