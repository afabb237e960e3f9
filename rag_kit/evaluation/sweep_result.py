"""What a sweep found: a row an arm, the winner by a measure, and the file that keeps it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rag_kit.errors import InvalidValue
from rag_kit.evaluation.arms import Arm
from rag_kit.evaluation.intervals import Difference, bootstrap_mean, paired_bootstrap
from rag_kit.evaluation.questions import first_half
from rag_kit.files import write_whole

KIND = "rag_kit sweep"
FORMAT = 1
MEASURES = ("recall", "precision", "iou", "precision_omega", "answers")


@dataclass(frozen=True, slots=True)
class ArmRow:
    """What one arm came to: means over the questions, and what it costs.

    ``values`` holds each measure's value for each question, in the order of the result's ``question_ids``.
    ``mean_tokens`` counts what the embedder reads of a chunk, ``mean_text_tokens`` the cl100k tokens of its
    text alone, and ``context_tokens`` those of all the passages handed over for a question: what each
    question costs.
    """

    arm: Arm
    recall: float
    precision: float
    iou: float
    precision_omega: float
    answers: float | None
    chunks: int
    mean_tokens: float
    mean_text_tokens: float
    tokens_embedded: int
    context_tokens: float
    values: dict[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class ArmError:
    """An arm that could not be measured, and why."""

    arm: Arm
    message: str


@dataclass(frozen=True, slots=True)
class Timings:
    """What an arm took on the machine that ran it; no two runs agree.

    ``embed_seconds`` is for ``embedded_now`` texts: those ``from_cache`` cost next to nothing. ``query_ms``
    is the median of a search, the embedding of the question left out.
    """

    chunk_seconds: float
    embed_seconds: float
    embedded_now: int
    from_cache: int
    query_ms: float

    @property
    def index_seconds(self) -> float:
        """Return the seconds of cutting and embedding."""
        return round(self.chunk_seconds + self.embed_seconds, 3)


@dataclass(frozen=True, slots=True)
class SweepResult:
    """A sweep: deterministic but for ``timings``, which are by the arms' names."""

    k: int
    embedder: str
    documents: int
    question_ids: tuple[str, ...]
    unscored: int
    arms: tuple[ArmRow, ...]
    errors: tuple[ArmError, ...] = ()
    timings: dict[str, Timings] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The arm with the highest mean against another, on the half that chose and on the half that reports."""

    arm: Arm
    tune: Difference
    report: Difference


@dataclass(frozen=True, slots=True)
class Winner:
    """The arm to take by a measure, chosen on some of the questions and reported on the others."""

    measure: str
    arm: Arm
    highest: Arm
    tied: tuple[Arm, ...]
    """Arms that could not be told from the highest on the tuning half, itself left out."""
    tune_questions: int
    report_questions: int
    tune: float
    report: float
    low: float
    high: float
    comparisons: tuple[Comparison, ...]


def best(result: SweepResult, measure: str = "recall") -> Winner:
    """Choose an arm by a measure: among those that cannot be told from the highest, the cheapest.

    Half of the questions, by the hash of their ids, choose: the arm with the highest mean there is compared
    with each other by a paired bootstrap, and where no difference is shown the one with the fewest tokens a
    question, then the fewest embedded, is taken. Its figures are then those of the other half, with a 95 %
    interval. Few questions show few differences: the choice then goes to the cheap. Raises InvalidValue
    where the measure was not taken, no arm was measured, or a half has no question.
    """
    if not result.arms:
        raise InvalidValue("no arm was measured: look at the errors")
    if measure not in result.arms[0].values:
        raise InvalidValue(f"no measure {measure!r} here; choose {', '.join(result.arms[0].values)}")
    tune = [at for at, name in enumerate(result.question_ids) if first_half(name)]
    report = [at for at, name in enumerate(result.question_ids) if not first_half(name)]
    if not tune or not report:
        raise InvalidValue(
            f"{len(result.question_ids)} questions are too few to choose on one half and report on the other: "
            "give more"
        )
    highest = max(result.arms, key=lambda row: (_mean(_of(row, measure, tune)), -row.context_tokens))
    compared = {
        row.arm: Comparison(
            row.arm,
            paired_bootstrap(_of(highest, measure, tune), _of(row, measure, tune)),
            paired_bootstrap(_of(highest, measure, report), _of(row, measure, report)),
        )
        for row in result.arms
        if row is not highest
    }
    tied = [row for row in result.arms if row is not highest and compared[row.arm].tune.better is None]
    chosen = min([highest, *tied], key=lambda row: (row.context_tokens, row.tokens_embedded))
    low, high = bootstrap_mean(_of(chosen, measure, report))
    return Winner(
        measure=measure,
        arm=chosen.arm,
        highest=highest.arm,
        tied=tuple(row.arm for row in tied),
        tune_questions=len(tune),
        report_questions=len(report),
        tune=_mean(_of(chosen, measure, tune)),
        report=_mean(_of(chosen, measure, report)),
        low=low,
        high=high,
        comparisons=tuple(compared.values()),
    )


def sweep_json(result: SweepResult, measure: str = "recall") -> dict[str, Any]:
    """Shape a sweep as `sweep --json` prints it and ``--out`` keeps it; ``winner`` is null where none can be."""
    try:
        winner = asdict(best(result, measure))
        comparisons = winner.pop("comparisons")
    except InvalidValue:
        winner, comparisons = None, []
    shape = asdict(result)
    timings = shape.pop("timings")
    arms = [{"name": row.arm.name, **asdict(row)} for row in result.arms]
    return {
        "kind": KIND,
        "format": FORMAT,
        **shape,
        "arms": arms,
        "winner": winner,
        "comparisons": comparisons,
        "timings": timings,
    }


def save_sweep(result: SweepResult, path: str | Path, measure: str = "recall") -> None:
    """Write a sweep as JSON, whole or not at all."""
    shape = sweep_json(result, measure)
    lines = ",\n".join(f"{json.dumps(key)}: {_lined(value)}" for key, value in shape.items())
    write_whole(Path(path), f"{{\n{lines}\n}}\n")


def load_sweep(path: str | Path) -> SweepResult:
    """Read a sweep that was saved. Raises InvalidValue, naming the file, where it is none."""
    again = "save it with rag_kit sweep --out"
    try:
        row = json.loads(Path(path).read_text(encoding="utf-8"))
        if not isinstance(row, dict) or (row.get("kind"), row.get("format")) != (KIND, FORMAT):
            raise InvalidValue(f"{path} is no saved sweep of this version: {again}")
        result: SweepResult = _adapter().validate_python(row)
    except OSError as error:
        raise InvalidValue(f"{path}: {(error.strerror or str(error)).lower()}: {again}") from None
    except (ValidationError, RecursionError) as error:
        raise InvalidValue(f"{path} is damaged ({type(error).__name__}): {again}") from None
    except ValueError as error:
        if isinstance(error, InvalidValue):
            raise
        raise InvalidValue(f"{path} is no JSON: {again}") from None
    asked = len(result.question_ids)
    if any(len(values) != asked for arm in result.arms for values in arm.values.values()):
        raise InvalidValue(f"{path} is damaged (not one value a question): {again}")
    return result


def _lined(value: Any) -> str:
    """Write a list of rows as one line a row: many values then stay readable, and differences short."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in value)
        return f"[\n{rows}\n]"
    return json.dumps(value, ensure_ascii=False)


@cache
def _adapter() -> TypeAdapter[Any]:
    return TypeAdapter(SweepResult)


def _of(row: ArmRow, measure: str, places: Sequence[int]) -> list[float]:
    return [row.values[measure][at] for at in places]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
