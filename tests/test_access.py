"""Who may see what, and when: filters fail closed."""

import json
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import Filters, InvalidValue
from rag_kit.access import check_values
from rag_kit.conditions import parse_where
from rag_kit.parsing import parse
from rag_kit.testing import make_chunk

DAY = date(2026, 6, 1)


def admits(filters, **fields):
    return filters.admits(make_chunk("Text.", **fields))


def test_the_owner_sees_tagged_and_untagged_alike():
    owner = Filters.owner(as_of=DAY)
    assert admits(owner)
    assert admits(owner, access_tags=("board",))


def test_one_shared_tag_is_enough_and_an_untagged_item_is_private():
    guest = Filters.for_tags(["sales", "all"], as_of=DAY)
    assert admits(guest, access_tags=("all", "hr"))
    assert not admits(guest, access_tags=("hr",))
    assert not admits(guest, access_tags=())


def test_someone_without_tags_sees_nothing():
    nobody = Filters.for_tags([], as_of=DAY)
    assert not admits(nobody)
    assert not admits(nobody, access_tags=("all",))


def test_a_version_holds_from_its_date_to_its_successors():
    version = {"updated_at": date(2026, 1, 1), "superseded_at": date(2026, 6, 1)}
    seen = [admits(Filters.owner(as_of=day), **version) for day in (date(2025, 12, 31), date(2026, 1, 1))]
    assert seen == [False, True]
    seen = [admits(Filters.owner(as_of=day), **version) for day in (date(2026, 5, 31), date(2026, 6, 1))]
    assert seen == [True, False]
    assert admits(Filters.owner(as_of=DAY, include_superseded=True), **version)


def test_an_expired_document_that_nothing_replaces_stays():
    assert admits(Filters.owner(as_of=DAY), expires_at=date(2020, 1, 1))


@pytest.mark.parametrize(
    ("where", "admitted"),
    [
        ("tenant=acme", True),
        ("tenant=acme,beta", True),
        ("tenant=beta", False),
        ("department=sales", True),
        ("classification=internal", True),
        ("classification=secret", False),
        ("status=approved,draft", True),
        ("language=en", True),
        ("product=XX-1042", True),
        ("region=EU", True),
        ("version=2.3", True),
        ("version>=2.10", False),
        ("version<2.10", True),
        ("document_version=2.3", True),
        ("updated_at>=2026-01-01", True),
        ("updated_at>2026-02-01", False),
        ("tags=all", True),
        ("nothing=1", False),
    ],
)
def test_a_condition_on_each_field_that_documents_usually_have(where, admitted):
    fields = {
        "tenant": "acme",
        "department": "sales",
        "classification": "internal",
        "status": "approved",
        "language": "en",
        "product": ["XX-1042", "XX-1024"],
        "region": "EU",
    }
    filters = Filters.owner(as_of=DAY, where=[where])
    held = {"document_version": "2.3", "updated_at": date(2026, 2, 1), "access_tags": ("all",)}
    assert admits(filters, metadata=fields, **held) is admitted


@pytest.mark.parametrize(
    ("where", "admitted"),
    [
        ("region=EU", True),
        ("region=eu", True),
        ("region = EU ", True),
        ("region=US", False),
        ("region=US,EU", True),
        ("team=ops", True),
        ("team=op", False),
        ("seats>=40", True),
        ("seats>40", False),
        ("seats<=40.5", True),
        ("seats<9", False),
        ("release>2026.9", True),
        ("release<2026.9", False),
        ("updated_at>=2026-01-01", True),
        ("updated_at<2026-01-01", False),
        ("document_id=d", True),
        ("title=Fees", True),
        ("draft=true", True),
        ("missing=1", False),
        ("missing<1", False),
        ("missing>=1", False),
    ],
)
def test_conditions(where, admitted):
    metadata = {"region": "EU", "team": ["ops", "it"], "seats": 40, "release": "2026.11", "draft": True}
    item = {"metadata": metadata, "updated_at": date(2026, 3, 1), "title": "Fees"}
    assert admits(Filters.owner(as_of=DAY, where=[where]), **item) is admitted


def test_every_condition_has_to_hold():
    both = Filters.owner(as_of=DAY, where=["region=EU", "seats>=41"])
    assert not admits(both, metadata={"region": "EU", "seats": 40})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "region",
        "=EU",
        "region=",
        "region=,",
        "a!5",
        "re gion=EU",
        "a==5",
        "a=>5",
        "a=<5",
        "a>>5",
        "a<>5",
        "a>==5",
    ],
)
def test_what_is_no_condition_is_refused_with_the_mend(text):
    with pytest.raises(InvalidValue, match="write KEY=VALUE"):
        parse_where(text)


@given(st.text(max_size=20), st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()))
def test_no_value_in_a_document_makes_a_comparison_fail(given_value, held):
    for operator in ("=", ">", "<", ">=", "<="):
        text = f"key{operator}{given_value}"
        try:
            condition = parse_where(text)
        except InvalidValue:
            continue
        assert condition.admits(make_chunk("Text.", metadata={"key": held})) in (True, False)


