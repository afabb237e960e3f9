"""Text that reads as word soup: a table or a form that was flattened into words and numbers.

Only what any language shows is looked at: numbers among the words, full stops, lines of one or two words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_kit.chunking.diagnostics.findings import Finding, excerpt, finding
from rag_kit.chunking.diagnostics.layout import Layout
from rag_kit.spans import shift
from rag_kit.types import ParsedBlock, Span
from rag_kit.wording import FUNCTION_WORDS, IDEOGRAPH

FEWEST_WORDS = 20
FEWEST_LINES = 10
MOST_SIGNS = 6
"""Signs of a script without blanks in a line that may be a cell."""
NUMBERS = 0.3
"""Share of words that are numbers from which a run without full stops is no sentence."""
SOME_NUMBERS = 0.15
"""The same, where function words are missing besides."""
_NUMBER = re.compile(r"\W*[€$£¥]?\d[\d.,:/%-]*\W*\Z")
_YEAR = re.compile(r"\W*(?:19|20)\d\d\W*\Z")
_CLAUSE = re.compile(r"[^\W\d_][,;:](?=\s)")
_COLUMNS = re.compile(r"\S(?: {2,}|\t)\S")
_END = re.compile(r"[^\W\d_]{2}[\"'”’)\]]*[.!?](?:\s|$)|[。！？]")
_FIELD = re.compile(r"[ \t>*+-]*[^\s:：|][^:：|\n]{0,40}[:：|]")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_UNSPACED = re.compile(f"[{IDEOGRAPH}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_RULE = re.compile(r"[\W_]+\Z")
MEND = "the layout of a table or form is lost; read the file with a parser that keeps tables"


def check_soup(layout: Layout) -> Iterator[Finding]:
    """Find blocks of words and numbers without sentences, and runs of lines of one to three words."""
    run: list[Span] = []
    for block in layout.document.blocks:
        if block.block_type != "paragraph":
            yield from _lines(layout, run)
            run = []
            continue
        if what := _soup(block):
            yield from _lines(layout, run)
            run = []
            columns = [bool(_COLUMNS.search(line)) for line in block.text.split("\n")]
            # Columns set with blanks: each row is still together, and its labels stand above.
            yield _found(layout, block.span, what, hint=2 * sum(columns) >= len(columns))
            continue
        for match in _LINE.finditer(block.text):
            if _RULE.match(match.group()):
                continue
            line = shift(match.span(), block.span[0])
            if _short(match.group()):
                run.append(line)
            else:
                yield from _lines(layout, run)
                run = []
    yield from _lines(layout, run)


def _soup(block: ParsedBlock) -> str | None:
    """Say what makes a block word soup, or None: few full stops, and many numbers for so few small words."""
    words = block.text.split()
    if len(words) < FEWEST_WORDS or 2 * len(_UNSPACED.findall(block.text)) > len(block.text):
        return None
    lines = [match.group() for match in _LINE.finditer(block.text)]
    # Fields with their names before them, one a line, are read well.
    if len(lines) > 2 and 2 * sum(bool(_FIELD.match(line)) for line in lines) >= len(lines):
        return None
    stops = len(_END.findall(block.text))
    if 40 * stops >= len(words) or 12 * (stops + len(_CLAUSE.findall(block.text))) >= len(words):
        return None
    # Years stand in sentences and in the headers of tables alike.
    numbers = sum(bool(_NUMBER.match(word) and not _YEAR.match(word)) for word in words) / len(words)
    small = sum(word.strip(".,;:()").casefold() in FUNCTION_WORDS for word in words) / len(words)
    if numbers >= NUMBERS or (numbers >= SOME_NUMBERS and small < 0.08):
        return f"{numbers:.0%} of {len(words)} words are numbers, and no sentence holds them"
    return None


def _short(line: str) -> bool:
    # A sign of Chinese is a word, and a line of Thai one run: neither is a cell because it has no blanks.
    if len(line.split()) > 3 or len(line.strip()) > 30 or len(_UNSPACED.findall(line)) > MOST_SIGNS:
        return False
    return not _END.search(line) and not _FIELD.match(line)


def _lines(layout: Layout, run: list[Span]) -> Iterator[Finding]:
    """Find a run of short lines of which a third hold numbers."""
    if len(run) < FEWEST_LINES:
        return
    lines = [layout.text[a:b] for a, b in run]
    numbers = sum(any(sign.isdigit() for sign in line) for line in lines)
    signs = [len(line.strip()) for line in lines]
    # Broken equations are lines of one sign or two: another check names them.
    if 3 * numbers >= len(lines) and sum(signs) > 3 * len(signs):
        what = f"{len(lines)} lines of one to three words in a row, {numbers} of them with numbers"
        yield _found(layout, (run[0][0], run[-1][1]), what)


def _found(layout: Layout, span: Span, what: str, *, hint: bool = False) -> Finding:
    return finding(
        "word_soup",
        f"{what}: {MEND}",
        layout.document,
        span,
        severity="hint" if hint else None,
        page=layout.page_at(span[0]),
        chunk_id=layout.chunk_id_at(span[0]),
        excerpts=(excerpt(layout.text, span),),
    )
