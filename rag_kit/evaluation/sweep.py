"""The sweep: the same questions asked of the same documents, cut in several ways.

Gold evidence is a span of a document, so one set of questions scores every way of cutting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rag_kit.access import Filters
from rag_kit.chunking import chunk
from rag_kit.counts import check_count
from rag_kit.errors import InvalidValue, RagKitError
from rag_kit.evaluation.arm_run import ArmRun
from rag_kit.evaluation.arms import AROUND, Arm, Around, Chunker
from rag_kit.evaluation.questions import Question
from rag_kit.evaluation.sweep_result import ArmError, ArmRow, SweepResult, Timings
from rag_kit.generation.ask import DEFAULT_TOP_K
from rag_kit.llm import connect
from rag_kit.operations.library import embedder_of, tokenizer_of
from rag_kit.protocols import Embedder, Tokenizer
from rag_kit.settings import Settings, load_settings
from rag_kit.types import Document

if TYPE_CHECKING:
    import openai

OnProgress = Callable[[int, int, str], None]


def sweep(
    documents: Iterable[Document],
    questions: Iterable[Question],
    *,
    arms: Sequence[Arm],
    settings: Settings | None = None,
    client: openai.OpenAI | None = None,
    embedder: Embedder | None = None,
    tokenizer: Tokenizer | None = None,
    chunker: Chunker = chunk,
    around: Mapping[str, Around] = AROUND,
    filters: Filters | None = None,
    k: int = DEFAULT_TOP_K,
    answers: bool = False,
    on_progress: OnProgress | None = None,
) -> SweepResult:
    """Cut, embed and ask once an arm, and score the ``k`` passages found for each question.

    One vector a chunk is searched, so that the ways of cutting alone are compared; a library embeds each row
    of a table besides, and finds figures better than these numbers say.

    With ``answers`` each question is also answered by the chat model of the settings, as `ask` does: the
    value is 1 where a quoted sentence shares a character with the gold. Scored are questions with an answer
    whose evidence is spans throughout. An arm that cannot be is a row in ``errors`` and the rest goes on.
    ``on_progress`` is told how many arms are done, of how many, and what the last one came to. Raises
    InvalidValue where no question can be scored, or where the filters hide a document of the evidence.
    """
    held, asked = list(documents), list(questions)
    settings = settings or load_settings()
    filters = filters or Filters.owner()
    scored = [question for question in asked if _has_spans(question)]
    _check(scored, held, filters, arms, k)
    if embedder is None:
        client = client or connect(settings)
        embedder = embedder_of(client, settings)
    run = ArmRun(held, scored, embedder, tokenizer or tokenizer_of(settings), chunker, around, filters, k)
    if answers:
        run.answering = (client or connect(settings), settings)
    rows: list[ArmRow] = []
    errors: list[ArmError] = []
    timings: dict[str, Timings] = {}
    for number, arm in enumerate(arms, start=1):
        try:
            row, timings[arm.name] = run.measure(arm)
            rows.append(row)
            said = f"{arm.name}: {row.chunks:,} chunks, recall {row.recall:.3f}"
        except RagKitError as error:
            errors.append(ArmError(arm, str(error)))
            said = f"{arm.name}: {error}"
        if on_progress:
            on_progress(number, len(arms), said)
    return SweepResult(
        k=k,
        embedder=embedder.name,
        documents=len(held),
        question_ids=tuple(question.id for question in scored),
        unscored=len(asked) - len(scored),
        arms=tuple(rows),
        errors=tuple(errors),
        timings=timings,
    )


def _check(
    scored: Sequence[Question], documents: Sequence[Document], filters: Filters, arms: Sequence[Arm], k: int
) -> None:
    """Refuse, before anything is embedded, what could only give figures that mean nothing."""
    check_count("k", k)
    if not arms:
        raise InvalidValue("no arm to compare: name a strategy and a size")
    if not scored:
        raise InvalidValue(
            "no question can be scored: give questions with an answer whose evidence has a quote, or start and end"
        )
    by_id = {document.document_id: document for document in documents}
    for question in scored:
        for gold in question.evidence:
            if gold.document_id not in by_id:
                raise InvalidValue(f"question {question.id}: no document has the id {gold.document_id!r}")
            if hidden := filters.hides(by_id[gold.document_id]):
                raise InvalidValue(
                    f"question {question.id} rests on {gold.document_id}, which is left out ({hidden}): "
                    "choose another date, or take the question out"
                )


def _has_spans(question: Question) -> bool:
    return (
        question.expected == "answer"
        and bool(question.evidence)
        and all(gold.span is not None for gold in question.evidence)
    )
