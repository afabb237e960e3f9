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
#   title: "Parsing: what did the model actually get?"
#   can_do: see what the model really got from a PDF, and repair it
#   minutes: 60
# ---

# %% [markdown]
# # 02 Parsing: what did the model actually get?
#
# You see a page. The model sees a string of characters that some program took out of a file. Between the two lies
# **parsing**: reading a file into text, with its order, its headings and its tables. When an answer is wrong, the
# page on your screen proves nothing. Look at the text.
#
# **After this lesson you can**
#
# - lay a page beside what was read of it, and say what was lost;
# - trace a wrong or missing answer back to the parsing, with the same question asked of two readings;
# - find the bad files of a folder before any model is asked, and add a parser of your own.
#
# It takes about an hour. You should have run lessons 00 and 01. Everything runs on this machine.

# %% tags=["parameters"]
today = "2026-11-15"

# %%
import tempfile
import time
from collections import Counter
from datetime import date
from pathlib import Path

import docx
import openpyxl

from rag_kit import Filters, load_settings, open_library, parse
from rag_kit.chunking import diagnose
from rag_kit.operations.library import tokenizer_of
from rag_kit.parsing import PARSERS, Piece, build_document, register
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.parsing.naive import naive_pages, parse_pdf_naively
from rag_kit.parsing.pdf import parse_pdf
from rag_kit.parsing.tables import labelled_cells
from rag_kit.teaching import (
    CitationPanel,
    SelfRating,
    blocks_view,
    checkpoint,
    page_view,
    sample_docs,
    show_markdown,
    show_source,
    show_table,
)

settings = load_settings()
filters = Filters.owner(as_of=date.fromisoformat(today))
docs = sample_docs()

# %% [markdown]
# ## Five steps, in this order
#
# What happens to a document before anybody asks is called **ingestion**:
#
# 1. **Parse**: file to text and *blocks*, which are headings, paragraphs, lists and tables, in reading order.
# 2. **Chunk**: cut the text into passages along those blocks. That is the next lesson.
# 3. **Contextualise**: put the title and the headings above a passage in front of it.
# 4. **Embed**: turn each passage into a vector.
# 5. **Index**: keep the vectors where they can be searched.
#
# Each step works with what the one before has left. What the first loses, none of the others brings back, and none
# of them complains.
#
# ## Two readings of the same files
#
# The sample documents hold some PDFs. We read them twice. First as most first attempts do, *naively*: take the text
# page by page, in the order in which the file draws it.

# %%
show_source(naive_pages)

# %% [markdown]
# `register` says which function reads which files. We put the naive one in place of the kit's, read the files, and
# put the kit's back.

# %%
pdfs = sorted(docs.rglob("*.pdf"))
kit_parser = PARSERS[".pdf"]

register(".pdf", parse_pdf_naively, reads="bytes")
naive = open_library(pdfs, settings=settings, pipeline="dense")
PARSERS[".pdf"] = kit_parser

# %% [markdown]
# Then with the kit's own parser, which is *layout-aware*: it looks where on the page the words stand. The first time,
# this takes a while; what was read is kept.

# %%
kit = open_library(pdfs, settings=settings, pipeline="dense")
print(f"{len(pdfs)} files; naive: {len(naive.chunks)} passages, with layout: {len(kit.chunks)} passages")

# %% [markdown]
# Same files, same embedder, same reader, same questions. Whatever differs from here on is parsing.
#
# ## A figure from a table
#
# A buyer asks for one price of a price table. **Before you run the next cell, guess:** will the naive reading
# give the right price, a wrong one, a refusal, or something else?

# %%
price = "What is the partner price of the cabinet heater AC-434 in other regions?"
soup = naive.ask(price, filters=filters)

CitationPanel(soup)

# %% [markdown]
# What had the reader been given? The lines around the cabinet heater, as the naive reading has them:

# %%
stream = naive.document("accessories-services-prices-2026").text
row = stream.index("AC-434")
print(stream[stream.rindex("Cabinets", 0, row) : stream.index("Test", row)])

# %% [markdown]
# The heater is there, with four figures behind it. **Write down the price that you would give the buyer.** Nothing here says
# which figure belongs to which label: this is *word soup*, all the words of a table without its columns.
#
# Our offline reader can only quote, and it quotes only what names what was asked for; here it rather refuses. A model
# that writes sentences has to choose one of the figures, and it chooses fluently. That is how a number is
# *invented* from a document that holds it.
#
# Here is the page, beside what the kit reads of it. The table begins on one page and goes on, without its header,
# on the next.

