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
#   title: Chunking diagnostics, the exercise
#   can_do: write a splitter that keeps its promises; find three ingestion bugs from their symptoms; choose an arm by paired differences
#   minutes: 60
# ---

# %% [markdown]
# # 03 Chunking diagnostics: your turn
#
# First a splitter of your own. Then three bugs, each small, each taken from life, and each seen only by what it
# does to an answer. Last, a choice that you can defend.
#
# - `check("03.1", …)` tells what passes and what does not yet. Each failing call opens one more hint.
# - `try_it(…)` calls your function and shows what came back.
# - Run the notebook as often as you like; it reaches its end however far you are.
#
# Nothing here needs a model, and nothing leaves this machine. The solved notebook lies in `solutions/`; open it last.

# %% tags=["parameters"]
size = 60

# %%
import re

from rag_kit.evaluation.intervals import paired_bootstrap
from rag_kit.evaluation.questions import first_half
from rag_kit.evaluation.sweep_result import load_sweep
from rag_kit.teaching import SelfRating, check, progress, sample_docs, show_table, try_it

# %% [markdown]
# ## Exercise 03.1: a splitter that keeps its promises
#
# `units` does the reading for you: it gives each sentence and each row of a table, in order, by its place in the
# text. For a row below the head of a table it also gives that head, or else an empty text.


# %%
def units(text):
    """Yield (start, end, header) of each sentence and each row of a table."""
    for block in re.finditer(r"(?:[^\n]*\S[^\n]*(?:\n|$))+", text):
        said = block.group().rstrip()
        table = said.startswith("|")
        header = "\n".join(said.splitlines()[:2])
        each = r"[^\n]+" if table else r"\S.*?(?:[.!?](?=\s)|$)"
        for number, unit in enumerate(re.finditer(each, said, re.S)):
            yield (
                block.start() + unit.start(),
                block.start() + unit.end(),
                header if table and number > 1 else "",
            )


prices = """Prices are in euro. They hold for a year.

| Part | Price |
|---|---|
| Battery | 145 |
| Antenna | 38 |

Freight is extra."""

for start, end, header in units(prices):
    print(f"{start:>3} to {end:>3}  {prices[start:end]!r}  {'below the head' if header else ''}")

# %% [markdown]
# Return the chunks as `(start, end, prefix)`. These are the promises:
#
# - `text[start:end]` is the chunk; chunks stand in order, do not overlap, and hold everything but blanks;
# - no chunk is longer than `size` characters. The blanks and line ends between two units of a chunk count, because
#   `text[start:end]` holds them; the prefix does not;
# - what fits together is together: fill a chunk with units as long as they fit. A chunk may hold prose and rows;
# - a sentence or a row that fits into a chunk is never cut. One that does not is cut between words, and a word
#   that is longer than a chunk is cut anywhere;
# - `prefix` is the table's head where a chunk begins with a row below it, else an empty text;
# - a size below one is a `ValueError`, not an endless loop.
#
# Take it in three steps, and run `check` after each:
#
# - **One chunk a unit.** Return `(start, end, header)` of each unit.
# - **Join.** Before you add a unit, look at the last chunk: if it reaches to the end of the unit and is still no longer than
#   `size`, lengthen it, and leave its prefix as it is.
# - **Cut what is too long.** A unit longer than `size` becomes its words, and a word longer than `size` becomes pieces of that
#   size. Then join these like units. The error for a wrong size comes at the very top.


# %%
def split(text, size):
    """Return the chunks of a text as (start, end, prefix)."""
    ### BEGIN SOLUTION
    if size < 1:
        raise ValueError(f"size {size} is not a chunk size: choose 1 or more")
    chunks = []
    for start, end, header in units(text):
        pieces = [(start, end)]
        if end - start > size:
            words = re.finditer(r"\S+", text[start:end])
            pieces = [
                (start + at, start + min(at + size, word.end()))
                for word in words
                for at in range(word.start(), word.end(), size)
            ]
        for first, last in pieces:
            if chunks and last - chunks[-1][0] <= size:
                chunks[-1] = (chunks[-1][0], last, chunks[-1][2])
            else:
                chunks.append((first, last, header))
    return chunks
    ### END SOLUTION


# %%
try_it(split, prices, size)

# %%
check("03.1", split)

# %% [markdown]
# ## Exercise 03.2: the quote that slides
#
# **What the customer sees:** the panel marks the wrong words. In the first paragraph all is well. Further down the mark
# begins too early, and the further down, the worse it is.
#
# This function gives the place of each paragraph:


# %% tags=["exercise-only"]
def paragraph_spans(text):
    """Return (start, end) of each paragraph, without the blanks around it."""
    spans, at = [], 0
    for part in text.split("\n\n"):
        part = part.strip()
        if part:
            spans.append((at, at + len(part)))
        at += len(part) + 2
    return spans


