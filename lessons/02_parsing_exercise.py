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
#   title: Parsing, the exercise
#   can_do: repair a reading order, running lines, broken words, a lost header and a split table
#   minutes: 45
# ---

# %% [markdown]
# # 02 Parsing: your turn
#
# Five repairs, in the order in which a parser makes them. Each is one short function over small lists, so that you
# can work out by hand what has to come back.
#
# - `check("02.1", …)` tells what passes and what does not yet. Each failing call opens one more hint.
# - `try_it(…)` calls your function and shows what came back.
# - Run the notebook as often as you like; it reaches its end however far you are.
#
# The solved notebook lies in `solutions/`; open it last.

# %% tags=["parameters"]
gap = 40

# %%
import re
from collections import Counter

from rag_kit.teaching import SelfRating, check, progress, try_it

# %% [markdown]
# ## Exercise 02.1: a reading order
#
# A PDF holds words with places. Each word here is `(text, left, right, top)`: its left and right edge, and how far
# its line is from the top of the page.
#
# Return the **texts in reading order**. Columns are parted by an empty strip from the top of the page to its bottom,
# at least `gap` wide, in which no word stands. Read the columns from left to right, and each of them line by line.

# %%
words = [
    ("Hang", 0, 40, 10), ("the", 45, 70, 10), ("Cut", 120, 150, 10), ("it", 155, 165, 10),
    ("probe.", 0, 50, 25), ("dry.", 120, 145, 25),
]  # fmt: skip
print("read across:", " ".join(text for text, *_ in words))


# %%
def reading_order(words, gap):
    """Return the texts of the words, column by column and line by line."""
    ### BEGIN SOLUTION
    columns, reach = [], None
    for word in sorted(words, key=lambda word: word[1]):
        _, left, right, _ = word
        if reach is None or left - reach >= gap:
            columns.append([])
            reach = right
        columns[-1].append(word)
        reach = max(reach, right)
    return [word[0] for column in columns for word in sorted(column, key=lambda word: (word[3], word[1]))]
    ### END SOLUTION


# %%
try_it(reading_order, words, gap)

# %%
check("02.1", reading_order)

# %% [markdown]
# A title over both columns closes the strip. A real parser cuts the page across first, below the title, and then looks
# for the strip in each part.
#
# ## Exercise 02.2: running lines
#
# A page is a list of lines. Return the pages **without running headers and footers**, and without anything else
# missing:
#
# - only the first and the last line of a page can be one;
# - a first line goes if it is the first line of **more than half** of the pages, and of two at least; the same, counted
#   apart, for last lines;
# - lines that differ only in the page's own number count as equal: *Page 1 of 2* and *Page 2 of 2*. The first page has
#   the number 1, and its number stands in the line as a whole number. Leave out its first
#   occurrence only.

# %%
contract = [
    ["Contract FM-7", "The fee rises in the settling-in pe-", "Page 1 of 2"],
    ["Contract FM-7", "riod by 235 euros.", "Page 2 of 2"],
]


# %%
def drop_running_lines(pages):
    """Return the pages without the lines that repeat at their edges."""

    ### BEGIN SOLUTION
    def edge(number, line):
        return re.sub(rf"\b{number}\b", "#", line, count=1)

    numbered = [(number, page) for number, page in enumerate(pages, 1)]
    tops = Counter(edge(number, page[0]) for number, page in numbered if page)
    ends = Counter(edge(number, page[-1]) for number, page in numbered if page)

    def runs(count):
        return count >= 2 and count * 2 > len(pages)

    kept = []
    for number, page in numbered:
        start, stop = 0, len(page)
        if page and runs(tops[edge(number, page[0])]):
            start = 1
        if page and runs(ends[edge(number, page[-1])]):
            stop -= 1
        kept.append(page[start:stop])
    return kept
    ### END SOLUTION


# %%
try_it(drop_running_lines, contract)

# %%
check("02.2", drop_running_lines)

