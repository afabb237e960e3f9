"""Chunks of the wrong size, and headings without what they head."""

from dataclasses import replace

from rag_kit.chunking import diagnose
from rag_kit.testing import FakeTokenizer, make_chunk
from tests.chunking.diagnostics.conftest import cut


def test_what_the_embedder_does_not_read_is_counted_and_shown(found):
    text = "one two three four five six seven eight nine ten"
    (item,) = found("chunk_too_large", text, tokenizer=FakeTokenizer(max_tokens=7, special_tokens=2))
    # "doc0" is the title: with 2 special tokens, 4 words of the text are read.
    assert item.severity == "error"
    assert item.message.startswith("13 tokens, and the embedder reads 7: 6 are never read, from 'five six")
    assert text[slice(*item.span)] == "five six seven eight nine ten"
    assert item.excerpts == ("five six seven eight nine ten",)


def test_a_chunk_that_fits_exactly_is_read_to_its_end(found):
    assert found("chunk_too_large", "one two three", tokenizer=FakeTokenizer(max_tokens=4)) == []


def test_a_parent_is_not_embedded_and_may_be_large():
    parent = make_chunk("one two three four five six")
    child = replace(make_chunk("one two three four five"), parent_id=parent.chunk_id)
    tokenizer = FakeTokenizer(max_tokens=5)
    assert [f.code for f in diagnose([], [parent], tokenizer)] == ["chunk_too_large"]
    assert diagnose([], [parent, child], tokenizer) == []


def test_a_chunk_of_few_words_is_too_small(found):
    (item,) = found("chunk_too_small", "The lift in the house is old.\n\n‖See above.\n")
    assert item.message.startswith("the chunk holds 2 words")
    assert item.severity == "hint"


def test_a_rule_alone_holds_no_word(found):
    (item,) = found("chunk_too_small", "The lift in the house is old.‖ * * *")
    assert item.message.startswith("the chunk holds not one word")


def test_a_short_document_and_signs_without_blanks_are_not_too_small(found):
    assert found("chunk_too_small", "Closed.") == []
    assert found("chunk_too_small", "这部电梯很旧。‖楼梯也很旧。") == []


def test_a_heading_at_the_end_of_a_chunk_is_orphaned(found):
    (item,) = found("heading_orphaned", "# House\n\nIt is old.\n\n## Lift\n\n‖It creaks at night.\n")
    # The next chunk still knows its heading, so only the first is the worse for it.
    assert (item.severity, item.excerpts) == ("hint", ("## Lift It creaks at night.",))
    assert "'Lift'" in item.message


def test_a_heading_alone_in_a_chunk_is_orphaned(found):
    (item,) = found("heading_orphaned", "# House\n\nIt is old.\n\n‖## Lift\n\n‖It creaks at night.\n")
    assert item.severity == "warning"
    assert "alone in a chunk" in item.message


def test_a_heading_that_the_next_chunk_does_not_know_is_a_warning():
    document, (first, second) = cut("# House\n\nIt is old.\n\n## Lift\n\n‖It creaks at night.\n")
    forgot = replace(second, heading_path=("House",))
    (item,) = (
        f for f in diagnose([document], [first, forgot], FakeTokenizer()) if f.code == "heading_orphaned"
    )
    assert item.severity == "warning"


def test_a_heading_with_its_section_or_with_none_is_not_orphaned(found):
    assert found("heading_orphaned", "# House\n\nIt is old.\n\n‖## Lift\n\nIt creaks.\n") == []
    assert found("heading_orphaned", "# House\n\nIt is old.\n\n## Lift\n‖\n## Stairs\n\nThey creak.\n") == []
