"""Lesson 04: what a plausible but wrong attempt is told, so that no case passes whatever is written."""

import math
import re
import unicodedata
from collections import Counter

import pytest

from rag_kit.evaluation.intervals import paired_bootstrap
from rag_kit.teaching.grading.registry import load_exercises
from rag_kit.teaching.grading.running import run_cases

EXERCISES = load_exercises("04")
STOP_WORDS = {"a", "an", "and", "is", "of", "the", "to", "what"}
SIGNS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
TOKEN = re.compile(rf"[{SIGNS}]+|[^\W_{SIGNS}]+(?:[-_./][^\W_{SIGNS}]+)*")


def fold(text, form="NFKC"):
    narrow = unicodedata.normalize(form, text).casefold()
    return "".join(sign for sign in unicodedata.normalize("NFD", narrow) if not unicodedata.combining(sign))


def analyser(folding=fold, whole=True, parts=True, stop=True, pairs=2, least=2, part_stop=True):
    """Return an analyser that leaves out what is put off; as it is, it is right."""

    def terms(text):
        found = []
        for token in TOKEN.findall(folding(text)):
            if re.match(f"[{SIGNS}]", token) and pairs:
                found += [token[at : at + pairs] for at in range(max(len(token) - pairs + 1, 1))]
            elif not (stop and token in STOP_WORDS):
                split = re.split(r"[-_./]", token)
                found += [token] if whole or len(split) == 1 else []
                if parts and len(split) > 1:
                    found += [
                        p for p in split if len(p) >= least and not (part_stop and stop and p in STOP_WORDS)
                    ]
        return found

    return terms


def one_of_the_ranges(text):
    """Look for the first sign in SIGNS itself, which holds the ends of its ranges only."""
    runs = [token for token in TOKEN.findall(fold(text)) if token[0] not in SIGNS]
    return [term for token in runs for term in ([token] if token > "\u3000" else analyser()(token))]


def letters_only(text):
    return re.findall(r"[a-z]+", text.lower())


def each_once(text):
    return list(dict.fromkeys(analyser()(text)))


def idf_of(total, holding):
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def scorer(idf=idf_of, k1_used=True, b_used=True, once=False, mean_of=None, holds=None):
    """Return a BM25 that is wrong in what is given; as it is, it is right."""

    def bm25(query, documents, k1=1.2, b=0.75):
        k1, b = (k1 if k1_used else 1.2), (b if b_used else 0.75)
        mean = mean_of(documents) if mean_of else sum(map(len, documents)) / max(len(documents), 1) or 1
        scores = [0.0] * len(documents)
        for term in dict.fromkeys(query) if once else query:
            held = [sum(holds(term, word) for word in d) if holds else d.count(term) for d in documents]
            weight = idf(len(documents), sum(tf > 0 for tf in held))
            for place, tf in enumerate(held):
                if tf:
                    length = 1 - b + b * len(documents[place]) / mean
                    scores[place] += weight * tf * (k1 + 1) / (tf + k1 * length)
        return scores

    return bm25


def oldest_idf(total, holding):
    return math.log((total - holding + 0.5) / (holding + 0.5))


def idf_not_below_zero(total, holding):
    return max(0.0, oldest_idf(total, holding))


def common_logarithm(total, holding):
    return idf_of(total, holding) / math.log(10)


def bare_mean(documents):
    return sum(map(len, documents)) / len(documents)


def n_by_occurrence(query, documents, k1=1.2, b=0.75):
    """Take how often a term stands in all documents for how many documents hold it."""
    occurrences = Counter(term for document in documents for term in document)
    scores = scorer(idf=lambda total, holding: 1.0)
    weights = {term: idf_of(len(documents), occurrences[term]) for term in query}
    parts = [[weights[term] * score for score in scores([term], documents, k1, b)] for term in query]
    return [sum(column) for column in zip(*parts, strict=True)] if parts else [0.0] * len(documents)


def mean_of_the_filled(documents):
    lengths = [len(d) for d in documents if d] or [1]
    return sum(lengths) / len(lengths)


