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
#   title: Start here
#   can_do: say what RAG is for and what it is not for; run one grounded answer; read a citation panel
#   minutes: 20
# ---

# %% [markdown]
# # 00 Start here
#
# A language model answers from what it once read. That is no help with *your* price list, and it does not
# tell you when it is guessing. **Retrieval-augmented generation (RAG)** turns the order round: first *search*
# your documents for the passages that bear on the question, then let the model answer **from those passages
# and from nothing else**, naming the passage behind each statement. If the passages do not hold the answer, it
# has to say so.
#
# **After this lesson you can**
#
# - run one such *grounded* answer and check it yourself, down to the sentence that it rests on;
# - tell an answer from a refusal, and say why a refusal is a result and not a failure;
# - say what RAG is for, and what it is not for.
#
# You need about twenty minutes and a little Python to read along. No key, no account and no network: a small
# search model and a stand-in for the language model run on this machine. Run the cells from top to bottom with
# **Shift + Enter**.

# %% tags=["parameters"]
question = "How many days of annual leave does a full-time employee have?"
today = "2026-11-15"

# %%
from datetime import date

from rag_kit import SYSTEM_MESSAGE, Filters, load_settings, open_library
from rag_kit.doctor import brief
from rag_kit.teaching import CitationPanel, checkpoint, evidence_table, sample_docs, show_markdown

settings = load_settings()
print(brief(settings))

# %% [markdown]
# The *chat model* named above is a stand-in: it picks the sentence of the passages that fits the question best
# and quotes it, or refuses. It cannot write a sentence of its own, so it cannot invent. With a key in
# `OPENAI_API_KEY` the very same cells talk to a real model instead.
#
# ## The documents
#
# They belong to an invented company that makes flow meters. Reading them, cutting them into passages and
# turning each passage into a list of numbers for the search takes a few seconds the first time.

# %%
library = open_library(sample_docs(), settings=settings)

print(f"{len(library.documents)} documents, cut into {len(library.chunks)} passages\n")
for document in library.documents:
    ended = f"  (replaced on {document.superseded_at})" if document.superseded_at else ""
    print(f"{document.updated_at or 'undated   '}  {document.title}{ended}")

# %% [markdown]
# ## Before you run it: what do you expect?
#
# The question is printed below. Two of the documents above could answer it, an older handbook and the one that
# replaced it, and they disagree. **Decide now, before you go on:**
#
# - Which of the two will the answer come from?
# - How would you find out whether the figure in it is right?

# %%
print(question)

# %% [markdown]
# ## One grounded answer
#
# `filters` says what may be searched: here everything, as the owner of the files, as things stood on one day.

# %%
filters = Filters.owner(as_of=date.fromisoformat(today))
answer = library.ask(question, filters=filters)

CitationPanel(answer)

# %% [markdown]
# **How to read the panel.** The label in square brackets after the statement is a *citation*. It names one of
# the passages that the model was shown. Beneath stands that passage with its document and section, and the
# words that the statement rests on are marked. Click the button to open the source again after you have folded
# it.
#
# Three things to check, each time:
#
# 1. Is the label one of those that were shown? (The kit checks this in code before you see anything.)
# 2. Do the marked words say what the answer says, the same figure and the same unit?
# 3. Is it the right document: the version in force, and about the case you asked about?

# %% [markdown]
# The quote is not a copy that somebody typed. It is a piece of the document, found again by its position: the
# characters from *start* to *end*.

# %%
citation = answer.citations[0]
cited = next(item.chunk for item in answer.evidence if item.chunk.chunk_id == citation.chunk_id)
document = next(d for d in library.documents if d.document_id == cited.document_id)
start, end = citation.source_span

print(f"characters {start} to {end} of {document.document_id}:")
print(document.text[start:end])
print("the same as the quote:", document.text[start:end] == citation.quote)

# %% [markdown]
# ## What came back, in order
#
# The answer can only be as good as the passages. The *similarity* says how close a passage stands to the
# question: one means the same direction, zero means nothing in common. Would you have picked the same ones?

# %%
evidence_table(answer.evidence, answer.labels)

# %% [markdown]
# The best passage begins in the middle of a sentence about something else; the leave figure stands further
# down in it. That is because passages are cut here by size alone, wherever the cut falls. It was enough for
# this question. A later lesson measures when it is not.
#
# And this is what the model was told, before the passages and the question:

