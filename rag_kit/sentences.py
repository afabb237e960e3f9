"""Sentences, list items and table rows with their spans: the units that are quoted.

A quote has to be a slice of the document, so nothing here rewrites text; :func:`plain` makes the readable
form of a unit, markup off, for an answer or a panel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rag_kit.spans import shift
from rag_kit.types import Span
from rag_kit.wording import IDEOGRAPH

_WORD = re.compile(r"\S+")
_END = re.compile(r"[.!?…][\"'”’)\]*_]*(?=\s|$)|[。！？][”’」』）】]*")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|nos?|fig|sec|art|dr|mrs?|ms|prof|st|inc|ltd|co|max|min|[a-z])\.$",
    re.I,
)
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:=+|-+)[ \t]*$")
_RULE = re.compile(r"[ \t]{0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_RULE_ROW = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
# A fence may stand in a list item or a quotation. It ends on its own sign, at least as often, alone on a line.
FENCED = (
    r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})"
    r".*?(?:^[ \t>]*(?P=fence)[`~]*[ \t]*$|\Z)"
)
"""A regular expression of fenced code, for ``re.S | re.M``."""
_FENCED = re.compile(FENCED, re.S | re.M)
LONGEST_WORD = 100
"""A longer run without blanks is counted in pieces: MiniLM would read all of it as one unknown token."""
LONGEST_MARKED = 500
"""Characters between two signs of emphasis: without a bound, signs that have no partner cost the square."""
_PIECE = re.compile(rf"[{IDEOGRAPH}]|[^\s{IDEOGRAPH}]{{1,{LONGEST_WORD}}}")
_MARKUP = tuple(
    (re.compile(pattern, re.S), kept)
    for pattern, kept in (
        (rf"!?\[([^\]\n]{{0,{LONGEST_MARKED}}})\]\([^)\s]{{0,{4 * LONGEST_MARKED}}}\)", r"\1"),
        (rf"(\*\*|__)(?=\S)(.{{1,{LONGEST_MARKED}}}?)(?<=\S)\1", r"\2"),
        (rf"(?<!\w)([*_])(?=\S)(.{{1,{LONGEST_MARKED}}}?)(?<=\S)\1(?!\w)", r"\2"),
        (r"`([^`\n]+)`", r"\1"),
        (r"\n[ \t]*>[ \t]?", " "),
        (r"\\([!-/:-@\[-`{-~])", r"\1"),
    )
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A quotable piece of a text; ``header`` is the header row of a table row, as cells."""

    span: Span
    kind: str
    header: tuple[str, ...] = ()


def words(text: str) -> list[Span]:
    """Return the spans of the runs between blanks.

    >>> words("ten  days")
    [(0, 3), (5, 9)]
    """
    return [match.span() for match in _WORD.finditer(text)]


def word_pieces(text: str) -> list[Span]:
    """Return the words of a text as a tokenizer can read them.

    Runs of over 100 characters are cut, and Chinese and Japanese, where a word has no blanks around it,
    between any two signs.

    >>> word_pieces("ten 五日 " + "=" * 120)
    [(0, 3), (4, 5), (5, 6), (7, 107), (107, 127)]
    """
    return [match.span() for match in _PIECE.finditer(text)]


def units(text: str, *, prefix: str = "") -> list[Unit]:
    r"""Split a Markdown or plain text into sentences, list items and table rows, in order.

    Headings, table headers, rules and code are not units: they answer nothing on their own. ``prefix`` is
    what stands above the text without being part of it: the header of a table that was cut.

    >>> text = "# Fees\n\nThe fee is 5. It is paid\nonce.\n\n- by card\n"
    >>> [text[u.span[0]:u.span[1]] for u in units(text)]
    ['The fee is 5.', 'It is paid\nonce.', 'by card']
    """
    above = len(prefix) + 1 if prefix else 0
    whole = f"{prefix}\n{text}" if prefix else text
    found: list[Unit] = []
    for kind, span in _runs(whole):
        if kind == "table":
            found.extend(_rows(whole, span))
        else:
            found.extend(Unit(sentence, "sentence") for sentence in sentence_spans(whole, span))
    own = ((unit, trim(whole, (max(unit.span[0], above), unit.span[1]))) for unit in found)
    return [replace(unit, span=(a - above, b - above)) for unit, (a, b) in own if a < b]


