# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# rag_kit:
#   title: Hybrid search and RRF, the exercise
#   can_do: write an analyser, BM25 and RRF; find what a visitor can read from a score; choose a setting and defend it
#   minutes: 90
# ---

# %% [markdown]
# # 04 Hybrid search and RRF: your turn
#
# First the three parts of a hybrid search, each a dozen lines: an analyser, BM25, and the fusion. Then a search that tells
# visitors what it should not. Last, a setting that you can defend.
#
# - `check("04.1", …)` tells what passes and what does not yet. Each failing call opens one more hint. Each promise of a task has its
#   check; the grader tries the same promises with more inputs.
# - `try_it(…)` calls your function and shows what came back.
# - Run the notebook as often as you like; it reaches its end however far you are.
#
# Nothing here needs a model, and nothing leaves this machine. The solved notebook lies in `solutions/`; open it last.

# %% tags=["parameters"]
top_k = 3

# %%
import math
import re
import unicodedata
from collections import Counter

from rag_kit.evaluation.intervals import paired_bootstrap
from rag_kit.evaluation.questions import first_half
from rag_kit.evaluation.rankings import load_rankings
from rag_kit.evaluation.sweep_text import aligned, difference_text
from rag_kit.teaching import SelfRating, check, progress, sample_docs, show_table, try_it

# %% [markdown]
# ## Exercise 04.1: an analyser
#
# Return the terms of a text, in order, each as often as it stands there. These are the promises:
#
# - **folded**: capitals and accents are off, and wide letters are as narrow ones: `Théâtre` gives `theatre`, `ＣＯＤＥ` gives `code`;
# - **no stop words**: words of `STOP_WORDS` are left out;
# - **codes whole and in parts**: `XX-1042` gives `xx-1042`, then `xx` and `1042`. A part of a single letter or digit is left out, and so
#   are parts that are stop words;
# - **signs in pairs**: Chinese and Japanese are written without blanks. `退款期限` gives `退款`, `款期` and `期限`; a run of one
#   sign is a term as it is.
#
# `fold` and `TOKEN` are given: `fold(text)` does the folding, and `TOKEN.findall(text)` cuts a text into words, whole codes, and runs of Chinese or
# Japanese signs. The kit's own analyser does more, so its terms differ: it also cuts words to their stems, keeps a code written together, and takes
# long numbers with commas, versions and names such as `readUserName` in its own way.
#
# Take it in steps, and run `check` after each:
#
# - **Cut** the folded text into tokens, and leave stop words out.
# - **Parts**: what `re.split(r"[-_./]", token)` gives, if it is more than one.
# - **Pairs**: a token for which `re.match(f"[{SIGNS}]", token)` is true is such a run. (`SIGNS` holds ranges, so `in` does not work.)

# %%
STOP_WORDS = {"a", "an", "and", "is", "of", "the", "to", "what"}
SIGNS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
TOKEN = re.compile(rf"[{SIGNS}]+|[^\W_{SIGNS}]+(?:[-_./][^\W_{SIGNS}]+)*")


def fold(text):
    """Make wide letters narrow, and take capitals and accents off."""
    narrow = unicodedata.normalize("NFKC", text).casefold()
    parted = unicodedata.normalize("NFD", narrow)  # each letter apart from its accents
    return "".join(sign for sign in parted if not unicodedata.combining(sign))


TOKEN.findall("What is XX-1042, or E_CONN_RESET? 退款期限!")


# %%
def terms(text):
    """Return the terms of a text."""
    ### BEGIN SOLUTION
    found = []
    for token in TOKEN.findall(fold(text)):
        if re.match(f"[{SIGNS}]", token):
            found += [token[at : at + 2] for at in range(max(len(token) - 1, 1))]
        elif token not in STOP_WORDS:
            found.append(token)
            parts = re.split(r"[-_./]", token)
            if len(parts) > 1:
                found += [part for part in parts if len(part) > 1 and part not in STOP_WORDS]
    return found
    ### END SOLUTION


