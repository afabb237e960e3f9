"""Embedding over a client: order, batches, repeats, and what is remembered."""

import json

import httpx2
import numpy as np
import openai
import pytest

from rag_kit.errors import InvalidValue, UnexpectedReply
from rag_kit.indexing import ClientEmbedder, VectorCache, embed_chunks, embed_with_rows
from rag_kit.indexing.embedding import MOST_ROWS, row_texts
from rag_kit.testing import WordEmbedder, make_chunk


class EmbeddingServer(httpx2.BaseTransport):
    """Gives a text of n characters the vector (n, 1), and refuses what a real service refuses."""

    def __init__(self, *, backwards=False, scale=1.0):
        self.batches = []
        self.backwards = backwards
        self.scale = scale

    def handle_request(self, request):
        texts = json.loads(request.read())["input"]
        self.batches.append(texts)
        rows = [
            {"object": "embedding", "index": n, "embedding": [len(text) * self.scale, self.scale]}
            for n, text in enumerate(texts)
        ]
        if not texts or not all(texts) or len(texts) > 2_048 or sum(len(t) / 4 for t in texts) > 300_000:
            return httpx2.Response(400, json={"error": {"message": "too much or nothing"}}, request=request)
        body = {"object": "list", "data": rows[::-1] if self.backwards else rows, "model": "m"}
        return httpx2.Response(
            200, json={**body, "usage": {"prompt_tokens": 1, "total_tokens": 1}}, request=request
        )

    def embedder(self, **options):
        http_client = httpx2.Client(transport=self)
        client = openai.OpenAI(
            api_key="k", base_url="http://e.invalid/v1", http_client=http_client, max_retries=0
        )
        return ClientEmbedder(client, "m", **{"name": "fake", **options})


def lengths(vectors):
    return [round(float(x / y)) for x, y in vectors]


def test_vectors_have_length_one_and_come_in_the_order_of_the_texts():
    vectors = EmbeddingServer(scale=7).embedder().embed(["abc", "a", "ab"])
    assert lengths(vectors) == [3, 1, 2]
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert vectors.dtype == np.float32


def test_a_server_that_sends_its_rows_out_of_order_is_put_right():
    assert lengths(EmbeddingServer(backwards=True).embedder().embed(["abc", "a", "ab"])) == [3, 1, 2]


def test_repeated_and_empty_texts_are_not_sent():
    server = EmbeddingServer()
    vectors = server.embedder().embed(["ab", "", "ab", " \n", "c"])
    assert server.batches == [["ab", "c"]]
    assert lengths(vectors[[0, 2, 4]]) == [2, 2, 1]
    assert vectors[[1, 3]].tolist() == [[0, 0], [0, 0]]


def test_nothing_to_embed_makes_no_call():
    server = EmbeddingServer()
    assert server.embedder().embed([]).shape == (0, 0)
    assert server.embedder().embed([""]).shape == (1, 0)
    assert server.batches == []


@pytest.mark.parametrize("batch", [1, 64, 5_000])
def test_batches_stay_within_the_services_limits_and_keep_the_order(batch):
    texts = [str(n) + "x" * (n % 50) for n in range(2_500 if batch > 1 else 100)]
    server = EmbeddingServer()
    vectors = server.embedder(batch=batch).embed(texts)
    assert lengths(vectors) == [len(text) for text in texts]
    assert max(map(len, server.batches)) <= min(batch, 2_048)


def test_batches_are_cut_by_tokens_too():
    texts = [f"{n} " + "x" * 2_400 for n in range(700)]  # About 600 tokens each, 420,000 in all.
    server = EmbeddingServer()
    assert len(server.embedder(batch=2_048).embed(texts)) == 700
    assert len(server.batches) >= 2


def test_what_is_cached_is_not_sent_again_not_even_after_a_failure_half_way(tmp_path):
    server = EmbeddingServer()
    first = server.embedder(cache=VectorCache(tmp_path, "fake"), batch=1)
    with pytest.raises(openai.BadRequestError):
        first.embed(["a", "bb", "x" * 2_000_000])
    again = server.embedder(cache=VectorCache(tmp_path, "fake"))
    assert lengths(again.embed(["bb", "a", "ccc"])) == [2, 1, 3]
    assert server.batches[-1] == ["ccc"]


def test_another_embedder_computes_anew_and_the_first_one_still_remembers(tmp_path):
    a, b = EmbeddingServer(), EmbeddingServer(scale=2)
    for server, name in ((a, "a"), (b, "b"), (a, "a"), (b, "b")):
        server.embedder(name=name, cache=VectorCache(tmp_path, name)).embed(["hello"])
    assert (len(a.batches), len(b.batches)) == (1, 1)


