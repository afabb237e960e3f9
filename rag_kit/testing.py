"""Fakes for tests, small enough to compute by hand: no model, no network, the same on every machine.

They stand where the real parts stand, so no test has to patch anything: an embedder whose vectors are word
counts, a tokenizer that counts words, a server that says what it was told, a retriever that was told what
it finds.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx2
import numpy as np

from rag_kit.access import Filters
from rag_kit.counts import check_count
from rag_kit.protocols import Vectors
from rag_kit.sentences import words
from rag_kit.types import Chunk, Evidence, Span

if TYPE_CHECKING:
    import openai

_LETTERS = re.compile(r"\w+")


class WordEmbedder:
    """Counts chosen words: one dimension a word, then scaled to length 1.

    A text without any of them is all zeros, as a text without a direction should be. ``calls`` counts the
    calls and ``texts`` keeps what was asked for.

    >>> WordEmbedder("fee", "day").embed(["Fee fee fee day day day day"]).astype(float).round(3).tolist()
    [[0.6, 0.8]]
    """

    def __init__(self, *chosen: str, name: str = "word-counts") -> None:
        self.chosen = chosen
        self.name = name
        self.calls = 0
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, in order."""
        self.calls += 1
        self.texts.extend(texts)
        found = [_LETTERS.findall(text.casefold()) for text in texts]
        counts = np.array([held.count(word) for held in found for word in self.chosen], dtype=np.float32)
        counts = counts.reshape(len(texts), len(self.chosen))
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        vectors: Vectors = counts / np.maximum(lengths, np.float32(1))
        return vectors


class FakeTokenizer:
    """One token a word. ``calls`` counts how often it was asked.

    >>> FakeTokenizer().word_spans("ten  days")
    [((0, 3), 1), ((5, 9), 1)]
    """

    def __init__(self, max_tokens: int = 1_000, special_tokens: int = 0) -> None:
        self.max_tokens = max_tokens
        self.special_tokens = special_tokens
        self.calls = 0

    def count(self, text: str) -> int:
        """Count the words."""
        self.calls += 1
        return len(words(text))

    def word_spans(self, text: str) -> list[tuple[Span, int]]:
        """Return each word's span, and 1."""
        self.calls += 1
        return [(span, 1) for span in words(text)]


