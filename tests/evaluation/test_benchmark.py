"""The benchmark: figures by hand over rankings on purpose, leaks, halves, comparisons, and its two forms."""

import json
import math
from dataclasses import replace
from datetime import date

import pytest

from rag_kit import Filters, InvalidValue
from rag_kit.evaluation.benchmark import Prices, benchmark
from rag_kit.evaluation.benchmark_json import benchmark_json, save_benchmark
from rag_kit.evaluation.benchmark_result import compare, interval_of, mean_of
from rag_kit.evaluation.benchmark_text import (
    benchmark_rows,
    benchmark_text,
    comparison_lines,
    half_rows,
    kind_rows,
)
from rag_kit.evaluation.questions import Gold, Question, first_half
from rag_kit.evaluation.relevance import MEASURES
from rag_kit.testing import ListRetriever, WordEmbedder, make_chunk, make_evidence

DAY = date(2026, 6, 1)
FEE = make_chunk("The fee is 5.", "fees", access_tags=("all",))
CARD = make_chunk("A card costs 2.", "fees", start=14, access_tags=("all",))
GATE = make_chunk("The gate opens at 8.", "gates", access_tags=("all",))
PAY = make_chunk("Pay is 9.", "pay", access_tags=("hr",))
CHUNKS = [FEE, CARD, GATE, PAY]
SECOND = 1 / math.log2(3)


class Scripted:
    """Finds what it was told for each question, as far as the filters admit it; keeps how it was asked."""

    def __init__(self, found):
        self.found = {question: ListRetriever(make_evidence(*chunks)) for question, chunks in found.items()}
        self.asked = []

    def search(self, query, *, filters, top_k):
        self.asked.append((query, filters, top_k))
        found = self.found.get(query)
        return found.search(query, filters=filters, top_k=top_k) if found else []


class Leaking(Scripted):
    """Looks at nobody's rights."""

    def search(self, query, *, filters, top_k):
        return super().search(query, filters=Filters.owner(as_of=DAY), top_k=top_k)


def asking(question_id, question, *golds, kind="fact", expected="answer"):
    return Question(question_id, question, expected, golds, kind=kind)


QUESTIONS = [
    asking("q1", "Which fee?", Gold("fees", FEE.span)),
    asking("q2", "Fee and gate?", Gold("fees", FEE.span), Gold("gates"), kind="several"),
    asking("moon", "Which moon?", kind="out-of-domain", expected="refuse"),
    asking("bare", "Which bare?", kind=""),
]
GOOD = {"Which fee?": [FEE, CARD], "Fee and gate?": [CARD, FEE, GATE], "Which moon?": [GATE]}
POOR = {"Which fee?": [GATE, CARD], "Fee and gate?": [GATE, CARD]}


def owner(question):
    return Filters.owner(as_of=DAY)


def run(questions=QUESTIONS, pipelines=None, **options):
    pipelines = pipelines or {"bm25": Scripted(POOR), "hybrid": Scripted(GOOD)}
    return benchmark(questions, pipelines, **{"filters_of": owner, "k": 2, **options})


def test_every_measure_of_every_question_is_what_the_rankings_say():
    poor, good = run().pipelines
    assert (poor.name, good.name) == ("bm25", "hybrid")
    assert good.values == {
        "recall": (1, 0.5),
        "precision": (0.5, 0.5),
        "hit": (1, 1),
        "mrr": (1, 0.5),
        "ndcg": (1, pytest.approx(SECOND / (1 + SECOND), abs=1e-6)),
        "map": (1, 0.25),
        "span_recall": (1, 1),
    }
    assert poor.values["recall"] == (0, 0.5)
    assert poor.values["mrr"] == (0, 1)
    assert poor.values["span_recall"] == (0, 0)
    assert mean_of(good, "mrr", [0, 1]) == 0.75


def test_what_has_no_gold_is_searched_and_in_no_mean():
    retriever = Scripted(GOOD)
    result = run(pipelines={"hybrid": retriever})
    assert [asked.id for asked in result.scored] == ["q1", "q2"]
    assert result.unscored == {"out-of-domain": 1, "answer": 1}
    assert mean_of(result.pipelines[0], "recall", result.places()) == 0.75
    assert [len(ranked) for ranked in result.pipelines[0].ranked] == [2, 2, 1, 0]
    # Each question once, with the k that was asked for, after one that warms up.
    assert [query for query, _, _ in retriever.asked[1:]] == [question.question for question in QUESTIONS]
    assert {top_k for _, _, top_k in retriever.asked} == {2}
    assert result.timings["hybrid"].searches == 4