class Says(httpx2.BaseTransport):
    """Answers every request with the same text and status 200."""

    def __init__(self, text, kind="application/json"):
        self.text, self.kind = text, kind

    def handle_request(self, request):
        request.read()
        return httpx2.Response(200, text=self.text, headers={"content-type": self.kind}, request=request)


@pytest.mark.parametrize(
    "said",
    ["<html>Sign in</html>", "", "{bad", "null", "[]", "5", "{}"]
    + [f'{{"data": {data}}}' for data in ("null", "{}", "[]", "[5]", "[{}]", '[{"index": 0}]')]
    + [
        f'{{"data": [{{"index": 0, "embedding": {row}}}]}}'
        for row in ("[]", "[[1]]", '["a"]', '"??"', "[NaN]")
    ]
    + ['{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}'],
)
@pytest.mark.parametrize("kind", ["application/json", "text/html"])
def test_a_server_that_does_not_embed_is_named_and_nothing_is_remembered(tmp_path, said, kind):
    client = openai.OpenAI(
        api_key="k",
        base_url="http://odd.test/v1",
        http_client=httpx2.Client(transport=Says(said, kind)),
        max_retries=0,
    )
    cache = VectorCache(tmp_path, "odd")
    with pytest.raises(UnexpectedReply, match="the server at odd.test did not answer as OpenAI's API does"):
        ClientEmbedder(client, "m", name="odd", cache=cache).embed(["a"])
    assert cache.get(["a"]) == {}


@pytest.mark.parametrize("text", ["\ud800", "fee \udfff?", "\ud800\udc00"])
def test_a_text_that_cannot_be_sent_is_no_fault_of_the_server(text):
    with pytest.raises(InvalidValue, match=r"half a character \(U\+D[8F]..\), which cannot be sent"):
        EmbeddingServer().embedder().embed(["good", text])


def test_a_server_that_changed_its_model_is_asked_again_for_what_was_remembered(tmp_path):
    cache = VectorCache(tmp_path, "fake")
    cache.put({"old": np.array([0.6, 0.8, 0.0], dtype=np.float32)})
    server = EmbeddingServer()
    vectors = server.embedder(cache=cache).embed(["old", "a"])
    assert lengths(vectors) == [3, 1]
    assert server.batches == [["a"], ["old"]]
    assert server.embedder(cache=cache).embed(["old"]).shape == (1, 2)


def test_a_chunk_is_embedded_with_its_title_and_headings():
    embedder = WordEmbedder("fee", "card")
    chunk = make_chunk("The fee is 5.", title="Fees", heading_path=("Fees", "Card"), prefix="| card |")
    vectors = embed_chunks([chunk], embedder)
    assert embedder.texts == ["Fees > Card\n| card |\nThe fee is 5."]
    assert vectors[0].tolist() == pytest.approx([1 / 5**0.5, 2 / 5**0.5])


def section(*texts, name="d", path=()):
    return [make_chunk(text, document_id=name, title="", heading_path=path) for text in texts]


def test_neighbours_of_the_same_section_lend_their_direction():
    embedder = WordEmbedder("fee", "card", "moon")
    alone = embed_chunks(chunks := section("fee", "card", "moon"), embedder)
    mixed = embed_chunks(chunks, embedder, neighbours=0.25)
    one = alone[0] + 0.25 * alone[1]
    two = alone[1] + 0.25 * (alone[0] + alone[2])
    assert mixed[0].tolist() == pytest.approx((one / np.linalg.norm(one)).tolist())
    assert mixed[1].tolist() == pytest.approx((two / np.linalg.norm(two)).tolist())
    assert np.linalg.norm(mixed, axis=1).tolist() == pytest.approx([1, 1, 1])
    assert mixed.dtype == np.float32
    assert embedder.texts == ["fee", "card", "moon"] * 2, "nothing more is embedded"


def test_neighbours_of_another_section_or_document_lend_nothing():
    chunks = [*section("fee"), *section("card", path=("A",)), *section("moon", name="e", path=("A",))]
    embedder = WordEmbedder("fee", "card", "moon")
    assert np.array_equal(
        embed_chunks(chunks, embedder, neighbours=0.5).round(6), embed_chunks(chunks, embedder).round(6)
    )


