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
#   title: Rerank and context
#   can_do: separate recall from precision; assemble context; run four pipelines on labelled questions and say what was shown
#   minutes: 90
# ---

# %% [markdown]
# # 05 Rerank and context
#
# Hybrid search finds by meaning and by words. Two questions are left. Are the few passages that you take the right ones
# of all that were found? And what does the model get to read of them? This lesson takes the way from candidates to
# prompt apart, stage by stage, and measures each.
#
# **After this lesson you can**
#
# - tell the stage that must lose nothing from the stage that must choose well, and say which of them failed;
# - build the context: fold copies, fill a budget, shorten, hand over sections, and know what each of these can lose;
# - compare four pipelines on labelled questions, and say *no difference shown* where that is the truth.
#
# It takes about an hour and a half; lesson 04 comes before it. New words are in `GLOSSARY.md`. The first run embeds each
# sentence of the sample documents and takes some minutes; later runs remember them.
#
# **Decide now, before you run anything:** a closer look at fifty candidates puts them into a new order. Of a hundred
# questions, for how many more will the evidence be in the first five? Note a number. It may also be below zero.

# %% tags=["parameters"]
today = "2026-11-15"
candidates = 50
top_k = 5
budget = 1_500

# %% tags=["hide-input"]
import json
from collections import Counter
from dataclasses import replace
from datetime import date
from math import log2


from rag_kit import Filters, assemble_context, connect, count_tokens, load_settings, open_library
from rag_kit.evaluation.answers import grade_answer
from rag_kit.evaluation.benchmark import benchmark
from rag_kit.evaluation.benchmark_result import Compared, compare, mean_of
from rag_kit.evaluation.benchmark_text import comparison_text
from rag_kit.evaluation.depths import measure_depths
from rag_kit.evaluation.intervals import paired_bootstrap
from rag_kit.evaluation.metrics import hit_at_k, ndcg_at_k, precision_at_k, recall_at_k, reciprocal_rank
from rag_kit.evaluation.misses import explain_miss
from rag_kit.evaluation.questions import first_half, read_questions
from rag_kit.evaluation.relevance import holds, score_ranking
from rag_kit.evaluation.stages import STAGES
from rag_kit.generation import ask
from rag_kit.generation.compression import LEAST, compress
from rag_kit.generation.folding import fold
from rag_kit.generation.ordering import edges_first
from rag_kit.operations.library import embedder_of, tokenizer_of
from rag_kit.protocols import Reranker
from rag_kit.retrieval import HybridRetriever
from rag_kit.retrieval.reranking import (
    BestSentenceReranker,
    CrossEncoderReranker,
    LLMReranker,
    RerankingRetriever,
    WeightedReranker,
)
from rag_kit.retrieval.reranking.best_sentence import sentences_of
from rag_kit.retrieval.reranking.order import standardise
from rag_kit.retrieval.reranking.weighted import shipped_weights
from rag_kit.testing import ScriptedTransport
from rag_kit.tokens import count_messages
from rag_kit.teaching import (
    SelfRating,
    benchmark_comparisons,
    benchmark_halves,
    benchmark_kinds,
    benchmark_plot,
    benchmark_table,
    benchmark_timings,
    checkpoint,
    depth_plot,
    evidence_table,
    sample_docs,
    show_markdown,
    show_source,
    show_table,
)

# %% [markdown]
# All of the sample documents, and the labelled questions: each names the very words that answer it, and some name the
# person who asks. A question for the finance team is asked as the finance team. The kinds:
#
# - *informational*: asked in the reader's own words; *identifier*: names a part, a code or a number of a document;
# - *multi-hop*: the answer needs two passages; *permission*: it stands where not everybody may read;
# - *near-miss*: sounds like these documents, and has no answer in them; *out-of-domain*: has nothing to do with them.

# %%
settings = load_settings(offline=True)
client = connect(settings)
library = open_library(sample_docs(), client=client, settings=settings, pipeline="hybrid")
embedder, tokenizer = embedder_of(client, settings), tokenizer_of(settings)

as_of = date.fromisoformat(today)
owner = Filters.owner(as_of=as_of)


def filters_of(question):
    """Return what whoever asks a question may see."""
    return owner if question.user_tags is None else Filters.for_tags(question.user_tags, as_of=as_of)


questions = read_questions(sample_docs() / "questions" / "benchmark.questions.jsonl", library.documents)
scored = [question for question in questions if question.evidence]
tuning = [question for question in scored if first_half(question.id)]

print(
    f"{len(library.passages)} passages; {len(questions)} questions, {len(scored)} of them with evidence to find"
)
show_table(["kind", "questions"], Counter(question.kind for question in questions).items())

# %% [markdown]
# ## Two stages, two jobs
#
# - The **recall stage** looks at all passages and keeps many. It compares vectors and counts words that were prepared
#   before anybody asked, so it is cheap. Its one fault is to lose the evidence.
# - The **precision stage** looks at those few, each together with the question, and keeps the best of them. It is
#   dear, so it cannot look at everything. Its one fault is a bad order.
#
# A usual chain is hybrid search for fifty candidates, copies folded, a *reranker*, and the best six; or twenty, and the
# best five. What is not among the candidates, no reranker brings back.
#
# **Guess first:** what share of the evidence is in the first five of the hybrid list? And in the first fifty?

# %%
hybrid = library.searcher
lists = {
    question.id: hybrid.search(question.question, filters=filters_of(question), top_k=candidates)
    for question in scored
}


def recall(question, found, k):
    """Return the share of a question's gold quotes that the first k passages hold."""
    return score_ranking(question.evidence, [item.chunk for item in found], k)["recall"]


