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
#   title: Hybrid search and RRF
#   can_do: say which retriever finds what and why; fuse two lists by hand and in code; calibrate; know when fusion hurts
#   minutes: 75
# ---

# %% [markdown]
# # 04 Hybrid search and RRF
#
# So far everything was searched by *meaning*: question and passages become vectors, and the nearest come back. This is
# **dense** search. It finds what is said in other words. It also mistakes one part number for another, as
# lesson 03 has shown. The older way is to search by *words*: **lexical** search, and its best known formula
# is **BM25**. Each finds what the other misses. **Hybrid** search asks both and makes one list of the two.
#
# **After this lesson you can**
#
# - say which of the two finds what, and why;
# - fuse two lists by hand and in code, with *reciprocal rank fusion* (RRF);
# - choose its settings on some questions and report on others;
# - show a question that fusion makes worse, and say how often that happens.
#
# It takes a good hour; lessons 00 to 03 come before it. New words are in `GLOSSARY.md`.

# %% tags=["parameters"]
today = "2026-11-15"
top_k = 5

# %% tags=["hide-input"]
import re
from collections import Counter
from datetime import date
from math import log

from rag_kit import Filters, connect, load_settings, open_library
from rag_kit.evaluation.intervals import bootstrap_mean, paired_bootstrap
from rag_kit.evaluation.questions import first_half, read_questions
from rag_kit.evaluation.relevance import holds, score_ranking
from rag_kit.retrieval import Analyser, BM25Retriever, Fusion, HybridRetriever
from rag_kit.retrieval.bm25 import B, K1, idf
from rag_kit.retrieval.fusion import fuse_scores, reciprocal_rank_fusion, rrf_scores, z_scores
from rag_kit.teaching import (
    RetrievalInspector,
    SelfRating,
    checkpoint,
    sample_docs,
    show_markdown,
    show_source,
    show_table,
)
from rag_kit.teaching.views.evidence import opening
from rag_kit.testing import make_chunk

# %% [markdown]
# This lesson stays on this machine even if you have a key, so that your ranks are those that the text speaks of. One library,
# searched in two ways:

# %%
settings = load_settings(offline=True)
client = connect(settings)
library = open_library(sample_docs(), client=client, settings=settings, pipeline="dense")
filters = Filters.owner(as_of=date.fromisoformat(today))

by_meaning = library.using("dense")
by_words = library.using("bm25")
print(f"{len(library.documents)} documents, {len(library.chunks)} passages")

# %% [markdown]
# ## Six questions, two searches
#
# *Found* means: the passage that answers is among the first five. **Guess first, and commit:** write into the cell
# what finds each question: `"meaning"`, `"words"`, `"both"` or `"neither"`. Then run on.

# %%
guess = {"A": "?", "B": "?", "C": "?", "D": "?", "E": "?", "F": "?"}

picked = {
    "A": ("What does the AC-434 cost?", "AC-434"),
    "B": ("May a client type medical details about somebody into Millrace?", "data on health"),
    "C": (
        "Until what time must a loan meter be approved if it is to be shipped the same day?",
        "if the approval is given before 14:00",
    ),
    "D": (
        "A vendor has sent me a hamper for Christmas. Can I just keep it?",
        "Gifts from customers or suppliers",
    ),
    "E": ("When is the emergancy acount opened?", "emergency account"),
    "F": ("Wie wird die Membran gereinigt?", "dissolved with 5 % citric acid"),
}
show_table(
    ["", "question", "the passage that answers says"], [(name, *both) for name, both in picked.items()]
)


# %%
def place_of(question, words, searched):
    """Return the rank of the first passage that holds these words; None where no such passage is found."""
    ranked = searched.search(question, filters=filters, top_k=len(library.chunks))
    return next((item.rank for item in ranked if words in item.chunk.text), None)


def finder(meaning, words):
    """Say which of two ranks are among the first."""
    names = {
        (True, True): "both",
        (True, False): "meaning",
        (False, True): "words",
        (False, False): "neither",
    }
    return names[bool(meaning and meaning <= top_k), bool(words and words <= top_k)]


places = {name: (place_of(*both, by_meaning), place_of(*both, by_words)) for name, both in picked.items()}
show_table(
    ["", "question", "rank by meaning", "rank by words", "found by", "you said"],
    [
        (name, picked[name][0], meaning or "–", words or "–", finder(meaning, words), guess[name])
        for name, (meaning, words) in places.items()
    ],
)

# %% tags=["hide-input"]
# The build stops here should the text below no longer be true.
assert [finder(*places[name]) for name in "ABCDEF"] == [
    "words",
    "meaning",
    "both",
    "neither",
    "meaning",
    "words",
]
assert places["D"][1] is None

# %% [markdown]
# These six were *picked*, so that each case is seen once. How often each occurs is measured further down.
#
# - **A** hinges on a code. **B** says in other words what the passage says.
# - **C** shares its words with the passage and its meaning too. Many questions are like that.
# - **D** shares no word with the passage, and its meaning lies too far off. Fusing two lists cannot help where both are
#   wrong.
# - **E** misspells its two telling words. To a search by words they are other words; the meaning survives.
# - **F** is German, and our embedder has learnt English. One word is spelt nearly the same in both languages, and that was enough
#   for the search by words. It was luck.
#
# ## By meaning: codes look alike
#
# One code proves little, so here are all codes of six families, none left out, each asked for in the same way: *What is …?* A
# passage counts when it holds the code, whole. **Guess first:** for how many of ten codes is such a passage among the first five, by meaning?

