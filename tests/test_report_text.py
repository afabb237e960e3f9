"""What a document says cannot steer the terminal, and odd records are printed all the same."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import report_text, reports
from rag_kit.notices import notices_text
from rag_kit.parsing import parse
from rag_kit.refusals import refuse
from rag_kit.testing import make_chunk, make_evidence
from rag_kit.types import Answer, Citation, Usage

EVIL = "Fee \x1b[2J\x1b]0;owned\x07 is\u202e 5\u200b.\x9b31m\rGone\U000e0041"


def answer_of(chunk, *citations, text="Five [1].", refusal=None):
    labels = {"[1]": chunk.chunk_id}
    return Answer("Q?", text, citations, refusal, tuple(make_evidence(chunk)), "m", Usage(), labels)


def is_harmless(text):
    return not any(sign != "\n" and (ord(sign) < 32 or 127 <= ord(sign) < 160) for sign in text) and not (
        set(text) & set("\u202e\u200b\U000e0041")
    )


def test_no_report_lets_a_document_steer_the_terminal(folder):
    chunk = make_chunk(
        EVIL, "evil\x1b[1m", title=f"T {EVIL}", heading_path=("\x1b[3m",), source_uri="a\x1b.md"
    )
    quoted = Citation("[1]", chunk.chunk_id, EVIL, (5, 8), chunk.span, "valid")
    shown = [
        report_text.chunks_text([chunk]),
        report_text.hits_text(make_evidence(chunk)),
        report_text.answer_text(answer_of(chunk, quoted, text=f"{EVIL} [1].")),
        report_text.parsed_text(parse(folder({"a.md": f"# T {EVIL}\n\nFive."}))),
        *notices_text(parse(folder({"b.md": EVIL}, "more")).documents),
    ]
    assert all(shown)
    assert all(is_harmless(text) for text in shown)
    assert "[U+001B][2J" in shown[0]
    assert "[U+202E]" in shown[0]


def test_a_name_with_a_line_break_takes_one_line(folder):
    chunk = make_chunk("Five.", "a\nb.md", source_uri="docs/a\nb.md")
    shown = [
        report_text.chunks_text([chunk]),
        report_text.parsed_text(parse(folder({"a\nb.md": "Five."}))),
        report_text.hits_text(make_evidence(chunk)).split("\n   ")[0],
    ]
    assert ["\n" in text for text in shown] == [False] * 3
    assert all("a[U+000A]b.md" in text for text in shown)


def test_json_keeps_what_the_document_says():
    assert reports.chunk_json(make_chunk(EVIL))["text"] == EVIL


def test_a_hit_without_a_similarity_has_a_dash():
    (hit,) = make_evidence("Five.")
    assert report_text.hits_text([replace(hit, similarity=None)]).startswith("1. –  ")


def test_places_are_named_where_more_than_one_list_was_fused():
    one, two = make_evidence("Five.", "Six.")
    fused = [replace(one, ranks={"dense": 3, "bm25": 1}), replace(two, ranks={"dense": 2})]
    assert "(dense 3, bm25 1)" in report_text.hits_text(fused)
    assert "(dense 2)" in report_text.hits_text(fused)
    alone = [replace(one, ranks={"dense": 1}), replace(two, ranks={"dense": 2})]
    assert "(dense" not in report_text.hits_text(alone)


def test_a_citation_of_a_label_that_was_never_shown_is_printed_as_such():
    chunk = make_chunk("The fee is 5.")
    citation = Citation("[7]", None, "", (5, 8), None, "unknown_label")
    text = report_text.answer_text(answer_of(chunk, citation, refusal=refuse("unverified")))
    assert "[7] (no source with this label was shown)" in text


def test_a_quoted_row_has_the_names_of_its_columns():
    chunk = make_chunk("| A1 | 5 |\n| A2 | 6 |", start=9, prefix="| Part | Price |\n|---|---|")
    citation = Citation("[1]", chunk.chunk_id, "| A2 | 6 |", (5, 8), (20, 30), "valid")
    assert '    "Part: A2; Price: 6"' in report_text.answer_text(answer_of(chunk, citation)).splitlines()


MANUAL = (
    "It is small.\n\n## Parts\n\n### Fees\n\n"
    "It rains a lot in May, and more in June of this year. The fee is 5 euros.\n\n"
    "| Part | Price |\n|---|---|\n| A1 and what goes with it, each year, anew | 7 |\n| A2 | 9 |"
)
ITS_HEAD = " ".join(MANUAL.split())[: report_text.LONGEST_HIT - 1] + "…"
HEADINGS = tuple(
    (MANUAL.index(line), path)
    for line, path in {"## Parts": ("Parts",), "### Fees": ("Parts", "Fees")}.items()
)


@pytest.mark.parametrize(
    ("query", "place", "said"),
    [
        ("What is the fee?", "Manual, Parts > Fees  (d.md)", "… The fee is 5 euros."),
        ("A2", "Manual, Parts > Fees  (d.md)", "… Part: A2; Price: 9"),
        ("small", "Manual  (d.md)", "It is small."),
        ("", "Manual  (d.md)", ITS_HEAD),
        ("Unrelated words", "Manual  (d.md)", ITS_HEAD),
    ],
)
def test_a_hit_shows_the_part_that_holds_the_querys_words_and_its_section(query, place, said):
    (hit,) = make_evidence(make_chunk(MANUAL, title="Manual", source_uri="d.md", headings=HEADINGS))
    first, second = report_text.hits_text([hit], query).splitlines()
    assert (first, second.strip()) == (f"1. similarity 1.000  {place}", said)


def test_a_hit_never_hides_the_words_that_were_looked_for():
    columns = " | ".join(f"a long name of column {n}" for n in range(12))
    shown = {
        "hose": f"| Part | {columns} |\n|{'---|' * 13}\n| hose | {' | '.join('1' * 12)} |",
        "zither": f"When you are asked {'for it ' * 20} do all of this:\n\n- sign the zither form",
        "quagga": f"{'one after the other ' * 20} the quagga sleeps.",
        "fee": f"{'It rains. ' * 40}They pay the fee.",
    }
    for query, text in shown.items():
        (hit,) = make_evidence(make_chunk(text))
        assert query in report_text.hits_text([hit], query).splitlines()[1]


def test_a_row_that_stands_without_its_header_is_shown_with_the_names_of_its_columns():
    (hit,) = make_evidence(make_chunk("| A1 | 5 |\n| A2 | 6 |", prefix="| Part | Price |\n|---|---|"))
    assert report_text.hits_text([hit], "A2").splitlines()[1].strip() == "… Part: A2; Price: 6"


@given(st.text(max_size=60), st.text(max_size=20))
def test_whatever_a_passage_and_a_query_hold_a_hit_is_two_lines(text, query):
    (hit,) = make_evidence(make_chunk(f"{text}."))
    lines = report_text.hits_text([hit], query).split("\n")
    assert len(lines) == 2
    assert lines[1].startswith("   ")
    assert len(lines[1].split()) > 0
