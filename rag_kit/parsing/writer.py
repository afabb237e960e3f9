"""Writing a document's text once, as Markdown, block after block: for formats whose file is no text itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rag_kit.parsing.blocks import Piece
from rag_kit.parsing.tables import markdown_table
from rag_kit.types import BlockType, HeadingPath

# What Markdown would take for a heading, an item, a table, a fence or a rule at the start of a line.
_MARKUP = re.compile(
    r"^(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|\||```|~~~|=+[ \t]*$|-+[ \t]*$|([*_])(?:[ \t]*\1){2,}[ \t]*$)", re.M
)


def escape_markup(text: str) -> str:
    r"""Put a backslash before what Markdown would take for a heading, an item, a table, a fence or a rule.

    >>> print(escape_markup("# of seats\n| or"))
    \# of seats
    \| or
    """
    return _MARKUP.sub(r"\\", text)


class TextWriter:
    r"""Writes blocks into ``text`` and ``pieces``, a blank line between them; empty ones are not written.

    >>> writer = TextWriter()
    >>> writer.title("Fees", 1, page=2)
    >>> writer.table([["Card", "Fee"], ["Blue", "5"]], page=2)
    >>> print(writer.text)
    # Fees
    <BLANKLINE>
    | Card | Fee |
    | --- | --- |
    | Blue | 5 |
    >>> writer.pieces[1].block_type, writer.pieces[1].heading_path, writer.pieces[1].page
    ('table', ('Fees',), 2)
    """

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._parts: list[str] = []
        self._length = 0
        self._path: list[tuple[int, str]] = []

    @property
    def text(self) -> str:
        """Return what was written so far."""
        return "".join(self._parts)

    @property
    def heading_path(self) -> HeadingPath:
        """Return the headings in force."""
        return tuple(name for _, name in self._path)

    def title(
        self,
        text: str,
        level: int,
        *,
        page: int | None = None,
        anchor: str | None = None,
        confidence: float | None = None,
    ) -> None:
        """Write a heading; ``level`` counts from 1, and below 6 Markdown has no deeper one."""
        name = " ".join(text.split())
        if name:
            self._path = [above for above in self._path if above[0] < level]
            self._path.append((level, name))
            self.block(
                "title", f"{'#' * min(level, 6)} {name}", page=page, anchor=anchor, confidence=confidence
            )

    def paragraph(
        self,
        text: str,
        *,
        page: int | None = None,
        anchor: str | None = None,
        confidence: float | None = None,
    ) -> None:
        """Write a paragraph; nothing in it is taken for markup."""
        self.block("paragraph", escape_markup(text), page=page, anchor=anchor, confidence=confidence)

    def list(self, lines: Iterable[str], *, page: int | None = None, anchor: str | None = None) -> None:
        """Write a list of lines that carry their own markers and indents: ``- Card``, ``  1. Blue``."""
        self.block("list", "\n".join(lines), page=page, anchor=anchor)

    def code(
        self, text: str, language: str = "", *, page: int | None = None, anchor: str | None = None
    ) -> None:
        """Write code in a fence that is longer than any in it."""
        if text.strip():
            longest = max(map(len, re.findall("`+", text)), default=0)
            fence = "`" * max(3, longest + 1)
            code = text.strip("\n")
            self.block("code", f"{fence}{language}\n{code}\n{fence}", page=page, anchor=anchor)

    def table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        heads: int = 1,
        page: int | None = None,
        anchor: str | None = None,
        confidence: float | None = None,
    ) -> None:
        """Write a table of cells, of which the first ``heads`` rows are its header."""
        text = "\n".join(markdown_table(rows, heads=heads))
        self.block("table", text, page=page, anchor=anchor, confidence=confidence)

    def block(
        self,
        block_type: BlockType,
        text: str,
        *,
        path: HeadingPath | None = None,
        page: int | None = None,
        anchor: str | None = None,
        confidence: float | None = None,
    ) -> None:
        """Write a block that is Markdown already, under the headings in force or another ``path``."""
        if not text.strip():
            return
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        text = text.strip("\n")
        span = (self._length, self._length + len(text))
        path = self.heading_path if path is None else path
        self.pieces.append(Piece(block_type, span, path, anchor, page, confidence))
        self._parts.append(text)
        self._length += len(text)