# %%
try_it(terms, "What is the error XX-1042?")

# %%
check("04.1", terms)

# %% [markdown]
# ## Exercise 04.2: BM25
#
# `query` is a list of terms, `documents` a list of lists of terms. Return a list of scores, one for each document, in their order.
#
# $$\mathrm{score} = \sum_{t} \log \left( 1 + \frac{N - n + 0.5}{n + 0.5} \right) \cdot \frac{tf \cdot (k_1 + 1)}{tf + k_1 \cdot (1 - b + b \cdot L / M)}$$
#
# ($\log$ is the natural logarithm, `math.log`.) $N$ documents, of which $n$ hold the term; $tf$ is how often this document holds it; $L$ is how many terms it has, and $M$ the mean of that.
#
# - A term that the query names twice counts twice.
# - A document without any term of the query has a score of 0, and a document that holds one has more than 0, however common the term is.
# - Nothing divides by zero: not an empty query, not an empty document, not documents that are all empty, and not no documents at all.
#
# Guess before you run it: which of the four documents comes first, and which have nothing?

# %%
documents = [
    ["refund", "fee", "five"],
    ["refund", "window", "open", "refund"],
    ["invoice", "monthly", "sent"],
    ["refund", "policy", "note", "and", "many", "other", "words"],
]


# %%
def bm25(query, documents, k1=1.2, b=0.75):
    """Return each document's score."""
    ### BEGIN SOLUTION
    total = len(documents)
    mean = sum(map(len, documents)) / total if total else 0
    scores = [0.0] * total
    for term in query:
        holding = sum(term in document for document in documents)
        idf = math.log(1 + (total - holding + 0.5) / (holding + 0.5))
        for place, document in enumerate(documents):
            tf = document.count(term)
            if tf:
                length = 1 - b + b * len(document) / mean
                scores[place] += idf * tf * (k1 + 1) / (tf + k1 * length)
    return scores
    ### END SOLUTION


# %%
def scores_of(*query):
    """Return the scores of the four documents, to three places."""
    return [round(score, 3) for score in bm25(list(query), documents)]


try_it(scores_of, "refund")

# %%
check("04.2", bm25)

# %% [markdown]
# ## Exercise 04.3: reciprocal rank fusion
#
# `lists` is `{name: ids, best first}`. Return a list of `(id, score)`, best first, where an id gets $w / (k + \mathrm{rank})$ from each list that
# holds it. These are the promises:
#
# - all ids come back, also one that stands only in a list of weight 0, with a score of 0;
# - ranks count from 1;
# - `weights` is `{name: number}`; a list that it does not name counts 1, and `None` means that all do;
# - an id that stands in a list twice has its *best* place there and counts once. What follows moves up, as if the second one were not there;
# - equal scores go by the best rank, and then by the id. Round the scores to nine decimals first: the same numbers, added up in another
#   order, may differ in the last one.


# %%
def fuse(lists, k=60, weights=None):
    """Return (id, score) of all ids, best first."""
    ### BEGIN SOLUTION
    scores, best = {}, {}
    for name, ids in lists.items():
        weight = (weights or {}).get(name, 1)
        for rank, item in enumerate(dict.fromkeys(ids), start=1):
            scores[item] = scores.get(item, 0) + weight / (k + rank)
            best[item] = min(rank, best.get(item, rank))
    rounded = {item: round(score, 9) for item, score in scores.items()}
    return sorted(rounded.items(), key=lambda pair: (-pair[1], best[pair[0]], pair[0]))
    ### END SOLUTION


# %%
try_it(fuse, {"meaning": ["A", "B", "C"], "words": ["D", "E", "C"]})

# %%
check("04.3", fuse)

