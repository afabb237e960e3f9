"""Borders between chunks: numbers parted from their labels, and sentences cut."""

import pytest

NUMBER = "number_parted_from_label"


@pytest.mark.parametrize(
    "text",
    [
        "The limit for one person is ‖45 kg in all cases.",
        "The limit is **‖45** kg.",
        "An invoice is due within ‖of 30 days.",
        "The lift carries 45 ‖kg.",
        "The price is 1,2‖50 euros for one.",
        "The list fee is ‖€35 for a card.",
        "Weight: ‖45 kg",
        "The limit is:\n\n‖45 kg",
        "The limits are:\n\n‖- 45 kg\n- 60 kg\n",
        "Weight of the unit\n‖45 kg\n",
        "| Part | Price |\n|---|---|\n| Valve ‖| 45 |\n",
        "Die Grenze liegt bei ‖45 kg für alle.",
        "最大载重为‖45公斤。",
    ],
)
def test_a_number_without_its_label_is_an_error(found, text):
    (item,) = found(NUMBER, text)
    assert item.severity == "error"
    assert "‖" in item.excerpts[0]
    assert item.chunk_id == f"doc0.md#{item.chunk_id[8:]}"


@pytest.mark.parametrize(
    "text",
    [
        "The limit is 45 kg.‖ The lift is old.",
        "The limit is 45 kg.\n\n‖12 people may ride.",
        "See the table ‖in clause 6.1 of the contract.",
        "# Limits\n\n‖45 kg",
        "5.1 ‖Quernmere keeps the readings.",
        "Since 2026 ‖the lift is new.",
        "The limits are:\n\n‖The lift may carry 45 kg and no more than that on any day.",
        "```\nlimit =‖ 45\n```",
        "The part ‖XX-1042 is old.",
        "index | $100.00 | $112.09 ‖copyright of the index | $75.00",
        "| Part | Price |\n|---|---|\n| Valve | 45 |‖\n| Ring | 3 |\n",
    ],
)
def test_a_number_with_its_label_is_none(found, text):
    assert found(NUMBER, text) == []


def test_a_parted_number_names_its_place(found):
    text = "# Lift\n\nThe limit is ‖45 kg for all.\n"
    (item,) = found(NUMBER, text)
    assert text.replace("‖", "")[slice(*item.span)] == "The limit is 45 kg"
    assert item.excerpts == ("# Lift The limit is ‖ 45 kg for all.",)
    assert item.message == (
        "the number 45 stands in another chunk than its label: cut at the structure, or overlap by 18 "
        "characters or more"
    )


def test_an_overlap_that_holds_both_sides_mends_it():
    from rag_kit.chunking import chunk_fixed, diagnose
    from rag_kit.testing import FakeTokenizer
    from tests.chunking.diagnostics.conftest import read

    document = read("All of the lifts in the house are old. The limit is 45 kg for all.")
    chunks = {n: chunk_fixed([document], FakeTokenizer(), size=56, overlap=n, unit="chars") for n in (5, 30)}
    codes = {n: [f.code for f in diagnose([document], made, FakeTokenizer())] for n, made in chunks.items()}
    assert [(c.span) for c in chunks[5]] == [(0, 56), (51, 66)]
    assert NUMBER in codes[5]
    assert NUMBER not in codes[30]


@pytest.mark.parametrize(
    "text",
    [
        "The lift in the ‖house is old. It creaks.",
        "- the lift in ‖the house\n- the stairs\n",
        "该协议自签署之日起‖生效，并持续有效。",
    ],
)
def test_a_sentence_that_no_chunk_holds_is_cut(found, text):
    (item,) = found("sentence_cut", text)
    assert item.severity == "warning"


@pytest.mark.parametrize(
    "text",
    [
        "The lift is old. ‖It creaks.",
        "- the lift‖\n- the stairs\n",
        "# The old‖ lift\n\nIt creaks.",
        "```\nlift = ‖old\n```",
        "Name: Ada\n‖House: old\nLift: older\n",
        "该协议生效。‖并持续有效。",
        "ลิฟต์ตัวนี้เก่ามากแล้ว ‖และต้องเปลี่ยนใหม่ทั้งหมด",
    ],
)
def test_a_border_between_sentences_cuts_none(found, text):
    assert found("sentence_cut", text) == []


def test_a_sentence_cut_twice_is_found_once(found):
    (item,) = found("sentence_cut", "The lift ‖in the house ‖is old.")
    assert item.span == (0, len("The lift in the house is old."))


def test_text_without_full_stops_is_no_sentence(found):
    assert found("sentence_cut", "word " * 100 + "‖" + "word " * 100) == []


def test_a_field_cut_inside_its_line_is_a_hint(found):
    (item,) = found("sentence_cut", "Name: Ada ‖Byron\nHouse: old\nLift: older\n")
    assert item.severity == "hint"
    assert item.message.startswith("no chunk holds the whole of a line")
