"""Generated text for the benchmarks: the same in every run, with the shapes that chunkers look at."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from rag_kit.types import Chunk

_WORDS = """
    the a of to and is in for on with service customer contract notice period invoice card annual leave days
    manager approval gateway sensor alert threshold restart firmware warranty return shipping region policy
    employee travel expense receipt limit euros percent monthly report incident support response hours plan
"""
WORDS = _WORDS.split()


def markdown(size: int, seed: int = 0) -> str:
    """Return about ``size`` characters of headings, paragraphs, lists and tables."""
    chance = random.Random(seed)
    parts: list[str] = []
    length = 0
    while length < size:
        part = "".join(_section(chance))
        parts.append(part)
        length += len(part)
    return "".join(parts)[:size]


def _section(chance: random.Random) -> Iterator[str]:
    yield f"{'#' * chance.choice([1, 2, 2, 3])} {_words(chance, 4).title()}\n\n"
    for _ in range(chance.randint(2, 6)):
        yield " ".join(_sentence(chance) for _ in range(chance.randint(2, 7))) + "\n\n"
    if chance.random() < 0.3:
        yield "".join(f"- {_sentence(chance)}\n" for _ in range(5)) + "\n"
    if chance.random() < 0.1:
        rows = "".join(f"| {_words(chance, 3)} | {chance.randint(1, 999)} |\n" for _ in range(20))
        yield f"| Item | Price |\n|---|---|\n{rows}\n"


def _sentence(chance: random.Random) -> str:
    return f"{_words(chance, chance.randint(6, 18)).capitalize()} {chance.randint(1, 999)}."


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count))


def write_documents(folder: Path, *, count: int, size: int) -> None:
    """Write ``count`` Markdown documents of about ``size`` characters."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"doc{number:03}.md").write_text(markdown(size, seed=number), encoding="utf-8")


def make_chunks(count: int, *, length: int, a_document: int = 20) -> list[Chunk]:
    """Make ``count`` chunks of ``length`` characters, each with a text of its own, in tagged documents."""
    chunks: list[Chunk] = []
    source = markdown(200_000)
    for number in range(count):
        document = number // a_document
        name = f"doc{document:05}"
        if number % a_document == 0:
            metadata = {"region": ("EU", "US", "APAC")[document % 3], "department": "people"}
            tags = ("all",) if document % 2 else ("hr", "staff")
        at = number * 37 % (len(source) - length)
        chunks.append(
            Chunk(
                chunk_id=f"{name}#{number:012x}",
                document_id=name,
                title=f"Document {document}",
                text=f"{number} {source[at : at + length]}",
                span=(at, at + length),
                heading_path=(f"Document {document}", "Section"),
                source_uri=f"docs/{name}.md",
                content_hash=f"{number:064x}",
                tokens=200,
                metadata=metadata,
                access_tags=tags,
            )
        )
    return chunks
