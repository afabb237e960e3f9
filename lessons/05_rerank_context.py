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
#   minutes: 60
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
# It takes about an hour; lesson 04 comes before it. New words are in `GLOSSARY.md`. The first run embeds each
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
from rag_kit.evaluation.benchmark_json import benchmark_json
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
from rag_kit.generation.compression import compress
from rag_kit.generation.folding import fold
from rag_kit.generation.ordering import edges_first
from rag_kit.indexing import embed_with_rows
from rag_kit.operations.library import embedder_of, tokenizer_of
from rag_kit.protocols import Reranker
from rag_kit.retrieval import HybridRetriever, MemoryStore
from rag_kit.retrieval.reranking import BestSentenceReranker, LLMReranker, RerankingRetriever
from rag_kit.retrieval.reranking.best_sentence import sentences_of
from rag_kit.retrieval.reranking.order import standardise
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
# person who asks. A question for the finance team is asked as the finance team.

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
# **Guess first:** how often is all the evidence in the first five of the hybrid list? And in the first fifty?

# %%
hybrid = library.searcher
lists = {
    question.id: hybrid.search(question.question, filters=filters_of(question), top_k=candidates)
    for question in scored
}


def recall(question, found, k):
    """Return the share of a question's gold quotes that the first k passages hold."""
    return score_ranking(question.evidence, [item.chunk for item in found], k)["recall"]


def mean_recall(found, k):
    """Return the mean recall of some ranked lists, kept by question."""
    return sum(recall(question, found[question.id], k) for question in scored) / len(scored)


deeper = (top_k, 10, 20, candidates)
in_list = {k: mean_recall(lists, k) for k in deeper}
show_table(["first", "mean recall of the hybrid list"], in_list.items())

# %% tags=["hide-input"]
never, to_win = 1 - in_list[candidates], in_list[candidates] - in_list[top_k]
show_markdown(
    f"Between the first {top_k} and the first {candidates} lie {to_win:.3f}: that is all that a better order can win. "
    f"The {never:.3f} that are not among the {candidates} are the recall stage's to find, and no reranker's."
)

# %% [markdown]
# ## A closer look
#
# The vector of a passage stands for all that it says. A passage with many subjects has a vector of none of them, and
# one sentence of it may still be the answer. So the offline reranker embeds each *sentence*, and takes the one that is
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

# %% [markdown]
# The closest sentence need not be the one with the answer: a score says that texts are alike, and not that one answers
# the other. And the order that there was before knew something, too. So both are added, each brought to one scale
# first: how many standard deviations above the mean of this list? That is a *z-score*.
#
# **Work it out on paper:** three candidates, with their scores so far, and the similarity of their best sentence. Half
# of the second z-score is added to the first. Which comes first?

# %%
before = [3.0, 2.0, 1.0]
best = [0.2, 0.9, 0.5]


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
# ### A reranker is a promise
#
# Anything that keeps this promise can take its place:

# %%
show_source(Reranker)

# %% [markdown]
# Three kinds that you will meet:
#
# - **By sentences**, as here: no further model, because it uses the embedder that is there already.
# - A **cross-encoder** reads question and passage *together* and gives one score. A bi-encoder, such as our embedder, reads
#   each alone. It is usually the best for its price, and needs the package sentence-transformers, PyTorch and a model of some
#   hundred megabytes: `CrossEncoderReranker`.
# - A **language model** grades each passage: `LLMReranker`. It needs a chat model, and the text of every candidate is sent.
#
# What would the last one send? Its requests can be counted without a model: a server that answers from a script takes
# them.

# %%
grades = json.dumps({"notes": [{"label": 1, "relevance": 5}]})
server = ScriptedTransport(*[grades] * 10)
LLMReranker(server.client(), settings.chat_model).rerank(asked.question, lists[asked.id], top_n=top_k)

sent = [count_messages(request["messages"], settings.chat_model) for request in server.requests]
print(f"{len(sent)} calls and {sum(sent):,} tokens for one question, before anything is answered")