# %%
table_pdf = docs / "sales" / "accessories-and-services-price-table-2026.pdf"
prices = kit.document("accessories-services-prices-2026")

page_view(table_pdf, prices, page=2)

# %% [markdown]
# Look at the first table on both sides. The page has no header there; the block has one. The parser carried it over
# from the page before, and made one label of the two lines of the header. Now the same question:

# %%
priced = kit.ask(price, filters=filters)

CitationPanel(priced)

# %% [markdown]
# Was it the price that you had written down? The panel shows the row under its column labels, and the page, so that
# the buyer can look it up. A table is read well when **each value can be reached by its row and its column**. That
# can be tried without any model:


# %%
def values(document):
    return [cell for block in document.blocks for cell in labelled_cells(block.text)]


cells = values(prices)
at = [cell.text for cell in cells].index("AC-434")
show_table(["row", "column", "value"], [(cell.row, cell.column, cell.text) for cell in cells[at : at + 6]])

# %% [markdown]
# ## When the table was drawn column by column
#
# A PDF does not hold rows. It holds words with places, in any order that the program which made it liked. This is
# what the naive reading has of a list of cleaning limits, one column after the other:

# %%
lines = naive.document("probe-cleaning-limits").text.splitlines()
first, second = lines.index("Agent"), lines.index("XX-5310")
agents = lines[first + 1 : second]
limits = lines[second + 1 : lines.index("XX-5130-S")]
print("agents: ", agents)
print("XX-5310:", limits)

# %% [markdown]
# Play the model. **How strong may nitric acid be on the level probe, and how strong sodium hydroxide?** Count: the
# third agent takes the third figure, the fourth takes the fourth.

# %%
print("by counting:", {agents[place]: limits[place] for place in (2, 3)})

# %% [markdown]
# Sounds reasonable, and somebody will now mix it. Look at the page:

# %%
limits_pdf = docs / "products" / "probe-cleaning-limits.pdf"
cleaning = kit.document("probe-cleaning-limits")

page_view(limits_pdf, cleaning)

# %%
probe = {cell.row: cell.text for cell in values(cleaning) if cell.column == "XX-5310"}
show_table(
    ["agent", "by counting", "by row and column"],
    [(agents[place], limits[place], probe.get(agents[place], "(empty)")) for place in (2, 3)],
)

# %% [markdown]
# The empty cell was an answer: *not allowed*. In the stream of words an empty cell leaves no trace, and everything
# below it moves up by one. No embedding and no larger model can put it back.
#
# What does our reader do with it, in both readings? From here on we compare them in a small table.

# %%
readings = {"naive": naive, "layout": kit}


def both(question):
    answers = {name: library.ask(question, filters=filters) for name, library in readings.items()}
    return show_table(["reading", "answer"], [(name, answer.text) for name, answer in answers.items()])


# %%
both("Which concentration of sodium hydroxide is allowed for the XX-5310?")

# %% [markdown]
# The stand-in refuses where it is not sure, which is the best that can come of word soup. Do not count on every
# model to be so shy.
#
# ## Two columns
#
# The manual of the level probe is set in two columns. **Guess:** what does a sentence look like that was read
# straight across the page?

# %%
both("What load damages the vent tube in the cable?")

# %%
both("How far from an inlet must the level probe hang?")

# %% [markdown]
# In the first answer of the naive reading, the heads of a table stand in the middle of the sentence. The second question
# shows quieter damage, a refusal. This is what the naive text has at that place:

# %%
across = naive.document("xx-5310-manual").text
inlet = across.index("from an inlet")
print(across[across.rindex("\n", 0, inlet) + 1 : across.index("\n", inlet)])

# %% [markdown]
# One line of the naive text: a shield that is connected in the junction box, at some distance from an inlet. Two good
# sentences have become a false one, and to the person who asks, the refusal looks like an honest one.

# %%
manual_pdf = docs / "products" / "xx-5310-level-probe-manual.pdf"
manual = kit.document("xx-5310-manual")

page_view(manual_pdf, manual)

# %% [markdown]
# Follow the blocks with a finger on the page: down the first column, then the second. Where do the caption of the
# figure, the grey box and the footnotes stand? None of them may land inside a sentence.
#
# ## A header in the middle of a sentence
#
# The contract has the same two lines at the top of each page. One of its clauses runs over a page break.

# %%
both("How much does the yearly fee rise when a measuring point is added after the settling-in period?")