# %%
CODE = re.compile(r"(?<![\w-])(?:(?:AC|FT|RG|SP|XX)-\d+[A-Z]?|E_[A-Z_]+[A-Z])(?![\w-])")
codes = sorted({code for c in library.chunks if filters.admits(c) for code in CODE.findall(c.text)})


def place_of_code(code, searched):
    ranked = searched.search(f"What is {code}?", filters=filters, top_k=len(library.chunks))
    return next((item.rank for item in ranked if code in CODE.findall(item.chunk.text)), len(library.chunks))


code_places = {code: (place_of_code(code, by_meaning), place_of_code(code, by_words)) for code in codes}
families = {
    "AC": "accessories",
    "E": "error codes",
    "FT": "field tests",
    "RG": "reference gauges",
    "SP": "spare parts",
    "XX": "products",
}


def family_row(prefix):
    both = [ranks for code, ranks in code_places.items() if re.match(rf"{prefix}[-_]", code)]
    meaning, words = ([ranks[way] for ranks in both] for way in (0, 1))
    return (
        families[prefix],
        len(both),
        sum(rank <= top_k for rank in meaning),
        max(meaning),
        sum(rank <= top_k for rank in words),
        max(words),
    )


show_table(
    [
        "codes",
        "how many",
        "by meaning: in the first five",
        "worst rank",
        "by words: in the first five",
        "worst rank",
    ],
    [family_row(prefix) for prefix in families],
)

# %% tags=["hide-input"]
dense_missed = [code for code, (meaning, _) in code_places.items() if meaning > top_k]
assert not [code for code, (_, words) in code_places.items() if words > top_k]
assert len(dense_missed) > 10
assert "FT-09" in dense_missed
show_markdown(
    f"Of {len(code_places)} codes, search by meaning misses {len(dense_missed)} and search by words none. Nothing says so: five "
    "passages come back all the same. These are the first three for *What is FT-09?*, in both ways:"
)

# %%
show_table(
    ["searched", "rank", "passage of", "holds FT-09", "its codes"],
    [
        (
            name,
            item.rank,
            item.chunk.title,
            "yes" if "FT-09" in CODE.findall(item.chunk.text) else "no",
            ", ".join(dict.fromkeys(CODE.findall(item.chunk.text))),
        )
        for name, searched in (("by meaning", by_meaning), ("by words", by_words))
        for item in searched.search("What is FT-09?", filters=filters, top_k=3)
    ],
)

# %% [markdown]
# A product about which much is written is found either way. A code that stands in one row of one table is a few odd signs among
# much else, and the vector hardly feels them. By words, the passage that holds the whole code comes first, and after it those that hold a part
# of it.
#
# Be fair, though: *What is …?* says nothing but the code. Where a question says more, the rest of it helps the search by meaning. The labelled
# questions further down will show how much.
#
# ## By words: no word in common
#
# Now the other way round: question B, and the passage that answers it. What do they share?

# %%
analyser = library.store.analyser
question_b, words_b = picked["B"]
answering = next(c for c in library.chunks if words_b in c.text)
held = set(analyser.terms(answering.embed_text()))

print("the question's terms:", analyser.terms(question_b))
print("of these, in the passage:", [term for term in analyser.terms(question_b) if term in held])
print("the passage:", opening(answering, 230))

# %% [markdown]
# What they share is in very many passages here. *Medical* and *health* are two words and nothing else, to a search that counts
# words.
#
# ## What BM25 counts
#
# ### Terms
#
# What is counted are *terms*, and the **analyser** makes them of a text: capitals and accents off, English words cut to
# their stem, words that stand everywhere left out. Question and passage go through the same one. That matters most for codes.
# **Guess first:** which terms should be made of `E_CONN_RESET`, if people also search for *conn reset*?

# %%
written = [
    "the meters are resetting",
    "XX-1042",
    "E_CONN_RESET",
    "v2.1.3",
    "readUserName()",
    "7,318,400 units",
    "le théâtre",
    "ＣＯＤＥ ７３１",
    "退款期限",
]
show_table(["written", "terms"], [(text, " · ".join(analyser.terms(text))) for text in written])

# %% [markdown]
# - A code is kept *whole*, so that it differs from its neighbour, and is there *in parts* too, for whoever remembers a part.
# - Accents and wide letters are folded: the same word, typed on another keyboard, is the same term.
# - Chinese and Japanese are written without blanks. Each two neighbouring signs become a term.
#
# Stems and stop words can be put off, to see what they are for:

# %%
plain = Analyser(stemming=False, stop_words=frozenset())
print("with stems, without stop words:", analyser.terms("Is the hub resetting? Reset the hubs."))
print("as it stands:                  ", plain.terms("Is the hub resetting? Reset the hubs."))

# %% [markdown]
# ### A corpus of paper size
#
# Four sentences, and a query of two words. **Guess first:** B says *reset* three times, A is short, C is long, D holds
# both words. In which order do they come?

# %%
sentences = {
    "A": "The battery pack costs 145 euros.",
    "B": "Reset the hub, reset the meter, reset the password.",
    "C": "The engineer who visits the site opens the case, cleans the seals, reads the meter and checks the battery.",
    "D": "After a reset, charge the battery.",
}
query = "reset battery"
terms = {name: analyser.terms(text) for name, text in sentences.items()}
show_table(["sentence", "terms", "how many"], [(name, " ".join(t), len(t)) for name, t in terms.items()])