class ScriptedTransport(httpx2.BaseTransport):
    """A chat server that gives the replies it was told, in turn, and keeps what it was asked.

    A reply is a text, an HTTP status to fail with, or an exception to raise. Once they are used up it
    answers 400, which a client does not try again, or ``for_ever`` gives the last one again. Anything that
    is not chat is answered 400.

    >>> server = ScriptedTransport("Five [1].")
    >>> server.client().chat.completions.create(model="m", messages=[]).choices[0].message.content
    'Five [1].'
    >>> server.calls, server.requests[0]["model"]
    (1, 'm')
    """

    def __init__(
        self, *replies: str | int | Exception, error: str = "scripted failure", for_ever: bool = False
    ) -> None:
        self.replies = list(replies)
        self.for_ever = for_ever
        self.error = error
        self.calls = 0
        self.requests: list[dict[str, Any]] = []

    def client(self, **options: Any) -> openai.OpenAI:
        """Return an OpenAI client that talks to this server."""
        import openai

        http_client = httpx2.Client(transport=self)
        return openai.OpenAI(
            api_key="not-needed", base_url="http://scripted.invalid/v1", http_client=http_client, **options
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Give the next reply."""
        self.calls += 1
        self.requests.append(json.loads(request.read() or b"{}"))
        if not request.url.path.endswith("/chat/completions"):
            return self._fail(request, 400, "this server only chats")
        if not self.replies:
            return self._fail(request, 400, "no reply is left")
        last = self.for_ever and len(self.replies) == 1
        reply = self.replies[0] if last else self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, int):
            return self._fail(request, reply, self.error)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
        usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
        body = {
            "id": f"scripted-{self.calls}",
            "object": "chat.completion",
            "created": 0,
            "model": "scripted",
        }
        return httpx2.Response(200, json={**body, "choices": [choice], "usage": usage}, request=request)

    def _fail(self, request: httpx2.Request, status: int, message: str) -> httpx2.Response:
        error = {"message": message, "type": "scripted", "param": None, "code": None}
        # A client that tries again does so at once.
        headers = {"retry-after-ms": "1"}
        return httpx2.Response(status, json={"error": error}, headers=headers, request=request)


class PairFake:
    """Scores pairs as a cross-encoder would: what it was told of the passage's text.

    ``batches`` keeps what it was asked.

    >>> PairFake({"Five.": 2.0}, default=-1.0).predict([("fee", "Five."), ("fee", "Six.")])
    [2.0, -1.0]
    """

    def __init__(self, scores: Mapping[str, float] | None = None, *, default: float = 0.0) -> None:
        self.scores = dict(scores or {})
        self.default = default
        self.batches: list[list[tuple[str, str]]] = []

    def predict(self, pairs: Sequence[tuple[str, str]], /) -> list[float]:
        """Return one score a pair, in order."""
        self.batches.append(list(pairs))
        return [self.scores.get(text, self.default) for _, text in pairs]


class ScoreReranker:
    """Orders candidates by what a function says of question and text, and keeps what it was shown.

    >>> shortest = ScoreReranker(lambda query, text: -len(text))
    >>> [item.chunk.text for item in shortest.rerank("fee", make_evidence("Five.", "5."), top_n=2)]
    ['5.', 'Five.']
    >>> shortest.seen
    [('fee', ['Five.', '5.'])]
    """

    def __init__(self, score: Callable[[str, str], float], name: str = "scripted") -> None:
        self.score = score
        self.name = name
        self.seen: list[tuple[str, list[str]]] = []

    def rerank(self, query: str, candidates: Sequence[Evidence], *, top_n: int) -> list[Evidence]:
        """Return the ``top_n`` with the highest scores; equal ones keep their order."""
        check_count("top_n", top_n)
        texts = [item.chunk.text for item in candidates]
        self.seen.append((query, texts))
        scores = [self.score(query, text) for text in texts]
        best = sorted(range(len(texts)), key=lambda at: -scores[at])[:top_n]
        return [replace(candidates[at], rank=n, score=scores[at]) for n, at in enumerate(best, start=1)]


class ListRetriever:
    """Finds what it was given, in that order, as far as the filters admit it. ``calls`` counts searches."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        self.evidence = list(evidence)
        self.calls = 0

    def search(self, query: str, *, filters: Filters, top_k: int) -> list[Evidence]:
        """Return the first ``top_k`` that the filters admit, ranks counted anew."""
        self.calls += 1
        check_count("top_k", top_k)
        admitted = [item for item in self.evidence if query.strip() and filters.admits(item.chunk)]
        return [replace(item, rank=rank) for rank, item in enumerate(admitted[:top_k], start=1)]


def make_chunk(text: str, document_id: str = "d", *, start: int = 0, **fields: Any) -> Chunk:
    r"""Make a chunk of one text; ``start`` is where it stands in its document, ``fields`` are a chunk's.

    >>> chunk = make_chunk("The fee is 5.", start=7, title="Fees")
    >>> chunk.span, chunk.tokens, chunk.embed_text()
    ((7, 20), 5, 'Fees\nThe fee is 5.')
    """
    content_hash = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    chunk = Chunk(
        chunk_id=f"{document_id}#{content_hash[:12]}",
        document_id=document_id,
        title="",
        text=text,
        span=(start, start + len(text)),
        heading_path=(),
        source_uri=f"{document_id}.md",
        content_hash=content_hash,
        tokens=0,
    )
    chunk = replace(chunk, **fields)
    return chunk if "tokens" in fields else replace(chunk, tokens=len(words(chunk.embed_text())))


def make_evidence(*items: Chunk | str) -> list[Evidence]:
    """Rank chunks, or texts each in a document of its own, best first: scores 1, 1/2, 1/3, …

    >>> [(e.chunk.document_id, e.rank, e.score) for e in make_evidence("Five.", "Six.")]
    [('d1', 1, 1.0), ('d2', 2, 0.5)]
    """
    chunks = [make_chunk(item, f"d{n}") if isinstance(item, str) else item for n, item in enumerate(items, 1)]
    return [
        Evidence(chunk, rank, 1 / rank, similarity=1 / rank, ranks={"list": rank})
        for rank, chunk in enumerate(chunks, start=1)
    ]