def test_a_retriever_that_gives_more_than_was_asked_for_is_cut_at_k():
    class Generous(Scripted):
        def search(self, query, *, filters, top_k):
            return super().search(query, filters=filters, top_k=top_k + 1)

    result = run(pipelines={"hybrid": Generous(GOOD)})
    assert result.pipelines[0].values == run(pipelines={"hybrid": Scripted(GOOD)}).pipelines[0].values


STAFF, HR = Filters.for_tags(["all"], as_of=DAY), Filters.for_tags(["hr"], as_of=DAY)
PAID = asking("pay", "What is the pay?", Gold("pay", PAY.span), kind="permission")
PAYING = {"What is the pay?": [PAY, FEE]}


@pytest.mark.parametrize(("retriever", "leaks"), [(Scripted, 0), (Leaking, 2)])
def test_one_user_finds_it_and_what_another_is_shown_of_it_is_a_leak(retriever, leaks):
    result = run([PAID], {"bm25": retriever(PAYING)}, filters_of=lambda _: HR, denied_of=lambda _: STAFF)
    row = result.pipelines[0]
    assert row.values["recall"] == (1,)
    # The leaking one shows pay to staff, and a page for staff to HR.
    assert (row.leaks, result.denied) == (leaks, 1)


def test_a_gold_document_whose_tags_let_the_wrong_user_in_is_a_leak_too():
    open_pay = replace(PAY, access_tags=("hr", "all"))
    found = Scripted({"What is the pay?": [open_pay]})
    result = run([PAID], {"bm25": found}, filters_of=lambda _: HR, denied_of=lambda _: STAFF)
    assert result.pipelines[0].leaks == 1


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"k": 0}, "k 0 asks for nothing"),
        ({"questions": []}, "no question can be scored"),
        ({"questions": QUESTIONS[2:]}, "no question can be scored"),
        ({"passages": [FEE]}, "question q2: no document has the id 'gates'"),
        ({"passages": CHUNKS, "filters_of": lambda _: HR}, "question q1 rests on fees, which is left out"),
    ],
)
def test_what_could_only_give_figures_that_mean_nothing_is_refused(options, fault):
    with pytest.raises(InvalidValue, match=fault):
        run(**options)


def test_no_pipeline_is_refused():
    with pytest.raises(InvalidValue, match="no pipeline"):
        benchmark(QUESTIONS, {}, filters_of=owner)


def test_gold_that_no_passage_holds_half_of_is_named():
    wide = asking("wide", "Which fee?", Gold("fees", (0, 29)), Gold("gates"))
    narrow = [replace(FEE, span=(0, 8)), replace(CARD, span=(20, 29)), GATE]
    result = run([*QUESTIONS[:1], wide], passages=narrow)
    assert result.unheld == ("wide",)
    assert "no pipeline can find it: wide" in benchmark_text(result)
    assert run(passages=CHUNKS).unheld == ()


def test_tokens_and_cost_are_of_the_passages_handed_over():
    prices = Prices(embedding=1.0, prompt=10.0)
    poor, good = run(prices=prices).pipelines
    # cl100k: "The fee is 5." and "A card costs 2." have 6 tokens, "The gate opens at 8." has 7.
    assert good.tokens == (12, 12)
    assert poor.tokens == (13, 13)
    # "Which fee?" has 3: embedded at 1 (not for BM25), and prompted with the passages at 10.
    assert good.costs[0] == pytest.approx((3 + 10 * (3 + 12)) / 1e6)
    assert poor.costs[0] == pytest.approx(10 * (3 + 13) / 1e6)
    assert benchmark_rows(run(prices=prices))[0][-1] == "$ / 1,000"
    assert benchmark_rows(run())[0][-1] == "tokens"


