"""An inspection as HTML and as text: pure functions of what was cut, found and brought back."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from rag_kit.hidden import show_unseen, visible
from rag_kit.teaching.markup import BODY, BOX, MUTED, OPEN_BOX, PASSAGE, escape, shorten
from rag_kit.teaching.views.inspection import Inspection
from rag_kit.teaching.views.passages import marked, marks_in, shown
from rag_kit.types import Chunk, Span

MOST_FINDINGS = 6
MOST_LINES = 40
"""Lines of a fold; the rest is a number."""

Numbered = tuple[int, Chunk]
_EXCERPT = 60
_SCROLLED = "max-height:36em;overflow:auto"
_TAG = (
    "border:1px solid rgba(128,128,128,0.5);border-radius:9px;padding:0 7px;margin:0 2px;white-space:nowrap"
)
_ALARM = _TAG.replace("rgba(128,128,128,0.5)", "#d0672f")
_REPEATED = "opacity:0.6;border-bottom:1px dotted rgba(128,128,128,0.8)"


def inspection_html(seen: Inspection, *, whole: bool = False) -> str:
    """Return the summary and the chunks that matter to the question, in full.

    With ``whole`` every other chunk is a card of its own, in a box that scrolls; without, those in between are
    folded to a line each, so that a page which nobody can click stays short.
    """
    said = "".join(f'<p style="margin:4px 0">{escape(line)}</p>' for line in summary(seen))
    if whole:
        cards = "".join(_card(seen, number, piece) for number, piece in enumerate(seen.chunks, start=1))
        return f'<div style="{BODY}">{said}<div style="{_SCROLLED}">{cards}</div></div>'
    parts = (
        _card(seen, *run[0]) if matter else _folded(seen, list(run))
        for matter, held in _runs(seen)
        for run in ([[item] for item in held] if matter else [held])
    )
    return f'<div style="{BODY}">{said}{"".join(parts)}</div>'


def inspection_text(seen: Inspection) -> str:
    """Return the summary, a line for each chunk that matters, and one for all those in between."""
    rows = []
    for matter, held in _runs(seen):
        rows += [_line(seen, *item) for item in held] if matter else [f"  {_run_title(seen, held)}"]
    return show_unseen("\n".join([*summary(seen), *rows]))


def summary(seen: Inspection) -> list[str]:
    """Say how the document was cut, what was found, and what became of the question."""
    if not seen.chunks:
        return ["There is nothing to cut: the document holds no text."]
    sizes = [piece.tokens for piece in seen.chunks]
    repeated = sum(piece.overlap for piece in seen.chunks)
    lines = [
        f"{seen.document.title}: {len(sizes)} chunks of {min(sizes)} to {max(sizes)} tokens, "
        f"{sum(sizes) / len(sizes):.0f} on average; "
        + (f"{repeated:,} characters stand in two chunks." if repeated else "nothing stands in two chunks.")
    ]
    counts = Counter(finding.code.replace("_", " ") for finding in seen.findings)
    named = ", ".join(f"{name} ({count})" for name, count in counts.most_common(MOST_FINDINGS))
    lines.append(f"Findings: {named}." if named else "Findings: none.")
    if seen.question:
        lines.append(f"Question: {seen.question}")
        lines += [_fate(seen)] if seen.gold else []
    return lines


def _fate(seen: Inspection) -> str:
    """Say where the gold quote is, and whether it came back."""
    if not seen.whole:
        parts = sum(seen.holds(piece) > 0 for piece in seen.chunks)
        return f"The gold quote is cut: {parts} chunks hold a part of it, and none holds it whole."
    places = ", ".join(map(str, seen.whole))
    ranks = [
        seen.ranks[piece.chunk_id]
        for piece in seen.chunks
        if seen.holds(piece) >= 1 and piece.chunk_id in seen.ranks
    ]
    found = f"it came back at rank {min(ranks)}" if ranks else f"it is not among the first {len(seen.hits)}"
    return f"The gold quote is whole in chunk {places}, and {found}."


def _tags(seen: Inspection, piece: Chunk) -> list[str]:
    tags = [f"rank {seen.ranks[piece.chunk_id]}"] if piece.chunk_id in seen.ranks else []
    if held := seen.holds(piece):
        tags.append("gold quote" if held >= 1 else "part of the gold quote")
    return [*tags, *(finding.code.replace("_", " ") for finding in seen.findings_of(piece.chunk_id))]


def _matters(seen: Inspection, number: int, piece: Chunk) -> bool:
    """Tell whether a chunk has to do with the question; where none has, the first one stands for all."""
    if seen.ranks or any(map(seen.holds, seen.chunks)):
        return piece.chunk_id in seen.ranks or seen.holds(piece) > 0
    return number == 1


def _runs(seen: Inspection) -> list[tuple[bool, list[Numbered]]]:
    """Return the chunks that matter and those between them, in order, each with its number."""
    numbered = list(enumerate(seen.chunks, start=1))
    return [
        (matter, list(held)) for matter, held in groupby(numbered, key=lambda item: _matters(seen, *item))
    ]


def _run_title(seen: Inspection, held: list[Numbered]) -> str:
    found = sum(bool(seen.findings_of(piece.chunk_id)) for _, piece in held)
    first, last = held[0][0], held[-1][0]
    which = f"Chunk {first}" if first == last else f"Chunks {first} to {last}"
    return f"{which}: not among those found" + (f"; {found} with findings" if found else "")


def _line(seen: Inspection, number: int, piece: Chunk) -> str:
    tags = "".join(f" [{tag}]" for tag in _tags(seen, piece))
    return f"{number:>3}. {piece.tokens:>3} tokens {tags}  {shorten(visible(piece.text), 60)}"


def _folded(seen: Inspection, held: list[Numbered]) -> str:
    lines = "".join(
        f'<p style="margin:4px 0">{number} · {piece.tokens} tokens {_tag_html(seen, piece)} {_ends(piece)}</p>'
        for number, piece in held[:MOST_LINES]
    )
    more = f"<p>… and {len(held) - MOST_LINES} more</p>" if len(held) > MOST_LINES else ""
    title = escape(_run_title(seen, held))
    return f'<details style="{BOX}"><summary>{title}</summary>{lines}{more}</details>'


def _tag_html(seen: Inspection, piece: Chunk) -> str:
    found = len(seen.findings_of(piece.chunk_id))
    tags = _tags(seen, piece)
    calm, alarms = tags[: len(tags) - found], tags[len(tags) - found :]
    return "".join(
        f'<span style="{style}">{escape(tag)}</span>'
        for style, some in ((_TAG, calm), (_ALARM, alarms))
        for tag in dict.fromkeys(some)
    )


def _ends(piece: Chunk) -> str:
    """Return the first and the last words of a chunk: where its borders are."""
    said = " ".join(visible(piece.text[piece.overlap :]).split())
    if len(said) > 2 * _EXCERPT:
        said = f"{shorten(said, _EXCERPT)} {said[said.find(' ', len(said) - _EXCERPT) + 1 :]}"
    return f'<span style="{MUTED}">{escape(said)}</span>'


def _card(seen: Inspection, number: int, piece: Chunk) -> str:
    matters = _matters(seen, number, piece)
    where = " › ".join(piece.heading_path) or seen.document.title
    facts = [f"{piece.tokens} tokens", where, *([f"page {piece.pages[0]}"] if piece.pages else [])]
    head = f"<strong>Chunk {number}</strong> · {escape(' · '.join(facts))} {_tag_html(seen, piece)}"
    found = seen.findings_of(piece.chunk_id)
    notes = "".join(f'<p style="margin:4px 0">{escape(finding.message)}</p>' for finding in found)
    if matters:
        opening = f'<details open style="{OPEN_BOX}"><summary>{head}</summary>'
    else:
        opening = f'<details style="{BOX}"><summary>{head}<br>{_ends(piece)}</summary>'
    return f"{opening}{notes}{_text(seen, piece)}</details>"


def _text(seen: Inspection, piece: Chunk) -> str:
    """Return a chunk's text: its prefix and what it repeats stand back, the gold quote is marked."""
    marks = marks_in(piece, seen.gold)
    repeated = _piece(piece.text, marks, (0, piece.overlap))
    own = _piece(piece.text, marks, (piece.overlap, len(piece.text)))
    prefix = f'<span style="{MUTED}">{shown(piece.prefix)}</span><br>' if piece.prefix else ""
    again = f'<span style="{_REPEATED}">{repeated}</span>' if repeated else ""
    return f'<div style="{PASSAGE};margin:4px 0">{prefix}{again}{own}</div>'


def _piece(text: str, marks: list[Span], span: Span) -> str:
    return marked(text, marks, span) if span[0] < span[1] else ""
