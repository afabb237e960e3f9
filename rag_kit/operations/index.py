"""A library that is saved once and opened in a moment: nothing is parsed, chunked or embedded again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rag_kit.chunking import DEFAULT_STRATEGY, strategy_of
from rag_kit.errors import InvalidValue
from rag_kit.indexing.saved import check_out, load_index, save_index
from rag_kit.llm import connect
from rag_kit.operations.library import Library, embedder_name, embedder_of, open_library, tokenizer_of
from rag_kit.operations.pipelines import DEFAULT_PIPELINE, check_pipeline
from rag_kit.parsing import Ocr
from rag_kit.retrieval import MemoryStore
from rag_kit.settings import Settings, load_settings

if TYPE_CHECKING:
    import openai


def build_index(
    paths: str | Path | Iterable[str | Path],
    out: str | Path,
    *,
    client: openai.OpenAI | None = None,
    settings: Settings | None = None,
    strategy: str = DEFAULT_STRATEGY,
    size: int | None = None,
    overlap: int | None = None,
    password: str | None = None,
    ocr: Ocr = "auto",
) -> Library:
    """Open files and folders as `open_library` does, and save what comes of it in ``out``.

    Files that cannot be read are in ``errors``; the index is made of the rest. Raises InvalidValue, before
    anything is embedded, where ``out`` cannot take an index, and for the strategy `parent`: an index has no
    place for parents.
    """
    settings = settings or load_settings()
    named = [paths] if isinstance(paths, (str, Path)) else list(paths)
    chosen = strategy_of(strategy)
    if chosen.has_parents:
        raise InvalidValue(
            f"strategy {strategy!r} is not there for a saved index: ask the documents with --docs, "
            "or choose another strategy"
        )
    size, overlap = chosen.sizes(tokenizer_of(settings), size, overlap, "tokens")
    check_out(out)
    for path in named:
        if Path(path).is_dir() and Path(out).resolve().is_relative_to(Path(path).resolve()):
            raise InvalidValue(
                f"{out} is inside {path}, whose files are documents: choose a folder outside it"
            )
    library = open_library(
        named,
        client=client,
        settings=settings,
        strategy=strategy,
        size=size,
        overlap=overlap,
        password=password,
        ocr=ocr,
    )
    save_index(
        out,
        library.chunks,
        library.store.vectors,
        owners=library.store.owners,
        embedder=library.store.embedder.name,
        documents=library.documents,
        chunking={"strategy": strategy, "unit": "tokens", "size": size, "overlap": overlap},
    )
    return library


def open_index(
    folder: str | Path,
    *,
    client: openai.OpenAI | None = None,
    settings: Settings | None = None,
    pipeline: str = DEFAULT_PIPELINE,
) -> Library:
    """Open a saved index: the same answers as from its documents, which need not be there any more.

    The library has chunks and no ``documents``. Raises UnusableIndex where another embedder made it, or
    where it is damaged or of another format.
    """
    settings = settings or load_settings()
    check_pipeline(pipeline)
    saved = load_index(folder, embedder=embedder_name(settings))
    client = client or connect(settings)
    embedder = embedder_of(client, settings)
    store = MemoryStore(saved.chunks, saved.vectors, embedder, owners=saved.owners)
    return Library((), (), saved.chunks, store, client, settings, pipeline=pipeline)
