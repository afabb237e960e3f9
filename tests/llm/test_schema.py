from enum import Enum
from typing import Literal

import pytest
from openai import BadRequestError, LengthFinishReasonError, OpenAI
from pydantic import BaseModel, Field

from rag_kit.llm.api_errors import ApiError
from rag_kit.llm.schema import fill, said
from rag_kit.refusals import REFUSAL

HANDBOOK = "Employees get 27 days of annual leave a year. Up to 5 days can be carried over until 31 March."
ASKED = "How many days of annual leave do employees get?"
ANSWER = "Employees get 27 days of annual leave a year [1]."
PROMPT = [{"role": "user", "content": f"[1] {HANDBOOK}\n\nQuestion: {ASKED}"}]
HOPELESS = [{"role": "user", "content": f"[1] {HANDBOOK}\n\nQuestion: Which paint is used on the ships?"}]
ANSWERED, REFUSED = said("How long?", "Ten days [2]. Five [1]."), said("How long?", REFUSAL)


class Verdict(Enum):
    partly = "partly"
    supported = "supported"
    unsupported = "unsupported"


class Reference(BaseModel):
    label: str
    quote: str


class Draft(BaseModel):
    """A schema of the kinds that the lessons use."""

    supported: bool
    answer: str
    citations: list[str]
    references: list[Reference]
    verdict: Verdict
    refusal_reason: str | None
    confidence: float = Field(ge=0, le=1)


def parse(client: OpenAI, model: type[BaseModel], messages: list[dict[str, str]], **options: object):
    return client.chat.completions.parse(
        model="offline-reader", messages=messages, response_format=model, **options
    )


def test_an_answer_is_parsed_into_a_model(client: OpenAI):
    message = parse(client, Draft, PROMPT).choices[0].message
    assert message.parsed == Draft(
        supported=True,
        answer=ANSWER,
        citations=["[1]"],
        references=[Reference(label="[1]", quote="Employees get 27 days of annual leave a year.")],
        verdict=Verdict.supported,
        refusal_reason=None,
        confidence=1,
    )


def test_a_refusal_is_parsed_into_the_same_model(client: OpenAI):
    parsed = parse(client, Draft, HOPELESS).choices[0].message.parsed
    assert (parsed.supported, parsed.answer, parsed.citations, parsed.references) == (False, REFUSAL, [], [])
    assert (parsed.verdict, parsed.refusal_reason, parsed.confidence) == (Verdict.unsupported, REFUSAL, 0)


def test_a_question_can_be_planned(client: OpenAI):
    class Plan(BaseModel):
        queries: list[str]
        standalone_question: str
        filters: list[str]

    parsed = parse(client, Plan, PROMPT).choices[0].message.parsed
    assert parsed == Plan(queries=[ASKED], standalone_question=ASKED, filters=[])


def test_a_field_that_nothing_is_known_of_is_an_error_that_names_it(client: OpenAI):
    class Odd(BaseModel):
        answer: str
        inner: dict[str, int] | None
        page_count: int

    with pytest.raises(BadRequestError, match="cannot fill 'page_count'") as caught:
        parse(client, Odd, PROMPT)
    assert caught.value.param == "response_format"


def test_an_optional_field_that_nothing_is_known_of_is_null(client: OpenAI):
    class Fine(BaseModel):
        answer: str | None
        page_count: int | None

    assert parse(client, Fine, PROMPT).choices[0].message.parsed == Fine(answer=ANSWER, page_count=None)
    assert parse(client, Fine, HOPELESS).choices[0].message.parsed == Fine(answer=None, page_count=None)


def test_a_reply_cut_by_max_tokens_is_not_parsed(client: OpenAI):
    with pytest.raises(LengthFinishReasonError):
        parse(client, Draft, PROMPT, max_tokens=5)


def test_a_json_object_needs_the_word_json_as_in_the_real_service(client: OpenAI):
    asked = {"model": "offline-reader", "response_format": {"type": "json_object"}}
    with pytest.raises(BadRequestError, match="must contain the word 'json'"):
        client.chat.completions.create(**asked, messages=PROMPT)
    messages = [{"role": "system", "content": "Reply in JSON."}, *PROMPT]
    content = client.chat.completions.create(**asked, messages=messages).choices[0].message.content
    assert content == f'{{"answer": "{ANSWER}", "citations": ["[1]"], "refused": false}}'