def test_what_has_no_direction_gets_and_lends_none_and_one_chunk_is_as_it_was():
    embedder = WordEmbedder("fee", "card")
    mixed = embed_chunks(section("fee", "moon", "card"), embedder, neighbours=0.5)
    assert mixed.tolist() == [[1, 0], [0, 0], [0, 1]]
    assert embed_chunks(section("fee"), embedder, neighbours=1.0).tolist() == [[1, 0]]
    assert len(embed_chunks([], embedder, neighbours=1.0)) == 0


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_neighbours_that_are_no_share_are_refused(share):
    with pytest.raises(InvalidValue, match="choose 0"):
        embed_chunks(section("a", "b"), WordEmbedder("a"), neighbours=share)


def test_the_progress_bar_is_on_stderr_and_only_when_wanted(capsys):
    texts = [str(n) for n in range(200)]
    EmbeddingServer().embedder().embed(texts)
    assert capsys.readouterr().err == ""
    EmbeddingServer().embedder(progress=True).embed(texts)
    printed = capsys.readouterr()
    assert "embedding" in printed.err
    assert printed.out == ""


def test_progress_is_told_after_each_batch_and_only_of_what_is_sent(tmp_path):
    told = []
    cache = VectorCache(tmp_path, "fake")
    embedder = EmbeddingServer().embedder(
        batch=2, cache=cache, progress=True, on_progress=lambda done, total: told.append((done, total))
    )
    embedder.embed(["a", "bb", "a", "", "ccc"])
    assert told == [(2, 3), (3, 3)]
    embedder.embed(["bb", "dddd"])
    assert told[2:] == [(1, 1)]
    embedder.embed(["a"])
    assert len(told) == 3


TABLE = "| Part | Price |\n|---|---|\n| XX-1 | **5** |\n| XX-2 | 7 |"


def test_each_row_of_a_table_has_a_vector_of_its_own_under_its_columns_names():
    embedder = WordEmbedder("price", "xx")
    chunks = [make_chunk("No table."), make_chunk(TABLE, "t", title="Parts")]
    vectors, owners = embed_with_rows(chunks, embedder)
    assert owners.tolist() == [0, 1, 1, 1]
    assert embedder.texts == [
        "No table.", f"Parts\n{TABLE}", "Parts\nPart: XX-1; Price: 5", "Parts\nPart: XX-2; Price: 7",
    ]  # fmt: skip
    assert len(vectors) == 4
    assert np.array_equal(vectors[:2], embed_chunks(chunks, embedder))


def test_the_rows_of_a_cut_table_are_named_by_the_header_above():
    head, rows = TABLE.rsplit("\n", 2)[0], "| XX-1 | 5 |\n| XX-2 | 7 |"
    assert row_texts(make_chunk(rows, prefix=head)) == ["Part: XX-1; Price: 5", "Part: XX-2; Price: 7"]


def test_a_row_stands_under_the_heading_that_it_is_under():
    text = f"Before.\n\n## Spare\n\n{TABLE}"
    piece = make_chunk(
        text, title="Parts", heading_path=("Parts", "New"), headings=((9, ("Parts", "Spare")),)
    )
    assert row_texts(piece)[0] == "Parts > Spare\nPart: XX-1; Price: 5"


def test_what_is_one_row_or_no_table_stands_for_itself():
    assert row_texts(make_chunk("| XX-1 | 5 |", prefix="| Part | Price |\n|---|---|")) == []
    assert row_texts(make_chunk("Either | or. And more.")) == []
    assert row_texts(make_chunk("")) == []


def test_only_the_first_rows_of_a_very_long_table_are_embedded_for_themselves():
    table = "| Part | Price |\n|---|---|\n" + "\n".join(f"| P{n} | {n} |" for n in range(MOST_ROWS + 50))
    chunks = [make_chunk(table, "long"), make_chunk("| a | b |\n|---|---|\n| c | 1 |\n| d | 2 |", "short")]
    _, owners = embed_with_rows(chunks, WordEmbedder("fee"))
    assert np.bincount(owners).tolist() == [1 + MOST_ROWS, 3]


def test_without_context_titles_and_headings_are_not_embedded():
    table = "| Part | Price |\n|---|---|\n| XX-1 | 5 |\n| XX-2 | 7 |"
    chunk = make_chunk(table, title="Parts", heading_path=("Prices",))
    assert chunk.embed_text() == f"Parts > Prices\n{table}"
    assert chunk.embed_text(contextual=False) == table
    assert row_texts(chunk, contextual=False) == ["Part: XX-1; Price: 5", "Part: XX-2; Price: 7"]
