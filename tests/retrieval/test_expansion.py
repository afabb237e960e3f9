"""Parent expansion: one passage a section, in the order of its best chunk, and never another's."""

import pytest

from rag_kit import Filters, InvalidValue
from rag_kit.retrieval import ParentRetriever, expand_to_parents
from rag_kit.testing import ListRetriever, make_chunk, make_evidence

OWNER = Filters.owner()
FEES = make_chunk("Fee one. Fee two.", "fees", access_tags=("all",))
PAY = make_chunk("Pay one. Pay two.", "pay", access_tags=("hr",))
PARENTS = {parent.chunk_id: parent for parent in (FEES, PAY)}
SMALL = [
    make_chunk(text, parent.document_id, parent_id=parent.chunk_id, access_tags=parent.access_tags, start=at)
    for text, parent, at in (
        ("Fee two.", FEES, 9), ("Pay one.", PAY, 0), ("Fee one.", FEES, 0), ("Pay two.", PAY, 9),
    )
]  # fmt: skip


def test_each_parent_comes_once_with_its_best_chunks_scores():
    found = expand_to_parents(make_evidence(*SMALL), PARENTS)
    assert [(item.chunk, item.rank, item.score, item.ranks) for item in found] == [
        (FEES, 1, 1.0, {"list": 1}),
        (PAY, 2, 0.5, {"list": 2}),
    ]
    assert [item.similarity for item in found] == [1.0, 0.5]


def test_a_chunk_without_a_parent_stays():
    lone, lost = make_chunk("Lone.", "x"), make_chunk("Lost.", "y", parent_id="gone")
    found = expand_to_parents(make_evidence(lone, SMALL[0], lost), PARENTS)
    assert [item.chunk for item in found] == [lone, FEES, lost]
    assert [item.rank for item in found] == [1, 2, 3]
    assert expand_to_parents([], PARENTS) == []


def test_as_many_parents_as_were_asked_for_and_only_of_what_may_be_seen():
    retriever = ParentRetriever(ListRetriever(make_evidence(*SMALL)), PARENTS)
    assert [item.chunk for item in retriever.search("fee", filters=OWNER, top_k=2)] == [FEES, PAY]
    assert [item.chunk for item in retriever.search("fee", filters=OWNER, top_k=1)] == [FEES]
    staff = Filters.for_tags(["hr"])
    assert [item.chunk for item in retriever.search("fee", filters=staff, top_k=2)] == [PAY]
    with pytest.raises(InvalidValue, match="choose 1 or more"):
        retriever.search("fee", filters=OWNER, top_k=0)
