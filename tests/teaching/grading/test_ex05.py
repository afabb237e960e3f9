"""Lesson 05: the solution passes every case, and a plausible but wrong attempt is told what is wrong with it."""

import math
from pathlib import Path

import pytest

from rag_kit.evaluation.intervals import paired_bootstrap
from rag_kit.teaching.grading.registry import load_exercises
from rag_kit.teaching.grading.running import run_cases

EXERCISES = load_exercises("05")
SOURCE = Path(__file__).resolve().parents[3] / "lessons" / "05_rerank_context_exercise.py"


def holds_all(document_id, span, gold):
    return document_id == gold["document_id"] and span[0] <= gold["span"][0] and gold["span"][1] <= span[1]


def squash(logit):
    return 1 / (1 + math.exp(-logit))


def statuses(number, attempt):
    return {row.name: row.status for row in run_cases(EXERCISES[number], attempt, hidden=True)}


def changed(name, *swaps):
    """Return the solution, or what a learner may well have written: the solution with some of its code changed."""
    source = SOURCE.read_text(encoding="utf-8")
    at = source.rindex(f"def {name}(")
    code = source[at : source.index("\n# %%", at)]
    for old, new in swaps:
        assert old in code, old
        code = code.replace(old, new)
    known = {"math": math, "paired_bootstrap": paired_bootstrap, "holds_all": holds_all, "squash": squash}
    exec(code, known)
    return known[name]


@pytest.mark.parametrize("number", EXERCISES)
def test_the_solution_passes_every_case(number):
    rows = statuses(number, changed(EXERCISES[number].function))
    assert set(rows.values()) == {"pass"}, rows