@pytest.mark.parametrize(
    ("without", "embedded"),
    [
        (["bm25"], {"hybrid", "splade"}),
        (["splade", "elsewhere"], {"bm25", "hybrid"}),
        (["splade", "bm25"], {"hybrid"}),
        ([], {"bm25", "hybrid", "splade"}),
        (["bm25", "hybrid", "splade"], set()),
    ],
)
def test_which_pipelines_embed_nothing_is_told_apart_from_which_is_the_floor(without, embedded):
    names, embedder = ("bm25", "hybrid", "splade"), WordEmbedder("fee")
    pipelines = {name: Scripted(GOOD) for name in names}
    result = run(
        pipelines=pipelines, without_vectors=without, embedder=embedder, prices=Prices(embedding=1.0)
    )
    assert {row.name for row in result.pipelines if any(row.costs)} == embedded
    text = benchmark_text(result)
    assert "bm25 is the lexical floor" in text
    free = [name for name in names if name not in embedded]
    assert (result.embed_ms is None, embedder.calls == 0) == (not embedded, not embedded)
    assert ("embedding a question takes" in text) == bool(embedded)
    assert text.endswith(f" ms besides, except for {', '.join(free)}") == bool(embedded and free)
    assert text.endswith(" ms besides") == bool(embedded and not free)


@pytest.mark.parametrize("write", [benchmark_text, kind_rows, half_rows, comparison_lines])
@pytest.mark.parametrize("measure", ["recal", "Recall", "p50", ""])
def test_a_measure_there_is_not_is_refused_by_name(write, measure):
    with pytest.raises(InvalidValue, match=f"^unknown measure '{measure}'; choose 'recall', 'precision'"):
        write(run(), measure)


def test_the_embedding_is_not_spoken_of_where_only_the_floor_was_measured():
    result = run(pipelines={"bm25": Scripted(GOOD)}, embedder=WordEmbedder("fee"))
    assert "embedding" not in benchmark_text(result)


MANY = [
    asking(f"q{number}", f"Which {number}?", Gold("fees", FEE.span), kind="odd" if number % 2 else "even")
    for number in range(40)
]
TUNE = [number for number in range(40) if first_half(f"q{number}")]


def finding(numbers):
    return Scripted({f"Which {number}?": [FEE] if number in numbers else [CARD] for number in range(40)})


def test_each_half_has_figures_of_its_own():
    result = run(MANY, {"bm25": finding(TUNE), "hybrid": finding(range(40))})
    floor, hybrid = result.pipelines
    figures = {half: mean_of(floor, "recall", result.places(half)) for half in ("all", "tune", "report")}
    assert figures == {"all": len(TUNE) / 40, "tune": 1, "report": 0}
    tuned, reported = (compare(result, half=half)[0] for half in ("tune", "report"))
    assert (tuned.difference.better, reported.difference.better) == (None, True)
    assert (reported.a, reported.b, reported.difference.mean) == ("hybrid", "bm25", 1)
    with pytest.raises(InvalidValue, match="unknown half 'best'; choose 'all', 'tune' or 'report'"):
        result.places("best")
    with pytest.raises(InvalidValue, match="unknown measure 'accuracy'; choose 'recall'"):
        mean_of(floor, "accuracy", [0])


def test_a_half_without_a_question_is_said_and_left_out_of_the_table():
    only = [question for question in MANY if first_half(question.id)]
    result = run(only, {"bm25": finding(range(40))})
    assert result.halves() == ["all", "tune"]
    with pytest.raises(InvalidValue, match="no scored question is in the half 'report'"):
        benchmark_json(result, half="report")
    assert set(benchmark_json(result)["halves"]) == {"all", "tune"}


def test_kinds_have_figures_of_their_own_and_the_overlap_that_was_measured():
    even = [number for number in range(40) if number % 2 == 0]
    result = run(MANY, {"bm25": finding(even), "hybrid": finding(range(40))}, overlap={"q1": 0.5, "q3": 0.0})
    assert kind_rows(result) == (
        ["recall by kind", "questions", "overlap", "bm25 (floor)", "hybrid"],
        [["even", 20, "", 1.0, 1.0], ["odd", 20, 0.25, 0.0, 1.0]],
    )
    kinds = benchmark_json(result)["kinds"]
    assert (kinds["odd"]["lexical_overlap"], kinds["even"]["lexical_overlap"]) == (0.25, None)
    assert kinds["odd"]["pipelines"]["bm25"]["recall@2"] == 0
    assert kinds["even"]["questions"] == 20


def test_an_interval_of_a_few_questions_that_were_all_found_leaves_room():
    result = run(MANY[:5], {"bm25": finding(range(5))})
    low, high = interval_of(result.pipelines[0], "recall", result.places())
    assert (low, high) == (pytest.approx(0.5655, abs=1e-4), pytest.approx(1))


