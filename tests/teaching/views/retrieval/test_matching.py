"""Which words of a passage a question's terms match, and which piece of it is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit.retrieval import Analyser
from rag_kit.teaching.views.retrieval.matching import excerpt, match_terms

ANALYSER = Analyser()


def matched(text, question):
    return [text[a:b] for (a, b), _ in match_terms(text, ANALYSER.terms(question), ANALYSER)]


@pytest.mark.parametrize(
    ("text", "question", "found"),
    [
        ("The fees are due; a fee-based plan.", "What is the fee?", ["fees", "fee-based"]),
        ("(Resetting) it.", "How do I reset?", ["Resetting"]),
        ("See XX-1042B, not XX-10.", "XX-1042B", ["XX-1042B", "XX-10"]),
        ("Le Théâtre.", "theatre", ["Théâtre"]),
        ("Nothing of this.", "fee", []),
        ("the of and", "the of and", []),
        ("退款期限为三十天", "退款期限", ["退款", "款期", "期限"]),
    ],
)
def test_words_match_by_stem_and_codes_by_their_parts(text, question, found):
    assert matched(text, question) == found


def test_the_piece_with_most_terms_is_shown_first_one_first():
    text = (
        "Fee here. "
        + "Nothing of it stands here. " * 8
        + "The fee of a card is five. "
        + "Nor here, ever. " * 8
    )
    said, marks = excerpt(text, ANALYSER.terms("card fee"), ANALYSER, 60)
    assert [said[a:b] for a, b in marks] == ["fee", "card"]
    assert said.startswith("… ")
    assert said.endswith(" …")
    assert excerpt(text, [], ANALYSER, 20) == ("Fee here. Nothing of …", [])


@given(
    st.lists(st.sampled_from(["fee", "card,", "a", "of-it", "退款期限", "\n", "(fees)"]), max_size=40),
    st.integers(5, 80),
)
def test_an_excerpt_is_a_piece_of_the_text_with_its_marks_inside(words, width):
    text = " ".join(words)
    said, marks = excerpt(text, ANALYSER.terms("fee card 退款"), ANALYSER, width)
    piece = said.removeprefix("… ").removesuffix(" …")
    assert piece in " ".join(text.split())
    assert len(piece) <= width
    assert all(0 <= a < b <= len(said) for a, b in marks)
    assert all(a < b for (_, a), (b, _) in zip(marks, marks[1:], strict=False))
    if len(text) <= width:
        assert said == " ".join(text.split())
