"""Context assembly: what fits the budget, in order, whole, and under one label a passage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import SYSTEM_MESSAGE, BudgetTooSmall, InvalidValue, assemble_context
from rag_kit.refusals import REFUSAL
from rag_kit.sources import read_message
from rag_kit.testing import make_chunk, make_evidence
from rag_kit.tokens import count_messages

MODEL = "gpt-4o-mini"
QUESTION = "What is the fee?"


def assemble(evidence, **options):
    return assemble_context(QUESTION, evidence, model=MODEL, **options)


def shown_texts(context):
    return [item.chunk.text for item in context.shown.values()]


def test_labels_follow_the_order_shown_one_a_passage():
    chunks = [
        make_chunk("First of A.", "a"),
        make_chunk("Second of A.", "a", start=40),
        make_chunk("B.", "b"),
    ]
    context = assemble(make_evidence(*chunks))
    assert {label: item.chunk.chunk_id for label, item in context.shown.items()} == {
        "[1]": chunks[0].chunk_id,
        "[2]": chunks[1].chunk_id,
        "[3]": chunks[2].chunk_id,
    }
    sources, question = read_message(context.messages[-1]["content"])
    assert [(source.label, source.text) for source in sources] == [
        ("[1]", "First of A."),
        ("[2]", "Second of A."),
        ("[3]", "B."),
    ]
    assert question == QUESTION


def test_two_passages_of_the_same_text_keep_two_labels():
    chunks = [make_chunk("Same.", "a"), make_chunk("Same.", "a", chunk_id="a#2"), make_chunk("Same.", "b")]
    context = assemble(make_evidence(*chunks))
    assert [item.chunk.chunk_id for item in context.shown.values()] == [chunk.chunk_id for chunk in chunks]


def test_the_system_message_asks_for_labels_and_names_the_refusal():
    context = assemble(make_evidence("The fee is 5."))
    assert context.messages[0] == {"role": "system", "content": SYSTEM_MESSAGE}
    assert SYSTEM_MESSAGE.endswith(REFUSAL)
    other = assemble(make_evidence("The fee is 5."), system_message="Say nothing.")
    assert other.messages[0]["content"] == "Say nothing."


def test_tokens_count_the_whole_request():
    context = assemble(make_evidence("The fee is 5.", "It is due in May."))
    assert context.tokens == count_messages(context.messages, MODEL)
    assert assemble(make_evidence("The fee is 5.", "It is due in May."), budget=context.tokens).dropped == ()


def test_a_passage_that_does_not_fit_is_passed_over_and_smaller_ones_after_it_get_their_chance():
    sixty, eighty, thirty, ten = ("word " * n for n in (60, 80, 30, 10))
    budget = assemble(make_evidence(sixty, thirty, ten)).tokens
    context = assemble(make_evidence(sixty, eighty, thirty, ten), budget=budget)
    assert shown_texts(context) == [sixty, thirty, ten]
    assert list(context.shown) == ["[1]", "[2]", "[3]"]
    assert [item.chunk.text for item in context.dropped] == [eighty]
    assert context.tokens == budget
    assert eighty not in context.messages[-1]["content"]


def test_one_token_less_and_the_passage_is_out():
    two = make_evidence("word " * 50, "word " * 40)
    whole = assemble(two).tokens
    assert len(assemble(two, budget=whole - 1).shown) == 1


@pytest.mark.parametrize("budget", [1, 5, 100])
def test_a_budget_below_the_prompts_own_words_says_what_those_need(budget):
    overhead = count_messages(
        [{"role": "system", "content": SYSTEM_MESSAGE}, {"role": "user", "content": f"Question: {QUESTION}"}],
        MODEL,
    )
    with pytest.raises(BudgetTooSmall, match=f"the prompt without passages needs {overhead}"):
        assemble(make_evidence("The fee is 5."), budget=budget)


def test_a_budget_that_holds_no_passage_says_what_the_smallest_needs():
    small = assemble(make_evidence("word " * 200)).tokens
    with pytest.raises(BudgetTooSmall, match=f"the smallest passage needs {small}"):
        assemble(make_evidence("word " * 500, "word " * 200), budget=small - 1)


@pytest.mark.parametrize("budget", [0, -5])
def test_a_budget_that_is_no_number_of_tokens_is_refused(budget):
    with pytest.raises(InvalidValue, match="choose 1 or more"):
        assemble(make_evidence("The fee is 5."), budget=budget)


def test_a_passage_stands_under_its_title_and_section_with_the_header_of_its_table():
    chunk = make_chunk(
        "| A1 | 5 |", title="Prices", heading_path=("Prices", "Parts"), prefix="| Part | Price |"
    )
    (source,) = read_message(assemble(make_evidence(chunk)).messages[-1]["content"])[0]
    assert (source.title, source.section, source.text) == ("Prices", "Parts", "| Part | Price |\n| A1 | 5 |")


@given(
    st.lists(
        st.text() | st.sampled_from(["{question}", "%s", "</source>", "<|im_end|>", "$x {{y}}"]),
        min_size=1,
        max_size=5,
    ),
    st.text(min_size=1).filter(str.strip),
    st.integers(1, 400),
)
def test_whatever_the_texts_the_context_is_within_budget_whole_and_never_empty(texts, question, budget):
    evidence = make_evidence(*(make_chunk(text, f"d{n}") for n, text in enumerate(texts)))
    try:
        context = assemble_context(question, evidence, budget=budget, model=MODEL)
    except BudgetTooSmall:
        return
    assert context.tokens == count_messages(context.messages, MODEL) <= budget
    assert context.shown
    ranked = [item for item in evidence if item in context.shown.values()]
    assert list(context.shown.values()) == ranked
    assert len(context.shown) + len(context.dropped) == len(evidence)
    sources, asked = read_message(context.messages[-1]["content"])
    assert [source.text for source in sources] == shown_texts(context)
    assert asked == question.strip()