# %% [markdown]
# ## Exercise 04.4: the score that tells
#
# **What the customer sees**, and it is two complaints:
#
# - A visitor asks about batteries and is told that nothing was found. There is a public passage about batteries.
# - The security officer adds a confidential memo about Larkspur. In the next hour, the score of a *public* passage about Larkspur has changed, for
#   a visitor who may not see the memo. Whoever watches the scores can read from them what the memo is about.
#
# A passage is `(id, tags, terms)`; whoever shares one tag may see it, and a passage without tags is private. A score adds up the idf of the
# terms that the passage holds, and nothing else, to keep it short.


# %% tags=["exercise-only"]
def search(query, passages, tags, top_k):
    """Return (id, score) of the best passages that somebody with these tags may see."""
    total = len(passages)
    holding = Counter(term for _, _, held in passages for term in set(held))

    def score(held):
        found = [term for term in query if term in held]
        return round(sum(math.log(1 + (total - holding[t] + 0.5) / (holding[t] + 0.5)) for t in found), 3)

    scored = [(name, score(held), allowed) for name, allowed, held in passages if score(held) > 0]
    scored.sort(key=lambda item: (-item[1], item[0]))
    return [(name, points) for name, points, allowed in scored[:top_k] if set(allowed) & set(tags)]


# %% tags=["solution-only"]
def search(query, passages, tags, top_k):
    """Return (id, score) of the best passages that somebody with these tags may see."""
    # The filter stood in the last line. There, hidden passages had taken the places and moved the counts already.
    visible = [(name, held) for name, allowed, held in passages if set(allowed) & set(tags)]
    total = len(visible)
    holding = Counter(term for _, held in visible for term in set(held))

    def score(held):
        found = [term for term in query if term in held]
        return round(sum(math.log(1 + (total - holding[t] + 0.5) / (holding[t] + 0.5)) for t in found), 3)

    scored = [(name, score(held)) for name, held in visible if score(held) > 0]
    scored.sort(key=lambda item: (-item[1], item[0]))
    return scored[:top_k]


# %%
passages = [
    ("faq", ("public",), ["battery", "pack", "last", "year"]),
    ("news", ("public",), ["larkspur", "new", "meter"]),
    ("recall", ("support",), ["battery", "pack", "recall"]),
    ("margin", ("finance",), ["battery", "margin", "pack"]),
]
memo = ("memo", ("legal",), ["larkspur", "leave", "us"])


def visitor(query, passages):
    """Return what somebody sees who holds the tag public alone."""
    return search(query, passages, ("public",), 2)


try_it(visitor, ["battery", "recall", "margin"], passages)

# %%
try_it(visitor, ["larkspur"], passages)

# %%
try_it(visitor, ["larkspur"], [*passages, memo])

# %% [markdown] tags=["exercise-only"]
# **Where do hidden passages have a say?** In the places and in the counts, and one change may be enough for both. Mend it above: somebody's result, scores included, is the same as
# if the hidden passages were not there at all.

# %% [markdown] tags=["solution-only"]
# Both complaints had one cause: the filter came last. What is filtered first needs no filter anywhere else.

# %%
check("04.4", search)

# %% [markdown]
# ## Exercise 04.5: choose, then defend
#
# Other documents and questions than in the lesson: those of lesson 03, in two halves. What each search found for them was saved, so that
# nothing has to be embedded here. For each of some settings of RRF, the recall of each question among the first three:

# %%
rankings = load_rankings(sample_docs().parent / "lessons" / "data" / "fusion.rankings.json")
print(f"{len(rankings)} questions, each with a list by meaning and a list by words")

# %%
settings = {
    "k 60, words 1": (60, 1),
    "k 60, words 0.25": (60, 0.25),
    "k 60, words 4": (60, 4),
    "k 20, words 1": (20, 1),
    "k 20, words 0.25": (20, 0.25),
    "k 20, words 4": (20, 4),
}


def recalls(setting, first):
    """Return the recall of each question of one half."""
    k, words = settings[setting]
    half = [row for row in rankings if first_half(row.question_id) == first]
    return [row.recall(row.fused(k=k, weights={"bm25": words}), top_k) for row in half]