# %% [markdown]
# Three things count:
#
# - **how rare the term is** (*idf*, inverse document frequency): $n$ of the $N$ texts hold it, and fewer is better;
# - **how often the text holds it** (*tf*, term frequency): more is better, but the third time adds less than the second;
# - **how long the text is**: among many words, one is found by chance, so length $L$ is compared with the mean length $M$.
#
# $$\mathrm{score}(q, d) = \sum_{t \in q} \mathrm{idf}(t) \cdot \frac{tf \cdot (k_1 + 1)}{tf + k_1 \cdot (1 - b + b \cdot L / M)}$$
#
# $$\mathrm{idf}(t) = \log \left( 1 + \frac{N - n + 0.5}{n + 0.5} \right)$$
#
# $k_1$ says how soon repeating stops to pay, $b$ how much length is held against a text. By hand:

# %%
k1, b = K1, B  # the package's own
mean_length = sum(len(t) for t in terms.values()) / len(terms)


def idf_by_hand(term):
    holding = sum(term in t for t in terms.values())
    return log(1 + (len(terms) - holding + 0.5) / (holding + 0.5))


def by_hand(term, t):
    tf = t.count(term)
    return idf_by_hand(term) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(t) / mean_length))


asked = analyser.terms(query)
parts = {name: [by_hand(term, t) for term in asked] for name, t in terms.items()}
print({term: round(idf_by_hand(term), 3) for term in asked})
show_table(["sentence", *asked, "sum"], [(name, *part, sum(part)) for name, part in parts.items()])

# %% [markdown]
# The package does the same, for all passages that hold a term at once. `rows` are these passages, and `counts` how often each holds it:

# %%
show_source(idf)

# %%
show_source(BM25Retriever.scores)

# %%
paper = [make_chunk(text, name, access_tags=("public",)) for name, text in sentences.items()]
found = BM25Retriever(paper).search(query, filters=filters, top_k=4)
print("the package", {item.chunk.document_id: round(item.score, 3) for item in found})
print(
    "by hand    ", {name: round(sum(parts[name]), 3) for name in [item.chunk.document_id for item in found]}
)

# %% tags=["hide-input"]
order = "".join(item.chunk.document_id for item in found)
assert order == "DBAC"
assert all(abs(item.score - sum(parts[item.chunk.document_id])) < 1e-4 for item in found)

# %% [markdown]
# D has both words and is short. B has the rarer word three times, and still it is less than three times what D gets for it. Of the other
# two, the short text beats the long one. Now turn the two knobs, and guess before you look which sentences change places:


# %%
def paper_order(k1, b):
    ranked = BM25Retriever(paper, k1=k1, b=b).search(query, filters=filters, top_k=4)
    return "  ".join(f"{item.chunk.document_id} {item.score:.2f}" for item in ranked)


show_table(
    ["k1", "b", "order and scores", "what it means"],
    [
        (str(K1), str(B), paper_order(K1, B), "as usual"),
        ("0", str(B), paper_order(0, B), "a term is there or not: neither repeating nor length counts"),
        ("8", "0", paper_order(8, 0), "repeating pays for long, and length is not looked at"),
        (str(K1), "0", paper_order(K1, 0), "length is not looked at"),
    ],
)

# %% [markdown]
# ### A word in more than half of the texts
#
# An older formula for idf has no one in it: $\log \frac{N - n + 0.5}{n + 0.5}$. **Guess first:** what does that give for a
# word that three of four texts hold?

# %%
rows = [(n, log((4 - n + 0.5) / (n + 0.5)), idf(n, 4)) for n in (1, 2, 3, 4)]
show_table(["of four texts hold it", "the older formula", "ours"], rows)

# %% tags=["hide-input"]
assert [older < 0 for _, older, _ in rows] == [False, False, True, True]
assert all(own > 0 for _, _, own in rows)

# %% [markdown]
# Below zero: a text would be *punished* for holding the word that was asked for. In half of the texts it is exactly nothing,
# so a text that has the word is no better than one without. In a small folder this happens every day. With the one inside the logarithm a
# word always counts for something.
#
# ## Filters first
#
# Who may see what is decided *before* anything is scored. For BM25 this holds for its statistics as well: $N$, $n$ and the
# mean length are taken over the passages that *this* reader may see. The same query, asked by the owner of the folder and by
# somebody who holds only the tag `public`, as with `--as public`. **Guess first:** will a public passage have the same score for both?

# %%
public = Filters.for_tags(["public"], as_of=date.fromisoformat(today))
asked_discount = "Is there a discount on training days?"


def everything(filters):
    return by_words.search(asked_discount, filters=filters, top_k=len(library.chunks))


own, theirs = everything(filters), everything(public)
own_public = [item for item in own if public.admits(item.chunk)]
owner_score = {item.chunk.chunk_id: item.score for item in own}
owner_place = {item.chunk.chunk_id: place for place, item in enumerate(own_public, start=1)}
show_table(
    ["public passage", "owner: score", "place among the public ones", "visitor: score", "rank"],
    [
        (
            f"{item.chunk.title}: {opening(item.chunk, 50)}",
            owner_score[item.chunk.chunk_id],
            owner_place[item.chunk.chunk_id],
            item.score,
            item.rank,
        )
        for item in theirs[:top_k]
    ],
)

# %% [markdown]
# Not the same scores, and not the same order. The counts say why:

# %%
sets = [(c, set(analyser.terms(c.embed_text()))) for c in library.chunks]


def counted(term, filters):
    held = [term in found for c, found in sets if filters.admits(c)]
    return sum(held), len(held)


show_table(
    ["term", "owner: hold it", "of", "idf", "visitor: hold it", "of", "idf"],
    [
        (term, *(n := counted(term, filters)), idf(*n), *(m := counted(term, public)), idf(*m))
        for term in analyser.terms(asked_discount)
    ],
)

