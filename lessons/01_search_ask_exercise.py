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
#   title: Search-Ask, the exercise
#   can_do: write search, budget, ask and refuse yourself; find two faults that hide behind a refusal
#   minutes: 45
# ---

# %% [markdown]
# # 01 Search-Ask: your turn
#
# Five short functions, in the order of the pipeline. Three you write; two are there already, and wrong: you
# find out why, and mend them.
#
# - `check("01.1", …)` tells what passes and what does not yet. Each failing call opens one more hint.
# - `try_it(…)` calls your function and shows what came back.
# - Run the notebook as often as you like; it reaches its end however far you are.
#
# Everything is small enough to work out by hand, and nothing leaves this machine. The solved notebook lies in
# `solutions/`; open it last.

# %% tags=["parameters"]
question = "What does the battery pack cost?"

# %%
import math
import tempfile
from pathlib import Path

from rag_kit import REFUSAL, SYSTEM_MESSAGE, connect, find_labels
from rag_kit.llm.recording import read_calls
from rag_kit.sources import Source, write_source
from rag_kit.teaching import SelfRating, check, progress, try_it

# %% [markdown]
# ## Exercise 01.1: rank by cosine
#
# A search compares the question's vector with each passage's. Return the **indices** of the passages, the
# closest first.
#
# - Compare directions, not lengths: use the cosine.
# - Equal directions keep their order. (Computed cosines differ in the last digit: round them to five places.)
# - A vector of zeros has no direction. It comes last.


# %%
def cosine_rank(query_vector, vectors):
    """Return the indices of the vectors, the closest direction first."""

    ### BEGIN SOLUTION
    def cosine(vector):
        lengths = math.hypot(*query_vector) * math.hypot(*vector)
        if lengths == 0:
            return -math.inf
        shared = sum(a * b for a, b in zip(query_vector, vector))
        return round(shared / lengths, 5)

    scores = [cosine(vector) for vector in vectors]
    return sorted(range(len(scores)), key=lambda index: (-scores[index], index))
    ### END SOLUTION


# %%
try_it(cosine_rank, [1, 0], [[0, 1], [1, 0], [1, 1]])

# %%
check("01.1", cosine_rank)

# %% [markdown]
# ## Exercise 01.2: fill the budget
#
# The passages stand in the order of their rank, and a prompt has room for a limited number of tokens. Go through
# them once, best first, and keep what still fits. Pass over what does not: one long passage must not shut out
# the ones after it.
#
# Return the indices of the passages that you kept, in the same order.


# %%
def fill_to_budget(sizes, budget):
    """Return the indices of the passages that fit, best first."""
    ### BEGIN SOLUTION
    kept, total = [], 0
    for index, size in enumerate(sizes):
        if total + size <= budget:
            kept.append(index)
            total += size
    return kept
    ### END SOLUTION


# %%
try_it(fill_to_budget, [100, 500, 200], 350)

# %%
check("01.2", fill_to_budget)

# %% [markdown]
# ## Exercise 01.3: ask or refuse
#
# `complete(messages)` is a model: it takes a list of messages and returns a text. Give it the passages, each
# with its label (`[1]`, `[2]` and so on) before it, and the question. Return what it says, **if it can be
# checked**. In all other cases return `REFUSAL`, that very sentence:
#
# - there is no passage (then do not even ask);
# - the answer names no label;
# - the answer names a label that you never showed.
#
# `find_labels(text)` reads the labels of a text; this is what it gives:

# %%
[mention.label for mention in find_labels("It costs 145 euros [1], the antenna 38 [2].")]


# %%
def ask_or_refuse(question, passages, complete):
    """Return the model's answer when its labels hold, else REFUSAL."""
    ### BEGIN SOLUTION
    if not passages:
        return REFUSAL
    shown = {f"[{number}]": passage for number, passage in enumerate(passages, 1)}
    sources = "\n".join(f"{label} {passage}" for label, passage in shown.items())
    answer = complete(
        [
            {"role": "system", "content": SYSTEM_MESSAGE},
            {"role": "user", "content": f"{sources}\n\nQuestion: {question}"},
        ]
    )
    named = [mention.label for mention in find_labels(answer)]
    return answer if named and all(label in shown for label in named) else REFUSAL
    ### END SOLUTION


# %% [markdown]
# A model that makes things up, for trying. It names a source that it was never shown.


# %%
def inventive_model(messages):
    """Answer whatever is asked."""
    return "It costs 99 euros, as everybody knows [7]."


try_it(ask_or_refuse, question, ["The battery pack costs 145 euros."], inventive_model)

# %%
check("01.3", ask_or_refuse)

# %% [markdown]
# ## Exercise 01.4: the context that never reaches the model
#
# Now a fault from real life. The search found the right passage, the model is sound, and the answer is a refusal.
# Here is what puts the prompt together:


# %% tags=["exercise-only"]
def build_messages(question, passages):
    """Put the passages, each under its label, and the question into one prompt."""
    sources = [
        write_source(Source(label=f"[{number}]", title="", section="", text=passage), "source")
        for number, passage in enumerate(passages, 1)
    ]
    template = "{sources}\n\nQuestion: {question}"
    prompt = template.replace("{context}", "\n\n".join(sources)).replace("{question}", question)
    return [{"role": "system", "content": SYSTEM_MESSAGE}, {"role": "user", "content": prompt}]


