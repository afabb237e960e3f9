"""A folder of documents, parsed, chunked, embedded and ready to be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from rag_kit.access import Filters
from rag_kit.chunking import DEFAULT_STRATEGY, chunk, parents_of, strategy_of
from rag_kit.errors import EmptyCorpus, InvalidValue
from rag_kit.generation.ask import DEFAULT_TOP_K, ask
from rag_kit.generation.context import DEFAULT_BUDGET
from rag_kit.indexing import ClientEmbedder, VectorCache, embed_with_rows
from rag_kit.llm import connect
from rag_kit.llm.minilm import NAME as LOCAL_EMBEDDER
from rag_kit.llm.minilm import minilm
from rag_kit.operations.pipelines import DEFAULT_PIPELINE, WITHOUT_VECTORS, check_pipeline, make_retriever
from rag_kit.parsing import Ocr, parse
from rag_kit.parsing.versions import end_superseded
from rag_kit.protocols import Retriever, Tokenizer
from rag_kit.retrieval import MemoryStore, ParentRetriever, PlannedRetriever, RetrievalPlan
from rag_kit.settings import Settings, load_settings
from rag_kit.tokens import TiktokenTokenizer
from rag_kit.types import Answer, Chunk, Document, Evidence, ParseFailure

if TYPE_CHECKING:
    import openai


@dataclass(frozen=True)
class Library:
    """What was read of some paths, and the retriever over it; a saved index has no ``documents``.

    ``pipeline`` says how it is searched. Where there are ``parents``, small chunks are searched and their
    parents are found.
    """

    documents: tuple[Document, ...]
    errors: tuple[ParseFailure, ...]
    chunks: tuple[Chunk, ...]
    store: MemoryStore
    client: openai.OpenAI
    settings: Settings
    parents: dict[str, Chunk] = field(default_factory=dict)
    pipeline: str = DEFAULT_PIPELINE

    def __post_init__(self) -> None:
        check_pipeline(self.pipeline)

    @property
    def passages(self) -> tuple[Chunk, ...]:
        """What can be found: the chunks, or the sections that they stand in."""
        return tuple(self.parents.values()) or self.chunks

    @cached_property
    def searcher(self) -> Retriever:
        """What questions are put to: the pipeline's retriever, or the sections that its chunks stand in."""
        retriever = make_retriever(self.pipeline, self.store)
        return ParentRetriever(retriever, self.parents) if self.parents else retriever

    def using(self, pipeline: str) -> Library:
        """Return the library searched in another way; raises InvalidValue for a pipeline that is none."""
        return replace(self, pipeline=pipeline)

    def plan(self, query: str) -> RetrievalPlan | None:
        """Return what the pipeline makes of a query; None where it searches for the words as they are."""
        retriever = self.searcher
        if isinstance(retriever, ParentRetriever):
            retriever = retriever.retriever
        return retriever.plan(query) if isinstance(retriever, PlannedRetriever) else None

    def search(self, query: str, *, filters: Filters, top_k: int = DEFAULT_TOP_K) -> list[Evidence]:
        """Return the chunks that may answer the query, or the sections they stand in, best first."""
        return self.searcher.search(query, filters=filters, top_k=top_k)

    def ask(
        self,
        question: str,
        *,
        filters: Filters,
        top_k: int = DEFAULT_TOP_K,
        budget: int = DEFAULT_BUDGET,
    ) -> Answer:
        """Answer a question from the library's chunks, or refuse."""
        return ask(
            question,
            self.searcher,
            client=self.client,
            model=self.settings.chat_model,
            filters=filters,
            top_k=top_k,
            budget=budget,
            min_similarity=self.settings.min_similarity,
        )

    def document(self, document_id: str) -> Document:
        """Return the document of that id; raises InvalidValue where there is none."""
        for document in self.documents:
            if document.document_id == document_id:
                return document
        raise InvalidValue(f"no document has the id {document_id!r}: look at the ids that `parse` shows")

    def without(self, *document_ids: str) -> Library:
        """Return the library as it would be without some documents; nothing is embedded again.

        A version that one of them had ended is in force again.
        """
        if not self.documents:
            raise InvalidValue("a saved index holds no documents to take away: open the documents themselves")
        left = end_superseded(d for d in self.documents if d.document_id not in document_ids)
        ends = {document.document_id: document.superseded_at for document in left}
        keep = [row for row, chunk in enumerate(self.chunks) if chunk.document_id in ends]
        chunks = tuple(
            replace(self.chunks[row], superseded_at=ends[self.chunks[row].document_id]) for row in keep
        )
        store = self.store.keeping(keep, chunks)
        parents = {
            name: replace(parent, superseded_at=ends[parent.document_id])
            for name, parent in self.parents.items()
            if parent.document_id in ends
        }
        return replace(self, documents=left, chunks=chunks, store=store, parents=parents)


