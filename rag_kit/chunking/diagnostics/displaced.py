"""Equations and footnotes that a parser tore out of their place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rag_kit.chunking.diagnostics.findings import Finding, excerpt, finding
from rag_kit.chunking.diagnostics.layout import Layout
from rag_kit.spans import shift
from rag_kit.types import ParsedBlock, Span

FEWEST_LINES = 4
LONGEST_PART = 3
"""Letters of a line that may be a part of a broken equation."""
_MATH = re.compile("[=+−×÷∑∏∫√≤≥≈≠±∞∂^\u0391-\u03c9\U0001d400-\U0001d7ff]")
_PART = re.compile(rf"[\w/*·(){_MATH.pattern[1:]}")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_NOT_A_PART = re.compile("[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_MARK = r"(?:\[\^?[\w*]{1,3}\]:?|[¹²³⁴⁵⁶⁷⁸⁹]{1,2}|[*†‡§]{1,3}|\d{1,2}|\(\d{1,2}\))"
_NOTE = re.compile(rf"\s*{_MARK}\s+[^\W\d_]")
_UNFINISHED = re.compile(r"[^\W\d_][,;–—-]?\s*\Z|,\s*\Z")
_REFERENCE = re.compile(r"\[\^([\w-]{1,20})\](?!:)")
_DEFINITION = re.compile(r"^[ \t]*\[\^([\w-]{1,20})\]:", re.M)
# A raised figure after a short word is a power: m², cm³.
_RAISED = re.compile(r"(?:[^\W\d_]{4}|[^\W\d_]{2}[.,;:)”’\"])([¹²³⁴⁵⁶⁷⁸⁹]{1,2}|†|‡)(?![\w⁰-⁹⁻²³¹])")
_CODE = re.compile(r"`[^`\n]+`")
_RAISED_NOTE = re.compile(r"^[ \t>*_-]*([¹²³⁴⁵⁶⁷⁸⁹]{1,2}|†|‡)", re.M)
_PLAIN_NOTE = re.compile(r"^[ \t]*\(?(\d{1,2})[.)]?[ \t]+[^\W\d_]", re.M)
_FIGURES = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹", "123456789")


def check_equations(layout: Layout) -> Iterator[Finding]:
    """Find four and more lines in a row of at most three signs each, of which one is mathematical."""
    run: list[Span] = []
    for block in layout.document.blocks:
        # To Markdown a plus sign on a line of its own is an empty list item.
        if block.block_type in ("code", "table") or (block.block_type == "list" and len(block.text) > 1):
            yield from _equation(layout, run)
            run = []
            continue
        for match in _LINE.finditer(block.text):
            line = match.group().strip()
            if len(line) <= LONGEST_PART and _PART.search(line) and not _NOT_A_PART.search(line):
                run.append(shift(match.span(), block.span[0]))
            else:
                yield from _equation(layout, run)
                run = []
    yield from _equation(layout, run)


def _equation(layout: Layout, run: list[Span]) -> Iterator[Finding]:
    if len(run) < FEWEST_LINES:
        return
    span = run[0][0], run[-1][1]
    if _MATH.search(layout.text, *span):
        message = (
            f"{len(run)} lines of single signs: an equation lost its layout; write it on one line as text"
        )
        yield _found(layout, "displaced_equation", span, message)


def check_footnotes(layout: Layout) -> Iterator[Finding]:
    """Find notes inside a sentence, and marks without a note."""
    prose = [block for block in layout.document.blocks if block.block_type != "title"]
    for (before, note), after in zip(pairwise(prose), prose[2:], strict=False):
        if _inside(before, note, after):
            message = "a footnote stands inside a sentence: move it to the end of its page or section"
            yield _found(layout, "displaced_footnote", note.span, message)
    yield from _without_note(layout)


def _inside(before: ParsedBlock, note: ParsedBlock, after: ParsedBlock) -> bool:
    """Tell whether a note parts a sentence: what is before is unfinished, what is after goes on small."""
    if (before.block_type, after.block_type) != ("paragraph", "paragraph") or note.block_type in (
        "code",
        "table",
    ):
        return False
    first = after.text.lstrip()[:1]
    return bool(_NOTE.match(note.text) and first.islower() and _UNFINISHED.search(before.text[-40:]))


def _without_note(layout: Layout) -> Iterator[Finding]:
    text = layout.text
    marks: dict[str, Span] = {}
    # In code, `[^1]` is a pattern: only prose is looked at, its code blanked out.
    text = _CODE.sub(lambda match: " " * len(match.group()), text)
    spans = [block.span for block in layout.document.blocks if block.block_type in ("paragraph", "list")]
    if "[^" in text:
        known = {match[1] for match in _DEFINITION.finditer(text)}
        for span in spans:
            for match in _REFERENCE.finditer(text, *span):
                if match[1] not in known:
                    marks.setdefault(match.group(), match.span())
    if re.search("[¹²³⁴⁵⁶⁷⁸⁹†‡]", text):
        notes = {match[1] for match in _RAISED_NOTE.finditer(text)}
        numbered = {match[1] for match in _PLAIN_NOTE.finditer(text)}
        for span in spans:
            for match in _RAISED.finditer(text, *span):
                if match[1] not in notes and match[1].translate(_FIGURES) not in numbered:
                    marks.setdefault(match[1], match.span())
    for mark, span in marks.items():
        line = text.rfind("\n", 0, span[0]) + 1
        message = f"the mark {mark} has no note in the text: look where the parser left the notes"
        yield _found(layout, "displaced_footnote", (max(line, span[0] - 80), span[1]), message)


def _found(layout: Layout, code: str, span: Span, message: str) -> Finding:
    return finding(
        code,
        message,
        layout.document,
        span,
        page=layout.page_at(span[0]),
        chunk_id=layout.chunk_id_at(span[0]),
        excerpts=(excerpt(layout.text, span),),
    )
