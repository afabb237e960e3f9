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
# A language model answers from what it once read. That does not help with *your* price list, and the model does
# not tell you when it is guessing. **Retrieval-augmented generation (RAG)** works the other way round. First it
# *searches* your documents for the passages that have to do with the question; this is the *retrieval*. Then the
# model answers **from those passages and from nothing else**, and names the passage behind each statement. If the
# passages do not hold the answer, it has to say so. Such an answer is called *grounded*.
#
# **After this lesson you can**
#
# - run one grounded answer and check it yourself, down to the sentence that it rests on;
# - tell an answer from a refusal, and say why a refusal is a result and not a failure;
# - say what RAG is for, and what it is not for.
#
# You need about twenty minutes and a little Python to read along. No key, no account and no network: a small
# search model and a stand-in for the language model run on this machine. Run the cells one after the other with
# **Shift + Enter**, and stop where a question asks you to guess.

# %% tags=["parameters"]
question = "How many days of annual leave does a full-time employee have?"
today = "2026-11-15"

# %%
from datetime import date

from rag_kit import SYSTEM_MESSAGE, Filters, load_settings, open_library
from rag_kit.doctor import brief
from rag_kit.teaching import (
    CitationPanel,
    SelfRating,
    checkpoint,
    evidence_table,
    sample_docs,
    show_markdown,
)

settings = load_settings()
print(brief(settings))

# %% [markdown]
# The *chat model* is a stand-in. It picks the sentence of the passages that seems to fit the question best and
# quotes it, or it refuses. It cannot write a sentence of its own, so it cannot invent; but it can pick the wrong
# sentence, and it refuses too often. With a key in `OPENAI_API_KEY` the same cells talk to a real model. The
# *embedding model* does the searching; the next lesson shows how.
#
# ## The documents
#
# They belong to an invented company that makes flow meters. Reading them, cutting them into *passages* (in code:
# *chunks*) and preparing each for the search takes a little while the first time; the result is kept.
# `pipeline="dense"` asks for the simplest search, by meaning alone; a later lesson adds search by words.

# %%
library = open_library(sample_docs(), settings=settings, pipeline="dense")

print(f"{len(library.documents)} documents, cut into {len(library.chunks)} passages; some of them:\n")
for document in library.documents[::4]:
    print(" ", document.title)

# %% [markdown]
# ## Before you run it: guess
#
# Among the documents are two employee handbooks, one of 2024 and one of 2026, which replaced it. They give
# different numbers of days of leave. **Decide now:**
#
# - The question is the one in the first code cell. Which handbook will the answer come from, and why that one?
# - How would you find out whether the number is right?
#
# ## One grounded answer
#
# `filters` says what may be searched. Here it is what the owner of the files may see, which is every document,
# and of these what was in force on one day.

# %%
day = date.fromisoformat(today)
filters = Filters.owner(as_of=day)

answer = library.ask(question, filters=filters)
CitationPanel(answer)

# %% [markdown]
# **How to read the panel.** The label in square brackets after the statement is a *citation*. It names one of the
# passages that the model was shown. Below is that passage, with its document and section, and the words that fit
# the statement are marked. Fold and unfold a passage with its triangle; after you have run the cell there is
# also a button for each.
#
# Three things to check, each time:
#
# 1. Was the passage with this label really shown to the model? (Code checks this before you see anything.)
# 2. Do the marked words say what the answer says: the same figure, the same unit?
# 3. Is it the right document: the version in force, and about the case you asked about?
#
# The quote is not a copy. It is a piece of the document, given by its position:

# %%
if answer.refusal is None:
    citation = answer.citations[0]
    source = library.document(answer.evidence_of(citation).chunk.document_id)
    start, end = citation.source_span
    print(f"characters {start} to {end} of {source.document_id}:")
    print(source.text[start:end])
    print("the same as the quote:", source.text[start:end] == citation.quote)

# %% [markdown]
# ## What came back, in order
#
# The search returned these passages, and the answer can only be as good as they are. The *similarity* says how
# close a passage is to the question: higher is closer, and it is only worth comparing within one question.
# Would you have picked the same ones?

# %%
evidence_table(answer.evidence, answer.labels)

# %% [markdown]
# Before the passages and the question, a real model is told this (the stand-in needs no telling: it refuses when
# no sentence fits well enough):

# %%
print(SYSTEM_MESSAGE)

# %% [markdown]
# ## Take the evidence away
#
# Now the documents that answer are taken away: first the newer handbook, then both. **Guess first**, for each of
# the two: an older figure, a figure from somewhere else, or no answer at all?

# %%
without_new = library.without("employee-handbook-2026")
older = without_new.ask(question, filters=filters)

CitationPanel(older)

