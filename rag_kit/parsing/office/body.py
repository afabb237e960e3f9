"""Writing the blocks of a Word document: headings, paragraphs, lists, code and tables where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rag_kit.parsing.office.numbering import Numbering
from rag_kit.parsing.office.package import attribute, child, kind
from rag_kit.parsing.office.runs import DELETED, INSERTED, NoteKey, RunReader, Words
from rag_kit.parsing.office.story import blocks_in, frame_cells, mark_change, table_cells, table_rows
from rag_kit.parsing.office.styles import Styles
from rag_kit.parsing.raised import raised
from rag_kit.parsing.writer import TextWriter, escape_markup
from rag_kit.types import HeadingPath

_CONTENTS = re.compile(r"toc ([1-9])")
_GOES_ON = re.compile(r"list (?:continue|paragraph)( \d)?")
_NUMBERED = re.compile(r"\d{1,9}[.)]")


class BodyWriter:
    """Writes the parts of a document in order; ``paged`` says whether its page breaks can be trusted."""

    def __init__(
        self, runs: RunReader, styles: Styles, numbering: Numbering, *, part: str, paged: bool
    ) -> None:
        self.writer = TextWriter()
        self.title: str | None = None
        self.note_paths: dict[NoteKey, HeadingPath] = {}
        self._runs, self._styles, self._numbering = runs, styles, numbering
        self._part, self._paged = part, paged
        self._lines: list[str] = []
        self._lines_are = ""
        self._lines_at: tuple[int | None, str | None] = (None, None)
        self._indents: list[tuple[int, int]] = []

    def write(self, container: Any) -> None:
        """Write all that stands in the body, in a text box or in a cell that is only a frame."""
        for block in blocks_in(container, "w:p", "w:tbl"):
            if kind(block) == "w:p":
                self._write_paragraph(block)
            else:
                self._write_table(block)
        self._write_kept()

    def write_notes(self, notes: dict[NoteKey, Any], parts: dict[str, str]) -> None:
        """Write the notes that the text refers to, each under the headings of its mark."""
        written = 0
        while written < len(self._runs.notes):  # A note may hold the mark of another.
            for key, count in list(self._runs.notes.items())[written:]:
                text = self._flat(notes[key], parts[key[0]])
                words = f"{raised(str(count))} {text}"
                path = self.note_paths.get(key, ())
                if text:
                    self.writer.block("paragraph", escape_markup(words), path=path, anchor=f"fn{count}")
                written += 1

    def flat_text(self, container: Any, part: str) -> str:
        """Return the words of a header or a footer in one line."""
        return self._flat(container, part)

    def _write_paragraph(self, paragraph: Any) -> None:
        words = self._runs.read(paragraph, self._part)
        change = mark_change(paragraph)
        if change in DELETED:
            # As accepted, this paragraph goes on in the next.
            self._runs.counts[DELETED[change]] += 1
            self._runs.keep()
            self._write_boxes(words)
            return
        if change in INSERTED and not words.text:
            self._runs.counts[INSERTED[change] or "moves"] += 1
        page = 1 + words.breaks if self._paged else None
        level, item = self._styles.heading_level(paragraph), self._styles.list_of(paragraph)
        marker = self._numbering.next(*item) if item else ""
        if not words.text:
            self._write_boxes(words)
            return
        name = self._styles.name(paragraph)
        contents = _CONTENTS.fullmatch(name)
        if level is not None:
            self._end_lines()
            title = f"{marker} {words.text}".strip()
            if self._styles.is_title(paragraph) and self.title is None:
                self.title = " ".join(title.split())
            self.writer.title(title, level, page=page, anchor=words.anchor)
        elif item or contents:
            depth = item[1] if item else int(contents[1]) - 1 if contents else 0
            self._begin_lines("list", page, words.anchor)
            self._add_item(marker, depth, words.text)
        elif self._styles.is_code(paragraph):
            self._begin_lines("code", page, words.anchor)
            self._lines.append(words.text)
        elif self._lines_are == "list" and _GOES_ON.fullmatch(name):
            self._add_lines(words.text.split("\n"))
        else:
            self._end_lines()
            for part in re.split(r"\n{2,}", words.text):
                self.writer.paragraph(part, page=page, anchor=words.anchor)
        self._place_notes()
        self._write_boxes(words)

    def _write_boxes(self, words: Words) -> None:
        for box in words.boxes:
            self._end_lines()
            self.write(box)

    def _add_item(self, marker: str, depth: int, text: str) -> None:
        """Add an item; ``1.`` and ``1)`` mark it themselves, any other number stands behind a dash."""
        self._indents = [above for above in self._indents if above[0] < depth]
        indent = self._indents[-1][1] if self._indents else 0
        own = marker if _NUMBERED.fullmatch(marker) else f"- {marker}".strip()
        self._indents.append((depth, indent + (len(own) + 1 if own == marker else 2)))
        first, *rest = text.split("\n")
        self._lines.append(f"{' ' * indent}{own} {first}")
        self._add_lines(rest)

    def _add_lines(self, lines: Iterable[str]) -> None:
        blanks = " " * (self._indents[-1][1] if self._indents else 0)
        self._lines.extend(blanks + escape_markup(line) for line in lines if line)

    def _begin_lines(self, form: str, page: int | None, anchor: str | None) -> None:
        if self._lines_are != form:
            self._end_lines()
            self._lines_are, self._lines_at = form, (page, anchor)

    def _end_lines(self) -> None:
        """Write the list or the code whose lines were collected."""
        lines, form, (page, anchor) = self._lines, self._lines_are, self._lines_at
        self._lines, self._lines_are, self._indents = [], "", []
        if form == "list":
            self.writer.list(lines, page=page, anchor=anchor)
        elif form == "code":
            self.writer.code("\n".join(lines), page=page, anchor=anchor)

    def _write_kept(self) -> None:
        """Write what should have gone on in a next paragraph, where there is none."""
        self._end_lines()
        self.writer.paragraph(self._runs.take())

    def _write_table(self, table: Any) -> None:
        self._write_kept()
        frame = frame_cells(table)
        if frame is not None:
            for cell in frame:
                self.write(cell)
            return
        start = self._runs.breaks
        mark = next(
            (attribute(node, "name") for node in table.iter() if kind(node) == "w:bookmarkStart"), None
        )
        cells, heads = table_cells(table, lambda cell: self._flat(cell, self._part))
        title, rows, heads = table_rows(table, cells, heads)
        page = 1 + start if self._paged else None
        self.writer.paragraph(title, page=page, anchor=mark)
        self.writer.table(rows, heads=heads, page=page, anchor=mark)
        self._place_notes()

    def _flat(self, container: Any, part: str) -> str:
        """Return the words of a cell or a note: paragraphs parted by a blank, inner rows by semicolons."""
        found: list[str] = []
        for block in blocks_in(container, "w:p", "w:tbl"):
            if kind(block) == "w:tbl":
                cells, _ = table_cells(block, lambda cell: self._flat(cell, part))
                rows: dict[int, list[str]] = {}
                for cell in cells:
                    rows.setdefault(cell.row, []).append(cell.text)
                found.append("; ".join(" ".join(filter(None, row)) for row in rows.values() if any(row)))
                continue
            words = self._runs.read(block, part)
            item = self._styles.list_of(block)
            marker = self._numbering.next(*item) if item else ""
            if words.text:
                found.append(f"{marker} {words.text}".strip())
            found.extend(self._flat(box, part) for box in words.boxes)
        return " ".join(" ".join(found).split())

    def _place_notes(self) -> None:
        for key in self._runs.notes:
            self.note_paths.setdefault(key, self.writer.heading_path)


def is_paged(body: Any, pages: Any | None) -> bool:
    """Tell whether the page breaks that Word noted when it last saved come to the pages that it counted."""
    breaks = sum(1 for node in body.iter() if kind(node) == "w:lastRenderedPageBreak")
    counted = child(pages, ":Pages")
    return breaks > 0 and counted is not None and (counted.text or "").strip() == str(breaks + 1)
