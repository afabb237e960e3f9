"""Versions: whatever the links and dates, something stays in force, and reading and folding agree on what."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import Filters
from rag_kit.generation.folding import fold
from rag_kit.parsing.versions import end_superseded
from rag_kit.testing import make_chunk, make_evidence
from rag_kit.types import Document

FAR = Filters.owner(as_of=date(2090, 1, 1))
TEXTS = ("Cats sleep.", "Rain fell.", "Ships sail.", "Bread rises.", "Clocks tick.")


def document(name, year=None, supersedes=None):
    updated = date(year, 1, 1) if year else None
    metadata = {} if supersedes is None else {"supersedes": supersedes}
    return Document(name, f"{name}.md", name, f"Text of {name}.", (), metadata, "", updated_at=updated)


def ends(*documents):
    return {
        one.document_id: one.superseded_at and one.superseded_at.year for one in end_superseded(documents)
    }


def notices(*documents):
    return {one.document_id: notice.message for one in end_superseded(documents) for notice in one.notices}


def test_of_two_that_replace_each_other_the_later_one_stays_in_force():
    circle = document("c1", 2020, "c2"), document("c2", 2021, "c1")
    assert ends(*circle) == ends(*reversed(circle)) == {"c1": 2021, "c2": None}
    assert notices(*circle) == {
        "c1": "supersedes 'c2' has no effect: 'c1' and 'c2' replace each other, and 'c2' is the later one: "
        "take supersedes out of 'c1'"
    }


def test_of_a_longer_circle_the_latest_stays_in_force_and_the_others_end_as_their_links_say():
    circle = document("c", 2022, "b"), document("b", 2021, "a"), document("a", 2020, "c")
    assert ends(*circle) == {"c": None, "b": 2022, "a": 2021}
    backwards = document("c", 2022, "a"), document("b", 2021, "c"), document("a", 2020, "b")
    assert ends(*backwards) == {"c": None, "b": 2022, "a": 2022}


def test_of_one_day_the_last_by_its_id_stays_in_force():
    circle = document("v1", 2020, "v2"), document("v2", 2020, "v1")
    assert ends(*circle) == ends(*reversed(circle)) == {"v1": 2020, "v2": None}


def test_a_successor_dated_before_what_it_replaces_has_no_effect():
    two = document("older", 2022), document("succ", 2021, "older")
    assert ends(*two) == {"older": None, "succ": None}
    assert notices(*two) == {
        "succ": "supersedes 'older' has no effect: 'succ' is dated 2021-01-01, before 'older' (2022-01-01): "
        "correct updated_at in one of them, or take supersedes out"
    }


def test_a_successor_of_the_same_day_or_of_a_version_without_a_date_replaces_it():
    assert ends(document("v1", 2022), document("v2", 2022, "v1"))["v1"] == 2022
    assert ends(document("v1"), document("v2", 2022, "v1"))["v1"] == 2022


@pytest.mark.parametrize("several", [["v1", "v0"], ["v1"], ("v1",), {"id": "v1"}])
def test_several_ids_in_one_link_are_named_as_that(several):
    found = notices(document("v0", 2019), document("v1", 2020), document("v2", 2021, several))
    assert set(found) == {"v2"}
    assert "has no effect: one id is meant: name the version just before" in found["v2"]
    assert "no other document" not in found["v2"]


def test_notices_tell_of_the_documents_that_are_there_now():
    first = document("v1", 2022), document("v2", 2021, "v1")
    (_, left) = end_superseded(first)
    (alone,) = end_superseded([left])
    (notice,) = alone.notices
    assert "no other document has that id" in notice.message


@st.composite
def versions(draw):
    names = "abcde"[: draw(st.integers(1, 5))]
    link = st.sampled_from([None, *names, "gone"])
    return [document(name, draw(st.integers(2020, 2023)), draw(link)) for name in names]


def groups(documents):
    """Group what is linked, in either direction and over others."""
    found = [{one.document_id} for one in documents]
    for one in documents:
        ids = {one.document_id, one.metadata.get("supersedes")}
        joined = [group for group in found if group & ids]
        found = [group for group in found if not group & ids] + [set().union(*joined)]
    return found


@given(versions())
def test_of_any_versions_that_are_linked_one_is_in_force_on_a_far_day(documents):
    dated = end_superseded(documents)
    for group in groups(documents):
        assert any(FAR.admits(one) for one in dated if one.document_id in group)
    for one, given_one in zip(dated, documents, strict=True):
        assert one.superseded_at is None or one.superseded_at >= given_one.updated_at
    assert end_superseded(dated) == dated


@given(versions())
def test_reading_and_folding_agree_on_what_is_an_older_version(documents):
    chunks = [
        make_chunk(text, one.document_id, updated_at=one.updated_at, metadata=one.metadata)
        for one, text in zip(documents, TEXTS, strict=False)
    ]
    folded = {one.dropped.chunk.document_id for one in fold(make_evidence(*chunks)).folds}
    assert folded == {one.document_id for one in end_superseded(documents) if one.superseded_at}
