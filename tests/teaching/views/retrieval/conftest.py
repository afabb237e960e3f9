"""A small library: words are its vectors, so every cosine and every place can be worked out by hand."""

from dataclasses import dataclass
from datetime import date

import pytest

from rag_kit import Filters, load_settings
from rag_kit.evaluation.questions import Gold, Question
from rag_kit.operations import Library
from rag_kit.retrieval import MemoryStore
from rag_kit.testing import WordEmbedder, make_chunk

DAY = date(2026, 6, 1)


def make_library(chunks, *words):
    """Make a library of these chunks, embedded by how often they hold the words."""
    embedder = WordEmbedder(*words)
    vectors = embedder.embed([chunk.embed_text() for chunk in chunks])
    store = MemoryStore(chunks, vectors, embedder)
    return Library((), (), tuple(chunks), store, None, load_settings(offline=True))


@pytest.fixture(scope="session")
def library_of():
    """Hand out the maker of small libraries."""
    return make_library


@dataclass
class Museum:
    """Four chunks of three documents, and labelled questions.

    Asked for ``fee of the museum``: by meaning FEES (1.0) and CARDS (0.707), the rest have no direction; by
    words CATS, for no other has "museum", then CARDS, shorter than FEES.
    """

    library: Library
    fees: object
    cards: object
    cats: object
    pay: object
    owner: Filters
    guest: Filters
    questions: list

    @property
    def store(self):
        return self.library.store


@pytest.fixture
def museum():
    fees = make_chunk(
        "The entry fee is five euros, the same fee as ever.", "fees", title="Entry", access_tags=("all",)
    )
    cards = make_chunk("A card fee.", "fees", start=60, title="Entry", access_tags=("all",))
    cats = make_chunk("The museum has a cat called Ptolemy.", "cats", title="Cats", access_tags=("all",))
    pay = make_chunk("Salaries: Hypatia earns plenty.", "pay", title="Payroll", access_tags=("hr",))
    questions = [
        Question("q-fee", "What is the fee?", "answer", (Gold("fees", (0, 30)), Gold("cats")), kind="fact"),
        Question("q-pay", "Who earns plenty?", "answer", (Gold("pay", (0, 9)),), user_tags=("hr",)),
        Question("q-none", "When does it open?", "refuse", ()),
    ]
    return Museum(
        make_library([fees, cards, cats, pay], "fee", "card"),
        fees,
        cards,
        cats,
        pay,
        Filters.owner(as_of=DAY),
        Filters.for_tags(["all"], as_of=DAY),
        questions,
    )
