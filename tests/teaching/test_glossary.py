"""The words of the course: the file, its page, and one entry."""

from pathlib import Path

import pytest

from rag_kit.errors import InvalidValue
from rag_kit.teaching import glossary
from rag_kit.teaching.glossary import glossary_page, read_terms

ROOT = Path(__file__).parents[2]


def test_one_entry_of_the_glossary():
    assert repr(glossary("Chunk")).startswith("passage (also: chunk): A piece of a document")
    assert repr(glossary("  top-K ")).startswith("top-k: ")
    with pytest.raises(InvalidValue, match="did you mean embedding"):
        glossary("embeddding")
    with pytest.raises(InvalidValue, match=r"GLOSSARY\.md lists all terms"):
        glossary("zzz")


def test_the_glossary_page_lists_every_term_in_order():
    terms = read_terms(ROOT / "lessons")
    page = (ROOT / "GLOSSARY.md").read_text(encoding="utf-8")
    assert page == glossary_page(ROOT)
    assert len(terms) >= 25
    assert page.count("\n| **") == len(terms)
    assert [t.name.casefold() for t in terms] == sorted(t.name.casefold() for t in terms)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: {meaning: Two. Sentences., lesson: '00'}", "not one sentence"),
        ("a: {meaning: No full stop, lesson: '00'}", "not one sentence"),
        ("a: {meaning: One., lesson: 00}", "not two digits in quotes"),
        ("a: {meaning: One.}", "give `meaning` and `lesson`"),
        ("a: {meaning: One., lesson: '00', other: x}", "nothing else"),
        ("a: {meaning: One., lesson: '00', also: b}", "not a list"),
        (
            "a: {meaning: One., lesson: '00', also: [B]}\nb: {meaning: Two., lesson: '00'}",
            "'b' stands under 'a' and 'b'",
        ),
        ("- a", "not a mapping"),
        ("a: [", "is not YAML"),
    ],
)
def test_a_glossary_that_is_not_right_is_told(tmp_path, text, said):
    (tmp_path / "glossary.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidValue) as error:
        read_terms(tmp_path)
    assert said in str(error.value)


def test_a_kit_without_a_glossary_has_no_page(tmp_path):
    (tmp_path / "lessons").mkdir()
    assert glossary_page(tmp_path) is None
