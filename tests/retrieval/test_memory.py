"""The store while it is written: a search sees one state of it, and what is written is there afterwards."""

from dataclasses import dataclass, field
from datetime import date

import numpy as np
import pytest

from rag_kit import Filters
from rag_kit.retrieval import Analyser, MemoryStore
from rag_kit.testing import WordEmbedder, make_chunk

DAY = date(2026, 6, 1)
OWNER = Filters.owner(as_of=DAY)
STAFF = Filters.for_tags(["all"], as_of=DAY)
WAYS = ("dense", "bm25")
CHUNKS = [
    make_chunk("fee", "first", access_tags=("all",)),
    make_chunk("fee day", "second", access_tags=("all",)),
    make_chunk("fee fee day", "secret", access_tags=("hr",)),
    make_chunk("fee day day", "third", access_tags=("all",)),
]
NEW = make_chunk("fee fee fee fee day", "new", access_tags=("all",))


@dataclass
class Interrupting:
    """Does something to the store once, when it is next called upon."""

    do: object = None

    def now(self):
        do, self.do = self.do, None
        if do:
            do()


class InterruptingEmbedder(WordEmbedder):
    """An embedder in the middle of whose work the store is written."""

    def __init__(self, meanwhile):
        super().__init__("fee", "day")
        self.meanwhile = meanwhile

    def embed(self, texts):
        self.meanwhile.now()
        return super().embed(texts)


class InterruptingAnalyser(Analyser):
    """An analyser in the middle of whose work the store is written."""

    def __init__(self, meanwhile):
        super().__init__()
        self.meanwhile = meanwhile

    def terms_of_word(self, written):
        self.meanwhile.now()
        return super().terms_of_word(written)

    def terms(self, text):
        self.meanwhile.now()
        return super().terms(text)


@dataclass(frozen=True)
class InterruptingFilters:
    """Filters in the middle of whose work the store is written."""

    filters: Filters
    meanwhile: Interrupting = field(compare=False)

    @property
    def where(self):
        return self.filters.where

    def admits(self, item):
        self.meanwhile.now()
        return self.filters.admits(item)


def vectors_of(chunks):
    return WordEmbedder("fee", "day").embed([chunk.text for chunk in chunks])


def store_of(chunks, embedder=None, *, lazy=False, **options):
    embedder = embedder or WordEmbedder("fee", "day")
    vectors, owners = vectors_of(chunks), np.arange(len(chunks), dtype=np.int32)
    return MemoryStore(chunks, (lambda: (vectors, owners)) if lazy else vectors, embedder, **options)


def add(store, *chunks):
    store.upsert(chunks, vectors_of(chunks))


# The rows of the others move: up by one, down to the end, or not at all.
WRITES = {
    "a chunk is put in another's place": lambda store: add(store, CHUNKS[0]),
    "a chunk is added": lambda store: add(store, NEW),
    "a document is ended": lambda store: store.supersede("first", date(2026, 1, 1)),
    "one after the other": lambda store: (
        add(store, NEW, CHUNKS[1]), store.supersede("third", date(2026, 1, 1)), add(store, CHUNKS[0]),
    ),
}  # fmt: skip
ASKED = [
    ("embedder", ("dense",)),
    ("embedder", ("dense", "bm25")),
    ("embedder", ("bm25", "dense")),
    ("analyser", ("bm25",)),
    ("analyser", ("dense", "bm25")),
    ("analyser", ("bm25", "dense")),
    ("filters", ("dense",)),
    ("filters", ("bm25",)),
    ("filters", ("dense", "bm25")),
    ("filters", ("bm25", "dense")),
]


def searched(store, ways=WAYS, filters=STAFF):
    return store.search("fee fee day", ways=ways, filters=filters, top_k=9)


def names(evidence):
    return {item.chunk.document_id for item in evidence}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
@pytest.mark.parametrize(("part", "ways"), ASKED)
@pytest.mark.parametrize("lazy", [False, True], ids=["embedded", "not yet embedded"])
def test_a_search_sees_one_state_and_the_next_one_what_was_written(part, lazy, ways, write):
    before = searched(store_of(CHUNKS), ways)
    after = store_of(CHUNKS)
    write(after)
    meanwhile = Interrupting()
    parts = {"embedder": InterruptingEmbedder(meanwhile), "analyser": InterruptingAnalyser(meanwhile)}
    store = store_of(CHUNKS, lazy=lazy, **{name: held for name, held in parts.items() if name == part})
    meanwhile.do = lambda: write(store)
    filters = InterruptingFilters(STAFF, meanwhile) if part == "filters" else STAFF
    found = searched(store, ways, filters)
    assert meanwhile.do is None, "the store was written in the middle of the search"
    assert found == before
    assert searched(store) == searched(after)
    assert store.chunks == after.chunks


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_what_is_written_while_the_chunks_are_embedded_is_kept(write):
    meanwhile, made = Interrupting(), vectors_of(CHUNKS)

    def embed():
        meanwhile.now()
        return made, np.arange(len(CHUNKS), dtype=np.int32)

    for first in (lambda store: store.vectors, lambda store: add(store, CHUNKS[3])):
        store = MemoryStore(CHUNKS, embed, WordEmbedder("fee", "day"))
        meanwhile.do = lambda store=store: write(store)
        first(store)
        expected = store_of(CHUNKS)
        write(expected)
        first(expected)
        assert searched(store) == searched(expected)
        assert store.chunks == expected.chunks


def test_chunks_are_embedded_once_however_often_the_store_is_changed():
    embedder = WordEmbedder("fee", "day")
    owners = np.arange(len(CHUNKS), dtype=np.int32)
    store = MemoryStore(CHUNKS, lambda: (embedder.embed([c.text for c in CHUNKS]), owners), embedder)
    kept = store.keeping([0, 3], [CHUNKS[0], CHUNKS[3]])
    assert store.supersede("second", date(2026, 1, 1)) == 1
    assert names(searched(store, ["bm25"])["bm25"]) == {"first", "third"}
    assert embedder.calls == 0
    assert names(searched(kept, ["dense"])["dense"]) == {"first", "third"}
    assert store.vectors.shape == (4, 2)
    add(store, NEW)
    assert store.supersede("third", date(2026, 1, 1)) == 1
    assert store.vectors.shape == (5, 2)
    assert embedder.texts.count("fee fee day") == 2, "once as a passage and once as the question"


def test_a_store_of_some_chunks_is_of_those_that_stood_there():
    store = store_of(CHUNKS, lazy=True)
    kept = store.keeping([2, 3], CHUNKS[2:])
    add(store, CHUNKS[0], NEW)
    assert searched(kept) == searched(store_of(CHUNKS[2:]))


def test_adding_nothing_changes_nothing():
    store = store_of(CHUNKS)
    before = store.chunks
    store.upsert([], np.zeros((0, 0), dtype=np.float32))
    assert store.chunks == before
