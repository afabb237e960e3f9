"""Values parted by commas, semicolons, tabs or bars: the sign is told from the rows, and so is the header."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence

from rag_kit.parsing.blocks import build_document
from rag_kit.parsing.decoding import decode
from rag_kit.parsing.frontmatter import FrontMatter
from rag_kit.parsing.tables import names_only, reads_as_header
from rag_kit.parsing.writer import TextWriter
from rag_kit.types import Document, Notice

# The comma last: it also stands in numbers and between words.
SEPARATORS = "\t;|,"
_SAMPLE = 100_000
_MOST_LOOKED_AT = 200

Rows = list[list[str]]


def parse_csv(
    content: bytes, *, source_uri: str, relative_path: str, notices: tuple[Notice, ...] = ()
) -> Document:
    r"""Parse a CSV or TSV file into a document of one table; lines around it that have one cell are notes.

    Raises UnreadableDocument where the bytes cannot be decoded.

    >>> document = parse_csv(b"Plan;Fee\nPro;1,5\n", source_uri="a.csv", relative_path="a.csv")
    >>> print(document.text)
    | Plan | Fee |
    | --- | --- |
    | Pro | 1,5 |
    """
    text, found = decode(content, source_uri)
    found = [*notices, *found]
    rows = _rows(text, found)
    before, table, after = _parted(rows)
    writer = TextWriter()
    for note in before:
        writer.paragraph(note)
    if table:
        _pad(table, found)
        writer.table(table, heads=1 if _has_header(table) else 0)
    for note in after:
        writer.paragraph(note)
    return build_document(
        writer.text,
        writer.pieces,
        FrontMatter(),
        source_uri=source_uri,
        relative_path=relative_path,
        notices=found,
    )


def separator_of(text: str) -> str:
    r"""Tell what parts the cells: the sign with which most rows have the same number of cells.

    >>> separator_of("name;share\nA;1,5\nB;2,5\n"), separator_of("name,tags\nA,x;y\nB,x\n")
    (';', ',')
    """
    sample = text[:_SAMPLE]
    whole = len(text) <= _SAMPLE
    best, best_score = ",", 0.0
    for sign in SEPARATORS:
        rows = list(_read(sample, sign))[: _MOST_LOOKED_AT + 1]
        counts = Counter(len(row) for row in (rows if whole else rows[:-1] or rows) if any(row))
        wide = {width: number for width, number in counts.items() if width > 1}
        if wide:
            width, number = max(wide.items(), key=lambda pair: (pair[1], pair[0]))
            # Notes around a table have one cell each and say nothing; a row of another width does.
            score = number / (sum(wide.values()) + 0.5 * counts[1])
            if score > best_score + 0.05:
                best, best_score = sign, score
    return best


def _rows(text: str, notices: list[Notice]) -> Rows:
    first, _, rest = text.partition("\n")
    if len(first.strip()) == 5 and first.lower().startswith("sep="):
        sign, text = first[4], rest  # Excel's own way to say it.
    else:
        sign = separator_of(text)
    try:
        rows = list(_read(text, sign))
        swallowed = text.count('"') % 2 == 1 and any("\n" in cell for cell in rows[-1])
    except csv.Error:
        swallowed = True
    if swallowed:
        message = "a quotation mark is opened and never closed: each line was read as a row of its own"
        notices.append(Notice("open_quote", message))
        rows = [row for line in text.split("\n") for row in _lenient(line, sign)]
    return [[" ".join(cell.split()) for cell in row] for row in rows]


def _read(text: str, sign: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=sign, skipinitialspace=sign != "\t")


def _lenient(line: str, sign: str) -> Rows:
    try:
        return list(_read(line, sign))
    except csv.Error:
        return [line.split(sign)]


def _parted(rows: Rows) -> tuple[list[str], Rows, list[str]]:
    """Part the notes above and below a table from it."""
    rows = [row for row in rows if any(row)]
    width = max((_filled(row) for row in rows), default=0)
    start, end = 0, len(rows)
    if width > 1:
        # A row with a separator in it is a row: only its other cells happen to be empty.
        usual = Counter(len(row) for row in rows if _filled(row) > 1).most_common(1)[0][0]
        while start < end and _is_note(rows[start], usual, first=True):
            start += 1
        while end > start and _is_note(rows[end - 1], usual, first=False):
            end -= 1
    notes = [" ".join(cell for cell in row if cell) for row in rows]
    return notes[:start], rows[start:end], notes[end:]


def _is_note(row: list[str], usual: int, *, first: bool) -> bool:
    return _filled(row) == 1 and bool(row[0]) and (first or len(row) != usual)


def _filled(row: Sequence[str]) -> int:
    return sum(1 for cell in row if cell)


def _pad(table: Rows, notices: list[Notice]) -> None:
    """Give all rows as many cells as the widest; say so where it was not only cells left off at the end."""
    usual = Counter(map(len, table)).most_common(1)[0][0]
    ragged = sum(1 for row in table if len(row) != usual)
    width = max((at + 1 for row in table for at, cell in enumerate(row) if cell), default=0)
    if ragged:
        message = (
            f"{ragged} of {len(table)} rows have not {usual} cells as most do: check that none has shifted"
        )
        notices.append(Notice("ragged_rows", message))
    for row in table:
        del row[width:]
        row.extend([""] * (width - len(row)))


def _has_header(table: Rows) -> bool:
    """Tell whether the first row is the header: it reads as one, or its words come back in no row below."""
    if reads_as_header(table):
        return True
    first, rest = table[0], table[1:]
    if not rest or not all(first) or not names_only(first) or len(set(first)) < len(first):
        return False
    return not any(row[at] == name for row in rest for at, name in enumerate(first))
