"""Plans: routes, codes, comparisons, and that a plan can only narrow."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_kit import Filters, InvalidValue
from rag_kit.retrieval import PlannedRetriever, RetrievalPlan, make_plan
from rag_kit.retrieval.codes import codes_in
from rag_kit.testing import ListRetriever, make_chunk, make_evidence

OWNER = Filters.owner(as_of=date(2026, 6, 1))


class Echo:
    """Finds the query itself and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def search(self, query, *, filters, top_k):
        self.asked.append((query, filters))
        return make_evidence(make_chunk(query, query), "common")[:top_k]


@pytest.mark.parametrize(
    "text",
    ["Hello!", "hi there, how are you?", "Thank you very much.", "OK, thanks", "Good morning", "", "  "],
)
def test_small_talk_is_not_searched_for(text):
    echo = Echo()
    assert make_plan(text).route == "no_retrieval"
    assert PlannedRetriever(echo).search(text, filters=OWNER, top_k=3) == []
    assert echo.asked == []


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("How long is the notice period?", "knowledge"),
        ("Thanks, and how long is the notice period?", "knowledge"),
        ("How do I cancel my order?", "knowledge"),
        ("which key to press for the status of my return", "knowledge"),
        ("Who are you allowed to invite?", "knowledge"),
        ("Where is my order 4711?", "transaction_api"),
        ("Please cancel my order.", "transaction_api"),
        ("What is the status of my invoice?", "transaction_api"),
    ],
)
def test_routes(text, route):
    plan = make_plan(text)
    assert (plan.route, plan.question, plan.queries) == (route, text, (text,))


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("XX-1042 weight", ("XX-1042",)),
        ("is xx-1042c sold", ("xx-1042c",)),
        ("E_CONN_RESET or E_CONN_REFUSED?", ("E_CONN_RESET", "E_CONN_REFUSED")),
        ("what is new in v2.1.3", ("v2.1.3",)),
        ("does foo.bar() return", ("foo.bar()",)),
        ("the retryCount setting", ("retryCount",)),
        ("POST /v1/refunds fails", ("/v1/refunds",)),
        ("ticket 48213", ("48213",)),
        ("clause 4.2.1 of it", ("4.2.1",)),
        ('what does "dead stop" mean', ("dead stop",)),
        ("a 24V supply, 4 to 20 mA, for the 3rd time in 2026 at 18h", ()),
        ("a 30-day return period, a 12-month term, 15-minute-long calls", ()),
        ("a 3-in-1 cable, AB-30-day", ("3-in-1", "AB-30-day")),
        ("30-Day terms, 1,500-metre runs", ()),
        (
            "4711-abc, 4711-xl, 12345-ab, 1099-int, 2024-abc",
            ("4711-abc", "4711-xl", "12345-ab", "1099-int", "2024-abc"),
        ),
        ('the 24" or the 27" monitor, and "dead pixels"', ("dead pixels",)),
        ("How long is the notice period, and who signs?", ()),
        ("the SLA of plan B", ()),
    ],
)
def test_exact_codes(text, codes):
    assert codes_in(text) == make_plan(text).keyword_terms == codes


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        (
            "Compare the price of the XX-1042 and the XX-2210.",
            ("the price of the XX-1042", "the price of the XX-2210"),
        ),
        (
            "Compare the price of the XX-1042 with that of the XX-2210",
            ("the price of the XX-1042", "the price of the XX-2210"),
        ),
        (
            "difference between Oslo and Rome in notice period?",
            ("Oslo in notice period", "Rome in notice period"),
        ),
        (
            "How does a batch write in v1 differ from one in v2?",
            ("a batch write in v1", "a batch write in v2"),
        ),
        ("operating costs 2026 vs 2027", ("operating costs 2026", "operating costs 2027")),
        ("Compare Office and 365.", ("Office", "365")),
        ("Compare PX-44 and PX-440 flow rate", ("PX-44 flow rate", "PX-440 flow rate")),
        ("the PX-44 vs the PX-440 flow rate?", ("the PX-44 flow rate", "the PX-440 flow rate")),
        ("Compare the flow rate PX-44 and PX-440.", ("the flow rate PX-44", "the flow rate PX-440")),
        ("Compare PX-44 and cheap pumps", ("PX-44", "cheap pumps")),
        ("Compare the cheap PX-44 and the PX-440, please.", ("the cheap PX-44", "the cheap PX-440")),
        (
            "Which has the higher flow rate, the PX-44 or the PX-440?",
            ("the PX-44 has the higher flow rate", "the PX-440 has the higher flow rate"),
        ),
        ("What is dearer: rent or hire?", ("rent is dearer", "hire is dearer")),
        ("Which costs more, the plan or the meter?", ("the plan costs more", "the meter costs more")),
    ],
)
def test_a_comparison_is_searched_for_on_both_sides(text, queries):
    plan = make_plan(text)
    assert plan.queries == queries
    assert plan.question == text
    echo = Echo()
    found = PlannedRetriever(echo).search(text, filters=OWNER, top_k=5)
    assert [query for query, _ in echo.asked] == [text, *queries]
    assert {*queries, "common"} <= {item.chunk.text for item in found}
    assert len({item.chunk.chunk_id for item in found}) == len(found)


