"""An answer and its sources as HTML and as text: pure functions of the answer and the opened label."""

from __future__ import annotations

from rag_kit.hidden import show_unseen, visible
from rag_kit.teaching.markup import BODY, BOX, MUTED, OPEN_BOX, PASSAGE, escape
from rag_kit.teaching.views.passages import CitedSource, cited_sources, marked, readable, shown, windows
from rag_kit.types import Answer, RefusalKind

REFUSED: dict[RefusalKind, str] = {
    "no_evidence": "nothing that may be searched is close to the question, so the model was not asked",
    "declined": "passages were shown, and the model gave no answer from them",
    "uncited": "the draft named no source",
    "unverified": ("the draft named a source that it had not been shown, or said what its sources do not"),
    "not_definitive": "the passages touch the question and do not settle it",
}


def panel_html(answer: Answer, opened: str) -> str:
    """Return the whole panel: question, answer and sources."""
    return answer_html(answer, opened) + sources_html(answer, opened)


def answer_html(answer: Answer, opened: str) -> str:
    """Return question and answer, the labels raised, and the opened one in bold; or the refusal."""
    if answer.refusal:
        kind = escape(answer.refusal.kind)
        said = (
            f"<p><strong>No answer was given.</strong> {shown(answer.refusal.text)}</p>"
            f'<p style="{MUTED}">Why: {REFUSED[answer.refusal.kind]} (<code>{kind}</code>).</p>'
        )
    else:
        said = f'<p style="white-space:pre-wrap">{_labelled(answer, opened)}</p>'
    question = f'<p style="{MUTED}">Question: {shown(answer.question)}</p>'
    return f'<div style="{BODY}">{question}{said}</div>'


def sources_html(answer: Answer, opened: str) -> str:
    """Return the cited passages, the opened one unfolded, and what was shown without being cited."""
    sources = cited_sources(answer) if answer.refusal is None else ()
    parts = [_source_html(source, source.label == opened) for source in sources]
    parts += [f'<p style="{MUTED}">{escape(note)}</p>' for note in _notes(answer, sources)]
    return f'<div style="{BODY}">{"".join(parts)}</div>'


def panel_text(answer: Answer) -> str:
    """Return the panel as plain text: each source with its quotes, markup off."""
    said = [f"Question: {answer.question}"]
    if answer.refusal:
        said.append(f"No answer was given: {answer.refusal.text}")
        said.append(f"Why: {REFUSED[answer.refusal.kind]} ({answer.refusal.kind}).")
        sources: tuple[CitedSource, ...] = ()
    else:
        said.append(f"Answer: {answer.text}")
        sources = cited_sources(answer)
    for source in sources:
        said.append(f"{source.label} {source.heading} ({source.origin})")
        quotes = (readable(source.chunk, c) or " ".join(c.quote.split()) for c in source.citations)
        said += [f"    “{quote}”" for quote in dict.fromkeys(quotes) if quote]
    return show_unseen(visible("\n".join([*said, *_notes(answer, sources)])))


def _labelled(answer: Answer, opened: str) -> str:
    named: dict[tuple[int, int], set[str]] = {}
    for citation in answer.citations:
        named.setdefault(citation.answer_span, set()).add(citation.label)
    parts, at = [], 0
    for (start, end), labels in sorted(named.items()):
        if start < at:
            continue
        label = escape(answer.text[start:end])
        raised = f"<strong>{label}</strong>" if opened in labels else label
        parts += [shown(answer.text[at:start]), f"<sup>{raised}</sup>"]
        at = end
    return "".join([*parts, shown(answer.text[at:])])


def _source_html(source: CitedSource, is_open: bool) -> str:
    text, marks = source.chunk.text, source.marks
    open_at = windows(text, marks)
    pieces = " … ".join(marked(text, marks, (a, b)) for a, b in open_at)
    before, after = "… " * (open_at[0][0] > 0), " …" * (open_at[-1][1] < len(text))
    prefix = f'<span style="{MUTED}">{shown(source.chunk.prefix)}</span><br>' if source.chunk.prefix else ""
    body = [f'<p style="{MUTED}"><small>{escape(source.origin)}</small></p>', *_readings(source)]
    body.append(f'<blockquote style="{PASSAGE}" dir="auto">{prefix}{before}{pieces}{after}</blockquote>')
    if before or after or len(open_at) > 1:
        whole = f'<blockquote style="{PASSAGE}" dir="auto">{marked(text, marks, (0, len(text)))}</blockquote>'
        body.append(f"<details><summary>The whole passage</summary>{whole}</details>")
    opening = f'<details open style="{OPEN_BOX}">' if is_open else f'<details style="{BOX}">'
    title = f"<summary><strong>{escape(source.label)}</strong> {escape(source.heading)}</summary>"
    return f"{opening}{title}{''.join(body)}</details>"


def _readings(source: CitedSource) -> list[str]:
    said = dict.fromkeys(readable(source.chunk, citation) for citation in source.citations)
    notes = [f"<p>Without the markup: {escape(text)}</p>" for text in said if text]
    if not source.marks:
        notes.append(f'<p style="{MUTED}">No sentence of this passage could be matched to the claim.</p>')
    return notes


def _notes(answer: Answer, sources: tuple[CitedSource, ...]) -> list[str]:
    cited = {source.label for source in sources}
    notes = []
    if unknown := list(dict.fromkeys(c.label for c in answer.citations if c.label not in cited)):
        notes.append(f"Named in the answer, and no source that the model was shown: {', '.join(unknown)}.")
    if others := [label for label in answer.labels if label not in cited]:
        verb = "and cited nowhere, as there is no answer" if answer.refusal else "and not cited"
        notes.append(f"Shown to the model {verb}: {', '.join(others)}.")
    return notes