# %% [markdown]
# Did you expect that? As long as the newer handbook was there, it *ended* the older one, and what is no longer in
# force is left out before the search begins. With the newer one gone, nothing says that the older one has ended.
# The answer is well grounded, and out of date. **The documents are part of the system:** an answer is as fresh
# as the folder is.

# %%
without_both = library.without("employee-handbook-2026", "employee-handbook-2024")
refused = without_both.ask(question, filters=filters)

CitationPanel(refused)

# %%
evidence_table(refused.evidence, refused.labels)

# %% [markdown]
# Passages did come back, several of them about some kind of leave, and none holds the figure. So the model
# refused. **A refusal is a result:** it says that the documents have a gap, or that the search missed something,
# or that the model was too careful, as this stand-in often is. Each of these can be looked into. An invented
# figure cannot: nobody would know that there is anything to look into.
#
# ## A citation is not yet a proof
#
# One more question to the library without handbooks. The answer below has a citation, its label was shown, and
# the quote is real. **Read the marked words closely: do they answer this question?**

# %%
home = "How many days a week may employees work from home?"
trap = without_both.ask(home, filters=filters)

CitationPanel(trap)

# %%
show_markdown(f"With all documents in place, the answer is: {library.ask(home, filters=filters).text}")

# %% [markdown]
# The marked words are about parents in the year after their leave, not about everybody. *Citation present* is not
# *citation correct*, and the panel exists so that a person can see the difference. Later lessons check it in code.
#
# Could a larger model have done better? Not here: the passage with the right answer was not among those that
# came back. So when an answer is wrong, **look at the retrieved passages before you blame the model.**

# %% [markdown]
# ## What RAG is for, and what it is not for
#
# | A good fit | Not on its own |
# |---|---|
# | questions about internal documents | what changes by the second: stock, balances, the state of an order |
# | policies, contracts and catalogues that change | sources that contradict each other or are wrong |
# | answers that must name their source | doing something: booking, paying, sending |
# | data that must not end up in a model's training | exact sums, fixed rules, deciding who may do what |
#
# The alternative that people ask about is *fine-tuning*: training a model further, on your own texts. RAG has
# three gains over it: **freshness** (change a document, read it in again, done), **attribution** (an answer names
# its source) and **access control** (what a person may not see is not searched). The last one takes a line to
# show. Somebody who holds only the tag `public` asks our question:

# %%
visitor = library.ask(question, filters=Filters.for_tags(["public"], as_of=day))

CitationPanel(visitor)

# %% [markdown]
# The handbook carries the tag `employee`, so for a visitor it does not exist. Fine-tuning has no such switch. It is
# the right tool for something else: style, format and behaviour.
#
# ## Checkpoint
#
# Choose, then press *Check answer*.

# %%
checkpoint("00-first-look")

# %%
checkpoint("00-fine-tuning")

# %%
checkpoint("00-present-not-correct")

# %% [markdown]
# ## In an interview
#
# Answer aloud first, then open the sample answer. It begins with what the buyer gets, then says how it works, then
# gives a result from this notebook.

# %% tags=["hide-input"]
show_markdown(
    "**“How do you stop it from making things up in front of our customers?”**",
    "<details><summary>Sample answer</summary>\n\nYour people see an answer with its source below it, or an honest "
    "refusal. The model gets only passages that we retrieved and has to label its statements with them; code holds "
    "back a draft that has no label, or one that was never shown. In the notebook, "
    f"{len(answer.labels)} passages went in and the answer cited {', '.join(dict.fromkeys(c.label for c in answer.citations)) or 'none'}; "
    f"with both handbooks taken away, {len(refused.labels)} other passages about leave went in, and the answer was: "
    f"“{refused.text}”\n\n</details>",
    "**“How long until a changed document shows in the answers?”**",
    "<details><summary>Sample answer</summary>\n\nAs long as it takes to read that one document in again; nothing is "
    "trained. The version that it replaces drops out by its date. In the notebook the newer handbook gives "
    f"“{answer.text}” Taken away, the older one answers: “{older.text}”\n\n</details>",
)

# %% [markdown]
# ## What to remember
#
# - Ground the answer in retrieved passages, and show the passage with the answer.
# - A refusal is a result. It can be looked into; an invented figure cannot.
# - Look at the retrieved passages before you blame the model.

# %%
SelfRating("00")

# %% [markdown]
# ## Try it
#
# Ask something of your own. A refusal, or a wrong sentence, is worth as much as an answer here: look at what was
# retrieved, and say whose fault it was.

# %%
mine = library.ask("How long is the warranty on a gateway?", filters=filters)

CitationPanel(mine)

# %%
evidence_table(mine.evidence, mine.labels)

# %% [markdown]
# Or leave the notebook and ask your own folder, in a terminal: `python3 kit.py ask "…" --docs path/to/folder`.
#
# **Read next:** Lewis and others, *Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks*, the
# paper that gave the method its name. The next lesson, 01 Search-Ask, builds what you have just used.
