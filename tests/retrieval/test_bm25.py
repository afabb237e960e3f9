"""BM25: the formula against a library and by hand, the analyser at work, and what finds nothing."""

import math
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import Filters, InvalidValue
from rag_kit.retrieval import Analyser, BM25Retriever
from rag_kit.testing import make_chunk

DAY = date(2026, 6, 1)
OWNER = Filters.owner(as_of=DAY)


def searched(texts, query, top_k=20, filters=OWNER, **options):
    chunks = [make_chunk(text, f"d{at}") for at, text in enumerate(texts)]
    index = BM25Retriever(chunks, **{"k1": 1.2, **options})
    return {item.chunk.document_id: item.score for item in index.search(query, filters=filters, top_k=top_k)}


SMALL = ["refund fee five", "refund window open", "invoice monthly sent", "seat limit forty"]


@pytest.mark.parametrize(
    ("third", "holding", "idf"),
    [("invoice monthly sent", 2, 0.6931), ("refund policy note", 3, 0.3567)],
)
def test_a_term_in_half_of_the_texts_or_more_still_counts(third, holding, idf):
    found = searched([*SMALL[:2], third, SMALL[3]], "refund")
    assert len(found) == holding
    # All are three terms long and hold it once: tf * (k1 + 1) / (tf + k1) = 1.
    assert list(found.values()) == pytest.approx([idf] * holding, abs=1e-4)


def test_a_term_in_every_text_scores_above_nothing():
    texts = [*SMALL[:2], "refund policy note", "refund seat limit"]
    assert list(searched(texts, "refund").values()) == pytest.approx([0.1054] * 4, abs=1e-4)
    assert searched(["refund"], "refund")["d0"] > 0


def test_a_term_in_each_of_very_many_texts_scores_above_nothing_too():
    assert min(searched(["fee"] * 60_000, "fee").values()) > 0


def test_the_score_by_hand():
    # N = 2, both lengths 2 and 1, mean 1.5; "fee" is in d0 twice and nowhere else.
    expected = math.log(1 + 1.5 / 1.5) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 2 / 1.5))
    assert searched(["fee fee", "day"], "fee") == {"d0": pytest.approx(expected, abs=1e-5)}
    assert searched(["fee fee", "day"], "fee fee")["d0"] == pytest.approx(2 * expected, abs=1e-5)
    assert searched(["fee fee", "day"], "fee", k1=0)["d0"] == pytest.approx(math.log(2), abs=1e-5)


def test_scores_are_not_rounded_to_fewer_digits_than_a_number_has():
    # N = 3, lengths 1, 2 and 4, mean 7 / 3; each of the terms is in one text, twice or once.
    index = BM25Retriever([make_chunk(text, text) for text in ("card", "fee fee", "day fund note rate")])
    idf = math.log(1 + 2.5 / 1.5)
    expected = [
        -math.inf,
        idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 2 / (7 / 3))),
        idf * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / (7 / 3))),
    ]
    assert index.scores("fee fund", OWNER).tolist() == pytest.approx(expected, abs=1e-14)


WORDS = st.sampled_from(["fee", "day", "card", "refund", "notice", "XX-1042", "limit"])
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=8)


@given(TEXTS, st.lists(WORDS, min_size=1, max_size=3, unique=True).map(" ".join))
def test_the_scores_are_those_of_another_implementation(texts, query):
    import bm25s

    analyser = Analyser()
    tokens = [analyser.terms(text) for text in texts]
    oracle = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend="numpy")
    oracle.index(tokens, show_progress=False)
    known = {term for own in tokens for term in own}
    asked = [term for term in analyser.terms(query) if term in known]
    # It leaves out the constant (k1 + 1), which changes no order.
    expected = oracle.get_scores(asked) * 2.2 if asked else np.zeros(len(texts))
    found = searched(texts, query)
    assert {f"d{at}" for at in np.flatnonzero(expected > 0)} == set(found)
    for at, score in enumerate(expected):
        assert found.get(f"d{at}", 0.0) == pytest.approx(score, abs=1e-4)


CODES = [
    "Error XX-1042: reset the hub.",
    "Error XX-1043: replace the fuse.",
    "E_CONN_RESET means the peer closed.",
    "Upgrade to v2.1.3, not v2.1.4.",
    "Call foo.bar() before baz.",
    "Sold 7,318,400 units.",
    "C# and C++ samples.",
]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("XX-1042", "d0"),
        ("1042", "d0"),
        ("xx 1042", "d0"),
        ("XX1042", "d0"),
        ("fuse", "d1"),
        ("E_CONN_RESET", "d2"),
        ("conn reset", "d2"),
        ("v2.1.3", "d3"),
        ("foo.bar", "d4"),
        ("7318400", "d5"),
        ("C++", "d6"),
    ],
)
def test_codes_find_their_text(query, first):
    found = searched(CODES, query)
    assert next(iter(found)) == first
    assert all(score < found[first] for name, score in found.items() if name != first)