@pytest.mark.parametrize(
    ("held", "condition", "admitted"),
    [
        ("9" * 5_000, "n>=" + "9" * 5_001, False),
        ("9" * 5_001, "n>=" + "9" * 5_000, True),
        ("007", "n=007", True),
        ("v007", "n>=v7", True),
        ("v\u0661\u0662", "n>v9", True),  # twelve, in Arabic digits
        (7, "n<" + "9" * 5_000, True),
        (7, "n>nan", False),
        (7, "n<nan", False),
        (7, "n<=inf", False),
        (10, "n=10.0", True),
        (10, "n=1e1", True),
        (10, "n=010", True),
        (10, "n=10.5", False),
        (10, "n=\u0661\u0660", True),  # ten, in Arabic digits
        (0.1, "n=.1", True),
        (2**60 + 1, f"n={2**60}", False),
        (2**60 + 1, f"n>{2**60}", True),
        ([8, 10], "n=9,10.00", True),
        (True, "n=1", False),
        (1, "n=true", False),
        ("10", "n=10.0", False),
        (10, "n=ten", False),
        (10, "n>=0x1", False),
        (10, "n<ten", False),
        (10, "n>=1_0", False),
    ],
)
def test_numbers_of_any_length_compare(held, condition, admitted):
    assert parse_where(condition).admits(make_chunk("Text.", metadata={"n": held})) is admitted


def test_the_end_of_a_version_and_the_tags_can_be_asked_for():
    chunk = make_chunk("Text.", superseded_at=date(2026, 5, 1), access_tags=("hr", "staff"))
    assert parse_where("superseded_at>=2026-04-01").admits(chunk)
    assert not parse_where("superseded_at>=2026-06-01").admits(chunk)
    assert parse_where("access_tags=sales,hr").admits(chunk)
    assert not parse_where("access_tags=sales").admits(chunk)


def test_one_text_is_no_list_of_tags():
    with pytest.raises(InvalidValue, match="'hr' is one text: write a list"):
        Filters.for_tags("hr", as_of=DAY)


@pytest.mark.parametrize(
    "given", ["HR", " hr", "hr ", "h", "", "hr,all", "\u200bhr", "ｈｒ", "hr\n", "*", "h.", "%"]
)
def test_a_tag_in_another_spelling_is_another_tag(given):
    assert not admits(Filters.for_tags([given], as_of=DAY), access_tags=("hr",))


ROWS = [make_chunk("Five.", f"d{n}", metadata={"n": n, "size": n if n else "any"}) for n in range(3)]


@pytest.mark.parametrize(
    ("where", "wrong"),
    [("n>=4,990", "4,990"), ("n<0x10", "0x10"), ("n>abc", "abc"), ("n=1,abc", "abc"), ("n<=nan", "nan")],
)
def test_what_is_no_number_is_not_compared_with_numbers(where, wrong):
    with pytest.raises(InvalidValue) as caught:
        check_values(Filters.owner(where=["region=EU", where]), ROWS)
    compared = where.removesuffix(wrong).removesuffix("1,")
    assert str(caught.value) == (
        f"--where {compared}{wrong!r} is no number, and 'n' holds numbers: write one, as in {compared}0"
    )


@pytest.mark.parametrize("where", ["n>=1", "n=1,2", "n<1e9", "size=any", "size>=any", "id>=abc", "gone>=abc"])
def test_a_value_that_some_document_could_hold_is_compared(where):
    check_values(Filters.owner(where=[where]), ROWS)


def test_what_a_key_holds_in_hidden_documents_is_not_told():
    guest = Filters.for_tags(["all"], where=["n>=abc"])
    shown = make_chunk("Five.", metadata={"n": "abc"}, access_tags=("all",))
    check_values(guest, [*ROWS, shown])
    check_values(guest, ROWS)


@pytest.mark.parametrize("as_of", ["2026-11-15", datetime(2026, 11, 15), 20261115])
def test_what_is_no_date_is_refused_when_the_filters_are_made(as_of):
    with pytest.raises(InvalidValue, match="is no date"):
        Filters.owner(as_of=as_of)


def test_a_tag_that_is_no_text_is_refused():
    with pytest.raises(InvalidValue, match="is no text"):
        Filters.for_tags([1])


@pytest.mark.parametrize(
    ("where", "admitted"), [("n>=9", True), ("n>10", False), ("n<9", True), ("n=10", True), ("n<=7", False)]
)
def test_of_a_list_one_member_is_enough_in_any_comparison(where, admitted):
    assert admits(Filters.owner(as_of=DAY, where=[where]), metadata={"n": [8, 10]}) is admitted


SPELT_TWICE = {"composed": "B\u00fcro K\u00f6ln", "decomposed": "Bu\u0308ro Ko\u0308ln"}


@pytest.mark.parametrize("asked", SPELT_TWICE.values(), ids=SPELT_TWICE)
@pytest.mark.parametrize("written", SPELT_TWICE.values(), ids=SPELT_TWICE)
@pytest.mark.parametrize("suffix", ["md", "jsonl", "html", "md.meta.yaml"])
def test_an_accent_may_be_a_sign_of_its_own_in_tags_keys_and_values(folder, written, asked, suffix):
    fields = {"access_tags": [written], written.split()[0]: written}
    front = "".join(f"{key}: {value}\n" for key, value in fields.items()).replace("'", '"')
    meta = "".join(f'<meta name="{key}" content="{written.split()[1]}">' for key in fields)
    files = {
        "md": {"a.md": f"---\n{front}---\nFive."},
        "jsonl": {"a.jsonl": json.dumps({"text": "Five.", **fields}) + "\n"},
        "html": {"a.html": f"<html><head>{meta}</head><body><p>Five.</p></body></html>"},
        "md.meta.yaml": {"a.md": "Five.", "a.md.meta.yaml": front},
    }
    (document,) = parse(folder(files[suffix])).documents
    value = asked.split()[1] if suffix == "html" else asked
    where = [f"{asked.split()[0]}={value}", f"{asked.split()[0]}>={value}"]
    assert Filters.for_tags([value], as_of=DAY, where=where).admits(document)
    assert not Filters.for_tags([value + "x"], as_of=DAY).admits(document)
