"""Equations and footnotes out of their place."""

import pytest

EQUATION, FOOTNOTE = "displaced_equation", "displaced_footnote"


@pytest.mark.parametrize("sign", ["×", "+", "/"])
def test_an_equation_in_single_signs_is_found_with_its_place(found, sign):
    text = f"The flow is\n\nQ\n\n=\n\nv\n\n{sign}\n\nA\n\nwhere v is the speed."
    (item,) = found(EQUATION, text)
    assert text[slice(*item.span)].split() == ["Q", "=", "v", sign, "A"]
    assert item.message.startswith("5 lines of single signs")


@pytest.mark.parametrize(
    "text",
    [
        "The flow is Q = v × A, where v is the speed.",
        "a\n\nb\n\nc\n\nd\n\ne\n",
        "```\nQ\n=\nv\n×\nA\n```",
        "- Q\n- =\n- v\n- ×\n",
        "电\n\n梯\n\n=\n\n旧\n\n了\n",
    ],
)
def test_an_equation_on_a_line_and_other_short_lines_are_none(found, text):
    assert found(EQUATION, text) == []


@pytest.mark.parametrize("mark", ["1", "¹", "*", "†", "(2)"])
def test_a_footnote_inside_a_sentence_is_found(found, mark):
    text = f"The warranty is two years for all\n\n{mark} Not for batteries.\n\nparts of the meter."
    (item,) = found(FOOTNOTE, text)
    assert text[slice(*item.span)].endswith("Not for batteries.")


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("The fee is due[^2] in May.\n\n[^1]: With tax.", "[^2]"),
        ("The warranty² is two years.\n\nIt ends.", "²"),
        ("The warranty† is two years.", "†"),
    ],
)
def test_a_mark_without_its_note_is_found(found, text, mark):
    (item,) = found(FOOTNOTE, text)
    assert mark in item.message


@pytest.mark.parametrize(
    "text",
    [
        "The fee is due[^1] in May.\n\n[^1]: With tax.",
        "The warranty² is two years.\n\n² Not for batteries.",
        "The warranty² is two years.\n\n2 Not for batteries.",
        "The room has 20 m² and 50 m³, at 10⁻³ bar.",
        "The warranty is two years.\n\n1 Not for batteries.\n\nparts of it.",
        "The warranty is two years for all\n\n1 Not for batteries.\n\nThe next is one.",
        "The warranty is two years for all\n\n13. Other parts\n\nparts of the meter.",
        "`a[^1]` matches no a.\n\n```\nb[^2]\n```",
    ],
)
def test_notes_in_their_place_and_powers_are_none(found, text):
    assert found(FOOTNOTE, text) == []
