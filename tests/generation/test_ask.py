"""Ask: nothing is shown as an answer whose labels were not checked, and every refusal says why."""

from dataclasses import replace
from datetime import date

import httpx2
import openai
import pytest

from rag_kit import BudgetTooSmall, Filters, InvalidValue, ask, connect, load_settings
from rag_kit.generation import compress
from rag_kit.refusals import REFUSAL, REFUSALS
from rag_kit.retrieval import DenseRetriever
from rag_kit.settings import LOCAL_CHAT_MODEL
from rag_kit.testing import ListRetriever, ScriptedTransport, WordEmbedder, make_chunk, make_evidence
from rag_kit.types import Usage

OWNER = Filters.owner(as_of=date(2026, 6, 1))
FEES = make_chunk("# Fees\n\nThe fee is 5 euros. It is due in May.", "fees", start=100)
CARDS = make_chunk("A lost card costs 35 euros.", "cards")


def run(*replies, evidence=None, question="What is the fee?", **options):
    server = ScriptedTransport(*replies)
    retriever = ListRetriever(make_evidence(FEES, CARDS) if evidence is None else evidence)
    answer = ask(question, retriever, client=server.client(), model="gpt-4o", filters=OWNER, **options)
    return answer, server


def refused(answer, kind):
    assert answer.refusal is not None
    assert answer.refusal.kind == kind
    assert answer.text == answer.refusal.text == REFUSALS[kind]
    assert answer.citations == ()
    return True


def test_without_evidence_no_call_is_made():
    answer, server = run("Paris [1].", evidence=[])
    assert refused(answer, "no_evidence")
    assert (server.calls, answer.usage, answer.evidence, answer.labels) == (0, Usage(), (), {})


def test_evidence_that_is_all_below_the_threshold_makes_no_call_and_can_be_looked_at():
    far = [replace(item, similarity=0.24) for item in make_evidence(FEES, CARDS)]
    answer, server = run("Paris [1].", evidence=far, min_similarity=0.25)
    assert refused(answer, "no_evidence")
    assert (server.calls, answer.usage, answer.labels) == (0, Usage(), {})
    assert answer.evidence == tuple(far)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What does the RB-7-113 cost?", True),
        ("what does the rb-7-113 cost?", True),
        ("What does the RB-7-114 cost?", False),
        ("Which payment methods do you accept?", True),
        ("Which payment methods and gifts do you accept?", False),
        ("Which methods?", False),  # one word may stand anywhere
    ],
)
def test_a_code_or_all_words_of_the_question_are_as_good_as_a_similarity(question, asked):
    text = "The RB-7-113 is 9 euro. Payment: methods that we accept are cards."
    far = [replace(item, similarity=0.1) for item in make_evidence(text)]
    _, server = run("It is 9 euro [1].", evidence=far, min_similarity=0.25, question=question)
    assert bool(server.calls) is asked


@pytest.mark.parametrize("similarity", [0.25, None])
def test_evidence_at_the_threshold_or_without_a_similarity_is_shown(similarity):
    near = [replace(item, similarity=similarity) for item in make_evidence(FEES)]
    answer, server = run("The fee is 5 euros [1].", evidence=near, min_similarity=0.25)
    assert (answer.refusal, server.calls) == (None, 1)


def test_only_the_local_embedder_has_a_threshold_of_its_own():
    assert load_settings({}).min_similarity == 0.25
    assert load_settings({"OPENAI_API_KEY": "k"}).min_similarity == 0.0


def test_evidence_that_may_not_be_seen_is_none():
    server = ScriptedTransport("Five [1].")
    hidden = ListRetriever(make_evidence(make_chunk("The fee is 5.", access_tags=("hr",))))
    guest = Filters.for_tags(["all"], as_of=date(2026, 6, 1))
    assert refused(ask("Fee?", hidden, client=server.client(), model="gpt-4o", filters=guest), "no_evidence")
    assert server.calls == 0


def test_a_cited_answer_is_shown_with_the_words_behind_each_label():
    answer, server = run("The fee is 5 euros [1]. A lost card costs 35 euros [2].")
    assert answer.refusal is None
    assert answer.text == "The fee is 5 euros [1]. A lost card costs 35 euros [2]."
    assert [(c.label, c.chunk_id, c.quote, c.status) for c in answer.citations] == [
        ("[1]", FEES.chunk_id, "The fee is 5 euros.", "valid"),
        ("[2]", CARDS.chunk_id, "A lost card costs 35 euros.", "valid"),
    ]
    assert [answer.text[slice(*c.answer_span)] for c in answer.citations] == ["[1]", "[2]"]
    assert answer.citations[0].source_span == (108, 127)
    assert (server.calls, answer.usage) == (1, Usage(10, 2, 1))
    assert answer.labels == {"[1]": FEES.chunk_id, "[2]": CARDS.chunk_id}
    assert answer.rejected == ()


