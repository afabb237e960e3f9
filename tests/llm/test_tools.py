import json

import pytest
from openai import BadRequestError, OpenAI, pydantic_function_tool
from pydantic import BaseModel

from rag_kit.refusals import REFUSAL
from rag_kit.sources import Source, write_source

QUESTION = "How many days of annual leave do employees get?"
FOUND = write_source(
    Source("[1]", "Handbook", "Leave", "Employees get 27 days of annual leave a year."), "source"
)
ANSWER = "Employees get 27 days of annual leave a year [1]."


class Search(BaseModel):
    """Search the documents."""

    query: str


class Count(BaseModel):
    """Count something."""

    number: int


TOOLS = [pydantic_function_tool(Count, name="count"), pydantic_function_tool(Search, name="search")]
ASKED = [{"role": "system", "content": "Use the tool."}, {"role": "user", "content": QUESTION}]
NAMED = {"type": "function", "function": {"name": "search"}}


def complete(client: OpenAI, messages: list, **options: object):
    return client.chat.completions.create(model="offline-reader", messages=messages, **options).choices[0]


def after(call, result: str) -> list[dict[str, object]]:
    said = {"role": "assistant", "content": None, "tool_calls": [call.to_dict()]}
    return [*ASKED, said, {"role": "tool", "tool_call_id": call.id, "content": result}]


@pytest.mark.parametrize("choice", [None, "auto", "required", NAMED])
def test_the_retriever_is_called_with_the_question(client: OpenAI, choice: object):
    options = {"tool_choice": choice} if choice else {}
    made = complete(client, ASKED, tools=TOOLS, **options)

    assert made.message.content is None
    (call,) = made.message.tool_calls
    assert (call.function.name, json.loads(call.function.arguments)) == ("search", {"query": QUESTION})
    assert made.finish_reason == ("stop" if choice == NAMED else "tool_calls")


def test_the_answer_comes_from_what_the_tool_returned(client: OpenAI):
    call = complete(client, ASKED, tools=TOOLS).message.tool_calls[0]
    answered = complete(client, after(call, FOUND), tools=TOOLS)
    assert (answered.message.content, answered.message.tool_calls) == (ANSWER, None)
    assert complete(client, after(call, "[1] " + ANSWER[:-5] + "."), tools=TOOLS).message.content == ANSWER


def test_a_tool_that_found_nothing_makes_a_refusal_not_a_second_call(client: OpenAI):
    call = complete(client, ASKED, tools=TOOLS).message.tool_calls[0]
    assert complete(client, after(call, "No documents."), tools=TOOLS).message.content == REFUSAL


def test_a_new_question_is_searched_for_anew(client: OpenAI):
    call = complete(client, ASKED, tools=TOOLS).message.tool_calls[0]
    messages = [*after(call, FOUND), {"role": "assistant", "content": ANSWER}]
    messages.append({"role": "user", "content": "And how long is the notice period?"})
    (again,) = complete(client, messages, tools=TOOLS).message.tool_calls
    assert json.loads(again.function.arguments) == {"query": "And how long is the notice period?"}


def test_choice_none_is_respected(client: OpenAI):
    made = complete(client, ASKED, tools=TOOLS, tool_choice="none")
    assert (made.message.content, made.message.tool_calls) == (REFUSAL, None)


def test_sources_that_are_there_already_need_no_call(client: OpenAI):
    messages = [{"role": "user", "content": f"{FOUND}\n\nQuestion: {QUESTION}"}]
    assert complete(client, messages, tools=TOOLS).message.content == ANSWER


def test_a_tool_without_a_query_is_not_called(client: OpenAI):
    assert complete(client, ASKED, tools=TOOLS[:1]).message.content == REFUSAL
    with pytest.raises(BadRequestError, match="count has none"):
        complete(client, ASKED, tools=TOOLS[:1], tool_choice="required")


def test_other_parameters_are_filled_where_they_have_to_be(client: OpenAI):
    fields = {
        "query": {"type": "string"},
        "top_k": {"type": "integer", "default": 3},
        "tag": {"type": "string"},
    }
    schema = {"type": "object", "properties": fields, "required": ["query", "top_k"]}
    tool = {"type": "function", "function": {"name": "search", "parameters": schema}}
    (call,) = complete(client, ASKED, tools=[tool]).message.tool_calls
    assert json.loads(call.function.arguments) == {"query": QUESTION, "top_k": 3}


def test_parse_reads_the_arguments_into_the_model(client: OpenAI):
    made = client.chat.completions.parse(model="offline-reader", messages=ASKED, tools=TOOLS)
    assert made.choices[0].message.tool_calls[0].function.parsed_arguments == Search(query=QUESTION)


@pytest.mark.parametrize(
    ("messages", "options", "fault"),
    [
        (ASKED, {"tool_choice": "auto"}, "only allowed when 'tools' are specified"),
        (
            ASKED,
            {"tools": TOOLS, "tool_choice": {"type": "function", "function": {"name": "x"}}},
            "count, search",
        ),
        (ASKED, {"tools": [{"type": "custom", "custom": {"name": "x"}}]}, "type 'custom'"),
        ([*ASKED, {"role": "tool", "tool_call_id": "c", "content": "x"}], {}, "must be a response to"),
        (
            [*ASKED, {"role": "assistant", "tool_calls": [{"id": "c9", "type": "function", "function": {}}]}],
            {},
            "did not have response messages: c9",
        ),
    ],
)
def test_what_the_real_service_refuses_is_refused(client: OpenAI, messages: list, options: dict, fault: str):
    with pytest.raises(BadRequestError, match=fault):
        complete(client, messages, **options)