# %%
contract = naive.document("fennick-springs-contract").text
torn = contract.index("riod raises")
print(contract[torn - 180 : torn + 70])

# %% [markdown]
# Two things went wrong at once. The running header stands inside the sentence, and a word was broken at the line's
# end. The kit takes out what repeats on the pages, **and says so**. What a parser did without being asked is called a
# *notice*:

# %%
for notice in kit.document("fennick-springs-contract").notices:
    print(f"{notice.code}: {notice.message}")

# %% [markdown]
# Why only what *repeats*? Because the first line of a page can just as well be the end of a clause, or the only place
# where a date stands.
#
# ### Words that a search does not find
#
# Broken words are worse than they look, because a search for the whole word passes them over. Here some words are
# counted in the PDFs of which both readings got text. **Which column will be higher?**


# %%
readable = [document.document_id for document in naive.documents if document.blocks]


def times(library, word):
    return sum(library.document(name).text.count(word) for name in readable)


show_table(
    ["word", "naive", "layout"],
    [(word, times(naive, word), times(kit, word)) for word in ("desiccant", "harnesses", "minutes")],
)

# %% [markdown]
# A hyphen at a line's end is not always to be dropped: *XX-* and *5310* belong together **with** it. You will
# write that rule in the exercise.
#
# ## A picture of a letter
#
# Some PDFs hold no text at all, only photographs of paper. They have *no text layer*. **Guess:** what does the naive
# reading make of a scanned letter, and will anybody notice?

# %%
both("When does the warranty of the replaced level probe at Brindle Reservoir end?")

# %%
scan_pdf = docs / "support" / "brindle-reservoir-warranty-letter-scan.pdf"
without_ocr = parse(scan_pdf, ocr="off", settings=settings)
print(f"naive: {len(naive.document('brindle-warranty-letter').text.strip())} characters, no error")
for problem in without_ocr.errors:
    print(f"the kit, with OCR off: {problem.code}: {problem.message}")

# %% [markdown]
# A file that gives no text is not an empty file, and the kit says which of the two it is. With OCR on, as it is by
# default, it reads the picture: *OCR* is optical character recognition. It writes down how sure it was:

# %%
page_view(scan_pdf, kit.document("brindle-warranty-letter"))

# %% [markdown]
# The *confidence* is the recogniser's own opinion, from nothing to one. It is no proof: a recogniser can be quite
# sure of a 5 that is an S. So figures that came through OCR deserve a look at the picture before anybody relies on
# them, and a block that says so is worth more than one that does not.

# %% [markdown]
# ## What is not written on the page
#
# Three places where the text is not where a simple reader looks for it.
#
# **Form fields.** In a filled-in form, the labels are print and the values are fields laid over it.

# %%
both("How high is the membrane above the floor at Saltmere pumping station?")

# %% [markdown]
# **Tracked changes.** A Word file keeps what was deleted and what was inserted, side by side. The usual library for
# such files, asked for the text of its paragraphs, gives neither. **Read the sentence and say what is wrong with
# it:**

# %%
policy = docs / "legal" / "subcontractor-policy-sb-05.docx"
print(next(p.text for p in docx.Document(policy).paragraphs if "hub manager" in p.text))

# %%
[accepted] = parse(policy, settings=settings).documents
print(next(block.text for block in accepted.blocks if "hub manager" in block.text))
print("\nnotice:", accepted.notices[0].message)

# %% [markdown]
# The sums had been changed, so they were gone: a sentence without its figure, and without any trace that one is
# missing. The notice tells the reader that somebody has to agree to these changes before they are the policy.
#
# **Cells of a sheet.** What a cell holds and what it shows are two things:

# %%
stock = docs / "support" / "reference-gauges-and-hub-stock.xlsx"
sheet = openpyxl.load_workbook(stock, data_only=True)["Hub stock"]
held = next(row for row in sheet.iter_rows(values_only=True) if row[0] == "AC-418")
[read] = parse(stock, settings=settings).documents
shown = [cell for cell in values(read) if cell.row == "AC-418"]
show_table(
    ["column", "held", "as shown"], [(cell.column, value, cell.text) for value, cell in zip(held[1:], shown)]
)

# %% [markdown]
# People ask in the words that they see, so the text has to hold what is shown. (A web page has the opposite trouble:
# menus and cookie banners are text too, on every page, and have to go.)
#
# ## Before any model is asked
#
# You need not find these faults one by one. `diagnose` goes through the documents and passages and names what can
# lose an answer. **Guess:** which of the faults above will it have found in the naive reading?


