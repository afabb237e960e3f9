"""Folding: one of each copy, one version of a document, and never a fact less."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.generation import fold
from rag_kit.generation.folding import folder
from rag_kit.generation.telling import JOINTS
from rag_kit.testing import make_chunk, make_evidence

LONG = (
    "Returns are accepted within 30 days of delivery when the device is unused and in its box. The desk at"
    " Ashby Quay writes a label, the customer prints it and hands the parcel over at any post office."
)
NEAR = LONG.replace("prints it and", "then prints it, and")


def ranks(folded):
    return [item.rank for item in folded.kept], [
        (f.dropped.rank, f.kept.rank, f.reason) for f in folded.folds
    ]


def folded_ranks(*chunks, **options):
    return ranks(fold(make_evidence(*chunks), **options))


def test_the_same_text_in_two_documents_is_shown_once_the_better_one():
    assert folded_ranks("Same words.", "Other words.", " same   WORDS.") == ([1, 2], [(3, 1, "same text")])


def test_the_same_piece_of_evidence_given_twice_is_one():
    (item,) = make_evidence("Same words.")
    folded = fold([item, item])
    assert folded.kept == (item,)
    assert len(folded.folds) == 1


def test_nearly_the_same_text_is_shown_once():
    assert folded_ranks(LONG, NEAR) == ([1], [(2, 1, "nearly the same text")])


@pytest.mark.parametrize(
    "change",
    [
        ("is unused", "is repaired"),
        ("writes a label", "writes a label twice"),
        ("hands the parcel over", "keeps the parcel"),
        ("post office.", "post office. Schools pay nothing."),
        ("the customer prints it and hands", "hands it and the customer prints"),
    ],
)
def test_a_word_that_only_one_of_two_has_is_never_lost(change):
    other = LONG.replace(*change)
    assert other != LONG
    shown, _ = folded_ranks(LONG, other)
    assert 2 in shown
    shown, _ = folded_ranks(other, LONG)
    assert 1 in shown


MEMBERS = (
    "Members of the reading circle at Ashby Quay pay the yearly fee at the desk in the hall before the first"
    " evening in May and keep the card with the number that they are given there for all of the year."
)
NARROWER = {
    "former": ("Members of", "Former members of"),
    "half": ("Members of", "Half of the members of"),
    "rarely": ("pay the", "rarely pay the"),
    "seldom": ("pay the", "seldom pay the"),
    "refuse": ("pay the", "refuse to pay the"),
    "the end": ("all of the year.", "all of the year, if they wish."),
    "a sign": ("the number", "the number ≥ 9"),
}


@pytest.mark.parametrize("name", NARROWER)
@pytest.mark.parametrize("more", ["", " A guest is welcome on any evening and pays nothing."])
def test_a_sentence_with_a_word_more_is_another_fact_whichever_is_better(name, more):
    other = MEMBERS.replace(*NARROWER[name])
    assert other != MEMBERS
    for one, two in ((MEMBERS, other + more), (MEMBERS + more, other), (MEMBERS + more, other + more)):
        assert folded_ranks(one, two) == ([1, 2], [])
        assert folded_ranks(two, one) == ([1, 2], [])


def test_the_same_sentence_among_others_is_part_of_them():
    more = f"It rains. {MEMBERS} A guest is welcome on any evening and pays nothing."
    assert folded_ranks(MEMBERS, more) == ([2], [(1, 2, "part of it")])
    assert folded_ranks(more, MEMBERS) == ([1], [(2, 1, "part of it")])


def test_a_heading_inside_a_copy_is_never_lost():
    assert folded_ranks(MEMBERS, f"## Until 2020\n\n{MEMBERS}") == ([2], [(1, 2, "part of it")])
    two = [f"## {name}\n\n{MEMBERS}" for name in ("Until 2020", "From 2021")]
    assert folded_ranks(*two) == ([1, 2], [])


SENTENCES = (
    "The reading circle meets at Ashby Quay in the long hall behind the station",
    "Members pay the yearly fee at the desk before the first evening in May",
    "A card with a number is handed over as soon as the fee is paid",
    "Guests are welcome on any evening and sit in the rows at the back",
    "Books go back to the shelf in the hall when the evening is over",
)
WORDS = st.sampled_from(
    ["not", "rarely", "former", "half", "only", "7", "€", "≥", "members", "fee", "A1"]
) | (st.from_regex(r"[A-Za-z]{1,6}|[0-9]{1,3}", fullmatch=True))


@st.composite
def passages_with_a_word_changed(draw):
    told = [sentence.split() for sentence in draw(st.permutations(SENTENCES))[: draw(st.integers(2, 5))]]
    at = draw(st.integers(0, len(told) - 1))
    words = list(told[at])
    place = draw(st.sampled_from([n for n, word in enumerate(words) if word.casefold() not in JOINTS]))
    how = draw(st.sampled_from(["insert", "delete", "replace"]))
    word = draw(WORDS.filter(lambda word: word.casefold() not in JOINTS))
    words[place + (how == "insert") * draw(st.integers(0, 1)) : place + (how != "insert")] = (
        [] if how == "delete" else [word]
    )
    return told, [*told[:at], words, *told[at + 1 :]]


@given(passages_with_a_word_changed(), st.booleans(), st.booleans())
def test_no_word_of_any_sentence_is_ever_lost(passages, turned, longer):
    one, two = (list(passage) for passage in (reversed(passages) if turned else passages))
    if longer:
        two.append(["Schools", "pay", "nothing", "at", "all"])
    shown = [one, two]
    folded = fold(make_evidence(*(" ".join(" ".join(words) + "." for words in told) for told in shown)))
    for gone in folded.folds:
        rest = iter(key(words) for words in shown[gone.kept.rank - 1])
        assert all(key(words) in rest for words in shown[gone.dropped.rank - 1])


def key(words):
    return [word.casefold() for word in words if word.casefold() not in JOINTS]


def test_what_folds_some_of_the_evidence_folds_them_as_if_they_were_all():
    chunks = [LONG, "Cards are blue.", NEAR, LONG.replace("30", "14")]
    evidence = make_evidence(*chunks)
    fold_some = folder(evidence)
    for places in ([0, 1, 2, 3], [1, 2, 3], [2, 3], [2, 0], []):
        assert fold_some(places) == fold([evidence[at] for at in sorted(places)])


def test_two_notices_with_other_figures_are_two_facts():
    assert folded_ranks(LONG, NEAR.replace("30", "14")) == ([1, 2], [])


@pytest.mark.parametrize(
    "change", [("Ashby Quay", "Port Lindow"), ("are accepted", "are not accepted"), ("30 days", "30 hours")]
)
def test_another_name_denial_or_unit_is_another_fact(change):
    assert folded_ranks(LONG, LONG.replace(*change)) == ([1, 2], [])


def test_a_text_that_shares_too_few_runs_stays():
    half = (
        LONG[: len(LONG) // 2] + " Something else is said here in as many words as it takes to differ enough."
    )
    assert folded_ranks(LONG, half) == ([1, 2], [])


def test_of_texts_too_short_to_compare_only_the_same_is_a_copy():
    assert folded_ranks("The desk opens early.", "The desk opens early on") == ([1, 2], [])


def test_the_same_text_under_other_tags_stays_two():
    chunks = [make_chunk(LONG, name, access_tags=(name,)) for name in ("hr", "all")]
    assert folded_ranks(*chunks) == ([1, 2], [])
    inside = make_chunk(LONG[:80], "d", access_tags=("hr",)), make_chunk(LONG, "d", access_tags=("all",))
    assert folded_ranks(*inside) == ([1, 2], [])


def test_a_sentence_under_two_headings_of_one_document_says_two_things():
    two = [
        make_chunk("The fee is 5.", "d", heading_path=(name,), chunk_id=name, start=at)
        for name, at in (("Europe", 0), ("Asia", 50))
    ]
    assert folded_ranks(*two) == ([1, 2], [])


def test_a_figure_in_the_title_makes_two_facts():
    two = [make_chunk("It weighs 2 kg.", name, title=name) for name in ("XX-1042 manual", "XX-1043 manual")]
    assert folded_ranks(*two) == ([1, 2], [])


def test_the_number_of_a_section_is_no_figure():
    two = [
        make_chunk("It weighs 2 kg.", name, heading_path=(name,))
        for name in ("3.2 Weight", "4 Weight", "Weight")
    ]
    assert folded_ranks(*two)[0] == [1]


def test_a_word_of_the_question_in_a_title_keeps_its_passage():
    two = [make_chunk("It ends in May.", name, title=name) for name in ("Larkspur", "Millrace")]
    assert folded_ranks(*two, question="When does it end?") == ([1], [(2, 1, "same text")])
    assert folded_ranks(*two, question="When do Larkspur and Millrace end?") == ([1, 2], [])


def test_a_passage_inside_another_one_is_part_of_it_whichever_comes_first():
    text = "The fee is 5. It is due in May."
    section, small = make_chunk(text, "d", start=40), make_chunk(text[:13], "d", start=40)
    assert folded_ranks(section, small) == ([1], [(2, 1, "part of it")])
    assert folded_ranks(small, section) == ([2], [(1, 2, "part of it")])


def test_passages_that_only_overlap_stay_two():
    text = "The fee is 5. It is due in May."
    two = make_chunk(text[:20], "d"), make_chunk(text[14:], "d", start=14)
    assert folded_ranks(*two) == ([1, 2], [])


def test_a_text_inside_a_longer_one_of_another_document_is_part_of_it():
    longer = f"{LONG} A device that was used is inspected first, which takes a week."
    assert folded_ranks(longer, LONG) == ([1], [(2, 1, "part of it")])
    assert folded_ranks(LONG, longer) == ([2], [(1, 2, "part of it")])
    assert folded_ranks(longer, LONG.replace("30", "14")) == ([1, 2], [])


def test_the_one_in_force_stands_for_its_copies():
    old = make_chunk(LONG, "old", superseded_at=date(2026, 1, 1))
    ended = make_chunk(LONG, "ended", expires_at=date(2026, 2, 1))
    new = make_chunk(LONG, "new", expires_at=date(2026, 2, 2))
    assert folded_ranks(old, ended, new, as_of=date(2026, 2, 1))[0] == [3]
    assert folded_ranks(old, ended, new)[0] == [2]


def test_a_version_whose_successor_is_still_to_come_is_in_force():
    ending = make_chunk(LONG, "ending", superseded_at=date(2026, 6, 2))
    other = make_chunk(LONG, "other")
    assert folded_ranks(ending, other, as_of=date(2026, 6, 1))[0] == [1]
    assert folded_ranks(ending, other, as_of=date(2026, 6, 2))[0] == [2]


def version(name, text, year, **metadata):
    return make_chunk(text, name, updated_at=date(year, 1, 1), metadata=metadata)


def test_of_two_versions_the_newer_is_shown_whatever_they_say():
    old, new = version("a", "The fee is 5.", 2024), version("b", "The fee is 6.", 2026, supersedes="a")
    other = version("a", "Cards are blue.", 2024)
    assert folded_ranks(old, new, other) == ([2], [(1, 2, "older version"), (3, 2, "older version")])


def test_an_older_version_alone_is_shown():
    assert folded_ranks(version("a", "The fee is 5.", 2024), version("c", "Cards are blue.", 2026))[0] == [
        1,
        2,
    ]


def test_an_addendum_is_no_version():
    base, more = version("a", "The fee is 5.", 2024), version("b", "The fee is 6.", 2026, amends="a")
    assert folded_ranks(base, more) == ([1, 2], [])


def test_versions_in_a_row_leave_the_newest():
    row = [version("a", "Five.", 2022), version("b", "Six.", 2024, supersedes="a")]
    newest = version("c", "Seven.", 2026, supersedes="b")
    assert folded_ranks(*row, newest)[0] == [3]
    assert folded_ranks(newest, *reversed(row))[0] == [1]


def test_two_documents_that_replace_the_same_one_are_both_shown():
    old = version("a", "Five.", 2022)
    split = [version(name, f"{name} says six.", 2024, supersedes="a") for name in ("b", "c")]
    assert folded_ranks(old, *split)[0] == [2, 3]


def test_a_version_without_a_date_replaces_nothing():
    two = make_chunk("The fee is 5.", "a"), make_chunk("The fee is 6.", "b", metadata={"supersedes": "a"})
    assert folded_ranks(*two) == ([1, 2], [])


def test_an_id_is_the_same_however_its_accents_are_written():
    two = version("caf\u00e9", "Five.", 2022), version("b", "Six.", 2024, supersedes="cafe\u0301")
    assert folded_ranks(*two)[0] == [2]


@pytest.mark.parametrize("names", [("a",), ("a", "b"), ("a", "b", "c")])
def test_documents_that_replace_each_other_in_a_circle_leave_the_latest(names):
    after = dict(zip(names, [*names[1:], names[0]], strict=True))
    circle = [version(name, name, 2020 + at, supersedes=after[name]) for at, name in enumerate(names)]
    assert folded_ranks(*circle)[0] == [len(names)]


PARTS = (
    "the desk at Ashby Quay opens early in summer and closes late in autumn",
    "a parcel that is sent back needs a printed label and a short note",
    "devices are inspected in the order in which they come to the hub",
    "the customer hears by mail what came of the inspection of a device",
    "returns are free for 30 days", "returns are free for 60 days", "no fee is due", "a fee is due", "Ashby Quay",
)  # fmt: skip
FIRST_DAY = date(2026, 1, 1)


@st.composite
def pieces_of_evidence(draw):
    tags = {name: draw(st.sampled_from([("all",), ("hr",)])) for name in "abc"}
    links = {
        name: draw(st.sampled_from([{}, {"supersedes": "a"}, {"supersedes": "b"}, {"amends": "a"}]))
        for name in "abc"
    }
    days = {name: FIRST_DAY + timedelta(days=draw(st.integers(0, 3))) for name in "abc"}
    chunks = []
    for at in range(draw(st.integers(1, 6))):
        text = ". ".join(draw(st.lists(st.sampled_from(PARTS), min_size=1, max_size=5)))
        name = draw(st.sampled_from("abc"))
        more = {"access_tags": tags[name], "metadata": links[name], "updated_at": days[name]}
        chunks.append(make_chunk(text, name, start=draw(st.integers(0, 60)), chunk_id=f"{name}{at}", **more))
    return make_evidence(*chunks)


@given(pieces_of_evidence())
def test_nothing_is_lost_order_is_kept_and_no_two_that_are_left_fold(evidence):
    folded = fold(evidence)
    kept = [item.rank for item in folded.kept]
    gone = [one.dropped.rank for one in folded.folds]
    assert kept == sorted(kept)
    assert gone == sorted(gone)
    assert sorted([*kept, *gone]) == [item.rank for item in evidence]
    assert all(one.kept in folded.kept for one in folded.folds)
    assert fold(folded.kept).folds == ()
    for one in folded.folds:
        if one.reason != "older version":
            assert one.kept.chunk.access_tags == one.dropped.chunk.access_tags
