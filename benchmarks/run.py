"""Measure the kit in one run: `python -m benchmarks.run [--quick] [--only NAME]`, from the kit's folder.

Each figure stands beside what it is compared with in the same run and beside its aim. Nothing here fails: a
busy machine is no fault of the kit's, and a figure over its aim is for somebody to look at.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np

if __package__ in (None, ""):  # run as a file: its folder's parent holds the package
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.texts import make_chunks, markdown, write_documents
from rag_kit import DenseRetriever, Filters
from rag_kit.chunking import STRATEGIES, chunk
from rag_kit.generation.ask import cite
from rag_kit.labels import find_labels
from rag_kit.llm.minilm import DIMENSIONS, minilm
from rag_kit.parsing.markdown import parse_markdown
from rag_kit.protocols import Vectors
from rag_kit.sentences import plain, units
from rag_kit.types import Document, Evidence

BARE_START = "import numpy, pydantic, httpx2, openai, onnxruntime, tokenizers, tiktoken"
QUESTION = "How long is the notice period of the service contract?"
UNMATCHED = ("**a ", "e.g. ", "[", "[](x", "_a *b ")
STAFF = Filters.for_tags(["staff"], as_of=date(2026, 6, 1), where=["region=EU"])


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything is measured."""

    documents: int = 50
    document_size: int = 12_000
    starts: int = 5
    vectors: int = 100_000
    queries: int = 30
    chunks_in_memory: int = 20_000
    text: int = 10_000_000
    line: int = 180_000
    signs: int = 100_000


QUICK = Sizes(1, 3_000, 1, 2_000, 3, 500, 60_000, 20_000, 5_000)


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, what it is compared with, and the most or least that it should be."""

    name: str
    value: float
    unit: str
    aim: str
    detail: str


class OneVector:
    """An embedder that costs nothing: its model is not what is measured."""

    name = "one-vector"

    def __init__(self, vector: Vectors) -> None:
        self.vectors = vector.reshape(1, -1)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the one vector for each text."""
        return np.repeat(self.vectors, len(texts), axis=0)


def first_answer(sizes: Sizes) -> Iterator[Figure]:
    """Time whole processes that answer one question, once the documents' vectors are cached."""
    with tempfile.TemporaryDirectory() as scratch:
        docs, index = Path(scratch, "docs"), Path(scratch, "index")
        write_documents(docs, count=sizes.documents, size=sizes.document_size)
        environ = {k: v for k, v in os.environ.items() if not k.startswith("OPENAI_")}
        environ |= {"RAG_KIT_CACHE_DIR": str(Path(scratch, "cache")), "RAG_KIT_PROGRESS": "0"}
        call = partial(subprocess.run, check=True, env=environ, capture_output=True, text=True)
        kit = [sys.executable, "-m", "rag_kit"]
        made = call([*kit, "index", "--docs", str(docs), "--out", str(index)]).stdout.strip()
        bare = [sys.executable, "-c", BARE_START]
        for source in (["--docs", str(docs)], ["--index", str(index)]):
            whole, start = _best(
                sizes.starts, partial(call, [*kit, "ask", QUESTION, *source]), partial(call, bare)
            )
            detail = f"{whole / start:.2f} x importing its libraries ({start:.2f} s); {made.split(': ')[-1]}"
            yield Figure(f"first answer, {source[0]}", whole, "s", "< 2", detail)


