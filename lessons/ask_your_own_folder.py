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
#   title: Ask your own folder
#   can_do: ask a folder of your own and see the sources; say what leaves your machine; act on a refusal
#   minutes: 10
#   numbered: false
# ---

# %% [markdown]
# # Ask your own folder
#
# Name a folder of your own documents, ask a question, and see the answer beside the passage that it rests on, or a
# refusal. There is nothing to program.
#
# **After this notebook you can**
#
# - ask a folder of your own: here, in a terminal, or from a script;
# - say what leaves your machine, and what is kept on it;
# - tell what to do about a refusal, and about an answer that is wrong.
#
# It takes about ten minutes. [Lesson 00](00_start_here.ipynb) explains how to read an answer with its sources.

# %% tags=["parameters"]
folder = "sample_docs"
question = "How many days of annual leave does a full-time employee have?"
tags = ""  # empty: the owner of the folder, who sees every document

# %%
from rag_kit import load_settings
from rag_kit.doctor import brief
from rag_kit.teaching import FolderPanel, ask_folder, show_table
from rag_kit.teaching.views.render import REFUSED

settings = load_settings()
print(brief(settings))

# %% [markdown]
# ## What leaves your machine
#
# **Without a key, nothing.** The files are read where they lie; they are neither copied nor changed.
#
# With `OPENAI_API_KEY` or `OPENAI_BASE_URL` set, each question and the passages found for it go to that server. With
# an OpenAI key, *all* text of the folder goes there once, to be embedded. The first line of the panel says which
# of these holds. To keep everything here in spite of a key, write `load_settings(offline=True)` in the cell above.
#
# What stays on this machine is a cache of *vectors*: numbers made from each passage, so that a folder is quick the
# second time. The passages themselves are not in it. You may delete it whenever you like.

# %% tags=["volatile"]
print("text is sent to:    ", settings.remote_host or "nobody")
print("vectors are kept in:", settings.cache_dir)

# %% [markdown]
# ## The panel
#
# It opens on the sample documents. Run the cell, look at the answer, then type the path of your own folder.
# **Before you ask, write down two questions:** one whose answer you know to be in the folder, and one whose answer
# is not. What should come back for each?

# %%
panel = FolderPanel(folder, question, tags=tags, settings=settings)
panel.ask()
panel

# %% [markdown]
# - **Folder or file**: a whole path, or one that begins at the kit's folder, such as JupyterLab's *Copy Path* gives.
#   The first reading takes a while and shows how far it is; *Kernel > Interrupt Kernel* stops it. After a change in
#   the folder, press *Read the folder* again.
# - **Files that could not be read** are listed with the reason. What is in them cannot be found, so look there first.
# - **Asked by**: tags such as `public, sales`. Then only documents are searched that carry one of them, and a document
#   without tags stays private. Empty means you, the owner.
# - **What was retrieved** is folded below the answer: the passages that the search found, best first.
#
# ## How to read a refusal
#
# A refusal is a result. It says that these documents do not answer, or that the search or the model missed
# something. The word in brackets tells how far the question came:

# %%
show_table(["word", "what happened"], REFUSED.items())

# %% [markdown]
# Here is one, to a question that has nothing to do with the sample documents. This is also how to ask without
# a panel:

# %%
ask_folder(folder, "What is the capital of Portugal?", tags=tags, settings=settings)

# %% [markdown]
# ## When the answer is missing or wrong
#
# Open *What was retrieved* before you blame the model. **Is the passage with the answer there?**
#
# - **No: the search missed it.** Was the file read? May it be seen with these tags, and is it in force, or has a newer
#   version replaced it? If all of that holds, ask again in the words that the document uses.
# - **Yes: the model missed it.** The stand-in on this machine quotes one sentence or refuses, and it refuses too
#   often. A question that a single sentence answers helps; so does a real model.
#
# [Lesson 01](01_search_ask.ipynb) takes both kinds of miss apart, with the tools to tell them from each other.
#
# ## The same in a terminal
#
# ```
# python3 kit.py ask "What is the notice period?" --docs path/to/your/folder
# python3 kit.py ask "What is the notice period?" --docs path/to/your/folder --as public,sales
# python3 kit.py parse path/to/your/folder
# ```
#
# The last one shows what is read of each file. And this notebook runs without anybody looking: with papermill,
# `papermill notebooks/ask_your_own_folder.ipynb answer.ipynb -p folder path/to/your/folder -p question "…"`. The
# cell below then holds the answer, and a folder that cannot be read is an error.

# %%
ask_folder(folder, question, tags=tags, settings=settings)
