"""The benchmark: the same questions put to several pipelines, with what each finds, takes and costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue
from rag_kit.evaluation.benchmark_result import (
    FLOOR,
    PLACES,
    Asked,
    BenchmarkResult,
    PipelineRow,
    Place,
    Timing,
)
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.evaluation.relevance import MEASURES, holds, judge, score_ranking
from rag_kit.generation.ask import DEFAULT_TOP_K
from rag_kit.protocols import Embedder, Retriever
from rag_kit.tokens import TiktokenTokenizer
from rag_kit.types import Chunk, Evidence

OnProgress = Callable[[int, int, str], None]
WARM_UP = "a question before the first, so that what is loaded once is in no time"


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars per million tokens: to embed a question, and to put passages in a prompt. Local models: 0.

    >>> f"{Prices(0.02, 2.5).cost(question=20, passages=980, embeds=True):.7f}"
    '0.0025004'
    """

    embedding: float = 0.0
    prompt: float = 0.0

    def cost(self, *, question: int, passages: int, embeds: bool) -> float:
        """Return what a question costs, in dollars; arguments are tokens.

        Left out are the answer's own tokens, and what a reranker behind an API would take.
        """
        return (self.embedding * question * embeds + self.prompt * (question + passages)) / 1e6


def benchmark(
    questions: Iterable[Question],
    pipelines: Mapping[str, Retriever],
    *,
    filters_of: Callable[[Question], Filters],
    denied_of: Callable[[Question], Filters | None] = lambda question: None,
    k: int = DEFAULT_TOP_K,
    passages: Iterable[Chunk] = (),
    embedder: Embedder | None = None,
    without_vectors: Collection[str] = (FLOOR,),
    prices: Prices | None = None,
    overlap: Mapping[str, float] | None = None,
    on_progress: OnProgress | None = None,
) -> BenchmarkResult:
    """Put every question to every pipeline and score the ``k`` passages that each finds.

    ``filters_of`` says who asks. ``denied_of`` says who else may not have the answer: a passage of the gold's
    documents found for them, or any passage that the filters of whoever asked do not admit, is a leak. Scored
    are questions with an answer and evidence; the others are searched and timed alone. ``passages`` are what
    can be found: gold is then checked against them first. ``embedder`` is timed by itself: give one that
    does not remember, and let the retrievers' own remember the questions, so that none pays for another.
    ``without_vectors`` are the pipelines that embed no question: none is priced for them, and where there is
    no other, none is timed. ``overlap`` is kept as it is given, by a question's id.
    ``on_progress`` is told how many pipelines are done, of how many, and what the last one came to. Raises
    InvalidValue where no question can be scored or no pipeline is given, for k below 1, and for gold of a
    document that is not there or that whoever asks may not see.
    """
    asked = list(questions)
    _check(asked, pipelines, k)
    held = list(passages)
    unheld = _check_gold(asked, held, filters_of) if held else ()
    lexical = tuple(name for name in pipelines if name in without_vectors)
    run = _Run(asked, filters_of, denied_of, k, prices or Prices(), lexical)
    embed_ms = _embed(embedder, asked) if embedder and len(lexical) < len(pipelines) else None
    rows: list[PipelineRow] = []
    timings: dict[str, Timing] = {}
    for number, (name, retriever) in enumerate(pipelines.items(), start=1):
        row, timings[name] = run.measure(name, retriever)
        rows.append(row)
        if on_progress:
            mean = sum(row.values["recall"]) / len(row.values["recall"])
            on_progress(number, len(pipelines), f"{name}: recall@{k} {mean:.3f}")
    return BenchmarkResult(
        k=k,
        questions=asked_of(asked),
        pipelines=tuple(rows),
        denied=sum(denied_of(question) is not None for question in asked),
        unheld=unheld,
        overlap=dict(overlap or {}),
        timings=timings,
        embed_ms=embed_ms,
        without_vectors=lexical,
    )


def asked_of(questions: Iterable[Question]) -> tuple[Asked, ...]:
    """Return which questions a benchmark scores, before any is asked.

    >>> asked_of([Question("q", "Which moon?", "refuse", ())])[0].scored
    False
    """
    return tuple(Asked(q.id, q.kind, q.expected, q.has_gold) for q in questions)


