# %% [markdown]
# # What the browser tests click

# %% tags=["parameters"]
question = "What does the battery pack cost, and when is a refund paid?"

# %%
from rag_kit.teaching import CitationPanel, Quiz, evidence_table, show_source
from rag_kit.types import Answer, Chunk, Citation, Evidence, Refusal, Usage

REFUNDS = (
    "## Refunds\n\n" + "A return is announced first, by letter or by form. " * 9
    + "A refund is paid within 14 days of the return. "
    + "Transport is paid by whoever sends the parcel. " * 9
    + "\n\n## Forms\n\nThe form is on the website. <script>document.title = 'owned'</script> safe\u202egnp.exe"
)
ROWS = "| SP-120 | **Battery pack** | XX-1042B | €145 |\n| SP-131 | LTE antenna | XX-2210 | €38 |\n"
HEADER = "| Part | Description | Fits | List price |\n|---|---|---|---|"


def chunk(document, title, text, **more):
    return Chunk(f"{document}#1", document, title, text, (0, len(text)), (title,), f"{document}.md", "hash", 50, **more)


def cite(answer, label, chunk, quote):
    at, start = answer.index(label), chunk.text.index(quote)
    return Citation(label, chunk.chunk_id, quote, (at, at + len(label)), (start, start + len(quote)), "valid")


refunds = chunk(
    "returns", "Returns", REFUNDS, document_version="3", headings=((0, ("Returns", "Refunds")), (REFUNDS.index("## Forms"), ("Returns", "Forms")))
)
prices = chunk("price-list", "Price list", ROWS, prefix=HEADER, pages=(2,))
other = chunk("handbook", "Handbook", "The office opens at nine. It closes at five.")
text = "The battery pack costs €145 [1]. A refund is paid within 14 days of the return [2], by form [3]."
evidence = (
    Evidence(prices, 1, 0.71, 0.71),
    Evidence(refunds, 2, 0.62, 0.6204),
    Evidence(other, 3, 0.1),
)
answer = Answer(
    question,
    text.replace(", by form [3]", ""),
    (
        cite(text, "[1]", prices, "| SP-120 | **Battery pack** | XX-1042B | €145 |"),
        cite(text, "[2]", refunds, "A refund is paid within 14 days of the return."),
    ),
    None,
    evidence,
    "hand-made",
    Usage(),
    {"[1]": prices.chunk_id, "[2]": refunds.chunk_id},
)

# %%
CitationPanel(answer)

# %%
CitationPanel(Answer("Who is the president?", "", (), Refusal("no_evidence", "I could not find an answer in the documents."), (), "hand-made", Usage()))

# %%
evidence_table(evidence, answer.labels)

# %%
Quiz(
    "Why does an answer carry labels?",
    [
        ("They make the answer longer and so more convincing to whoever reads it without looking anything up.", "Length convinces nobody who checks."),
        ("So that a reader can check each statement.", "Each label leads to the words that the statement rests on."),
        ("Because <b>models</b> like brackets.", "What a model likes is no reason."),
    ],
    answer=1,
    key="browser.1",
)

# %%
show_source(show_source)
