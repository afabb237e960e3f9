"""Documents that look like versions of one."""

from dataclasses import replace

import pytest

from rag_kit.chunking import diagnose
from rag_kit.testing import FakeTokenizer
from tests.chunking.diagnostics.conftest import read

TEXT = (
    "A lost access card has to be reported to the service desk on the same day. The holder pays a fee of 35 "
    "euros for a new one, which is taken off the next salary. The card that was lost is locked at once and is "
    "not opened again when it is found. Nobody else can use it to enter the house."
)


def versions(*documents):
    every = diagnose(documents, [], FakeTokenizer())
    return [item for item in every if item.code == "versions_of_one_document"]


def test_mostly_the_same_text_without_a_link_is_a_warning():
    changed = TEXT.replace("35", "50").replace("same day", "next day")
    (item,) = versions(read(TEXT, "cards.md"), read(changed, "cards-new-rules.md"))
    assert (item.severity, item.document_id) == ("warning", "cards.md")
    assert [place.document_id for place in item.related] == ["cards-new-rules.md"]
    assert "`supersedes: ID`" in item.message


@pytest.mark.parametrize("field", ["supersedes", "amends"])
def test_a_link_between_them_settles_it(field):
    older, newer = read(TEXT, "a.md"), read(TEXT.replace("35", "50"), "b.md")
    assert versions(older, replace(newer, metadata={field: "a.md"})) == []


def test_a_chain_of_three_is_linked_and_a_fourth_is_not():
    chain = [read(TEXT + f" Edition {n}.", f"{n}.md") for n in range(4)]
    linked = [chain[0], *(replace(chain[n], metadata={"supersedes": f"{n - 1}.md"}) for n in (1, 2))]
    assert versions(*linked) == []
    (item,) = versions(*linked, chain[3])
    assert (item.document_id, item.related[0].document_id) == ("0.md", "3.md")


def test_one_title_with_another_year_is_found_though_the_figures_differ():
    one = read("# Price list 2025\n\nThe valve costs 45 euros, and the ring 3 euros.", "p1.md")
    two = read("# Price list 2026\n\nThe valve costs 50 euros, and the seal 2 euros.", "p2.md")
    (item,) = versions(one, two)
    assert item.severity == "warning"
    assert "another year or version" in item.message


def test_reports_of_a_series_are_a_hint():
    one = read("A pump stopped and the hall was flooded at night.", "report-2026-08.md")
    two = read("Readings were late because a certificate had run out.", "report-2026-09.md")
    (item,) = versions(one, two)
    assert item.severity == "hint"


@pytest.mark.parametrize(
    ("one", "two"),
    [("ticket-48213.md", "ticket-48377.md"), ("handbook.md", "price-list.md"), ("2025.md", "2026.md")],
)
def test_other_names_and_other_texts_are_no_versions(one, two):
    first = read("A pump stopped and the hall was flooded at night.", one)
    second = read("Readings were late because a certificate had run out.", two)
    assert versions(first, second) == []


def test_two_long_texts_in_thai_are_not_alike_because_their_letters_are_few():
    import random

    letters = [chr(code) for code in range(0x0E01, 0x0E2F)]
    texts = ["".join(random.Random(seed).choices(letters, k=5_000)) for seed in (1, 2)]
    assert versions(read(texts[0], "a.md"), read(texts[1], "b.md")) == []
    assert len(versions(read(texts[0], "a.md"), read(texts[0][100:], "b.md"))) == 1