WRONG = [
    (
        "05.1",
        [('any(holds_all(piece["document_id"], span, gold) for span in piece["shown"])', "True")],
        "compression can take the quote out of a passage that was shown",
    ),
    (
        "05.1",
        [('piece["fate"] == "folded" and', "False and")],
        "a copy was seen in the passage that it was folded into",
    ),
    (
        "05.1",
        [('and piece["folded_as"] == "same text" ', "")],
        "a copy was seen in the passage that it was folded into",
    ),
    (
        "05.1",
        [(' and piece["folded_into"] in shown', "")],
        "a copy of a passage that was not shown either was not seen",
    ),
    (
        "05.1",
        [
            (
                "if not taken:",
                'if not any(holds_all(h["document_id"], h["span"], gold) for h in search_json["hits"]):',
            )
        ],
        "evidence that holds the quote is enough, where the search was not as deep",
    ),
    (
        "05.1",
        [("for piece in taken:", "for piece in taken[:1]:")],
        "one of two passages with the quote is enough",
    ),
    (
        "05.1",
        [('if rests and not ask_json["refused"]', "if rests")],
        "a citation counts where its status is valid and the answer was given",
    ),
    (
        "05.1",
        [("in seen_in and touches", "in seen_in")],
        "a citation of other words of the passage does not rest on the quote",
    ),
    (
        "05.1",
        [('citation["status"] == "valid" and ', "")],
        "a citation counts where its status is valid and the answer was given",
    ),
    (
        "05.1",
        [('span[0] < gold["span"][1]', 'span[0] <= gold["span"][1]')],
        "a citation of other words of the passage does not rest on the quote",
    ),
    (
        "05.1",
        [('gold["span"][0] < span[1]', 'gold["span"][0] <= span[1]')],
        "a citation that ends where the quote begins",
    ),
    (
        "05.1",
        [("span is None or", "")],
        "what is cited was not lost",
    ),
    (
        "05.1",
        [('return "rerank" if found else "recall"', 'return "recall"')],
        "what was a candidate and not taken",
    ),
    (
        "05.2",
        [("and name not in ranked[: place - 1]", "")],
        "an id that comes again gains nothing, and takes up its place",
    ),
    (
        "05.2",
        [("enumerate(ranked[:k], start=1)", "enumerate(list(dict.fromkeys(ranked))[:k], start=1)")],
        "an id that comes again gains nothing, and takes up its place",
    ),
    ("05.2", [("ranked[:k]", "ranked")], "what comes after k does not count"),
    ("05.2", [("min(k, len(relevant))", "len(relevant)")], "what comes after k does not count"),
    (
        "05.2",
        [("min(k, len(relevant))", "len(places)")],
        "nDCG weighs the places, and compares with the best order",
    ),
    (
        "05.2",
        [("len(places) / len(relevant) if relevant else 0.0", "len(places) / len(relevant)")],
        "where nothing",
    ),
    ("05.2", [("len(places) / len(relevant) if", "len(places) / k if")], "recall and reciprocal rank"),
    (
        "05.3",
        [("zip(kept, scores, strict=True)", "zip(candidates, scores)")],
        "each score stays with the text",
    ),
    ("05.3", [("score >= threshold", "squash(score) >= threshold")], "the threshold is a probability"),
    ("05.3", [("return good[:top_n]", "return good")], "no more than top_n come back"),
    (
        "05.3",
        [("for candidate in candidates:", "for candidate in candidates[:top_n]:")],
        "the best are taken",
    ),
    ("05.3", [("score >= threshold", "score > threshold")], "the threshold is a probability"),
    ("05.3", [("[squash(logit) for logit in", "[logit for logit in")], "the threshold is a probability"),
    (
        "05.3",
        [('if candidate["text"] not in seen', "if True")],
        "a copy is scored once, and equal scores keep",
    ),
    ("05.4", [('became[passage["id"]] = "dropped"', "break")], "what does not fit is passed over"),
    ("05.4", [('in ("shown", "folded")', 'in ("shown", "folded", "dropped")')], "a copy of what was dropped"),
    ("05.4", [('in ("shown", "folded")', 'in ("shown",)')], "a copy of a copy"),
    ("05.4", [("<= budget", "< budget")], "the budget to the last token"),
    ("05.5", [("if not better:", "if False:")], "where nothing was shown to be better"),
    (
        "05.5",
        [
            (
                "better = [n for n in reranked if paired_bootstrap(reranked[n], baseline).better]",
                "better = list(reranked)",
            )
        ],
        "where nothing was shown to be better",
    ),
    (
        "05.5",
        [("return min(tied, key=lambda n: cost[n])", "return highest")],
        "of those that are better, the cheapest",
    ),
    ("05.5", [("return min(tied,", "return min(better,")], "one that costs more is taken"),
    ("05.5", [("return min(tied, key=lambda n: cost[n])", "return min(tied)")], "the cost decides"),
    (
        "05.5",
        [("for n in better if n == highest", "for n in reranked if n == highest")],
        "one that is tied with the highest, and not better than the baseline",
    ),
    (
        "05.5",
        [("paired_bootstrap(reranked[n], baseline).better]", "sum(reranked[n]) > sum(baseline)]")],
        "where nothing was shown to be better",
    ),
]


@pytest.mark.parametrize(("number", "swaps", "told"), WRONG)
def test_a_plausible_mistake_fails_at_what_is_wrong_with_it(number, swaps, told):
    rows = statuses(number, changed(EXERCISES[number].function, *swaps))
    failed = [name for name, status in rows.items() if status != "pass"]
    assert [name for name in failed if name.startswith(told)], failed


PROMISED = [
    ("05.1", ("in seen_in and touches", "in seen_in")),
    ("05.1", ('if rests and not ask_json["refused"]', "if rests")),
    ("05.1", (' and piece["folded_into"] in shown', "")),
    ("05.1", ('citation["status"] == "valid" and ', "")),
    ("05.1", ('span[0] < gold["span"][1]', 'span[0] <= gold["span"][1]')),
    ("05.5", ("return min(tied, key=lambda n: cost[n])", "return min(tied)")),
]


@pytest.mark.parametrize(("number", "swap"), PROMISED)
def test_what_the_text_asks_for_in_so_many_words_has_a_case_that_the_learner_runs(number, swap):
    rows = run_cases(EXERCISES[number], changed(EXERCISES[number].function, swap))
    assert "fail" in {row.status for row in rows}
