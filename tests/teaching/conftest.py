"""Hand-made records, small enough to check by eye."""

import pytest

from rag_kit.types import Answer, Chunk, Citation, Evidence, Refusal, Usage

HEADER = "| Part | Price |\n|---|---|"
ROWS = "| SP-120 | **€145** |\n| SP-131 | €38 |\n"
FEES = "# Fees\n\nThe fee is 5. It is paid once.\n\n## Cards\n\nCards cost 2 more.\n"


def make_chunk(name, text, **more):
    fields = {"title": name.title(), "heading_path": (name.title(),), "span": (100, 100 + len(text))} | more
    return Chunk(
        chunk_id=f"{name}#1",
        document_id=name,
        text=text,
        source_uri=f"{name}.md",
        content_hash="h",
        tokens=9,
        **fields,
    )


def make_citation(answer_text, label, chunk, quote, *, matched=True):
    at = answer_text.index(label)
    start = chunk.span[0] + (chunk.text.index(quote) if matched else 0)
    span = (start, start + len(quote)) if matched else None
    return Citation(label, chunk.chunk_id, quote, (at, at + len(label)), span, "valid")


def make_answer(text, citations, chunks, *, left_out=()):
    evidence = tuple(Evidence(c, rank, 0.5, 0.5) for rank, c in enumerate((*chunks, *left_out), 1))
    labels = {f"[{n}]": chunk.chunk_id for n, chunk in enumerate(chunks, 1)}
    return Answer("What is the fee?", text, tuple(citations), None, evidence, "hand-made", Usage(), labels)


@pytest.fixture
def make():
    """Hand out the makers of records: chunk, citation, answer, refusal."""

    class Make:
        chunk = staticmethod(make_chunk)
        citation = staticmethod(make_citation)
        answer = staticmethod(make_answer)

        @staticmethod
        def refusal(kind, text, **more):
            return Answer("Who?", text, (), Refusal(kind, text), (), "hand-made", Usage(), **more)

    return Make


@pytest.fixture
def answer():
    """Two cited sources, one of them a table row under a split header, and one left out by the budget."""
    fees = make_chunk(
        "fees",
        FEES,
        document_version="2",
        headings=((100, ("Fees",)), (100 + FEES.index("## Cards"), ("Fees", "Cards"))),
    )
    parts = make_chunk("parts", ROWS, prefix=HEADER, pages=(2,))
    hidden = make_chunk("hidden", "Nobody was shown this.")
    text = "Cards cost 2 more [1]. SP-120 costs €145 [2]."
    citations = [
        make_citation(text, "[1]", fees, "Cards cost 2 more."),
        make_citation(text, "[2]", parts, "| SP-120 | **€145** |"),
    ]
    return make_answer(text, citations, (fees, parts), left_out=(hidden,))