def test_a_claim_that_no_sentence_of_its_source_holds_has_no_quote():
    answer, _ = run("Dogs must stay outside the canteen [2].")
    (citation,) = answer.citations
    assert (citation.quote, citation.source_span, citation.status) == ("", None, "valid")


@pytest.mark.parametrize("said", [REFUSAL, REFUSAL.lower().rstrip("."), f"“{REFUSAL}”", f"{REFUSAL} [1]"])
def test_a_model_that_declines_is_believed_at_once(said):
    answer, server = run(said, "Five [1].")
    assert refused(answer, "declined")
    assert server.calls == 1
    assert len(answer.evidence) == 2


def test_an_uncited_draft_is_never_shown():
    answer, server = run("It is 5 euros.", "Really, it is 5 euros.")
    assert refused(answer, "uncited")
    assert (server.calls, answer.usage) == (2, Usage(20, 4, 2))
    assert answer.rejected == ("It is 5 euros.", "Really, it is 5 euros.")


def test_a_draft_with_a_label_that_was_never_shown_is_never_shown():
    answer, server = run("It is 5 euros [1]. Cards are free [3].", "It is 5 euros [7].")
    assert refused(answer, "unverified")
    assert server.calls == 2
    assert len(answer.rejected) == 2


@pytest.mark.parametrize(
    "label", ["[0]", "[3]", "[1-400]", "[S1.5]", "[-1]", "[S99999999999]", "【9】", "[1, 3]"]
)
def test_no_odd_label_passes_for_a_source(label):
    answer, _ = run(f"It is 5 euros {label}.", f"It is 5 euros {label}.")
    assert refused(answer, "unverified")


@pytest.mark.parametrize(
    "draft", ["It is 5 euros (1).", "See [1](http://e.invalid).", "`[1]`", "It is 5 [2024]."]
)
def test_what_is_no_label_is_no_citation(draft):
    assert refused(run(draft, draft)[0], "uncited")


def test_a_second_draft_that_holds_is_shown_and_the_first_is_kept_to_look_at():
    answer, server = run("It is 5 euros [8].", "The fee is 5 euros [1].")
    assert answer.refusal is None
    assert answer.text == "The fee is 5 euros [1]."
    assert [citation.label for citation in answer.citations] == ["[1]"]
    assert answer.rejected == ("It is 5 euros [8].",)
    assert (server.calls, answer.usage) == (2, Usage(20, 4, 2))


def test_the_second_try_says_what_was_wrong_and_which_labels_there_are():
    for draft, fault in (
        ("Five [8] or six [9].", "cites [8], [9], which was not shown"),
        ("Five.", "cites no source"),
    ):
        _, server = run(draft, "The fee is 5 euros [1].")
        said = server.requests[1]["messages"]
        assert [message["role"] for message in said] == ["system", "user", "assistant", "user"]
        assert said[2]["content"] == draft
        assert fault in said[3]["content"]
        assert "[1], [2]" in said[3]["content"]


def test_a_second_draft_that_declines_is_a_refusal_and_the_first_is_kept():
    answer, _ = run("It is 5 euros.", REFUSAL)
    assert refused(answer, "declined")
    assert answer.rejected == ("It is 5 euros.",)


@pytest.mark.parametrize("empty", ["", "  \n"])
def test_an_empty_reply_is_tried_once_more_and_then_uncited(empty):
    answer, server = run(empty, empty)
    assert refused(answer, "uncited")
    assert server.calls == 2
    assert run(empty, "The fee is 5 euros [1].")[0].text == "The fee is 5 euros [1]."


def test_a_label_of_an_earlier_prompt_is_not_valid_in_this_one():
    three = make_evidence(FEES, CARDS, "A third.")
    assert run("A third [3].", evidence=three)[0].refusal is None
    assert refused(run("A third [3].", "A third [3].")[0], "unverified")


def test_a_passage_that_the_budget_left_out_cannot_be_cited():
    evidence = make_evidence("The fee is 5 euros.", "word " * 2_000)
    answer, server = run("Word [2].", "Word [2].", evidence=evidence, budget=400)
    assert refused(answer, "unverified")
    assert len(answer.evidence) == 2
    assert list(answer.labels) == ["[1]"]
    assert "word word" not in str(server.requests)


def test_braces_percent_signs_and_control_tokens_are_text():
    text = 'Set {"limit": 5} for {question}, {0}, 100%s, $HOME, <|endoftext|> and a lone }.'
    answer, server = run(
        "Set it [1].", evidence=make_evidence(text), question="What is {limit} at 100%<|im_end|>?"
    )
    assert text in server.requests[0]["messages"][1]["content"]
    assert "What is {limit} at 100%<|im_end|>?" in server.requests[0]["messages"][1]["content"]
    assert answer.refusal is None


def test_temperature_and_model_are_sent():
    _, server = run("The fee is 5 euros [1].")
    assert (server.requests[0]["model"], server.requests[0]["temperature"]) == ("gpt-4o", 0)