# %% tags=["hide-input"]
assert [owner_place[item.chunk.chunk_id] for item in theirs[:3]] != [1, 2, 3]
shown_late = sum(public.admits(item.chunk) for item in own[:top_k])
assert shown_late == 0
show_markdown(
    f"What would happen the other way round? Of the owner's first {top_k}, a visitor may see {shown_late}. Who searches first and filters "
    f"afterwards tells the visitor that there is nothing, though {len(theirs)} public passages hold a word of the question."
)

# %% [markdown]
# There is a second reason, and it weighs more. With statistics over all documents, the score of a *public* passage tells how common a word is in the
# *hidden* ones. A competitor asks for its own name every day. In the week in which the scores of the public passages fall, its name has
# come up in hidden ones. So the rule is: what somebody may not see does not enter the list, and does not move what does. It holds for each
# way of searching, and the first half of it can be checked in a line; the exercise comes back to the second.

# %%
asked_by_visitor = [question for question, _ in picked.values()] + [asked_discount]
leaks = {
    pipeline: sum(
        not public.admits(item.chunk)
        for question in asked_by_visitor
        for item in library.using(pipeline).search(question, filters=public, top_k=50)
    )
    for pipeline in ("dense", "bm25", "hybrid")
}
print("passages shown that the visitor may not see:", leaks)

# %% tags=["hide-input"]
assert not any(leaks.values())

# %% [markdown]
# The filters come from who is logged in, never from the question and never from a model's words.
#
# ## Fusion: two lists, one
#
# Two searches, two lists. What now? The obvious thing is to add the scores. Question C, and the scores of both:

# %%
question_c = picked["C"][0]
lists = library.store.search(question_c, ways=("dense", "bm25"), filters=filters, top_k=50)
for name, ranked in lists.items():
    print(f"{name:6}", [round(item.score, 2) for item in ranked[:6]], "…", round(ranked[-1].score, 2))

# %% [markdown]
# One goes beyond twenty, the other never leaves the stretch between zero and one. **Guess first:** the two scores of each passage are added
# up. Which places have the first five of that list in the two lists it was made of?

# %%
places_in = {name: {item.chunk.chunk_id: item.rank for item in ranked} for name, ranked in lists.items()}
scored = {item.chunk.chunk_id: item.scores for ranked in lists.values() for item in ranked}
added = sorted(scored, key=lambda chunk_id: -sum(scored[chunk_id].values()))
for name, held in places_in.items():
    print(f"{name:6}", [held.get(chunk_id, "–") for chunk_id in added[:5]])

# %% tags=["hide-input"]
assert [places_in["bm25"][chunk_id] for chunk_id in added[:5]] == [1, 2, 3, 4, 5]

# %% [markdown]
# The larger scale decides alone. Three ways out: bring the scores to one scale, learn weights for them, or **forget the scores and
# keep the ranks**.
#
# ### By hand
#
# *Reciprocal rank fusion* gives each item $1 / (k + \mathrm{rank})$ from each list that holds it, and adds them up. The usual
# k = 60 comes from the paper that proposed it.
#
# $$\mathrm{RRF}(d) = \sum_{\mathrm{lists}} \frac{1}{k + \mathrm{rank}(d)}$$
#
# Two lists of paper size. A and D are first in one list and not in the other; C is third in both. **Guess first:** who wins, A, C
# or D?

# %%
paper_lists = {"meaning": ["A", "B", "C"], "words": ["D", "E", "C"]}

a = 1 / (60 + 1)  # first by meaning, not found by words
c = 1 / (60 + 3) + 1 / (60 + 3)  # third in both
print(f"A {a:.3f}   C {c:.3f}")

# %%
show_source(rrf_scores)


# %%
def fused_order(k):
    scores = rrf_scores(paper_lists, k=k)
    ranked = sorted(scores, key=lambda item: (-scores[item], item))
    return k, "  ".join(f"{item} {scores[item]:.3f}" for item in ranked)


show_table(["k", "fused"], [fused_order(k) for k in (0, 1, 10, 60)])

# %% tags=["hide-input"]
assert [fused_order(k)[1][0] for k in (0, 1, 10, 60)] == ["A", "A", "C", "C"]

# %% [markdown]
# - A small k makes a first place tower above the others: one list alone can carry an item to the top.
# - With k = 60 the places lie close together, and **to stand in both lists counts more than to stand high in one**.
# - Equal sums are put in order by the best rank, and then by the id: the same list every time.
#
# In code, each item keeps where it came from. This explains every fused list that you will ever be asked about:

# %%
fused = reciprocal_rank_fusion(lists, k=60)
show_table(
    ["rank", "fused score", "by meaning", "by words", "passage"],
    [
        (
            item.rank,
            item.score,
            item.ranks.get("dense", "–"),
            item.ranks.get("bm25", "–"),
            f"{item.chunk.title}: {opening(item.chunk, 60)}",
        )
        for item in fused[:top_k]
    ],
)

# %% [markdown]
# ### Why ranks, and what they lose
#
# Scores can be brought to one scale. The *z-score* takes the mean off and divides by the standard deviation:

# %%
show_source(z_scores)

# %% [markdown]
# Two lists in which the order is the same and the distances are not. **Guess first:** what does RRF make of the second list, and
# what does the z-score?

# %%
close = [0.62, 0.61, 0.60, 0.59]
clear = [0.93, 0.61, 0.60, 0.59]
by_rank = [round((60 + 1) / (60 + rank), 3) for rank in (1, 2, 3, 4)]
print("RRF, either list, as a share of the first:", by_rank)
print("z-scores, close:", [round(score, 3) for score in z_scores(close)])
print("z-scores, clear:", [round(score, 3) for score in z_scores(clear)])

