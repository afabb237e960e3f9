"""Front matter: what is read of it, what is kept as written, and that nothing in it can stop a batch."""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.conditions import parse_where
from rag_kit.parsing.frontmatter import LONGEST, read_front_matter
from rag_kit.testing import make_chunk


def front(yaml):
    return read_front_matter(f"---\n{yaml}\n---\nBody")


def test_known_fields_are_read_and_the_rest_is_metadata():
    read = front(
        "id: fees-2026\ntitle: Fees\ndocument_version: '2'\nupdated_at: 2026-01-05\nexpires_at: 2027-01-05\n"
        "access_tags: [sales, all]\nsupersedes: fees-2025\nregion: EU\nseats: 40"
    )
    assert (read.document_id, read.title, read.document_version) == ("fees-2026", "Fees", "2")
    assert (read.updated_at, read.expires_at) == (date(2026, 1, 5), date(2027, 1, 5))
    assert read.access_tags == ("all", "sales")
    assert read.metadata == {"supersedes": "fees-2025", "region": "EU", "seats": 40}
    assert not read.notices


def test_names_versions_and_tags_are_kept_as_written():
    read = front("id: 007\ntitle: Yes\ndocument_version: 1.10\naccess_tags: [no, 1.10, 12:30]\namends: 2.10")
    assert (read.document_id, read.title, read.document_version) == ("007", "Yes", "1.10")
    assert read.access_tags == ("1.10", "12:30", "no")
    assert read.metadata == {"amends": "2.10"}


@pytest.mark.parametrize(
    "word",
    [
        "NO",
        "yes",
        "on",
        "Off",
        "1.10",
        "0123",
        "12:30",
        "1_000",
        "0x1F",
        "1e3",
        "+5",
        "-0",
        ".5",
        ".inf",
        ".nan",
    ]
    + ["9" * 5_000, "0.123456789", "0x" + "f" * 5_000],
)
def test_a_free_value_that_would_not_be_written_so_again_stays_as_it_is(word):
    assert front(f"x: {word}\ny: [{word}]").metadata == {"x": word, "y": [word]}
    assert parse_where(f"x={word}").admits(make_chunk("Text.", metadata=front(f"x: {word}").metadata))


@given(
    st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.decimals(-(10**6), 10**6, places=4).map(lambda number: float(number.normalize()))
)
def test_plain_numbers_and_true_and_false_are_values(value):
    word = str(value).lower()
    read = front(f"x: {word}").metadata["x"]
    assert (read, type(read)) == (value, type(value)) or str(read) == word


@pytest.mark.parametrize("empty", ["id:", "id: ~", "id: null", "id: ''", "id: [a]", "id: {a: b}"])
def test_an_id_that_is_none_or_no_text_is_no_id(empty):
    assert front(empty).document_id is None


@pytest.mark.parametrize(
    ("given_date", "expected"),
    [
        ("2026-03-04", date(2026, 3, 4)),
        ("'2026-03-04'", date(2026, 3, 4)),
        ("2026-03-04T23:30:00+02:00", date(2026, 3, 4)),
        ("", None),
    ],
)
def test_dates(given_date, expected):
    read = front(f"updated_at: {given_date}")
    assert read.updated_at == expected
    assert not read.notices


@pytest.mark.parametrize("wrong", ["soon", "03/04/2026", "[2026]", "'2026-02-30'"])
def test_what_is_no_date_is_ignored_with_a_notice(wrong):
    read = front(f"id: a\nupdated_at: {wrong}")
    assert (read.document_id, read.updated_at) == ("a", None)
    assert [notice.code for notice in read.notices] == ["date"]


def test_tags_can_be_one_line():
    assert front("access_tags: sales, all,, ").access_tags == ("all", "sales")


@pytest.mark.parametrize("wrong", ["{sales: yes}", "[[sales]]", "[sales, {a: b}]"])
def test_tags_that_are_no_list_of_words_leave_the_document_private(wrong):
    read = front(f"access_tags: {wrong}")
    assert read.access_tags == ()
    assert [notice.code for notice in read.notices] == ["access_tags"]


@pytest.mark.parametrize(
    "yaml",
    [
        "title: a: b",
        "\ttitle: a",
        "id: !!bool maybe",
        "id: !!int ''",
        "id: !!timestamp soon",
        "id: !!python/object/apply:os.system [ls]",
        "x: 2026-02-30",
        "? [a]\n: b",
        "x: " + "[" * 5_000,
        "x: &loop [*loop]",
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
    ],
)
def test_front_matter_that_cannot_be_read_stays_out_of_the_body_and_gives_a_notice(yaml):
    read = front(yaml)
    assert read.end == len(f"---\n{yaml}\n---\n")
    assert [notice.code for notice in read.notices] == ["front_matter"]
    assert (read.document_id, read.access_tags, read.metadata) == (None, (), {})
    assert "\n" not in read.notices[0].message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "---\nid: a\n",
        "Text\n---\nid: a\n---\n",
        "---\n\nA thought between two rules.\n\n---\n\nText",
        "---\n- a\n- b\n---\nText",
        "----\nid: a\n----\nText",
        "---\n" + "x" * LONGEST + "\n---\n",
    ],
)
def test_rules_and_prose_between_rules_are_no_front_matter(text):
    assert read_front_matter(text).end == 0


@pytest.mark.parametrize("text", ["---\n---\nBody", "--- \nid: a\n--- \nBody", "---\nid: a\n...\nBody"])
def test_the_body_begins_after_the_closing_line(text):
    assert text[read_front_matter(text).end :] == "Body"


YAML_BITS = st.sampled_from(
    ["id", "title", ": ", "\n", "- ", "  ", "[", "]", "{", "}",
     "&a ", "*a", "!!int ", "!!set ", "'", '"', "|", ">",
     "~", "2026-01-01", ".nan", ".inf", "0x1f", "<<", "#", "%", "@", "`", "\t", "\x00", "\u2028", "€", "yes"]
)  # fmt: skip


@given(st.text() | st.lists(YAML_BITS, max_size=20).map("".join))
def test_reading_never_raises_and_what_it_gives_can_be_written_as_json(yaml):
    read = front(yaml)
    json.dumps(read.metadata, allow_nan=False)
    assert read.document_id is None or read.document_id.strip()
