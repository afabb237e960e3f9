"""Newer versions that some readers of the older one may not see."""

from dataclasses import replace
from datetime import date

import pytest

from rag_kit import Filters
from rag_kit.chunking import diagnose
from rag_kit.parsing.versions import end_superseded
from rag_kit.testing import FakeTokenizer
from tests.chunking.diagnostics.conftest import read


def version(name, year, *tags, **metadata):
    document = read(f"# {name}\n\nThe fee of {year} is {year % 100} euros.", name)
    return replace(document, access_tags=tags, updated_at=date(year, 1, 1), metadata=metadata)


def cut_off(*documents):
    return [item for item in diagnose(documents, [], FakeTokenizer()) if item.code == "successor_hidden"]


def test_a_successor_without_a_tag_of_its_predecessor_is_a_warning_with_the_mend():
    old, new = version("old", 2025, "hr", "staff"), version("new", 2026, "hr", supersedes="old")
    (item,) = cut_off(old, new)
    assert (item.severity, item.document_id) == ("warning", "new")
    assert [place.document_id for place in item.related] == ["old"]
    assert item.message == (
        "new replaces old without its access tag 'staff': whoever has no other tag finds neither; "
        "add to new what is missing, or take supersedes out"
    )
    guest = Filters.for_tags(["staff"], as_of=date(2027, 1, 1))
    assert not any(guest.admits(one) for one in end_superseded([old, new]))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (("hr",), ("hr",), 0),
        (("hr",), ("hr", "staff"), 0),
        ((), ("hr",), 0),
        ((), (), 0),
        (("hr",), (), 1),
        (("a", "b"), ("c",), 1),
    ],
)
def test_tags_that_cover_those_before_them_are_well(old, new, found):
    two = version("old", 2025, *old), version("new", 2026, *new, supersedes="old")
    assert len(cut_off(*two)) == len(cut_off(*reversed(two))) == found


def test_a_link_without_effect_cuts_nobody_off():
    assert cut_off(version("old", 2026, "hr"), version("new", 2025, supersedes="old")) == []
    assert cut_off(version("old", 2025, "hr"), version("new", 2026, amends="old")) == []


def test_each_version_of_a_chain_is_compared_with_the_one_before_it():
    chain = [
        version("a", 2024, "all"),
        version("b", 2025, "hr", supersedes="a"),
        version("c", 2026, "all", supersedes="b"),
    ]
    assert [(item.document_id, item.related[0].document_id) for item in cut_off(*chain)] == [
        ("b", "a"), ("c", "b"),
    ]  # fmt: skip