# %% [markdown]
# Ranks cannot tell a clear win from a close one; the z-score can. But it reads more out of the scores than may be in them: one high score moves all the
# others, and the mean depends on how many candidates you take. Ranks need no scale, no tuning, and no new look when
# one of the searches is replaced. That is why RRF is the usual first choice, and why the other is worth *measuring*.
#
# ## The inspector
#
# Three ranked lists side by side: by meaning, by words, fused. A letter is one passage, wherever it stands; lines join it to itself. The
# evidence is marked as *gold*.
#
# **Guess first:** the question asks for the gauge RG-08. Its passage is fourth by meaning and first by words. Another one, about
# RG-15, is second in both. Which of the two comes first in the fused list? Add it up by hand.

# %%
benchmark_file = sample_docs() / "questions" / "benchmark.questions.jsonl"
questions = read_questions(benchmark_file, library.documents)
gauge = next(q for q in questions if q.question.startswith("When is RG-08 due"))

inspector = RetrievalInspector(library, questions, filters=filters, method="rrf", query=gauge.id, top_k=top_k)
inspector

# %% tags=["hide-input"]
ranks = {item.chunk.chunk_id: item.ranks for item in inspector.seen.rankings[2].items}
first, second = list(ranks)[:2]
assert (ranks[first], ranks[second]) == ({"dense": 2, "bm25": 2}, {"dense": 4, "bm25": 1})

# %% [markdown]
# Two second places beat a fourth and a first, by a hair. Now move the controls, and guess before each who will move: the words with twice
# the weight; a k of 1; another method; the tag `public`. Unfold *Why here?* where you guessed wrong: it shows the sum. Then ask
# something of your own.

# %% [markdown]
# ## The labelled questions
#
# A handful of picked questions proves nothing. The kit has a set with marked evidence: questions in plain words and in quite
# other words than the documents', codes, questions that need two passages. How it was made, and how much of a question's words its
# evidence holds, comes in lesson 05. Here we need the questions that have an answer, and two figures for each:
#
# - **recall**: of the pieces of evidence, the share among the first five passages. That is what the prompt gets;
# - **reciprocal rank**: one divided by the rank of the first passage that holds evidence, and zero if it is not among the first five. It sees whether the
#   evidence comes first or fifth. Its mean is the **MRR**.

# %%
answerable = [q for q in questions if q.expected == "answer" and q.evidence]
choosing = [q for q in answerable if first_half(q.id)]
reporting = [q for q in answerable if not first_half(q.id)]
candidates = {
    q.id: library.store.search(q.question, ways=("dense", "bm25"), filters=filters, top_k=50)
    for q in answerable
}


def values(fuse, asked, measure="recall"):
    """Return a figure for each question; ``fuse`` makes one list of the two."""
    return [
        score_ranking(q.evidence, [item.chunk for item in fuse(candidates[q.id])], top_k)[measure]
        for q in asked
    ]


def mean(numbers):
    return sum(numbers) / len(numbers)


def dense(lists):
    return lists["dense"]


def bm25(lists):
    return lists["bm25"]


print(f"{len(answerable)} questions have an answer: {len(choosing)} choose, {len(reporting)} report")
print(Counter(q.kind for q in answerable))

# %% [markdown]
# Which half a question is in depends on its id alone. No setting has seen the reporting half.
#
# ### Choose on one half
#
# Two knobs: k, and the weight of the words, where the weight of the meaning is always one. **Guess first:** should the words count
# more than the meaning, less, or the same? And will k matter?


# %%
def rrf(k=60, weight=1.0):
    return lambda lists: reciprocal_rank_fusion(lists, k=k, weights={"bm25": weight})


ks, weights = (5, 20, 60, 120), (0.25, 0.5, 1.0, 2.0, 4.0)
grid = {
    (k, weight): (mean(values(rrf(k, weight), choosing)), mean(values(rrf(k, weight), choosing, "mrr")))
    for weight in weights
    for k in ks
}
show_table(
    ["weight of the words", *(f"k = {k}" for k in ks)],
    [(str(weight), *("{:.3f} / {:.3f}".format(*grid[k, weight]) for k in ks)) for weight in weights],
)

# %% [markdown]
# Each cell holds recall and MRR. The rule of choice: the highest recall; of equal ones the highest MRR; of equal ones again the
# setting nearest to the usual one.

# %%
USUAL = (60, 1.0)
best_k, best_weight = max(
    grid,
    key=lambda at: (*(round(figure, 6) for figure in grid[at]), -abs(log(at[1])), -abs(log(at[0] / 60))),
)
top_recall = grid[best_k, best_weight][0]
ties = sum(round(recall, 6) == round(top_recall, 6) for recall, _ in grid.values())
show_markdown(
    f"Chosen: **k = {best_k}, weight {best_weight}**, with a recall of {top_recall:.3f}. The usual setting has {grid[USUAL][0]:.3f} there. "
    f"Of the {len(grid)} settings, {ties} have that same recall: with {len(choosing)} questions, one question more or less is a step of "
    f"up to {1 / len(choosing):.3f}."
)

# %% [markdown]
# ### Report on the other
#
# Now the half that chose nothing, with intervals. **Guess first:** how much of the gain is left?

# %%
ways = {
    "by meaning alone": dense,
    "by words alone": bm25,
    "RRF, the usual setting": rrf(*USUAL),
    "RRF, the chosen setting": rrf(best_k, best_weight),
    "z-score": fuse_scores,
}
reported = {name: {m: values(way, reporting, m) for m in ("recall", "mrr")} for name, way in ways.items()}


def with_interval(numbers):
    low, high = bootstrap_mean(numbers)
    return f"{mean(numbers):.3f} ({low:.2f} to {high:.2f})"