# %% [markdown]
# What would your function do with the header *Contract FM-7* on the page with that very number? A rule that takes
# text away has such corners. That is why a parser says what it took.
#
# ## Exercise 02.3: words broken at a line's end
#
# Join the lines of a paragraph to one text. Take the blanks off both ends of each line, and pass over empty ones. Then:
#
# - a **small letter and a hyphen** at the end of a line, and a **small letter** at the beginning of the next: one
#   word was broken. The hyphen goes;
# - any **other** hyphen at a line's end that has no space before it stays, and the next line follows at once: *XX-*
#   and *5310* make a code;
# - everything else is joined with a space. A hyphen that stands alone, also as a line of its own, is a dash.


# %%
def join_lines(lines):
    """Return the lines as one text."""
    ### BEGIN SOLUTION
    text = ""
    for line in filter(None, (line.strip() for line in lines)):
        before = text[-2:-1]
        if not text:
            text = line
        elif not text.endswith("-") or before in ("", " "):
            text += " " + line
        elif before.islower() and line[0].islower():
            text = text[:-1] + line
        else:
            text += line
    return text
    ### END SOLUTION


# %%
try_it(join_lines, ["A desic-", "cant cartridge AC-", "412 is not", "an XX-", "5310."])

# %%
check("02.3", join_lines)

# %% [markdown]
# The rule is good and not perfect: *well-* and *known* become *wellknown*. The kit looks whether the word stands
# elsewhere in the document, with the hyphen or without.
#
# ## Exercise 02.4: a header of two lines
#
# The header of the price table has two lines. The upper one has labels that are *merged* over several columns:
# their text stands in the first place, and the places after it are empty. Return **one label for each column**:
# upper and lower, with *space, slash, space* between them.
#
# - an empty place of the upper line belongs to the label before it, if there is one;
# - where only one of the two is there, it stands alone;
# - where both are equal, the label stands once.

# %%
upper = ["", "EU", "", "Other regions", ""]
lower = ["Number", "List", "Partner", "List", "Partner"]


# %%
def column_labels(upper, lower):
    """Return one label for each column."""
    ### BEGIN SOLUTION
    labels, above = [], ""
    for over, below in zip(upper, lower):
        above = over or above
        parts = dict.fromkeys(part for part in (above, below) if part)
        labels.append(" / ".join(parts))
    return labels
    ### END SOLUTION


# %%
try_it(column_labels, upper, lower)

# %%
check("02.4", column_labels)

# %% [markdown]
# ## Exercise 02.5: a split table
#
# The tables of a document come page by page, each a list of rows, and each row a list of cells. Where a page break
# has split a table, put it together again. Return the list of tables:
#
# - a table with as many columns as the one before it **goes on** with it. Its first row is data. It never becomes a
#   header;
# - unless that first row is the header printed once more: leave it out;
# - a table with another number of columns is one of its own;
# - a table without rows is passed over. Leave the lists that you were given as they are.

# %%
split = [
    [["Number", "Price"], ["AC-401", "38"]],
    [["AC-418", "83"], ["AC-421", "142"]],
]


# %%
def join_tables(tables):
    """Return the tables, those that a page break had split in one piece."""
    ### BEGIN SOLUTION
    joined = []
    for table in filter(None, tables):
        if joined and len(table[0]) == len(joined[-1][0]):
            again = table[0] == joined[-1][0]
            joined[-1] = joined[-1] + table[1 if again else 0 :]
        else:
            joined.append(list(table))
    return joined
    ### END SOLUTION


# %%
try_it(join_tables, split)

# %%
check("02.5", join_tables)

# %% [markdown]
# Two different tables may have the same number of columns. What else on the page could tell them apart? (A heading
# between them; other widths; words where figures were.)
#
# ## How far you are

# %%
progress("02")

# %%
SelfRating("02")

# %% [markdown]
# ## Take with you
#
# - Order first, then lines, then words, then tables: each repair needs the one before it.
# - Take out only what repeats, where it repeats. What was taken out belongs into a notice.
# - A table is whole when each value stands under its label, on each page.
