"""Compression: the pieces that bear on a question, what they need beside them, and never a word rewritten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import InvalidValue
from rag_kit.generation import compress
from rag_kit.generation.compression import snippets_of
from rag_kit.generation.quotes import locate_quote
from rag_kit.testing import WordEmbedder, make_chunk, make_evidence

RAIN = "Over the hills it rained for most of the week, and nobody went out."
SNOW = "Later on snow fell in the valley, and all of the roads were closed."


def shown(text, question="What is the fee?", **options):
    fields = {key: options.pop(key) for key in ("headings", "prefix") if key in options}
    (passage,) = compress(make_evidence(make_chunk(text, **fields)), question, **options)
    return passage.text


def test_what_holds_words_of_the_question_stays():
    assert shown(f"{RAIN} The fee is 5. {SNOW}") == "The fee is 5."
    assert shown(f"The fee is 5. {RAIN} No fee is due in May.") == "The fee is 5. […] No fee is due in May."


def test_a_passage_that_says_little_keeps_its_best_piece_and_one_that_says_nothing_all():
    texts = f"The lost card fee is 5. {RAIN}", f"{SNOW} A card is blue.", f"{RAIN} {SNOW}"
    found = compress(make_evidence(*texts), "What is the lost card fee?", least=1)
    assert [passage.text for passage in found] == ["The lost card fee is 5.", "A card is blue.", texts[2]]
    assert [passage.whole for passage in found] == [False, False, True]


def test_the_share_that_is_asked_for_decides():
    text = f"The lost card fee is 5. {RAIN} A card is blue. {SNOW}"
    question = "What is the lost card fee?"
    assert shown(text, question, least=1) == "The lost card fee is 5."
    assert shown(text, question, least=0.05) == "The lost card fee is 5. […] A card is blue."


def test_with_an_embedder_a_piece_that_shares_no_word_is_found():
    text = f"{RAIN} Everybody knew which. {SNOW}"
    assert shown(text, "Which one was dear?") == text
    assert shown(text, "Which one was dear?", embedder=WordEmbedder("which")) == "Everybody knew which."


def test_without_a_question_nothing_is_left_out():
    assert shown(f"The fee is 5. {RAIN}", " ") == f"The fee is 5. {RAIN}"
    assert compress([], "What?") == []


@pytest.mark.parametrize("least", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(least):
    with pytest.raises(InvalidValue, match="choose a number from 0 to 1"):
        compress(make_evidence("The fee is 5."), "Fee?", least=least)


def test_a_sentence_that_points_back_keeps_the_one_before():
    kept = "Lost cards are replaced. They need a fee."
    assert shown(f"{RAIN} {kept} {SNOW}") == kept
    chain = "Cards are blue. They are thin. Their fee is 5."
    assert shown(f"{RAIN} {chain} {SNOW}") == chain


def test_an_exception_stays_with_its_rule():
    kept = "The fee is 5. However, children pay nothing at all."
    assert shown(f"{RAIN} {kept} {SNOW}") == kept


def test_a_list_item_keeps_the_line_that_leads_into_the_list():
    text = f"{RAIN}\n\nYou may not:\n\n- {RAIN}\n- share the fee\n- {SNOW}"
    assert shown(text) == "You may not:\n\n[…]\n\n- share the fee"


def test_a_line_that_leads_into_a_list_keeps_the_list():
    kept = "The fee is made of:\n\n- a share for the house\n- a share for the garden"
    assert shown(f"{RAIN}\n\n{kept}\n\n{SNOW}") == kept


def test_a_row_keeps_the_names_of_its_columns():
    rows = "\n".join(f"| Item {n} of the list | {n} euros |" for n in range(5))
    text = f"{RAIN}\n\n| Item | Price |\n|---|---|\n{rows}\n| Fee | 9 euros |\n"
    assert shown(text) == "| Item | Price |\n|---|---|\n| […] |\n| Fee | 9 euros |\n"


def test_a_row_whose_table_was_cut_has_its_header_in_the_prefix():
    rows = "\n".join(f"| Item {n} of the list | {n} euros |" for n in range(5))
    assert shown(f"{rows}\n| Fee | 9 euros |", prefix="| Item | Price |\n|---|---|") == "| Fee | 9 euros |"


def test_a_sentence_keeps_the_headings_above_it():
    text = f"## Europe\n\n{RAIN} {SNOW}\n\n### Cards\n\n{RAIN}\n\nThe fee is 5.\n\n## Asia\n\n{SNOW}"
    headings = tuple(
        (text.index(heading), path)
        for heading, path in (
            ("## Europe", ("T", "Europe")),
            ("### Cards", ("T", "Europe", "Cards")),
            ("## Asia", ("T", "Asia")),
        )
    )
    assert shown(text, headings=headings) == "## Europe\n\n[…]\n\n### Cards\n\n[…]\n\nThe fee is 5."


def test_code_is_a_piece_and_stays_whole_with_the_line_before_it():
    kept = "So it is set:\n\n```python\nfee = 5\nprint(fee)\n```"
    assert shown(f"{RAIN}\n\n{kept}\n\n{SNOW}") == kept


def test_little_is_not_worth_a_mark():
    assert shown("The fee is 5. Pay now. No fee in May.") == "The fee is 5. Pay now. No fee in May."


def test_a_quote_comes_from_what_was_shown_alone():
    chunk = make_chunk(f"{RAIN} The fee is 5. {SNOW}", start=70)
    (passage,) = compress(make_evidence(chunk), "What is the fee?")
    span = locate_quote("The fee is 5", chunk, within=passage.spans)
    assert chunk.text[span[0] - 70 : span[1] - 70] == "The fee is 5."
    assert locate_quote(RAIN, chunk) is not None
    assert locate_quote(RAIN, chunk, within=passage.spans) is None


BLOCKS = st.lists(
    st.sampled_from(
        [
            "# Fees\n\n", "## Cards\n\n", f"{RAIN} ", "The fee is 5. ", "It is due. ", "However, not in May. ",
            "\n\n", "\n", "- a card\n", "- a fee\n", "You may:\n\n", "1. one\n", "| a | fee |\n|---|---|\n",
            "| 1 | 2 |\n", "| long cell of a row that is long | 5 |\n", "```\nfee = 5\n```\n", "```\nopen",
            "[…] ", "fee", "费用为 5。", "\u200b",
        ]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@given(st.lists(BLOCKS, min_size=1, max_size=3), st.sampled_from([0.0, 0.3, 1.0]), st.integers(0, 50))
def test_every_span_slices_the_document_and_what_is_left_out_is_marked(texts, least, start):
    evidence = make_evidence(*(make_chunk(text, f"d{n}", start=start) for n, text in enumerate(texts)))
    passages = compress(evidence, "What is the fee for a card?", least=least)
    assert [passage.evidence for passage in passages] == evidence
    for passage, text in zip(passages, texts, strict=True):
        document = "." * start + text
        ends = [place for span in passage.spans for place in span]
        assert ends == sorted(ends)
        assert all(start <= place <= len(document) for place in ends)
        assert all(one[1] < two[0] for one, two in zip(passage.spans, passage.spans[1:], strict=False))
        pieces = [document[slice(*span)] for span in passage.spans]
        rest = passage.text
        for piece in pieces:
            assert piece in rest
            rest = rest[rest.index(piece) + len(piece) :]
        assert passage.text.count("[…]") >= len(pieces) - 1
        assert not snippets_of(passage.evidence.chunk) or passage.text.strip()
