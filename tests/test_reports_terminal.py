"""What a document says cannot steer the terminal, and odd records are printed all the same."""

from dataclasses import replace

from rag_kit import reports
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
        reports.chunks_text([chunk]),
        reports.hits_text(make_evidence(chunk)),
        reports.answer_text(answer_of(chunk, quoted, text=f"{EVIL} [1].")),
        reports.parsed_text(parse(folder({"a.md": f"# T {EVIL}\n\nFive."}))),
        *notices_text(parse(folder({"b.md": EVIL}, "more")).documents),
    ]
    assert all(shown)
    assert all(is_harmless(text) for text in shown)
    assert "[U+001B][2J" in shown[0]
    assert "[U+202E]" in shown[0]


def test_json_keeps_what_the_document_says():
    assert reports.chunk_json(make_chunk(EVIL))["text"] == EVIL


def test_a_hit_without_a_similarity_has_a_dash():
    (hit,) = make_evidence("Five.")
    assert reports.hits_text([replace(hit, similarity=None)]).startswith("1. –  ")


def test_a_citation_of_a_label_that_was_never_shown_is_printed_as_such():
    chunk = make_chunk("The fee is 5.")
    citation = Citation("[7]", None, "", (5, 8), None, "unknown_label")
    text = reports.answer_text(answer_of(chunk, citation, refusal=refuse("unverified")))
    assert "[7] (no source with this label was shown)" in text


def test_a_quoted_row_has_the_names_of_its_columns():
    chunk = make_chunk("| A1 | 5 |\n| A2 | 6 |", start=9, prefix="| Part | Price |\n|---|---|")
    citation = Citation("[1]", chunk.chunk_id, "| A2 | 6 |", (5, 8), (20, 30), "valid")
    assert '    "Part: A2; Price: 6"' in reports.answer_text(answer_of(chunk, citation)).splitlines()
