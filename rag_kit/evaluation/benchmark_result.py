"""What a benchmark found: a row a pipeline with every question's values, and the figures of any part of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from rag_kit.errors import InvalidValue
from rag_kit.evaluation.intervals import Difference, paired_bootstrap, wilson
from rag_kit.evaluation.questions import first_half
from rag_kit.evaluation.relevance import MEASURES

PLACES = 6
"""Decimals that values and means are rounded to: enough to tell any two apart."""
FLOOR = "bm25"
"""The pipeline that every other has to beat to be worth its cost: the lexical floor."""
HALVES: Mapping[str, Collection[bool]] = {"all": (True, False), "tune": (True,), "report": (False,)}
"""Which questions count, by whether they are of the half that settings were chosen on."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was put to every pipeline; only ``scored`` ones have values.

    Not scored is what has no gold to find: a question to be refused, or one whose evidence is not named.
    """

    id: str
    kind: str
    expected: str
    scored: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A passage that was found: which pieces of the question's gold it holds, numbered from 0."""

    chunk_id: str
    document_id: str
    score: float
    gold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PipelineRow:
    """What one pipeline came to.

    ``values`` holds each measure's value for each scored question, in their order; ``tokens`` the cl100k
    tokens of the passages handed over for it, and ``costs`` what it costs in dollars. ``ranked`` holds what
    was found for each question, scored or not. ``leaks`` counts passages shown to somebody who may not see
    them: anything but 0 is a fault.
    """

    name: str
    values: dict[str, tuple[float, ...]]
    tokens: tuple[int, ...]
    costs: tuple[float, ...]
    ranked: tuple[tuple[Place, ...], ...]
    leaks: int = 0


@dataclass(frozen=True, slots=True)
class Timing:
    """What a search took on the machine that ran it, in milliseconds; no two runs agree."""

    p50_ms: float
    p95_ms: float
    searches: int


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """A benchmark: deterministic but for ``timings`` and ``embed_ms``.

    ``denied`` says how many questions were also put by somebody who may not see their gold. ``unheld`` are
    the questions with gold that no passage holds half of, so that no pipeline can find it. ``overlap`` is, by
    a question's id, the share of its words that its gold holds too. ``embed_ms`` is the median of making a
    question's vector, which is in no pipeline's time; ``without_vectors`` are the pipelines measured that need
    none.
    """

    k: int
    questions: tuple[Asked, ...]
    pipelines: tuple[PipelineRow, ...]
    denied: int = 0
    unheld: tuple[str, ...] = ()
    overlap: dict[str, float] = field(default_factory=dict)
    timings: dict[str, Timing] = field(default_factory=dict)
    embed_ms: float | None = None
    without_vectors: tuple[str, ...] = ()

    @property
    def scored(self) -> tuple[Asked, ...]:
        """The questions that have values, in the order of the values."""
        return tuple(asked for asked in self.questions if asked.scored)

    @property
    def unscored(self) -> dict[str, int]:
        """How many questions of each kind have none."""
        kinds = [asked.kind or asked.expected for asked in self.questions if not asked.scored]
        return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}

    def places(self, half: str = "all", kind: str | None = None) -> list[int]:
        """Return the places, among the scored questions, of a half and of a kind of them.

        Raises InvalidValue for a half there is not, and where no question is in it.
        """
        if half not in HALVES:
            raise InvalidValue.unknown("half", half, HALVES)
        found = self._within(half, kind)
        if not self.scored:
            raise InvalidValue(
                f"none of the {len(self.questions)} questions names evidence, so nothing can be scored: add "
                '"evidence": [{"document_id": "…", "quote": "…"}]'
            )
        if not found:
            what = f" of kind {kind!r}" if kind is not None else ""
            raise InvalidValue(
                f"no scored question{what} is in the half {half!r}: choose another, or give more"
            )
        return found

    def overlap_of(self, places: Sequence[int]) -> float | None:
        """Return the mean overlap of some of the scored questions; None where none was measured."""
        held = [self.overlap[asked.id] for at in places if (asked := self.scored[at]).id in self.overlap]
        return round(sum(held) / len(held), PLACES) if held else None

    def halves(self) -> list[str]:
        """Return the halves that have a scored question."""
        return [half for half in HALVES if self._within(half, None)]

    def kinds(self, half: str = "all") -> list[str]:
        """Return the kinds of the scored questions of a half, in the order that they come in."""
        return list(dict.fromkeys(self.scored[at].kind for at in self.places(half)))

    def _within(self, half: str, kind: str | None) -> list[int]:
        return [
            at
            for at, asked in enumerate(self.scored)
            if first_half(asked.id) in HALVES[half] and kind in (None, asked.kind)
        ]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two pipelines on the same questions by one measure: how much better ``a`` is than ``b``."""

    a: str
    b: str
    measure: str
    difference: Difference


def mean_of(row: PipelineRow, measure: str, places: Sequence[int]) -> float:
    """Return the mean of a measure over some of the scored questions."""
    values = values_of(row, measure)
    return round(sum(values[at] for at in places) / len(places), PLACES)


def values_of(row: PipelineRow, measure: str) -> tuple[float, ...]:
    """Return a measure's values; raises InvalidValue for a measure there is not."""
    if measure not in row.values:
        raise InvalidValue.unknown("measure", measure, MEASURES)
    return row.values[measure]


def interval_of(row: PipelineRow, measure: str, places: Sequence[int]) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a mean.

    It is for a share of yes and no; values between the two vary less, so here it is rather too wide. A
    bootstrap of five questions that were all found would say that nothing else can happen.
    """
    return wilson(len(places) * mean_of(row, measure, places), len(places))


def compare(result: BenchmarkResult, measure: str = "recall", *, half: str = "all") -> list[Compared]:
    """Compare each two pipelines by a paired bootstrap over the questions, as their order in the result is.

    Each interval is for itself: of twenty pairs without any difference, one will seem to have some.
    """
    places = result.places(half)
    return [
        Compared(
            one.name,
            two.name,
            measure,
            paired_bootstrap(
                [values_of(one, measure)[at] for at in places], [values_of(two, measure)[at] for at in places]
            ),
        )
        for two, one in combinations(result.pipelines, 2)
    ]
