"""Embedding over the OpenAI client: batches within the service's limits, each text once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from rag_kit.errors import InvalidValue
from rag_kit.indexing.bar import open_bar
from rag_kit.indexing.cache import VectorCache
from rag_kit.limits import MAX_INPUTS, MAX_REQUEST_TOKENS
from rag_kit.protocols import Embedder, Owners, Vectors
from rag_kit.replies import reading_reply
from rag_kit.sentences import plain, units
from rag_kit.types import Chunk, embed_text

if TYPE_CHECKING:
    import openai

CHARACTERS_A_TOKEN = 2
"""Taken low, as English has about four: a batch stays well inside the limit on tokens."""
FEWEST_WITH_A_BAR = 64
"""Texts to be embedded; fewer are done before a bar could be read."""
MOST_ROWS = 2_000
"""Table rows of one document that are embedded for themselves."""


class ClientEmbedder:
    """Embeds through an OpenAI client, over a cache. Vectors have length 1; an empty text gets zeros.

    Raises UnexpectedReply for a server that does not give each text a vector, all of one width.
    ``name`` keeps one embedder's vectors apart from another's: it is the server and the model.
    ``on_progress`` is told how many of the texts that have to be sent are done, in place of a bar.
    """

    def __init__(
        self,
        client: openai.OpenAI,
        model: str,
        *,
        name: str,
        cache: VectorCache | None = None,
        progress: bool = False,
        on_progress: Callable[[int, int], None] | None = None,
        batch: int = 64,
    ) -> None:
        self.client = client
        self.model = model
        self.name = name
        self.cache = cache
        self.progress = progress and on_progress is None
        self.on_progress = on_progress
        self.batch = min(batch, MAX_INPUTS)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, one row a text, in order. Cached texts and repeated ones are not sent."""
        wanted = [text for text in dict.fromkeys(texts) if text.strip()]
        known = self.cache.get(wanted) if self.cache else {}
        fresh = self._ask([text for text in wanted if text not in known])
        width = len(next(iter((fresh or known).values()), ()))
        if outdated := [text for text, vector in known.items() if len(vector) != width]:
            # The server has another model under this name than when these were remembered.
            fresh |= self._ask(outdated)
        known |= fresh
        empty = np.zeros(width, dtype=np.float32)
        return np.stack([known.get(text, empty) for text in texts]) if texts else np.zeros((0, 0), np.float32)

    def _ask(self, texts: list[str]) -> dict[str, Vectors]:
        """Return what the server says, remembering each batch as it comes."""
        known: dict[str, Vectors] = {}
        for some in self._batches(texts):
            with reading_reply(self.client):
                response = self.client.embeddings.create(model=self.model, input=some)
                # Servers number the rows; not all of them send the rows in order.
                rows = sorted(response.data, key=lambda row: row.index)
                fresh = {text: _unit(row.embedding) for text, row in zip(some, rows, strict=True)}
                widths = {len(vector) for vector in (*fresh.values(), *list(known.values())[:1])}
                if len(widths) > 1:
                    raise ValueError(f"vectors of different lengths: {widths}")
            if self.cache:
                self.cache.put(fresh)
            known |= fresh
        return known

    def _batches(self, texts: list[str]) -> Iterator[list[str]]:
        longest = MAX_REQUEST_TOKENS * CHARACTERS_A_TOKEN
        shown = self.progress and len(texts) >= FEWEST_WITH_A_BAR
        with open_bar(len(texts)) if shown else nullcontext() as bar:
            some: list[str] = []
            for place, text in enumerate(texts):
                if some and (len(some) == self.batch or sum(map(len, some)) + len(text) > longest):
                    yield some
                    self._tell(place, len(texts), bar)
                    some = []
                some.append(text)
            if some:
                yield some
                self._tell(len(texts), len(texts), bar)

    def _tell(self, done: int, total: int, bar: Any) -> None:
        if bar is not None:
            bar.update(done - bar.n)
        if self.on_progress:
            self.on_progress(done, total)


