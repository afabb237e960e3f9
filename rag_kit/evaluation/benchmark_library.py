"""The benchmark of a library: its pipelines, whoever asks each question, and the lexical floor beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product

from rag_kit.access import Filters
from rag_kit.evaluation.benchmark import OnProgress, Prices, benchmark
from rag_kit.evaluation.benchmark_result import FLOOR, BenchmarkResult
from rag_kit.evaluation.overlap import gold_text, measure_share
from rag_kit.evaluation.questions import Question, asker_of, denied_asker_of
from rag_kit.generation.ask import DEFAULT_TOP_K
from rag_kit.indexing import ClientEmbedder
from rag_kit.operations import Library
from rag_kit.operations.pipelines import PIPELINES, WITHOUT_VECTORS, check_pipeline
from rag_kit.types import Chunk, Document


def benchmark_library(
    library: Library,
    questions: Iterable[Question],
    *,
    filters: Filters,
    pipelines: Iterable[str] = tuple(PIPELINES),
    k: int = DEFAULT_TOP_K,
    prices: Prices | None = None,
    on_progress: OnProgress | None = None,
) -> BenchmarkResult:
    """Put every question to the pipelines of a library, as `benchmark` does; the floor is always among them.

    ``filters`` are those of whoever asks a question that names no tags of its own. A question's own tags, of
    whoever asks it and of whoever is denied, count for the owner as they are, and for anybody else only
    where ``filters`` have them too: a file of questions opens nothing. All that the pipelines search for by
    meaning is embedded first, for all of them; how long a question takes is measured apart, where the embedder
    is on this machine. Where no pipeline needs vectors, nothing is embedded.
    Raises InvalidValue for a pipeline that is none, and as `benchmark` does.
    """
    asked = list(questions)
    searched = {name: library.using(name) for name in with_floor(pipelines)}
    if texts := _embedded(asked, searched.values()):
        library.store.embedder.embed(texts)
    alone = ClientEmbedder(library.client, library.settings.embed_model, name="without a cache")
    return benchmark(
        asked,
        {name: one.searcher for name, one in searched.items()},
        filters_of=partial(asker_of, filters),
        denied_of=partial(denied_asker_of, filters),
        k=k,
        passages=library.passages,
        embedder=alone if library.settings.embeds_locally else None,
        without_vectors=WITHOUT_VECTORS,
        prices=prices,
        overlap=_overlap(library, asked, filters),
        on_progress=on_progress,
    )


def with_floor(pipelines: Iterable[str]) -> tuple[str, ...]:
    """Return the pipelines, each once, the lexical floor first where it is not among them.

    >>> with_floor(["hybrid", "hybrid"]), with_floor(["dense", "bm25"])
    (('bm25', 'hybrid'), ('dense', 'bm25'))
    """
    names = dict.fromkeys(pipelines)
    for name in names:
        check_pipeline(name)
    return tuple(names if FLOOR in names else {FLOOR: None, **names})


def documents_of(library: Library, filters: Filters) -> Sequence[Document]:
    """Return the documents of a library that whoever asks may see, of whatever date and fields.

    Of a saved index they are stand-ins with the text that its chunks hold; what no chunk holds is blank
    there, so that every span is right.
    """
    held = library.documents or _stand_ins(library.chunks)
    return [document for document in held if filters.hides(document) != "access"]


def _stand_ins(chunks: Iterable[Chunk]) -> list[Document]:
    held: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        held.setdefault(chunk.document_id, []).append(chunk)
    return [_stand_in(of) for of in held.values()]


def _stand_in(chunks: Sequence[Chunk]) -> Document:
    text = ["\n"] * max(chunk.span[1] for chunk in chunks)
    for chunk in chunks:
        text[slice(*chunk.span)] = chunk.text
    one = chunks[0]
    return Document(
        one.document_id,
        one.source_uri,
        one.title,
        "".join(text),
        (),
        dict(one.metadata),
        "",
        access_tags=one.access_tags,
    )


def _embedded(questions: Iterable[Question], searched: Iterable[Library]) -> list[str]:
    """Return the questions and what pipelines with vectors plan to search for in their place, each text once."""
    needing = [one for one in searched if one.pipeline not in WITHOUT_VECTORS]
    texts: dict[str, None] = {}
    for question, one in product(questions, needing):
        plan = one.plan(question.question)
        texts |= dict.fromkeys([question.question, *(plan.queries if plan else ())])
    return list(texts)


def _overlap(library: Library, questions: Iterable[Question], filters: Filters) -> dict[str, float]:
    texts = {document.document_id: document.text for document in documents_of(library, filters)}
    return {
        question.id: measure_share(question.question, gold_text(question.evidence, texts))
        for question in questions
        if question.evidence and all(gold.document_id in texts for gold in question.evidence)
    }
