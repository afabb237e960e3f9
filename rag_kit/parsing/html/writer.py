"""A page's content written once as Markdown-like text, with the blocks that stand in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from rag_kit.parsing.blocks import Piece
from rag_kit.parsing.html.inline import LISTS, PREFORMATTED, flat_text, fold, is_block, raw_text, tidy
from rag_kit.parsing.html.parts import HEADINGS, SECTIONS, left_out
from rag_kit.parsing.html.tables import caption_of, is_layout, write_table
from rag_kit.parsing.writer import TextWriter, escape_markup
from rag_kit.types import BlockType

_LANGUAGE = re.compile(r"\b(?:language|lang|highlight-source)-([\w+#.-]+)")
DEEPEST = 24
"""Blanks before the items of nested lists, at most."""
MOST_TRANSPARENT = 50
"""Lists and tables inside each other that are looked through for headings; any deeper ones hold only text."""

_Id = tuple[int, str | None]
"""When an element with an id began, counted in elements, and its id."""


@dataclass(slots=True)
class _List:
    """An open list: how far its markers are indented, the last marker, and whether it is still to write."""

    kind: str
    indent: int
    number: int = 0
    marker: str = "- "
    pending: bool = False
    terms: list[str] = field(default_factory=list)


class PageWriter:
    """Writes elements into ``text`` and ``pieces``. Nothing here recurses: pages nest as deep as they like."""

    def __init__(self) -> None:
        self._out = TextWriter()
        self._inline: list[str] = []
        self._path: list[tuple[int, str, _Id]] = []
        self._level = 0
        self._sections = 0
        self._lists: list[_List | None] = []
        self._list_lines: list[str] = []
        self._in_term = False
        self._transparent = 0
        self._ids: list[_Id] = [(0, None)]
        self._serial = 0
        self._inline_id: str | None = None

    @property
    def text(self) -> str:
        """Return what was written so far."""
        return self._out.text

    @property
    def pieces(self) -> list[Piece]:
        """Return the blocks that were written."""
        return self._out.pieces

    def write(self, root: LexborNode) -> None:
        """Write one element with all that is in it."""
        stack = [(root, False)]
        while stack:
            node, closes = stack.pop()
            if closes:
                self._close(node)
            elif node.is_text_node:
                self._inline.append(fold(node.text_content or ""))
            elif (
                node.is_element_node
                and (node is root or not left_out(node, self._sections))
                and self._open(node)
            ):
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(list(node.iter(include_text=True))))
        self._flush()

    def _open(self, node: LexborNode) -> bool:
        """Begin an element; False where it is written already and its inside is not to be walked."""
        tag = node.tag or ""
        given = node.attributes
        anchor = given.get("id") or (given.get("name") if tag == "a" else None)
        if not is_block(tag):
            self._inline_id = self._inline_id or anchor
            if tag == "br":
                self._inline.append("\n")
            return tag != "br"
        self._flush()
        self._serial += 1
        self._ids.append((self._serial, anchor) if anchor else self._ids[-1])
        if tag in PREFORMATTED:
            self._write_code(node)
        elif tag == "table" and not self._looks_through(node):
            self._write_table(node)
        else:
            self._begin(node, tag)
            return True
        self._ids.pop()
        return False

    def _looks_through(self, node: LexborNode) -> bool:
        """Tell whether a table or list is only a frame around headings and paragraphs."""
        if self._list is not None:
            return False
        return self._transparent < MOST_TRANSPARENT and (
            is_layout(node) if node.tag == "table" else node.css_first("h1, h2, h3, h4, h5, h6") is not None
        )

    def _begin(self, node: LexborNode, tag: str) -> None:
        if tag in HEADINGS:
            self._level = int(tag[1])
        elif tag in SECTIONS:
            self._sections += 1
        elif tag == "table":
            self._transparent += 1
        elif tag in LISTS:
            if self._looks_through(node):
                self._transparent += 1
                self._lists.append(None)
            else:
                outer = self._list
                indent = min(outer.indent + _width(outer.marker), DEEPEST) if outer else 0
                first = (node.attributes.get("start") or "").strip()
                number = int(first) - 1 if re.fullmatch(r"\d{1,9}", first) else 0
                self._lists.append(_List(tag, indent, number))
        elif tag in ("li", "dt", "dd") and (entry := self._list):
            if tag == "dt":
                entry.terms = [] if entry.number else entry.terms
                entry.number, self._in_term = 0, True
                return
            entry.number += 1
            entry.pending = True
            entry.marker = f"{entry.number}. " if entry.kind == "ol" else "- "
            if tag == "dd" and entry.terms:
                entry.marker = f"- {', '.join(entry.terms).rstrip(':')}: "

    def _close(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if not is_block(tag):
            return
        self._flush()
        if tag in HEADINGS:
            self._level = 0
        elif tag in SECTIONS:
            self._sections -= 1
        elif tag == "table":
            self._transparent -= 1
        elif tag == "dt":
            self._in_term = False
        elif tag in LISTS and self._lists:
            entry = self._lists.pop()
            if entry is None:
                self._transparent -= 1
            elif entry.terms and not entry.number:
                self._list_lines.append(f"{' ' * entry.indent}- {', '.join(entry.terms)}")
            if self._list is None and self._list_lines:
                lines, self._list_lines = self._list_lines, []
                self._emit("list", "\n".join(lines))
        self._ids.pop()

    @property
    def _list(self) -> _List | None:
        return self._lists[-1] if self._lists else None

    def _flush(self) -> None:
        """Write the words collected since the last block began or ended."""
        text = tidy("".join(self._inline))
        self._inline.clear()
        if not text:
            return
        entry = self._list
        if self._in_term and entry:
            entry.terms.append(" ".join(text.split()))
        elif self._level:
            title = " ".join(text.split("\n"))
            self._path = [above for above in self._path if above[0] < self._level]
            self._path.append((self._level, title, self._nearest_id()))
            self._emit("title", f"{'#' * self._level} {title}")
        elif entry:
            self._write_in_list(entry, text.split("\n"))
        else:
            for part in re.split(r"\n{2,}", text):
                self._emit("paragraph", escape_markup(part))

    def _write_in_list(self, entry: _List, lines: list[str]) -> None:
        blanks = " " * entry.indent
        inner = blanks + " " * _width(entry.marker)
        if entry.pending:
            self._list_lines.append(blanks + entry.marker + lines[0])
            entry.pending = False
            lines = lines[1:]
        self._list_lines.extend(inner + escape_markup(line) for line in lines if line)

    def _add(self, block_type: BlockType, lines: list[str]) -> None:
        """Write lines that are Markdown already; in a list they belong to the item."""
        if entry := self._list:
            if entry.pending:
                self._list_lines.append(" " * entry.indent + entry.marker.rstrip())
                entry.pending = False
            self._list_lines.extend(" " * (entry.indent + _width(entry.marker)) + line for line in lines)
        else:
            self._emit(block_type, "\n".join(lines))

    def _emit(self, block_type: BlockType, text: str) -> None:
        path = tuple(name for _, name, _ in self._path)
        self._out.block(block_type, text, path=path, anchor=self._nearest_id()[1])
        self._inline_id = None

    def _nearest_id(self) -> _Id:
        """Return the id in the block, else the last that began of those around it and of its heading's."""
        if self._inline_id:
            return self._serial, self._inline_id
        return max(self._ids[-1], self._path[-1][2] if self._path else (0, None), key=lambda pair: pair[0])

    def _write_code(self, node: LexborNode) -> None:
        code = raw_text(node).strip("\n")
        if code.strip():
            longest = max(map(len, re.findall("`+", code)), default=0)
            fence = "`" * max(3, longest + 1)
            marked = [node, *node.css("code")[:1]]
            match = _LANGUAGE.search(" ".join(part.attributes.get("class") or "" for part in marked))
            self._add("code", [fence + (match[1] if match else ""), *code.split("\n"), fence])

    def _write_table(self, node: LexborNode) -> None:
        caption = caption_of(node)
        if caption is not None and (text := flat_text(caption)):
            self._inline.append(text)
            self._flush()
        if lines := write_table(node, flat_text, lambda part: left_out(part, 1)):
            self._add("table", lines)


def _width(marker: str) -> int:
    """Return how far an item's further lines stand in: behind its number, or two blanks."""
    return len(marker) if marker[:1].isdigit() else 2