def embed_chunks(chunks: Sequence[Chunk], embedder: Embedder, *, neighbours: float = 0.0) -> Vectors:
    """Embed what stands for each chunk: title, heading path and prefix before its text.

    With ``neighbours`` a chunk's vector is v + neighbours * (before + after), brought to length 1: before and
    after are the vectors of the chunks beside it in the same section of the same document, in the order given.
    A long section without headings is found better so, for its chunks name their subject less often than it is
    theirs. Nothing more is embedded. Raises InvalidValue unless 0 <= neighbours <= 1.
    """
    if not 0 <= neighbours <= 1:
        raise InvalidValue(f"neighbours {neighbours} is no share: choose 0 (alone) to 1")
    vectors = embedder.embed([chunk.embed_text() for chunk in chunks])
    if not neighbours or len(chunks) < 2:
        return vectors
    place = [(chunk.document_id, chunk.heading_path) for chunk in chunks]
    beside = np.array([one == two for one, two in zip(place, place[1:], strict=False)])
    # What is empty has no direction, and gets none from beside it.
    written = np.any(vectors != 0, axis=1)
    shared = neighbours * (beside & written[1:] & written[:-1]).reshape(-1, 1)
    mixed = vectors.astype(np.float64)
    mixed[1:] += shared * vectors[:-1]
    mixed[:-1] += shared * vectors[1:]
    lengths = np.linalg.norm(mixed, axis=1, keepdims=True)
    found: Vectors = (mixed / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return found


def embed_with_rows(
    chunks: Sequence[Chunk], embedder: Embedder, *, contextual: bool = True
) -> tuple[Vectors, Owners]:
    """Embed each chunk, and each row of the tables in it for itself; return the vectors and whose each is.

    The first vectors are the chunks', in order. A question for a figure is close to its row, under its
    column's names, and far from a table as a whole: in the middle of twenty rows one row does not show. Of
    each document the first MOST_ROWS rows are embedded so: an export of a database would take hours. Without
    ``contextual`` neither reads title and headings.
    """
    rows: list[tuple[int, str]] = []
    left: Counter[str] = Counter()
    for at, chunk in enumerate(chunks):
        texts = row_texts(chunk, contextual=contextual)[: MOST_ROWS - left[chunk.document_id]]
        left[chunk.document_id] += len(texts)
        rows += [(at, text) for text in texts]
    own = [chunk.embed_text(contextual=contextual) for chunk in chunks]
    vectors = embedder.embed([*own, *(text for _, text in rows)])
    return vectors, np.array([*range(len(chunks)), *(at for at, _ in rows)], dtype=np.int32)


def row_texts(chunk: Chunk, *, contextual: bool = True) -> list[str]:
    r"""Return what is embedded of each table row: title and headings, then its cells by their columns' names.

    None for a chunk that is a single row, which stands for itself.

    >>> from rag_kit.testing import make_chunk
    >>> table = "| Part | Price |\n|---|---|\n| XX-1 | 5 |\n| XX-2 | 7 |"
    >>> row_texts(make_chunk(table, title="Parts"))
    ['Parts\nPart: XX-1; Price: 5', 'Parts\nPart: XX-2; Price: 7']
    """
    if "|" not in chunk.text:
        return []
    found = units(chunk.text, prefix=chunk.prefix)
    texts = []
    for unit in found if len(found) > 1 else []:
        if unit.kind == "row" and (said := plain(chunk.text[slice(*unit.span)], unit.header)):
            place = chunk.heading_path_at(chunk.span[0] + unit.span[0])
            texts.append(embed_text(chunk.title, place, "", said) if contextual else said)
    return texts


def _unit(values: Sequence[float]) -> Vectors:
    vector = np.asarray(values, dtype=np.float32)
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise ValueError("an embedding is a list of numbers")
    length = float(np.linalg.norm(vector))
    # A vector of length 1 is left as it came: dividing by 0.99999997 would change its last bits for nothing.
    return vector if abs(length - 1) < 1e-6 or not length else vector / np.float32(length)
