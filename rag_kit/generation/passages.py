"""A passage as it is shown: all of a chunk, or some spans of it with marks where something is left out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import PurePath

from rag_kit.hidden import visible
from rag_kit.sources import Source, section_of
from rag_kit.types import Chunk, Evidence, Span

OMISSION = "[…]"
"""What stands for words that are left out; no label, since a label holds a number."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of evidence and the spans of its document that are shown of it, in order and apart.

    >>> from rag_kit.testing import make_chunk, make_evidence
    >>> (item,) = make_evidence(make_chunk("The fee is 5. It rains. Pay in May.", start=100))
    >>> Passage(item, ((100, 113), (124, 135))).text
    'The fee is 5. […] Pay in May.'
    """

    evidence: Evidence
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, item: Evidence) -> Passage:
        """Return a passage that shows all of a chunk."""
        return cls(item, (item.chunk.span,))

    @property
    def whole(self) -> bool:
        """Whether all of the chunk is shown."""
        return self.spans == (self.evidence.chunk.span,)

    @property
    def text(self) -> str:
        """Write what is shown; a mark in a table is a row of its own, so that the table stays one."""
        chunk = self.evidence.chunk
        at = chunk.span[0]
        pieces = [chunk.text[start - at : end - at] for start, end in self.spans]
        written = pieces[:1]
        for number in range(1, len(pieces)):
            gap = chunk.text[self.spans[number - 1][1] - at : self.spans[number][0] - at]
            written += [_mark(pieces[number - 1], gap, pieces[number]), pieces[number]]
        return "".join(written)


def source_of(passage: Passage, as_of: date | None = None) -> Source:
    """Return what the model sees of a passage, without its label.

    Of its source the file's name: where a folder lies on this machine is nothing to a model, and would make
    a prompt longer on one machine than on another. Hidden characters are out, so that no order hides in a
    passage. A date is given where the passage had expired, or had been replaced, by ``as_of``.
    """
    chunk = passage.evidence.chunk
    text = f"{chunk.prefix}\n{passage.text}" if chunk.prefix else passage.text
    pages = sorted({page for span in passage.spans for page in _pages(chunk, span)})
    return Source(
        label="",
        title=visible(chunk.title),
        section=visible(section_of(chunk.title, chunk.heading_path)),
        text=visible(text),
        source=visible(PurePath(chunk.source_uri).name),
        page="-".join(str(page) for page in dict.fromkeys((pages[0], pages[-1]))) if pages else "",
        expired=reached(chunk.expires_at, as_of),
        superseded=reached(chunk.superseded_at, as_of),
    )


def reached(day: date | None, as_of: date | None) -> str:
    """Return a day that has come by ``as_of``, as a text; nothing for one that has not, or is not known.

    >>> reached(date(2026, 3, 1), date(2026, 3, 1)), reached(date(2026, 3, 2), date(2026, 3, 1))
    ('2026-03-01', '')
    """
    return day.isoformat() if day is not None and as_of is not None and day <= as_of else ""


def _mark(before: str, gap: str, after: str) -> str:
    if "\n" not in gap:
        return f" {OMISSION} "
    last, first = before.rpartition("\n")[2], after.partition("\n")[0]
    if "\n\n" not in gap and "|" in last and "|" in first:
        return f"\n| {OMISSION} |\n"
    return f"\n\n{OMISSION}\n\n"


def _pages(chunk: Chunk, span: Span) -> list[int]:
    """Return the pages that a span of a chunk stands on; those of the chunk where nothing tells more."""
    if not chunk.page_starts:
        return list(chunk.pages)
    first = chunk.page_at(span[0])
    later = [page for start, page in chunk.page_starts if span[0] < start < span[1]]
    return later if first is None else [first, *later]