# %% tags=["solution-only"]
def paragraph_spans(text):
    """Return (start, end) of each paragraph, without the blanks around it."""
    spans, at = [], 0
    for part in text.split("\n\n"):
        # The place was counted in the stripped text. Count in the text as it is, and strip only what is kept.
        start = at + len(part) - len(part.lstrip())
        if part.strip():
            spans.append((start, start + len(part.strip())))
        at += len(part) + 2
    return spans


# %% [markdown]
# And this is what stands at the places that it gives:

# %%
letter = "Dear customer,  \n\n\nyour meter is repaired.   \n\nIt costs 95 euros.  \n\nKind regards"


def marked(text):
    """Return the words that the panel would mark."""
    return [text[start:end] for start, end in paragraph_spans(text)]


try_it(marked, letter)

# %% [markdown] tags=["exercise-only"]
# **Which lines move the place, and by how much?** Work out by hand where the second paragraph begins. Then mend
# `paragraph_spans` above. Do not search for the paragraph's text: the same paragraph may stand there twice.

# %%
check("03.2", paragraph_spans)

# %% [markdown]
# ## Exercise 03.3: the end that nobody finds
#
# **What the customer sees:** most questions are answered. Questions about the last lines of a document are refused, and
# some short documents seem not to be there at all. There is no error in any log.
#
# Documents are cut into windows of words that overlap:


# %% tags=["exercise-only"]
def word_windows(words, size, overlap):
    """Return windows of at most ``size`` words; each repeats the last ``overlap`` words of the one before."""
    step = size - overlap
    return [words[start : start + size] for start in range(0, len(words) - size + 1, step)]


# %% tags=["solution-only"]
def word_windows(words, size, overlap):
    """Return windows of at most ``size`` words; each repeats the last ``overlap`` words of the one before."""
    if not 0 <= overlap < size:
        raise ValueError(f"overlap {overlap} does not fit a size of {size}: choose 0 to {size - 1}")
    # It stopped at the last window that was full, so the end was lost, and all of a text shorter than a window.
    starts = range(0, max(len(words) - overlap, 1), size - overlap)
    return [words[start : start + size] for start in starts if start < len(words)]


# %%
notice = re.findall(r"\w+", "Meters are returned to Tolvane. Batteries never go by air.")
memo = re.findall(r"\w+", "Office closed on Friday.")


def lost_words(words):
    """Return the words that stand in no window."""
    held = {word for window in word_windows(words, 6, 2) for word in window}
    return [word for word in words if word not in held]


try_it(lost_words, notice)

# %%
try_it(lost_words, memo)

# %% [markdown] tags=["exercise-only"]
# **Write down the starts** that `range` gives for each of the two texts. What should they be? Mend `word_windows` above.
#
# - The last window may be shorter, but it holds at least one word that no window before it holds.
# - An overlap that is negative, or not smaller than the size, is a `ValueError` that says so.

# %% [markdown] tags=["solution-only"]
# Nothing is lost any more. Both symptoms had one cause: only full windows were made.

# %%
check("03.3", word_windows)

# %% [markdown]
# ## Exercise 03.4: the section that is not the passage's
#
# **What the customer sees:** the answer is right, and the panel says that it comes from the section on batteries. It
# stands in the section on returns. A search for one section brings back the text of another.
#
# A chunk here is a pair: the path of headings, and the text. Small chunks are joined with the one after them:


# %% tags=["exercise-only"]
def merge_small(chunks, least):
    """Join each chunk shorter than ``least`` characters with the one after it."""
    merged = []
    for path, text in chunks:
        if merged and len(merged[-1][1]) < least:
            merged[-1] = (path, merged[-1][1] + "\n\n" + text)
        else:
            merged.append((path, text))
    return merged


# %% tags=["solution-only"]
def merge_small(chunks, least):
    """Join each chunk shorter than ``least`` characters with the one after it, under the headings they share."""
    merged = []
    for path, text in chunks:
        shared = []
        if merged and len(merged[-1][1]) < least:
            for one, other in zip(merged[-1][0], path):
                if one != other:
                    break
                shared.append(one)
        # The later path was given to both texts. Only the headings above both of them hold for both.
        if shared:
            merged[-1] = (tuple(shared), merged[-1][1] + "\n\n" + text)
        else:
            merged.append((path, text))
    return merged


# %%
handbook = [
    (("Service", "Returns"), "Meters go back to Tolvane."),
    (("Service", "Batteries"), "Battery packs go by road or sea and never by air, whoever sends them."),
    (("Prices",), "A battery pack costs 145 euros."),
]