def answer_in(schema: dict[str, object]) -> dict[str, object]:
    holder = {"name": "draft", "strict": True, "schema": schema}
    return {"type": "json_schema", "json_schema": holder}


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "array", "items": {"type": "string"}}, "got 'type: \"array\"'"),
        ({"type": "object", "properties": {"answer": {"type": "string"}}}, "additionalProperties"),
        (
            {"type": "object", "properties": {"answer": {"type": "string"}}, "additionalProperties": False},
            "Missing 'answer'",
        ),
    ],
)
def test_strict_schemas_are_checked_as_in_the_real_service(client: OpenAI, schema: dict, fault: str):
    with pytest.raises(BadRequestError, match="Invalid schema for response_format 'draft'") as caught:
        client.chat.completions.create(
            model="offline-reader", messages=PROMPT, response_format=answer_in(schema)
        )
    assert fault in caught.value.message


def schema_of(**fields: object) -> dict[str, object]:
    return {"type": "object", "properties": fields, "required": list(fields)}


@pytest.mark.parametrize(
    ("field", "kind", "answered", "refused"),
    [
        ("answer", {"type": "string"}, "Ten days [2]. Five [1].", REFUSAL),
        ("citations", {"type": "array", "items": {"type": "integer"}}, [2, 1], []),
        ("labels", {"type": "array", "items": {"type": "string"}}, ["[2]", "[1]"], []),
        ("sources", {"type": "array", "items": {"type": "string"}, "maxItems": 1}, ["[2]"], []),
        ("citation", {"type": "string"}, "[2]", ""),
        ("citation", {"type": ["integer", "null"]}, 2, None),
        ("citation", {"enum": ["S1", "S2", "none"]}, "S2", "none"),
        ("quote", {"type": "string"}, "Ten days. Five.", ""),
        ("is_answerable", {"type": "boolean"}, True, False),
        ("refused", {"type": "boolean"}, False, True),
        ("status", {"type": "string", "enum": ["refused", "answered"]}, "answered", "refused"),
        ("tone", {"type": "string", "enum": ["dry", "warm", "none so far"]}, "dry", "none so far"),
        ("kind", {"const": "draft"}, "draft", "draft"),
        ("confidence", {"type": "number"}, 1, 0),
        ("reasoning", {"type": "string"}, "[2] says so.", "No source holds the answer."),
        ("claims", {"type": "array", "items": schema_of(text={"type": "string"})},
         [{"text": "Ten days [2]. Five [1]."}], []),
        ("top_k", {"type": "integer", "default": 5}, 5, 5),
    ],
)  # fmt: skip
def test_each_kind_of_field_is_filled_by_rule(field: str, kind: dict, answered: object, refused: object):
    assert fill(schema_of(**{field: kind}), ANSWERED) == {field: answered}
    assert fill(schema_of(**{field: kind}), REFUSED) == {field: refused}


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ({"type": "string", "maxLength": 3}, "'answer'.*length"),
        ({"type": "string", "pattern": "^x$"}, "'answer'.*pattern"),
        ({"type": "string", "format": "date"}, "'answer'.*format"),
        ({"oneOf": [{"type": "string"}]}, "'answer'.*type None"),
        ({"$ref": "#"}, "this deep"),
    ],
)
def test_a_constraint_that_the_reply_does_not_meet_is_an_error(kind: dict, fault: str):
    with pytest.raises(ApiError, match=fault):
        fill(schema_of(answer=kind), ANSWERED)


def test_a_label_outside_the_allowed_ones_is_never_made_up():
    with pytest.raises(ApiError, match="cited"):
        fill(schema_of(citation={"enum": ["[7]", "[8]"]}), ANSWERED)


def test_literal_types_work_through_parse(client: OpenAI):
    class Routed(BaseModel):
        verdict: Literal["yes", "no"]

    assert parse(client, Routed, PROMPT).choices[0].message.parsed.verdict == "yes"
    assert parse(client, Routed, HOPELESS).choices[0].message.parsed.verdict == "no"