def sentence_spans(text: str, span: Span | None = None) -> list[Span]:
    """Return the spans of the sentences inside ``span``; abbreviations and decimals do not end one.

    >>> text = "Max. flow is 1.5 l, e.g. water. Not oil!"
    >>> [text[a:b] for a, b in sentence_spans(text)]
    ['Max. flow is 1.5 l, e.g. water.', 'Not oil!']
    """
    start, stop = span or (0, len(text))
    spans: list[Span] = []
    at = start
    for match in _END.finditer(text, start, stop):
        end = match.end()
        head = text[max(at, match.start() - 11) : match.start() + 1]
        if match.group()[0] == "." and _ABBREVIATION.search(head):
            continue
        spans.append((at, end))
        at = end
    spans.append((at, stop))
    return [trimmed for trimmed in (trim(text, piece) for piece in spans) if trimmed[0] < trimmed[1]]


def trim(text: str, span: Span) -> Span:
    """Shrink a span past the blanks at both ends.

    >>> trim("  ab ", (0, 5))
    (2, 4)
    """
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def plain(text: str, header: tuple[str, ...] = ()) -> str:
    """Take the Markdown off a unit, and name the cells of a table row by its header.

    >>> plain("| XX-1 | **5** |", ("Part", "Price"))
    'Part: XX-1; Price: 5'
    >>> plain("See [the list](a.md), `E_1`.")
    'See the list, E_1.'
    """
    if text.lstrip().startswith("|") or header:
        cells = table_cells(text)
        if header and len(header) == len(cells):
            return "; ".join(f"{h}: {c}" if h else c for h, c in zip(header, cells, strict=True) if c)
        return "; ".join(cell for cell in cells if cell)
    return _unmark(text)


def table_cells(row: str) -> tuple[str, ...]:
    r"""Return a Markdown table row's cells, markup off; ``\|`` is a bar inside a cell.

    >>> table_cells("| a | **b** |")
    ('a', 'b')
    """
    inner = row.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return tuple(_unmark(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", inner))


def table_head(text: str, span: Span) -> int:
    r"""Return where the header of a Markdown table ends: after its rule row, or at its start without one.

    >>> table_head("| a |\n|---|\n| 1 |\n", (0, 18))
    12
    """
    first = text.find("\n", span[0], span[1]) + 1
    second = text.find("\n", first, span[1]) + 1 if first else 0
    return second if second and _RULE_ROW.match(text, first, second - 1) else span[0]


def _unmark(text: str) -> str:
    for pattern, kept in _MARKUP:
        text = pattern.sub(kept, text)
    return " ".join(text.split())


def _runs(text: str) -> Iterator[tuple[str, Span]]:
    """Yield runs of lines that belong together: a table, a list item or a paragraph."""
    fences = (match.span() for match in _FENCED.finditer(text))
    lines = list(_newline_spans(text))
    kind, start, end, bare, code = "", 0, 0, False, (0, 0)
    for number, (a, b) in enumerate(lines):
        while code[1] <= a:
            code = next(fences, (len(text) + 1, len(text) + 1))
        line = text[a:b]
        underline = bool(_UNDERLINE.match(line))
        if underline and kind == "text" and "\n" not in text[start:end]:
            kind = ""  # what stood above is an underlined title
        aside = underline or not line.strip() or _HEADING.match(line) or _RULE.match(line)
        below = text[slice(*lines[number + 1])] if number + 1 < len(lines) else ""
        bare = not aside and "|" in line and (bare or _is_header(line, below))
        if aside or code[0] <= a:
            said, begin = "", b
        elif line.lstrip().startswith("|") or bare:
            said, begin = "table", a
        elif item := _LIST_ITEM.match(line):
            said, begin = "item", a + item.end()
        else:
            said, begin = "text", a
        if (said == kind != "item") or (said == "text" and kind == "item"):
            end = b
            continue
        if kind:
            yield kind, (start, end)
        kind, start, end = said, begin, b
    if kind:
        yield kind, (start, end)


def _is_header(line: str, below: str) -> bool:
    """Tell whether a line without a bar at its start is the header of a table, by the rule row below it."""
    return (
        "|" in below
        and _RULE_ROW.match(below) is not None
        and len(table_cells(line)) == len(table_cells(below))
    )


def _newline_spans(text: str) -> Iterator[Span]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        if end < 0:
            yield start, len(text)
            return
        yield start, end
        start = end + 1


def _rows(text: str, span: Span) -> Iterator[Unit]:
    lines = [shift(line, span[0]) for line in _newline_spans(text[span[0] : span[1]])]
    header: tuple[str, ...] = ()
    if len(lines) > 1 and _RULE_ROW.match(text[lines[1][0] : lines[1][1]]):
        header = table_cells(text[lines[0][0] : lines[0][1]])
        lines = lines[2:]
    elif _RULE_ROW.match(text[lines[0][0] : lines[0][1]]):
        lines = lines[1:]
    for line in lines:
        row = trim(text, line)
        if row[0] < row[1]:
            yield Unit(row, "row", header)
