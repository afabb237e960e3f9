"""Visibility asks the filters once for chunks that they cannot tell apart, and answers as they would."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import Filters
from rag_kit.retrieval.visibility import Visibility
from rag_kit.testing import make_chunk

DAY = date(2026, 6, 1)
DATES = st.sampled_from([None, date(2026, 1, 1), date(2026, 6, 1), date(2027, 1, 1)])
TAGS = st.lists(st.sampled_from(["all", "hr"]), unique=True)
VALUES = st.sampled_from([None, 1, 1.0, True, "1", "true", "EU", ["EU", "US"], {"a": 1}, "2026.9", 2026.11])
CHUNKS = st.lists(
    st.builds(
        lambda name, tags, updated, superseded, value: make_chunk(
            "x",
            name,
            access_tags=tuple(sorted(tags)),
            updated_at=updated,
            superseded_at=superseded,
            metadata={} if value is None else {"region": value},
        ),
        st.sampled_from(["d1", "d2"]),
        TAGS,
        DATES,
        DATES,
        VALUES,
    )
)
WHERE = st.lists(
    st.sampled_from(
        ["region=EU", "region=1", "region=true", "region>=2026.10", "document_id=d1", "region<2"]
    ),
    max_size=2,
)


@given(CHUNKS, st.lists(st.tuples(st.none() | TAGS, WHERE, st.booleans()), min_size=1, max_size=3))
def test_it_answers_as_the_filters_do_question_after_question(chunks, questions):
    visibility = Visibility(chunks)
    for tags, where, superseded in questions:
        options = {"as_of": DAY, "where": where, "include_superseded": superseded}
        filters = Filters.owner(**options) if tags is None else Filters.for_tags(tags, **options)
        assert visibility.mask(filters).tolist() == [filters.admits(chunk) for chunk in chunks]


@dataclass(frozen=True)
class CountingKey:
    """A key that counts how often it is looked up to tell chunks apart."""

    key: str
    asked: Counter

    def held(self, item):
        self.asked[self.key] += 1
        return item.metadata.get(self.key)


@dataclass(frozen=True)
class Counting:
    """Filters that count what they are asked."""

    filters: Filters
    asked: Counter = field(compare=False)

    @property
    def where(self):
        return tuple(CountingKey(condition.key, self.asked) for condition in self.filters.where)

    def admits(self, item):
        self.asked["admits"] += 1
        return self.filters.admits(item)


def test_a_thousand_documents_alike_are_one_question():
    chunks = [make_chunk("x", f"d{n}", access_tags=("all", "hr")[n % 2 : n % 2 + 1]) for n in range(1_000)]
    counting = Counting(Filters.for_tags(["hr"], as_of=DAY), Counter())
    assert Visibility(chunks).mask(counting).sum() == 500
    assert counting.asked["admits"] == 2


def test_the_last_filters_are_remembered_and_the_oldest_is_forgotten():
    chunks = [make_chunk("x", "d1", access_tags=("hr",)), make_chunk("x", "d2", access_tags=("all",))]
    visibility, asked = Visibility(chunks), Counter()
    tags = ["hr", *map(str, range(40))]
    first, *others = (Counting(Filters.for_tags([tag], as_of=DAY), asked) for tag in tags)
    assert [visibility.mask(first).tolist() for _ in range(3)] == [[True, False]] * 3
    assert asked["admits"] == 2
    for other in others:
        assert visibility.mask(other).tolist() == [False, False]
    assert visibility.mask(first).tolist() == [True, False]
    assert asked["admits"] == 2 * (1 + len(others) + 1)


def test_the_groups_of_the_last_keys_are_remembered_and_the_oldest_are_forgotten():
    chunks = [make_chunk("x", "d1", metadata={"region": "EU"}), make_chunk("x", "d2")]
    visibility, asked = Visibility(chunks), Counter()

    def mask(where):
        return visibility.mask(Counting(Filters.owner(as_of=DAY, where=[where]), asked)).tolist()

    assert [mask("region=EU"), mask("region=US"), mask("region>=A")] == [
        [True, False], [False, False], [True, False],
    ]  # fmt: skip
    assert asked["region"] == 2, "each chunk is looked at once for all that is asked of one key"
    for number in range(40):
        assert mask(f"key{number}=1") == [False, False]
    assert mask("region<A") == [False, False]
    assert asked["region"] == 4
    assert [asked[f"key{number}"] for number in range(40)] == [2] * 40


def test_what_is_remembered_cannot_be_written_over():
    mask = Visibility([make_chunk("x", "d1")]).mask(Filters.for_tags(["hr"], as_of=DAY))
    with pytest.raises(ValueError, match="read-only"):
        mask[0] = True