show_table(
    ["searched", "recall in the first five", "MRR"],
    [(name, with_interval(of["recall"]), with_interval(of["mrr"])) for name, of in reported.items()],
)

# %% [markdown]
# The intervals are wide and lie upon each other. That alone says little: to compare two ways, take the difference on *each*
# question.


# %%
def verdict(one, other, measure, held=reported):
    found = paired_bootstrap(held[one][measure], held[other][measure])
    said = {True: "better", False: "worse", None: "no difference shown"}[found.better]
    return f"{found.mean:+.3f} ({found.low:+.2f} to {found.high:+.2f}): {said}"


usual, chosen = "RRF, the usual setting", "RRF, the chosen setting"
pairs = [
    (usual, "by meaning alone"),
    (usual, "by words alone"),
    (chosen, usual),
    ("z-score", usual),
]
show_table(
    ["compared", "recall", "MRR"],
    [(f"{a} against {b}", verdict(a, b, "recall"), verdict(a, b, "mrr")) for a, b in pairs],
)

# %% tags=["hide-input"]
kept = paired_bootstrap(reported[chosen]["recall"], reported[usual]["recall"])
gained = grid[best_k, best_weight][0] - grid[USUAL][0]
assert not kept.better
assert all(
    paired_bootstrap(reported["z-score"][m], reported[usual][m]).better is None for m in ("recall", "mrr")
)
show_markdown(
    f"On the half that chose, the chosen setting gained {gained:+.3f} recall. On the half that reports it is {kept.mean:+.3f}. "
    "What was gained was luck, or too small for so few questions to show. **So the usual setting stays.** That is no failure of the "
    "measurement; it is its result. Two hundred of your own questions may tell more."
)

# %% [markdown]
# All questions together, and then kind by kind. These figures *describe*; nothing is chosen by them, and in the smaller kinds
# a single question moves the mean a lot:

# %%
whole = {
    name: {m: values(way, answerable, m) for m in ("recall", "mrr")} for name, way in list(ways.items())[:3]
}


def kind_of(question):
    return question.kind + (", in other words" if question.paraphrased else "")


kinds = list(dict.fromkeys(kind_of(q) for q in answerable))


def of_kind(name, kind, measure):
    return mean([v for q, v in zip(answerable, whole[name][measure]) if kind_of(q) == kind])


show_table(
    ["kind", "questions", *(f"{name}: recall / MRR" for name in whole)],
    [
        (
            kind,
            sum(kind_of(q) == kind for q in answerable),
            *(f"{of_kind(n, kind, 'recall'):.2f} / {of_kind(n, kind, 'mrr'):.2f}" for n in whole),
        )
        for kind in kinds
    ],
)

# %%
show_table(
    ["on all of them", "recall", "MRR"],
    [(f"{a} against {b}", verdict(a, b, "recall", whole), verdict(a, b, "mrr", whole)) for a, b in pairs[:2]],
)

# %% tags=["hide-input"]
assert of_kind("by meaning alone", "identifier", "recall") == 1
assert of_kind("by words alone", "identifier", "mrr") > of_kind("by meaning alone", "identifier", "mrr") + 0.2
in_other_words = "informational, in other words"
assert of_kind("by meaning alone", in_other_words, "recall") > of_kind(
    "by words alone", in_other_words, "recall"
)

# %% [markdown]
# Look at the questions about codes. They say more than the code, so the search by meaning has all of them among its first five; but it
# puts other passages above them, and the search by words does not. In the questions asked in other words it is the other way round. Where a
# model reads all five passages, that matters little; where it reads one, or a person reads from the top, it matters.
#
# ## Where fusion hurts
#
# A question from the set: somebody wants to run a load test, and says it in quite other words. **Guess first:** its evidence is third by
# meaning, and not among the candidates of the search by words. Where is it in the fused list?

# %%
hurt = next(q for q in questions if q.question.startswith("Our IT people want to hammer Millrace"))


def rank_of(gold, ranked):
    return next((item.rank for item in ranked if holds(item.chunk, gold)), None)


three = {**candidates[hurt.id], "fused": rrf(*USUAL)(candidates[hurt.id])}
print("rank of the evidence:", {name: rank_of(hurt.evidence[0], ranked) for name, ranked in three.items()})

# %%
RetrievalInspector(library, questions, filters=filters, method="rrf", query=hurt.id, top_k=top_k)

# %% tags=["hide-input"]
at = {name: rank_of(hurt.evidence[0], ranked) for name, ranked in three.items()}
assert at["dense"] <= top_k < at["fused"]
assert at["bm25"] is None

# %% [markdown]
# A list that knows nothing votes all the same. It has found passages that share some everyday words with the question; they are marked. Those
# that the search by meaning has somewhere too, however far down, get two votes. The evidence gets one. So fusion costs you something where a
# question has no telling word.
#
# How often? Each piece of evidence of all the labelled questions, in the three lists. **Guess first:** is the fused rank mostly better
# than the better of the two, the same, or worse?

# %%
beyond = 10_000  # not found: worse than any rank
ranked_all = [
    tuple(rank_of(gold, ranked) or beyond for ranked in (lists["dense"], lists["bm25"], rrf(*USUAL)(lists)))
    for q in answerable
    for lists in [candidates[q.id]]
    for gold in q.evidence
]


def against(name, other):
    pairs = [(other(d, w), f) for d, w, f in ranked_all]
    return (
        name,
        sum(f < o for o, f in pairs),
        sum(f == o for o, f in pairs),
        sum(f > o for o, f in pairs),
        sum(f <= top_k < o for o, f in pairs),
        sum(o <= top_k < f for o, f in pairs),
    )