# %%
def findings(library):
    return diagnose(library.documents, library.chunks, tokenizer_of(settings))


found = {name: findings(library) for name, library in readings.items()}
naively, with_layout = (Counter(item.code for item in items) for items in found.values())
show_table(
    ["finding", *readings],
    [(code, naively[code], with_layout[code]) for code in sorted(naively | with_layout)],
)

# %%
where = [(item.document_id, item.page or "", item.code, item.message) for item in found["naive"]]
show_table(["document", "page", "finding", "what it says"], where)

# %% [markdown]
# Not everything is there. That words of two columns were mixed cannot be seen from the words alone: each is a good
# word. **Diagnosis narrows down where to look; the page beside its blocks shows it.** For a folder of your own, in a
# terminal: `python3 kit.py diagnose path/to/folder`.
#
# ## Where parsing cannot help
#
# A PDF draws *shapes*. Which letters they stand for is written in a table inside the file, and that table can be
# wrong or missing. In this note the shapes for *fl*, *fi* and *ffi*, two or three letters drawn as one and called
# *ligatures*, stand for nothing:

# %%
for name, library in readings.items():
    text = library.document("volume-from-level-note").text
    start = text.index("Over a sharp weir")
    print(f"{name}:\n{text[start : start + 210]}\n")

# %% [markdown]
# The naive text has holes, and nothing says so. The kit looked at the picture of the page for the letters that the file
# does not name, filled in what it was sure of, and told you:

# %%
for notice in kit.document("volume-from-level-note").notices:
    print(f"{notice.code}: {notice.message}")

# %% [markdown]
# Letters that were filled in are a good guess and no reading; what could not be filled in is marked in the text.
# The same goes for a chart that is a picture. Its caption is read, its bars are not, and a question about them
# ought to end in a refusal. Ask the owner for the file that the PDF was made from.
#
# ## The pitfalls, in one table
#
# For each pitfall a few words that have to stand together, or a value that has to be reached by its row and its
# column. All were chosen where reading is hard, so this is a picture of what can go wrong and no measurement.


# %%
def kept(library, wanted):
    if isinstance(wanted, str):
        return any(wanted in document.text for document in library.documents)
    cells = [cell for document in library.documents for cell in values(document)]
    return wanted in [(cell.row, cell.column, cell.text) for cell in cells]


pitfalls = [
    ("columns read across", "A load of more than 300 N", "sentences without sense"),
    ("running header in a sentence", "the settling-in period raises", "`diagnose`: repeated_boilerplate"),
    ("word broken at a line's end", "for 5 minutes at the lowest", "a search finds too little"),
    ("table as word soup", ("Sodium hydroxide", "XX-5310", "1 %"), "`diagnose`: word_soup"),
    ("header lost on the next page", ("Cabinets", "Other regions / Partner", "54"), "bare figures"),
    ("page on its side (a data sheet)", ("Accuracy", "XX-5130-G", "±1.5 % of reading"), "page beside blocks"),
    ("no text layer", "19 November 2028", "few characters in a large file"),
    ("values in form fields", "5310-26-01177", "labels without values"),
]
show_table(
    ["pitfall", *readings, "how you would notice"],
    [
        (name, *("kept" if kept(library, wanted) else "lost" for library in readings.values()), sign)
        for name, wanted, sign in pitfalls
    ],
)

# %% [markdown]
# ## What it costs
#
# Reading the layout takes longer than taking the words, and OCR much longer still. On this machine, for a page (the
# cell recognises the letter once more, so it takes some seconds):


# %% tags=["volatile"]
def seconds_a_page(parser, path, pages):
    began = time.perf_counter()
    parser(path.read_bytes(), source_uri=path.name, relative_path=path.name)
    return (time.perf_counter() - began) / pages


show_table(
    ["reading", "seconds a page"],
    [
        ("naive", seconds_a_page(parse_pdf_naively, manual_pdf, 2)),
        ("layout", seconds_a_page(parse_pdf, manual_pdf, 2)),
        ("layout and OCR", seconds_a_page(parse_pdf, scan_pdf, 2)),
    ],
)

# %% [markdown]
# It is paid once for each file. The kit keeps what it has read and reads a file again only when the file or the
# parser has changed.
#
# ## Add a parser
#
# Sooner or later a customer has a format that nobody reads. Here it is the transcript of a call, as video tools
# write it: times, and who said what. A parser gets the content and makes *pieces*: what kind of block, from where to
# where in the text, and its *heading path*, the headings above it. The times serve as headings here.


