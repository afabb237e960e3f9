"""Grading an answer for a figure of a table, with a model that says what it is told."""

import json
from dataclasses import replace
from datetime import date

import pytest

from rag_kit import Filters
from rag_kit.chunking.records import ChunkMaker
from rag_kit.evaluation.figures import draw_figures
from rag_kit.evaluation.table_figures import measure, report, text_of
from rag_kit.parsing import parse_markdown
from rag_kit.refusals import REFUSAL
from rag_kit.testing import FakeTokenizer, ListRetriever, ScriptedTransport, make_evidence
from tests.evaluation.fakes import Desk

OWNER = Filters.owner(as_of=date(2026, 11, 15))
TEXT = "# Prices\n\nPrices hold for 3 months.\n\n| Part | Price |\n|---|---|\n| XX-1 | 5 |\n| XX-2 | 7 |\n"


def desk(*replies, page=None, order=(0, 1)):
    """Return a desk over one document of a paragraph and a table, the table's passage first or last."""
    made = parse_markdown(TEXT, source_uri="prices.md", relative_path="prices.md")
    made = replace(made, blocks=tuple(replace(block, page=page) for block in made.blocks))
    maker = ChunkMaker(made, FakeTokenizer())
    chunks = [maker.make(block.span) for block in made.blocks if block.block_type != "title"][::-1]
    ranked = make_evidence(*(chunks[at] for at in order))
    return Desk((made,), tuple(chunks), ListRetriever(ranked), ScriptedTransport(*replies))


def outcome(library, **options):
    """Ask for the price of XX-1 alone."""
    figure = next(f for f in draw_figures(library.documents).figures if f.row == "XX-1")
    (only,) = measure(library, [figure], filters=OWNER, **options)
    return only


def test_the_row_under_its_label_is_right():
    found = outcome(desk("Part: XX-1; Price: 5 [1]."))
    assert (found.quoted, found.labelled, found.page_right, found.lost) == (True, True, None, "")
    assert (found.rank, found.whole, found.said) == (1, True, "Part: XX-1; Price: 5")


@pytest.mark.parametrize(("noted", "right"), [(2, True), (3, False)])
def test_the_page_counts_where_there_are_pages(noted, right):
    library = desk("Part: XX-1; Price: 5 [1].", page=2)
    figure = next(f for f in draw_figures(library.documents).figures if f.row == "XX-1")
    (found,) = measure(library, [replace(figure, page=noted)], filters=OWNER)
    assert (found.quoted, found.page_right, found.whole) == (True, right, right)


def test_another_row_is_wrong_and_another_passage_too():
    row = outcome(desk("Part: XX-2; Price: 7 [1]."))
    assert (row.quoted, row.refused, row.lost) == (False, False, "in the prompt: quoted another row")
    text = outcome(desk("Prices hold for 3 months [2]."))
    assert (text.quoted, text.lost, text.said) == (
        False, "in the prompt: quoted another row", "Prices hold for 3 months.",
    )  # fmt: skip


def test_a_refusal_is_no_wrong_answer():
    found = outcome(desk(REFUSAL))
    assert (found.refused, found.quoted, found.lost) == (True, False, "in the prompt: refused")


def test_a_row_that_was_not_taken_was_lost_before_the_prompt():
    found = outcome(desk("Prices hold for 3 months [1].", order=(1, 0)), top_k=1)
    assert (found.quoted, found.rank, found.lost) == (False, 2, "ranked below k")


def test_the_report_counts_both_halves_and_can_be_written_as_json():
    library = desk(*["Part: XX-1; Price: 5 [1]."] * 2)
    drawn = draw_figures(library.documents)
    shape = report(drawn, measure(library, drawn.figures, filters=OWNER))
    (held,) = [half for half in shape["halves"].values() if half["figures"]]
    json.dumps(shape, allow_nan=False)
    counts = {share["name"]: (share["count"], share["total"]) for share in held["shares"]}
    assert counts["row quoted"] == counts["row, label and page right"] == (1, 2)
    assert counts["wrong: another row"] == (1, 2)
    assert held["lost"] == {"in the prompt: quoted another row": 1}
    assert "row quoted                     1 of   2  0.50" in text_of(shape)
    assert "reached by row and column      2 of   2  1.00" in text_of(shape)