class _Run:
    """What all pipelines share, and the measuring of one."""

    def __init__(
        self,
        questions: Sequence[Question],
        filters_of: Callable[[Question], Filters],
        denied_of: Callable[[Question], Filters | None],
        k: int,
        prices: Prices,
        without_vectors: Collection[str],
    ) -> None:
        self.questions = questions
        self.filters_of = filters_of
        self.denied_of = denied_of
        self.k = k
        self.prices = prices
        self.without_vectors = without_vectors
        self._counts: dict[str, int] = {}

    def measure(self, name: str, retriever: Retriever) -> tuple[PipelineRow, Timing]:
        """Search for every question as one pipeline does."""
        retriever.search(WARM_UP, filters=self.filters_of(self.questions[0]), top_k=self.k)
        values: dict[str, list[float]] = {measure: [] for measure in MEASURES}
        tokens, costs, ranked, times, leaks = [], [], [], [], 0
        for question in self.questions:
            filters = self.filters_of(question)
            began = time.perf_counter()
            found = retriever.search(question.question, filters=filters, top_k=self.k)
            times.append(1_000 * (time.perf_counter() - began))
            found = found[: self.k]
            leaks += sum(not filters.admits(item.chunk) for item in found)
            leaks += self._leaks(question, retriever)
            ranked.append(_places(question, found))
            if question.has_gold:
                shown = [item.chunk for item in found]
                for measure, value in score_ranking(question.evidence, shown, self.k).items():
                    values[measure].append(round(value, PLACES))
                read = sum(self._count(chunk.text) for chunk in shown)
                tokens.append(read)
                costs.append(self._cost(question, read, name))
        row = PipelineRow(
            name=name,
            values={measure: tuple(of) for measure, of in values.items()},
            tokens=tuple(tokens),
            costs=tuple(costs),
            ranked=tuple(ranked),
            leaks=leaks,
        )
        return row, _timing(times)

    def _leaks(self, question: Question, retriever: Retriever) -> int:
        """Count the passages shown to somebody who may not see the gold's documents."""
        filters = self.denied_of(question)
        if filters is None:
            return 0
        closed = {gold.document_id for gold in question.evidence}
        found = retriever.search(question.question, filters=filters, top_k=self.k)
        return sum(item.chunk.document_id in closed or not filters.admits(item.chunk) for item in found)

    def _cost(self, question: Question, passages: int, name: str) -> float:
        asked = self._count(question.question)
        return self.prices.cost(question=asked, passages=passages, embeds=name not in self.without_vectors)

    def _count(self, text: str) -> int:
        """Count a text's cl100k tokens, each text once."""
        if text not in self._counts:
            self._counts[text] = TiktokenTokenizer().count(text)
        return self._counts[text]


def _check(questions: Sequence[Question], pipelines: Mapping[str, Retriever], k: int) -> None:
    """Refuse, before anything is searched, what could only give figures that mean nothing."""
    check_count("k", k)
    if not pipelines:
        raise InvalidValue("no pipeline to measure: name one")
    if not any(question.has_gold for question in questions):
        raise InvalidValue("no question can be scored: give questions with an answer and its evidence")


def _check_gold(
    questions: Sequence[Question], passages: Sequence[Chunk], filters_of: Callable[[Question], Filters]
) -> tuple[str, ...]:
    """Return the questions with gold that no passage holds; raises InvalidValue for gold nobody could find."""
    by_document: dict[str, list[Chunk]] = {}
    for passage in passages:
        by_document.setdefault(passage.document_id, []).append(passage)
    unheld = []
    for question in questions:
        if not question.has_gold:
            continue
        filters = filters_of(question)
        for gold in question.evidence:
            if gold.document_id not in by_document:
                raise InvalidValue(f"question {question.id}: no document has the id {gold.document_id!r}")
            if hidden := filters.hides(by_document[gold.document_id][0]):
                raise InvalidValue(
                    f"question {question.id} rests on {gold.document_id}, which is left out ({hidden}): "
                    "choose another date or other tags, or take the question out"
                )
        if not all(_is_held(gold, by_document[gold.document_id]) for gold in question.evidence):
            unheld.append(question.id)
    return tuple(unheld)


def _is_held(gold: Gold, passages: Sequence[Chunk]) -> bool:
    return any(holds(passage, gold) for passage in passages)


def _places(question: Question, found: Sequence[Evidence]) -> tuple[Place, ...]:
    held = judge(question.evidence, [item.chunk for item in found]).held
    return tuple(
        Place(item.chunk.chunk_id, item.chunk.document_id, round(float(item.score), PLACES), gold)
        for item, gold in zip(found, held, strict=True)
    )


def _embed(embedder: Embedder, questions: Sequence[Question]) -> float:
    """Make each question's vector, and return the median of the milliseconds that took."""
    embedder.embed([WARM_UP])
    times = []
    for question in questions:
        began = time.perf_counter()
        embedder.embed([question.question])
        times.append(1_000 * (time.perf_counter() - began))
    return round(float(np.median(times)), 3)


def _timing(times: Sequence[float]) -> Timing:
    p50, p95 = np.percentile(times, [50, 95])
    return Timing(p50_ms=round(float(p50), 3), p95_ms=round(float(p95), 3), searches=len(times))
