"""Tables on a page: drawn ones by their lattice, others by the gaps that go on from row to row."""

from rag_kit.parsing.pdf.tables.finding import find_tables, find_unruled
from rag_kit.parsing.pdf.tables.grid import FoundTable
from rag_kit.parsing.pdf.tables.joining import fill_labels, join_continued

__all__ = ["FoundTable", "fill_labels", "find_tables", "find_unruled", "join_continued"]
