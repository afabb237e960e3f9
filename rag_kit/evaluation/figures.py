"""Questions made from tables: each asks for a printed figure by the labels of its row and its column.

Nothing here knows a document: the labels are what the parser read, the wordings are fixed, and which figures
are asked for is drawn by a hash.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rag_kit.parsing.tables import reads_as_number
from rag_kit.sentences import table_cells, units
from rag_kit.spans import shift
from rag_kit.types import Document, Span

WORDINGS = ("What is the {column} of {row}{where}?", "{row}{where}: {column}?", "{column} for {row}{where}?")
_WORD = re.compile(r"\w+(?:[-_.]\w+)*")
EACH = 3
"""Figures that are asked for a table."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a table, what to ask for it, and where its row stands in the document."""

    question: str
    document_id: str
    row: str
    column: str
    text: str
    span: Span
    page: int | None
    table: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The figures to ask for; of ``printed`` ones, ``unlabelled`` have no row or column label.

    ``doubled`` ones share their question with a figure in another place: they are not asked for.
    """

    figures: tuple[Figure, ...]
    printed: int
    unlabelled: int
    doubled: int


def draw_figures(documents: Iterable[Document], *, each: int = EACH) -> Drawn:
    """Make a question for ``each`` figures a table; the same documents give the same questions.

    A figure is a cell with a digit that is not itself its row's label. Where a row's label stands in several
    documents, the question names the title.
    """
    documents = list(documents)
    titles = {document.document_id: document.title for document in documents}
    found = [figure for document in documents for figure in printed_figures(document)]
    labelled = [figure for figure in found if figure.row and figure.column]
    homes = _homes({figure.row for figure in labelled}, documents)
    asked = [
        replace(f, question=_ask(f, titles[f.document_id] if len(homes[_folded(f.row)]) > 1 else ""))
        for f in labelled
    ]
    # Titles are not always different: what counts is what a reader of the question could tell apart.
    counts = Counter(_meant(f, titles, homes) for f in asked)
    tables: defaultdict[str, list[Figure]] = defaultdict(list)
    for figure in asked:
        if counts[_meant(figure, titles, homes)] == 1:
            tables[figure.table].append(figure)
    drawn = (sorted(sorted(held, key=_draw)[:each], key=_place) for held in tables.values())
    doubled = len(asked) - sum(map(len, tables.values()))
    return Drawn(
        tuple(figure for held in drawn for figure in held), len(found), len(found) - len(labelled), doubled
    )


def printed_figures(document: Document) -> Iterator[Figure]:
    """Yield each figure of a document's tables; what to ask for it is still to be said."""
    for block in document.blocks:
        if block.block_type != "table":
            continue
        rows = [unit for unit in units(block.text) if unit.kind == "row"]
        cells = [table_cells(block.text[slice(*unit.span)]) for unit in rows]
        key = label_column(cells)
        for unit, row in zip(rows, cells, strict=True):
            columns = unit.header if len(unit.header) == len(row) else ("",) * len(row)
            for at, text in enumerate(row):
                if at != key and any(sign.isdecimal() for sign in text):
                    yield Figure(
                        question="",
                        document_id=document.document_id,
                        row=row[key] if key is not None and key < len(row) else "",
                        column=columns[at],
                        text=text,
                        span=shift(unit.span, block.span[0]),
                        page=block.page,
                        table=f"{document.document_id}@{block.span[0]}",
                    )


def label_column(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the column that names the rows: the first without an equal pair, of words if there is one.

    >>> label_column([["1", "Probes", "AC-1", "5"], ["2", "Probes", "AC-2", "5"]])
    2
    >>> label_column([["Probes", "5"], ["Probes", "5"]]) is None
    True
    """
    width = max((len(row) for row in rows), default=0)
    columns = [[_folded(row[at]) for row in rows if at < len(row) and row[at]] for at in range(width)]
    apart = [at for at, column in enumerate(columns) if column and len(set(column)) == len(column)]
    filled = [at for at in apart if 2 * len(columns[at]) > len(rows)]
    worded = [at for at in filled if 2 * sum(map(reads_as_number, columns[at])) < len(columns[at])]
    return next(iter(worded or filled), None)


def _ask(figure: Figure, title: str) -> str:
    wording = WORDINGS[_hash(figure, "wording") % len(WORDINGS)]
    where = f" in {title}" if title else ""
    return wording.format(column=figure.column, row=figure.row, where=where)


def _homes(labels: Iterable[str], documents: Iterable[Document]) -> dict[str, set[str]]:
    """Return in which documents each label stands, in a table or out of one."""
    texts = {document.document_id: f" {_words(document.text)} " for document in documents}
    return {
        _folded(label): {name for name, text in texts.items() if f" {_words(label)} " in text}
        for label in labels
    }


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _meant(figure: Figure, titles: Mapping[str, str], homes: Mapping[str, set[str]]) -> tuple[str, str, str]:
    row = _folded(figure.row)
    return row, _folded(figure.column), titles[figure.document_id] if len(homes[row]) > 1 else ""


def _draw(figure: Figure) -> int:
    return _hash(figure, "drawn")


def _place(figure: Figure) -> tuple[Span, str]:
    return figure.span, figure.column


def _hash(figure: Figure, use: str) -> int:
    """Return a number that the figure's labels alone decide."""
    said = "\x00".join((use, figure.document_id, figure.row, figure.column))
    return int.from_bytes(hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def _folded(label: str) -> str:
    return " ".join(label.casefold().split())