# %%
print(SYSTEM_MESSAGE)

# %% [markdown]
# ## Take the evidence away
#
# Now we remove the one document that answers, and ask the same question again. **Your guess first:** an older
# figure, a figure from somewhere else, or no figure at all?

# %%
poorer = library.without(cited.document_id)
refused = poorer.ask(question, filters=filters)

CitationPanel(refused)

# %%
evidence_table(refused.evidence, refused.labels)

# %% [markdown]
# Passages did come back, some of them with "leave" all over them, and none holds the figure. So the model
# declined. **A refusal is a result:** it tells you that the documents, or the search, have a gap, and it is the
# reason to believe the answers that are not refusals.
#
# The older handbook was never in the running. Its replacement ended it, and what is no longer in force is left
# out *before* the search. Set the day back, and it answers again:

# %%
earlier = library.ask(question, filters=Filters.owner(as_of=date(2025, 6, 1)))

show_markdown(
    f"On {today}: {answer.text}",
    f"On 2025-06-01: {earlier.text}",
)

# %% [markdown]
# Nobody retrained anything for this. The documents changed, and the answer followed.
#
# ## A citation is not yet a proof
#
# One more, with the newer handbook still taken away. The answer below has a citation, the label is valid and
# the quote is real. **Read the marked words closely: is it an answer to this question?**

# %%
trap = poorer.ask("How many days a week may I work from home?", filters=filters)

CitationPanel(trap)

# %% [markdown]
# The words are there, but they are about parents in the year after their leave. *Citation present* is not
# *citation correct*, and the panel exists so that a person can see the difference. Later lessons check it in
# code.
#
# When an answer is wrong like this, look at the retrieved passages before you blame the model. Here the right
# passage could not come back, so no model, however large, could have answered. **Retrieval usually caps the
# quality.**

# %% [markdown]
# ## What RAG is for, and what it is not for
#
# | A good fit | Not on its own |
# |---|---|
# | questions on internal documents | what changes by the second: stock, balances, the state of an order |
# | policies, contracts and catalogues that change | sources that contradict each other or are wrong |
# | answers that must name their source | doing something: booking, paying, sending |
# | data that must not end up in a model's training | exact sums, fixed rules, deciding who may do what |
#
# Three gains over training a model further on your documents (*fine-tuning*): **freshness** (change a document,
# index it again, done), **attribution** (each statement names its source) and **access control** (what a person
# may not see is not searched). Fine-tuning is for the other thing: style, format and behaviour.

# %% [markdown]
# ## Checkpoint

# %%
checkpoint("00-first-look")

# %%
checkpoint("00-fine-tuning")

# %%
checkpoint("00-present-not-correct")

# %% [markdown]
# ## In an interview
#
# Answer aloud first, then open the model answer: it leads with what the buyer gets, then how it works, then a
# figure from this notebook.

# %% tags=["hide-input"]
show_markdown(
    "**“How do you stop it from making things up in front of our customers?”**",
    "<details><summary>Model answer</summary>\n\nYour people see a checked source under each statement, or an "
    "honest refusal, never a bare claim. The model gets only passages that we retrieved, must label each "
    "statement with one of them, and code rejects a label that was never shown. In the notebook "
    f"{len(answer.labels)} passages went in; the answer cites {answer.citations[0].label}, and when I removed "
    f"the document behind it, {len(refused.labels)} other passages about the same subject went in and it "
    "refused.\n\n</details>",
    "**“How long until a changed document shows in the answers?”**",
    "<details><summary>Model answer</summary>\n\nAs long as it takes to index that one document again; nothing is "
    "trained. The version that it replaces drops out of the search by its date. In the notebook the same "
    f"question gives “{earlier.citations[0].quote}” for one day in 2025 and “{answer.citations[0].quote}” for "
    f"{today}.\n\n</details>",
)

# %% [markdown]
# ## Take with you
#
# - Ground the answer in passages that you chose; show the passage under the answer.
# - A refusal is a result. It is what makes the other answers worth believing.
# - Look at the retrieved passages before you blame the model.
#
# **Try it:** change `question` in the first code cell and run all cells again. Or leave the notebook and ask
# your own folder, in a terminal: `python3 kit.py ask "…" --docs path/to/folder`.
#
# **Read next:** Lewis and others, *Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks*, the paper
# that gave the method its name.
