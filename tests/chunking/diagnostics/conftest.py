"""Texts with a ‖ where a chunk ends, and what is found in them."""

from dataclasses import replace

import pytest

from rag_kit.chunking import diagnose
from rag_kit.chunking.records import ChunkMaker
from rag_kit.parsing import parse_markdown
from rag_kit.sentences import trim
from rag_kit.testing import FakeTokenizer
from rag_kit.types import Notice


def read(text, name="doc.md"):
    """Parse a Markdown text."""
    return parse_markdown(text, source_uri=name, relative_path=name)


def cut(marked, name="doc.md", *, tokenizer=None):
    """Parse a text without its ‖, and make the chunks between them."""
    document, chunks, at = read(marked.replace("‖", ""), name), [], 0
    maker = ChunkMaker(document, tokenizer or FakeTokenizer())
    for part in marked.split("‖"):
        span = trim(document.text, (at, at + len(part)))
        if span[0] < span[1]:
            chunks.append(maker.make(span))
        at += len(part)
    return document, chunks


@pytest.fixture
def found():
    """Return the findings of one code in some texts, each a document."""

    def find(code, *texts, tokenizer=None, notices=(), pages=None, confidence=None):
        documents, chunks = [], []
        for number, text in enumerate(texts):
            document, own = cut(text, f"doc{number}.md", tokenizer=tokenizer)
            blocks = document.blocks
            if pages:
                blocks = tuple(replace(b, page=page) for b, page in zip(blocks, pages, strict=True))
            if confidence is not None:
                blocks = tuple(replace(b, confidence=confidence) for b in blocks)
            held = (*document.notices, *(Notice(*notice) for notice in notices))
            documents.append(replace(document, blocks=blocks, notices=held))
            chunks += own
        every = diagnose(documents, chunks, tokenizer or FakeTokenizer())
        texts_of = {document.document_id: document.text for document in documents}
        for item in every:
            assert 0 <= item.span[0] <= item.span[1] <= len(texts_of[item.document_id])
            assert item.message
            assert "\n" not in item.message
        return [item for item in every if item.code == code]

    return find
