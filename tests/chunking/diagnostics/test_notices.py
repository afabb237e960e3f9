"""What the parser said, and how sure the text recognition was."""

import pytest


@pytest.mark.parametrize(
    ("code", "becomes", "severity"),
    [
        ("no_text_layer", "no_text_layer", "error"),
        ("page_failed", "page_failed", "error"),
        ("tracked_changes", "tracked_changes", "hint"),
        ("language", "language_change", "hint"),
        ("encoding", "encoding_change", "warning"),
        ("replacement_characters", "unmapped_characters", "error"),
        ("something_new", "something_new", "hint"),
    ],
)
def test_a_notice_becomes_a_finding(found, code, becomes, severity):
    (item,) = found(becomes, "The lift is old.", notices=[(code, "look at it", 3)])
    assert (item.severity, item.message, item.page) == (severity, "look at it", 3)


def test_a_document_without_text_and_hidden_characters_are_findings(found):
    assert [item.severity for item in found("empty", "")] == ["warning"]
    assert [item.severity for item in found("hidden_characters", "The li\u200bft is old.")] == ["warning"]
    assert found("hidden_characters", "The lift is old.") == []


def test_what_the_text_shows_itself_is_not_said_twice(found):
    (item,) = found(
        "unmapped_characters", "The li\ufffdt", notices=[("replacement_characters", "some", None)]
    )
    assert "replacement characters (1)" in item.message


def test_a_page_that_was_hardly_read_is_a_warning(found):
    (item,) = found("ocr_low_confidence", "The lift is o1d.", pages=[2], confidence=0.55)
    assert (item.page, item.severity) == (2, "warning")
    assert "55% sure" in item.message
    assert found("ocr_low_confidence", "The lift is old.", pages=[2], confidence=0.95) == []