def fuser(start=1, once=True, moved_up=True, rounded=True, best=True, names=True, weighted=True, default=1):
    """Return an RRF that is wrong in what is put off; as it is, it is right."""

    def fuse(lists, k=60, weights=None):
        scores, places = {}, {}
        for name, ids in lists.items():
            weight = (weights or {}).get(name, default if weights else 1) if weighted else 1
            seen, rank = set(), start - 1
            for item in ids:
                if item in seen and once:
                    rank += not moved_up
                    continue
                rank += 1
                seen.add(item)
                scores[item] = scores.get(item, 0) + weight / (k + rank)
                places[item] = min(rank, places.get(item, rank))
        if rounded:
            scores = {item: round(score, 9) for item, score in scores.items()}
        return sorted(
            scores.items(), key=lambda p: (-p[1], places[p[0]] if best else 0, p[0] if names else "")
        )

    return fuse


def k_or_60(lists, k=60, weights=None):
    return fuser()(lists, k or 60, weights)


def every_list_has_a_weight(lists, k=60, weights=None):
    return fuser()(lists, k, weights and {name: weights[name] for name in lists})


def without_zeros(lists, k=60, weights=None):
    return [pair for pair in fuser()(lists, k, weights) if pair[1]]


def not_of_nothing(lists, k=60, weights=None):
    max(map(len, lists.values()))
    return fuser()(lists, k, weights)


def searcher(counted="visible", filtered="first", private=True, cut=True):
    """Return a search that filters last where it is told to; as it is, it is right."""

    def search(query, passages, tags, top_k):
        def may(allowed):
            return bool(set(allowed) & set(tags)) or not (private or allowed)

        untagged = counted == "visible and untagged"
        base = [p for p in passages if counted == "all" or may(p[1]) or (untagged and not p[1])]
        holding = Counter(term for _, _, held in base for term in set(held))

        def score(held):
            return round(sum(idf_of(len(base), holding[t]) for t in query if t in held), 3)

        pool = [p for p in passages if may(p[1]) or filtered == "last"]
        scored = sorted(
            ((n, score(h), a) for n, a, h in pool if set(query) & set(h)), key=lambda i: (-i[1], i[0])
        )
        return [(n, s) for n, s, a in (scored[:top_k] if cut else scored) if may(a)]

    return search


def all_tags_needed(query, passages, tags, top_k):
    return searcher()(query, [p for p in passages if set(tags) <= set(p[1])], tags, top_k)


def total_over_all(query, passages, tags, top_k):
    visible = [p for p in passages if set(p[1]) & set(tags)]
    holding = Counter(term for _, _, held in visible for term in set(held))
    total = len(passages)
    scored = [(n, round(sum(idf_of(total, holding[t]) for t in query if t in h), 3)) for n, _, h in visible]
    return sorted((p for p in scored if p[1] > 0), key=lambda p: (-p[1], p[0]))[:top_k]


def decider(choose_on="tune", tie="usual", judge=lambda a, b: paired_bootstrap(a, b).better):
    def decide(tune, report, usual):
        half = {"tune": tune, "report": report, "both": {n: tune[n] + report[n] for n in tune}}[choose_on]
        means = {name: round(sum(held) / len(held), 9) for name, held in half.items()}
        highest = [name for name in tune if means[name] == max(means[n] for n in tune)]
        chosen = (
            usual if usual in highest and tie == "usual" else highest[0] if tie != "last" else highest[-1]
        )
        return chosen, chosen if judge(report[chosen], report[usual]) else usual

    return decide


def higher_mean(a, b):
    return sum(a) / len(a) > sum(b) / len(b)


def apart(a, b):
    """Judge as if the questions of the two were not the same."""
    return min(a) > max(b)


@pytest.mark.parametrize(
    ("number", "right"),
    [
        ("04.1", analyser()),
        ("04.2", scorer()),
        ("04.3", fuser()),
        ("04.4", searcher()),
        ("04.5", decider()),
    ],
)
def test_what_the_attempts_are_made_from_is_right(number, right):
    assert {row.status for row in run_cases(EXERCISES[number], right, hidden=True)} == {"pass"}