def section_of(sentence):
    """Return the section under which a sentence is shown after small chunks were joined."""
    return next(" > ".join(path) for path, text in merge_small(handbook, least=40) if sentence in text)


try_it(section_of, "Meters go back to Tolvane.")

# %% [markdown] tags=["exercise-only"]
# **Under which headings do both texts of a joined chunk stand?** Mend `merge_small` above: a joined chunk carries the
# headings that both paths begin with, and chunks that share no heading are not joined.

# %% [markdown] tags=["solution-only"]
# The path is now shorter and true. A chunk keeps the headings that hold for all of it.

# %%
check("03.4", merge_small)

# %% [markdown]
# ## Exercise 03.5: the choice
#
# A few arms of the full sweep, with the recall of each question and the tokens that a question costs:

# %%
full = load_sweep(sample_docs().parent / "lessons" / "data" / "chunking.sweep.json")
wanted = ["fixed 64/0", "structure 64/0", "structure 256/0", "parent 256/0"]
rows = [row for row in full.arms if row.arm.name in wanted]
recalls = {row.arm.name: list(row.values["recall"]) for row in rows}
tokens = {row.arm.name: row.context_tokens for row in rows}

show_table(
    ["arm", "mean recall", "tokens a question"],
    [(name, sum(recalls[name]) / len(recalls[name]), round(tokens[name])) for name in recalls],
)

# %% [markdown]
# `paired_bootstrap(a, b)` compares two arms on the same questions. What it returns says in `better` whether the first is better: `True`,
# `False`, or `None` where no difference was shown.

# %%
names = list(recalls)
paired_bootstrap(recalls[names[0]], recalls[names[1]])

# %% [markdown]
# `values` is `{name: recalls}`, with a recall for each question, in the same order for all arms; `tokens` is `{name: number}`.
# Return the name of the arm to take:
#
# - find the arm with the highest mean (of equal ones the cheapest);
# - beside it, keep every arm for which no difference from it was shown;
# - of these, take the one with the fewest tokens.
#
# Guess before you run it: which of the four?


# %%
def choose(values, tokens):
    """Return the arm to take: the cheapest of those that cannot be told from the highest."""
    ### BEGIN SOLUTION
    means = {arm: sum(scores) / len(scores) for arm, scores in values.items()}
    highest = max(values, key=lambda arm: (means[arm], -tokens[arm]))
    tied = [
        arm
        for arm in values
        if arm == highest or paired_bootstrap(values[highest], values[arm]).better is None
    ]
    return min(tied, key=lambda arm: tokens[arm])
    ### END SOLUTION


# %%
try_it(choose, recalls, tokens)

# %%
check("03.5", choose)

# %% [markdown]
# In the lesson, only some of the questions chose, and the choice fell on a cheap arm. Here all of them do. This is how the
# highest arm compares with each other one, once on the questions that chose in the lesson and once on all:

# %% tags=["hide-input"]
mean = {name: sum(scores) / len(scores) for name, scores in recalls.items()}
highest = max(mean, key=mean.get)
few = [at for at, question in enumerate(full.question_ids) if first_half(question)]


def against(name):
    """Return the comparison of the highest arm with another, on some questions and on all."""
    one, other = recalls[highest], recalls[name]
    return paired_bootstrap([one[at] for at in few], [other[at] for at in few]), paired_bootstrap(one, other)


def said(difference):
    """Return a difference in words, with its interval."""
    shown = "better" if difference.better else "no difference shown"
    return f"{difference.mean:.2f} ({difference.low:.2f} to {difference.high:.2f}), {shown}"


compared = {name: against(name) for name in recalls if name != highest}
show_table(
    [
        f"{highest} against",
        f"on {len(few)} questions",
        f"on all {len(full.question_ids)}",
        "tokens, times as many",
    ],
    [(name, *map(said, both), f"{tokens[highest] / tokens[name]:.0f}") for name, both in compared.items()],
)

# %% tags=["hide-input"]
# The build stops here should the text below no longer be true.
assert all(both[1].better for both in compared.values())
assert all(both[0].better is None for name, both in compared.items() if name.startswith("structure"))

# %% [markdown]
# Against the arms cut by structure, nothing was shown with the few questions, and with all of them it was. *No difference
# shown* was never *no difference*: more questions can bring it out. Whether it is worth so many more tokens for each
# question, no interval says. **What would you tell the customer?** Name the recall that is gained, and the tokens that
# it costs.

# %% [markdown]
# ## How far you are

# %%
progress("03")

# %%
SelfRating("03")

# %% [markdown]
# ## Take with you
#
# - A place in a text is counted in the text as it is. Strip a copy, and every place after it slides.
# - What is lost at ingestion is lost without an error. Test the ends: the last words, the shortest document.
# - A difference is a difference only when its interval says so. Until then the cheaper arm is the one to take for now.