rows = [
    against("the better of the two, each time", min),
    against("by meaning alone", lambda d, w: d),
    against("by words alone", lambda d, w: w),
]
show_table(
    ["the fused rank against", "better", "the same", "worse", "came into the first five", "fell out of them"],
    rows,
)

# %% tags=["hide-input"]
oracle, *single = rows
assert oracle[3] > oracle[1]
assert sum(row[1] for row in single) > sum(row[3] for row in single)
assert of_kind(usual, in_other_words, "recall") < of_kind("by meaning alone", in_other_words, "recall")
show_markdown(
    f"Of {len(ranked_all)} pieces of evidence, the fused list puts {oracle[3]} lower than the better of its two parts does, and "
    f"{oracle[5]} of these fall out of the first five. But nobody knows beforehand which part will be the better one. Against the "
    f"meaning *alone* the fused list is better {single[0][1]} times and worse {single[0][3]} times, against the words alone better "
    f"{single[1][1]} times and worse {single[1][3]} times.",
    "It hurts most where it was to be expected: of the questions asked in other words, search by meaning has a recall of "
    f"{of_kind('by meaning alone', in_other_words, 'recall'):.2f} and the fused list {of_kind(usual, in_other_words, 'recall'):.2f}.",
)

# %% [markdown]
# So hybrid search is an insurance, and not a free gain: it seldom beats the better part, and it keeps you from relying on the worse
# one. Three things make it cheaper:
#
# - a weight that follows the *question*: where it holds a code, let the words count more;
# - more candidates, and a *reranker* that reads each of them closely. That is lesson 05;
# - better parts. An analyser that loses codes, or an embedder that has not learnt your language, is not mended by fusing it with
#   something.
#
# The first can be had at once: below, the words count twice where a question holds a code, and once elsewhere. The last row is the kit's own
# pipeline `hybrid`. It does the same, adds up z-scores in place of ranks, and asks for both parts of a question that compares two things.


# %%
def plain_rrf(question):
    return rrf(*USUAL)(library.store.search(question, ways=("dense", "bm25"), filters=filters, top_k=50))


def searching(retriever):
    return lambda question: retriever.search(question, filters=filters, top_k=50)


def on_codes(name, search):
    asked = [q for q in answerable if q.kind == "identifier"]
    figures = [score_ranking(q.evidence, [i.chunk for i in search(q.question)], top_k) for q in asked]
    places = [
        next((i.rank for i in search(f"What is {code}?") if code in CODE.findall(i.chunk.text)), 51)
        for code in codes
    ]
    first, early = sum(at == 1 for at in places), sum(at <= top_k for at in places)
    return name, first, early, mean([f["mrr"] for f in figures])


rows = [
    on_codes("RRF", plain_rrf),
    on_codes("RRF, words twice for a code", searching(HybridRetriever(library.store, Fusion("rrf")))),
    on_codes("the kit's hybrid", searching(library.using("hybrid").searcher)),
]
show_table(
    [f"of {len(codes)} codes", "first", "in the first five", "MRR of the questions about codes"],
    rows,
)

# %% tags=["hide-input"]
assert rows[0][1] < rows[1][1] < rows[2][1]

# %% [markdown]
# A passage that alone holds the code is a *clear* win. Its score says so, and its rank cannot: this is what ranks lose. On the labelled questions
# above the two could not be told apart; the kit took the z-score by other, larger sets of questions. Which one suits *your* questions, only they
# can say.
#
# And fusion costs: a second index, and a second search for each question. On the machine that ran this, in milliseconds a question:

# %% tags=["volatile"]
from time import perf_counter


def milliseconds(pipeline):
    searched = library.using(pipeline)
    began = perf_counter()
    for q in answerable:
        searched.search(q.question, filters=filters, top_k=top_k)
    return pipeline, 1_000 * (perf_counter() - began) / len(answerable)


show_table(["pipeline", "ms a question"], [milliseconds(name) for name in ("dense", "bm25", "hybrid")])

# %% [markdown]
# ## When to use what
#
# One example each, picked, with the ranks as they are. The last column is a rule of thumb, and your questions may know better.

# %% tags=["hide-input"]
examples = [
    ("part number", "What does the AC-434 cost?", "AC-434", "words; hybrid, with more weight on them"),
    (
        "error code",
        "E_FLOW_REVERSE every night",
        "non-return valve leaks",
        "hybrid: the code by words, what it does by meaning",
    ),
    ("in other words", hurt.question, "load tests or penetration tests", "meaning; hybrid may cost places"),
    ("in the documents' words", *picked["C"], "any of them"),
    (
        "one word misspelt",
        "What disolves deposits on the membrane?",
        "dissolved with 5 % citric acid",
        "hybrid: the other words still count",
    ),
    (
        "the telling words misspelt",
        "How do I clean the diafragm of the transmiter?",
        "dissolved with 5 % citric acid",
        "meaning; or correct the spelling first",
    ),
    (
        "another language",
        "Wer darf das Notfallkonto öffnen?",
        "emergency account",
        "an embedder that has learnt both languages",
    ),
    ("another language, with a code", "Was kostet AC-434?", "AC-434", "words: a code needs no translation"),
]


def fused_place(question, words):
    return next((item.rank for item in plain_rrf(question) if words in item.chunk.text), "–")


show_table(
    ["the question has", "example", "by meaning", "by words", "fused", "take"],
    [
        (
            kind,
            question,
            *(place_of(question, words, searched) or "–" for searched in (by_meaning, by_words)),
            fused_place(question, words),
            take,
        )
        for kind, question, words, take in examples
    ],
)

# %% [markdown]
# ## Checkpoint

# %%
checkpoint("04-codes")

# %%
checkpoint("04-third-in-both")

# %%
checkpoint("04-calibrated")