@pytest.mark.parametrize(
    ("number", "attempt", "told"),
    [
        ("04.1", analyser(folding=str.casefold), "capitals and accents are off"),
        (
            "04.1",
            analyser(folding=lambda text: fold(text, "NFC")),
            "wide letters are as narrow ones",
        ),
        ("04.1", letters_only, "a code is whole, and then in parts"),
        ("04.1", analyser(stop=False), "stop words are left out"),
        ("04.1", analyser(parts=False), "a code is whole, and then in parts"),
        ("04.1", analyser(whole=False), "a code is whole, and then in parts"),
        ("04.1", analyser(least=1), "a code is whole, and then in parts"),
        ("04.1", analyser(part_stop=False), "a part that is a stop word is left out, and the code is not"),
        ("04.1", analyser(pairs=0), "signs without blanks give pairs"),
        ("04.1", analyser(pairs=1), "signs without blanks give pairs"),
        ("04.1", one_of_the_ranges, "signs without blanks give pairs"),
        ("04.1", each_once, "a term stands as often as the text says it"),
        ("04.2", scorer(idf=oldest_idf), "the scores are those of the formula"),
        (
            "04.2",
            scorer(idf=oldest_idf),
            "documents that hold the term score, and the others have 0",
        ),
        (
            "04.2",
            scorer(idf=idf_not_below_zero),
            "a term in half of the documents, in most or in all still scores more than 0",
        ),
        ("04.2", scorer(idf=common_logarithm), "the scores are those of the formula"),
        ("04.2", scorer(k1_used=False), "k1 and b are used, at their ends too"),
        ("04.2", scorer(b_used=False), "k1 and b are used, at their ends too"),
        ("04.2", scorer(once=True), "a term that the query names twice counts twice"),
        ("04.2", scorer(mean_of=bare_mean), "nothing divides by zero"),
        ("04.2", scorer(mean_of=mean_of_the_filled), "the scores are those of the formula"),
        ("04.2", n_by_occurrence, "the scores are those of the formula"),
        ("04.2", scorer(holds=lambda term, word: term in word), "terms are compared whole"),
        ("04.3", fuser(start=0), "each list gives 1 / (k + rank), and ranks count from 1"),
        ("04.3", fuser(once=False), "an id that a list names twice counts once, and what follows moves up"),
        (
            "04.3",
            fuser(moved_up=False),
            "an id that a list names twice counts once, and what follows moves up",
        ),
        ("04.3", fuser(rounded=False), "the same numbers, added up in another order, are equal"),
        ("04.3", fuser(best=False), "equal scores go by the best rank, and then by the id"),
        ("04.3", fuser(names=False), "equal scores go by the best rank, and then by the id"),
        ("04.3", fuser(weighted=False), "a list counts with its weight"),
        ("04.3", fuser(default=0), "a list counts with its weight"),
        (
            "04.3",
            without_zeros,
            "an id that stands only in a list of weight 0 comes back too, with 0",
        ),
        ("04.3", not_of_nothing, "k of 0 and of 1, one list, an empty list, and none"),
        ("04.3", k_or_60, "k of 0 and of 1, one list, an empty list, and none"),
        ("04.4", searcher(counted="all", filtered="last"), "hidden passages take no places"),
        ("04.4", searcher(filtered="last"), "hidden passages take no places"),
        ("04.4", searcher(counted="all"), "hidden passages do not move the scores"),
        ("04.4", total_over_all, "hidden words, hidden passages without them, and many of both move nothing"),
        (
            "04.4",
            searcher(private=False),
            "a passage without tags is private: it is not found, and moves nothing",
        ),
        ("04.4", all_tags_needed, "who holds more tags sees more, and one shared tag is enough"),
        ("04.4", searcher(cut=False), "no more than top_k, and nothing without a word of the query"),
        ("04.5", decider(choose_on="report"), "the half that reports has no say in the choice"),
        ("04.5", decider(choose_on="both"), "the half that reports has no say in the choice"),
        ("04.5", decider(tie="first"), "of equal ones the usual one, or else the first"),
        ("04.5", decider(tie="last"), "of equal ones the usual one, or else the first"),
        ("04.5", decider(judge=lambda a, b: True), "where no difference is shown, the usual one stays"),
        (
            "04.5",
            decider(judge=lambda a, b: False),
            "a setting that the other half shows to be better is taken",
        ),
        ("04.5", decider(judge=higher_mean), "a higher mean on the half that reports is not enough"),
        ("04.5", decider(judge=apart), "a difference is judged question by question"),
    ],
)
def test_a_wrong_attempt_fails_at_what_is_wrong_with_it(number, attempt, told):
    rows = {row.name: row.status for row in run_cases(EXERCISES[number], attempt, hidden=True)}
    assert rows[told] == "fail"