def mean_recall(found, k, some=scored):
    """Return the mean recall of some ranked lists, kept by question."""
    return sum(recall(question, found[question.id], k) for question in some) / len(some)


deeper = (top_k, 10, 20, candidates)
in_list = {k: mean_recall(lists, k) for k in deeper}
show_table(["first", "mean recall of the hybrid list"], in_list.items())

# %% tags=["hide-input"]
held = {k: round(share, 3) for k, share in in_list.items()}
never, to_win = 1 - held[candidates], held[candidates] - held[top_k]
show_markdown(
    f"Between the first {top_k} and the first {candidates} lie {to_win:.3f}: that is all that a better order can win. "
    f"The {never:.3f} that are not among the {candidates} are the recall stage's to find, and no reranker's."
)

# %% [markdown]
# ## A closer look
#
# The vector of a passage stands for all that it says. A passage with many subjects has a vector that is close to none of them, and
# one sentence of it may still be the answer. So the plainest idea is to embed each *sentence*, and to take the one that is
# closest to the question.
#
# **Guess first:** the passage below holds the answer in one of its sentences. Is that sentence closer to the question
# than the passage as a whole?

# %%
asked = next(question for question in scored if question.id == "bench-inform-09")
item = next(item for item in lists[asked.id] if holds(item.chunk, asked.evidence[0]))
sentences = sentences_of(item.chunk)
vectors = embedder.embed([asked.question, *sentences])
cosines = (vectors[1:] @ vectors[0]).tolist()

print(asked.question)
print(f"rank {item.rank} of the hybrid list; the whole passage: similarity {item.similarity:.3f}")
show_table(
    ["sentence", "similarity"],
    sorted(zip(sentences, cosines), key=lambda pair: -pair[1])[:4],
)

# %% tags=["hide-input"]
answering = next(at for at, text in enumerate(sentences) if "twins" in text)
assert cosines[answering] < item.similarity < max(cosines)
show_markdown(
    f"So: no. The sentence that answers, the one with the twins, has {cosines[answering]:.3f}, below the passage's {item.similarity:.3f}. "
    f"Another sentence of the passage is closer to the question, with {max(cosines):.3f}."
)

# %% [markdown]
# So the closest sentence need not be the one with the answer: a score says that texts are alike, and not that one answers
# the other. And the order that there was before knew something, too. So both are added, each brought to one scale
# first: how many standard deviations above the mean of this list? That is a *z-score*.
#
# **Work it out on paper:** three candidates, with their scores so far, and the similarity of their best sentence. Half
# of the second z-score is added to the first. Which comes first?

# %%
before = [3.0, 2.0, 1.0]
best = [0.2, 0.9, 0.1]


def z(values):
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5
    return [(value - mean) / spread for value in values]


by_hand = [one + 0.5 * two for one, two in zip(z(before), z(best))]
in_package = standardise(before) + 0.5 * standardise(best)
show_table(
    ["candidate", "score", "best sentence", "z of the score", "z of the sentence", "by hand", "the package"],
    zip("ABC", before, best, z(before), z(best), by_hand, in_package.tolist()),
)

# %% [markdown]
# The package does the same:

# %%
show_source(BestSentenceReranker.rerank)

# %% [markdown]
# ### Other things to look at
#
# A sentence's vector is one *sign* that a passage answers. Another is how many of the question's words the passage holds,
# the rare ones counting for more. Which of the two to trust depends on the question: where the best candidate holds nearly
# all of its words, words decide (*literal*); where it holds few of them, the closest sentence does (*reworded*). The kit's
# offline reranker adds up such signs, each times a weight:
#
# - *fused*: the order so far; *sentence*: the closest sentence;
# - *literal* and *reworded*: the two above, each as far as the question calls for it.
#
# The weights were set by hand, by trying sums of a few signs on labelled questions that this lesson does not use. A script that
# learns weights is in the kit too: `rag_kit.evaluation.ranker_training`.

# %%
show_table(["sign", "weight"], shipped_weights().items())

# %%
show_source(WeightedReranker.rerank)

# %% tags=["hide-input"]
# The build stops here should the text above no longer be true.
assert set(shipped_weights()) == {"fused", "sentence", "literal", "reworded"}

# %% [markdown]
# ### A reranker is a promise
#
# Whatever keeps this promise can take its place:

# %%
show_source(Reranker)

# %% [markdown]
# Two more that you will meet. Both are in the kit and need what is not on this machine:
#
# - A **cross-encoder** reads question and passage *together* and gives one score. A bi-encoder, such as our embedder, reads
#   each alone. It needs the package sentence-transformers, PyTorch and a model of some
#   hundred megabytes: `CrossEncoderReranker`.
# - A **language model** grades each passage: `LLMReranker`. It needs a chat model, and the text of every candidate is sent.
#
# The two stages together are one retriever. Copies are folded before anything is scored twice, and nothing gets out
# that was not a candidate:

# %%
reranking = library.using("hybrid+rerank").searcher
by_sentence, by_signs = BestSentenceReranker(embedder), WeightedReranker(embedder)

show_source(RerankingRetriever.search)

# %% [markdown]
# ## How many candidates are enough?
#
# Settings are chosen on one half of the questions, the *tuning half*. **Guess first:** with more candidates, can the recall of the list
# fall? Can the recall of the top five fall?

# %%
depths, depths_by_sentence = (
    measure_depths(tuning, hybrid, reranker, depths=deeper, k=top_k, filters_of=filters_of)
    for reranker in (by_signs, by_sentence)
)
show_table(
    ["candidates", "recall of the list", f"top {top_k} by signs", f"top {top_k} by the best sentence"],
    [
        (one.candidates, one.mean_found, one.mean_kept, two.mean_kept)
        for one, two in zip(depths, depths_by_sentence)
    ],
)

