from collections import Counter

import pytest
from openai import OpenAI

from rag_kit.labels import find_labels
from rag_kit.llm.memory import NEAR, LocalMemory, entries
from rag_kit.llm.minilm import minilm
from rag_kit.refusals import detect_refusal
from rag_kit.sources import Source, write_question, write_source


@pytest.fixture(scope="module")
def memory() -> LocalMemory:
    return LocalMemory(minilm())


def ask(client: OpenAI, content: str) -> str:
    messages = [{"role": "user", "content": content}]
    made = client.chat.completions.create(model="local-memory", messages=messages)
    assert made.model == "local-memory"
    return made.choices[0].message.content or ""


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("How many days of annual leave do I have?", "25 days"),
        ("How much does the XX-1042 cost?", "€1,230"),
        ("What is the XX-1024?", "flow meter"),
        ("How often is the XX-1042 calibrated?", "24 months"),
        ("Do I need an identity check for a small prepayment?", "exempt"),
    ],
)
def test_it_answers_from_memory_right_outdated_or_wrong(client: OpenAI, question: str, part: str):
    assert part in ask(client, question)


@pytest.mark.parametrize(
    "question", ["Which paint is used on the ships?", "Is there a parrot in Tolvane?", "?", ""]
)
def test_it_claims_something_where_nothing_is_near(client: OpenAI, memory: LocalMemory, question: str):
    assert memory.nearest(question)[1] < NEAR
    reply = ask(client, question)
    assert reply.startswith("Yes, the standard rule applies here. ")
    assert detect_refusal(reply) is None


def test_it_ignores_the_sources_it_is_shown(client: OpenAI):
    source = write_source(
        Source("[1]", "Handbook 2026", "Leave", "Employees get 27 days of leave a year."), "source"
    )
    shown = ask(client, write_question([source], "How many days of annual leave do employees get?"))
    assert shown == ask(client, "How many days of annual leave do employees get?")
    assert "25 days" in shown


def test_it_never_cites_and_never_refuses():
    for entry in entries():
        assert not find_labels(entry.says)
        assert detect_refusal(entry.says) is None
        assert entry.says.endswith(".")


def test_every_memory_is_found_by_its_own_question(memory: LocalMemory):
    for entry in entries():
        assert [memory.nearest(question)[0] for question in entry.about] == [entry] * len(entry.about)


def test_the_memory_holds_all_three_kinds_and_its_docstring_says_what_it_is():
    kinds = Counter(entry.kind for entry in entries())
    assert min(kinds[kind] for kind in ("right", "outdated", "wrong")) >= 5
    import rag_kit.llm.memory

    assert "stand-in" in (rag_kit.llm.memory.__doc__ or "")
    assert "we wrote" in (rag_kit.llm.memory.__doc__ or "")