def test_what_only_the_hidden_cases_see_passes_what_a_learner_sees():
    for number, attempt in (("04.3", not_of_nothing), ("04.5", decider(choose_on="both"))):
        rows = run_cases(EXERCISES[number], attempt, hidden=True)
        failed = {row.name for row in rows if row.status != "pass"}
        assert failed
        assert not failed & {case.name for case in EXERCISES[number].visible}


def red(number, attempt):
    """Return the messages of the checks that a learner sees fail, by name."""
    rows = run_cases(EXERCISES[number], attempt)
    return {row.name: row.message for row in rows if row.status != "pass"}


@pytest.mark.parametrize(
    ("number", "attempt", "name"),
    [
        ("04.1", analyser(part_stop=False), "a part that is a stop word is left out, and the code is not"),
        ("04.2", scorer(mean_of=bare_mean), "nothing divides by zero"),
        ("04.2", scorer(once=True), "a term that the query names twice counts twice"),
        ("04.2", scorer(idf=common_logarithm), "the scores are those of the formula"),
        ("04.2", n_by_occurrence, "the scores are those of the formula"),
        ("04.3", fuser(rounded=False), "the same numbers, added up in another order, are equal"),
        (
            "04.3",
            fuser(moved_up=False),
            "an id that a list names twice counts once, and what follows moves up",
        ),
        ("04.3", without_zeros, "an id that stands only in a list of weight 0 comes back too, with 0"),
        ("04.3", every_list_has_a_weight, "a list counts with its weight"),
        (
            "04.4",
            searcher(private=False),
            "a passage without tags is private: it is not found, and moves nothing",
        ),
        (
            "04.4",
            searcher(counted="visible and untagged"),
            "a passage without tags is private: it is not found, and moves nothing",
        ),
        ("04.5", decider(tie="first"), "of equal ones the usual one, or else the first"),
    ],
)
def test_a_broken_promise_of_the_task_is_one_red_row_before_it_is_handed_in(number, attempt, name):
    assert list(red(number, attempt)) == [name]


def test_what_is_chosen_and_what_is_taken_are_told_apart():
    def chosen_twice(tune, report, usual):
        chosen, _ = decider()(tune, report, usual)
        return chosen, chosen

    assert list(red("04.5", chosen_twice)) == ["where no difference is shown, the usual one stays"]


@pytest.mark.parametrize(
    ("number", "attempt"),
    [
        ("04.2", scorer(idf=oldest_idf)),
        ("04.2", scorer(idf=common_logarithm)),
        ("04.2", n_by_occurrence),
        ("04.2", scorer(once=True)),
        ("04.2", scorer(mean_of=bare_mean)),
        ("04.3", fuser(rounded=False)),
        ("04.3", fuser(moved_up=False)),
    ],
)
def test_a_message_shows_the_whole_case_and_parts_it_from_what_came_back(number, attempt):
    for message in red(number, attempt).values():
        assert re.match(r"for .*[\])\d}]: (it|the|[A-Z] has)\b", message)
        assert "…" not in message
