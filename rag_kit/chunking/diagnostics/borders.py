"""What a border between two chunks takes apart: numbers from their labels, and sentences.

A border does no harm where another chunk, by its overlap, holds both sides: only what no chunk holds whole
is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_kit.chunking.diagnostics.findings import Finding, Severity, excerpt_at_border, finding
from rag_kit.chunking.diagnostics.layout import Layout
from rag_kit.types import Span
from rag_kit.wording import FUNCTION_WORDS, IDEOGRAPH

LONGEST_SENTENCE = 600
"""Characters: what is longer is no sentence but text without full stops, and has to be cut somewhere."""
NAMES = {"row": "a table row", "item": "a list item", "line": "a line"}
_SIGN = r"[€$£¥~≈<>≤≥±+−-]?\s?"
# A number right after the border, but for small words: what names it stands before the border.
_SOON = re.compile(
    rf"(?:\W?(?:{'|'.join(sorted(FUNCTION_WORDS))}|[^\W\d_{IDEOGRAPH}]{{1,3}})\s+){{0,3}}"
    rf"[{IDEOGRAPH}]{{0,4}}[(\"'“*]{{0,2}}{_SIGN}(\d[\d.,:/-]*)",
    re.I,
)
# In a row of cells without bars at its ends, the next cell is no unit.
_ENDS_IN_NUMBER = re.compile(r"(?<![\w.,-])(?<!\| )(?<!\| [€$£¥])\d[\d.,]*\s*\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\s*\Z")
_COUNTED = re.compile(r"\s*([%‰°€$£¥]|[^\W\d_]{1,16}\b)")
_TAIL = re.compile(r"(?:\S{1,30}\s+){0,3}\S{1,30}\s*\Z")
_VALUE = re.compile(rf"[\s>*_•-]*{_SIGN}\d[\d.,]*(?:\s*[^\W\d_]{{1,12}}\.?|\s?[%°€$£¥]){{0,3}}\s*\Z")
LONGEST_NUMBER = 20
"""Digits: a longer run is no quantity."""
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_ENDED = re.compile(r"[.!?…。！？][\"'”’)\]*_」』）]*\s*\Z")
# Thai, Lao, Myanmar and Khmer write no full stop: where a sentence ends there cannot be told.
_NO_FULL_STOP = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_CELL = re.compile(r"(?<![\w-])\d")


def check_borders(layout: Layout) -> Iterator[Finding]:
    """Find the numbers and sentences that the chunk borders of a document take apart."""
    cut: set[Span] = set()
    parted: set[Span] = set()
    for edge in layout.edges():
        number = layout.block_number_at(edge)
        block = layout.document.blocks[number] if number is not None else None
        unit = layout.unit_at(number, edge) if number is not None else None
        sides = _sides(layout.text, edge)
        if unit is None:
            stretch = None if block and block.block_type in ("code", "table") else _value(layout, sides)
        elif unit.kind == "row":
            digits = _CELL.search(layout.text, edge, unit.span[1])
            stretch = (
                (unit.span, "a value stands in another chunk than the label of its row") if digits else None
            )
        else:
            stretch = _number(layout.text, edge, unit.span)
        if stretch and sides not in parted and not layout.holds(stretch[0]):
            parted.add(sides)
            yield _found(layout, "number_parted_from_label", sides, *stretch)
        if unit and unit.span not in cut and _is_sentence(layout, unit.span) and not layout.holds(unit.span):
            cut.add(unit.span)
            what = NAMES.get(unit.kind, "a sentence")
            # A line of its own may be code or a field: less is lost with it.
            severity: Severity | None = "hint" if unit.kind == "line" else None
            said = f"no chunk holds the whole of {what}"
            yield _found(layout, "sentence_cut", sides, unit.span, said, severity)


def _found(
    layout: Layout, code: str, sides: Span, span: Span, what: str, severity: Severity | None = None
) -> Finding:
    needed = span[1] - span[0]
    mend = f"cut at the structure, or overlap by {needed} characters or more"
    return finding(
        code,
        f"{what}: {mend}",
        layout.document,
        span,
        severity=severity,
        page=layout.page_at(span[0]),
        chunk_id=layout.chunk_id_at(max(sides[0] - 1, 0)),
        excerpts=(excerpt_at_border(layout.text, *sides),),
    )


def _is_sentence(layout: Layout, span: Span) -> bool:
    text = layout.text[span[0] : span[1]]
    return len(text) <= LONGEST_SENTENCE and (bool(_ENDED.search(text)) or not _NO_FULL_STOP.search(text))


def _number(text: str, edge: int, unit: Span) -> tuple[Span, str] | None:
    """Return the words that belong together around an edge inside a sentence, if a number is among them."""
    before, after = text[max(unit[0], edge - 120) : edge], text[edge : min(unit[1], edge + 120)]
    tail = _TAIL.search(before)
    start = edge - (len(tail.group()) if tail else min(len(before), 30))
    if text[edge - 1].isdigit() and text[edge].isdigit():
        whole = _DIGITS.search(before + after, max(len(before) - LONGEST_NUMBER, 0))
        if whole and len(whole.group()) > LONGEST_NUMBER:
            return None
        return (start, edge + len(after.split()[0])), "a number is cut between its digits"
    blank = len(after) - len(after.lstrip())
    if _LETTER.search(before) and (soon := _SOON.match(after, blank)):
        following = re.compile(r"\s?\S{0,16}").match(after, soon.end())
        end = following.end() if following else soon.end()
        return (
            start,
            edge + end,
        ), f"the number {soon[1].rstrip('.,:/-')} stands in another chunk than its label"
    ends_in, counted = _ENDS_IN_NUMBER.search(before), _COUNTED.match(after)
    # A number that opens its sentence counts the section.
    if (
        ends_in
        and _LETTER.search(before, 0, ends_in.start())
        and counted
        and not _YEAR.search(before)
        and counted[1].casefold() not in FUNCTION_WORDS
    ):
        what = f"the number {ends_in.group().strip()} stands in another chunk than its unit"
        return (start, edge + counted.end()), what
    return None


def _value(layout: Layout, sides: Span) -> tuple[Span, str] | None:
    """Return a label line and the value line that follows it, where a border stands between them."""
    text, (end, start) = layout.text, sides
    if not 0 < end < start < len(text) or text.count("\n", end, start) > 3:
        return None
    begin = text.rfind("\n", max(end - 200, 0), end) + 1
    stop = text.find("\n", start, start + 80)
    label, value = text[begin:end], text[start : stop if stop > 0 else min(start + 80, len(text))]
    if not _VALUE.match(value) or not _LETTER.search(label) or label.lstrip().startswith(("#", "|")):
        return None
    named = label.endswith((":", "：")) and len(label.split()) <= 12
    # Without a colon a short line names the value only if no blank line parts them.
    beside = (
        text.count("\n", end, start) == 1 and len(label.split()) <= 6 and not re.search(r"[\d.!?]", label)
    )
    if not named and not beside:
        return None
    return (begin, start + len(value.rstrip())), "a value stands in another chunk than the label above it"


def _sides(text: str, edge: int) -> Span:
    """Return where the words before an edge end and those after it begin."""
    end, start = edge, edge
    while end and text[end - 1].isspace():
        end -= 1
    while start < len(text) and text[start].isspace():
        start += 1
    return end, start
