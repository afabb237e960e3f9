"""Paragraphs and lists that a cell writes."""

import pytest
from markdown_it import MarkdownIt

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


def test_a_measured_list_is_read_as_one_list_without_paragraphs():
    items = [f"- item {number}\n  goes on" for number in range(3)]
    html = MarkdownIt().render(show_markdown("Of three:", *items, "After it.").data)
    assert html.count("<ul>") == 1
    assert html.count("<li>") == 3
    assert html.count("<p>") == 2
