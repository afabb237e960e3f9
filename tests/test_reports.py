"""What the commands print, from records made by hand."""

import json
from dataclasses import replace
from datetime import date

from rag_kit import report_text, reports
from rag_kit.refusals import refuse
from rag_kit.testing import make_chunk, make_evidence
from rag_kit.types import Answer, Citation, Usage

TEXT = "# Fees\n\nFive.\n\n## Cards\n\nCards cost **2** euros."
AT = TEXT.index("Cards cost")
CHUNK = make_chunk(
    TEXT, "fees", title="Fees", heading_path=("Fees",), headings=((15, ("Fees", "Cards")),), pages=(3, 4),
    page_starts=((0, 3), (15, 4)),
)  # fmt: skip


def answer(*citations, **fields):
    base = {"text": "Cards cost 2 euros [1].", "refusal": None, "labels": {"[1]": CHUNK.chunk_id},
            "evidence": tuple(make_evidence(CHUNK, "Left out.")), "usage": Usage(10, 2, 1)}  # fmt: skip
    return Answer(question="Q?", citations=citations, model="m", **{**base, **fields})


QUOTED = Citation("[1]", CHUNK.chunk_id, TEXT[AT:], (19, 22), (AT, len(TEXT)), "valid")
UNMATCHED = Citation("[1]", CHUNK.chunk_id, "", (19, 22), None, "valid")


def test_a_citation_stands_under_the_heading_of_its_quote():
    shape = reports.answer_json(answer(QUOTED))
    (citation,) = shape["citations"]
    assert citation["heading_path"] == ("Fees", "Cards")
    assert (citation["page"], citation["quote"]) == (4, "Cards cost **2** euros.")
    assert [item["label"] for item in shape["evidence"]] == ["[1]", None]
    json.dumps(shape, allow_nan=False)


def test_each_piece_of_evidence_says_what_became_of_it():
    copy, long = make_chunk("Five.", "copy"), make_chunk("word " * 90, "long")
    asked = answer(
        QUOTED,
        evidence=tuple(make_evidence(CHUNK, copy, long)),
        folded={copy.chunk_id: (CHUNK.chunk_id, "part of it")},
        spans={"[1]": ((AT, len(TEXT)),)},
    )
    fates = [
        [hit[key] for key in ("label", "fate", "shown", "folded_into", "folded_as")]
        for hit in reports.answer_json(asked)["evidence"]
    ]
    assert fates == [
        ["[1]", "shown", [(AT, len(TEXT))], None, None],
        [None, "folded", [], CHUNK.chunk_id, "part of it"],
        [None, "dropped by the budget", [], None, None],
    ]
    whole = reports.answer_json(answer(QUOTED))["evidence"][0]
    assert whole["shown"] == [CHUNK.span]
    unsent = answer(evidence=tuple(make_evidence(CHUNK)), labels={}, usage=Usage())
    assert [hit["fate"] for hit in reports.answer_json(unsent)["evidence"]] == ["not sent"]


def test_a_hit_has_its_title_the_scores_of_each_retriever_and_the_day_it_ended():
    chunk = make_chunk(
        "Five.", "fees", title="Fees", expires_at=date(2026, 3, 1), superseded_at=date(2026, 4, 1)
    )
    (item,) = make_evidence(chunk)
    item = replace(item, ranks={"bm25": 2, "dense": 1}, scores={"bm25": 7.25, "dense": 0.5})
    hit = reports.hit_json(item, as_of=date(2026, 3, 15))
    assert (hit["title"], hit["scores"]) == ("Fees", {"bm25": 7.25, "dense": 0.5})
    assert (hit["expired"], hit["superseded"], hit["label"]) == ("2026-03-01", None, None)
    assert reports.hit_json(item)["expired"] is None
    line = report_text.hits_text([item], as_of=date(2026, 4, 1)).splitlines()[0]
    ended = "expired 2026-03-01, superseded 2026-04-01"
    assert line == f"1. similarity 1.000 (bm25 2, dense 1)  Fees  (fees.md, {ended})"
    assert "expired" not in report_text.hits_text([item])


def test_an_unmatched_citation_says_so():
    (citation,) = reports.answer_json(answer(UNMATCHED))["citations"]
    assert (citation["quote"], citation["span"], citation["document_id"]) == ("", None, "fees")
    assert "look at it" in report_text.answer_text(answer(UNMATCHED))


def test_the_readable_quote_has_no_markup():
    text = report_text.answer_text(answer(QUOTED))
    assert text.splitlines()[0] == "Cards cost 2 euros [1]."
    assert '"Cards cost 2 euros."' in text
    assert "[1] Fees, Cards, page 4  (fees.md)" in text


def test_a_refusal_names_its_kind():
    refusal = refuse("no_evidence")
    shape = reports.answer_json(answer(text=refusal.text, refusal=refusal))
    assert (shape["refused"], shape["refusal_reason"], shape["citations"]) == (True, "no_evidence", [])
    assert (
        "refused: no evidence: none of the passages retrieved (2) is close enough"
        in report_text.answer_text(answer(text=refusal.text, refusal=refusal))
    )


def test_what_asks_nothing_is_said_to_have_been_searched_for_nowhere():
    refusal = refuse("no_evidence")
    unasked = replace(answer(text=refusal.text, refusal=refusal), evidence=(), labels={})
    assert "(refused: not searched: this asks nothing" in report_text.answer_text(unasked, searched=False)
    assert report_text.hits_text([], searched=False).startswith("not searched: this asks nothing")


def test_rejected_drafts_are_there_to_look_at_and_never_in_the_text():
    rejected = answer(QUOTED, rejected=("Nonsense [9].",))
    assert reports.answer_json(rejected)["rejected"] == ["Nonsense [9]."]
    assert "Nonsense" not in report_text.answer_text(rejected)


def test_hits_and_chunks_fit_on_lines():
    long = make_chunk("word " * 100, "long", title="Long")
    lines = report_text.hits_text(make_evidence(long)).splitlines()
    assert lines[0] == "1. similarity 1.000  Long  (long.md)"
    assert len(lines) == 2
    assert len(lines[1].strip()) == report_text.LONGEST_HIT
    assert report_text.chunks_text([long]).count("\n") == 0


def test_nothing_found_is_said_and_a_hit_by_words_alone_has_its_score():
    assert report_text.hits_text([]) == "no passage found"
    (item,) = make_evidence("Five.")
    by_words = replace(item, similarity=None, ranks={"bm25": 1}, scores={"bm25": 7.25})
    assert report_text.hits_text([by_words]).startswith("1. bm25 7.250  ")