usual = "k 60, words 1"
tune = {setting: recalls(setting, True) for setting in settings}
report = {setting: recalls(setting, False) for setting in settings}
show_table(
    ["setting", "mean recall on the half that chooses"],
    [(setting, sum(held) / len(held)) for setting, held in tune.items()],
)

# %% [markdown]
# The means of the other half are not shown: who has seen them can no longer choose without them. `paired_bootstrap(a, b)` compares two settings on the
# same questions; what it returns says in `better` whether the first is better: `True`, `False`, or `None` where no difference was shown.
#
# `tune` and `report` are `{setting: recalls}`, `usual` is the name of the usual setting. Return `(chosen, taken)`:
#
# - **chosen**: the setting with the highest mean on `tune`. Of equal ones the usual one, if it is among them, else the one that comes first in `tune`;
# - **taken**: the chosen one, if `report` shows it to be better than the usual one; else the usual one.
#
# Guess before you run it: will the chosen one be taken?


# %%
def decide(tune, report, usual):
    """Return the setting that one half chooses, and the one that the other half lets you take."""
    ### BEGIN SOLUTION
    means = {setting: round(sum(held) / len(held), 9) for setting, held in tune.items()}
    highest = [setting for setting in means if means[setting] == max(means.values())]
    chosen = usual if usual in highest else highest[0]
    better = paired_bootstrap(report[chosen], report[usual]).better
    return chosen, chosen if better else usual
    ### END SOLUTION


# %%
def on_these_questions():
    """Return what is chosen and what is taken, on the questions above."""
    return decide(tune, report, usual)


try_it(on_these_questions)

# %%
check("04.5", decide)

# %% [markdown]
# Now that the choice is made, see what the second half says of every setting. The table comes once `decide` returns something:


# %%
def both_halves():
    """Return what each setting gains over the usual one, on each half."""
    decide(tune, report, usual)
    halves = [
        f"on the {len(half[usual])} that {what}" for half, what in ((tune, "choose"), (report, "report"))
    ]

    def gain(half, setting):
        same = half[setting] == half[usual]
        return (
            "the same on each question"
            if same
            else difference_text(paired_bootstrap(half[setting], half[usual]))
        )

    rows = [
        (setting, *(gain(half, setting) for half in (tune, report)))
        for setting in settings
        if setting != usual
    ]
    return "\n".join(aligned([(f"against {usual}", *halves), *rows]))


try_it(both_halves)

# %% tags=["hide-input", "solution-only"]
# The build stops here should the text below no longer be true.
chosen, taken = decide(tune, report, usual)
gain = paired_bootstrap(report[chosen], report[usual])
assert chosen != usual == taken
assert gain.mean > 0
assert gain.better is None
assert gain.low >= 0
# The width of an interval falls with the square root of the number of questions.
assert (gain.mean - gain.low) / math.sqrt(2) < 0.8 * gain.mean

# %% [markdown]
# <details><summary>When you have seen the table</summary>
#
# The chosen setting is ahead on both halves, and still no difference was shown. A customer asks why you did not take it. **What do you
# say?** One sentence on what you risk by taking it, and one on what it would take to show that it is better.
#
# </details>
#
# <details><summary>A sample answer</summary>
#
# “I risk a setting that is no better than the usual one and owes its lead to these few questions, and from then on I have to explain it
# and try it again after every change. To show that it is better takes more questions: an interval shrinks with the square root of their
# number, so if the gain is real and stays as large, twice as many should do; and if it was luck, they will show that.”
#
# </details>

# %% [markdown]
# ## How far you are

# %%
progress("04")

# %%
SelfRating("04")

# %% [markdown]
# ## Take with you
#
# - What the analyser loses, no formula finds again. Look at the terms first.
# - A score is information too. Filter before you count.
# - Fusion by ranks is ten lines. The promises are in the details: best place, duplicates, ties.
