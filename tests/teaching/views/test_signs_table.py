"""The products of signs and weights: they add up to the order that the reranker gives."""

import pytest

from rag_kit import InvalidValue
from rag_kit.retrieval.reranking import WeightedReranker
from rag_kit.teaching.views.signs_table import signs_table
from rag_kit.testing import make_chunk, make_evidence

FOUND = make_evidence(
    make_chunk("Cards are blue.", "a", title="Cards"),
    make_chunk("The fee is 5.", "b", title="Terms", heading_path=("1. All", "1.2 Fees")),
    make_chunk("Nothing.", "c", title="Else"),
)
RERANKER = WeightedReranker(weights={"fused": 0.5, "coverage": 2.0})
IDS = [item.chunk.chunk_id for item in FOUND]


def cells(table):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.data.splitlines()]


def test_rows_stand_in_the_rerankers_order_and_their_products_add_up():
    head, _, *rows = cells(signs_table(RERANKER, "What is the fee?", FOUND, IDS, gold=[IDS[1]]))
    assert head == ["rank", "rank before", "section", "gold quote", "fused × 0.5", "coverage × 2", "sum"]
    reranked = RERANKER.rerank("What is the fee?", FOUND, top_n=3)
    places = {item.chunk.chunk_id: str(item.rank) for item in FOUND}
    assert [row[1] for row in rows] == [places[item.chunk.chunk_id] for item in reranked]
    assert rows[0][:4] == ["1", "2", "1.2 Fees", "yes"]
    assert [row[3] for row in rows[1:]] == ["", ""]
    for row in rows:
        assert float(row[4]) + float(row[5]) == pytest.approx(float(row[6]), abs=2e-3)


def test_some_candidates_keep_the_places_that_they_have_among_all():
    _, _, *rows = cells(signs_table(RERANKER, "What is the fee?", FOUND, [IDS[0], IDS[0]]))
    assert [row[:3] for row in rows] == [["2", "1", "Cards"]]


def test_what_is_no_candidate_has_no_row():
    with pytest.raises(InvalidValue, match="'x#1' is not among the candidates"):
        signs_table(RERANKER, "fee", FOUND, ["x#1"])