def open_library(
    paths: str | Path | Iterable[str | Path],
    *,
    client: openai.OpenAI | None = None,
    settings: Settings | None = None,
    strategy: str = DEFAULT_STRATEGY,
    size: int | None = None,
    overlap: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    password: str | None = None,
    ocr: Ocr = "auto",
    pipeline: str = DEFAULT_PIPELINE,
    contextual: bool = True,
) -> Library:
    """Parse, chunk and embed files and folders, to be searched by a pipeline.

    ``password`` and ``ocr`` are as `parse` has them. With the strategy `parent`, small chunks are searched and
    the sections that they stand in are found. With ``contextual=False`` titles and headings are not read where
    a passage is embedded or indexed, to see what they are for.

    Files that cannot be read are in ``errors`` and the rest is there. ``on_progress`` is told how many of the
    passages that are not in the cache are embedded, in place of a bar; for the pipeline ``bm25`` nothing is
    embedded before another one is asked for. Raises EmptyCorpus where nothing could
    be read at all.
    """
    settings = settings or load_settings()
    chosen, tokenizer = strategy_of(strategy), tokenizer_of(settings)
    chosen.sizes(tokenizer, size, overlap, "tokens")
    check_pipeline(pipeline)
    parsed = parse(paths, languages=settings.embed_languages, password=password, ocr=ocr, settings=settings)
    if not any(document.blocks for document in parsed.documents):
        named = str(paths) if isinstance(paths, (str, Path)) else ", ".join(map(str, paths))
        reason = f" ({parsed.errors[0].source_uri}: {parsed.errors[0].message})" if parsed.errors else ""
        raise EmptyCorpus(f"{named}: no text to search{reason}; name a folder with documents that hold text")
    client = client or connect(settings)
    embedder = embedder_of(client, settings, on_progress=on_progress)
    chunks = chunk(
        parsed.documents, tokenizer, strategy=strategy, size=size, overlap=overlap, embedder=embedder
    )
    embed = partial(embed_with_rows, chunks, embedder, contextual=contextual)
    if pipeline in WITHOUT_VECTORS:
        store = MemoryStore(chunks, embed, embedder, contextual=contextual)
    else:
        vectors, owners = embed()
        store = MemoryStore(chunks, vectors, embedder, owners=owners, contextual=contextual)
    parents = parents_of(chunks, parsed.documents, tokenizer)
    return Library(parsed.documents, parsed.errors, tuple(chunks), store, client, settings, parents, pipeline)


def tokenizer_of(settings: Settings) -> Tokenizer:
    """Return the tokenizer of the embedding model in use."""
    return minilm() if settings.embeds_locally else TiktokenTokenizer()


def embedder_name(settings: Settings) -> str:
    """Name the embedder in use: vectors of two names are never compared."""
    return LOCAL_EMBEDDER if settings.embeds_locally else f"{settings.remote_host}/{settings.embed_model}"


def embedder_of(
    client: openai.OpenAI, settings: Settings, *, on_progress: Callable[[int, int], None] | None = None
) -> ClientEmbedder:
    """Return the embedder in use, over its cache."""
    name = embedder_name(settings)
    cache = VectorCache(settings.cache_dir, name)
    return ClientEmbedder(
        client,
        settings.embed_model,
        name=name,
        cache=cache,
        progress=settings.progress,
        on_progress=on_progress,
    )