# %% tags=["solution-only"]
def build_messages(question, passages):
    """Put the passages, each under its label, and the question into one prompt."""
    sources = [
        write_source(Source(label=f"[{number}]", title="", section="", text=passage), "source")
        for number, passage in enumerate(passages, 1)
    ]
    # The template had a place called {sources}, and the code filled one called {context}: replacing what is
    # not there does nothing, and says nothing. Joined like this, a name that is wrong is an error.
    prompt = "\n\n".join([*sources, f"Question: {question}"])
    return [{"role": "system", "content": SYSTEM_MESSAGE}, {"role": "user", "content": prompt}]


# %%
prices = ["The battery pack costs 145 euros.", "The antenna costs 38 euros."]
log = Path(tempfile.mkdtemp()) / "llm_calls.jsonl"
client = connect(offline=True, record=log)


def answer_with(build):
    """Send what a prompt builder built, and return the answer."""
    reply = client.chat.completions.create(model="offline-reader", messages=build(question, prices))
    return reply.choices[0].message.content


try_it(answer_with, build_messages)

# %% [markdown] tags=["exercise-only"]
# A refusal, with the answer lying in the first passage, is what you are to explain. **What would you look at
# first?** A bigger model will not help, nor will a sterner system message.

# %% [markdown] tags=["solution-only"]
# Mended, the same model answers from the first passage. Before, it refused: it had been sent a question and not
# one source. A bigger model would have refused too, or made something up.

# %% [markdown]
# Look at what was *sent*. `connect(record=…)` wrote down each request as it left: the **prompt spy**.


# %%
def last_prompt():
    """Return the user message of the last request that was recorded."""
    calls = read_calls(log) if log.exists() else []
    return calls[-1]["request"]["messages"][-1]["content"] if calls else "nothing was sent"


try_it(last_prompt)

# %% [markdown] tags=["exercise-only"]
# Find the fault in `build_messages` above, mend it there, and run the cells again from that one on.

# %%
check("01.4", build_messages)

# %% [markdown]
# ## Exercise 01.5: the mismatch that looks like an honest refusal
#
# The second fault is quieter still. The documents were indexed some weeks ago. Since then somebody added a newer
# embedder. Now every question is refused, politely, and nobody sees an error.
#
# These embedders only count words, so that you can work their vectors out by hand. The newer one knows the same
# words and more, in another order, as another model would.


# %%
def word_counter(words):
    """Make an embedder: the share of each of its words in a text."""

    def embed(text):
        said = text.lower().replace("?", "").replace(".", "").split()
        return [said.count(word) / len(said) for word in words]

    return embed


old_words = ["annual", "leave", "days", "battery", "price", "office"]
new_words = ["parcel", "refund", "travel", "wage", "desk", "door"]
embedders = {"words-1": word_counter(old_words + new_words), "words-2": word_counter(new_words + old_words)}


def unit(vector):
    """Divide a vector by its length."""
    length = math.hypot(*vector)
    return [value / length for value in vector] if length else vector


texts = ["Annual leave is 28 days.", "The battery has a price of 145 euros."]
index = {
    "embedder": "words-1",
    "texts": texts,
    "vectors": [unit(embedders["words-1"](text)) for text in texts],
}

# %% [markdown]
# `best_passage` is to return the passage closest to the question, or `REFUSAL` where even the closest one is
# below the threshold.


# %% tags=["exercise-only"]
def best_passage(question, index, embedders, threshold=0.5):
    """Return the closest passage of the index, or REFUSAL where none is close enough."""
    newest = max(embedders)
    query = embedders[newest](question)
    scores = [sum(a * b for a, b in zip(query, vector)) for vector in index["vectors"]]
    best = max(range(len(scores)), key=lambda place: scores[place])
    return index["texts"][best] if scores[best] >= threshold else REFUSAL


# %% tags=["solution-only"]
def best_passage(question, index, embedders, threshold=0.5):
    """Return the closest passage of the index, or REFUSAL where none is close enough."""
    made_by = index["embedder"]
    if made_by not in embedders:
        raise ValueError(f"the index was made with {made_by!r}, which is not here: index the documents again")
    query = unit(embedders[made_by](question))
    scores = [sum(a * b for a, b in zip(query, vector)) for vector in index["vectors"]]
    best = max(range(len(scores)), key=lambda place: scores[place])
    return index["texts"][best] if scores[best] >= threshold else REFUSAL


# %%
try_it(best_passage, "How many days of annual leave do I have?", index, embedders)

# %% [markdown] tags=["exercise-only"]
# **An honest refusal, or a fault?** Ask something that you know is in there, in the passage's own words, and
# look at the scores instead of the answer. Here they are, for each embedder:

# %% [markdown] tags=["solution-only"]
# And these are the scores that the faulty version compared with the threshold, for each embedder:

# %%
for name, embed in embedders.items():
    query = embed("How many days of annual leave do I have?")
    scores = [sum(a * b for a, b in zip(query, vector)) for vector in index["vectors"]]
    print(name, [round(score, 3) for score in scores])

# %% [markdown]
# Two things to see, one in each line. Which embedder made the index, and what do its numbers have to do with the
# other's? And where the passage stands out: why is it still below the threshold?

# %% [markdown] tags=["exercise-only"]
# Mend `best_passage` above. Do not lower the threshold. And where the index was made by an embedder that is not
# among `embedders`, raise a `ValueError` that names it: a refusal would say that the documents do not hold the
# answer, and nobody has looked.

# %%
check("01.5", best_passage)

# %% [markdown]
# ## How far you are

# %%
progress("01")

# %%
SelfRating("01")

# %% [markdown]
# ## Take with you
#
# - A refusal can be honest, or the sign of a fault *before* the model. Look at the scores, then at the prompt.
# - What a model was sent is a fact that you can read. Record it.
# - The question and the documents need the same embedder and the same normalisation, and an index has to
#   remember which.