@pytest.mark.parametrize("question", ["", "  ", "\n"])
def test_an_empty_question_is_refused_before_anything_is_searched(question):
    retriever = ListRetriever(make_evidence(FEES))
    with pytest.raises(InvalidValue, match="empty"):
        ask(question, retriever, client=ScriptedTransport().client(), model="gpt-4o", filters=OWNER)
    assert retriever.calls == 0


def test_a_budget_too_small_makes_no_call():
    server = ScriptedTransport("Five [1].")
    with pytest.raises(BudgetTooSmall):
        ask(
            "Fee?",
            ListRetriever(make_evidence(FEES)),
            client=server.client(),
            model="gpt-4o",
            filters=OWNER,
            budget=9,
        )
    assert server.calls == 0


def test_a_server_error_is_tried_again_by_the_client_and_then_raised():
    answer, server = run(500, 429, "The fee is 5 euros [1].")
    assert (answer.refusal, server.calls, answer.usage.calls) == (None, 3, 1)
    with pytest.raises(openai.RateLimitError):
        run(429, 429, 429)
    with pytest.raises(openai.APITimeoutError):
        run(*[httpx2.ReadTimeout("slow")] * 3)


def test_a_reply_without_usage_or_choices_is_survived():
    class Bare(httpx2.BaseTransport):
        def handle_request(self, request):
            return httpx2.Response(200, json={"choices": []}, request=request)

    client = openai.OpenAI(
        api_key="k", base_url="http://x.invalid/v1", http_client=httpx2.Client(transport=Bare())
    )
    answer = ask("Fee?", ListRetriever(make_evidence(FEES)), client=client, model="gpt-4o", filters=OWNER)
    assert refused(answer, "uncited")
    assert answer.usage == Usage(0, 0, 2)


def test_the_offline_reader_answers_or_declines():
    client = connect(offline=True)
    options = {"client": client, "model": LOCAL_CHAT_MODEL, "filters": OWNER}
    retriever = ListRetriever(make_evidence(FEES, CARDS))
    answer = ask("How much does a lost card cost?", retriever, **options)
    assert answer.text == "A lost card costs 35 euros [2]."
    assert answer.citations[0].quote == CARDS.text
    assert refused(ask("Who won the chess world cup in 1987?", retriever, **options), "declined")


def test_what_was_folded_can_be_looked_at_and_cannot_be_cited():
    copy = make_chunk(FEES.text, "copy")
    answer, server = run("The fee is 5 euros [1].", evidence=make_evidence(FEES, copy, CARDS))
    assert answer.labels == {"[1]": FEES.chunk_id, "[2]": CARDS.chunk_id}
    assert answer.folded == {copy.chunk_id: (FEES.chunk_id, "same text")}
    assert [item.rank for item in answer.evidence] == [1, 2, 3]
    assert str(server.requests).count("The fee is 5 euros") == 1
    assert answer.as_of == date(2026, 6, 1)


RAIN = "It rained on the hills for most of the week, and nobody went out."


def test_a_compressed_answer_quotes_what_was_shown_and_nothing_else():
    chunk = make_chunk(
        f"{RAIN} The fee is 5 euros. Then again, nobody was on the hills in that week.", "d", start=9
    )
    replies = "The fee is 5 euros [1].", f"{RAIN[:-1]} [1]."
    for reply, quote in zip(replies, ("The fee is 5 euros.", ""), strict=True):
        answer, server = run(reply, evidence=make_evidence(chunk), compress=compress)
        assert [c.quote for c in answer.citations] == [quote]
        assert RAIN not in str(server.requests)
        assert answer.spans == {"[1]": ((9 + len(RAIN) + 1, 9 + len(RAIN) + 1 + 19),)}
    whole = run(replies[1], evidence=make_evidence(chunk))[0]
    assert [c.quote for c in whole.citations] == [RAIN]


def test_the_order_of_the_prompt_is_that_of_its_labels():
    answer, server = run("A third [2].", evidence=make_evidence(FEES, CARDS, "A third."), order="edges")
    assert list(answer.labels.values()) == [FEES.chunk_id, answer.citations[0].chunk_id, CARDS.chunk_id]
    prompt = server.requests[0]["messages"][1]["content"]
    assert prompt.index("The fee") < prompt.index("A third.") < prompt.index("A lost card")


def test_equal_scores_give_the_same_labels_however_the_chunks_came_in():
    chunks = [
        make_chunk("The fee is 5 euros.", name, heading_path=(f"{n}",)) for n, name in enumerate("dcab")
    ]
    embedder = WordEmbedder("fee")
    shown = set()
    for order in (chunks, chunks[::-1], chunks[2:] + chunks[:2]):
        retriever = DenseRetriever(order, embedder.embed([chunk.text for chunk in order]), embedder)
        server = ScriptedTransport("Five [1].")
        answer = ask("Which fee?", retriever, client=server.client(), model="gpt-4o", filters=OWNER)
        shown.add(str(server.requests[0]["messages"]))
        assert list(answer.labels.values()) == sorted(chunk.chunk_id for chunk in chunks)
    assert len(shown) == 1