# %% [markdown]
# The two stages together are one retriever. Copies are folded before anything is scored twice, and nothing gets out
# that was not a candidate:

# %%
reranker = BestSentenceReranker(embedder)
reranking = RerankingRetriever(hybrid, reranker, candidates=candidates)

show_source(RerankingRetriever.search)

# %% [markdown]
# ## How many candidates are enough?
#
# Settings are chosen on one half of the questions. **Guess first:** with more candidates, can the recall of the list
# fall? Can the recall of the top five fall?

# %%
depths = measure_depths(tuning, hybrid, reranker, depths=deeper, k=top_k, filters_of=filters_of)

show_table(
    ["candidates", "recall of the list", f"recall of the top {top_k} after reranking"],
    [(row.candidates, row.mean_found, row.mean_kept) for row in depths],
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
told = comparison_text(Compared(f"{last.candidates} reranked", "no reranking", "recall", gain))
show_markdown(
    f"On these {len(tuning)} questions, from {first.candidates} to {last.candidates} candidates the list gained "
    f"{last.mean_found - first.mean_found:+.3f} and the top {top_k} {last.mean_kept - first.mean_kept:+.3f}. {told}."
)

# %% [markdown]
# ### What it costs
#
# Counted with an embedder that counts: the texts that the reranker asks for, and their tokens. The second time, sentences are
# remembered, and only the question is new.


# %%
class Counting:
    """An embedder that counts what it is asked for."""

    def __init__(self, inner):
        self.inner, self.name, self.texts, self.tokens = inner, inner.name, 0, 0

    def embed(self, texts):
        self.texts += len(texts)
        self.tokens += sum(tokenizer.count(text) for text in texts)
        return self.inner.embed(texts)


def cost(depth):
    counting = Counting(embedder)
    fresh = BestSentenceReranker(counting)
    rows = [depth]
    for _ in range(2):
        before = counting.texts, counting.tokens
        fresh.rerank(asked.question, lists[asked.id][:depth], top_n=top_k)
        rows += [counting.texts - before[0], counting.tokens - before[1]]
    other = next(question for question in scored if question.id != asked.id)
    before = counting.texts
    fresh.rerank(other.question, lists[asked.id][:depth], top_n=top_k)
    return *rows, counting.texts - before


show_table(
    [
        "candidates",
        "texts embedded at first",
        "tokens",
        "asked again: texts",
        "tokens ",
        "another question, same passages",
    ],
    [cost(depth) for depth in deeper],
)

# %% [markdown]
# The sentences can be embedded when the documents are indexed, so that nobody waits for them. A cross-encoder cannot do
# that: it has to read each pair anew, for it needs the question.
#
# ### Who rose, and who fell
#
# A mean hides both. The questions whose evidence entered the top five or left it:

# %%
after = {
    question.id: reranking.search(question.question, filters=filters_of(question), top_k=candidates)
    for question in scored
}


def ranks(question, found):
    """Return, for each gold quote, the rank of the first passage that holds it."""
    places = [next((i.rank for i in found if holds(i.chunk, gold)), None) for gold in question.evidence]
    return ", ".join("–" if place is None else str(place) for place in places)


def change(question):
    """Return how much the recall of the top k changed by reranking."""
    return recall(question, after[question.id], top_k) - recall(question, lists[question.id], top_k)


moved = sorted((question for question in scored if change(question)), key=change, reverse=True)
show_table(
    ["question", "kind", "rank before", "after"],
    [(q.question, q.kind, ranks(q, lists[q.id]), ranks(q, after[q.id])) for q in moved],
)


# %% [markdown]
# And the clever thing's worst case: the question whose evidence fell furthest from where it stood at first. What was put
# before it?


# %%
def fall(question):
    """Return how many places the first relevant passage fell."""
    first = [
        next((i.rank for i in found[question.id] if any(holds(i.chunk, g) for g in question.evidence)), 99)
        for found in (lists, after)
    ]
    return first[1] - first[0] if first[0] <= top_k else 0


worst = max(scored, key=fall)
print(
    f"{worst.question}\nrank before: {ranks(worst, lists[worst.id])}, after: {ranks(worst, after[worst.id])}"
)
evidence_table(after[worst.id][: fall(worst) + 1])

# %% tags=["hide-input"]
# The build stops here should the text below no longer be true.
assert fall(worst) > 0
assert any(change(question) > 0 for question in scored)

# %% [markdown]
# The sentences put before it are *about* the same thing. The one that answers is a row or a clause with a code or a figure, and
# says little in words. What the closer look wins on questions in the reader's own words, it can lose on those that hang on a
# code. Whether it wins more than it loses is a question for the benchmark, below.
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
# The label is what an answer can cite, and title and section tell two like sentences apart. The tags are chosen so that no
# document can close them; a source is material, not an order.
#
# ### Folding
#
# A copy in the prompt takes the place of something else. Two versions of one document contradict each other.
#
# **Guess first:** here the search may also see what has been superseded. Which of these passages will be shown?

# %%
everything = Filters.owner(as_of=as_of, include_superseded=True)
both = hybrid.search(question, filters=everything, top_k=top_k)
folded = fold(both, question=question, as_of=as_of)

show_table(
    ["rank", "document", "section", "what became of it"],
    [
        (
            item.rank,
            item.chunk.document_id,
            item.chunk.heading_path[-1] if item.chunk.heading_path else "",
            next(
                (
                    f"folded into {f.kept.chunk.document_id}: {f.reason}"
                    for f in folded.folds
                    if f.dropped == item
                ),
                "kept",
            ),
        )
        for item in both
    ],
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


figure = next(word for word in one.chunk.text.split() if any(sign.isdigit() for sign in word))
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
# In doubt, both are shown. A copy costs tokens, a lost fact costs the answer.
#
# ### The budget, and what it drops
#
# Passages go in best first. What does not fit is passed over, and the next one has its chance.

# %%
wide = reranking.search(question, filters=owner, top_k=10)
small = assemble_context(question, wide, budget=800, model=settings.chat_model, as_of=as_of)

evidence_table(wide, {label: item.chunk.chunk_id for label, item in small.shown.items()})

# %% [markdown]
# A budget that drops the fourth passage has undone what retrieval did, and no ranking metric sees it. So this lesson
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


def prompts(k, budget, found=after, **options):
    """Return mean tokens and mean share of gold quotes in the prompt, over all questions."""
    made = [
        (
            q,
            assemble_context(
                q.question, found[q.id][:k], budget=budget, model=settings.chat_model, **options
            ),
        )
        for q in scored
    ]
    return (
        round(sum(context.tokens for _, context in made) / len(made)),
        sum(in_prompt(q, context) for q, context in made) / len(made),
    )


show_table(
    ["passages", "budget", "tokens a question", "gold quotes in the prompt"],
    [(k, room, *prompts(k, room)) for k, room in ((top_k, 600), (top_k, budget), (10, budget), (10, 6_000))],
)

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
# Of each passage only the sentences that bear on the question, and a mark where something is left out. Nothing is
# rewritten: what is kept is a *span* of the document, so that a quote can still be found. What a kept sentence cannot be
# read without comes along, such as the heading above it, and the head of its table.

# %%
[first, *_] = compress(found, question, keep=0.5)
print(first.text)
print("\nspans:", first.spans)

# %% [markdown]
# **Guess first:** half of the text is left out. How many of the gold quotes that were in the prompt are still there?


# %%
def kept(share, embedder=None):
    def short(evidence, question):
        return compress(evidence, question, keep=share, embedder=embedder)

    return prompts(top_k, 6_000, compress=short)


whole = prompts(top_k, 6_000)
half, half_by_meaning, quarter = kept(0.5), kept(0.5, embedder), kept(0.25)
show_table(
    ["kept", "tokens a question", "gold quotes in the prompt"],
    [
        ("all of it", *whole),
        ("half, by the question's words", *half),
        ("half, by words and meaning", *half_by_meaning),
        ("a quarter, by the question's words", *quarter),
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
        for item, passage in zip(top, compress(top, question.question, keep=0.5)):
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
assert half[0] < whole[0]

# %% [markdown]
# The question and the answer share no word, and that is just the case that dense search was for. Compression by words
# takes back what it had won. So compress when tokens are what hurts, by meaning as well, and look at this column
# before and after.
#
# ### Parents: small to search, large to read
#
# The other direction: search small chunks, and hand over the sections that they stand in. With `strategy="parent"`:

# %%
sections = open_library(sample_docs(), client=client, settings=settings, strategy="parent", pipeline="hybrid")
small_only = HybridRetriever(sections.store)


def searched(retriever, k=top_k):
    """Return mean recall, passages' tokens a question and the share of gold quotes in a prompt of any length."""
    found = {q.id: retriever.search(q.question, filters=filters_of(q), top_k=k) for q in scored}
    tokens = sum(count_tokens(item.chunk.text) for items in found.values() for item in items)
    return (
        mean_recall(found, k),
        round(tokens / len(scored)),
        prompts(k, 20_000, found)[1],
        prompts(k, budget, found)[1],
    )


by_size = {
    f"passages as they are ({len(library.passages)})": searched(hybrid),
    f"small chunks ({len(sections.chunks)})": searched(small_only),
    f"their sections ({len(sections.passages)})": searched(sections.searcher),
}
show_table(
    [
        "handed over",
        f"recall at {top_k}",
        "tokens a question",
        "in a prompt without a budget",
        f"with {budget:,} tokens",
    ],
    [(name, *row) for name, row in by_size.items()],
)

# %% [markdown]
# A section holds more, so it has more recall for the same number of passages, and it fills the budget faster. The last
# column is the fair one: the same tokens for everybody.
#
# ### The heading that is searched too
#
# The kit puts title and headings before each text that is embedded, and lexical search reads them as well. That is the *contextual
# prefix*. **Guess first:** what is it worth? The same passages with and without it:

# %%
bare = [replace(chunk, title="", heading_path=()) for chunk in library.chunks]
bare_vectors, bare_owners = embed_with_rows(bare, embedder)
without = MemoryStore(library.chunks, bare_vectors, embedder, owners=bare_owners, contextual=False)

prefixed = {
    name: (
        [
            mean_recall(
                {q.id: r.search(q.question, filters=filters_of(q), top_k=top_k) for q in scored}, top_k
            )
            for r in pair
        ]
    )
    for name, pair in {
        "dense": (library.using("dense").searcher, without.dense),
        "bm25": (library.using("bm25").searcher, without.bm25),
        "hybrid": (hybrid, HybridRetriever(without)),
    }.items()
}
show_table(
    [f"recall at {top_k}", "with title and headings", "without"],
    [(name, *row) for name, row in prefixed.items()],
)

# %% [markdown]
# *It costs that much for each visit* says nothing about whose visit; its heading does. Where a pipeline gains little here, its
# passages say themselves what they are about.
#
# ## A measure for each layer
#
# A right answer needs three things in turn: the evidence among the candidates, in the few that are taken, and in the prompt.
# Each has its own measure, and the answer has one more. First the measures of a ranking, on a list that fits on paper.
#
# **Work them out by hand:** five passages came back, A and B are relevant, and so is D, which did not come back.

# %%
ranked = ["X", "A", "Y", "B", "Z"]
relevant = {"A", "B", "D"}

found_there = [place for place, name in enumerate(ranked, 1) if name in relevant]
gains = sum(1 / log2(1 + place) for place in found_there)
ideal = sum(1 / log2(1 + place) for place in range(1, len(relevant) + 1))
show_table(
    ["measure", "in words", "by hand", "the package"],
    [
        (
            "recall@5",
            "of the relevant, the share that came back",
            len(found_there) / len(relevant),
            recall_at_k(ranked, relevant, 5),
        ),
        (
            "precision@5",
            "of what came back, the share that is relevant",
            len(found_there) / 5,
            precision_at_k(ranked, relevant, 5),
        ),
        ("hit@5", "did any relevant one come back", float(bool(found_there)), hit_at_k(ranked, relevant, 5)),
        (
            "reciprocal rank",
            "one divided by the place of the first; its mean is the MRR",
            1 / found_there[0],
            reciprocal_rank(ranked, relevant),
        ),
        (
            "nDCG@5",
            "places discounted, as a share of the best order",
            gains / ideal,
            ndcg_at_k(ranked, relevant, 5),
        ),
    ],
)

# %% [markdown]
# The mean of the hits over all questions is the **hit rate**. If 82 of 100 questions have a relevant passage among the
# first five, the hit rate is 82 %; that says nothing about questions which need two passages and got one. Recall does.

# %%
hits = [1.0] * 82 + [0.0] * (100 - 82)
print(f"hit rate {sum(hits) / len(hits):.0%}")
show_source(ndcg_at_k)

# %% [markdown]
# A passage is relevant here when it holds at least half of a gold quote, and recall counts quotes. Each measure answers its own
# question: recall tells whether the model *can* answer, MRR and nDCG whether the order is good, precision how much it has to
# read for nothing.
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
benchmark_comparisons(result)

# %%
benchmark_comparisons(result, "mrr")

# %% tags=["hide-input"]
pairs = {measure: compare(result, measure) for measure in ("recall", "mrr", "ndcg")}
shown = [(m, pair) for m, rows in pairs.items() for pair in rows if pair.difference.better is not None]
reranked = next(pair for pair in pairs["recall"] if {pair.a, pair.b} == {"hybrid", "hybrid+rerank"})
rows_by_name = {row.name: row for row in result.pipelines}


def by_kind(kind):
    """Return the recall of hybrid and of hybrid with reranking on a kind of question."""
    places = result.places(kind=kind)
    return [mean_of(rows_by_name[name], "mrr", places) for name in ("hybrid", "hybrid+rerank")]


worse = [kind for kind in result.kinds() if by_kind(kind)[1] < by_kind(kind)[0]]
better = [kind for kind in result.kinds() if by_kind(kind)[1] > by_kind(kind)[0]]
told = f"{len(shown)} of the {sum(map(len, pairs.values()))} comparisons by recall, MRR and nDCG showed a difference"
show_markdown(
    f"{told}. Reranking against hybrid alone: {comparison_text(reranked)}. Its mean reciprocal rank is higher on "
    f"{', '.join(better) or 'no kind'}, and lower on {', '.join(worse) or 'no kind'}. Hold that against the number that "
    "you noted at the beginning."
)

# %% [markdown]
# Settings were looked at on one half of the questions. The other half reports:

# %%
benchmark_halves(result)

# %% [markdown]
# The same as JSON, for whoever wants to draw something else from it; in a terminal it is `python3 kit.py benchmark … --json`. One
# pipeline's figures:

# %%
figures = benchmark_json(result)["pipelines"]["hybrid"]
{name: round(value, 3) for name, value in figures.items() if isinstance(value, float) and "ms" not in name}

# %% [markdown]
# How long a search took, on the machine that ran it, with the sentences remembered:

# %% tags=["volatile"]
benchmark_timings(result)

# %% [markdown]
# **What to make of it?** Take the simplest pipeline from which no better one was shown to differ, on the kinds of question that *your*
# people ask. If most of them name a part number, a reranker that loses part numbers is no gain, whatever the mean says. And
# measure again when the model changes: another reranker is another result.
#
# ## Retrieval or generation?
#
# The layers of one pipeline, one after the other, on the same questions. The first figure that drops is where to work.


# %%
def answers(retriever, some):
    """Ask some of the questions, and return the answers by question."""
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
        for q in some
    }


def grades_of(given):
    """Count right, wrong and refused answers."""
    return Counter(
        grade_answer(given[q.id].text, refused=given[q.id].refusal is not None, question=q) for q in scored
    )


given = {"hybrid": answers(hybrid, tuning)}

# %%
given["hybrid"] |= answers(hybrid, [question for question in scored if question not in tuning])

# %%
given["hybrid+rerank"] = answers(reranking, scored)


def layers(name, ranked):
    row, places = rows_by_name[name], result.places()
    marks = grades_of(given[name])
    return (
        name,
        in_list[candidates],
        mean_of(row, "recall", places),
        mean_of(row, "mrr", places),
        prompts(top_k, budget, ranked)[1],
        marks["right"] / len(scored),
        marks["wrong"] / len(scored),
    )


show_table(
    [
        "pipeline",
        f"candidates: recall@{candidates}",
        f"taken: recall@{top_k}",
        "MRR",
        "gold in the prompt",
        "right",
        "wrong",
    ],
    [layers("hybrid", lists), layers("hybrid+rerank", after)],
)

# %% [markdown]
# The largest drop is the last one: the timid stand-in has the evidence in front of it and is not sure enough. A better search
# would not help it much; another model would. Without the middle columns you would have blamed retrieval.
#
# The same for single questions, with `explain_miss` from lesson 03, on hybrid:

# %%
reports = [
    (
        q,
        explain_miss(
            q, None, library, filters=filters_of(q), top_k=top_k, budget=budget, answer=given["hybrid"][q.id]
        ),
    )
    for q in scored
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
in_context = by_stage["dropped by the budget"] + by_stage["below the similarity threshold"]
in_generation = by_stage["in the prompt but not used"]
show_markdown(
    f"Of {len(reports)} questions, the recall stage lost {in_recall}, the order {in_rank}, the way into the prompt "
    f"{in_context}, and generation {in_generation}. A reranker can help with {in_rank} of them."
)

# %% tags=["hide-input"]
# The build stops here should the text above no longer be true.
assert in_generation > in_recall + in_rank + in_context
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
    f"{in_list[top_k]:.2f}: that gap is all that a reranker can win. Of mine, {comparison_text(reranked)}. So I would not "
    f"{'leave it out' if reranked.difference.better is not None else 'pay for it before more questions say otherwise'}.\n\n</details>",
    "**“The answer is wrong. Is it the retrieval or the generation?”**",
    "<details><summary>Sample answer</summary>\n\nYou learn which part to pay for. I follow the words that should have been quoted: among the "
    "candidates, among those taken, in the prompt, used. Each stage has its own measure, so the first that drops is the cause. "
    f"In my notebook, of {len(reports)} questions {in_recall} were lost by recall, {in_rank} by the order, {in_context} on the way into the "
    f"prompt, and {in_generation} by a timid model that had the evidence before it.\n\n</details>",
    "**“How many candidates do you rerank?”**",
    "<details><summary>Sample answer</summary>\n\nAs few as lose nothing that I can show, because each one is waited and paid for. I "
    f"measure the recall of the list by its depth, and what the reranker keeps of it. From {depths[0].candidates} to {depths[-1].candidates} "
    f"candidates the list rose from {depths[0].mean_found:.2f} to {depths[-1].mean_found:.2f}, and the top {top_k} went from "
    f"{depths[0].mean_kept:.2f} to {depths[-1].mean_kept:.2f}. For a language model as reranker, {candidates} candidates were {len(sent)} calls and "
    f"{sum(sent):,} tokens a question.\n\n</details>",
    "**“Would you compress the context?”**",
    "<details><summary>Sample answer</summary>\n\nIt makes each answer cheaper, and it can cost the answer. I keep whole sentences as spans of the "
    "document, so that citations stay exact, and I count the gold quotes in the prompt before and after. "
    f"In my notebook keeping half by the question's words took the prompt from {whole[0]:,} to {half[0]:,} tokens, and the gold in it from {whole[1]:.2f} "
    f"to {half[1]:.2f}.\n\n</details>",
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