@pytest.mark.parametrize(
    "text",
    [
        "Which model is meant for code, and how does its speed compare to the others according to the maker?",
        "What are the size limits when uploading through the API versus on the web page?",
        "What is the difference between how Oslo and Rome handle refunds?",
        "How do prices compare?",
        "Does the fee differ?",
        "Which events can call a webhook, apart from an alert that opens or closes?",
        "Which events cost more, apart from an alert that opens or closes?",
        "Which papers do I need, a passport or a card?",
        "What documents must a customer bring, a passport or an ID card?",
        "What must the user do, once the alarm or the siren sounds?",
        "What is the latest day to cancel, unless the manager or the owner agrees?",
        "What happens after 30 days, whether I paid or not?",
        "What is the interest rate, fixed or variable?",
    ],
)
def test_a_question_that_would_fall_to_pieces_is_searched_for_as_it_stands(text):
    assert make_plan(text).queries == (text,)


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("Can you compare Oslo and Rome?", ("Oslo", "Rome")),
        ("I pay too much. Compare Oslo and Rome! Which is cheaper?", ("Oslo", "Rome")),
        ("How does plan Oslo compare to plan Rome?", ("plan Oslo", "plan Rome")),
        ("v2.1 vs. v2.3", ("v2.1", "v2.3")),
    ],
)
def test_a_comparison_ends_with_its_sentence(text, queries):
    assert make_plan(text).queries == queries


class Ranked:
    """Finds, for each query, the passages it is given; scores fall from 1 by halves of the rank."""

    def __init__(self, **found):
        self.found = {query.replace("_", " "): texts for query, texts in found.items()}

    def search(self, query, *, filters, top_k):
        return make_evidence(*(make_chunk(text, text) for text in self.found.get(query, ())))[:top_k]


@pytest.mark.parametrize(
    ("whole", "oslo", "rome", "top_k", "expected"),
    [
        ("abcde", "cz", "ey", 5, "abcde"),  # both sides are among them: the order is the question's
        ("abcde", "cz", "xy", 5, "abcdx"),  # one is missing and has the last place
        ("abcde", "ab", "ey", 3, "abe"),  # found too far down to be shown
        ("abcde", "e", "x", 5, "abcex"),  # the last place is a side's already
        ("abcde", "x", "y", 5, "abcxy"),
        ("abcde", "x", "x", 5, "abcdx"),
        ("abcde", "x", "y", 2, "ax"),
        ("abcde", "x", "y", 1, "a"),
        ("ab", "x", "y", 9, "abxy"),
        ("", "x", "y", 1, "x"),
        ("", "", "", 3, ""),
    ],
)
def test_the_question_says_the_order_and_each_side_has_a_place(whole, oslo, rome, top_k, expected):
    retriever = PlannedRetriever(Ranked(compare_Oslo_and_Rome=whole, Oslo=oslo, Rome=rome))
    found = retriever.search("compare Oslo and Rome", filters=OWNER, top_k=top_k)
    assert "".join(item.chunk.text for item in found) == expected
    assert [item.rank for item in found] == list(range(1, len(expected) + 1))
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)