# %%
def parse_transcript(text, *, source_uri, relative_path, notices=()):
    pieces, at = [], 0
    for part in text.split("\n\n"):
        times, _, said = part.partition("\n")
        if "-->" in times and said.strip():
            start = at + len(times) + 1
            pieces.append(Piece("title", (at, start - 1), (times,)))
            pieces.append(Piece("paragraph", (start, start + len(said.rstrip())), (times,)))
        at += len(part) + 2
    front = FrontMatter(title=Path(relative_path).stem)
    about = {"source_uri": source_uri, "relative_path": relative_path, "notices": notices}
    return build_document(text, pieces, front, **about)


register(".vtt", parse_transcript)

# %%
call = """WEBVTT

00:00:01.000 --> 00:00:06.000
Thornbury: The level in tank 3 wanders every night.

00:00:06.500 --> 00:00:12.000
Tolland: Please take the blue plug off the vent tube, then wait for two hours.
"""
with tempfile.TemporaryDirectory() as folder:
    (Path(folder) / "call.vtt").write_text(call, encoding="utf-8")
    own = open_library(folder, settings=settings, pipeline="dense")

transcript = own.documents[0]
print("every block slices back:", all(transcript.text[slice(*b.span)] == b.text for b in transcript.blocks))
blocks_view(transcript)

# %%
CitationPanel(own.ask("What has to be taken off the vent tube?", filters=filters))

# %% [markdown]
# That each span slices back to the document's text is the one promise that a parser must keep: it is why a citation
# can point at words, and here at the second of the call. (The two turns are short, so the chunker put them into one passage; the
# heading above it is that of the quote.) **Try it:** put the speaker into the heading path as well,
# and look at the panel again.
#
# ## Checkpoint

# %%
checkpoint("02-table-figure")

# %%
checkpoint("02-empty-scan")

# %%
checkpoint("02-repeated-line")

# %%
checkpoint("02-where-first")

# %% [markdown]
# ## In an interview
#
# Answer aloud first, then open the sample answer.

# %% tags=["hide-input"]
whole = [sum(kept(library, wanted) for _, wanted, _ in pitfalls) for library in readings.values()]
show_markdown(
    "**“Our PDFs are a mess. How do you get them in, step by step?”**",
    "<details><summary>Sample answer</summary>\n\nBefore you pay for a model you get a list of the files that cannot be "
    "trusted yet. Then, in order: parse with the layout, so that columns, tables and headings survive; chunk along that "
    "structure; put title and headings before each passage; embed; index. Scans go through OCR and are marked as such. In the "
    f"notebook I looked for {len(pitfalls)} facts at places that are hard to read: the naive reading kept {whole[0]} of "
    f"them, the one with layout {whole[1]}.\n\n</details>",
    "**“The demo gave a wrong price. How do you find out why?”**",
    "<details><summary>Sample answer</summary>\n\nYou get a cause and not an excuse. I look at the passage that was "
    "retrieved, then at the page beside the blocks that were read of it. Was the figure in the text, under its label? In the "
    f"notebook the row was there, “{stream[row:].splitlines()[0]}”, and no column label with it: the stand-in refused, and "
    "a model that writes would have had to pick one of the four. "
    f"Read with its layout, the same question gave: “{priced.text}”\n\n</details>",
    "**“Why not send the pages to a model as pictures?”**",
    "<details><summary>Sample answer</summary>\n\nFor some files it is the right way, and you pay for it at each page. But "
    "you still need text to search, and a place in it to cite. And a picture model that misreads a figure says "
    "nothing; a parser leaves notices. I would use it for the pages that the diagnosis names, "
    f"here {len({(i.document_id, i.page) for i in found['naive'] if i.code == 'word_soup'})} of them read as word soup.\n\n</details>",
)

# %% [markdown]
# ## Take with you
#
# - The model gets text and not pages. Lay the page beside its blocks before you blame anything else.
# - Parsing fails without an error: a valid citation can rest on word soup, and a polite refusal on a scan.
# - A table is read well when each value can be reached by its row and its column, an empty cell included.
#
# **Now the exercise:** `exercises/02_parsing.ipynb`. You repair a reading order, running lines, broken words, a lost
# header and a split table.
#
# **Read next:** Barnett and others, *Seven Failure Points When Engineering a Retrieval Augmented Generation System*:
# how many of the seven begin in the parsing? Then lesson 03, which cuts the text into passages.

# %%
SelfRating("02")
