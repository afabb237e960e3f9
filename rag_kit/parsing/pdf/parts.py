"""The records between a page and its blocks: lines and tables in reading order, then parts to write."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rag_kit.parsing.pdf.glyphs import Box
from rag_kit.parsing.pdf.segments import Segment
from rag_kit.parsing.pdf.tables.grid import FoundTable
from rag_kit.types import Notice

Kind = Literal["paragraph", "title", "list", "code", "table", "note"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one column; ``cells`` counts the pieces that wide gaps part."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    base: float
    size: float
    bold: bool = False
    pitch: float = 0.0
    marker: str = ""
    cells: int = 1
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A table where it stands on its page; ``links`` are the addresses that its cells lead to.

    ``goes_on`` is True where it has the header of the table before it already; ``confidence`` is how sure
    text recognition is of it, None for printed text.
    """

    found: FoundTable
    box: Box
    links: tuple[str, ...] = ()
    text: str = ""
    goes_on: bool = False
    confidence: float | None = None


@dataclass(slots=True)
class Sheet:
    """What was read from one page: its pieces by direction of writing, its tables, its form fields."""

    number: int
    size: tuple[float, float]
    layers: list[list[Segment]] = field(default_factory=list)
    tables: list[PlacedTable] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    letters: int = 0
    drawn: bool = False


@dataclass(slots=True)
class Part:
    """A block to be; its lines, or the lines of its items, are joined when it is written."""

    kind: Kind
    page: int
    lines: list[Line] = field(default_factory=list)
    level: int = 0
    table: PlacedTable | None = None
    anchor: str | None = None
    items: list[list[Line]] = field(default_factory=list)
    text: str = ""