# %%
depth_plot(depths, top_k)

# %% [markdown]
# The upper line can only rise. The lower one starts where both are the same, for whoever takes all candidates changes only
# their order. From there it may go either way: each further candidate is one more that can be put before the right one.
# The space between the lines is evidence that was found and not chosen.

# %% tags=["hide-input"]
first, last = depths[0], depths[-1]
gain = paired_bootstrap(last.kept, first.found)
at_depth = comparison_text(Compared(f"{last.candidates} reranked", "no reranking", "recall", gain))
no_gain = (
    f" No gain was shown, and each candidate costs. By this rule we would take {first.candidates}, that is: not rerank. "
    f"We go on with {candidates} all the same, to see what reranking does to each question."
)
show_markdown(
    f"On these {len(tuning)} questions, from {first.candidates} to {last.candidates} candidates the list gained "
    f"{last.mean_found - first.mean_found:+.3f} and the top {top_k} {last.mean_kept - first.mean_kept:+.3f}. {at_depth}."
    f"{'' if gain.better else no_gain}"
)

# %% [markdown]
# ### What it costs
#
# The same candidates for two questions, one after the other. Stand-ins only count what an embedder, a cross-encoder and a
# language model are given to read.


# %% tags=["hide-input"]
class Counting:
    """Stands in for an embedder or a cross-encoder, and counts the texts and tokens that it is given."""

    def __init__(self):
        self.name, self.texts, self.tokens = "counting", 0, 0

    def count(self, texts):
        self.texts += len(texts)
        self.tokens += sum(map(count_tokens, texts))

    def embed(self, texts):
        self.count(texts)
        return embedder.embed(texts)

    def predict(self, pairs):
        self.count([text for pair in pairs for text in pair])
        return [0.0] * len(pairs)


