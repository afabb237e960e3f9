"""Measuring one arm: cut, embed, search, and score what came of it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rag_kit.access import Filters
from rag_kit.errors import EmptyCorpus
from rag_kit.evaluation.arms import Arm, Around, Chunker
from rag_kit.evaluation.questions import Question
from rag_kit.evaluation.span_scores import DocumentSpan, chunk_spans, precision_omega, score_spans
from rag_kit.evaluation.sweep_result import ArmRow, Timings
from rag_kit.generation.ask import ask
from rag_kit.indexing import ClientEmbedder, embed_chunks
from rag_kit.protocols import Embedder, Retriever, Tokenizer, Vectors
from rag_kit.retrieval import DenseRetriever
from rag_kit.settings import Settings
from rag_kit.tokens import TiktokenTokenizer
from rag_kit.types import Answer, Chunk, Document, Evidence, Span

if TYPE_CHECKING:
    import openai

PLACES = 6


def quotes_gold(answer: Answer, question: Question) -> bool:
    """Tell whether an answer was given and a sentence that it quotes shares a character with the gold."""
    if answer.refusal:
        return False
    return any(
        gold.span is not None
        and gold.touches(answer.evidence_of(citation).chunk.document_id, citation.source_span)
        for citation in answer.citations
        if citation.source_span is not None
        for gold in question.evidence
    )


class ArmRun:
    """What all arms share, and the measuring of one."""

    def __init__(
        self,
        documents: Sequence[Document],
        questions: Sequence[Question],
        embedder: Embedder,
        tokenizer: Tokenizer,
        chunker: Chunker,
        around: Mapping[str, Around],
        filters: Filters,
        k: int,
    ) -> None:
        self.documents = documents
        self.questions = questions
        self.gold = [_gold_spans(question) for question in questions]
        self.embedder = embedder
        self.tokenizer = tokenizer
        self.chunker = chunker
        self.around = around
        self.filters = filters
        self.k = k
        self.asked = _Remembering(embedder, [question.question for question in questions])
        self.answering: tuple[openai.OpenAI, Settings] | None = None
        self._counts: dict[str, int] = {}

    def measure(self, arm: Arm) -> tuple[ArmRow, Timings]:
        """Cut, embed and search as one arm says."""
        began = time.perf_counter()
        chunks = self.chunker(
            self.documents,
            self.tokenizer,
            strategy=arm.strategy,
            size=arm.size,
            overlap=arm.overlap,
            unit=arm.unit,
            embedder=self.embedder,
        )
        if not chunks:
            raise EmptyCorpus("no text to search in these documents")
        chunked = time.perf_counter()
        texts, known = self._known(chunks)
        looked = time.perf_counter()
        vectors = embed_chunks(chunks, self.embedder, neighbours=arm.neighbours)
        dense = DenseRetriever(chunks, vectors, self.asked)
        embedded = time.perf_counter()
        put = self.around.get(arm.strategy)
        retriever = put(dense, chunks, self.documents, self.tokenizer) if put else dense
        found, milliseconds = self._search(retriever)
        row = self._score(arm, chunks, found, self._answers(retriever))
        return row, Timings(
            chunk_seconds=round(chunked - began, 3),
            embed_seconds=round(embedded - looked, 3),
            embedded_now=texts - known,
            from_cache=known,
            query_ms=round(milliseconds, 3),
        )

    def _known(self, chunks: Sequence[Chunk]) -> tuple[int, int]:
        """Count the different texts to embed, and how many of them the cache holds already."""
        texts = {text for chunk in chunks if (text := chunk.embed_text()).strip()}
        cache = self.embedder.cache if isinstance(self.embedder, ClientEmbedder) else None
        return len(texts), len(cache.get(texts)) if cache else 0

    def _search(self, retriever: Retriever) -> tuple[list[list[Evidence]], float]:
        """Search for every question; its own embedding is made already and is not in the time."""
        found, times = [], []
        for question in self.questions:
            began = time.perf_counter()
            found.append(retriever.search(question.question, filters=self.filters, top_k=self.k))
            times.append(time.perf_counter() - began)
        return found, 1_000 * float(np.median(times))

    def _answers(self, retriever: Retriever) -> list[float] | None:
        if self.answering is None:
            return None
        client, settings = self.answering
        return [
            float(
                quotes_gold(
                    ask(
                        question.question,
                        retriever,
                        client=client,
                        model=settings.chat_model,
                        filters=self.filters,
                        top_k=self.k,
                        min_similarity=settings.min_similarity,
                    ),
                    question,
                )
            )
            for question in self.questions
        ]

    def _score(
        self, arm: Arm, chunks: Sequence[Chunk], found: list[list[Evidence]], answers: list[float] | None
    ) -> ArmRow:
        places = _Places(chunk_spans(chunks))
        shown = [[item.chunk for item in items] for items in found]
        scores = [score_spans(gold, chunk_spans(of)) for gold, of in zip(self.gold, shown, strict=True)]
        values = {
            "recall": [score.recall for score in scores],
            "precision": [score.precision for score in scores],
            "iou": [score.iou for score in scores],
            "precision_omega": [precision_omega(gold, places.touching(gold)) for gold in self.gold],
        }
        if answers is not None:
            values["answers"] = answers
        tokens = [self._count(chunk.text) for chunk in chunks]
        read = [sum(self._count(chunk.text) for chunk in of) for of in shown]
        return ArmRow(
            arm=arm,
            recall=_mean(values["recall"]),
            precision=_mean(values["precision"]),
            iou=_mean(values["iou"]),
            precision_omega=_mean(values["precision_omega"]),
            answers=None if answers is None else _mean(answers),
            chunks=len(chunks),
            mean_tokens=_mean([chunk.tokens for chunk in chunks]),
            mean_text_tokens=_mean(tokens),
            tokens_embedded=sum(chunk.tokens for chunk in chunks),
            context_tokens=_mean(read),
            values={name: tuple(round(value, PLACES) for value in row) for name, row in values.items()},
        )

    def _count(self, text: str) -> int:
        """Count a text's cl100k tokens, each text once."""
        if text not in self._counts:
            self._counts[text] = TiktokenTokenizer().count(text)
        return self._counts[text]


class _Remembering:
    """Embeds what it was given at the start once and for all, so that arms differ in nothing but chunks."""

    def __init__(self, embedder: Embedder, texts: Sequence[str]) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._vectors = dict(zip(texts, embedder.embed(texts), strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, in order."""
        if all(text in self._vectors for text in texts):
            return np.stack([self._vectors[text] for text in texts])
        return self._embedder.embed(texts)


class _Places:
    """Where the chunks of one arm stand, to be looked up for each question."""

    def __init__(self, spans: Iterable[DocumentSpan]) -> None:
        by_document: dict[str, list[Span]] = {}
        for document_id, span in spans:
            by_document.setdefault(document_id, []).append(span)
        self._spans = {name: np.array(held) for name, held in by_document.items()}

    def touching(self, gold: Iterable[DocumentSpan]) -> list[DocumentSpan]:
        """Return the chunks that share a character with a gold span."""
        found: list[DocumentSpan] = []
        for document_id, (start, end) in gold:
            if (held := self._spans.get(document_id)) is not None:
                rows = held[(held[:, 0] < end) & (held[:, 1] > start)]
                found += [(document_id, (int(first), int(after))) for first, after in rows]
        return found


def _gold_spans(question: Question) -> list[DocumentSpan]:
    return [(gold.document_id, gold.span) for gold in question.evidence if gold.span is not None]


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), PLACES)