def query(sizes: Sizes) -> Iterator[Figure]:
    """Time a filtered search over random vectors against the bare product of the same numbers."""
    random = np.random.default_rng(0)
    vectors = random.normal(size=(sizes.vectors, DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    asked = vectors[0].copy()
    retriever = DenseRetriever(make_chunks(sizes.vectors, length=20), vectors, OneVector(asked))
    search = partial(retriever.search, QUESTION, filters=STAFF, top_k=5)
    search()
    ours, bare = _best(sizes.queries, search, lambda: vectors @ asked)
    detail = f"{ours * 1e3:.1f} ms against {bare * 1e3:.1f} ms for the product, {sizes.vectors} vectors"
    yield Figure("filtered query", ours / bare, "x", "<= 1.5", detail)


def memory(sizes: Sizes) -> Iterator[Figure]:
    """Compare what a retriever holds with its vectors and texts alone."""
    tracemalloc.start()
    vectors = np.ones((sizes.chunks_in_memory, DIMENSIONS), dtype=np.float32)
    retriever = DenseRetriever(make_chunks(len(vectors), length=900), vectors, OneVector(vectors[0]))
    retriever.search(QUESTION, filters=STAFF, top_k=5)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    needed = vectors.nbytes + sum(len(chunk.text.encode()) for chunk in retriever.chunks)
    detail = f"{held / 1e6:.0f} MB for {needed / 1e6:.0f} MB of vectors and text, {peak / 1e6:.0f} MB at most"
    yield Figure("retriever's memory", held / needed, "x", "<= 1.6", detail)


def chunking(sizes: Sizes) -> Iterator[Figure]:
    """Time the chunkers on one long document, on half of it, and on a line without any place to cut.

    An embedder that costs nothing stands in for the model's time, which is that of embedding each sentence.
    """
    tokenizer = minilm()
    tokenizer.count("warm")
    text = markdown(sizes.text)
    whole, half = (_parsed(text[:size]) for size in (len(text), len(text) // 2))
    line, double = ("=" * size for size in (sizes.line, 2 * sizes.line))
    embedder = OneVector(np.ones(2, dtype=np.float32))
    for name in STRATEGIES:
        chunker = partial(chunk, strategy=name, embedder=embedder)
        short, long = (_best(1, partial(chunker, [document], tokenizer))[0] for document in (half, whole))
        detail = f"{len(text) / 1e6:.1f} MB in {long:.1f} s"
        yield Figure(f"chunking, {name}", len(text) / 1e6 / long, "MB/s", "", detail)
        yield Figure(f"  twice the text, {name}", long / short, "x", "< 3", f"half of it in {short:.1f} s")
        works = (partial(chunker, [_parsed(text)], tokenizer) for text in (line, double))
        short, long = _best(3, *works)
        yield Figure(
            f"  a line of '=' twice as long, {name}", long / short, "x", "< 3", _line_detail(sizes, short)
        )
    short, long = _best(3, partial(_parsed, line), partial(_parsed, double))
    yield Figure("parsing that line, twice as long", long / short, "x", "< 3", _line_detail(sizes, short))


def _line_detail(sizes: Sizes, seconds: float) -> str:
    return f"{sizes.line} of them in {seconds:.2f} s"


def reading(sizes: Sizes) -> Iterator[Figure]:
    """Time what reads answers and texts sign by sign, on signs without a partner, and on twice as many."""
    evidence = Evidence(make_chunks(1, length=200)[0], rank=1, score=1.0)
    works: dict[str, tuple[str, Callable[[str], object]]] = {
        "labels": ("`a` Nine [1][S2] [1.5]. ", find_labels),
        "citing": ("- The fee is 5 euros [1]\n", lambda text: cite(text, {"[1]": evidence})),
        **{f"sentences, {part!r}": (part, lambda text: units(plain(text))) for part in UNMATCHED},
    }
    for name, (part, work) in works.items():
        text = part * (sizes.signs // len(part))
        short, long = _best(3, partial(work, text), partial(work, 2 * text))
        detail = f"{len(text)} signs in {short:.2f} s"
        yield Figure(f"reading {name}, twice as long", long / short, "x", "< 3", detail)


MEASURES: dict[str, Callable[[Sizes], Iterator[Figure]]] = {
    "first_answer": first_answer,
    "query": query,
    "memory": memory,
    "chunking": chunking,
    "reading": reading,
}


def _line(figure: Figure) -> str:
    aim = f"(aim {figure.aim})" if figure.aim else ""
    return f"{figure.name:42} {figure.value:6.2f} {figure.unit:4} {aim:13} {figure.detail}\n"


def _parsed(text: str) -> Document:
    return parse_markdown(text, source_uri="generated.md", relative_path="generated.md", notices=())


def _best(times: int, *works: Callable[[], object]) -> list[float]:
    """Return the shortest time of each, taken in turn, so that what else the machine does meets all alike."""
    best = [float("inf")] * len(works)
    for _ in range(times):
        for number, work in enumerate(works):
            start = time.perf_counter()
            work()
            best[number] = min(best[number], time.perf_counter() - start)
    return best


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each figure as soon as it is there."""
    parser = argparse.ArgumentParser(
        "benchmarks.run", description=str(__doc__).split("\n")[0], allow_abbrev=False
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--only", choices=list(MEASURES), help="one measure")
    options = parser.parse_args(arguments)
    names = [options.only] if options.only else list(MEASURES)
    for name in names:
        for figure in MEASURES[name](QUICK if options.quick else Sizes()):
            sys.stdout.write(_line(figure))
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