def with_counter(kind):
    """Return a fresh reranker of a kind, and a function that tells what it has read: how many, and tokens."""
    if kind == "language model":
        grades = json.dumps({"notes": [{"label": 1, "relevance": 5}]})
        server = ScriptedTransport(*[grades] * 10)
        model = settings.chat_model
        return LLMReranker(server.client(), model), lambda: (
            len(server.requests),
            sum(count_messages(request["messages"], model) for request in server.requests),
        )
    counting = Counting()
    if kind == "cross-encoder":
        return CrossEncoderReranker(counting), lambda: (counting.texts // 2, counting.tokens)
    return WeightedReranker(counting), lambda: (counting.texts, counting.tokens)


# %%
def cost(kind, depth):
    """Return what a reranker reads for one question, and then for another one with the same passages."""
    reranker, read = with_counter(kind)
    told = []
    for text in (asked.question, scored[0].question):
        before = read()
        reranker.rerank(text, lists[asked.id][:depth], top_n=top_k)
        many, tokens = (now - then for now, then in zip(read(), before))
        told.append(f"{many:,} {units[kind]}, {tokens:,} tokens")
    return told


units = {"signs and sentences": "embedded", "cross-encoder": "pairs read", "language model": "calls"}
costs = {kind: [*cost(kind, 20)[:1], *cost(kind, candidates)] for kind in units}
show_table(
    ["reranker", "20 candidates", f"{candidates} candidates", "another question, same passages"],
    [(kind, *row) for kind, row in costs.items()],
)

# %% [markdown]
# Sentences can be embedded when the documents are indexed, so that nobody waits for them, and each serves every later question. A
# cross-encoder and a language model need the question, so they read the passages anew for each.
#
# ### Who rose, and who fell
#
# A mean hides both. The questions whose evidence entered the top five or left it, by one of the two rerankers, with one rank for
# each gold quote:


# %%
def ranked_by(retriever):
    """Return the reranked candidates of every question."""
    return {q.id: retriever.search(q.question, filters=filters_of(q), top_k=candidates) for q in scored}


after = ranked_by(reranking)
after_sentences = ranked_by(RerankingRetriever(hybrid, by_sentence, candidates=candidates))


def ranks(question, found):
    """Return, for each gold quote, the rank of the first passage that holds it."""
    places = [next((i.rank for i in found if holds(i.chunk, gold)), None) for gold in question.evidence]
    return ", ".join("–" if place is None else str(place) for place in places)


# %%
def change(question, found):
    """Return how much the recall of the top k changed by reranking."""
    return recall(question, found[question.id], top_k) - recall(question, lists[question.id], top_k)


moved = [q for q in scored if change(q, after) or change(q, after_sentences)]
show_table(
    ["question", "kind", "rank before", "by signs", "by the best sentence"],
    [
        (q.question, q.kind, *(ranks(q, found[q.id]) for found in (lists, after, after_sentences)))
        for q in moved
    ],
)


# %% [markdown]
# And the case where the clever thing lost: a question whose evidence stood among the first five, and fell furthest by the
# signs. What was put before it?


# %%
def fall(question, found=after):
    """Return how many places the first relevant passage fell, if it was among the first k."""
    places = [
        next(
            (i.rank for i in ranked[question.id] if any(holds(i.chunk, g) for g in question.evidence)),
            candidates,
        )
        for ranked in (lists, found)
    ]
    return places[1] - places[0] if places[0] <= top_k else 0


worst = max(scored, key=fall)
told = (ranks(worst, found[worst.id]) for found in (lists, after, after_sentences))
print(
    f"{worst.question}\nrank before: {next(told)}, by signs: {next(told)}, by the best sentence: {next(told)}"
)
evidence_table(after[worst.id][:top_k])

# %% tags=["hide-input"]
# The build stops here should the text below no longer be true.
assert fall(worst) > 0

# %% [markdown]
# Most of what was put before it is about the same device. To be alike is not to answer. Whether a reranker wins more than it
# loses is a question for the benchmark, below.
#
# ## From evidence to context
#
# The best passages are chosen. What does the model read? Each passage becomes a **source block**: its label, its title, its
# file, the page where there is one, the section, and the text.

# %%
question = "What does the inspection of a meter out of warranty cost?"
found = reranking.search(question, filters=owner, top_k=top_k)
context = assemble_context(question, found, budget=budget, model=settings.chat_model, as_of=as_of)

prompt = context.messages[-1]["content"]
print(prompt[: prompt.index("</source>") + len("</source>")])
print(f"\n{len(context.shown)} blocks, {context.tokens} tokens of {budget}")

# %% [markdown]
# The label is what an answer can cite, and title and section tell two like sentences apart. If a text holds `</source>`,
# the tags get a suffix, so that no document can close them; a source is material, not an order.
#
# ### Folding
#
# A copy in the prompt takes the place of something else. Two versions of one document contradict each other. Here the search
# may also see what has been superseded:

# %%
everything = Filters.owner(as_of=as_of, include_superseded=True)
both = hybrid.search(question, filters=everything, top_k=top_k)


def listed(evidence, *more):
    """Return a row a passage: its rank, document and section, and what else is told of it."""
    for item in evidence:
        section = item.chunk.heading_path[-1] if item.chunk.heading_path else ""
        yield item.rank, item.chunk.document_id, section, *(tell(item) for tell in more)


show_table(["rank", "document", "section"], listed(both))

# %% [markdown]
# **Guess first:** which of these will be shown?

# %%
folded = fold(both, question=question, as_of=as_of)
became = {
    fate.dropped.rank: f"folded into {fate.kept.chunk.document_id}: {fate.reason}" for fate in folded.folds
}
show_table(
    ["rank", "document", "section", "what became of it"],
    listed(both, lambda item: became.get(item.rank, "kept")),
)

# %% [markdown]
# Usually a filter hides superseded documents before the search. Folding is the second line.
#
# When are two passages copies? **Guess first:** one word more; one figure changed; the same words for other readers.

# %%
one = found[0]


def copied(text=None, **fields):
    """Return the same passage in another document, with something changed."""
    text = text or one.chunk.text
    chunk = replace(one.chunk, chunk_id="copy#0000", document_id="copy", text=text, **fields)
    return replace(one, chunk=chunk, rank=2)


# %%
figure = next(word for word in one.chunk.text.split() if any(sign.isdigit() for sign in word)).rstrip(".,")
trials = {
    "word for word": copied(),
    "one word more": copied(one.chunk.text + " Thanks."),
    f"{figure} is another figure": copied(one.chunk.text.replace(figure, "777")),
    "for other readers": copied(access_tags=("board",)),
}
show_table(
    ["the second passage", "shown", "why"],
    [
        (
            name,
            len(fold([one, other]).kept),
            next((f.reason for f in fold([one, other]).folds), "both are shown"),
        )
        for name, other in trials.items()
    ],
)

# %% [markdown]
# Passages for different readers stay apart: whoever may read one may not even see that the other exists. And in doubt, both are
# shown: a copy costs tokens, a lost fact costs the answer.
#
# ### The budget, and what it drops
#
# Passages go in best first. What does not fit is passed over, and the next one has its chance.

# %%
wide = reranking.search(question, filters=owner, top_k=10)
small = assemble_context(question, wide, budget=1_100, model=settings.chat_model, as_of=as_of)

evidence_table(wide, {label: item.chunk.chunk_id for label, item in small.shown.items()})

# %% tags=["hide-input"]
# The build stops here should the text around it no longer be true.
there = [item in small.shown.values() for item in wide]
assert all(there[:4])
assert not there[4]
assert any(there[5:])

# %% [markdown]
# A budget that drops the fifth passage has undone what retrieval did for it, and no ranking metric sees it. So this lesson
# measures one thing more: is the gold quote *in the prompt*?


# %%
def stands_in(gold, document_id, spans):
    """Tell whether a gold quote stands whole in one of some spans of a document."""
    return document_id == gold.document_id and any(a <= gold.span[0] and gold.span[1] <= b for a, b in spans)


def in_prompt(question, context):
    """Return the share of a question's gold quotes that stand whole in a prompt."""
    shown = [(item.chunk.document_id, context.spans[label]) for label, item in context.shown.items()]
    held = [any(stands_in(gold, *passage) for passage in shown) for gold in question.evidence]
    return sum(held) / len(held)


# %%
def in_prompts(k, budget, found=after, some=scored, **options):
    """Return, for each question, the tokens of its prompt and the share of its gold quotes in it."""
    made = [
        (
            q,
            assemble_context(
                q.question, found[q.id][:k], budget=budget, model=settings.chat_model, **options
            ),
        )
        for q in some
    ]
    return [(context.tokens, in_prompt(q, context)) for q, context in made]


def means(pairs):
    """Return mean tokens and mean share of gold quotes."""
    tokens, shares = zip(*pairs)
    return round(sum(tokens) / len(tokens)), sum(shares) / len(shares)


# %%
rooms = [(top_k, 600), (top_k, budget), (10, budget), (10, 6_000)]
by_room = {(k, room): in_prompts(k, room) for k, room in rooms}
show_table(
    ["passages", "budget", "tokens a question", "gold quotes in the prompt"],
    [(*room, *means(pairs)) for room, pairs in by_room.items()],
)


# %% tags=["hide-input"]
def more_gold(pairs, others, name, other):
    """Say whether one kind of prompt was shown to hold more of the gold than another."""
    difference = paired_bootstrap([share for _, share in pairs], [share for _, share in others])
    return difference, comparison_text(Compared(name, other, "recall", difference)).removeprefix("recall: ")


large, usual = by_room[10, 6_000], by_room[top_k, budget]
twice, told = more_gold(large, usual, "ten passages in a large prompt", "five in the usual one")
assert twice.better
assert 1.7 < means(large)[0] / means(usual)[0] < 2.3
show_markdown(f"Of gold in the prompt: {told}. Twice the tokens won more than any reranker here.")

# %% [markdown]
# ### Order
#
# In a long prompt, what stands in the middle is used less reliably than what stands at either end: *lost in the middle* (Liu
# and others). So the best can be put first, the second best last, and the weakest in between:

# %%
edges_first([1, 2, 3, 4, 5, 6])

# %% [markdown]
# `assemble_context(…, order="edges")` does this. It decides only the order, not what fits. Our stand-in reads each passage by
# itself, so it cannot show an effect, and we claim none: measure it with your model, and with as many passages as you
# really send.
#
# ### Compression
#
# Of each passage only the sentences that bear on the question, and a mark between the pieces. Nothing is
# rewritten: what is kept is a *span* of the document, so that a quote can still be found. What a kept sentence cannot be
# read without comes along, such as the heading above it, and the head of its table.

# %%
[short, *_] = compress(found, question)
print(short.text)
print("\nspans:", short.spans)

# %% [markdown]
# A sentence is kept when it scores at least a set share of what the best one does. **Guess first:** how many tokens does that save,
# and how many of the gold quotes that were in the prompt are still there?


# %%
def kept(least, embedder=None):
    """Return tokens and gold quotes of compressed prompts."""

    def short(evidence, question):
        return compress(evidence, question, least=least, embedder=embedder)

    return means(in_prompts(top_k, 6_000, compress=short))


whole = means(in_prompts(top_k, 6_000))
by_words, by_meaning, strict = kept(LEAST), kept(LEAST, embedder), kept(2 * LEAST)
show_table(
    ["kept", "from this share of the best score", "tokens a question", "gold quotes in the prompt"],
    [
        ("all of it", "", *whole),
        ("by words and meaning", f"{LEAST:.1f}", *by_meaning),
        ("by the question's words", f"{LEAST:.1f}", *by_words),
        ("by the question's words", f"{2 * LEAST:.1f}", *strict),
    ],
)

# %% [markdown]
# And a case where compression lost the answer. The passage was found and was in the prompt, and then the sentence that
# answers was taken out of it:


# %%
def shortened(question):
    """Return the passage with the answer, whole and shortened, or None if compression kept the answer."""
    top = after[question.id][:top_k]
    for gold in question.evidence:
        for item, passage in zip(top, compress(top, question.question)):
            name = item.chunk.document_id
            if stands_in(gold, name, [item.chunk.span]) and not stands_in(gold, name, passage.spans):
                return gold, passage
    return None


lost = [(question, case) for question in scored if (case := shortened(question))]
lost_question, (gold, passage) = min(lost, key=lambda pair: len(pair[1][1].text))
document = library.document(gold.document_id)
print(f"{len(lost)} questions, for example: {lost_question.question}")
print("\nthe answer:", document.text[slice(*gold.span)])
print(f"\nwhat was left of the passage:\n{passage.text}")

# %% tags=["hide-input"]
assert lost
assert by_words[0] < whole[0]

# %% [markdown]
# The sentence that answers holds fewer of the question's words than others do. Finding it in spite of that was what search by
# meaning is for, and compression by words takes back what it had won. So compress when tokens are what hurts, by meaning
# as well, and look at this column before and after.
#
# ### Parents: small to search, large to read
#
# The other direction: search small chunks, and hand over the sections that they stand in. With `strategy="parent"`:

# %%
sections = open_library(sample_docs(), client=client, settings=settings, strategy="parent", pipeline="hybrid")
small_only = HybridRetriever(sections.store)


def searched(retriever):
    """Return the ranked lists of a retriever, by question."""
    return {q.id: retriever.search(q.question, filters=filters_of(q), top_k=20) for q in scored}


by_size = {
    f"passages as they are ({len(library.passages):,})": searched(hybrid),
    f"small chunks ({len(sections.chunks):,})": searched(small_only),
    f"their sections ({len(sections.passages):,})": searched(sections.searcher),
}


def tokens_of(found):
    """Return the mean tokens of the first few passages."""
    texts = [item.chunk.text for items in found.values() for item in items[:top_k]]
    return round(sum(map(count_tokens, texts)) / len(found))


# %%
tight = 800
sized = {
    (name, room): in_prompts(20, room, found) for name, found in by_size.items() for room in (budget, tight)
}
show_table(
    ["handed over", f"recall at {top_k}", f"tokens of these {top_k}"]
    + [f"gold in a prompt of {room:,} tokens" for room in (budget, tight)],
    [
        (
            name,
            mean_recall(found, top_k),
            tokens_of(found),
            *(means(sized[name, r])[1] for r in (budget, tight)),
        )
        for name, found in by_size.items()
    ],
)

# %% [markdown]
# With the same number of passages the sections have a little more recall, and they cost far more tokens. So the last two columns
# are the fair ones: the list goes on until the prompt is full, and everybody has the same tokens. In the larger
# prompt the three are close; in the small one the sections are behind, for few of them fit.

# %% tags=["hide-input"]
as_is, small_ones, their_sections = by_size
roomy = [means(sized[name, budget])[1] for name in by_size]
narrow = [means(sized[name, tight])[1] for name in by_size]
assert max(roomy) - min(roomy) < 0.03
assert narrow[2] == min(narrow)
_, told = more_gold(sized[their_sections, tight], sized[as_is, tight], "sections", "passages")
show_markdown(f"In the small prompt: {told}.")

# %% [markdown]
# ### The heading that is searched too
#
# The kit puts title and headings before each text that is embedded, and lexical search reads them as well. That is the *contextual
# prefix*. **Guess first:** what is it worth? The same passages with and without it:

# %%
without = open_library(sample_docs(), client=client, settings=settings, contextual=False)


def recalls_by(pipeline, asked):
    """Return the recall of a pipeline of a library, for each question."""
    retriever = asked.using(pipeline).searcher
    found = {q.id: retriever.search(q.question, filters=filters_of(q), top_k=top_k) for q in scored}
    return [recall(q, found[q.id], top_k) for q in scored]


prefixed = {
    name: [recalls_by(name, asked) for asked in (library, without)] for name in ("dense", "bm25", "hybrid")
}
# %%
by_prefix = {name: paired_bootstrap(*both) for name, both in prefixed.items()}
words = {True: "better", False: "worse", None: "no difference shown"}
show_table(
    [f"recall at {top_k}", "with title and headings", "without", "difference", "from", "to", ""],
    [
        (
            name,
            *(sum(values) / len(values) for values in prefixed[name]),
            d.mean,
            d.low,
            d.high,
            words[d.better],
        )
        for name, d in by_prefix.items()
    ],
)

# %% tags=["hide-input"]
# The build stops here should the text below no longer be true.
assert [name for name, d in by_prefix.items() if d.better] == ["dense"]
assert not any(d.better is False for d in by_prefix.values())

# %% [markdown]
# *It costs that much for each visit* says nothing about whose visit; its heading does. That it helps is shown for the dense search
# only. Why the others gain less, this table does not say.
#
# ## A measure for each layer
#
# A right answer needs three things in turn: the evidence among the candidates, in the few that are taken, and in the prompt.
# Each has its own measure, and the answer has one more. First the measures of a ranking, on a list that fits on paper.
#
# - **recall**: of the relevant passages, the share that came back;
# - **precision**: of what came back, the share that is relevant;
# - **hit**: one if any relevant passage came back, else zero;
# - **reciprocal rank**: one divided by the place of the first relevant one. Its mean over the questions is the **MRR**;
# - **nDCG**: a relevant passage at place *p* gains one divided by the binary logarithm of *p* plus one, so later places gain less. The sum
#   is divided by that of the best possible order.
#
# **Work them out by hand:** five passages came back, A and B are relevant, and so is D, which did not come back.

# %%
ranked = ["X", "A", "Y", "B", "Z"]
relevant = {"A", "B", "D"}

places_of = [place for place, name in enumerate(ranked, 1) if name in relevant]
gains = sum(1 / log2(1 + place) for place in places_of)
ideal = sum(1 / log2(1 + place) for place in range(1, len(relevant) + 1))
show_table(
    ["measure", "by hand", "the package"],
    [
        ("recall@5", len(places_of) / len(relevant), recall_at_k(ranked, relevant, 5)),
        ("precision@5", len(places_of) / 5, precision_at_k(ranked, relevant, 5)),
        ("hit@5", float(bool(places_of)), hit_at_k(ranked, relevant, 5)),
        ("reciprocal rank", 1 / places_of[0], reciprocal_rank(ranked, relevant)),
        ("nDCG@5", gains / ideal, ndcg_at_k(ranked, relevant, 5)),
    ],
)

# %% [markdown]
# The mean of the hits over all questions is the **hit rate**. It says nothing about questions which need two passages and got
# one. Recall does.

# %%
show_source(ndcg_at_k)

# %% [markdown]
# A passage is relevant here when it holds at least half of a gold quote, and recall counts quotes. Each measure answers its own
# question: recall tells whether the model *can* answer, MRR and nDCG whether the order is good, precision how much it has to
# read for nothing. The benchmark has two columns more: **MAP** is the mean of the precision at the place of each relevant
# passage, and **span recall** counts the letters of the quotes that came back.
#
# ## Four pipelines, one benchmark
#
# By meaning, by words, both, and both with reranking. Lexical search is the **floor**: it needs no model at all, so what does
# not beat it has not earned its cost.
#
# **Write down your order of the four** before you run it, and for which kind of question it will not hold.


# %%
def denied_of(question):
    """Return the filters of somebody who may not have the answer, where a question names such a person."""
    return None if question.denied_tags is None else Filters.for_tags(question.denied_tags, as_of=as_of)


pipelines = {
    "dense": library.using("dense").searcher,
    "bm25": library.using("bm25").searcher,
    "hybrid": hybrid,
    "hybrid+rerank": reranking,
}
result = benchmark(
    questions,
    pipelines,
    filters_of=filters_of,
    denied_of=denied_of,
    k=top_k,
    passages=library.passages,
)
benchmark_table(result)

# %%
benchmark_kinds(result)

# %%
benchmark_plot(result)

# %% [markdown]
# Look at the lengths of the lines before you look at the points. With so few questions of a kind, most of what seems to
# be a difference could be luck. So compare two pipelines on the *same* questions:

# %%
show_markdown(*(benchmark_comparisons(result, measure).data for measure in ("recall", "mrr", "ndcg")))

# %% tags=["hide-input"]
pairs = {measure: compare(result, measure) for measure in ("recall", "mrr", "ndcg")}
shown = [(m, pair) for m, rows in pairs.items() for pair in rows if pair.difference.better is not None]
reranked = next(pair for pair in pairs["recall"] if {pair.a, pair.b} == {"hybrid", "hybrid+rerank"})
rows_by_name = {row.name: row for row in result.pipelines}


def by_kind(kind):
    """Return the MRR of hybrid and of hybrid with reranking on a kind of question."""
    places = result.places(kind=kind)
    return [mean_of(rows_by_name[name], "mrr", places) for name in ("hybrid", "hybrid+rerank")]


worse = [kind for kind in result.kinds() if by_kind(kind)[1] < by_kind(kind)[0]]
better = [kind for kind in result.kinds() if by_kind(kind)[1] > by_kind(kind)[0]]


def behind(kind):
    """Return by how many questions' worth of recall the better part of hybrid alone is ahead of it on a kind."""
    places = result.places(kind=kind)
    alone, both = (
        [mean_of(rows_by_name[name], "recall", places) for name in names]
        for names in (("dense", "bm25"), ("hybrid",))
    )
    return (max(alone) - both[0]) * len(places)


beaten = [kind for kind in result.kinds() if behind(kind) > 0]
assert all(round(behind(kind), 3) == 1 for kind in beaten)
assert all("bm25" in (pair.a, pair.b) for _, pair in shown)
looks = sum(map(len, pairs.values()))
fit = [
    f"{round(100 * value):+d}"
    for value in (reranked.difference.mean, reranked.difference.low, reranked.difference.high)
]
show_markdown(
    f"{len(shown)} of these {looks} comparisons showed a difference, and all {len(shown)} are against bm25. Between dense, hybrid and "
    f"hybrid+rerank none was shown. With {looks} looks at intervals of 95 %, about one may come by luck.",
    f"**The number that you noted at the beginning:** of a hundred questions, {fit[0]} with reranking, and anything from {fit[1]} to "
    f"{fit[2]} would fit. The mean reciprocal rank is higher on {', '.join(better) or 'no kind'}, and lower on "
    f"{', '.join(worse) or 'no kind'}.",
    f"On these kinds, one of its two parts alone found more than hybrid: {', '.join(beaten) or 'none'}. It is one question each: "
    "an example, no finding.",
)

# %% [markdown]
# Settings were looked at on one half of the questions. The other half reports:

# %%
benchmark_halves(result)

# %% tags=["hide-input"]
# The build stops here should the text below no longer be true.
sides = [
    mean_of(rows_by_name["hybrid+rerank"], "recall", result.places(half))
    - mean_of(rows_by_name["hybrid"], "recall", result.places(half))
    for half in ("tune", "report")
]
assert sides[0] < 0 < sides[1]

# %% [markdown]
# Look at hybrid with and without reranking: the sign turns round. Choose by either half alone and you would have told two
# different stories.
#
# For whoever wants to draw something else from it, the same comes as JSON from `python3 kit.py benchmark … --json`.
#
# How long a search took, with the sentences remembered. It differs from run to run, so only your own run shows it:

# %% tags=["volatile"]
benchmark_timings(result)

# %% [markdown]
# **What to make of it?** Take the simplest pipeline that no other was shown to beat, on the kinds of question that *your*
# people ask. The order here, from simple to elaborate: bm25, dense, hybrid, hybrid with reranking.

# %% tags=["hide-input"]
beaten_by = {name: set() for name in pipelines}
for _, pair in shown:
    good, bad = (pair.a, pair.b) if pair.difference.better else (pair.b, pair.a)
    beaten_by[bad].add(good)
simplest = next(name for name in ("bm25", "dense", "hybrid", "hybrid+rerank") if not beaten_by[name])
ahead = next(pair for pair in pairs["mrr"] if {pair.a, pair.b} == {"hybrid", "dense"})
named = [mean_of(row, "recall", result.places(kind="identifier")) for row in result.pipelines]
orders = {
    measure: ", ".join(
        sorted(pipelines, key=lambda name: -mean_of(rows_by_name[name], measure, result.places()))
    )
    for measure in ("recall", "mrr")
}
# The build stops here should the text below no longer be true.
assert simplest == "dense"
assert ahead.difference.better is None
assert [name for name in pipelines if beaten_by[name]] == ["bm25"]
assert len(set(named)) == 1
show_markdown(
    f"Your order of the four: by recall it is {orders['recall']}; by MRR it is {orders['mrr']}. All that was shown is against bm25.",
    f"By the rule, {simplest} would do here: no pipeline was shown to be better than it. Hybrid is ahead in MRR, and that "
    f"is not enough: {comparison_text(ahead)}. The kit's default comes from other sets; yours decides.",
    f"If most of your people name a part number, look at that row: recall is {named[0]:.3f} for all four here, so these "
    f"{len(result.places(kind='identifier'))} questions cannot tell them apart.",
)

# %% [markdown]
# And measure again when the model changes: another reranker is another result.
#
# ## Retrieval or generation?
#
# The layers of one pipeline, one after the other, on the same questions. The largest drop is where to work first.


# %%
reporting = [question for question in scored if question not in tuning]


def answers(retriever):
    """Ask the questions of the reporting half, and return the answers by question."""
    return {
        q.id: ask(
            q.question,
            retriever,
            client=client,
            model=settings.chat_model,
            filters=filters_of(q),
            top_k=top_k,
            budget=budget,
            min_similarity=settings.min_similarity,
        )
        for q in reporting
    }


given = {"hybrid": answers(hybrid)}

# %%
given["hybrid+rerank"] = answers(reranking)
outcomes = ("right", "wrong", "refused")


def layers(name, found):
    """Return what is left of the evidence after each stage, and what came of it."""
    row, places = rows_by_name[name], result.places("report")
    marks = Counter(
        grade_answer(given[name][q.id].text, refused=given[name][q.id].refusal is not None, question=q)
        for q in reporting
    )
    return (
        name,
        mean_recall(found, candidates, reporting),
        mean_of(row, "recall", places),
        means(in_prompts(top_k, budget, found, reporting))[1],
        *(marks[outcome] / len(reporting) for outcome in outcomes),
    )


by_layer = [layers("hybrid", lists), layers("hybrid+rerank", after)]
show_table(["pipeline", f"recall@{candidates}", f"recall@{top_k}", "gold in the prompt", *outcomes], by_layer)

# %% [markdown]
# The largest drop is the last one: the timid stand-in has the evidence in front of it and is not sure enough. A better search
# would not help it much; another model might. Without the columns before it you might have blamed retrieval.
#
# The same question by question, with `explain_miss` from lesson 03, on hybrid. *Used* means that the answer cites the evidence,
# right or not:

# %%
reports = [
    (
        q,
        explain_miss(
            q, None, library, filters=filters_of(q), top_k=top_k, budget=budget, answer=given["hybrid"][q.id]
        ),
    )
    for q in reporting
]
by_stage = Counter(report.stage for _, report in reports)
show_table(
    ["stage", "questions", "for example"],
    [
        (stage, by_stage[stage], next(q.question for q, report in reports if report.stage == stage))
        for stage in STAGES
        if by_stage[stage]
    ],
)

# %% tags=["hide-input"]
in_recall = by_stage["not among the candidates"]
in_rank = by_stage["ranked below k"]
before_prompt = ("below the similarity threshold", "folded into another passage", "dropped by the budget")
in_context = sum(by_stage[stage] for stage in before_prompt)
in_generation = by_stage["in the prompt but not used"]
show_markdown(
    f"Of {len(reports)} questions, the recall stage lost {in_recall}, the order {in_rank}, the way into the prompt "
    f"{in_context}, and generation {in_generation}. A reranker of {candidates} candidates can help with {in_rank} of them."
)

# %% tags=["hide-input"]
# The build stops here should the text above no longer be true.
assert in_generation > in_recall + in_rank + in_context
assert all(row[3] - row[4] > row[1] - row[3] for row in by_layer)
assert by_stage["used"]

# %% [markdown]
# ## Checkpoint

# %%
checkpoint("05-hit-rate")

# %%
checkpoint("05-not-a-candidate")

# %%
checkpoint("05-whose-fault")

# %%
checkpoint("05-rerank-or-not")

# %% [markdown]
# ## In an interview
#
# Answer aloud first, then open the sample answer.

# %% tags=["hide-input"]
show_markdown(
    "**“What is the difference between recall and reranking?”**",
    "<details><summary>Sample answer</summary>\n\nYour people see few passages, and the right one among them, without paying "
    "for a close look at everything. The recall stage is cheap and must lose nothing; the reranker is dear, sees only the candidates and must order "
    f"them well. In my notebook the first {candidates} held {in_list[candidates]:.2f} of the evidence and the first {top_k} "
    f"{in_list[top_k]:.2f}: that gap is all that a reranker can win. What mine won: {comparison_text(reranked)}. So I would not "
    f"{'leave it out' if reranked.difference.better is not None else 'pay for it before more questions say otherwise'}.\n\n</details>",
    "**“The answer is wrong. Is it the retrieval or the generation?”**",
    "<details><summary>Sample answer</summary>\n\nYou learn which part to pay for. I follow the words that should have been quoted: among the "
    "candidates, among those taken, in the prompt, used. Each stage has its own measure, so the first that drops is the cause. "
    f"In my notebook, of {len(reports)} questions recall lost {in_recall}, the order {in_rank}, the way into the prompt {in_context}, "
    f"and a timid model that had the evidence before it {in_generation}.\n\n</details>",
    "**“How many candidates do you rerank?”**",
    "<details><summary>Sample answer</summary>\n\nAs few as lose nothing that I can show, because each one is waited and paid for. I "
    f"measure the recall of the list by its depth, and what the reranker keeps of it. From {depths[0].candidates} to {depths[-1].candidates} "
    f"candidates the list rose from {depths[0].mean_found:.2f} to {depths[-1].mean_found:.2f}, and the top {top_k} went from "
    f"{depths[0].mean_kept:.2f} to {depths[-1].mean_kept:.2f}: {at_depth}. For a language model as reranker, {candidates} candidates were "
    f"{costs['language model'][1]} a question.\n\n</details>",
    "**“Would you compress the context?”**",
    "<details><summary>Sample answer</summary>\n\nIt makes each answer cheaper, and it can cost the answer. I keep whole sentences as spans of the "
    "document, so that citations stay exact, and I count the gold quotes in the prompt before and after. "
    f"In my notebook, keeping sentences by the question's words took the prompt from {whole[0]:,} to {by_words[0]:,} tokens, and the gold in it "
    f"from {whole[1]:.2f} to {by_words[1]:.2f}.\n\n</details>",
)

# %% [markdown]
# ## Take with you
#
# - The recall stage must lose nothing, the precision stage must choose well. What is not among the candidates, no
#   reranker brings back.
# - Each step into the prompt can lose the evidence: folding, the budget, compression. Measure the gold *in the prompt*.
# - A more elaborate pipeline is not a better one until an interval says so, on the questions that your people ask.
#
# **Now the exercise:** `exercises/05_rerank_context.ipynb`. You find out from the JSON of `search` and `ask` which stage lost
# the evidence, and mend a reranker with three bugs.
#
# **Read next:** Liu and others, *Lost in the Middle: How Language Models Use Long Contexts*; Nogueira and Cho, *Passage
# Re-ranking with BERT*; Yu and others, *Chain-of-Note*, on what a model does with passages that do not help.

# %%
SelfRating("05")
