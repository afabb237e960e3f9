"""Context assembly: what fits the budget, in order, whole, and under one label a passage."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import SYSTEM_MESSAGE, BudgetTooSmall, InvalidValue, assemble_context
from rag_kit.generation import compress, fold
from rag_kit.generation.ask import cite
from rag_kit.hidden import visible
from rag_kit.llm.fit import candidates
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


def test_passages_without_a_document_of_their_own_keep_distinct_labels():
    chunks = [
        make_chunk("One of A.", "a"),
        make_chunk("Two of A.", "a", start=40),
        make_chunk("One of B.", "b"),
        make_chunk("Nobody's.", "", chunk_id="c4"),
        make_chunk("No one's.", "", chunk_id="c5", start=40),
    ]
    context = assemble(make_evidence(*chunks))
    assert [item.chunk.chunk_id for item in context.shown.values()] == [chunk.chunk_id for chunk in chunks]
    citations = cite("x [S1]. y [S3]. z [S5].", context.shown)
    assert [c.chunk_id for c in citations] == [chunks[at].chunk_id for at in (0, 2, 4)]
    sources, _ = read_message(context.messages[-1]["content"])
    assert [source.label for source in sources] == list(context.shown)


def test_of_passages_with_the_same_text_one_is_shown_and_the_others_are_on_record():
    chunks = [make_chunk("Same.", "a"), make_chunk("Same.", "a", chunk_id="a#2"), make_chunk("Same.", "b")]
    context = assemble(make_evidence(*chunks))
    assert {label: item.chunk.chunk_id for label, item in context.shown.items()} == {
        "[1]": chunks[0].chunk_id
    }
    assert context.folded_ids() == {
        "a#2": (chunks[0].chunk_id, "same text"),
        chunks[2].chunk_id: (chunks[0].chunk_id, "same text"),
    }
    assert context.dropped == ()


def test_what_is_folded_into_a_passage_that_does_not_fit_gets_its_chance():
    start, end = "The fee is 5 euros.", "Cards are blue."
    long = make_chunk(f"{start} {'word ' * 900}{end}", "d")
    first = make_chunk(start, "d")
    last = make_chunk(end, "d", start=long.span[1] - len(end))
    context = assemble(make_evidence(long, first, "Other.", last), budget=600)
    assert shown_texts(context) == [start, "Other.", end]
    assert [item.chunk for item in context.dropped] == [long]
    assert context.folded == ()
    context = assemble(make_evidence(long, first, "Other.", last))
    assert shown_texts(context) == [long.text, "Other."]
    assert [one.dropped.rank for one in context.folded] == [2, 4]


def test_at_the_edges_the_best_stand_and_labels_follow_the_order_shown():
    texts = ["First.", "Second.", "Third.", "Fourth."]
    context = assemble(make_evidence(*texts), order="edges")
    assert shown_texts(context) == ["First.", "Third.", "Fourth.", "Second."]
    assert list(context.shown) == ["[1]", "[2]", "[3]", "[4]"]
    sources, _ = read_message(context.messages[-1]["content"])
    assert [(s.label, s.text) for s in sources] == list(zip(context.shown, shown_texts(context), strict=True))
    assert context.tokens == assemble(make_evidence(*texts)).tokens


def test_the_order_of_the_prompt_does_not_decide_what_fits():
    evidence = make_evidence(*("word " * n for n in (60, 80, 30, 10)))
    budget = assemble([evidence[0], *evidence[2:]]).tokens
    by_rank, at_edges = (assemble(evidence, budget=budget, order=order) for order in ("rank", "edges"))
    assert by_rank.dropped == at_edges.dropped == (evidence[1],)
    assert sorted(shown_texts(by_rank)) == sorted(shown_texts(at_edges))


def test_what_is_compressed_takes_less_and_keeps_its_label_and_spans():
    rain = "It rained on the hills for most of the week, and nobody went out. " * 3
    chunk = make_chunk(f"{rain}The fee is 5 euros. {rain}No fee is due in May.", "d", start=30)
    evidence = make_evidence(chunk, f"{rain}A card costs a fee.")
    plain, short = assemble(evidence), assemble(evidence, compress=compress)
    assert short.tokens < plain.tokens
    assert plain.spans == {"[1]": (chunk.span,), "[2]": (evidence[1].chunk.span,)}
    texts = [[item.chunk.text[a - item.chunk.span[0] : b - item.chunk.span[0]] for a, b in short.spans[label]]
             for label, item in short.shown.items()]  # fmt: skip
    assert texts == [["The fee is 5 euros.", "No fee is due in May."], ["A card costs a fee."]]
    sources, _ = read_message(short.messages[-1]["content"])
    assert [c.text for c in candidates(sources)] == [text for own in texts for text in own]


def test_compression_comes_before_the_budget():
    rain = "It rained on the hills for most of the week, and nobody went out. " * 20
    evidence = make_evidence(f"The fee is 5 euros. {rain}", f"{rain}A card costs a fee.")
    assert len(assemble(evidence, budget=500).shown) == 1
    assert len(assemble(evidence, budget=500, compress=compress).shown) == 2


def test_a_block_names_its_file_and_page_and_says_what_had_expired():
    chunk = make_chunk("Five.", "fees", source_uri="a/fees.pdf", pages=(3,), expires_at=date(2026, 3, 1))
    evidence = make_evidence(chunk)
    written = assemble(evidence, as_of=date(2026, 3, 1)).messages[-1]["content"].splitlines()[0]
    assert written == (
        '<source label="[1]" title="" source="fees.pdf" page="3" section="" expired="2026-03-01">'
    )
    assert "expired" not in assemble(evidence, as_of=date(2026, 2, 1)).messages[-1]["content"]


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
    assert list(context.shown.values()) == [item for item in evidence if item in context.shown.values()]
    gone = [*context.dropped, *(one.dropped for one in context.folded)]
    assert sorted(item.rank for item in [*context.shown.values(), *gone]) == [i.rank for i in evidence]
    assert all(one.kept in context.shown.values() for one in context.folded)
    assert fold(list(context.shown.values())).folds == ()
    sources, asked = read_message(context.messages[-1]["content"])
    assert [source.label for source in sources] == list(context.shown)
    assert [source.text for source in sources] == [visible(text) for text in shown_texts(context)]
    assert asked == question.strip()


@given(
    st.lists(st.sampled_from(["The fee is 5. ", "It rains all day long in the hills. ", "Cards are blue. ",
                              "- a fee\n", "\n\n", "| a | fee |\n|---|---|\n| 1 | 2 |\n"]), max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=6),
    st.integers(100, 700),
    st.sampled_from(["rank", "edges"]),
)  # fmt: skip
def test_compressed_or_not_what_is_shown_slices_the_document_within_the_budget(parts, cuts, budget, order):
    ends = [0]
    for part in parts:
        ends.append(ends[-1] + len(part))
    document = "".join(parts)
    spans = [(ends[min(a, b, len(parts))], ends[min(max(a, b), len(parts))]) for a, b in cuts]
    chunks = [make_chunk(document[a:b], "d", start=a, chunk_id=f"d{n}") for n, (a, b) in enumerate(spans)]
    evidence = make_evidence(*chunks)
    for how in (None, compress):
        try:
            context = assemble(evidence, budget=budget, order=order, compress=how)
        except BudgetTooSmall:
            continue
        assert context.tokens == count_messages(context.messages, MODEL) <= budget
        assert list(context.shown) == list(context.spans) == [f"[{n + 1}]" for n in range(len(context.shown))]
        for label, item in context.shown.items():
            inside = item.chunk.span
            assert all(inside[0] <= a <= b <= inside[1] for a, b in context.spans[label])
            assert all(document[a:b] in context.messages[-1]["content"] for a, b in context.spans[label])
        gone = [*context.dropped, *(one.dropped for one in context.folded)]
        assert sorted(i.rank for i in [*context.shown.values(), *gone]) == [i.rank for i in evidence]
        for citation in cite("The fee is 5 [1]. Cards are blue [2].", context.shown, context.spans):
            if citation.source_span:
                a, b = citation.source_span
                assert citation.quote == document[a:b]
                assert any(x <= a and b <= y for x, y in context.spans[citation.label])
