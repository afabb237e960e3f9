"""Paragraphs and lists that a cell writes."""

import pytest

from rag_kit.teaching import show_markdown


@pytest.mark.parametrize(
    ("paragraphs", "written"),
    [
        ((), ""),
        (("a",), "a"),
        (("a", "b"), "a\n\nb"),
        (("- a", "- b", "- c"), "- a\n- b\n- c"),
        (("- a\n- b", "- c"), "- a\n- b\n- c"),
        (("1. a", "2. b"), "1. a\n2. b"),
        (("head:", "- a", "- b", "tail"), "head:\n\n- a\n- b\n\ntail"),
        (("- a", "* b"), "- a\n\n* b"),
        (("- a", "1. b"), "- a\n\n1. b"),
        (("1. a", "2) b"), "1. a\n\n2) b"),
        (("- a\n\n  more of a", "- b"), "- a\n\n  more of a\n\n- b"),
        (("**a**", "**b**"), "**a**\n\n**b**"),
        (("-0.5 is less", "-0.7 too"), "-0.5 is less\n\n-0.7 too"),
        (("2026. was good", "text"), "2026. was good\n\ntext"),
        (("| a |\n|---|", "- b"), "| a |\n|---|\n\n- b"),
    ],
)
def test_items_of_one_list_follow_each_other_and_paragraphs_stay_apart(paragraphs, written):
    assert show_markdown(*paragraphs).data == written