MANY = ["退款期限为三十天", "发票每月开具", "Le théâtre ferme à 18h"]


@pytest.mark.parametrize(
    ("query", "names"), [("退款期限", {"d0"}), ("发票", {"d1"}), ("théâtre", {"d2"}), ("苹果", set())]
)
def test_other_scripts_find_their_text_and_nothing_else(query, names):
    assert set(searched(MANY, query)) == names


@pytest.mark.parametrize("query", ["zzz", "", "   ", "the of and", "?!"])
def test_a_query_without_a_known_term_finds_nothing(query):
    assert searched(["the fee", "the day", "of the card"], query) == {}


@pytest.mark.parametrize(("texts", "names"), [([], set()), (["", ""], set()), (["", "alpha beta"], {"d1"})])
def test_texts_that_are_empty(texts, names):
    assert set(searched(texts, "alpha")) == names


def test_nothing_is_no_number():
    index = BM25Retriever([make_chunk("", "a"), make_chunk("the", "b"), make_chunk("fee", "c")])
    scores = index.scores("fee the", OWNER)
    assert not np.isnan(scores).any()
    assert [s > 0 for s in scores] == [False, False, True]


def test_what_is_hidden_does_not_move_the_scores_of_the_rest():
    seen = [make_chunk(text, f"d{at}", access_tags=("all",)) for at, text in enumerate(["fee day", "card"])]
    secret = [make_chunk("fee " * n, f"s{n}", access_tags=("hr",)) for n in range(1, 9)]
    guest = Filters.for_tags(["all"], as_of=DAY)
    alone = BM25Retriever(seen).search("fee", filters=guest, top_k=5)
    among = BM25Retriever([*secret, *seen]).search("fee", filters=guest, top_k=5)
    assert [(i.chunk.chunk_id, i.score) for i in alone] == [(i.chunk.chunk_id, i.score) for i in among]


def test_the_title_and_the_headings_are_read_unless_told():
    chunk = make_chunk("It weighs 5 kg.", title="XX-1042 manual")
    assert BM25Retriever([chunk]).search("XX-1042", filters=OWNER, top_k=1)
    assert not BM25Retriever([chunk], contextual=False).search("XX-1042", filters=OWNER, top_k=1)


@pytest.mark.parametrize(("k1", "b"), [(-1, 0.75), (1.2, 1.5), (1.2, -0.1), (math.nan, 0.5), (math.inf, 0.5)])
def test_parameters_that_make_no_formula_are_refused(k1, b):
    with pytest.raises(InvalidValue, match="k1"):
        BM25Retriever([], k1=k1, b=b)


def test_equal_texts_go_by_chunk_id_whatever_the_order():
    chunks = [make_chunk("fee day", name) for name in "cab"]
    orders = [chunks, chunks[::-1]]
    found = [
        [i.chunk.document_id for i in BM25Retriever(o).search("fee", filters=OWNER, top_k=2)] for o in orders
    ]
    assert found == [["a", "b"]] * 2


@given(TEXTS, st.lists(WORDS, min_size=1, max_size=4).map(" ".join), st.integers(0, 7))
def test_the_shares_of_the_terms_sum_up_to_the_score(texts, query, hidden):
    chunks = [
        make_chunk(text, f"d{at}", access_tags=("hr" if at == hidden else "all",))
        for at, text in enumerate(texts)
    ]
    index, staff = BM25Retriever(chunks), Filters.for_tags(["all"], as_of=DAY)
    for chunk, score in zip(chunks, index.scores(query, staff), strict=True):
        if staff.admits(chunk):
            shares = index.explain(query, chunk.chunk_id, filters=staff)
            assert sum(share.score for share in shares) == pytest.approx(max(score, 0), abs=1e-12)
            assert all((share.score > 0) == (share.count > 0) for share in shares)


def test_the_shares_by_hand():
    fees, days = make_chunk("fee fee", "d0"), make_chunk("day", "d1")
    [fee, card] = BM25Retriever([fees, days], k1=1.2).explain("fee card fee", fees.chunk_id, filters=OWNER)
    expected = 2 * math.log(1 + 1.5 / 1.5) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 2 / 1.5))
    assert (fee.term, fee.times, fee.count, fee.score) == ("fee", 2, 2, pytest.approx(expected))
    assert fee.idf == pytest.approx(math.log(2))
    # No chunk holds it: log(1 + 2.5 / 0.5).
    assert (card.count, card.score, card.idf) == (0, 0.0, pytest.approx(math.log(6)))


def test_what_is_hidden_is_not_explained():
    secret = make_chunk("fee", "pay", access_tags=("hr",))
    index = BM25Retriever([secret, make_chunk("fee", "d", access_tags=("all",))])
    for chunk_id in (secret.chunk_id, "nowhere"):
        with pytest.raises(InvalidValue, match="no chunk that these filters admit has the id"):
            index.explain("fee", chunk_id, filters=Filters.for_tags(["all"], as_of=DAY))