# %%
checkpoint("04-visitor")

# %% [markdown]
# ## In an interview
#
# Answer aloud first, then open the sample answer.

# %% tags=["hide-input"]
dense_recall, fused_recall = (reported[name]["recall"] for name in ("by meaning alone", usual))
low, high = bootstrap_mean(dense_recall)
width = library.store.vectors.shape[1]
megabytes = library.store.vectors.nbytes / 1e6
hundred_thousand = 100_000 * width * library.store.vectors.itemsize / 1e6
own_words = {name: of_kind(name, "informational", "mrr") for name in whole}
paraphrases = {name: of_kind(name, in_other_words, "mrr") for name in whole}
identifiers = {name: of_kind(name, "identifier", "mrr") for name in whole}
german = place_of("Wer darf das Notfallkonto öffnen?", "emergency account", by_meaning)
show_markdown(
    "**“Our people search for exact part numbers. Will your dense search find them?”**",
    "<details><summary>Sample answer</summary>\n\nNot reliably, and your technician would get the data of the neighbouring part with full "
    "confidence. So I search by words as well, with an analyser that keeps a code whole, and fuse both lists. In my notebook I asked for all "
    f"{len(code_places)} codes of six families: by meaning, {len(dense_missed)} were not in the first {top_k}; by words, none was "
    f"missed. Where a question says more than the code, the search by meaning has the passage too, but lower: on the labelled questions about codes "
    f"the MRR was {identifiers['by meaning alone']:.2f} by meaning and {identifiers['by words alone']:.2f} by words.\n\n</details>",
    "**“Vectors are the new thing. Why still BM25?”**",
    "<details><summary>Sample answer</summary>\n\nIt finds what your people type exactly: codes, names, clause numbers, words that no model "
    "has learnt. It needs no training and no GPU, it can be explained word by word, and it is the floor that anything dearer has to beat. "
    f"On my labelled questions in the documents' own words its MRR was {own_words['by words alone']:.2f} against "
    f"{own_words['by meaning alone']:.2f} by meaning. On questions in other words than the documents' it was {paraphrases['by words alone']:.2f} against "
    f"{paraphrases['by meaning alone']:.2f}, which is why I do not choose.\n\n</details>",
    "**“What is RRF, and why ranks?”**",
    "<details><summary>Sample answer</summary>\n\nOne list out of several, without a knob that has to be tuned again whenever a part is replaced. "
    "Each passage gets one divided by k plus its rank from each list, added up. Ranks, because the scores are not comparable: BM25 knows no upper end, a cosine "
    f"ends at one, and added up the larger scale decides alone. I measured what it costs: of {len(ranked_all)} pieces of evidence, {oracle[3]} "
    f"came lower than in the better part, but nobody knows beforehand which that is. Recall in the first {top_k} was {mean(fused_recall):.2f} "
    f"against {mean(dense_recall):.2f} by meaning alone: with {len(reporting)} questions, "
    f"{verdict(usual, 'by meaning alone', 'recall').split(': ')[1]}.\n\n</details>",
    "**“Which embedding model should we take?”**",
    "<details><summary>Sample answer</summary>\n\nThe one that finds the most of *your* questions at a price that you can pay each time the documents "
    "change; a place on a public list does not say that. I make the list short by what cannot be measured away: does it know your languages; how much "
    "does it read before it cuts off; may the text leave the house; its licence; how long its vectors are, because memory and speed follow. "
    "Then I measure what is left: the same passages, the same labelled questions, recall with an interval, the difference question by question; and I "
    "look at the questions that each one loses. Whatever it is, I keep its name with the index, use it for documents and questions alike, "
    "with the prefixes and the normalisation that it wants, and plan for the day when it is replaced: all passages are embedded again, into a second index, "
    f"and the switch is made when the second one has passed the same questions. In my notebook the small local model reached a recall of {mean(dense_recall):.2f} "
    f"({low:.2f} to {high:.2f}) with {width} numbers a passage. It has learnt English: a German question found its passage at rank "
    f"{german}.\n\n</details>",
    "**“Which vector database?”**",
    "<details><summary>Sample answer</summary>\n\nFirst whether you need one: an engine that runs tonight and nobody has to operate is worth a lot. "
    f"The passages of my notebook take {megabytes:.1f} MB, and a hundred thousand would take {hundred_thousand:.0f} MB: that fits into memory, and "
    "is searched exactly. When it no longer fits, or many write at once, I ask in this order. Are filters applied *before* the search, so that "
    "permissions hold and a narrow filter still brings back enough? Can a document be updated and deleted, and how soon does it show? Does it "
    "search by words in the same query, with an analyser that keeps our codes? Backup, tenants, who operates it, what it costs. Speed comes last, "
    "and I measure it with *our* filters on: an approximate index may lose neighbours, so I compare its recall with the exact search on a sample. The search sits "
    "behind one small interface, so that this is a choice that can be changed.\n\n</details>",
)

# %% [markdown]
# ## Take with you
#
# - Meaning finds the paraphrase and words find the code. Where a question misses, look at both lists before you change anything.
# - RRF needs ranks alone and hardly any tuning; a fusion of scores sees a clear win, and needs a scale. Either is an insurance: you need not
#   know which part will be the better one.
# - Choose on one half of the questions and report on the other. And filter before anything is counted, statistics included.
#
# **Now the exercise:** `exercises/04_hybrid_search.ipynb`. You write an analyser, BM25 and the fusion, and find out why a visitor
# can read from a score what is hidden from them.
#
# **Read next:** Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond*; Cormack, Clarke and
# Büttcher, *Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank Learning Methods*, which is two pages long.

# %%
SelfRating("04")