def test_a_plan_narrows_and_never_widens():
    chunks = [
        make_chunk("a", "a", access_tags=("all",), metadata={"region": "EU"}),
        make_chunk("b", "b", access_tags=("all",), metadata={"region": "US"}),
        make_chunk("c", "c", access_tags=("hr",), metadata={"region": "EU"}),
    ]
    guest = Filters.for_tags(["all"], as_of=date(2026, 6, 1))
    for conditions, names in ((("region=EU",), ["a"]), (("access_tags=hr",), []), ((), ["a", "b"])):

        def planner(question, conditions=conditions):
            return RetrievalPlan(question=question, queries=(question,), filters=conditions)

        found = PlannedRetriever(ListRetriever(make_evidence(*chunks)), planner).search(
            "x", filters=guest, top_k=5
        )
        assert [item.chunk.document_id for item in found] == names


def test_asking_for_nothing_is_refused_for_small_talk_too():
    with pytest.raises(InvalidValue, match="top_k 0"):
        PlannedRetriever(Echo()).search("hello", filters=OWNER, top_k=0)


@given(st.text(max_size=60))
def test_any_question_has_a_plan_that_keeps_it(text):
    plan = make_plan(text)
    assert plan.question == text
    assert plan == make_plan(text)
    assert bool(plan.queries) == (plan.route != "no_retrieval")
    assert all(query.strip() for query in plan.queries)


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("thank you " * 10_000, "no_retrieval"),
        ("thank you " * 10_000 + "x", "knowledge"),
        ("hi " * 20_000 + "x", "knowledge"),
        ("hi" + "!" * 50_000 + "x", "knowledge"),
        ("compare " + "a and " * 5_000, "knowledge"),
        ("compare " * 15_000, "knowledge"),
        ("compare a" + " " * 50_000 + "and", "knowledge"),
        ("difference between " * 5_000, "knowledge"),
        ("how does a " * 8_000, "knowledge"),
        ("a" + " " * 50_000 + "b", "knowledge"),
        ("/" * 50_000, "knowledge"),
        ("a" + "/-" * 30_000, "knowledge"),
        ("a_" * 30_000 + "-a", "knowledge"),
        ("1" + ",234" * 30_000 + "x", "knowledge"),
        ('"' * 50_000, "knowledge"),
    ],
    ids=lambda value: value[:20],
)
def test_a_question_of_any_length_is_planned_without_trying_all_ways_to_read_it(text, route):
    # Where a pattern can read a text in many ways, this does not come back for minutes.
    plan = make_plan(text)
    assert (plan.route, plan.question) == (route, text)
    assert plan.queries == ((text.strip(),) if route == "knowledge" else ())


def test_what_joins_the_parts_of_a_code_ends_none():
    assert codes_in("E_CONN_RESET/, /v1/refunds/. and XX-1042-: /// --") == (
        "E_CONN_RESET",
        "/v1/refunds",
        "XX-1042",
    )


def test_a_comparison_over_several_lines_is_one_and_a_long_text_is_none():
    assert make_plan("Compare the XX-1042\n  and\tthe XX-2210").queries == ("the XX-1042", "the XX-2210")
    assert make_plan("Oslo vs Rome" + " today" * 100).queries == ("Oslo vs Rome" + " today" * 100,)