def test_of_every_two_pipelines_it_is_said_which_is_better_or_that_none_was_shown_to_be():
    nearly = [number for number in range(40) if number != 3]
    result = run(MANY, {"dense": finding(nearly), "bm25": finding([]), "hybrid": finding(range(40))})
    first, second, third = comparison_lines(result)
    assert first.startswith("recall: dense better than bm25 by 0.975 (0.9")
    assert second.startswith("recall: hybrid and dense: no difference shown (+0.025, +0.000 to +0.0")
    assert third == "recall: hybrid better than bm25 by 1.000 (1.000 to 1.000)"


def test_the_json_has_each_pipeline_by_name_and_each_ranking():
    shape = json.loads(json.dumps(benchmark_json(run())))
    assert list(shape["pipelines"]) == ["bm25", "hybrid"]
    hybrid = shape["pipelines"]["hybrid"]
    assert {f"{name}@2" for name in MEASURES} | {"p50_ms", "p95_ms", "tokens", "cost", "leaks"} <= set(hybrid)
    assert (hybrid["recall@2"], hybrid["mrr@2"], hybrid["lexical_floor"]) == (0.75, 0.75, False)
    assert 0 <= hybrid["p50_ms"] <= hybrid["p95_ms"]
    assert shape["pipelines"]["bm25"]["lexical_floor"] is True
    assert (shape["k"], shape["scored"], shape["unscored"]) == (2, 2, {"out-of-domain": 1, "answer": 1})
    by_name = {(row["id"], row["pipeline"]): row for row in shape["questions"]}
    assert len(by_name) == 8
    first, second = by_name["q2", "hybrid"]["ranked"]
    assert (first["chunk_id"], first["document_id"], first["gold"]) == (CARD.chunk_id, "fees", [])
    assert (second["rank"], second["gold"]) == (2, [0])
    assert by_name["q2", "hybrid"]["recall@2"] == 0.5
    assert "recall@2" not in by_name["moon", "hybrid"]
    (compared,) = [row for row in shape["comparisons"] if row["measure"] == "recall@2"]
    assert (compared["a"], compared["b"], compared["difference"], compared["better"]) == (
        "hybrid",
        "bm25",
        0.5,
        None,
    )


def test_the_same_questions_ranked_the_same_way_differ_in_timings_alone(tmp_path):
    first, second = run(), run()
    assert replace(first, timings={}) == replace(second, timings={})
    save_benchmark(first, tmp_path / "new" / "b.json")
    kept = json.loads((tmp_path / "new" / "b.json").read_text(encoding="utf-8"))
    assert kept == json.loads(json.dumps(benchmark_json(first)))


def test_progress_and_embedding_are_told():
    told, embedder = [], WordEmbedder("fee")
    result = run(on_progress=lambda *said: told.append(said), embedder=embedder)
    assert told == [(1, 2, "bm25: recall@2 0.250"), (2, 2, "hybrid: recall@2 0.750")]
    assert embedder.texts[1:] == [question.question for question in QUESTIONS]
    assert result.embed_ms is not None
    assert "embedding a question takes" in benchmark_text(result)


def test_the_text_fits_a_screen_marks_the_floor_and_says_what_is_not_in_the_figures():
    names = ("dense", "bm25", "hybrid", "hybrid+rerank")
    prices, pay = Prices(prompt=2.5), lambda question: STAFF
    result = run(
        [*MANY, *QUESTIONS[2:3]], {name: finding(range(40)) for name in names}, prices=prices, denied_of=pay
    )
    text = benchmark_text(result)
    assert max(map(len, text.splitlines())) <= 110
    assert text.startswith("all, 40 questions, k = 2\npipeline")
    assert "bm25 is the lexical floor" in text
    assert "not scored, for there is no gold to find: 1 out-of-domain" in text
    assert "leaks (asked by somebody without the right: 41): dense 40, bm25 40, hybrid 40" in text
    assert [line.split()[0] for line in text.splitlines() if " better than " in line] == []
    assert text.count("no difference shown") == 6
    assert "MRR by kind" in benchmark_text(result, "mrr", "report")


def test_without_the_floor_none_is_spoken_of():
    assert "floor" not in benchmark_text(run(pipelines={"hybrid": Scripted(GOOD)}))
